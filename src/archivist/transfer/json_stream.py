"""The elements of a JSON array of any length, one at a time; memory is bound by the longest of them.

Where an element ends is told by its brackets alone, so that one that is no JSON costs itself and the next is found. Streaming parsers
do not give that, and turn half a surrogate pair into `?` or give up: each element is decoded by itself instead.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from archivist.transfer.foreign import SourceUnreadable
from archivist.transfer.json_lines import lines_in
from archivist.transfer.json_text import AROUND, NotJson, as_utf8, decode_leniently
from archivist.transfer.reasons import INVALID as INVALID_JSON
from archivist.transfer.reasons import TORN as TORN_LINE

READ_BYTES = 1024 * 1024
LONGEST_ELEMENT_BYTES = 256 * 1024 * 1024
"""A conversation of this size does not exist; a bracket that is never closed does."""

USUAL_DEPTH = 24
STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
STRETCH = rb'[^"{}\[\]]*+(?:' + STRING + rb'[^"{}\[\]]*+)*+'
"""What stands between two brackets, strings with brackets in them included."""

BRACKETS = re.compile(STRETCH + rb'([{}\[\]"]|\Z)', re.DOTALL)
SPACE = re.compile(rb"[ \t\r\n\x00]*+")
GAP = re.compile(rb"[ \t\r\n\x00,]*+")
SCALAR = re.compile(STRING + rb'|[^\s,:"{}\[\]]++', re.DOTALL)
STRINGS = re.compile(rb"(" + STRING + rb")\s*+(:?)", re.DOTALL)
UTF8_MARK, UTF16_MARKS = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")


class Damaged(msgspec.Struct, frozen=True):
    """Stands for an element that is no JSON."""

    reason: str


INVALID: Final = Damaged(INVALID_JSON)
TORN: Final = Damaged(TORN_LINE)


def read_elements(file: BinaryIO, prefix: str = "item", path: Path | None = None) -> Iterator[Any]:
    """The elements of an array; `INVALID` for one that is no JSON, though its brackets match.

    Args:
        file: Read from where it stands, never closed.
        prefix: Where the array is: "item" where it is all there is, "messages.item" where it is a member of an object.
        path: How errors name the file.

    Raises:
        SourceUnreadable: There is no such array, or it is cut off or damaged; what came before has been given.
    """
    text = _Text(file, path or Path(str(getattr(file, "name", "the file"))))
    text.enter(prefix.split(".")[:-1])
    while (raw := text.next_element()) is not None:
        yield decode_element(raw)


def read_values(file: BinaryIO) -> Iterator[Any]:
    """The values of a file with one JSON value a line; `Damaged` for a line that is none, with what is wrong with it."""
    for line in lines_in(file, longest=LONGEST_ELEMENT_BYTES):
        stripped = (line.raw or b"?").strip(AROUND)
        if stripped:
            value = decode_element(stripped)
            yield Damaged(line.flaw) if value is INVALID else value


def first_names(file: BinaryIO, *, in_lines: bool = False) -> list[str]:
    """The names of the members of the first elements of an array, or of lines, as far as the beginning of a file tells."""
    start = file.read(READ_BYTES).removeprefix(UTF8_MARK).lstrip(b" \t\r\n")
    if not in_lines and not start.startswith(b"["):
        return []
    depth = 1 if in_lines else 0
    names: list[str] = []
    for found in BRACKETS.finditer(start):
        if depth == 2:
            names += _names_in(found.group())
        depth += {b"{": 1, b"[": 1, b"}": -1, b"]": -1}.get(found[1], 0)
    return names


def decode_element(raw: bytes) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """The value of a JSON text, or `INVALID`."""
    try:
        return msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        pass
    try:
        return decode_leniently(as_utf8(raw)[0])
    except NotJson:
        return INVALID


class _Text:
    """A JSON text, read piece by piece; `at` is the place in the piece."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path = file, path
        self._piece, self._at = b"", 0
        self._is_whole = False
        self._given = 0
        self._is_member = False

    def enter(self, keys: list[str]) -> None:
        """Go to the first element of the array under these keys."""
        self._read_more()
        if self._piece.startswith(UTF16_MARKS):
            raise self._unreadable("it is UTF-16, not UTF-8")
        self._at = len(UTF8_MARK) if self._piece.startswith(UTF8_MARK) else 0
        if not self._skip(SPACE):
            raise self._unreadable("it is empty")
        self._is_member = bool(keys)
        for key in keys:
            self._take(b"{", f"it has no {key!r}")
            self._find_member(key)
        self._take(b"[", "it is no JSON array" if not keys else f"{keys[-1]!r} is no array")

    def next_element(self) -> bytes | None:
        """The text of the next element; None behind the last."""
        if not self._skip(GAP):
            raise self._unreadable(f"it is cut off after {self._given} elements")
        if self._piece[self._at : self._at + 1] == b"]":
            self._at += 1
            self._check_end()
            return None
        self._given += 1
        return self._value()

    def _check_end(self) -> None:
        """Nothing may stand behind the array, unless it is a member of an object."""
        if not self._is_member and self._skip(SPACE):
            raise self._unreadable("something stands behind its end")

    def _find_member(self, key: str) -> None:
        while self._skip(GAP) and self._piece[self._at : self._at + 1] == b'"':
            name = decode_element(self._value())
            self._skip(SPACE)
            self._take(b":", "it is no JSON")
            self._skip(SPACE)
            if name == key:
                return
            self._value()
        raise self._unreadable(f"it has no {key!r}")

    def _value(self) -> bytes:
        """The text of the value that begins here, however much must be read to see its end."""
        while True:
            end = self._end_of_value()
            if (len(self._piece) if end is None else end) - self._at > LONGEST_ELEMENT_BYTES:
                raise self._unreadable(f"element {self._given} has no end or is larger than any conversation")
            if end is not None:
                raw = self._piece[self._at : end]
                self._at = end
                return raw
            if self._is_whole:
                raise self._unreadable(f"it is cut off in element {self._given}")
            self._read_more()

    def _end_of_value(self) -> int | None:
        if self._piece[self._at : self._at + 1] not in {b"{", b"["}:
            found = SCALAR.match(self._piece, self._at)
            if found is None and self._piece[self._at : self._at + 1] != b'"':
                raise self._unreadable(f"it is no JSON after {self._given - 1} elements")
            is_whole = found is not None and (found.end() < len(self._piece) or self._is_whole)
            return found.end() if found and is_whole else None
        if found := _usual_value().match(self._piece, self._at):
            return found.end()
        return _matching_bracket(self._piece, self._at)

    def _skip(self, pattern: re.Pattern[bytes]) -> bool:
        """Pass over what matches; whether anything is left."""
        while True:
            self._at = pattern.match(self._piece, self._at).end()  # type: ignore[union-attr]  # it matches the empty text too
            if self._at < len(self._piece):
                return True
            if self._is_whole:
                return False
            self._read_more()

    def _take(self, wanted: bytes, otherwise: str) -> None:
        if self._piece[self._at : self._at + 1] != wanted:
            raise self._unreadable(otherwise)
        self._at += 1

    def _read_more(self) -> None:
        """Read as much again as is waiting, so that a long value is looked at only a few times, but not far over the limit."""
        rest = self._piece[self._at :]
        new = self._file.read(max(READ_BYTES, min(len(rest), LONGEST_ELEMENT_BYTES - len(rest) + 1)))
        self._piece, self._at, self._is_whole = rest + new, 0, not new

    def _unreadable(self, reason: str) -> SourceUnreadable:
        return SourceUnreadable(self._path, reason)


@cache
def _usual_value() -> re.Pattern[bytes]:
    """A whole value in brackets, not nested more than usual: one match, where counting brackets takes many."""
    pattern = rb"[{\[]" + STRETCH + rb"[}\]]"
    for _ in range(USUAL_DEPTH - 1):
        pattern = rb"[{\[]" + STRETCH + rb"(?:" + pattern + STRETCH + rb")*+[}\]]"
    return re.compile(pattern, re.DOTALL)


def _matching_bracket(piece: bytes, start: int) -> int | None:
    """The end of a value of any depth, or None where it lies further on."""
    depth = 0
    for found in BRACKETS.finditer(piece, start):
        bracket = found[1]
        if bracket in {b"", b'"'}:
            return None
        depth += 1 if bracket in {b"{", b"["} else -1
        if depth == 0:
            return found.end()
    return None


def _names_in(stretch: bytes) -> Iterator[str]:
    """The strings of a stretch that a colon follows."""
    for string, colon in STRINGS.findall(stretch):
        if colon:
            yield string[1:-1].decode("utf-8", "replace")
