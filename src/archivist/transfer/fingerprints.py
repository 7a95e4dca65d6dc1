"""What is remembered of an imported file, as short text.

Besides what the file looked like it holds where a response that looked finished was taken as it stood, so
that lines of it that arrive later become a further message: neither lost nor stored twice.
"""

import hashlib
from pathlib import Path

import msgspec

EDGE_BYTES = 65_536


class Fingerprint(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of a file.

    Attributes:
        print: What it looked like.
        sessions: How many sessions it gave.
        cuts: Record ids after which a response was taken as finished.
    """

    print: str
    sessions: int = 0
    cuts: tuple[str, ...] = ()

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


def edge_digest(path: Path, size: int) -> str:
    """A digest of the first and last 64 KiB of the first `size` bytes of a file."""
    hashed = hashlib.blake2b(digest_size=12)
    with path.open("rb") as file:
        hashed.update(file.read(min(size, EDGE_BYTES)))
        if size > EDGE_BYTES:
            file.seek(max(EDGE_BYTES, size - EDGE_BYTES))
            hashed.update(file.read(size - file.tell()))
    return hashed.hexdigest()
