"""The lines of a conversation that may be kept word for word: whose they are, where they stand, and what became of them.

A line is a sentence, or a short paragraph, as it was said. What a host put into a message of the owner's is nobody's line; neither is code.
"""

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from archivist.compress.pictures import carried_in
from archivist.compress.reading import Read
from archivist.compress.tool_lines import family_of
from archivist.notes.sentences import sentences_of
from archivist.prompt.fence import without_background
from archivist.recall.stopwords import ENGLISH
from archivist.records.patterns import late_pattern

Who = Literal["owner", "agent", "tool"]

WHOLE_CHARS: Final = 240
"""A paragraph of so many characters is kept as one line: its sentences explain each other."""
_MOST_CHARS: Final = 420
"""What is longer without the end of a sentence is no sentence."""
_FENCED: Final = late_pattern(
    r"^[^\S\n]*+(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[^\S\n]*+\1[^\n]*+$|\Z)", re.MULTILINE | re.DOTALL
)
_OPENED: Final = late_pattern(r"<([a-z]+(?:[-_][a-z]+)+)(?: [^<>\n]*+)?>")
_CLOSED: Final = late_pattern(r"</([a-z]+(?:[-_][a-z]+)+)>")
"""What a host puts into a message stands between tags with names of several words."""
_PROSE: Final = late_pattern(
    r"\n((?:[0-9A-Za-z\u00c0-\uffff][^\n{}();=<>|\t`\"]{14,260}+|[\u3040-\uffef][^\n{}();=<>|\t`\"]{6,13}+))(?![^\n])"
)
"""Of an output, a line that is written for people: it begins with a letter and has none of the marks of code.

It is found by the end of the line before it: what begins with a character is three times as quick as what begins at a line's beginning."""
_NUMBERED: Final = late_pattern(r"(?:[\w./-]+[:-])?\d{1,6}[:-](?!\d)")
"""How a line of a file begins that a tool numbered: it is read again there."""
_CODE: Final = ("import ", "from ", "func ", "def ", "diff ", "index ")
_TELLING: Final = late_pattern(r"[0-9A-Z\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af/]")
_JSON_CHARS: Final = 200_000
_BULLET: Final = late_pattern(r"^(?:[-*•>]|\d{1,2}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_WORD: Final = late_pattern(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*[.,:;!?]?")
_WIDE: Final = r"\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af"
_FOUR_WIDE: Final = late_pattern(rf"(?:[{_WIDE}][^{_WIDE}]*+){{4}}")
"""So many characters that are words or syllables by themselves say something."""
_LEAST_WORDS, _LEAST_NAMES = 3, 5
"""A line of an output has so many words between spaces; more, where none is of grammar."""
_NUMBER: Final = late_pattern(r"\d+")
_ROWS: Final = 3
_HOSTS_CHARS: Final = 2_000
"""What a host says in between is kept, if it is no longer."""
_NOT_A_NAME: Final = late_pattern(r"[\s\[\]]+")
_LONGEST_NAME: Final = 64
_PASTED_CHARS: Final = 1_500
"""In a longer message most was pasted: what the owner says to it stands before or behind it."""


class Earlier(msgspec.Struct, frozen=True):
    """What was said before of the same.

    Attributes:
        is_replaced: Whether what was said later says otherwise; else it may still hold.
    """

    key: str
    text: str
    is_replaced: bool


class Line(msgspec.Struct, frozen=True):
    """A line.

    Attributes:
        key: Under which its message is read.
        order: Where it stands among all lines: a later one has a greater number.
        message: The place of its message; -1 where it comes from an earlier summary.
        is_last: Whether its message ends with it, or nearly so.
        is_pasted: Whether it stands in the midst of a long message.
        is_pinned: Whether it must be kept.
        is_asked: Whether it stands as something to be done that is open.
        earlier: What was said before of the same, the oldest first.
        report: What was said of it later: key and text.
        is_done: Whether that report says that it is done.
        speaker: Who said it, where several speak; without white space.
    """

    key: str
    who: Who
    text: str
    order: int
    message: int = -1
    is_last: bool = False
    is_pasted: bool = False
    is_pinned: bool = False
    is_asked: bool = False
    earlier: tuple[Earlier, ...] = ()
    report: tuple[str, str] | None = None
    is_done: bool = False
    speaker: str = ""


def lines_of(one: Read) -> list[Line]:
    """The lines of a message; of several that differ in numbers alone, as a table has them, the last."""
    found = list(_lines(one))
    if len(found) < _ROWS or any(line.is_pinned for line in found):
        return found
    shapes = [_NUMBER.sub("0", line.text) for line in found]
    counts, last = Counter(shapes), {shape: at for at, shape in enumerate(shapes)}
    return [line for at, line in enumerate(found) if counts[shapes[at]] < _ROWS or last[shapes[at]] == at]


def _lines(one: Read) -> Iterator[Line]:
    is_hosts = one.role in {"system", "developer"} and len(one.text) <= _HOSTS_CHARS
    if one.message.get("pinned") or is_hosts:
        for text in filter(None, map(str.strip, one.text.splitlines())):
            yield Line(one.key, _who(one), text, 0, one.place, is_pinned=True)
    elif one.role == "user" or (one.role == "tool" and family_of(one.tool).verb == "asked the user"):
        yield from _spoken(one, "owner")
        yield from (Line(one.key, "owner", text, 0, one.place) for text in carried_in(one.message, one.key))
    elif one.role == "assistant":
        yield from _spoken(one, "agent")
    elif one.role == "tool":
        for text in _PROSE.findall(f"\n{_printed(one.text)}"):
            if _may_be_told(text) and _is_told(text):
                yield Line(
                    one.key, "tool", text.splitlines()[0].strip(), 0, one.place
                )  # Unicode has more ends of lines


def _may_be_told(text: str) -> bool:
    return not (text.startswith(_CODE) or _NUMBERED.match(text)) and _TELLING.search(text) is not None


def _is_told(text: str) -> bool:
    """Whether a line of an output is written in words, rather than a row of names."""
    if not text.isascii() and _FOUR_WIDE.search(text):
        return True
    words = [one for one in text.lower().split() if _is_word(one)]
    return len(words) >= (_LEAST_NAMES if ENGLISH.isdisjoint(words) else _LEAST_WORDS)


def _is_word(text: str) -> bool:
    return (text.isalpha() and len(text) > 1) or _WORD.fullmatch(text) is not None


def _printed(text: str) -> str:
    """What an output says; of one in JSON, or with JSON in its lines, the texts that it holds."""
    if text[:1] not in {"{", "["} or len(text) > _JSON_CHARS:
        return text
    return _told_in(text) or "\n".join(_told_in(row) or row for row in text.splitlines())


def _told_in(text: str) -> str:
    """The texts in JSON, one a line; empty where it is none."""
    if text[:1] not in {"{", "["}:
        return ""
    try:
        return "\n".join(_strings(json.loads(text)))
    except (ValueError, RecursionError):
        return ""


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def _who(one: Read) -> Who:
    if one.role == "tool":
        return "tool"
    return "agent" if one.role == "assistant" else "owner"


def _spoken(one: Read, who: Who) -> Iterator[Line]:
    text = without_background(one.text)
    text = _without_tagged(text) if "</" in text else text
    if "```" in text or "~~~" in text:
        text = _FENCED.sub("", text)
    said = [sentence for paragraph in text.splitlines() for sentence in _sentences(paragraph)]
    named = str(one.message.get("name") or "") if one.role == "user" else ""
    speaker = _NOT_A_NAME.sub("_", named)[:_LONGEST_NAME]
    is_long = who == "owner" and (one.role == "tool" or len(text) > _PASTED_CHARS)
    for at, sentence in enumerate(said):
        is_edge = at < 2 or at >= len(said) - 3
        yield Line(
            one.key,
            who,
            sentence,
            0,
            one.place,
            is_last=at >= len(said) - 2,
            is_pasted=is_long and not is_edge,
            speaker=speaker,
        )


def _without_tagged(text: str) -> str:
    """A text without what stands between tags; a tag that is never closed is text."""
    closed: dict[str, list[int]] = {}
    for tag in _CLOSED.finditer(text):
        closed.setdefault(tag[1], []).append(tag.start())
    kept, end = [], 0
    for tag in _OPENED.finditer(text):
        places = closed.get(tag[1], ())
        behind = bisect_left(places, tag.end())
        if tag.start() >= end and behind < len(places):
            kept.append(text[end : tag.start()])
            end = places[behind] + len(f"</{tag[1]}>")
    return "\n".join((*kept, text[end:]))


def _sentences(paragraph: str) -> Iterator[str]:
    paragraph = _BULLET.sub("", paragraph.strip())
    if not paragraph or paragraph[0] in "|<#{}" or (paragraph[0] == "[" and paragraph[-1] == "]"):
        return  # a table, a heading, markup, or what a host tells of the owner
    if len(paragraph) <= WHOLE_CHARS:
        yield paragraph
        return
    for sentence in sentences_of(paragraph):
        if len(sentence) <= _MOST_CHARS:
            yield sentence


__all__ = ["WHOLE_CHARS", "Earlier", "Line", "Who", "lines_of"]
