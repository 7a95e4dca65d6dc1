"""The codec of Archivist's own exports.

The lines are looked at once to see where everything stands, then each session is read in its turn. A record is a message; what else is
told of a session is no record of its own, but what cannot be understood is counted, whatever it was.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec

from archivist.records import SessionStart
from archivist.transfer.archivist.files import check_version, export_paths, kind_of, opened_lines
from archivist.transfer.archivist.index import Index, Places
from archivist.transfer.archivist.reading import Reader
from archivist.transfer.archivist.shapes import FORMAT
from archivist.transfer.file_format import FileFormat, Files
from archivist.transfer.fingerprints import Fingerprint, source_file
from archivist.transfer.foreign import (
    Content,
    ForeignSession,
    Reading,
    Replay,
    SourceFile,
    SourceUnreadable,
)

CIRCULAR = "session with a missing or circular parent stands alone"


class OwnExports(FileFormat):
    """The codec."""

    name = FORMAT

    def folders(self, home: Path, environ: Mapping[str, str]) -> list[Path]:  # noqa: ARG002 - part of the interface
        """None: an export lies where its owner put it."""
        return []

    def paths(self, path: Path) -> list[Path]:
        """Exports at a path."""
        return export_paths(path)

    def is_one(self, path: Path) -> bool:
        """Whether a file is an export."""
        return kind_of(path) is not None

    def source_file(self, path: Path) -> SourceFile:
        """An export as it is now."""
        return source_file(path, path.name, self.revision, by_time=True)

    def open(self, path: Path, reading: Reading) -> "Exports":
        """Open an export or a folder of them."""
        return Exports(self, list(map(self.source_file, self.paths(path))), reading, path)


class Exports(Files):
    """Exports, opened; each holds whole conversations."""

    def read(self, file: SourceFile, earlier: str | None) -> Content:  # noqa: ARG002 - part of the interface
        """Open one export; it stays open until its content is closed.

        Raises:
            SourceUnreadable: It is none, or of a later version.
        """
        kind = kind_of(file.path)
        try:
            if kind is None:
                raise SourceUnreadable(file.path, "it is no export of Archivist")
            check_version(file.path)
            with ExitStack() as stack:
                lines = stack.enter_context(opened_lines(file.path, kind))
                lines.seek(0)
                index = Index.of(lines)
                fingerprint = Fingerprint(file.print, len(index.sessions)).text()
                sessions = _sessions(lines, index, is_whole=kind != "markdown")
                return Content(sessions, fingerprint, stack.pop_all().close)
        except OSError as error:
            raise SourceUnreadable(file.path, error.strerror or str(error)) from error


def _sessions(lines: BinaryIO, index: Index, *, is_whole: bool) -> Iterator[ForeignSession]:
    """Every session, then what belongs to none."""
    given: set[str] = set()
    for name, places in index.in_order():
        given.add(name)
        yield _session(Reader(lines, index, is_whole=is_whole), places, given)
    if index.skipped.total():
        yield ForeignSession(
            start=SessionStart(FORMAT), messages=(), read=index.skipped.total(), skipped=index.skipped
        )


def _session(reader: Reader, places: Places, given: set[str]) -> ForeignSession:
    parent = places.parent if places.parent in given else None
    above = reader.index.sessions.get(parent or "")
    start, usage, adopted = reader.start(places, parent), reader.usage(places), reader.adopted(places)
    if above:
        adopted = msgspec.structs.replace(adopted, parent=reader.start(above, None))
    return ForeignSession(
        start=start,
        messages=Replay(partial(reader.messages, places, start)),
        read=places.messages + reader.damaged,
        skipped=reader.skipped,
        parent_external_id=above.external_id if above else None,
        usage=usage,
        notices={CIRCULAR: 1} if places.parent and not parent else {},
        adopted=adopted,
    )
