"""Taking in a session of a foreign history, so that taking it in again changes nothing.

A session is found again by its source and the source's id, a message by its client id. Rows go in by batches (`store.reception`), each a
transaction of its own, so that other writers get their turn; the mark that a file was read to its end is written with the last one, so a
kill on the way costs time and nothing else.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import apsw
import msgspec
from msgspec.structs import replace

from archivist.records import SessionStart, Usage
from archivist.store import attaching, messages, places, sessions
from archivist.store.imported import Mark, note_file
from archivist.store.lines import lineage_of, standing, tip_of
from archivist.store.raw_prints import NO_PRINTS, Known, Prints, Recognised, as_stored, note_prints, recognise
from archivist.store.rows import DAMAGED, Row, mapping_from_json, to_json
from archivist.store.sessions import SessionKey

if TYPE_CHECKING:
    from archivist.store.adopting import Adopted

MOVABLE: frozenset[tuple[str, str]] = frozenset(
    {
        ("active", "branch"),
        ("branch", "active"),
        ("active", "compacted"),
        ("active", "undone"),
        ("compacted", "undone"),
        ("compacted", "branch"),
        ("branch", "undone"),
    }
)
"""Changes of state that a source may tell us of; what the owner has taken back here stays taken back."""


TOLD_AT = "told_at"
"""The key in a session's metadata for when its source told of it as it does: an older telling, imported later, moves nothing."""


class Receipt(msgspec.Struct, frozen=True):
    """What became of a foreign session.

    Attributes:
        session_id: Our id; empty where there was nothing to store.
        is_new: Whether the session was made now.
        added: Messages stored now.
        known: Messages that were here already.
        restated: Known messages whose state the source has changed.
        refused: Messages of an export that were not taken in, because their ids name something else here.
        altered: Messages of an export stored now that are not what its hashes say.
        problem: Why the first of the refused ones was.
        branched: Of the restated, those that left the path.
        stays_away: Whether it, or the rest of it, was not taken in because it was deleted here.
    """

    session_id: str = ""
    is_new: bool = False
    added: int = 0
    known: int = 0
    restated: int = 0
    stays_away: bool = False
    refused: int = 0
    altered: int = 0
    problem: str = ""
    branched: int = 0

    def plus(self, later: "Receipt") -> "Receipt":
        """This and what a later batch of the same session gave."""
        return Receipt(
            later.session_id or self.session_id,
            self.is_new or later.is_new,
            self.added + later.added,
            self.known + later.known,
            self.restated + later.restated,
            self.stays_away or later.stays_away,
            self.refused + later.refused,
            self.altered + later.altered,
            self.problem or later.problem,
            self.branched + later.branched,
        )


def take(
    db: apsw.Connection,
    start: SessionStart,
    rows: Sequence[Row],
    *,
    parent_external_id: str | None,
    spare_id: str,
    now: datetime,
    adopted: "Adopted | None" = None,
    altered: Collection[str] = (),
    restated: Sequence[tuple[str, str]] = (),
    prints: Mapping[str, Prints] = NO_PRINTS,
) -> Receipt:
    """Store the rows that are new, in a session that is made where it is not known; inside a transaction.

    Args:
        start: With `external_id`.
        rows: Of one batch, each with a stable client id.
        parent_external_id: Its parent by the source's id, if it has one.
        spare_id: Our id for it, should the source's own be taken.
        now: When it began, where the source does not say.
        adopted: What an export of Archivist's own tells beside; then what is here already stays as it is.
        altered: Client ids of rows that are not what the export's hashes say.
        restated: Client ids of messages that are here, with the states that their source tells.
        prints: How what is told looks at its source, by client id; see `store.raw_prints`.
    """
    if adopted is not None and _came_from_anothers(db, start, adopted):
        start, parent_external_id = replace(start, parent_id=None, link=None), None
    key, session_id, is_new = _session(db, start, parent_external_id, spare_id, now)
    if adopted is not None:
        receipt = Receipt(session_id, is_new)
        return receipt.plus(_adopt(db, start, key, rows, adopted, altered, receipt))
    if is_new and start.archived:
        db.execute("UPDATE sessions SET archived_at = started_at WHERE key = ?", (key.key,))
        sessions.seal_session(db, key.key)
    told = [*((row.client_id, row.state) for row in rows), *restated]
    found = recognise(db, key.conversation, (client_id for client_id, _ in told), prints)
    _mend(db, found, rows)
    new = [row for row in rows if row.client_id not in found.known]
    ids = messages.insert_messages(db, _where_it_goes_on(db, key), [as_stored(row, found) for row in new])
    _note_prints(db, found, dict(zip((row.client_id for row in new), ids, strict=True)), prints)
    moves = [] if _was_told_since(db, key, start) else _moves(db, key.key, found, told)
    moved = messages.set_states(db, moves)
    branched = sum(state == "branch" for _, state in moves)
    known = sum(client_id in found.known for client_id, _ in told)
    return Receipt(session_id, is_new, len(new), known, moved, branched=branched)


def _mend(db: apsw.Connection, found: Recognised, rows: Sequence[Row]) -> None:
    stored = {one.client_id: (one.id, one.state) for one in found.known.values()}
    _mend_from(db, stored, [as_stored(row, found) for row in rows if row.client_id in found.known])


def _mend_from(db: apsw.Connection, stored: Mapping[str, tuple[int, Any]], told: Sequence[Row]) -> None:
    """Give what is stored and known to be damaged the content that its source tells."""
    if not stored or not told:
        return
    from archivist.store.known_damage import mend_from  # noqa: PLC0415 - what is told is new, most times

    mend_from(db, stored, told)


def _note_prints(
    db: apsw.Connection, found: Recognised, new: Mapping[str, int], prints: Mapping[str, Prints]
) -> None:
    """Remember how messages looked that are new, or were stored without."""
    seen = [
        (key, prints[told][-1].print, told if told in found.renamed else None)
        for told, key in new.items()
        if told in prints
    ]
    seen += [
        (one.id, prints[told][-1].print, None)
        for told, one in found.known.items()
        if one.print is None and told in prints
    ]
    note_prints(db, seen)


def _moves(
    db: apsw.Connection, session: int, found: Recognised, told: Sequence[tuple[str, str]]
) -> list[tuple[int, str]]:
    """Which messages that were here change their state: as their source tells, and what it tells in other words now.

    What another line of the conversation has said is for that one's file to tell.
    """
    states = [(found.known[client_id], to) for client_id, to in told if client_id in found.known]
    states += [(one, "branch") for one in found.replaced]
    own = _of_line(db, session, states)
    places.come_back(db, session, [one.id for one, to in own if to != "branch"])
    moves = [(one.id, to) for one, to in own if (one.state, to) in MOVABLE]
    held = places.leave(db, session, [message for message, to in moves if to == "branch"])
    return [
        (message, state)
        for message, state in moves
        if message not in held and not _is_kept_active(db, message, state)
    ]


def _of_line(
    db: apsw.Connection, session: int, states: Sequence[tuple[Known, str]]
) -> Sequence[tuple[Known, str]]:
    if all(one.session == session for one, _ in states):
        return states
    line = set(lineage_of(db, session))
    return [(one, to) for one, to in states if one.session in line]


def finish(
    db: apsw.Connection,
    start: SessionStart,
    usage: Sequence[Usage],
    mark: Mark | None,
    now: datetime,
    adopted: "Adopted | None" = None,
) -> Receipt:
    """Store what a session used and what its source says of it now, and mark its file as read; inside a transaction."""
    found = find_known(db, start)
    receipt = Receipt()
    if found and adopted is not None:
        from archivist.store.adopting import is_anothers, settle  # noqa: PLC0415 - for exports of Archivist's own

        if not is_anothers(db, found[1], start):
            settle(db, found[0], adopted, usage)
            receipt = Receipt(found[1])
    elif found:
        if not _was_told_since(db, found[0], start):
            sessions.update_session(db, found[0].key, start)
            _note_told_at(db, found[0].key, start)
        _date_archiving(db, found[0].key)
        sessions.add_usage(db, found[0].key, usage)
    if found and start.external_id:
        attaching.attach_waiting(db, found[0].key, start.source, start.external_id)
    if mark:
        note_file(db, mark, now)
    return receipt


def settle_told(
    db: apsw.Connection, start: SessionStart, order: places.Order | None, prints: Mapping[str, Prints]
) -> Receipt:
    """Let what is read as a session be as its file holds it, where that is told; inside a transaction."""
    found = None if order is None else find_known(db, start)
    if found is None or order is None or _was_told_since(db, found[0], start):
        return Receipt()
    return Receipt(found[1], restated=places.settle_order(db, found[0], order, prints))


def _adopt(
    db: apsw.Connection,
    start: SessionStart,
    key: SessionKey,
    rows: Sequence[Row],
    adopted: "Adopted",
    altered: Collection[str],
    made: Receipt,
) -> Receipt:
    """Store the rows of an export that are new; one whose id names something else here is refused, and costs only itself."""
    from archivist.store.adopting import is_anothers, settle_new, sort_out, why_refused  # noqa: PLC0415 - as above

    if made.is_new:
        settle_new(db, key, start, adopted)
    elif is_anothers(db, made.session_id, start):
        return Receipt(made.session_id, refused=len(rows), problem=why_refused(made.session_id))
    _mend_from(db, _stored_states(db, key.conversation, rows), rows)
    sorted_out = sort_out(db, key.conversation, rows, is_whole=adopted.is_whole)
    messages.insert_messages(db, key, sorted_out.new)
    return Receipt(
        made.session_id,
        added=len(sorted_out.new),
        known=sorted_out.known,
        refused=len(sorted_out.refused),
        altered=sum(row.client_id in altered for row in sorted_out.new),
        problem=sorted_out.problem,
    )


def _session(
    db: apsw.Connection, start: SessionStart, parent_external_id: str | None, spare_id: str, now: datetime
) -> tuple[SessionKey, str, bool]:
    if found := find_known(db, start):
        if not parent_external_id:
            return (*found, False)
        attaching.attach_again(db, found[0].key, start.source, parent_external_id, start.link)
        return sessions.require_session(db, found[1]), found[1], False
    parent_id = _known_parent(db, start, parent_external_id)
    wanted = start.own_id or start.external_id or spare_id
    session_id = spare_id if sessions.find_session(db, wanted) else wanted
    known_start = replace(
        start,
        parent_id=parent_id,
        link=start.link if parent_id else None,
    )
    key = sessions.start_session(db, known_start, session_id=session_id, now=now)
    if parent_external_id and not parent_id:
        attaching.attach_again(db, key.key, start.source, parent_external_id, start.link)
    return key, session_id, True


def find_known(db: apsw.Connection, start: SessionStart) -> tuple[SessionKey, str] | None:
    """The keys and our id of a session that was received before: found by our own id, else by its source's."""
    if start.own_id and (known := sessions.find_session(db, start.own_id)):
        return known, start.own_id
    return sessions.find_external(db, start.source, start.external_id) if start.external_id else None


def _known_parent(db: apsw.Connection, start: SessionStart, external_id: str | None) -> str | None:
    if start.parent_id and sessions.find_session(db, start.parent_id):
        return start.parent_id
    found = find_parent(db, start, external_id)
    return found[1] if found else None


def find_parent(
    db: apsw.Connection, start: SessionStart, external_id: str | None
) -> tuple[SessionKey, str] | None:
    """The keys and our id of the session that one comes from, by its source's id, where both are one owner's."""
    found = sessions.find_external(db, start.source, external_id) if external_id else None
    return found if found and attaching.is_one_owners(db, found[0].key, start.scope) else None


def _came_from_anothers(db: apsw.Connection, start: SessionStart, adopted: "Adopted") -> bool:
    """Whether the parent that an export tells of is another session here: what came from it must not join that one."""
    from archivist.store.adopting import is_anothers  # noqa: PLC0415 - as above

    parent = find_known(db, adopted.parent) if adopted.parent and start.parent_id else None
    return parent is not None and adopted.parent is not None and is_anothers(db, parent[1], adopted.parent)


def _where_it_goes_on(db: apsw.Connection, key: SessionKey) -> SessionKey:
    """A session; where the owner has taken it back here, what its conversation goes on with."""
    if standing(db, key.key) == key.key:
        return key
    return SessionKey(tip_of(db, key.key), key.conversation)


def _was_told_since(db: apsw.Connection, key: SessionKey, start: SessionStart) -> bool:
    """Whether what is known of a session comes from a newer telling of its source."""
    told = start.metadata.get(TOLD_AT)
    known = _metadata(db, key.key).get(TOLD_AT) if isinstance(told, str) else None
    return isinstance(known, str) and isinstance(told, str) and told < known


def _date_archiving(db: apsw.Connection, key: int) -> None:
    """A session that its source has put away was so since its last message, whenever it is imported; once is enough."""
    changed = db.execute(
        "UPDATE sessions SET archived_at = last_active_at WHERE key = ? AND archived_at = started_at"
        " AND last_active_at > started_at RETURNING key",
        (key,),
    ).fetchall()
    if changed:
        sessions.seal_session(db, key)


def _note_told_at(db: apsw.Connection, key: int, start: SessionStart) -> None:
    told, metadata = start.metadata.get(TOLD_AT), _metadata(db, key)
    if told is not None and metadata.get(TOLD_AT) != told and DAMAGED not in metadata:
        changed = to_json({**metadata, TOLD_AT: told})
        db.execute("UPDATE sessions SET metadata = ? WHERE key = ?", (changed, key))
        sessions.seal_session(db, key)


def _metadata(db: apsw.Connection, key: int) -> Mapping[str, Any]:
    return mapping_from_json(db.execute("SELECT metadata FROM sessions WHERE key = ?", (key,)).get)


def _is_kept_active(db: apsw.Connection, message: int, state: str) -> bool:
    """Whether an undo here gave a model a message again that its source has compacted away."""
    return state == "compacted" and bool(
        db.execute(
            "SELECT EXISTS (SELECT 1 FROM undone AS u JOIN undos AS o ON o.key = u.undo AND o.redone_at IS NULL"
            " WHERE o.conversation = (SELECT conversation FROM messages WHERE id = ?1) AND u.message = ?1)",
            (message,),
        ).get
    )


def _stored_states(db: apsw.Connection, conversation: int, rows: Sequence[Row]) -> dict[str, tuple[int, str]]:
    if not rows:
        return {}
    found = db.execute(
        f"SELECT client_id, id, state FROM messages WHERE conversation = ? AND client_id IN (?{', ?' * (len(rows) - 1)})",
        (conversation, *(row.client_id for row in rows)),
    )
    return {client_id: (key, state) for client_id, key, state in found}
