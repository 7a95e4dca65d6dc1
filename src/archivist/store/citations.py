"""What the numbers in a summary mean: the ids of messages where it was written, which have other ids where its conversation was imported.

An import keeps in the list of the summary's session what its numbers mean (`store.contexts`), of those that lead through an earlier summary
too. Functions over a connection.
"""

import re
from typing import Any, Final

import apsw

from archivist.store.lines import IS_SUMMARY
from archivist.store.summaries import told_by

_DIGITS: Final = 18
_NUMBER: Final = re.compile(rf"\d{{1,{_DIGITS}}}", re.ASCII)
LARGEST: Final = 10**_DIGITS - 1
"""No summary names a message by a larger number."""


def renamed_in(db: apsw.Connection, summary: int) -> dict[int, int]:
    """By the numbers by which a summary names messages, the ids that these have here, where they are others."""
    return {number: message for number, message in _kept_names(db, summary).items() if number != message}


def cited_in(db: apsw.Connection, summary: int, text: str) -> dict[int, int]:
    """By the numbers that stand in a summary's words, the messages that they can mean: those that it stands for."""
    names = _kept_names(db, summary) or {message: message for message in told_by(db, summary)}
    return {number: names[number] for number in _numbers(text) if number in names}


def _numbers(text: str) -> list[int]:
    return sorted({int(found[0]) for found in _NUMBER.finditer(text)})


def _kept_names(db: apsw.Connection, summary: int) -> dict[int, int]:
    """What the numbers of a summary mean that was imported; nothing for one that was written here, or names nothing."""
    rows: Any = db.execute(
        "SELECT c.cited_as, c.message FROM messages AS m JOIN context AS c ON c.session = m.session"
        f" WHERE m.id = ? AND {IS_SUMMARY} AND c.cited_as IS NOT NULL",
        (summary,),
    ).fetchall()
    return dict(rows)


__all__ = ["LARGEST", "cited_in", "renamed_in"]
