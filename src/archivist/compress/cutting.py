"""One output that is larger than all that should be left: its beginning and its end, with a mark between them that says where the rest is.

Only outputs are cut, never what a person said; and only those that nothing else could make room for.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from archivist.compress.compactions import window_places
from archivist.compress.reading import Read, read_all

if TYPE_CHECKING:
    from archivist.compress.violations import Form

_OVER: Final = 1.5
"""So many targets an output must be by our estimate: it may be high by some per cent."""
_KEPT: Final = 0.25
"""Of the target, so much stays of it."""
_AT_THE_END: Final = 0.4
"""Of what stays, so much is its end: there it says how it went."""


def cut_outputs(read: Sequence[Read], target: int) -> tuple[list[Read], int]:
    """The messages with every output cut that is larger than the target, and how many were."""
    large = {
        place for place in window_places([one.message for one in read]) if _is_too_large(read[place], target)
    }
    if not large:
        return list(read), 0
    messages: list[Form] = [
        {**one.message, "content": _cut(one, target)} if one.place in large else one.message for one in read
    ]
    return read_all(messages), len(large)


def _is_too_large(one: Read, target: int) -> bool:
    return one.role == "tool" and len(one.text) > target and one.tokens > target * _OVER


def _cut(one: Read, target: int) -> str:
    chars = int(len(one.text) * target * _KEPT / one.tokens)
    begun, ended = int(chars * (1 - _AT_THE_END)), int(chars * _AT_THE_END)
    first, last = one.text[:begun].rpartition("\n"), one.text[-ended:].partition("\n")
    head, tail = first[0] or first[2], last[2] or last[0]
    left_out = len(one.text) - len(head) - len(tail)
    return f"{head}\n[… {left_out:,} characters left out here; read {one.key} …]\n{tail}"


__all__ = ["cut_outputs"]
