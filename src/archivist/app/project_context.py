"""Which files of a project tell agents how to work in it, found walking up from the folder, and read.

They are looked for from the folder up to the root of its repository, never above the user's home folder nor into another file system; in
the folder alone where there is no repository. Whatever stands in the place of such a file stops nothing: what is not taken is told.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from archivist.files.regular import read_regular
from archivist.prompt.project import ProjectFile
from archivist.records.patterns import late_pattern

NAMES: Final = ("AGENTS.md", "CLAUDE.md", ".hermes.md", ".archivist.md")
"""In the order in which those of one folder are told; of two that say the same, the first."""
MOST_BYTES: Final = 2_000_000
"""Of a file: more than a prompt could carry of it in any script."""

LONGEST_POINTER: Final = 2_000
"""Characters of a file that may only point to another."""

_POINTER: Final = late_pattern(
    r"(?i)\W*(?:(?:please\s+)?(?:see|read|follow|use|load|refer\s+to)\s+(?:the\s+)?(?:instructions\s+in\s+|guidance\s+in\s+|file\s+)?)?"
    r"[@`\"'\[(]*((?:[\w.-]+/)*(?:agents|claude|\.hermes|\.archivist)\.md)[`\"'\])]*(?:\([^)\s]*\))?\W*"
)
"""A line that does nothing but point to another of these files."""


class Guidance(msgspec.Struct, frozen=True):
    """What a project tells.

    Attributes:
        files: From the outermost folder to the innermost.
        left_out: Files that are there and not taken, each with the reason.
    """

    files: tuple[ProjectFile, ...] = ()
    left_out: Mapping[str, str] = msgspec.field(default_factory=dict)


def project_guidance(folder: Path, *, users_home: Path | None) -> Guidance:
    """What the project of a folder tells.

    Args:
        folder: In which an agent works.
        users_home: Above it nothing is looked for.
    """
    try:
        levels = _levels(folder.resolve(), users_home)
    except (OSError, RuntimeError, ValueError):  # a folder that is gone, or no name of one
        return Guidance(left_out={".": "the folder cannot be looked into"})
    reading = _Reading(levels)
    return Guidance(tuple(reading.files()), reading.left_out)


def _levels(folder: Path, users_home: Path | None) -> list[Path]:
    """The folders in which files are looked for, the innermost first."""
    home = None if users_home is None else users_home.resolve()
    device = folder.stat().st_dev
    found = list[Path]()
    for place in (folder, *folder.parents):
        if place.stat().st_dev != device:
            break
        found.append(place)
        if os.path.lexists(place / ".git"):
            return found
        if place == home:
            break
    return [folder]


class _Reading:
    """The files of some folders, those that say the same once."""

    def __init__(self, levels: list[Path]) -> None:
        self.left_out: dict[str, str] = {}
        self._levels, self._root = levels, levels[-1]
        self._said: dict[str, str] = {}
        self._paths: set[Path] = set()

    def files(self) -> Iterator[ProjectFile]:
        """Those that are taken, the outermost folder's first."""
        told = [[file for name in NAMES if (file := self._file(up, name))] for up in range(len(self._levels))]
        for files in reversed(told):
            for file in files:
                if self._only_points(file):
                    self.left_out[file.path] = "it only points to another that is told"
                else:
                    yield file

    def _file(self, up: int, name: str) -> ProjectFile | None:
        place, path = self._levels[up] / name, "../" * up + name
        found = self._read(place)
        if found is None:
            return None
        if reason := found.why or self._twin(path, found.text):
            self.left_out[path] = reason
            return None
        self._paths.add(place)
        return ProjectFile(path, found.text)

    def _twin(self, path: str, text: str) -> str:
        """Why a file is not taken that says the same as another; empty for any other."""
        twin = self._said.setdefault(text.strip(), path)
        return "" if twin == path else f"it says the same as {twin}"

    def _read(self, place: Path) -> "_Found | None":
        """What stands in a place; None where nothing does."""
        try:
            real = place.resolve(strict=True) if place.is_symlink() else place
            if not real.is_relative_to(self._root):
                return _Found(why="it is a link out of the project")
            return _Found(*_text(read_regular(real, MOST_BYTES)))
        except FileNotFoundError:
            return _Found(why="it is a link to nothing") if os.path.lexists(place) else None
        except (OSError, RuntimeError) as error:  # a chain of links that never ends, for one
            return _Found(why=getattr(error, "strerror", None) or "it cannot be read")

    def _only_points(self, file: ProjectFile) -> bool:
        """Whether a file says nothing but that another is to be read, which is told too."""
        if len(file.text) > LONGEST_POINTER:
            return False
        lines = [line for line in map(str.strip, file.text.splitlines()) if line and not line.startswith("#")]
        targets = [_POINTER.fullmatch(line[:200]) for line in lines]
        own = self._levels[file.path.count("../")]
        return bool(lines) and all(
            found is not None
            and (place := Path(os.path.normpath(own / found[1]))) in self._paths
            and place != own / file.path.rpartition("/")[2]
            for found in targets
        )


class _Found(NamedTuple):
    """What stands in the place of a file: its words, or why it is not taken."""

    text: str = ""
    why: str = ""


def _text(raw: bytes) -> tuple[str, str]:
    """The words of a file, or why it has none."""
    if b"\0" in raw:
        return "", "it is no text"
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "", "it is not UTF-8"
    return text, "" if text.strip() else "it is empty"


__all__ = ["NAMES", "Guidance", "project_guidance"]
