"""Payloads that could not be written, kept until they can.

Each is one synced file of masked rows, named so that name order is order of arrival. While a session has files here its later
appends line up behind them. A file is removed only after its rows are in the database; since every row has its client id, taking
one in twice adds nothing.
"""

import itertools
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from archivist.files import remove_durably, write_atomically
from archivist.records import ArchivistError
from archivist.records.counts import counted
from archivist.store.rows import Row

SUFFIX = ".spooled"


class WriteSpooled(ArchivistError):
    """The database could not take the messages now; they are safe on disk and will be taken in."""

    def __init__(self, client_ids: Sequence[str], reason: str) -> None:
        self.client_ids = tuple(client_ids)
        self.client_id = self.client_ids[0]
        kept = counted(len(client_ids), "message was", "messages were")
        super().__init__(
            f"{kept} kept in the spool, not yet in the database ({reason.split(':', maxsplit=1)[0]}):"
            " they are taken in at the next open; do not send them again under another client id"
        )


class Payload(msgspec.Struct, frozen=True):
    """Rows of one session in the spool."""

    path: Path
    session_id: str
    rows: tuple[Row, ...]


class Spool:
    """The spool folder of a home."""

    __slots__ = ("_counter", "_folder", "_nanoseconds")

    def __init__(self, folder: Path, *, nanoseconds: Callable[[], int]) -> None:
        self._folder, self._nanoseconds = folder, nanoseconds
        self._counter = itertools.count()

    def keep(self, session_id: str, rows: Sequence[Row]) -> Path:
        """Put rows on disk.

        Raises:
            FileNotWritten: Nothing was kept.
        """
        order = f"{self._nanoseconds():020d}-{os.getpid():08d}-{next(self._counter):06d}"
        path = self._folder / f"{order}{SUFFIX}"
        payload = {"session": session_id, "rows": [row.values for row in rows]}
        write_atomically(path, msgspec.json.encode(payload))
        return path

    def is_empty(self) -> bool:
        """Whether nothing waits; cheap enough to ask before every append."""
        try:
            with os.scandir(self._folder) as entries:
                return not any(entry.name.endswith(SUFFIX) and entry.is_file() for entry in entries)
        except FileNotFoundError:
            return True

    def waiting(self, session_ids: Collection[str] | None = None) -> Iterator[Payload]:
        """What waits, oldest first; of some sessions, or of all."""
        for path in self.files():
            payload = _read(path)
            if payload is not None and (session_ids is None or payload.session_id in session_ids):
                yield payload

    def files(self) -> list[Path]:
        """The files that wait, oldest first."""
        if not self._folder.is_dir():
            return []
        return sorted(path for path in self._folder.glob(f"*{SUFFIX}") if path.is_file())

    def unreadable(self) -> list[Path]:
        """Files that are no payload, such as after a broken disk; they are left where they are."""
        return [path for path in self.files() if path.exists() and _read(path) is None]

    def remove(self, payload: Payload) -> None:
        """Forget a payload whose rows are in the database."""
        remove_durably(payload.path)


def _read(path: Path) -> Payload | None:
    try:
        values: Any = msgspec.json.decode(path.read_bytes())
        rows = tuple(_row(fields) for fields in values["rows"])
        return Payload(path, str(values["session"]), rows)
    except (OSError, msgspec.DecodeError, KeyError, TypeError, ValueError, RecursionError):
        return None


def _row(fields: list[Any]) -> Row:
    import base64  # noqa: PLC0415 - a payload is rare

    return Row(*[*fields[:-1], base64.b64decode(fields[-1])])  # msgspec writes bytes as base64
