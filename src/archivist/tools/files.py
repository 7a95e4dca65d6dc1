"""What the tools that read and change files share: a file of the workspace as it is now, and the one way to change it."""

from hashlib import blake2b
from typing import Final

import msgspec

from archivist.files import FileNotWritten, read_beneath, write_beneath
from archivist.records.counts import counted
from archivist.tools.arguments import Refused
from archivist.tools.context import Workspace
from archivist.tools.decoding import Decoded, NotEncodable, NoText, decoded, encoded
from archivist.tools.differences import difference
from archivist.tools.places import Place, may_write

MOST_BYTES: Final = 32 << 20
"""Of a file that is read at once."""


class Found(msgspec.Struct, frozen=True):
    """A file as it is: its bytes, and their text."""

    raw: bytes
    text: Decoded


class Changed(msgspec.Struct, frozen=True):
    """What came of a change: the bytes that stand there, how they differ from the former, and in how many lines: "+3 -1"."""

    raw: bytes
    diff: str
    count: str


def workspace_of(workspace: Workspace | None) -> Workspace:
    """The workspace.

    Raises:
        Refused: There is none, or it is gone.
    """
    if workspace is None:
        raise Refused(
            "there is no workspace here: files and commands are for an agent that has a folder to work in"
        )
    if not workspace.root.is_dir():
        raise Refused(f"the workspace is gone: there is no folder {workspace.root} any more")
    return workspace


def found_at(place: Place) -> Found:
    """The file at a place.

    Raises:
        Refused: There is none, it cannot be read, or it is no text.
    """
    raw = _bytes_at(place)
    try:
        return Found(raw, decoded(raw))
    except NoText as error:
        pictures = "; pictures are shown to you by the user" if "picture" in str(error) else ""
        raise Refused(f"{place.shown} is no text but {error}, {len(raw):,} bytes{pictures}") from error


def _bytes_at(place: Place) -> bytes:
    try:
        return read_beneath(place.real, MOST_BYTES)
    except FileNotFoundError as error:
        raise Refused(f"there is no file {place.shown}{_alike(place)}") from error
    except IsADirectoryError as error:
        raise Refused(f"{place.shown} is a folder: search_files lists what is in it") from error
    except OSError as error:
        raise Refused(f"{place.shown} cannot be read: {error.strerror or error}{_by_parts(error)}") from error


def _by_parts(error: OSError) -> str:
    return (
        "; search_files finds places in it, terminal reads parts with sed -n"
        if "more than" in str(error)
        else ""
    )


def _alike(place: Place) -> str:
    """Names beside a place that was missed by its spelling."""
    if not place.is_inside:
        return ""
    from difflib import get_close_matches  # noqa: PLC0415 - for who missed a file

    try:
        names = sorted(one.name for one in place.real.parent.iterdir())[:2_000]
    except OSError:
        return "; search_files with a glob finds it"
    near = get_close_matches(place.real.name, names, 3, 0.6)
    return f"; there is {', '.join(near)}" if near else "; search_files with a glob finds it"


def exists_at(place: Place) -> bool:
    """Whether anything stands at a place."""
    try:
        place.real.lstat()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def remember(workspace: Workspace, place: Place, raw: bytes) -> None:
    """Note what the model knows of a file now."""
    workspace.seen[str(place.real)] = digest(raw)


def digest(raw: bytes) -> str:
    """What tells whether bytes are the same."""
    return blake2b(raw, digest_size=32).hexdigest()


def change(workspace: Workspace, place: Place, tool: str, before: Found | None, text: str) -> Changed:
    """Put a text at a place, after a person was shown how it would change.

    Args:
        workspace: Where.
        place: Of the file.
        tool: Who does it.
        before: What stands there; None for nothing.
        text: What is to stand there.

    Returns:
        What stands there, and the difference.

    Raises:
        Refused: It was not allowed or could not be done; nothing changed.
        FileChangedMeanwhile: Somebody else changed it.
    """
    _check_comes_back(place, before)
    raw = _raw_of(place, text, before)
    old = before.text.text if before is not None else ""
    diff, added, removed = difference(old, text, place.shown)
    word = "write" if before is not None else "make"
    may_write(workspace, place, tool, f"{word} {place.shown} (+{added} -{removed})", diff)
    try:
        write_beneath(place.real, raw, None if before is None else before.raw)
    except FileNotWritten as error:
        raise Refused(str(error)) from error
    return Changed(raw, diff, f"+{added} -{removed}")


def _check_comes_back(place: Place, before: Found | None) -> None:
    """Refuse to change a file of which the text is not all that stands there: what nobody changed would change.

    Raises:
        Refused: It is one.
    """
    if before is not None and _raw_of(place, before.text.text, before) != before.raw:
        raise Refused(
            f"{place.shown} was not written: as {before.text.encoding} it would not come back byte by byte; change it by a command"
        )


def _raw_of(place: Place, text: str, before: Found | None) -> bytes:
    try:
        return encoded(text, before.text if before is not None else Decoded(""))
    except NotEncodable as error:
        raise Refused(f"{place.shown} was not written: {error}; write it without") from error


def lines_in(text: str) -> str:
    """How many lines a text has, in words."""
    return counted(len(text.splitlines()), "line")


__all__ = [
    "Changed",
    "Found",
    "change",
    "digest",
    "exists_at",
    "found_at",
    "lines_in",
    "remember",
    "workspace_of",
]
