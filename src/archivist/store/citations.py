"""What the numbers in a summary mean in a home into which its conversation was imported: there its messages have other ids.

Functions over a connection.
"""

import apsw

from archivist.store.contexts import left_out
from archivist.store.lines import IS_SUMMARY


def renamed_in(db: apsw.Connection, summary: int) -> dict[int, int]:
    """By the number that a summary names a message by, the id that it has here, of those that have another; empty where it was made here.

    Lines that it has of earlier summaries name what those stand for.
    """
    if not _is_imported(db, summary):
        return {}
    home: int = db.execute("SELECT session FROM messages WHERE id = ?", (summary,)).get
    found: dict[int, int] = {}
    waiting, met = [home], set[int]()
    while waiting:
        session = waiting.pop()
        if session not in met:
            met.add(session)
            for message, number in left_out(db, session).items():
                if number != message:
                    found.setdefault(number, message)
            waiting += _summarised_before(db, session)
    return found


def _is_imported(db: apsw.Connection, summary: int) -> bool:
    """Whether any of what a summary itself stands for has another id than it is named by."""
    return bool(
        db.execute(
            f"SELECT EXISTS (SELECT 1 FROM messages AS m JOIN context AS c ON c.session = m.session WHERE m.id = ? AND {IS_SUMMARY}"
            " AND c.cited_as IS NOT NULL)",
            (summary,),
        ).get
    )


def _summarised_before(db: apsw.Connection, session: int) -> list[int]:
    """The sessions whose summaries are among what a session's summary stands for."""
    rows = db.execute(
        "SELECT m.session FROM context AS c JOIN messages AS m ON m.id = c.message"
        f" WHERE c.session = ? AND c.is_left_out AND {IS_SUMMARY}",
        (session,),
    )
    return [home for (home,) in rows]


__all__ = ["renamed_in"]
