"""What is remembered of an imported file, as short text.

Besides what the file looked like it holds what its codec must know of the last import, such as where a response that looked finished
was taken as it stood: lines of it that arrive later become a further message, neither lost nor stored twice.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from archivist.records.digest import blake2b
from archivist.transfer.foreign import SourceFile

EDGE_BYTES = 65_536


class Fingerprint(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of a file.

    Attributes:
        print: What it looked like.
        sessions: How many sessions it gave.
        kept: What the codec wants to know at the next import.
    """

    print: str
    sessions: int = 0
    kept: tuple[str, ...] = msgspec.field(name="cuts", default=())

    def text(self) -> str:
        """For the store."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def of(cls, kept: str | None) -> "Fingerprint | None":
        """A kept text; None where there is none or where another program wrote it."""
        try:
            return None if kept is None else msgspec.json.decode(kept, type=cls)
        except msgspec.DecodeError:
            return None


def source_file(path: Path, name: str, revision: int, *more: str, by_time: bool = False) -> SourceFile:
    """A file as it is now; one that cannot be read is named all the same, so that reading it says why.

    Args:
        path: The file.
        name: Names it within its format wherever the history stands.
        revision: Raised when its reader gets more out of a file than before.
        more: What else must be as it was for the file not to be read again.
        by_time: Whether a file may change in the middle and keep its size: then the time of writing counts too.
    """
    try:
        status = path.stat()
        look = (edge_digest(path, status.st_size), *more)
    except OSError:
        return SourceFile(path, name, 0, "")
    facts = (revision, status.st_size, *([status.st_mtime_ns] if by_time else []), *look)
    return SourceFile(path, name, status.st_size, ":".join(map(str, facts)))


def look_of(revision: int, size: int, edges: str) -> str:
    """What `source_file` says of a file of that size with these edges."""
    return f"{revision}:{size}:{edges}"


def together(files: Sequence[SourceFile]) -> list[SourceFile]:
    """Files of one name share what is kept of them, so each looks like all of them together."""
    prints: dict[str, list[str]] = {}
    for file in files:
        prints.setdefault(file.name, []).append(file.print)
    looks = {name: "|".join(sorted(told)) if all(told) else "" for name, told in prints.items()}
    return [SourceFile(file.path, file.name, file.bytes, looks[file.name]) for file in files]


def edge_digest(path: Path, size: int) -> str:
    """A digest of the first and last 64 KiB of the first `size` bytes of a file."""
    hashed = blake2b(digest_size=12)
    with path.open("rb") as file:
        hashed.update(file.read(min(size, EDGE_BYTES)))
        if size > EDGE_BYTES:
            file.seek(max(EDGE_BYTES, size - EDGE_BYTES))
            hashed.update(file.read(size - file.tell()))
    return hashed.hexdigest()
