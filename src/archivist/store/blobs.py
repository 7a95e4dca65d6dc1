"""Bytes that are not text: a file each, named by their SHA-256.

The same bytes are stored once. A blob is on disk, synced, before the row that names it is written, so a row never points at nothing.
"""

from collections.abc import Iterator
from pathlib import Path

from archivist.files import write_atomically


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

    def damaged(self, names: set[str]) -> Iterator[str]:
        """One sentence for each of these blobs that is missing or not what its name says."""
        for name in sorted(names):
            content = self.read(name)
            if content is None:
                yield f"blob {name} is missing from {self._folder}"
            elif _name_of(content) != name:
                yield f"blob {name} in {self._folder} is not what was stored"


def _name_of(content: bytes) -> str:
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL: 4 ms that most runs do not need

    return sha256(content).hexdigest()
