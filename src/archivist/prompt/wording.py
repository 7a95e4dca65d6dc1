"""An entry's words as a prompt may carry them: no secret, nothing that cannot be seen or that steers, and never cut without saying so."""

import re
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from archivist.guard import mask
from archivist.notes.withholding import sight_of
from archivist.records.display import plain
from archivist.records.notes import Entry
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    from archivist.guard.withholding import Block

RULE_CHARACTER: Final = "═"
_UNSEEN: Final = late_pattern("[\ufeff\ufffe\uffff]|\r\n?")
_SURROGATE: Final = late_pattern("[\ud800-\udfff]")
_STOP: Final = late_pattern(r"\n+|(?<=[.!?…])[\"'”’»)\]]*(?=\s)|(?<=[。！？；])[”’」』）]*")
"""Where a block or a sentence ends."""
_BLANK: Final = late_pattern(r"\s+")


class Wording(msgspec.Struct, frozen=True):
    """What is shown of a text.

    Attributes:
        masked: The kinds of the secrets that were masked in it.
        withheld: The blocks that were left out of it.
        odd: Blocks in which something was found and that stand in it all the same.
    """

    text: str
    masked: tuple[str, ...] = ()
    withheld: "tuple[Block, ...]" = ()
    odd: "tuple[Block, ...]" = ()


def wording_of(text: str) -> Wording:
    """The words of an entry without secrets and control characters, and without the white space around them.

    No entry can look like the head of a block: the character that heads are ruled with is shown as another.
    """
    if not text.isprintable():
        text = _SURROGATE.sub("\ufffd", plain(_UNSEEN.sub(_line_feed, text)))
    seen = text.replace(RULE_CHARACTER, "=")
    found = mask(seen)  # only now: a sign that is not seen could stand within a secret
    return Wording(found.text.strip(), tuple(dict.fromkeys(secret.kind for secret in found.secrets)))


def entry_wording(entry: Entry, allowed: Container[str], *, tell_odd: bool) -> Wording:
    """The words of an entry as a model may read them: what tries to steer it is left out, unless the owner typed or allowed it.

    Args:
        entry: As it is.
        allowed: The ids of blocks that are shown whatever is found in them.
        tell_odd: Look at what the owner typed too, to tell of it.
    """
    worded = wording_of(entry.text)
    seen = sight_of(worded.text, entry.id, entry.origin, allowed, tell_odd=tell_odd)
    return Wording(seen.text, worded.masked, seen.withheld, seen.odd)


def cut(text: str, room: int, entry_id: str, *, anywhere: bool = False) -> str | None:
    """The beginning of a text up to the end of a block or sentence, with how much more there is and the id to read it by.

    Args:
        text: Longer than the room.
        room: Characters at most, what is said of the cut included.
        anywhere: Where no sentence ends within the room, cut between words, or between characters.

    Returns:
        None where not even as much fits as has to be said of the cut.
    """
    marker = cut_marker(len(text), entry_id)
    space = room - len(marker)
    if space < len(marker):
        return None
    end = max(_ends(text, space), default=0)
    if end < len(marker) and anywhere:
        end = max(_blanks(text, space), default=0)
        end = end if end > space // 2 else space
    kept = text[:end].rstrip()
    return f"{kept}{cut_marker(len(text) - len(kept), entry_id)}" if len(kept) >= len(marker) else None


def cut_marker(left: int, entry_id: str) -> str:
    """What stands where the rest of an entry does not."""
    return f" … [cut, {left:,} more characters: recall {entry_id}]"


def _line_feed(found: re.Match[str]) -> str:
    return "\n" if found.group()[0] == "\r" else ""


def _ends(text: str, space: int) -> Iterator[int]:
    for found in _STOP.finditer(text, 0, space + 1):
        end = found.start() if found.group().startswith("\n") else found.end()
        if end <= space:
            yield end


def _blanks(text: str, space: int) -> Iterator[int]:
    return (found.start() for found in _BLANK.finditer(text, 0, space + 1))


__all__ = ["Wording", "cut", "cut_marker", "entry_wording", "wording_of"]
