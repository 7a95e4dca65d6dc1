"""What a person said themselves in a message that goes under their name, and what they, or a program, only put into it.

A page, a mail or a log that somebody pastes is not their word: they show it, and ask something about it. It is known by its form (a quote,
a fence, the head of a mail, tags around it) and by what is said before or after it ("summarise this:").
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import msgspec

from archivist.guard.origins.addressing import addresses_a_reader
from archivist.guard.origins.pasted import pasted_in
from archivist.guard.origins.tagged import replaced
from archivist.guard.origins.vocabulary import KEEPS, WHICHEVER_AGENT
from archivist.guard.wrappers import person_words
from archivist.records.patterns import late_pattern

LONG: Final = 600
"""Characters of a paragraph that is seldom typed by a person who does not speak of themselves."""
_SHORT: Final = 400
"""Characters of what is asked about something that stands beside it."""
_QUESTION: Final = 120
"""Characters of a question that what follows it may be about."""
_PASTED: Final = 60
"""Characters of what follows a question and does not speak of the person."""
_QUOTED: Final = 60
"""Characters within quotes that are somebody else's words."""

_HOSTS_TAGS: Final = late_pattern(
    r"<(environment_context|user_instructions|ide_selection|ide_opened_file|ide_diagnostics|task-notification"
    r"|user-prompt-submit-hook|"
    r"environment_details|system|system-notification|permissions|collaboration_mode|turn_aborted|available_skills"
    r"|skills_instructions|"
    r"new-diagnostics|local-command-[a-z]+|todo_list|open_files|user_info|project_layout)\b[^<>]*>",
    re.IGNORECASE,
)
_TAGGED: Final = late_pattern(r"(?:^|(?<=\n))[ \t]*<([A-Za-z][\w:-]{0,40})(?:\s[^<>]{0,400})?>")
_FENCE: Final = late_pattern(r"(?:^|(?<=\n))[ \t]*(```+|~~~+)([^\n`]*)\n(.*?)(?:\n[ \t]*\1|\Z)", re.DOTALL)
_QUOTES: Final = late_pattern(r"(?:^|(?<=\n))[ \t]*>[^\n]*(?:\n[ \t]*>[^\n]*)*")
_RULED: Final = late_pattern(
    r"(?:^|(?<=\n))[ \t]*(?:-{3,}|={3,}|\*{3,}|_{3,}|\"{3}|'{3}|<{3,}|>{3,}|#{3,}|\+{3,}|~{3,})[ \t]*(?=\n|\Z)"
)
_MAIL_HEAD: Final = late_pattern(
    r"(?:^|(?<=\n))[ \t]*(?:from|to|cc|subject|date|sent|reply-to|von|an|betreff|datum|gesendet|de|para|asunto"
    r"|fecha|à|objet|assunto"
    r"|da|oggetto|"
    r"от|кому|тема|дата|kimden|kime|konu|od|do|temat|van|aan|onderwerp|发件人|收件人|主题|寄件者|收件者|主旨"
    r"|差出人|宛先|件名"
    r"|보낸 ?사람|받는 ?사람|제목|من|إلى|الموضوع|प्रेषक|विषय|từ|tiêu đề|dari|kepada"
    r"|subjek)[ \t]*[:：][ \t]*\S[^\n]*",
    re.IGNORECASE,
)
_FORWARDED: Final = late_pattern(
    r"(?:^|(?<=\n))[ \t]*(?:-{2,}[ \t]*(?:original message|forwarded message|ursprüngliche nachricht"
    r"|weitergeleitete nachricht"
    r"|mensaje original|mensaje reenviado|message (?:d'origine|transféré)|mensagem (?:original|encaminhada)"
    r"|messaggio (?:originale"
    r"|inoltrato)|исходное сообщение|пересланное сообщение|原始邮件|转发邮件|轉寄|元のメッセージ|転送|원본 메시지)"
    r"|begin forwarded message|on [^\n]{4,80} wrote:|am [^\n]{4,80} schrieb[^\n]*:|le [^\n]{4,80} a écrit ?:"
    r"|el [^\n]{4,80} escribió:"
    r"|\[?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?\]?[ ,-]+[^\n:]{1,40}: )",
    re.IGNORECASE,
)
_LONG_QUOTE: Final = late_pattern(rf"[“\"«„「『]([^“”\"«»„「」『』]{{{_QUOTED},}})[”\"»“」』]")
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
_THANKS: Final = 24
"""Characters of a paragraph that says nothing, such as a thank-you."""
_ASKS_WITHIN: Final = 40
"""Characters at the beginning of a paragraph in which it asks."""
_CODE: Final = late_pattern(r"[{}();=<>\[\]|\\$#_]|^\s{2,}\S|^\S+:\d+", re.MULTILINE)
_LETTERS: Final = late_pattern(r"[^\W\d_]")
_SENTENCES: Final = late_pattern(r"(?<=[.!?])\s+|(?<=[。！？])")
_APART: Final = late_pattern(r"\n[ \t]*\n+")


_MARKS: Final = frozenset('\n\r<>:："“„«「『`~?？؟')
"""What a message has in which something else than the person's words may stand."""


class Speech(msgspec.Struct, frozen=True):
    """A message in parts.

    Attributes:
        own: What the person said themselves.
        shown: What they put into it of others' words.
        printed: What they put into it of a machine's: code, a log.
    """

    own: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()


def speech_in(text: str) -> Speech:
    """What a person said in a message, and what they showed; remembered, unless it is long."""
    return _remembered(text) if len(text) <= _LONGEST_REMEMBERED else _speech_in(text)


def _speech_in(text: str) -> Speech:
    if len(text) < LONG and _MARKS.isdisjoint(text):
        return (
            Speech(() if not text.strip() else (text,))
            if not addresses_an_agent(text)
            else Speech((), (text,))
        )
    reading = _Reading()
    rest = replaced(_HOSTS_TAGS, person_words(text), lambda _, __: "\n\n")
    if "```" in rest or "~~~" in rest:
        rest = _FENCE.sub(reading.fenced, rest)
    if "</" in rest:
        rest = replaced(_TAGGED, rest, reading.tagged)
    rest = reading.without_mail(reading.without_pasted(rest))
    if ">" in rest:
        rest = _QUOTES.sub(lambda found: reading.show(found[0]), rest)
    rest = reading.without_ruled(rest)
    rest = _LONG_QUOTE.sub(lambda found: reading.show(found[1]), rest)
    own = [part for part in reading.said_in(rest) if part.strip()]
    return Speech(tuple(own), tuple(reading.shown), tuple(reading.printed))


_LONGEST_REMEMBERED: Final = 4_000
_remembered: Final = lru_cache(maxsize=16_384)(_speech_in)


def shows_others(text: str) -> bool:
    """Whether a message holds, plain to see, others' words and none of the person's own."""
    speech = speech_in(text)
    return not speech.own and any(len(part) < LONG or addresses_an_agent(part) for part in speech.shown)


class _Reading:
    def __init__(self) -> None:
        self.shown, self.printed = list[str](), list[str]()

    def show(self, text: str) -> str:
        """Take what others said out, and leave a gap."""
        if text.strip():
            self.shown.append(text.strip())
        return "\n\n"

    def fenced(self, found: "re.Match[str]") -> str:
        if is_prose(found[3]):
            return self.show(found[3])
        self.printed.append(found[3])
        return "\n\n"

    def tagged(self, whole: str, inside: str) -> str:
        return whole if len(inside) < 20 and "\n" not in inside else self.show(inside)

    def without_pasted(self, text: str) -> str:
        """Without the letter or the chat in it."""
        for start, end in pasted_in(text):
            self.show(text[start:end])
            text = f"{text[:start]}\n\n{text[end:]}"
        return text

    def without_mail(self, text: str) -> str:
        """The text up to the first mail in it."""
        heads = list(_MAIL_HEAD.finditer(text)) if ":" in text or "：" in text else []
        starts = [
            one.start() for one, two in pairwise(heads) if text.count("\n", one.end(), two.start()) <= 3
        ]
        if found := _FORWARDED.search(text):
            starts.append(found.start())
        if not starts:
            return text
        self.show(text[min(starts) :])
        return text[: min(starts)]

    def without_ruled(self, text: str) -> str:
        """Without what stands between two rules, or behind the only one."""
        rules = list(_RULED.finditer(text))
        if not rules:
            return text
        self.show(text[rules[0].end() : rules[-1].start() if len(rules) > 1 else len(text)])
        return text[: rules[0].start()] + ("\n\n" + text[rules[-1].end() :] if len(rules) > 1 else "")

    def said_in(self, text: str) -> Iterator[str]:
        """The paragraphs that are the person's own."""
        paragraphs = [part for part in _APART.split(text) if part.strip()]
        asks = [self._asks_about(part) for part in paragraphs]
        is_asked = is_questioned = is_behind = False
        behind = self._said_behind(paragraphs)
        for at, part in enumerate(paragraphs):
            is_before_the_ask = at + 2 == len(paragraphs) and asks[-1] and not asks[at]
            if is_asked and is_behind and at < behind:
                self._put(part)
            elif asks[at] or _is_question(part):
                is_asked |= asks[at]
                is_behind |= part.rstrip().endswith((":", "："))
                is_questioned = True
                yield self._before_colon(part)
            elif _KEEP.search(part[:_SHORT]) and not addresses_an_agent(part):
                is_asked = is_questioned = False
                yield part
            elif is_asked or is_before_the_ask or self._is_anothers(part, is_questioned=is_questioned):
                is_behind = True
                self._put(part)
            else:
                yield self._before_colon(part)

    def _said_behind(self, paragraphs: Sequence[str]) -> int:
        """From which paragraph on all are the person's again, behind an ask and behind something that is asked about.

        What is asked about may have whole paragraphs that look like an ask or like something to be kept: they are the person's where
        nothing but such paragraphs follows, and words as short as a thank-you.
        """
        for at in range(len(paragraphs) - 1, -1, -1):
            part = paragraphs[at]
            is_said = _is_question(part) or _KEEP.search(part[:_SHORT]) or self._asks_again(part)
            if not is_said and len(part.strip()) > _THANKS:
                return at + 1
        return 0

    def _asks_again(self, part: str) -> bool:
        """Whether a paragraph asks for something at its beginning, and does not only speak of a text."""
        if not self._asks_about(part) or _OF_THE_TEXT.match(part):
            return False
        return any(not _OF_THE_TEXT.match(found[0]) for found in _ABOUT.finditer(part[:_ASKS_WITHIN]))

    def _asks_about(self, part: str) -> bool:
        head = part.split("\n", 1)[0]
        return len(head) <= _SHORT and bool(_ABOUT.search(head)) and not _KEEP.search(head)

    def _before_colon(self, part: str) -> str:
        """What is said before something is shown in the same paragraph."""
        question, rest = _cut_at_question(part)
        if rest:
            self._put(rest)
            return question
        head, ends, rest = _cut_at_colon(part)
        if not rest.strip() or _KEEP.search(_SENTENCES.split(head)[-1]) or _RULES.fullmatch(head):
            return part
        is_asked_of = bool(_ABOUT.search(_SENTENCES.split(head)[-1]))
        if is_asked_of and ("\n" in ends or len(rest) >= 20):
            self._put(rest)
            return head
        if "\n" in ends and (len(rest) >= 80 or rest.count("\n") >= 1) and not _OF_ONESELF.search(rest):
            self._put(rest)
            return head
        return part

    def _is_anothers(self, part: str, *, is_questioned: bool) -> bool:
        if addresses_an_agent(part):
            return True
        length, of_oneself = len(part), len(_OF_ONESELF.findall(part))
        return (is_questioned and length >= _PASTED and not of_oneself) or (
            length >= LONG and of_oneself <= length // 800
        )

    def _put(self, part: str) -> None:
        (self.shown if is_prose(part) or addresses_a_reader(part) else self.printed).append(part.strip())


def _cut_at_question(part: str) -> tuple[str, str]:
    """A question about something, and the something behind it where that does not speak of the person; else the whole."""
    head, *behind = _SENTENCES.split(part, maxsplit=1)
    rest = behind[0] if behind else ""
    is_about = _is_question(head) and bool(_ABOUT.search(head) or _POINTS.search(head))
    return (head, rest) if is_about and len(rest) >= _PASTED and not _OF_ONESELF.search(rest) else (part, "")


_POINTS: Final = late_pattern(
    r"\b(?:this|that|these|it|he|she|they|esto|eso|este|significa|ça|ceci|cela|das|dies\w*|das hier|isso|isto"
    r"|questo|ciò|это|этого|це"
    r"|bu|bunu|şu|to|dit|dat|này|ini|tämä|αυτό)\b"
    r"|这|這|此|これ|それ|이거|이것|هذا|ذلك|यह|इसका|این|นี้|זה",
    re.IGNORECASE,
)


def _is_question(part: str) -> bool:
    """Whether a paragraph is a short question, which what follows it may be about."""
    return len(part) <= _QUESTION and part.rstrip().endswith(("?", "？", "؟", ";"))


_COLON: Final = late_pattern(r"[:：](?P<ends>[ \t]*\n|[ \t]+|(?=[^\x00-\x7f]))")


def _cut_at_colon(part: str) -> tuple[str, str, str]:
    """What stands before the first colon that ends a phrase, or before the first line's end, and after it."""
    found = _COLON.search(part[: _SHORT + 1])
    if found is not None:
        return part[: found.start()], found["ends"], part[found.end() :]
    head, ends, rest = part.partition("\n")
    return (head, ends, rest) if _ABOUT.search(head) and len(head) <= _SHORT else (part, "", "")


def addresses_an_agent(part: str) -> bool:
    """Whether a paragraph speaks of agents in the plural, or of whichever reads it: its writer does not know this one."""
    return bool(_ANY_AGENT.search(part.lower()))


_ANY_AGENT: Final = late_pattern(WHICHEVER_AGENT)


def is_prose(text: str) -> bool:
    """Whether a text is made of sentences rather than of code, a log or a table."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return False
    marked = sum(bool(_CODE.search(line)) for line in lines)
    letters = len(_LETTERS.findall(text))
    return marked * 2 < len(lines) and letters * 2 > len(text.replace(" ", "").replace("\n", ""))


__all__ = ["Speech", "is_prose", "speech_in"]
