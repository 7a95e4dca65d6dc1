"""Zstandard, which Python has of its own from 3.14 on."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import BinaryIO, cast

MAGIC = b"\x28\xb5\x2f\xfd"
MOST_BYTES = 512 * 1024 * 1024
"""What one compressed value may unfold to; a few bytes can pretend to be terabytes."""


class NotDecompressed(ValueError):
    """Bytes that are no Zstandard frame, are damaged, or unfold to too much."""


def decompress(data: bytes, most: int = MOST_BYTES) -> bytes:
    """The bytes of a frame.

    Raises:
        NotDecompressed: They cannot be had.
    """
    try:
        with _opened(io.BytesIO(data)) as file:
            unfolded = file.read(most + 1)
    except _errors() as error:
        raise NotDecompressed(str(error)) from error
    if len(unfolded) > most:
        raise NotDecompressed(f"it unfolds to more than {most} bytes")
    return unfolded


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to be read, be it compressed or not.

    Raises:
        OSError: It cannot be read, or is damaged.
    """
    with path.open("rb") as file:
        if path.suffix != ".zst":
            yield file
            return
        try:
            with _opened(file) as unfolded:
                yield unfolded
        except _errors() as error:
            raise OSError(f"it cannot be decompressed ({error})") from error


def _opened(file: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", _zstd().ZstdFile(file))


def _errors() -> tuple[type[Exception], ...]:
    return (_zstd().ZstdError, EOFError)


def _zstd() -> ModuleType:
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    return import_module(name)
