"""Ids of messages that are given to nobody, so that none is ever given twice: they are no losses, and no work for who reads the changes.

A gap stands in `meta`, whole, and in `changes` by its last number alone, above which the next one is given.
"""

from typing import Final

import apsw
import msgspec

MARK: Final = "passed over"
"""The key in `meta`."""

Run = tuple[int, int]
"""The first and the last of consecutive numbers."""


class PassedOver(msgspec.Struct, frozen=True):
    """Numbers that are never given here, for another state of the home may have given them.

    Attributes:
        messages: Runs of ids of messages.
        session: Keys of sessions up to this one.
    """

    messages: tuple[Run, ...] = ()
    session: int = 0


def passed_over(db: apsw.Connection) -> PassedOver:
    """What was passed over so far."""
    stored: str | None = db.execute("SELECT value FROM meta WHERE key = ?", (MARK,)).get
    try:
        return msgspec.json.decode(stored or "{}", type=PassedOver)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return PassedOver()


def pass_over(db: apsw.Connection, first: int, last: int, *, session: int = 0) -> None:
    """These ids of messages are given to nobody, nor are keys of sessions up to one."""
    before = passed_over(db)
    now = PassedOver((*before.messages, (first, last)), max(before.session, session))
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (MARK, msgspec.json.encode(now).decode()))


def go_on_after(db: apsw.Connection, message: int) -> None:
    """Let the next id of a message be above this one, which has none."""
    for kind in ("added", "removed"):
        note_run(db, kind, message, message)


def note_run(db: apsw.Connection, kind: str, first: int, last: int) -> None:
    """Write a change of consecutive messages; it costs the same however many they are."""
    db.execute("INSERT INTO changes(kind, first_message, last_message) VALUES(?, ?, ?)", (kind, first, last))
