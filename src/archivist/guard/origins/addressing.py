"""Words that want something of whoever reads them: that speak to an agent, ask to be remembered, or lay down a rule.

Two readings. `addresses_a_reader` is asked of what a machine printed, which seldom speaks to a model. `lays_down_a_rule` is asked of a
statement that is to be noted, and is the wider one. Both know the words of many languages; neither understands any.
"""

import re
from collections.abc import Iterator
from typing import Final

from archivist.guard.origins.vocabulary import AGENT, ASKS_TO_REMEMBER
from archivist.records.patterns import late_pattern

_MUST: Final = (
    r"\b(?:must|should|shall|have to|has to|need to|needs to|are to|is to|required|always|never|please|do not"
    r"|don't|ensure|make sure"
    r"|ignore|disregard|follow|note|attention|important|remember|save|store|use|send|reply|answer|treat|include"
    r"|append|tell)\b"
    r"|\b(?:debe[ns]?|deberá\w*|siempre|nunca|por favor|atención|nota|recuerd\w+|guard\w+|us[ae]n?|tien\w+ que)\b"
    r"|\b(?:doi(?:t|vent)"
    r"|devez|toujours|jamais|veuillez|attention|note|mémoris\w+|retene\w+|enregistr\w+|utilis\w+)\b"
    r"|\b(?:muss|müssen|musst|soll(?:en|te|ten)?|immer|niemals|nie|bitte|hinweis|achtung|merk\w*|speicher\w*"
    r"|verwend\w*)\b"
    r"|\b(?:deve[mr]?|devem|sempre|nunca|por favor|atenção|nota|lembr\w+|guard\w+|salv\w+|us[ae]m?)\b"
    r"|\b(?:dev(?:e|ono|i)|sempre|mai|nota|attenzione|ricord\w+|memorizz\w+|usa\w*)\b|\b(?:daima|her zaman|asla"
    r"|lütfen|not|dikkat"
    r"|hatırla\w*|unutma\w*|kaydet\w*|kullan\w*|\w+mal[ıi]\w*|\w+mel[ıi]\w*)\b"
    r"|\b(?:долж[е]?н\w*|всегда|никогда|пожалуйста|внимание|запомн\w+|сохран\w+|следует|нужно|использу\w+"
    r"|обязан\w*|необходимо|завжди"
    r"|ніколи|запам\w+|збереж\w+|повин\w+)\b"
    r"|\b(?:mus[iz]\w*|zawsze|nigdy|proszę|uwaga|zapamięt\w+|zapisz\w*|używ\w+|powin\w+)\b|\b(?:moet\w*|altijd"
    r"|nooit|onthoud\w*"
    r"|bewaar\w*|gebruik\w*)\b|\b(?:phải|luôn|không bao giờ|hãy|ghi nhớ|lưu|cần)\b|\b(?:harus|selalu|jangan"
    r"|ingat\w*|simpan\w*"
    r"|gunakan|wajib)\b"
    r"|必须|必須|务必|務必|应当|应该|應|请|請|总是|總是|始终|永远|不要|不得|禁止|注意|记住|記住|牢记|一律|せよ"
    r"|してください|こと|必ず"
    r"|常に|覚え|記憶|注意|禁止|해야|하세요|하십시오|항상|절대|기억|반드시|주의"
    r"|يجب|دائما|دائمًا|أبدا|أبدًا|تذكر|احفظ|يرجى|ملاحظة|استخدم|हमेशा|कभी|याद|कृपया|ध्यान|चाहिए|करें|باید|همیشه"
    r"|هرگز|لطفا|لطفاً|توجه"
    r"|به خاطر|ذخیره|ต้อง|เสมอ|ห้าม|โปรด|จำ|บันทึก|กรุณา|חייב\w*|תמיד|לעולם|זכור|שמור|אנא|πρέπει|πάντα|ποτέ|θυμ"
)
_STANDING: Final = (
    r"\bfrom (?:now|this point|today) on(?:wards?)?\b|\bgoing forward\b|\bhenceforth\b|\b(?:in|for|across) (?:all"
    r"|any|every|each"
    r"|future|later|subsequent) (?:future |later |other )?(?:sessions?|conversations?|chats?|interactions?|tasks?"
    r"|replies|answers"
    r"|requests|runs by)\b|\bstanding (?:instruction|order|rule)s?\b|\bpermanent(?:ly)? (?:rule|instruction)"
    r"|\bde ahora en adelante\b|\ba partir de ahora\b|\bdésormais\b|\bdorénavant\b|\bà partir de maintenant\b"
    r"|\bab sofort\b"
    r"|\bkünftig\b|\bvon nun an\b|\bab jetzt\b|\ba partir de agora\b|\bdoravante\b|\bd'ora in (?:poi|avanti)\b"
    r"|\bbundan (?:sonra"
    r"|böyle)\b|\bс этого момента\b|\bвпредь\b|\bотныне\b|\bвідтепер\b|\bod teraz\b|\bvanaf nu\b|\bvoortaan\b"
    r"|\btừ (?:nay|giờ"
    r"|bây giờ)\b|\bmulai sekarang\b|\btästä lähtien\b"
    r"|从现在起|从今以后|從現在起|自即日起|今后(?:所有|一律|都|请)?|以后(?:所有|一律|都|请|每次)|每次对话|今後は?"
    r"|これからは|以後は"
    r"|앞으로는?|이제부터|지금부터|من الآن فصاعد|اعتبارا من الآن|अब से|आगे से|از این (?:پس|به بعد)|از حالا"
    r"|จากนี้ไป|ต่อจากนี้"
    r"|ต่อไปนี้ให้|מעתה|מכאן והלאה|από εδώ και πέρα"
)
_OVERRIDE: Final = (
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|any|your"
    r"|system"
    r"|other)\b[^.\n]{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|directions?|messages?)\b"
    r"|\bsystem prompt\b[^.\n]{0,40}\b(?:override|update|new|replace)"
    r"|\bignor[ae]\w* (?:todas )?(?:las|tus|all)\b[^.\n]{0,30}instruc|\bignor\w+ (?:toutes )?(?:les|tes"
    r"|vos)\b[^.\n]{0,30}(?:instructions|consignes)|\bignorier\w*\b[^.\n]{0,40}anweisung"
    r"|\bигнорир\w+[^.\n]{0,40}инструкц"
    r"|忽略[^。\n]{0,12}(?:指令|指示|规则|要求|提示)|無視[^。\n]{0,6}|[^。\n]{0,12}(?:指示|命令)を無視"
    r"|지시[^.\n]{0,8}무시"
    r"|تجاهل[^.\n]{0,30}التعليمات"
)
_DEONTIC: Final = (
    r"\b(?:always|never|must|mustn't|shall|should|shouldn't|ought|required?|requires|mandatory|forbidden"
    r"|prohibited|do not|don't"
    r"|cannot|may not|only (?:use|via|with|through|from)|every (?:time|new|commit|reply|answer|message|report"
    r"|release|change|deploy"
    r"|pull|e?mail)|each (?:time|reply|commit)|before (?:every|each|any|you)|whenever|without asking|instead of"
    r"|no longer|from now on"
    r"|by default|policy|rule)\b"
    r"|\A[\s\"'*•-]*(?:use|run|send|add|include|append|cc|bcc|copy|forward|install|prefer|reply|answer|commit|push"
    r"|skip|disable"
    r"|enable|approve|trust|ignore|avoid|keep|set|call|treat|sign|mention|recommend|upload|post|report|deploy"
    r"|export|share|delete"
    r"|remove|write|open|visit|fetch|execute|invoke|store|give|tell|ask|make (?:sure|all|every|the|an?|it|them|no)"
    r"|put|stop|start"
    r"|begin|end|consider)(?=[\s:,]|\Z)"
    r"|\b(?:siempre|nunca|jamás|debe[ns]?|hay que|obligatorio|prohibido|toujours|jamais|doit|doivent|devez|il faut"
    r"|obligatoire"
    r"|interdit|immer|nie|niemals|muss|müssen|soll|sollen|darf|dürfen|verboten|pflicht|grundsätzlich|sempre|deve"
    r"|devem|obrigatório"
    r"|proibido|mai|devono|obbligatorio|vietato|daima|her zaman|asla|zorunlu|yasak|gerekir|всегда|никогда|должен"
    r"|должна|должны|нельзя"
    r"|следует|обязательно|запрещено|нужно|завжди|ніколи|повинен|повинні|zawsze|nigdy|musi|muszą|należy|nie wolno"
    r"|altijd|nooit|moet"
    r"|moeten|mag niet|phải|luôn|không được|không bao giờ|selalu|harus|jangan|wajib|dilarang|aina|koskaan|täytyy)\b"
    r"|必须|必須|总是|總是|始终|永远|从不|絕不|绝不|不要|不得|不许|禁止|一律|务必|應該|应该|应当|须|每次|凡是|只能"
    r"|请(?:先|把|将|用)"
    r"|必ず|常に|絶対|してはいけない|べき|すること|しないこと|禁止|毎回|항상|절대|반드시|해야|하지 ?마|금지|매번"
    r"|دائما|دائمًا|أبدا"
    r"|أبدًا|يجب|ممنوع|हमेशा|कभी नहीं|चाहिए|अनिवार्य|ज़रूर|همیشه|هرگز|باید|نباید|ممنوع|เสมอ|ต้อง|ห้าม|ทุกครั้ง"
    r"|תמיד|לעולם|חייב|אסור"
    r"|πάντα|ποτέ|πρέπει"
)
_ADDRESS: Final = (
    r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+\b|\b(?:https?|ftp|wss?|ssh|git)://(?!(?:localhost|127\."
    r"|0\.0\.0\.0|\[::1\]))\S+|\bwww\.\S+"
    r"|\b(?!127\.|10\.|192\.168\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}\b(?!\.)"
    r"|\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.(?:com|net|io|dev|ai|app|co|xyz|info|biz|ru|cn|me|example|test"
    r"|invalid|site|online|cloud|gg"
    r"|tk)\b(?!\()"
    r"|\b[A-Z]{2}\d{2}[A-Z0-9 ]{11,30}\b|\b(?:0x[0-9a-fA-F]{38,}|bc1[a-z0-9]{20,}"
    r"|[13][a-km-zA-HJ-NP-Z1-9]{25,34})\b|\+\d[\d ()-]{7,}\d"
)
_DANGEROUS: Final = (
    r"\b(?:curl|wget)\b|\|\s*(?:sudo )?(?:ba|z)?sh\b|\bsudo\b|\brm -\w*r|\bchmod\b|--(?:no-verify|force|skip\S*"
    r"|insecure|no-check\S*"
    r"|allow\S*|disable\S*|dangerously\S*|extra-index-url|index-url|trusted-host|registry|privileged|unsafe\S*)\b"
    r"|\beval\b|base64 -d"
    r"|\bssh\b|\bscp\b|\bnc\b|\bexport \w+="
)

_BEGINNINGS: Final = tuple(
    "adelante agen ajan asis assis asys bund bypass chatb chatg claude copil disregard dorava enregis forget gehe"
    " guard hatirla hencefo ignor"
    " ingat kecerd lembr memor merk modell modelo muist onthou perman recuer remember reten retien ricor salv souvien"
    " speicher sprachm standing unut"
    " voortaan yapa zapisz".split()
)
_WORDS: Final = frozenset(
    "ai aiagent aiagents aiassistant aiassistants aichatbot aichatbots aicopilot aicopilots ais avanti belle"
    " bellek codex cursor forward gemini"
    " gpt ki llm llms mulai notes override sekarang system teraz".split()
)
_PHRASES: Final[dict[str, tuple[str, ...]]] = {
    **{word: (f"{word} th", f"{word} it") for word in ("note", "save", "store", "persist")},
    **{
        word: tuple(f"{before} {word} " for before in ("in", "for", "across"))
        for word in ("all", "any", "every", "each", "future", "later", "subsequent")
    },
    **{word: (f"{word} on",) for word in ("now", "point", "today")},
    "language": ("language model",),
    "poi": ("in poi",),
    "partir": ("partir d",),
    "nun": ("nun an",),
    "nu": ("vanaf nu",),
    "jetzt": ("ab jetzt",),
    "sofort": ("ab sofort",),
}
"""What looked-for sentences have: a word that begins so, one of these, or one that stands so. No other sentence is looked at."""
_STEMS_ABROAD: Final = (
    "recuérd|mémor|désormais|dorénavant|gedächtnis|künftig|memóri|hatırla|hafıza|запомн|запам|сохран|збереж|памят|"
    "пам'ят|этого момента|впредь|отныне|відтепер|асистент|ассистент|помощник|агент|нейросет|модел|zapamięt|pamięci|"
    "ghi nhớ|bộ nhớ|từ nay|từ giờ|trợ lý|tác nhân|tekoäly|kom ihåg|инструкц|记|記|从现在|从今|今后|以后|今後|これから|以後|覚え"
    "|メモリ|助手|"
    "助理|智能|代理|大模型|语言模型|人工|机器人|アシスタント|エージェント|忽略|無視|기억|메모리|저장|앞으로|이제부터|지금부터"
    "|어시스턴트|에이전트|비서|도우미|인공지능|지시|تذكر|احفظ|ذاكر|"
    "المساعد|مساعد|وكيل|وكلاء|الذكاء|من الآن|تجاهل|याद|मेमोरी|स्मृति|सहायक|एजेंट|अब से|आगे से|حافظه|به خاطر|ذخیره|"
    "دستیار|هوش|از این|از حالا|จำ|บันทึก|หน่วยความ|ผู้ช่วย|เอเจนต์|จากนี้|ต่อจากนี้|ต่อไปนี้|זכור|זכרו|שמור|בזיכרון|"
    "עוזר|סוכן|סוכני|מודל שפה|מעתה|מכאן|θυμ|μνήμη|βοηθ|πράκτορ|εδώ και|mémoi|mô hình|modèle|językow|tästä|từ bây"
    "| ии| ші|запиш|مدل زبان|نموذج لغ|भाषा मॉडल"
    "|ปัญญา|โมเดล|機器人|言語モデル|語言|언어|保存到|從現在|每次|自即日"
).split("|")
"""The same of words that are not written in the letters a to z alone."""
_ADDRESSES_AGENT: Final = late_pattern(AGENT)
_ASKS: Final = late_pattern(_MUST)
_ASKS_TO_REMEMBER: Final = late_pattern(ASKS_TO_REMEMBER)
_FOR_EVER: Final = late_pattern(f"{_STANDING}|{_OVERRIDE}")
_LAYS_DOWN: Final = late_pattern(_DEONTIC)
_NAMES_A_PLACE: Final = late_pattern(_ADDRESS, re.IGNORECASE)
_RISKS: Final = late_pattern(_DANGEROUS)
_TELLS_HOW: Final = late_pattern(
    r"[\s\"'*•-]*(?:run|start|build|test|lint|format|launch|serve|install|compile|check)\b[^.;]{0,60}\b(?:with|via"
    r"|using|by) [`'\"]?"
)
"""How something is done here, which a manifest or a listing shows."""
_A_TO_Z: Final = late_pattern(r"[a-z]+")
_LINE_ENDS: Final = late_pattern(r"[\n\r]+|(?<=[.!?;])\s+|(?<=[。！？；])")
_MOST_CHARS: Final = 400_000
"""Of a text that is looked through from its beginning, and as many from its end."""
_MOST_SENTENCES: Final = 500
_HALF: Final = 250
"""Characters of a sentence that are looked at, on each side of a stem."""


def addresses_a_reader(text: str) -> bool:
    """Whether a text speaks to an agent, asks to be remembered, or wants to hold from now on."""
    return bool(addressing_sentence(text))


def addressing_sentence(text: str) -> str:
    """The first sentence of a text that does, in small letters; empty where none does."""
    if len(text) > 2 * _MOST_CHARS:
        text = f"{text[:_MOST_CHARS]}\n{text[-_MOST_CHARS:]}"
    low = f" {text.lower()}"
    return next((sentence for sentence in _candidates(low) if _addresses(sentence)), "")


def _candidates(low: str) -> Iterator[str]:
    """The sentences of a text in which a word stands that may be of such a one, each once."""
    seen = set[str]()
    for mark in _marks_in(low):
        at = low.find(mark)
        while at >= 0 and len(seen) < _MOST_SENTENCES:
            sentence, end = _around(low, at)
            if sentence not in seen:
                seen.add(sentence)
                yield sentence
            at = low.find(mark, max(end, at + 1))


def _marks_in(low: str) -> Iterator[str]:
    """What a text has of what looked-for sentences have."""
    for word in sorted(set(_A_TO_Z.findall(low))):
        if word.startswith(_BEGINNINGS) or word in _WORDS:
            yield word
        elif word in _PHRASES:
            yield from (phrase for phrase in _PHRASES[word] if phrase in low)
    if not low.isascii():
        yield from (stem for stem in _STEMS_ABROAD if stem in low)


def _addresses(sentence: str) -> bool:
    if _ASKS_TO_REMEMBER.search(sentence) or _FOR_EVER.search(sentence):
        return True
    return any(
        _ASKS.search(sentence.replace(found[0], " ", 1)) for found in _ADDRESSES_AGENT.finditer(sentence)
    )


_NEEDS_A_VERSION: Final = late_pattern(
    r"\b(?:requires?|required|needs?)\b(?P<what>\s+(?:[a-z][\w.+#-]*\s+){1,3}(?:[>=<~^]{1,2}\s*)?v?\d[\w.]*\+?"
    r"(?:\s+(?:or|and)\s+(?:later|newer|higher|above|up)\b)?)(?=\s*(?:[.,;)\n]|\Z|(?:and|or|to|for|on|in|but)\s))"
)
"""What a manifest says of what a project needs: a name, and a version or two."""


def lays_down_a_rule(text: str) -> bool:
    """Whether a statement tells somebody what to do, in which case, by which command, or where to turn."""
    low = _NEEDS_A_VERSION.sub(r"has\g<what>", text.lower())
    if _TELLS_HOW.match(low):
        low = f"it {low}"
    return any(pattern.search(low) for pattern in (_LAYS_DOWN, _FOR_EVER, _RISKS)) or bool(
        _NAMES_A_PLACE.search(text)
    )


def _around(text: str, at: int) -> tuple[str, int]:
    """The sentence or line that a place stands in, and where it ends."""
    start = max(0, at - _HALF)
    before, after = text[start:at], text[at : at + _HALF]
    begins = max((found.end() for found in _LINE_ENDS.finditer(before)), default=0)
    ends = _LINE_ENDS.search(after)
    end = at + (ends.start() if ends else len(after))
    return text[start + begins : end].strip(), end


__all__ = ["addresses_a_reader", "addressing_sentence", "lays_down_a_rule"]
