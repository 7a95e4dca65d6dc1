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
from archivist.guard.origins.asking import (
    PASTED,
    asks_about,
    asks_again,
    is_question,
    is_to_be_kept,
    parted,
    words_of_oneself,
)
from archivist.guard.origins.pasted import pasted_in
from archivist.guard.origins.tagged import replaced
from archivist.guard.origins.vocabulary import WHICHEVER_AGENT
from archivist.guard.wrappers import person_words
from archivist.records.patterns import late_pattern

LONG: Final = 600
"""Characters of a paragraph that is seldom typed by a person who does not speak of themselves."""
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
_THANKS: Final = 24
"""Characters of a paragraph that says nothing, such as a thank-you."""
_CODE: Final = late_pattern(r"[{}();=<>\[\]|\\$#_]|^\s{2,}\S|^\S+:\d+", re.MULTILINE)
_LETTERS: Final = late_pattern(r"[^\W\d_]")
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
        asks = [asks_about(part) for part in paragraphs]
        is_asked = is_questioned = is_behind = False
        behind = self._said_behind(paragraphs)
        for at, part in enumerate(paragraphs):
            is_before_the_ask = at + 2 == len(paragraphs) and asks[-1] and not asks[at]
            if is_asked and is_behind and at < behind:
                self._put(part)
            elif asks[at] or is_question(part):
                is_asked |= asks[at]
                is_behind |= part.rstrip().endswith((":", "："))
                is_questioned = True
                yield self._before_shown(part)
            elif is_to_be_kept(part) and not addresses_an_agent(part):
                is_asked = is_questioned = False
                yield part
            elif is_asked or is_before_the_ask or self._is_anothers(part, is_questioned=is_questioned):
                is_behind = True
                self._put(part)
            else:
                yield self._before_shown(part)

    def _said_behind(self, paragraphs: Sequence[str]) -> int:
        """From which paragraph on all are the person's again, behind an ask and behind something that is asked about.

        What is asked about may have whole paragraphs that look like an ask or like something to be kept: they are the person's where
        nothing but such paragraphs follows, and words as short as a thank-you.
        """
        for at in range(len(paragraphs) - 1, -1, -1):
            part = paragraphs[at]
            is_said = is_question(part) or is_to_be_kept(part) or asks_again(part)
            if not is_said and len(part.strip()) > _THANKS:
                return at + 1
        return 0

    def _before_shown(self, part: str) -> str:
        """What is said before something is shown in the same paragraph."""
        own, shown = parted(part)
        if shown:
            self._put(shown)
        return own

    def _is_anothers(self, part: str, *, is_questioned: bool) -> bool:
        if addresses_an_agent(part):
            return True
        length, of_oneself = len(part), words_of_oneself(part)
        return (is_questioned and length >= PASTED and not of_oneself) or (
            length >= LONG and of_oneself <= length // 800
        )

    def _put(self, part: str) -> None:
        (self.shown if is_prose(part) or addresses_a_reader(part) else self.printed).append(part.strip())


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
