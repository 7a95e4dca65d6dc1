"""What a user wants, by the words of one message."""

import re
from datetime import UTC, datetime
from functools import cache
from typing import Final, Literal

import msgspec

from archivist.loop.quoting.cues import ALL, FLAGS
from archivist.recall.stopwords import (
    ASKING_FOR_ALL,
    CHINESE_ASKING,
    CHINESE_ASKING_FOR_ALL,
    CHINESE_GRAMMAR,
    ENGLISH,
)
from archivist.store.index.words import stem

Kind = Literal["remember", "forget", "list", "talks", "ask", "greet", "thank", "help", "nothing"]
MOST_READ: Final = 1_000
"""Characters of a message in which a cue is looked for; a longer one is a text that was pasted."""
_WORDS: Final = re.compile(r"\w+")
_QUESTION: Final = re.compile(r"[?？]\s*$|[吗呢么][。\s]*$")
_SOME_DAY: Final = datetime(2024, 1, 1, tzinfo=UTC)
"""Where a time stands in a text does not hang on the day on which it is read."""
_PLEASE: Final = re.compile(r",? please[\s.!]*$", re.IGNORECASE)
_LATELY: Final = frozenset(("late", "recent", "far", "last", "time", "最", "近", "上", "次"))
_ENDS: Final = " \t\r\n,，:：;；、"


class Wish(msgspec.Struct, frozen=True):
    """What is wanted.

    Attributes:
        what: What it is about: the words to note, to look for or to forget.
        about_user: Of what is to be noted, whether it is about the person who speaks.
        names_time: Of a question, whether it names a time.
        points: It points at something else instead of saying it.
        wants_all: Everything is to be forgotten.
        asks: It is worded as a question.
    """

    kind: Kind
    what: str = ""
    about_user: bool = False
    names_time: bool = False
    points: bool = False
    wants_all: bool = False
    asks: bool = False


def wish_of(said: str) -> Wish:
    """What the words of a message want."""
    text = said.strip()
    if not text:
        return Wish("nothing")
    if not _WORDS.search(text):
        return Wish("help")
    if len(text) > MOST_READ:
        return _remember_long(text) or Wish("ask", text[:MOST_READ])
    return _spoken(text) or _told(text) or _asked(text)


def is_question(text: str) -> bool:
    """Whether a text is worded as a question, by its end."""
    return _QUESTION.search(text) is not None


def tokens(text: str) -> frozenset[str]:
    """The words of a text that say something; of Chinese and Japanese the characters."""
    told = CHINESE_ASKING.sub(" ", text.casefold())
    found = (word for run in _WORDS.findall(told) for word in _split(run))
    telling = (word for word in found if word not in ENGLISH and word not in CHINESE_GRAMMAR)
    return frozenset(stem(word) if word.isascii() else word for word in telling)


def _spoken(text: str) -> Wish | None:
    """Greetings and the like, which have fixed words."""
    kinds: tuple[tuple[str, Kind], ...] = (("greeting", "greet"), ("thanks", "thank"), ("helping", "help"))
    for field, kind in (*kinds, ("listing", "list")):
        if _match(field, text):
            return Wish(kind)
    return None


def _told(text: str) -> Wish | None:
    """Something to note or to forget; a question is neither, unless it asks for that nicely."""
    if is_question(text) and not _match("asked_nicely", text):
        return None
    if _match("bare", text):
        return Wish("remember", points=True)
    for field in ("remember", "said_before"):
        if found := _match(field, text):
            return _remember(_without_manners(_what(found), text))
    if (found := _match("forget", text)) is None:
        return None
    what = _without_manners(_what(found), text)
    points = not what or _match("pointing", what) is not None
    return Wish("forget", what, points=points, wants_all=_match("everything", what) is not None)


def _without_manners(what: str, text: str) -> str:
    """Without the "please" behind it, and the question mark of a wish that was worded as a question."""
    what = _PLEASE.sub("", what)
    return what.rstrip("?？ ") if is_question(text) else what


def _remember(what: str) -> Wish:
    is_personal = _match("personal", what) is not None and _match("not_personal", what) is None
    return Wish("remember", what, about_user=is_personal, points=_match("pointing", what) is not None)


def _remember_long(text: str) -> Wish | None:
    """A long text that is to be noted says so in its first line."""
    line, newline, rest = text.partition("\n")
    if len(line) > MOST_READ:
        line, newline, rest = line[:MOST_READ], "", line[MOST_READ:]
    found = _match("remember", f"{line} …" if newline else line)
    if found is None:
        return None
    return _remember(f"{_what(found).removesuffix('…').strip()}{newline}{rest}".strip())


def _asked(text: str) -> Wish:
    asks, rest, names_time = is_question(text), text, _names_time(text)
    if names_time:
        rest = _without_times(text)
    if _says_nothing(rest) and (names_time or _asks_for_talk(text)):
        return Wish("talks", text, names_time=names_time, asks=asks)
    found = _match("about", text)
    what = _what(found).rstrip("?？ ") if found else ""
    return Wish("ask", what if tokens(what) else text, names_time=names_time, asks=asks)


def _names_time(text: str) -> bool:
    from archivist.recall.when.clues import may_name_time  # noqa: PLC0415 - a session without questions does without

    return may_name_time(text) and _without_times(text) != text


def _without_times(text: str) -> str:
    from archivist.recall.when import read_periods, strip_periods  # noqa: PLC0415 - as above

    return strip_periods(text, read_periods(text, now=_SOME_DAY, zone=UTC))


def _says_nothing(rest: str) -> bool:
    """Whether nothing is left of a question but that it asks for what was said."""
    left = CHINESE_ASKING_FOR_ALL.sub("", CHINESE_ASKING.sub("", rest))
    return tokens(left) <= tokens(" ".join(ASKING_FOR_ALL)) | _LATELY


def _asks_for_talk(text: str) -> bool:
    return any(pattern.search(text) for pattern in _patterns("talking"))


def _match(field: str, text: str) -> re.Match[str] | None:
    found = (pattern.fullmatch(text) for pattern in _patterns(field))
    return next((match for match in found if match is not None), None)


@cache
def _patterns(field: str) -> tuple[re.Pattern[str], ...]:
    sources = (getattr(cues, field) for cues in ALL)
    return tuple(re.compile(source, FLAGS) for source in sources if source)


def _what(found: re.Match[str]) -> str:
    """What a cue is about: whichever of its groups matched."""
    groups = found.groupdict()
    named = next((groups[name] for name in ("what", "whole", "object") if groups.get(name)), "")
    return str(named).strip(_ENDS)


def _split(run: str) -> list[str]:
    """A run of letters as words: Chinese and Japanese by their characters, others as they are."""
    return re.findall("[\u3041-\u30ff\u3400-\u9fff]|[^\u3041-\u30ff\u3400-\u9fff]+", run)


__all__ = ["Kind", "Wish", "is_question", "tokens", "wish_of"]
