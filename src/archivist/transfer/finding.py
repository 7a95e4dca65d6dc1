"""The histories at a path and below it, each opened once, and what was not looked at on the way.

A folder that is one program's own, such as `.codex`, is that history with all that is in it. Any other may hold several: its files
are told apart, and its folders are looked through. What a person gives by its path is taken whatever stands around it.
"""

import os
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from archivist.transfer.foreign import Codec, History, Reading, SourceFile, TransferError
from archivist.transfer.registry import (
    FormatNotRecognised,
    HistoryNotFound,
    codec_named,
    codecs,
    detect_format,
    refuse_own_home,
)
from archivist.transfer.report import LeftOut

MOST_LEVELS: Final = 8
"""Of folders in folders that are looked through."""
MOST_FOLDERS: Final = 5_000
MOST_ENTRIES: Final = 200_000
"""Files and folders seen, all together."""
MOST_FILES: Final = 2_000
"""Files by themselves that are asked what they are."""
LARGEST_DATABASE: Final = 256 << 20
"""In bytes, of databases that are asked: each is copied for it."""
MOST_TOLD: Final = 100

PROGRAM_FOLDERS: Final = (".hermes", ".claude", ".openclaw", ".codex", ".letta")
"""Folders of programs that a copy of somebody's home folder holds; looked into first."""
NEVER: Final = frozenset(
    ".git .hg .svn .cache .venv venv node_modules site-packages __pycache__ .tox .trash Trash".split()
)
"""Folders of what was made by programs or thrown away."""
DATABASES: Final = frozenset({".db", ".sqlite", ".sqlite3"})
LOOSE: Final = frozenset({".jsonl", ".json", ".af", ".zip", ".zst"}) | DATABASES
"""How the names of files end that may be a history by themselves."""

TOO_DEEP: Final = f"folders more than {MOST_LEVELS} levels down were not looked at: give the path of one"
TOO_MANY: Final = "there is too much to look through, the rest was not looked at: give the path of a history"
TOO_LARGE: Final = "a database of this size is read only when its path is given"
LINKED: Final = "a link is not followed: give the path that it leads to"
NOTHING_KNOWN: Final = "it holds no history of a known format"


class Opened(msgspec.Struct, frozen=True):
    """A history of one format, and the files of it that no other history claims.

    Attributes:
        path: The file or folder that it was opened at.
        place: Where a person finds it: of scattered files the folder that holds them all.
    """

    codec: Codec
    path: Path
    place: Path
    history: History
    files: Sequence[SourceFile]

    @property
    def name(self) -> str:
        """The format's name."""
        return self.codec.name


class Histories(msgspec.Struct):
    """What was found, the nearest first, and what was left out."""

    opened: list[Opened] = msgspec.field(default_factory=list)
    left_out: list[LeftOut] = msgspec.field(default_factory=list)

    def leave_out(self, path: Path, reason: str) -> None:
        """Something that is not read, but should be known."""
        if len(self.left_out) < MOST_TOLD:
            self.left_out.append(LeftOut(path, reason))


def open_histories(path: Path, name: str | None, reading: Reading) -> Histories:
    """Every history at a path and below it.

    Args:
        path: A file or a folder.
        name: The only format to look for; every one where unset.
        reading: How to read.

    Raises:
        HistoryNotFound, FormatNotRecognised, UnknownFormat, SourceUnreadable: There is none.
    """
    if not path.exists():
        raise HistoryNotFound(path)
    asked = [codec_named(name)] if name else list(codecs())
    if name is None:
        refuse_own_home(path)
    if path.is_file():
        return _open_file(path, name, reading)
    search = _Search(asked, reading, is_named=name is not None)
    search.look_through(path)
    if not search.found.opened:
        left = next((one for one in search.found.left_out if one.reason != NOTHING_KNOWN), None)
        unseen = f"{left.path}: {left.reason}" if left else ""
        raise FormatNotRecognised(path, sorted(codec.name for codec in asked), unseen)
    return Histories(_told_apart(search), search.found.left_out)


def open_at(path: Path, name: str, reading: Reading) -> Opened:
    """The history of a format at a path, not below it.

    Raises:
        HistoryNotFound, FormatNotRecognised, UnknownFormat: There is none.
    """
    if not path.exists():
        raise HistoryNotFound(path)
    codec = codec_named(name)
    history = codec.open(path, reading)
    if not history.files and not codec.recognises(path):
        raise FormatNotRecognised(path, [codec.name])
    return Opened(codec, path, path, history, history.files)


def _open_file(path: Path, name: str | None, reading: Reading) -> Histories:
    return Histories([open_at(path, name or detect_format(path), reading)])


class _Search:
    """A way through folders, the nearest first.

    Attributes:
        owners: Folders that are all one program's, and the history that has them: its format and where it was opened.
    """

    def __init__(self, asked: Sequence[Codec], reading: Reading, *, is_named: bool) -> None:
        self.found = Histories()
        self.owners: dict[Path, tuple[str, Path]] = {}
        self._asked, self._reading, self._is_named = asked, reading, is_named
        self._claimed: dict[str, set[Path]] = {codec.name: set() for codec in asked}
        self._entries = self._files = 0

    def look_through(self, top: Path) -> None:
        """Find what there is at a folder and below it."""
        waiting = deque([(top, 0)])
        folders = 0
        while waiting:
            folder, level = waiting.popleft()
            if folder.absolute() in self.owners:
                continue
            if folders >= MOST_FOLDERS or self._entries >= MOST_ENTRIES:
                self.found.leave_out(folder, TOO_MANY)
                return
            folders += 1
            waiting += ((below, level + 1) for below in self._look_at(folder, level))

    def _look_at(self, folder: Path, level: int) -> Sequence[Path]:
        """Open what a folder is; give the folders in it that are to be looked at."""
        try:
            if level:
                refuse_own_home(folder)
            with os.scandir(folder) as inside:
                entries = sorted(inside, key=_order)
            self._open_folder(folder, level)
        except (OSError, TransferError) as error:
            self.found.leave_out(folder, _said(error, folder))
            return ()
        if folder.absolute() in self.owners:
            return ()
        self._entries += len(entries)
        for entry in entries:
            self._look_at_file(entry)
        below = [Path(entry.path) for entry in entries if self._is_to_be_entered(entry, level)]
        if below and level == MOST_LEVELS:
            self.found.leave_out(folder, TOO_DEEP)
            return ()
        return below

    def _open_folder(self, folder: Path, level: int) -> None:
        is_any_known = False
        for codec in self._asked:
            is_known = codec.recognises(folder)
            is_any_known |= is_known
            if is_known or (self._is_named and not level):
                self._open(codec, folder, is_known=is_known)
        if not is_any_known and level == 1 and folder.name in PROGRAM_FOLDERS and not self._is_named:
            self.found.leave_out(folder, NOTHING_KNOWN)

    def _open(self, codec: Codec, path: Path, *, is_known: bool) -> None:
        """Open a history, unless all of it is in one that was opened before."""
        history = codec.open(path, self._reading)
        claimed = self._claimed[codec.name]
        own = [file for file in history.files if file.path.absolute() not in claimed]
        if not own and (history.files or not is_known or self._is_part(codec, path)):
            return
        for file in map(_absolute, own):
            claimed.add(file)
            claimed.update(packed for packed in file.parents if packed.suffix.lower() == ".zip")
        self.found.opened.append(Opened(codec, path, path, history, own))
        for folder in codec.owned(path) if path.is_dir() else ():
            self.owners.setdefault(folder.absolute(), (codec.name, path))

    def _is_part(self, codec: Codec, path: Path) -> bool:
        """Whether a history without sessions lies in one of the same format, which tells of it already."""
        return any(one.name == codec.name and path.is_relative_to(one.path) for one in self.found.opened)

    def _look_at_file(self, entry: os.DirEntry[str]) -> None:
        """A file that may be a history by itself, unless one of its folder has it."""
        path = Path(entry.path)
        suffix = path.suffix.lower()
        if suffix not in LOOSE or any(path.absolute() in files for files in self._claimed.values()):
            return
        if self._files >= MOST_FILES or not entry.is_file(follow_symlinks=False):
            return
        self._files += 1
        if self._files == MOST_FILES:
            self.found.leave_out(path, TOO_MANY)
        elif suffix in DATABASES and entry.stat().st_size > LARGEST_DATABASE:
            self.found.leave_out(path, TOO_LARGE)
        else:
            self._open_file(path)

    def _open_file(self, path: Path) -> None:
        try:
            codec = next((codec for codec in self._asked if codec.recognises(path)), None)
            if codec is not None:
                self._open(codec, path, is_known=True)
        except (OSError, TransferError) as error:
            self.found.leave_out(path, _said(error, path))

    def _is_to_be_entered(self, entry: os.DirEntry[str], level: int) -> bool:
        if entry.name in NEVER:
            return False
        if entry.is_symlink():
            path = Path(entry.path)
            if (level == 0 or entry.name in PROGRAM_FOLDERS) and _is_folder(path):
                self.found.leave_out(path, LINKED)
            return False
        return entry.is_dir(follow_symlinks=False)


def _order(entry: os.DirEntry[str]) -> tuple[bool, str]:
    return entry.name not in PROGRAM_FOLDERS, entry.name


def _is_folder(path: Path) -> bool:
    """Whether a link leads to a folder; one that leads in a circle leads nowhere."""
    try:
        return path.is_dir()
    except (OSError, RuntimeError):
        return False


def _absolute(file: SourceFile) -> Path:
    return file.path.absolute()


def _said(error: OSError | TransferError, path: Path) -> str:
    if isinstance(error, TransferError):
        return str(error).removeprefix(f"{path}: ")
    return error.strerror or str(error)


# ---- whose each file is ----


def _told_apart(search: _Search) -> list[Opened]:
    """The histories, each with the files that are its alone; those of which nothing is left are none."""
    opened = search.found.opened
    known = {one.name: one.codec for one in opened}
    told = []
    for one in opened:
        files = [file for file in one.files if not _is_anothers(file, one, known, search.owners)]
        is_scattered = len(opened) > 1 and one.path.is_dir() and one.path.absolute() not in search.owners
        if is_scattered:
            files = _beside_recognised(files, one.codec)
        if files or not one.files:
            place = _place_of(one, files) if is_scattered else one.path
            told.append(replace(one, files=files, place=place))
    return told


def _is_anothers(
    file: SourceFile, one: Opened, known: Mapping[str, Codec], owners: Mapping[Path, tuple[str, Path]]
) -> bool:
    """Whether a file is another history's; a damaged one is everybody's, for its reason must be told."""
    path = file.path.absolute()
    folder = next((each for each in path.parents if each in owners), None)
    if folder is not None and owners[folder] != (one.name, one.path):
        is_at_its_top = (folder / path.relative_to(folder).parts[0]).is_file()
        if folder != one.path.absolute() or not is_at_its_top:
            return True
    if len(known) == 1 or not path.is_file():
        return False
    others = [codec for name, codec in known.items() if name != one.name]
    return not _is_recognised(path, one.codec) and any(_is_recognised(path, codec) for codec in others)


def _is_recognised(path: Path, codec: Codec) -> bool:
    """Whether a codec knows a file; what is packed or damaged counts as known, for it is told by whoever reads it."""
    try:
        return not path.is_file() or codec.recognises(path)
    except TransferError:
        return True


def _beside_recognised(files: Sequence[SourceFile], codec: Codec) -> list[SourceFile]:
    """The files in whose folder one is recognised: of others far off nobody said that they are history."""
    folders = {file.path.parent for file in files if _is_recognised(file.path, codec)}
    return [file for file in files if file.path.parent in folders]


def _place_of(one: Opened, files: Sequence[SourceFile]) -> Path:
    """The folder in which all files of a history are."""
    folders = {next(each for each in file.path.parents if each.is_dir()) for file in files}
    return Path(os.path.commonpath(folders)) if folders else one.path
