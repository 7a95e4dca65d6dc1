"""Claude Code's histories as sessions.

The lines of a file are counted in the first pass and read again in the second; what is held back because it
may still grow is counted as skipped, and its file is read again the next time even if nothing was written.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from archivist.transfer.claude_code.families import Family, families_of, settle
from archivist.transfer.claude_code.files import (
    HOME,
    is_agent,
    is_session_file,
    projects_folder,
    session_paths,
    source_name,
)
from archivist.transfer.claude_code.index import MAIN, index_file
from archivist.transfer.claude_code.memories import curated_in, memory_files
from archivist.transfer.claude_code.messages import SOURCE
from archivist.transfer.claude_code.sessions import SessionFile, is_quiet
from archivist.transfer.curated import Curated
from archivist.transfer.file_format import FileFormat
from archivist.transfer.fingerprints import Fingerprint, source_file
from archivist.transfer.foreign import (
    Content,
    Reading,
    SourceFile,
    SourceUnreadable,
)


class ClaudeCode(FileFormat):
    """The codec."""

    name = SOURCE

    def folders(self, home: Path, environ: Mapping[str, str]) -> list[Path]:
        """The projects of this machine's owner."""
        return [projects_folder(home, environ)]

    def paths(self, path: Path) -> list[Path]:
        """Session files, those of sub-agents last."""
        return session_paths(path)

    def recognises(self, path: Path) -> bool:
        """A session, a folder with some, or one that has nothing yet but the memory of projects."""
        return super().recognises(path) or bool(memory_files(path))

    def owned(self, path: Path) -> Sequence[Path]:
        """The program's home, by its name."""
        return [path] if path.name.startswith(HOME) else []

    def is_one(self, path: Path) -> bool:
        """Whether a file is a session."""
        return is_session_file(path)

    def counted(self, paths: Sequence[Path]) -> int | None:
        """Sessions without their sub-agents."""
        return sum(not is_agent(path) for path in paths)

    def source_file(self, path: Path) -> SourceFile:
        """A session file as it is now."""
        return source_file(path, source_name(path), self.revision)

    def open(self, path: Path, reading: Reading) -> "Projects":
        """Open a file or a folder of sessions."""
        return Projects([self.source_file(found) for found in session_paths(path)], reading, path)


class Projects:
    """Session files, opened."""

    def __init__(self, files: Sequence[SourceFile], reading: Reading, path: Path) -> None:
        self.files = files
        self._reading, self._path = reading, path
        self._families: dict[Path, Family] = {}

    def curated(self) -> Iterator[Curated]:
        """What the program has noted of its projects."""
        return curated_in(self._path, self._reading)

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Sessions before their forks, and both before their sub-agents."""
        wanted = {file.path: file for file in changed}
        ordered: list[SourceFile] = []
        for members in families_of(self.files if changed else ()):
            paths = [file.path for file in members]
            if len(members) > 1 and not wanted.keys().isdisjoint(paths):
                read = (file for file in members if self._reading.fingerprint(SOURCE, file.name) is not None)
                first = frozenset(file.path for file in read)
                family = settle(members, first=first, is_known=partial(self._reading.is_known, SOURCE))
                self._families |= dict.fromkeys(paths, family)
                paths = family.files
            ordered += [wanted[path] for path in paths if path in wanted]
        return sorted(ordered, key=lambda file: is_agent(file.path))

    def read(self, file: SourceFile, earlier: str | None) -> Content:
        """Open one session file.

        Raises:
            SourceUnreadable: It cannot be read.
        """
        kept = Fingerprint.of(earlier)
        family = self._families.get(file.path)
        shared = family.borrowed[file.path] if family else {}
        try:
            index = index_file(
                file.path,
                file.bytes,
                shared=shared,
                is_agent=is_agent(file.path),
                key=self._reading.key,
                is_away=partial(self._reading.is_away, SOURCE),
            )
            quiet = is_quiet(index, file.path.stat().st_mtime, self._reading.now)
        except OSError as error:
            raise SourceUnreadable(file.path, str(error)) from error
        origin = family.origin_of(file.path) if family else None
        told = SessionFile(file.path, index, origin, self._reading)
        if origin is None and self._reading.key and not is_agent(file.path):
            told = replace(told, origin=self._home(told))
        return told.content(file.print, kept.kept if kept else (), is_quiet=quiet)

    def _home(self, told: SessionFile) -> str | None:
        """The session that a file repeats and that no other file tells."""
        ids, prints = told.beginnings()
        return self._reading.home_of(told.start_of(told.index.streams[MAIN]), ids, prints) if ids else None
