"""One output that is larger than all that should be left: its beginning and its end, with a mark between them that says where the rest is.

Only outputs are cut, never what a person said; and only those that nothing else could make room for.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from archivist.compress.compactions import window_places
from archivist.compress.reading import Read, read_all
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    from archivist.compress.violations import Form

_OVER: Final = 1.5
"""So many targets an output must be by our estimate: it may be high by some per cent."""
_KEPT: Final = 0.25
"""Of the target, so much stays of it."""
_AT_THE_END: Final = 0.4
"""Of what stays, so much is its end: there it says how it went."""

_MARK: Final = late_pattern(
    r"\n\[… ([0-9]{1,3}(?:,[0-9]{3}){0,5}) characters left out here; read (\S+) …\]\n"
)


def cut_outputs(read: Sequence[Read], target: int) -> tuple[list[Read], int]:
    """The messages with every output cut that is larger than the target, and how many were."""
    places = window_places([one.message for one in read])
    cut = {place: _cut(read[place], target) for place in places if _is_too_large(read[place], target)}
    shorter = {place: text for place, text in cut.items() if len(text) < len(read[place].text)}
    if not shorter:
        return list(read), 0
    messages: list[Form] = [
        {**one.message, "content": shorter[one.place]} if one.place in shorter else one.message
        for one in read
    ]
    return read_all(messages), len(shorter)


def _is_too_large(one: Read, target: int) -> bool:
    return one.role == "tool" and len(one.text) > target and one.tokens > target * _OVER


def _cut(one: Read, target: int) -> str:
    chars = int(len(one.text) * target * _KEPT / one.tokens)
    begun, ended = int(chars * (1 - _AT_THE_END)), int(chars * _AT_THE_END)
    before, behind, whole = _apart(one)
    first, last = before[:begun].rpartition("\n"), behind[len(behind) - ended :].partition("\n")
    head, tail = first[0] or first[2], last[2] or last[0]
    left_out = whole - len(head) - len(tail)
    return f"{head}\n[… {left_out:,} characters left out here; read {one.key} …]\n{tail}"


def _apart(one: Read) -> tuple[str, str, int]:
    """What may stay at the beginning and at the end of an output, and how long all of it is: one that was cut before was longer."""
    found = next((mark for mark in _MARK.finditer(one.text) if mark[2] == one.key), None)
    if found is None:
        return one.text, one.text, len(one.text)
    before, behind = one.text[: found.start()], one.text[found.end() :]
    return before, behind, len(before) + len(behind) + int(found[1].replace(",", ""))


__all__ = ["cut_outputs"]
