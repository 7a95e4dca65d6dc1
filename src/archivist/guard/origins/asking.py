"""Whether a person asks about something in a paragraph, lays down what holds, or speaks of themselves; and where what they ask about is.

What they ask about stands behind the ask, in the same paragraph or in the next ones: somebody else may have written it.
"""

import re
from typing import Final

from archivist.guard.origins.vocabulary import KEEPS
from archivist.records.patterns import late_pattern

_SHORT: Final = 400
"""Characters of what is asked about something that stands beside it."""
_QUESTION: Final = 120
"""Characters of a question that what follows it may be about."""
_ASKS_WITHIN: Final = 40
"""Characters at the beginning of a paragraph in which it asks."""
PASTED: Final = 60
"""Characters of what follows a question and does not speak of the person."""

_ABOUT: Final = late_pattern(
    r"\b(?:summar\w+|translat\w+|explain|proofread|rewrite|rephrase|paraphrase|review|analy[sz]e|critique|read"
    r"|look at|check|parse"
    r"|extract|reply to|respond to|answer (?:this|the)|what does|what do you (?:think|make)|tl;?dr|fix the"
    r"|classify|edit this|convert"
    r"|here(?:'s| is| are)|this is (?:the|an?|what)|pasted?|below|following|attached|forwarded|got this|received"
    r"|found this|see this"
    r"|shorten|condense|tighten|polish|tidy|simplify|clean (?:this|it|that) up|turn (?:this|it|that) into"
    r"|make (?:this|it|that|the \w+) (?:more \w+|less \w+|shorter|longer|clearer|simpler|nicer|friendlier|crisper"
    r"|tighter|formal)"
    r"|context:|according to|it says|which says|the (?:page|article|doc\w*|e?mail|message|log|readme|output|error"
    r"|ticket|issue|text"
    r"|report|letter|spec|contract|transcript|post|thread|snippet|answer))(?!\w)"
    r"|\b(?:resum\w+|traduc\w+|traduz\w*|explic\w+|revis\w+|analiz\w+|lee|responde|aquí (?:está|tienes)"
    r"|este (?:texto|correo|mensaje"
    r"|artículo|documento)|corrig\w+|résum\w+|tradui\w+|expliqu\w+|relis\w*|analys\w+|voici|ce (?:texte|mail"
    r"|message|document)"
    r"|cet article|corrige\w*)\b"
    r"|\b(?:zusammenfass\w*|fass\w*|übersetz\w*|erklär\w*|prüf\w*|lies|hier ist|dies(?:er|e|es|en) (?:text|mail"
    r"|artikel|nachricht"
    r"|dokument)|korrigier\w*|antworte auf|analysier\w*|resuma|explique|leia|analise|aqui está|riassum\w+|spieg\w+"
    r"|leggi|ecco"
    r"|questo (?:testo|messaggio|documento)|correggi)\b"
    r"|\b(?:özetle\w*|çevir\w*|açıkla\w*|oku\w*|incele\w*|aşağıdaki\w*|перевед\w+|резюмир\w+|кратко|объясн\w+"
    r"|проверь\w*|прочитай\w*"
    r"|проанализир\w+|вот (?:текст|письмо|статья|документ)|это письмо|перекажи|поясни|streść|podsumuj|przetłumacz"
    r"|wyjaśnij|przeczytaj"
    r"|sprawdź|oto|vat .{0,20}samen|vertaal|leg uit|lees|hier is)\b"
    r"|\b(?:tóm tắt|dịch|giải thích|đọc|đây là|ringkas\w*|terjemahkan|jelaskan|baca\w*|berikut|tiivistä|käännä)\b"
    r"|\b(?:kürz\w*|umformulier\w*|formulier\w*|raccourci\w*|abrèg\w*|reformul\w*|acort\w+|abrevi\w+|encurt\w+"
    r"|accorci\w+|сократи\w*"
    r"|скороти\w*|skróć|inkorten|kısalt\w*|rút gọn|persingkat)\b|缩短|縮短|精简|精簡|简化|改短|短くして|縮めて"
    r"|줄여|다듬어"
    r"|回复|回信|答复|回覆|这条|这份|總結|总结|概括|翻译|解释|分析|校对|润色|改写|看看|看一下|读一下|这篇|这封"
    r"|这段|以下|下面|如下"
    r"|摘要|總結|翻譯|解釋|要約|翻訳"
    r"|説明して|読んで|確認して|次の|以下の|この(?:メール|記事|文章|ページ|文書)|답장|요약|번역|설명|읽어|검토"
    r"|다음|아래|이 (?:메일|글"
    r"|문서|기사)"
    r"|لخص|ترجم|اشرح|اقرأ|راجع|هذا (?:النص|البريد)|هذه الرسالة|التالي|सारांश|अनुवाद|समझा|पढ़|यह (?:ईमेल|लेख"
    r"|दस्तावेज़)|निम्न|خلاصه"
    r"|ترجمه|توضیح|بخوان|این (?:متن|ایمیل|مقاله)|زیر|สรุป|แปล|อธิบาย|อ่าน|ข้อความนี้|ต่อไปนี้|סכם|תרגם|הסבר|קרא"
    r"|המייל הזה|הטקסט",
    re.IGNORECASE,
)
_KEEP: Final = late_pattern(KEEPS, re.IGNORECASE)
_RULES: Final = late_pattern(
    r"\W*(?:(?:ok|okay|so|and|please|some|a few|my|our|the|two|three|four|five|new|more|general|basic|ein paar"
    r"|meine|unsere|neue|die|quelques"
    r"|mes|nos|les|algunas|mis|nuestras|las|nuevas|algumas|minhas|nossas|as|alcune|le mie|le nostre|le|een paar"
    r"|mijn|onze|de|мои|наши|несколько"
    r"|мої|наші|moje|nasze|kilka|bizim|benim|birkaç|我的|我们的|几条|幾條|项目|いくつかの|私の|제|우리)[ ,]*)*"
    r"(?:(?:ground|house|coding|commit|git|project|team|grund|haus|projekt)[ -]?)?"
    r"(?:rules?|conventions?|preferences?|guidelines?|regeln|vorgaben|règles|consignes|reglas|normas|convenciones"
    r"|regras|convenções|regole"
    r"|regels|afspraken|правила|договорённости|zasady|reguły|kurallar(?:ımız|ım)?|quy tắc|aturan|regler|säännöt"
    r"|κανόνες|规则|規則|规范|約定|约定|要求"
    r"|ルール|決まり|규칙|القواعد|قواعد|قوانین|नियम|กฎ|כללים|from now on|going forward|ab jetzt|künftig|désormais"
    r"|de ahora en adelante|a partir de agora"
    r"|d'ora in poi|vanaf nu|отныне|впредь|od teraz|bundan sonra|từ giờ|mulai sekarang|以后|从现在起|今後|앞으로)"
    r"(?: (?:for|of|in|on|für|in|pour|du|de|para|do|per|voor|для|dla|cho|untuk) (?:this|our|my|dies\w*|unser\w*|ce"
    r"|cette|notre|este|esta"
    r"|nuestr[oa]|nosso|nossa|questo|nostro|dit|ons|этого|нашего|tego|naszego) [\w-]{1,20}(?: [\w-]{1,20})?)?\s*",
    re.IGNORECASE,
)
"""What stands above rules that a person lays down themselves."""
_OF_ONESELF: Final = late_pattern(
    r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|we|we're|our|us|ich|mir|mich|mein\w*|wir|uns\w*|yo|mi|mis|me|nosotros"
    r"|nuestr\w+|je|j'\w+"
    r"|moi|mon|ma|mes|nous|notre|nos|eu|meu|minha|meus|nós|nosso|io|mio|mia|noi|nostr\w+|ben\w*|benim|biz\w*|я|мне"
    r"|меня|мой|моя"
    r"|мо[ёеи]|мы|нас|наш\w*|мені|мене|ми|ja|mi|mnie|mój|moja|moje|my|nasz\w*|ik|mijn|wij|we|ons|onze|tôi|mình"
    r"|chúng tôi|saya|aku"
    r"|kami|kita|minä|minun|me)\b"
    r"|我|我们|咱|私|僕|俺|わたし|うち|나는|내|제|저는|우리|أنا|لي|نحن|मैं|मेरा|मेरी|मुझे|हम|من|ما|مرا|ผม|ฉัน|เรา"
    r"|אני|שלי|אנחנו|εγώ"
    r"|μου|εμείς",
    re.IGNORECASE,
)
_OF_THE_TEXT: Final = late_pattern(
    r"\W*(?:the|this|these|it|here|which|according|context|below|following|attached|pasted?|received|found|est[aeo]s?|ce(?:t|tte|ci)?"
    r"|voici|aquí|aqui|dies\w*|hier|questo|questa|ecco|это|вот|oto|vat|ini|berikut|đây|bu|şu)\b"
    r"|\W*(?:以下|下面|如下|这|這|次の|この|다음|아래|이 )",
    re.IGNORECASE,
)
"""How a paragraph begins that speaks of a text rather than asking for something."""
_POINTS: Final = late_pattern(
    r"\b(?:this|that|these|it|he|she|they|esto|eso|este|significa|ça|ceci|cela|das|dies\w*|das hier|isso|isto"
    r"|questo|ciò|это|этого|це"
    r"|bu|bunu|şu|to|dit|dat|này|ini|tämä|αυτό)\b"
    r"|这|這|此|これ|それ|이거|이것|هذا|ذلك|यह|इसका|این|นี้|זה",
    re.IGNORECASE,
)
_COLON: Final = late_pattern(r"[:：](?P<ends>[ \t]*\n|[ \t]+|(?=[^\x00-\x7f]))")
_SENTENCES: Final = late_pattern(r"(?<=[.!?])\s+|(?<=[。！？])")


def asks_about(part: str) -> bool:
    """Whether the first line of a paragraph asks something about a text."""
    head = part.split("\n", 1)[0]
    return len(head) <= _SHORT and bool(_ABOUT.search(head)) and not _KEEP.search(head)


def asks_again(part: str) -> bool:
    """Whether a paragraph asks for something at its beginning, and does not only speak of a text."""
    if not asks_about(part) or _OF_THE_TEXT.match(part):
        return False
    return any(not _OF_THE_TEXT.match(found[0]) for found in _ABOUT.finditer(part[:_ASKS_WITHIN]))


def is_question(part: str) -> bool:
    """Whether a paragraph is a short question, which what follows it may be about."""
    return len(part) <= _QUESTION and part.rstrip().endswith(("?", "？", "؟", ";"))


def is_to_be_kept(part: str) -> bool:
    """Whether a paragraph says at its beginning that something holds from now on, or is to be remembered."""
    return bool(_KEEP.search(part[:_SHORT]))


def words_of_oneself(part: str) -> int:
    """How many words of a paragraph are those in which people speak of themselves."""
    return len(_OF_ONESELF.findall(part))


def parted(part: str) -> tuple[str, str]:
    """What is said in a paragraph, and what is shown behind it in the same one; empty where nothing is."""
    question, rest = _cut_at_question(part)
    if rest:
        return question, rest
    head, ends, rest = _cut_at_colon(part)
    if not rest.strip() or _KEEP.search(_SENTENCES.split(head)[-1]) or _RULES.fullmatch(head):
        return part, ""
    is_asked_of = bool(_ABOUT.search(_SENTENCES.split(head)[-1]))
    if is_asked_of and ("\n" in ends or len(rest) >= 20):
        return head, rest
    if "\n" in ends and (len(rest) >= 80 or rest.count("\n") >= 1) and not _OF_ONESELF.search(rest):
        return head, rest
    return part, ""


def _cut_at_question(part: str) -> tuple[str, str]:
    """A question about something, and the something behind it where that does not speak of the person; else the whole."""
    head, *behind = _SENTENCES.split(part, maxsplit=1)
    rest = behind[0] if behind else ""
    is_about = is_question(head) and bool(_ABOUT.search(head) or _POINTS.search(head))
    return (head, rest) if is_about and len(rest) >= PASTED and not _OF_ONESELF.search(rest) else (part, "")


def _cut_at_colon(part: str) -> tuple[str, str, str]:
    """What stands before the first colon that ends a phrase, or before the first line's end, and after it."""
    found = _COLON.search(part[: _SHORT + 1])
    if found is not None:
        return part[: found.start()], found["ends"], part[found.end() :]
    head, ends, rest = part.partition("\n")
    return (head, ends, rest) if _ABOUT.search(head) and len(head) <= _SHORT else (part, "", "")


__all__ = ["PASTED", "asks_about", "asks_again", "is_question", "is_to_be_kept", "parted", "words_of_oneself"]
