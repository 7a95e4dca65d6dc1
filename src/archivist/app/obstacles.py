"""What stands where a restore would put something: seen before anything is changed, set aside where it comes later."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from archivist.config import Home
from archivist.config.home import ASIDE, ERASED, MEDIA, SPOOL
from archivist.files import free_name, make_folder, move_durably
from archivist.records import ArchivistError

WHAT = {stat.S_IFREG: "a file", stat.S_IFLNK: "a link", stat.S_IFDIR: "a folder"}


class PlaceTaken(ArchivistError):
    """Something stands where a restore puts a file or a folder."""

    def __init__(self, path: Path, found: str, wanted: str) -> None:
        self.path = path
        super().__init__(f"{path} is {found}, where {wanted} belongs: move it elsewhere, then try again")


def check_places(home: Home, texts: Iterable[str]) -> None:
    """Find what is in the way of a restore.

    Args:
        home: Where it will be put in place.
        texts: The places of its text files.

    Raises:
        PlaceTaken: Something is.
    """
    for name in (MEDIA, SPOOL, ASIDE):
        _insist(home.path / name, stat.S_IFDIR)
    _insist(home.path / ERASED, stat.S_IFREG)
    for name in texts:
        for folder in folders_of(home, name):
            _insist(folder, stat.S_IFDIR)
        path = home.path / name
        if kind_of(path) != stat.S_IFDIR:  # which is set aside whole
            _insist(path, stat.S_IFREG)


def clear_way(home: Home, name: str, aside: Path) -> None:
    """Set aside whatever is no folder on the way to a place, links included, so that nothing is written through them.

    Raises:
        OSError: It is where it was.
    """
    for folder in folders_of(home, name):
        if kind_of(folder) not in (None, stat.S_IFDIR):
            place = aside / folder.relative_to(home.path)
            make_folder(place.parent)
            move_durably(folder, free_name(place))
            return  # nothing is below it now


def folders_of(home: Home, name: str) -> list[Path]:
    """The folders of a place in a home, the outermost first."""
    return [home.path / folder for folder in reversed(Path(name).parents[:-1])]


def kind_of(path: Path) -> int | None:
    """What stands at a path, links not followed; None for nothing.

    Raises:
        OSError: It cannot be looked at.
    """
    try:
        return stat.S_IFMT(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _insist(path: Path, wanted: int) -> None:
    found = kind_of(path)
    if found not in (None, wanted):
        raise PlaceTaken(path, WHAT.get(found, "no file"), WHAT[wanted])
