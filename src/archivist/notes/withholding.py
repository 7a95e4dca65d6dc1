"""What of an entry models are shown: every block but those in which the scanner finds something and that the owner has not allowed.

What the owner typed is kept as they typed it, and that it is odd is only told. A hand's edit is not that: any program that can save a
file makes one, an agent's editor too.
"""

from collections.abc import Container
from typing import TYPE_CHECKING, Final

import msgspec

from archivist.records.notes import EntryOrigin

if TYPE_CHECKING:
    from archivist.guard.withholding import Block

TYPED: Final[frozenset[EntryOrigin]] = frozenset({"user"})
"""Origins of what the owner has typed."""
ALLOWS: Final = "archivist guard allow"


class Sight(msgspec.Struct, frozen=True):
    """What is shown of an entry.

    Attributes:
        withheld: The blocks that are not, in their order.
        odd: Blocks that are shown all the same, because the owner typed them.
    """

    text: str
    withheld: "tuple[Block, ...]" = ()
    odd: "tuple[Block, ...]" = ()


def sight_of(
    text: str, entry: str, origin: EntryOrigin | None, allowed: Container[str], *, tell_odd: bool = False
) -> Sight:
    """What is shown of an entry's words.

    Args:
        text: The words, as they would be shown.
        entry: The entry's id.
        origin: Who put it there; None where nobody knows.
        allowed: The ids of the blocks that the owner has allowed.
        tell_odd: Look at what the owner typed too. It is shown whatever is found: who has nobody to tell of it need not look.
    """
    if origin in TYPED and not tell_odd:
        return Sight(text)
    from archivist.guard.withholding import how_to_see, shown  # noqa: PLC0415 - the notes seldom change: who shows what was shown before does not pay for the scanner

    found = shown(text, how_to_see(f"memory show {entry}"), allowed=allowed)
    if origin in TYPED:
        return Sight(text, odd=found.withheld)
    return Sight(found.text, found.withheld)


def what_was_found(blocks: "tuple[Block, ...]") -> str:
    """The kinds of what was found, each once: "override, role"."""
    return ", ".join(dict.fromkeys(found.kind for block in blocks for found in block.findings))


def how_to_allow(blocks: "tuple[Block, ...]") -> str:
    """The command that allows them."""
    return f"`{ALLOWS} {' '.join(dict.fromkeys(block.id for block in blocks))}`"


__all__ = ["TYPED", "Sight", "how_to_allow", "sight_of", "what_was_found"]
