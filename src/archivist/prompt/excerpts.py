"""A text file as a prompt may carry it: without secrets and what steers, and never longer than its room without saying so."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

from archivist.prompt.wording import wording_of
from archivist.records import Notice

if TYPE_CHECKING:
    from archivist.guard.withholding import Block

HEAD_SHARE: Final = 0.7
TAIL_SHARE: Final = 0.2
"""Of the room, what is kept of the beginning and of the end; the rest is for the line between them."""
SLACK_SHARE: Final = 0.1
"""A cut is moved to the end of a line that is no further than this part of what is kept."""


class Excerpt(msgspec.Struct, frozen=True):
    """What is shown of a file.

    Attributes:
        characters: Of the whole file, as it would be shown.
        cut: Characters that are not shown.
        masked: The kinds of secrets that were masked.
        withheld: Blocks that are not shown because they try to steer a model.
    """

    text: str
    characters: int
    cut: int = 0
    masked: tuple[str, ...] = ()
    withheld: "tuple[Block, ...]" = ()

    def notices(self, path: str, command: str) -> tuple[Notice, ...]:
        """What a person should know of it.

        Args:
            path: What the file is called.
            command: Of the command line, that shows what is withheld.
        """
        told = []
        if self.cut:
            shown = f"{self.characters - self.cut:,} of its {self.characters:,} characters are in the prompt"
            told.append(Notice("context-cut", f"{path} is long: {shown}"))
        if self.masked:
            kinds = ", ".join(self.masked)
            told.append(
                Notice("context-masked", f"{path} holds a secret ({kinds}), which is masked in the prompt")
            )
        if self.withheld:
            from archivist.notes.withholding import how_to_allow, what_was_found  # noqa: PLC0415 - few files steer

            found = f"{path} tries to steer a model ({what_was_found(self.withheld)}), and that is left out of the prompt"
            allows = f"`archivist {command}` shows it, {how_to_allow(self.withheld)} allows it"
            told.append(Notice("context-withheld", f"{found}: {allows}"))
        return tuple(told)


@lru_cache(maxsize=16)
def excerpt_of(text: str, path: str, command: str, room: int, allowed: frozenset[str]) -> Excerpt:
    """What of a file a prompt carries; remembered, for files seldom change and to look through one takes its time.

    Args:
        text: All of it.
        path: By which the model reads the rest.
        command: Of the command line, that shows what is withheld.
        room: Characters at most.
        allowed: The ids of blocks that are shown whatever is found in them.
    """
    worded = wording_of(text)
    pieces, left = _pieces(worded.text, room)
    marker = f"\n[cut: {left:,} characters of {path} are left out here; read_file path={path} reads them]\n"
    seen, withheld = list[str](), dict[str, "Block"]()
    for piece in pieces:
        shown, blocks = _cleared(piece, worded.text, command, allowed)
        seen.append(shown)
        withheld |= {block.id: block for block in blocks}
    return Excerpt(marker.join(seen), len(worded.text), left, worded.masked, tuple(withheld.values()))


def _cleared(
    piece: str, whole: str, command: str, allowed: frozenset[str]
) -> "tuple[str, tuple[Block, ...]]":
    from archivist.guard.withholding import how_to_see, shown  # noqa: PLC0415 - not every folder has such files

    found = shown(
        piece, how_to_see(command), allowed=allowed, whole=None if piece is whole else lambda: whole
    )
    return found.text, found.withheld


def _pieces(text: str, room: int) -> tuple[list[str], int]:
    """The whole text, or its beginning and its end; and how many characters stand between them."""
    if len(text) <= room:
        return [text], 0
    head, tail = int(room * HEAD_SHARE), int(room * TAIL_SHARE)
    end = text.rfind("\n", head - int(head * SLACK_SHARE), head)
    start = text.find("\n", len(text) - tail, len(text) - tail + int(tail * SLACK_SHARE))
    end = head if end < 0 else end
    start = len(text) - tail if start < 0 else start + 1
    return [text[:end], text[start:]], start - end


__all__ = ["Excerpt", "excerpt_of"]
