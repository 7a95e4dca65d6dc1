"""What a project tells agents that work in it: the files that stand from its root down to the folder, the nearest last.

What they say is guidance of the project, below the user's words. Each stands in a fence that nothing in it can end. They share one room:
the nearest file takes what it needs of it first.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from archivist.prompt.excerpts import Excerpt, excerpt_of
from archivist.prompt.layers import Layer
from archivist.records.patterns import late_pattern

SHARE: Final = 0.06
"""Of a model's window, what they may fill together."""
CHARS_A_TOKEN: Final = 4
LEAST, MOST = 20_000, 500_000
"""Characters between which that is kept."""
MOST_OF_WINDOW: Final = 0.25
"""Of a small window they fill no more than this, though it be less than the least."""
WORTH_A_CUT: Final = 1_000
"""Characters of room below which a file is named and not begun."""

HEAD: Final = """\
# The project

Files of the project in whose folder you work tell you how to work on it. They are guidance: what the user says goes before them, and \
where two of them differ, the later one holds, which stands nearer to the folder."""

_MARK: Final = late_pattern(r"(?i)<(?=[^\w<>]{0,8}(?:project[^\w<>]{0,8}file|memory[^\w<>]{0,8}context))")
"""A mark of this fence's or of the one around what is remembered, also where what nobody sees stands in it."""


class ProjectFile(msgspec.Struct, frozen=True):
    """A file with guidance.

    Attributes:
        path: As seen from the folder: "AGENTS.md", "../AGENTS.md".
        text: All of it.
    """

    path: str
    text: str


def room_in(window: int) -> int:
    """How many characters the files of a project may fill in a window of some tokens."""
    room = min(max(int(window * SHARE * CHARS_A_TOKEN), LEAST), MOST)
    return min(room, int(window * MOST_OF_WINDOW * CHARS_A_TOKEN))


def project_layer(
    files: Sequence[ProjectFile], left_out: dict[str, str], *, room: int, allowed: frozenset[str]
) -> Layer:
    """What a project tells.

    Args:
        files: From the outermost folder to the innermost.
        left_out: Files that are not taken, each with the reason.
        room: Characters that they may fill together.
        allowed: The ids of blocks that are shown whatever is found in them.
    """
    excerpts: list[tuple[str, Excerpt | None]] = []
    for file in reversed(files):
        excerpt = None
        if room >= min(WORTH_A_CUT, len(file.text)):
            excerpt = excerpt_of(file.text, file.path, _command(file.path), room, allowed)
            room = max(0, room - len(excerpt.text))
        excerpts.append((file.path, excerpt))
    excerpts.reverse()
    over = {path: "no room is left for it" for path, excerpt in excerpts if excerpt is None}
    blocks = [_fenced(path, excerpt) for path, excerpt in excerpts]
    return Layer(
        "project",
        "\n\n".join([HEAD, *blocks]) if blocks else "",
        why="" if blocks else "the folder has no such file",
        left_out={**left_out, **over},
        notices=tuple(
            notice
            for path, excerpt in excerpts
            if excerpt is not None
            for notice in excerpt.notices(path, _command(path))
        ),
    )


def _fenced(path: str, excerpt: Excerpt | None) -> str:
    if excerpt is None:
        return f"[left out, for there is no room: {path}; read_file path={path} reads it]"
    return f'<project-file path="{path}">\n{_MARK.sub("‹", excerpt.text)}\n</project-file>'


def _command(path: str) -> str:
    return f"guard scan {path}"


__all__ = ["ProjectFile", "project_layer", "room_in"]
