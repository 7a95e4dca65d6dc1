"""How the code looks that decides what a prompt says: what it rendered when it was another is not taken for what it would render now.

A release has a version, and a checkout that somebody pulls has the same one for months. So the files are looked at, not read: as many as
matter are known by size and time in half a millisecond.
"""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import archivist
from archivist.records.digest import blake2b

ROOMS: Final = ("guard", "notes", "prompt", "records")
"""In which stands how notes are read, what of them is withheld or masked, and how the rest is laid out."""


@cache
def look_of_rendering() -> str:
    """How the code of these rooms looks now; where it stands in no folder, the version alone."""
    return look_of(Path(archivist.__file__).parent)


def look_of(package: Path) -> str:
    """The same, of a package in a folder."""
    hashed = blake2b(archivist.__version__.encode(), digest_size=16)
    for room in ROOMS:
        for name, size, changed in _files_in(os.fspath(package / room)):
            hashed.update(f"{name}\0{size}\0{changed}\n".encode("utf-8", "surrogateescape"))
    return hashed.hexdigest()


def _files_in(folder: str) -> Iterator[tuple[str, int, int]]:
    try:
        with os.scandir(folder) as found:
            inside = sorted(found, key=lambda one: one.name)
    except OSError:  # as in an archive
        return
    for one in inside:
        if one.is_dir():
            yield from _files_in(one.path)
        elif one.name.endswith((".py", ".so")):
            status = one.stat()
            yield one.path, status.st_size, status.st_mtime_ns


__all__ = ["look_of", "look_of_rendering"]
