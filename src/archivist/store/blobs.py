"""Bytes that are not text: a file each, named by their SHA-256.

The same bytes are stored once. A blob is on disk, synced, before the row that names it is written, so a row never points at nothing.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from archivist.files import remove_durably, write_atomically
from archivist.records import Message, Part
from archivist.store.rows import Row, from_json

_LEAVING = ".leaving"

NamedPart = tuple[str, Part]
"""A part with bytes, and the name under which they were put."""


class Blobs:
    """The blob folder of a home: `media/ab/abcdef….ext`."""

    __slots__ = ("_folder",)

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, content: bytes, media_type: str = "") -> str:
        """Store the bytes and return their SHA-256 in hex.

        Raises:
            FileNotWritten: They could not be put on disk.
        """
        name = _name_of(content)
        if self.find(name) is None:
            import mimetypes  # noqa: PLC0415 - reads the system's tables; few writes have bytes

            extension = mimetypes.guess_extension(media_type, strict=False) or ""
            write_atomically(self._folder / name[:2] / f"{name}{extension}", content)
        return name

    def find(self, name: str) -> Path | None:
        """The file of a blob, or None."""
        return next(iter(sorted((self._folder / name[:2]).glob(f"{name}*"))), None)

    def read(self, name: str) -> bytes | None:
        """The bytes of a blob, or None where it is missing."""
        path = self.find(name)
        return None if path is None else path.read_bytes()

    def keep(self, named: Iterable[NamedPart]) -> None:
        """Put bytes again, where somebody has removed them since they were put.

        To be called where nobody can remove any: inside the transaction that writes the messages. Nothing is hashed there.
        """
        for name, part in named:
            if part.data is not None and self.find(name) is None:
                self.put(part.data, part.media_type)

    def set_aside(self, names: Collection[str]) -> None:
        """Take blobs out of their places, so that who needs one puts it anew; `settle` ends it."""
        for name in names:
            while (path := self.find(name)) is not None:
                path.replace(path.with_name(f".{path.name}{_LEAVING}"))

    def settle(self, needed: Collection[str]) -> int:
        """Remove for good what was set aside, but for the blobs that somebody needs: those go back to their places.

        Returns:
            How many were removed.
        """
        removed = 0
        for path in self._folder.glob(f"*/.*{_LEAVING}"):
            stored_as = path.name[1 : -len(_LEAVING)]
            if stored_as[:64] in needed and self.find(stored_as[:64]) is None:
                path.replace(path.with_name(stored_as))
                continue
            remove_durably(path)
            removed += 1
            _remove_if_empty(path.parent)
        return removed

    def damaged(self, names: set[str]) -> Iterator[str]:
        """One sentence for each of these blobs that is missing or not what its name says."""
        for name in sorted(names):
            content = self.read(name)
            if content is None:
                yield f"blob {name} is missing from {self._folder}"
            elif _name_of(content) != name:
                yield f"blob {name} in {self._folder} is not what was stored"


def named_parts(messages: Iterable[Message], rows: Iterable[Row]) -> list[NamedPart]:
    """The parts of messages that have bytes, each with the name that its message's row has for it."""
    return [
        (stored["blob"], part)
        for message, row in zip(messages, rows, strict=True)
        if any(part.data is not None for part in message.parts)
        for part, stored in zip(message.parts, from_json(row.parts, ()), strict=True)
        if part.data is not None
    ]


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):  # it is not, or somebody puts something there at this moment
        folder.rmdir()


def _name_of(content: bytes) -> str:
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL: 4 ms that most runs do not need

    return sha256(content).hexdigest()


def blobs_in(parts: str | None) -> list[str]:
    """The blobs that a row's parts name; none where they are damaged, which costs only their bytes."""
    try:
        decoded: Any = msgspec.json.decode(parts or "[]")
        return [part["blob"] for part in decoded if part.get("blob")]
    except (msgspec.DecodeError, TypeError, AttributeError, KeyError):
        return []
