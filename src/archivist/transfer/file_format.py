"""What formats have in common whose history is files, each with sessions of its own."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from archivist.transfer.curated import Curated
from archivist.transfer.fingerprints import Fingerprint, source_file
from archivist.transfer.foreign import (
    Content,
    ForeignSession,
    Found,
    History,
    Reading,
    SourceFile,
    SourceUnreadable,
)


class FileFormat(ABC):
    """A codec of such a format.

    Attributes:
        name: The format's name.
        revision: Raised when this reader gets more out of a file than before, so that files are read again.
    """

    name: ClassVar[str]
    revision: ClassVar[int] = 1

    @abstractmethod
    def folders(self, home: Path, environ: Mapping[str, str]) -> Iterable[Path]:
        """Where the format's program keeps its files."""

    @abstractmethod
    def paths(self, path: Path) -> Sequence[Path]:
        """The files at a path: the file itself, or those in a folder."""

    @abstractmethod
    def is_one(self, path: Path) -> bool:
        """Whether a file is one of the program's; by its content, never by its name alone."""

    def sessions(self, file: SourceFile, reading: Reading) -> Iterable[ForeignSession]:
        """The sessions of a file, parents before their children; an `OSError` is told as the file's problem."""
        raise NotImplementedError

    def curated(self, path: Path, reading: Reading) -> Iterable[Curated]:  # noqa: ARG002 - part of the interface
        """What was distilled in the history at a path, for the notes; nothing where the program keeps nothing of the kind."""
        return ()

    def source_file(self, path: Path) -> SourceFile:
        """A file as it is now."""
        return source_file(path, path.name, self.revision)

    def counted(self, paths: Sequence[Path]) -> int | None:
        """How many sessions files hold; None where counting would take long."""
        return len(paths)

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Found]:
        """The histories in the program's folders."""
        found = ((folder, self.paths(folder)) for folder in self.folders(home, environ) if folder.is_dir())
        return [
            Found(self.name, folder, self.counted(paths), size_of(paths))
            for folder, paths in found
            if paths or self.recognises(folder)
        ]

    def recognises(self, path: Path) -> bool:
        """Whether a file, or some file in a folder, is the program's."""
        return any(map(self.is_one, self.paths(path)))

    def owned(self, path: Path) -> Sequence[Path]:  # noqa: ARG002 - part of the interface
        """The folders at a path that are all this program's; none where its files may lie among others."""
        return ()

    def open(self, path: Path, reading: Reading) -> History:
        """Open a file or a folder."""
        return Files(self, [self.source_file(each) for each in self.paths(path)], reading, path)


class Files:
    """Files that know nothing of each other, opened."""

    def __init__(self, format: FileFormat, files: Sequence[SourceFile], reading: Reading, path: Path) -> None:  # noqa: A002 - the word
        self.files = files
        self._format, self._reading, self._path = format, reading, path

    def curated(self) -> Iterable[Curated]:
        """What was distilled beside them."""
        return self._format.curated(self._path, self._reading)

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """As they are."""
        return changed

    def read(self, file: SourceFile, earlier: str | None) -> Content:  # noqa: ARG002 - part of the interface
        """Open one file."""
        told = _Sessions(self._format, file, self._reading)
        sessions = iter(told)
        return Content(sessions, lambda: Fingerprint(file.print, told.count).text(), sessions.close)


class _Sessions(msgspec.Struct):
    """The sessions of one file; `count` says how many have been given that have a name."""

    format: FileFormat
    file: SourceFile
    reading: Reading
    count: int = 0

    def __iter__(self) -> Generator[ForeignSession, None, None]:
        try:
            for session in self.format.sessions(self.file, self.reading):
                self.count += bool(session.start.external_id or session.start.own_id)
                yield session
        except OSError as error:
            raise SourceUnreadable(self.file.path, error.strerror or str(error)) from error


def size_of(paths: Iterable[Path]) -> int:
    """The size of files together, in bytes; one that is gone by now has none."""
    total = 0
    for path in paths:
        try:
            total += path.stat().st_size
        except OSError:
            continue
    return total
