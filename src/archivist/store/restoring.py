"""Bringing back what a compaction left out: a child whose model sees the rows themselves again, in their own words.

Nothing is taken away: the compaction and its summary stay as they were, and what was said since comes behind. Functions over a
connection, inside a transaction.
"""

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import apsw
import msgspec

from archivist.records import ArchivistError
from archivist.store.compacting import REASON, begin_child, read_tip, settle_states
from archivist.store.contexts import (
    Entry,
    entries_of,
    left_out,
    listed,
    messages_of,
    own_entries,
    put_list,
    seen_in,
)
from archivist.store.lines import IS_SUMMARY, lineage_of, path_of
from archivist.store.sessions import SessionKey, end_session
from archivist.store.summaries import is_told, stands_for, summaries_among, told_by

RESTORES: Final = "restores"
"""The key in a session's metadata under which stands which compaction it takes back."""


class NothingToRestore(ArchivistError):
    """No compaction of a conversation has left anything out that its model does not see."""

    def __init__(self, session_id: str, what: str) -> None:
        self.session_id = session_id
        super().__init__(f"there is nothing to restore in {session_id}: {what}")


class _Compaction(msgspec.Struct, frozen=True):
    """A compaction of a line.

    Attributes:
        parent: The session that it ended.
        session: The one that it began.
        id: That one's id.
        summary: The message that stands for what it left out; None where it only shortened texts.
    """

    parent: int
    session: int
    id: str
    summary: int | None


def restore(
    db: apsw.Connection,
    session_id: str,
    *,
    summary: int | None = None,
    compaction: str | None = None,
    prompt: str | None = None,
    metadata: Mapping[str, Any],
    child_id: str,
    now: datetime,
) -> SessionKey:
    """Begin a child of a line's tip whose model sees again what a compaction left out or shortened.

    Args:
        db: A writing connection.
        session_id: Any session of the line.
        summary: The message that stands for what is wanted back.
        compaction: The session that the compaction began; where neither is given, that of the newest one whose effect lasts.
        prompt: The child's frozen prompt, masked; the tip's where None.
        metadata: What is kept with the child, masked.
        child_id: Its id.
        now: When it begins.

    Raises:
        UnknownSession: There is no such session.
        NothingToRestore: No such compaction is in the line, or nothing of it is left out any more.
    """
    tip, tip_id = read_tip(db, session_id)
    now_sent = entries_of(db, tip)
    undoing = (_Restoring(db, tip, one, now_sent) for one in _wanted(db, tip, summary, compaction))
    chosen = next((one for one in undoing if one.entries != now_sent), None)
    if chosen is None:
        raise NothingToRestore(session_id, _why(summary, compaction))
    told = {**metadata, RESTORES: chosen.compaction.id}
    child = begin_child(db, tip_id, prompt, told, child_id=child_id, now=now)
    put_list(db, child.key, chosen.entries)
    states = {entry.message: "active" for entry in chosen.entries if entry.is_whole}
    gone = set(messages_of(now_sent)) - set(messages_of(chosen.entries))
    settle_states(db, tip, states | dict.fromkeys(gone, "compacted"))
    end_session(db, tip, reason=REASON, now=now)
    return child


def _why(summary: int | None, compaction: str | None) -> str:
    if summary is not None:
        return f"message {summary} is no summary of it, or all that it stands for is seen"
    if compaction is not None:
        return f"{compaction} is no compaction of it, or all that it left out is seen"
    return "its model sees all that was said in it"


def _wanted(
    db: apsw.Connection, session: int, summary: int | None, compaction: str | None
) -> Iterator[_Compaction]:
    """The compactions of a session's line, and of what that shares with others, the newest first; only the one that is named."""
    keys = [key for stretch in path_of(db, session) for key in stretch.sessions]
    for key in reversed(keys):
        one = _compaction(db, key)
        if one is not None and summary in {None, one.summary} and compaction in {None, one.id}:
            yield one


def _compaction(db: apsw.Connection, session: int) -> _Compaction | None:
    row: Any = db.execute(
        "SELECT s.parent, s.key, s.id, (SELECT m.id FROM context AS c JOIN messages AS m ON m.id = c.message"
        f" WHERE c.session = s.key AND m.session = s.key AND {IS_SUMMARY} LIMIT 1) FROM sessions AS s"
        " WHERE s.key = ? AND s.link = 'compaction' AND s.parent IS NOT NULL",
        (session,),
    ).fetchone()
    return None if row is None else _Compaction(*row)


class _Restoring:
    """What a session's model would see without a compaction.

    Attributes:
        compaction: The compaction.
        entries: What it would see.
    """

    def __init__(self, db: apsw.Connection, session: int, one: _Compaction, now: Sequence[Entry]) -> None:
        self._db, self._session, self.compaction = db, session, one
        before = [*listed(db, one.parent), *own_entries(db, one.parent, None, {"active", "compacted"})]
        self._before = {entry.message: (rank, entry) for rank, entry in enumerate(before)}
        self._sums: dict[int, list[int]] = {}
        made = listed(db, one.session)
        shortened = {entry.message for entry in made if self._is_shortened(entry)}
        entries = [Entry(entry.message) if entry.message in shortened else entry for entry in now]
        self.entries = self._without_told(self._with_rows(entries, messages_of(made)))

    def _is_shortened(self, made: Entry) -> bool:
        """Whether the compaction shortened a message that was sent otherwise before."""
        _, before = self._before.get(made.message, (0, Entry(made.message)))
        return not made.is_whole and made != before

    def _with_rows(self, entries: list[Entry], made: Sequence[int]) -> list[Entry]:
        """With the rows that the summary stands for, in its place."""
        summary, there = self.compaction.summary, set(messages_of(entries))
        without = left_out(self._db, self.compaction.session)
        rows = [Entry(message) for message in self._that_stand(without) if message not in there]
        if summary is not None and summary in there:
            place = messages_of(entries).index(summary)
            again = [*entries[:place], *rows, *entries[place + 1 :]]
            return self._in_order(again, {*without, *made})
        place = self._place_among(entries, {*without, summary})
        return [*entries[:place], *rows, *entries[place:]]

    def _that_stand(self, messages: Sequence[int]) -> list[int]:
        """Without those that were taken back or left, or are of a scope that the session may not see."""
        if not messages:
            return []
        allowed = seen_in(self._db, self._session, messages)
        gone = self._db.execute(
            "SELECT id FROM messages WHERE id IN (SELECT value FROM carray(?)) AND state NOT IN ('active', 'compacted')"
            " AND session IN (SELECT value FROM carray(?))",
            (apsw.carray(array("q", messages)), apsw.carray(array("q", lineage_of(self._db, self._session)))),
        )
        stand = allowed - {message for (message,) in gone}
        return [message for message in messages if message in stand]

    def _in_order(self, entries: list[Entry], some: Collection[int]) -> list[Entry]:
        """Some messages in the order in which they stood before the compaction, each of them in the place of one of them."""
        ranks = self._ranks(some)
        known = [place for place, entry in enumerate(entries) if entry.message in ranks]
        ordered = sorted((entries[place] for place in known), key=lambda one: ranks[one.message])
        for place, entry in zip(known, ordered, strict=True):
            entries[place] = entry
        return entries

    def _ranks(self, some: Collection[int]) -> dict[int, int]:
        """Where messages stood before the compaction; what a summary among them stands for, which may be back already, where that stood."""
        ranks = {one: self._before[one][0] for one in some if one in self._before}
        for summary in summaries_among(self._db, list(ranks)):
            for told in told_by(self._db, summary):
                ranks.setdefault(told, ranks[summary])
        return ranks

    def _place_among(self, entries: Sequence[Entry], some: Collection[int | None]) -> int:
        """Where rows come whose summary is not seen itself: before the one that stands for it, else before all that stood behind them."""
        summaries = summaries_among(self._db, messages_of(entries))
        for place, entry in enumerate(entries):
            if entry.message in summaries and not told_by(self._db, entry.message).isdisjoint(some):
                return place
        last = max((self._before[one][0] for one in some if one in self._before), default=-1)
        behind = (
            place
            for place, entry in enumerate(entries)
            if entry.message not in self._before or self._before[entry.message][0] > last
        )
        return next(behind, len(entries))

    def _without_told(self, entries: list[Entry]) -> list[Entry]:
        """Without summaries of which all that they stand for is there."""
        there = set(messages_of(entries))
        told = {one for one in summaries_among(self._db, there) if is_told(self._stands_for, one, there)}
        return [entry for entry in entries if entry.message not in told]

    def _stands_for(self, message: int) -> list[int]:
        if message not in self._sums:
            self._sums[message] = stands_for(self._db, message)
        return self._sums[message]


__all__ = ["RESTORES", "NothingToRestore", "restore"]
