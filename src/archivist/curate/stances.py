"""How a person stands to what they say: whether they ask it, tell whose claim it is, or say on which condition it holds.

What they only ask, or only tell of, is no claim of theirs. What holds on a condition is carried with the condition alone.
"""

import re
from typing import Final

from archivist.records.patterns import late_pattern

_ASKED_TO_KEEP: Final = late_pattern(
    r"\b(?:can|could|would|will) you\b.{0,40}\b(?:remember|note|save|store|keep|memori[sz]e|add|write|put|forget|remove|delete|change"
    r"|update|use)\b|\b(?:puedes|podrías|peux-tu|pouvez-vous|pourrais-tu|kannst du|können sie|könntest du|pode|puoi|potresti|możesz"
    r"|kun je|можешь|можете)\b|能不能|可以.{0,6}(?:记|改|删)|くれますか|もらえますか|ください|해 ?줄래|해 ?주",
    re.IGNORECASE,
)
_ASKS: Final = late_pattern(
    r"\A\W*(?:(?:and|so|but|ok|okay|hey|hm+|well|also|please),? )?(?:should|shall|can|could|do|does|did|is|are|was|were|will|would|may|must"
    r"|has|why|how come|how do|what if) (?:i|we|you|they|he|she|it|this|that|these|those|there|the|our|my|your|any\w*|some\w*)\b"
    r"|\b(?:whether|find out if|check if|see if|look if|wondering|i wonder|not sure if|is it (?:true|ok|okay|safe|right) (?:that|to))\b"
    r"|\A\W*(?:soll(?:en|te|ten)?|kann|können|darf|dürfen|muss|müssen|ist|sind|wird) (?:ich|wir|man|es|das|die|der|den|hier|unser\w*)\b"
    r"|\bob (?:ich|wir|man|es|das|die|der|wirklich|unser\w*)\b|\best-ce qu|\b(?:faut-il|peut-on|doit-on|dois-je|devons-nous|puis-je)\b"
    r"|¿|\b(?:será que|devo (?:eu|mesmo))\b|\b(?:è vero che|dobbiamo davvero)\b|\bли\b|\bчи (?:треба|варто|можна|потрібно)\b"
    r"|\bczy\b|\b(?:mıyız|miyiz|muyuz|müyüz|mıyım|miyim|muyum|müyüm|mıdır|midir)\b|\bapakah\b|\b(?:hay không|phải không|có nên)\b"
    r"|\A\W*(?:moet|moeten|kan|kunnen|mag|mogen|is|zijn) (?:ik|we|wij|het|dat|dit|de)\b"
    r"|要不要|是不是|是否|该不该|該不該|可不可以|有没有|有沒有|应不应该|[吗嗎][。!！]?\Z|(?:です|ます|でしょう|べき)か[。!！]?\Z|かどうか"
    r"|(?:까요?|는지|은지|을지|ㄹ지|나요)[.!]?\Z|(?:\A|\s)هل\s|(?:\A|\s)آیا\s|(?:\A|\s)क्या\s|ไหม|หรือไม่|หรือเปล่า|האם",
    re.IGNORECASE,
)
_TELLS_OF_ANOTHER: Final = late_pattern(
    r"\b(?<!our )(?<!my )(?:page|site|website|web|article|readme|docs?|documentation"
    r"|issue|ticket|e?mail|message|post|blog|answer|comment|log|output|error"
    r"|it|chatgpt|claude|gemini|copilot|(?:the|another|other) (?:ai|model|agent|bot)|they|people|someone|somebody)"
    r" (?:just |also |even |only )?(?:says?|said|tells?|told|claims?|claimed|wants?|wanted|suggests?|suggested|recommends?"
    r"|recommended|writes?|wrote|insists?|insisted|asks?|asked)\b"
    r"|\b(?:according to|as per|per the) (?!(?:our|my|us|me)\b)"
    r"|(?<!\bi )(?<!\bwe )\b(?:wants?|wanted|asks?|asked|tells?|told|expects?|expected|urges?|urged|begs?|begged) (?:us|me|you|everyone"
    r"|everybody|the team|people) (?:not )?to\b|\b(?:was|were|been|got|am|are) (?:told|asked|ordered|advised|instructed) (?:not )?to\b"
    r"|\b(?:laut|gemäß|selon|d['’]après|según|segundo (?:os?|as?)|de acordo com|secondo (?:il|la|lo|gli|le|l['’])|według|volgens|enligt"
    r"|согласно|по словам|за словами|menurut)(?: (?!(?:mir|uns|unser\w*|moi|nous|notre|nos|nosotros"
    r"|nuestr\w+|nós|noss\w+|noi|nostr\w+|нам|мне"
    r"|nas|nam|ons|onze)\b)|(?=['’]))"
    r"|(?<!\bich )(?<!\bwir )\b(?:will|möchte|wollte|verlangt|verlangte), dass (?:wir|ich)\b"
    r"|\b(?:veut|voulait|demande) que (?:nous|je|l['’]on)\b"
    r"|\b(?:quiere|quería|pide) que\b|\b(?:quer|queria|pede) que (?:nós|a gente|eu)\b|\b(?:vuole|voleva|chiede) che\b"
    r"|\b(?:wil|wilde|vraagt) dat (?:we|wij|ik)\b|\bхочет,? чтобы\b|\bхоче,? щоб\b|\bchce,? żeby\w*"
    r"|(?<!\bi )(?<!\bwe )\b(?:would (?:love|like|prefer)|wants|wishes|thinks|believes|insists|demands|hopes|expects|suggests"
    r"|prefers that) "
    r"|(?<!\bich )(?<!\bwir )\bhätten? gerne?, dass\b|\b(?:keeps?|kept) (?:asking|saying|telling|insisting|nagging|wanting)\b"
    r"|\bused to (?!it\b|this\b|that\b|the\b)|(?:\A|[,，。])以前(?:我|咱)|\b(?:yeah,? right|oh,? sure|what could (?:possibly )?go wrong"
    r"|(?:great|brilliant|genius|super) (?:plan|idea|idee)|na klar, wir)\b"
    r"|\b(?:claims?|claimed|alleges?|alleged(?:ly)?|supposedly|apparently|pretends?|pretended|i doubt|don't believe|do not believe)\b"
    r"|\b(?:behauptet\w*|angeblich|(?:seite|artikel|mail|readme) (?:sagt|schreibt|behauptet|will)|da steht|prétend\w*|soi-disant"
    r"|(?:page|article|site) (?:dit|prétend|demande)|supuestamente|(?:página|artículo|correo) dice|dice (?:la página|el correo|que dicen)"
    r"|supostamente|página diz|presunt\w+|pagina dice|sostiene che|twierdz\w+|podobno|rzekomo|strona mówi|beweer\w+|zogenaamd"
    r"|утвержда\w+|якобы|на странице (?:написано|сказано)|стверджу\w+|нібито|iddia\w*|sözde|katanya|mengklaim)\b"
    r"|(?:根据|根據|依据|依據|按照?)(?!我|咱|本)|(?<!我)(?<!们)(?:要求|想让|想讓|希望|叫|要)我们|によると|によれば|に(?:言われ|頼まれ)"
    r"|에 ?따르면|라고 (?:했|하던|시켰)|하라고 (?:했|하던|시켰)|وفق[اً]*\s?ل|بحسب|के अनुसार|به گفته|طبق "
    r"|声称|聲稱|据说|據說|据称|网页(?:上)?说|網頁(?:上)?說|页面(?:上)?(?:说|写)|文章(?:里)?说|上面(?:说|写)|と主張|と書いて(?:ある|あった|いる)"
    r"|라고 (?:주장|적혀|써|쓰여)|يزعم|تزعم|تقول الصفحة|ادعا می|दावा|कथित|อ้างว่า|טוען|כביכול",
    re.IGNORECASE,
)
_ON_CONDITION: Final = late_pattern(
    r"\b(?:if|when|whenever|unless|until|only after|as long as|in case|provided that|wenn|falls|sofern|solange|bis|außer|quand|lorsque|si"
    r"|sauf|à moins|tant que|jusqu\w*|cuando|salvo|a menos|mientras|hasta que|quando|caso|a não ser|até que|finché|a meno|если|когда"
    r"|пока|якщо|коли|поки|jeśli|jeżeli|gdy|kiedy|chyba że|dopóki|eğer|wanneer|tenzij|zolang|totdat|nếu|trừ khi|jika|kalau|bila|ketika"
    r"|kecuali|jos|kunnes|om inte|αν|εάν|όταν|εκτός)\b"
    r"|如果|若是|要是|假如|除非|只有|的时候|的時候|もし|なら|場合|とき|만약|경우|때(?:만|는)?|إذا|لو |عندما|حين|اگر|وقتی|مگر"
    r"|अगर|यदि|जब|ถ้า|หาก|เมื่อ|אם|כאשר|אלא",
    re.IGNORECASE,
)
_CLAUSE: Final = late_pattern(
    r"[,،，、:：;]|\s[-–—]\s|\b(?:then|dann|alors|entonces|então|allora|то|тогда|wtedy|dan|thì|maka)\b"
)


def is_own_claim(sentence: str) -> bool:
    """Whether a person says a sentence as theirs: they neither only ask it, and not to keep it in mind, nor tell what another says."""
    return not asks(sentence) and not _TELLS_OF_ANOTHER.search(sentence)


def asks(sentence: str) -> bool:
    """Whether a sentence asks something, and not to keep it in mind."""
    is_question = sentence.rstrip("\"'”’)").endswith(("?", "？", "؟")) or bool(_ASKS.search(sentence))
    return is_question and not _ASKED_TO_KEEP.search(sentence)


def conditions_in(sentence: str) -> tuple[str, ...]:
    """The clauses of a sentence that say when it holds, each from its first word; empty where it holds always."""
    found = list[str]()
    reached = 0
    for mark in _ON_CONDITION.finditer(sentence):
        if mark.start() >= reached:
            end = _CLAUSE.search(sentence, mark.end())
            reached = end.start() if end else len(sentence)
            found.append(sentence[mark.start() : reached])
    return tuple(found)


def has_condition(text: str) -> bool:
    """Whether a text says when it holds."""
    return bool(_ON_CONDITION.search(text))


__all__ = ["asks", "conditions_in", "has_condition", "is_own_claim"]
