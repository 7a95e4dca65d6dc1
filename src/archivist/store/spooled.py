"""Messages that the database could not take, on their way through the spool: kept there, and stored as soon as it can take them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from archivist.files import FileNotWritten
from archivist.records import Notice
from archivist.records.counts import counted
from archivist.store.connection import Connection
from archivist.store.rows import MessageNotStorable, Row
from archivist.store.spool import Spool
from archivist.store.trouble import DiskFailed, DiskFull, StoreBusy, StoreReadOnly

Run = Callable[[Callable[[Connection], Any]], Any]
"""Runs a question or a change on the database."""


class Spooled:
    """What waits in the spool of a database.

    Args:
        spool: The folder.
        read: Asks the database.
        write: Changes it, durably.
    """

    def __init__(self, spool: Spool, read: Run, write: Run) -> None:
        self._spool, self._read, self._write = spool, read, write

    def take_in(self) -> tuple[Notice, ...]:
        """Store all that waits; what still cannot be stored stays there, and the notices say so."""
        try:
            notices = self._take_in(None)
        except (StoreBusy, DiskFailed, DiskFull, StoreReadOnly) as error:
            notices = [Notice("spool-waiting", f"messages still wait in the spool: {error}")]
        notices += [
            Notice(
                "spool-unreadable", f"{path} is no payload: open it to see what it holds, then move it away"
            )
            for path in self._spool.unreadable()
        ]
        return tuple(notices)

    def take_in_before(self, session_id: str) -> None:
        """Store what waits for any session of this one's line: it comes before what is said in it next.

        Raises:
            StoreBusy, DiskFailed, DiskFull: It waits still.
        """
        if not self._spool.is_empty():
            from archivist.store.sessions import line_ids  # noqa: PLC0415 - seldom is anything in the spool

            self._take_in(self._read(lambda db: line_ids(db, session_id)))

    def keep(self, session_id: str, rows: Sequence[Row], error: Exception) -> None:
        """Put rows into the spool; as the database would, refuse a client id that waits there with other content.

        Args:
            session_id: Where they were to be stored.
            rows: They.
            error: Why the database did not take them; raised where the spool cannot either.
        """
        from archivist.store.messages import ClientIdReused  # noqa: PLC0415 - as above

        payloads = self._spool.waiting({session_id})
        waiting = {row.client_id: row for payload in payloads for row in payload.rows}
        for row in rows:
            if row.client_id in waiting and waiting[row.client_id].said != row.said:
                raise ClientIdReused(row.client_id, None) from error
        try:
            self._spool.keep(session_id, rows)
        except FileNotWritten:
            raise error from None

    def _take_in(self, session_ids: frozenset[str] | None) -> list[Notice]:
        """Store what waits for some sessions, or for all, in order of arrival.

        A payload that the database refuses for what it says stays, named by a notice: it must not stop what comes after it.
        """
        from archivist.store.messages import ClientIdReused  # noqa: PLC0415 - as above
        from archivist.store.sessions import UnknownSession  # noqa: PLC0415 - as above

        notices = []
        for payload in self._spool.waiting(session_ids):
            try:
                self._write(partial(insert, payload.session_id, payload.rows))
            except (ClientIdReused, UnknownSession, MessageNotStorable) as error:
                notices.append(Notice("spool-refused", f"{payload.path} cannot be taken in: {error}"))
            else:
                self._spool.remove(payload)
                told = counted(len(payload.rows), "spooled message was", "spooled messages were")
                notices.append(Notice("spool-taken-in", f"{told} taken in"))
        return notices


def insert(
    session_id: str, rows: Sequence[Row], db: Connection, keep_blobs: Callable[[], None] | None = None
) -> list[int]:
    """Store rows at the end of a session's conversation and return their ids.

    Args:
        session_id: Whose.
        rows: They.
        db: Within a transaction.
        keep_blobs: Called with the write lock held, without which nobody removes any.
    """
    from archivist.store.messages import insert_messages  # noqa: PLC0415 - as above
    from archivist.store.sessions import require_tip  # noqa: PLC0415 - as above

    ids = insert_messages(db, require_tip(db, session_id), rows)
    if keep_blobs:
        keep_blobs()
    return ids


__all__ = ["Spooled", "insert"]
