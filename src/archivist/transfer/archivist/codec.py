"""The codec of Archivist's own exports.

The lines are looked at once to see where everything stands, then each session is read in its turn. A record is a message; what else is
told of a session is no record of its own, but what cannot be understood is counted, whatever it was.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import BinaryIO

from archivist.records import SessionStart
from archivist.transfer.archivist.files import check_version, export_paths, kind_of, opened_lines, source_file
from archivist.transfer.archivist.index import Index, Told
from archivist.transfer.archivist.reading import Reader
from archivist.transfer.archivist.shapes import FORMAT
from archivist.transfer.fingerprints import Fingerprint
from archivist.transfer.foreign import (
    Content,
    ForeignSession,
    Found,
    Reading,
    Replay,
    SourceFile,
    SourceUnreadable,
)

CIRCULAR = "session with a missing or circular parent stands alone"


class OwnExports:
    """The codec."""

    name = FORMAT

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Found]:  # noqa: ARG002 - part of the interface
        """None: an export lies where its owner put it."""
        return []

    def recognises(self, path: Path) -> bool:
        """Whether a file, or a file directly in a folder, is an export."""
        return any(kind_of(found) for found in export_paths(path))

    def open(self, path: Path, reading: Reading) -> "Exports":  # noqa: ARG002 - scopes and projects stand in the file
        """Open an export or a folder of them."""
        return Exports([source_file(found) for found in export_paths(path)])


class Exports:
    """Exports, opened."""

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self.files = files

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Each file holds whole conversations."""
        return changed

    def read(self, file: SourceFile, earlier: str | None) -> Content:  # noqa: ARG002 - part of the interface
        """Open one export.

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
            raise SourceUnreadable(file.path, str(error)) from error


def _sessions(lines: BinaryIO, index: Index, *, is_whole: bool) -> Iterator[ForeignSession]:
    """Every session, then what belongs to none."""
    given: set[str] = set()
    for name, told in index.in_order():
        given.add(name)
        yield _session(Reader(lines, index, is_whole=is_whole), told, given)
    if index.skipped.total():
        yield ForeignSession(
            start=SessionStart(FORMAT), messages=(), read=index.skipped.total(), skipped=index.skipped
        )


def _session(reader: Reader, told: Told, given: set[str]) -> ForeignSession:
    parent = told.parent if told.parent in given else None
    above = reader.index.sessions.get(parent or "")
    start, usage, adopted = reader.start(told, parent), reader.usage(told), reader.adopted(told)
    return ForeignSession(
        start=start,
        messages=Replay(partial(reader.messages, told, start)),
        read=told.messages + reader.damaged.total(),
        skipped=reader.skipped,
        parent_external_id=above.external_id if above else None,
        usage=usage,
        notices={CIRCULAR: 1} if told.parent and not parent else {},
        adopted=adopted,
    )
