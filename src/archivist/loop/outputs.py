"""Outputs of tools that are too long to be told whole: kept beside the result, read on by their ids."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Final

from archivist.guard import mask
from archivist.records import Part
from archivist.records.messages import OUTPUT

ID_CHARS: Final = 16
"""Of the hash of an output, so much is its id."""
RECENT_BYTES: Final = 20_000_000
"""Of the last outputs, so many are at hand without the store, where a busy one has not taken them yet."""


class Outputs:
    """What tools of one conversation have kept.

    Args:
        kept: Gives the parts of the conversation in which outputs are.
        blob: The bytes of a blob.
    """

    def __init__(self, kept: Callable[[], Iterable[Part]], blob: Callable[[str], bytes | None]) -> None:
        self._kept, self._blob = kept, blob
        self._new: dict[str, bytes] = {}
        self._recent: dict[str, bytes] = {}

    def keep(self, text: str) -> str:
        """Keep an output, its secrets masked, until the result is stored that tells of it; its id."""
        raw = mask(text).text.encode("utf-8", "replace")
        key = sha256(raw).hexdigest()[:ID_CHARS]
        self._new[key] = raw
        return key

    def take(self) -> tuple[Part, ...]:
        """What was kept since this was last asked, as parts of the result that tells of it."""
        parts = tuple(_part(key, raw) for key, raw in self._new.items())
        self._recent |= self._new
        self._new.clear()
        while len(self._recent) > 1 and sum(map(len, self._recent.values())) > RECENT_BYTES:
            del self._recent[next(iter(self._recent))]
        return parts

    def read(self, key: str) -> str | None:
        """An output of this conversation; None where there is none of that id."""
        raw = self._new.get(key) or self._recent.get(key) or self._stored(key)
        return None if raw is None else raw.decode("utf-8", "replace")

    def _stored(self, key: str) -> bytes | None:
        if len(key) != ID_CHARS:
            return None
        found = (part.blob for part in self._kept() if part.kind == OUTPUT and part.blob.startswith(key))
        name = next(found, None)
        return None if name is None else self._blob(name)


def _part(key: str, raw: bytes) -> Part:
    return Part(OUTPUT, media_type="text/plain", name=f"output-{key}.txt", data=raw)


__all__ = ["ID_CHARS", "Outputs"]
