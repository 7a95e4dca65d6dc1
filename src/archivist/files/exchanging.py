"""Two files that change places, in one step where the system can.

Elsewhere, and on disks that cannot, it takes three steps: a crash leaves the former file under a name of its own (`FORMER`).
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

WAITING: Final = ".tmp"
"""How the name of a file ends that waits to be put in place, and that of one that was displaced."""
FORMER: Final = ".former.tmp"
"""That of one that is being displaced in more than one step."""
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2  # of macOS's renamex_np
_CHUNK_BYTES: Final = 1 << 20


@cache
def exchanger() -> Callable[[str, str], None]:
    """How two names are exchanged here."""
    import ctypes  # noqa: PLC0415 - 5 ms that only a writer pays

    try:
        library = ctypes.CDLL(None, use_errno=True)
        swap = library.renamex_np if sys.platform == "darwin" else library.renameat2
    except (OSError, AttributeError, TypeError):
        return link_and_replace

    def exchange(one: str, other: str) -> None:
        names = os.fsencode(one), os.fsencode(other)
        if sys.platform == "darwin":
            failed = swap(*names, _RENAME_SWAP)
        else:
            failed = swap(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE)
        if failed:
            link_and_replace(one, other)  # a file system without it, or a name that went meanwhile

    return exchange


def link_and_replace(new: str, place: str) -> None:
    """The same in three steps, in the second of which the new file is there."""
    former = beside(new, FORMER)
    clear(former)
    try:
        os.link(place, former)
    except OSError:
        Path(former).write_bytes(bytes_of(place) if Path(place).exists() else b"")
    try:
        os.replace(new, place)
    except OSError:
        os.unlink(former)
        raise
    os.replace(former, new)


def beside(waiting: str, suffix: str) -> str:
    """The name of a file that belongs to one that waits."""
    return f"{waiting.removesuffix(WAITING)}{suffix}"


def clear(*names: str) -> None:
    """Take away what may not be there."""
    for name in names:
        with suppress(FileNotFoundError):
            os.unlink(name)


def bytes_of(name: str) -> bytes:
    """What a file holds."""
    handle, parts = os.open(name, os.O_RDONLY | getattr(os, "O_BINARY", 0)), list[bytes]()
    try:
        while part := os.read(handle, _CHUNK_BYTES):
            parts.append(part)
    finally:
        os.close(handle)
    return b"".join(parts)
