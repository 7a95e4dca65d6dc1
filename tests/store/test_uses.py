"""Uses of entries are kept once, and the sessions in which they could be are found."""

from datetime import UTC, datetime, timedelta

import pytest

from archivist.records import EVERYTHING, Message, Scope, SessionStart
from archivist.records.notes import Use
from archivist.store.deleting import apply_erased, delete_sessions, members_of
from archivist.store.erased import ErasedSession
from archivist.store.messages import set_states
from archivist.store.scopes import visible_scopes
from archivist.store.sessions import find_session
from archivist.store.uses import (
    LOOKED_THROUGH,
    Mark,
    add_uses,
    count_sessions,
    ended_since,
    keep_mark,
    looked_through,
    said_in,
    uses_of,
)

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
HERE = Scope("owner")
THERE = Scope(chat="group")


def keep(store, *uses):
    return store.write(lambda db: add_uses(db, uses))


def kept(store, *entries):
    return store.read(lambda db: uses_of(db, entries))


def begin(store, *texts, at=NOON, scope=HERE, **start):
    session = store.start(SessionStart("cli", scope=scope, started_at=at, **start))
    store.append(session, [Message.user(text, created_at=at) for text in texts])
    return session


def counted(store, since, scope=HERE, **options):
    return store.read(lambda db: count_sessions(db, visible_scopes(db, scope), since, **options))


def ended(store, mark=Mark(), reader=EVERYTHING, **options):  # noqa: B008 - a frozen value
    return store.read(lambda db: ended_since(db, visible_scopes(db, reader), mark, **options))


def test_uses_come_back_by_entry_in_order_of_time(store):
    late, early, other = (
        Use("a", NOON, "used", "s"),
        Use("a", NOON - timedelta(5), "opened"),
        Use("b", NOON, "present", "s"),
    )
    assert keep(store, late, early, other) == 3
    assert kept(store, "a", "b", "c") == {"a": (early, late), "b": (other,)}
    assert kept(store) == {}


@pytest.mark.parametrize("session", ["s", None])
@pytest.mark.parametrize("kind", ["used", "restated", "present", "opened"])
def test_a_use_that_is_told_again_is_kept_once_a_day(store, kind, session):
    use = Use("a", NOON, kind, session)
    later = Use("a", NOON.replace(hour=23, minute=59), kind, session)
    tomorrow = Use("a", NOON + timedelta(hours=12), kind, session)
    assert keep(store, use, use, later) == 1
    assert keep(store, use, tomorrow) == 1
    assert kept(store, "a")["a"][-1] == tomorrow
    assert store.read(lambda db: db.execute("SELECT count(*) FROM uses").get) == 2


@pytest.mark.parametrize(
    "other",
    [
        Use("b", NOON, "used", "s"),
        Use("a", NOON, "opened", "s"),
        Use("a", NOON, "used", "t"),
        Use("a", NOON, "used"),
    ],
)
def test_a_use_that_differs_in_anything_is_another(store, other):
    assert keep(store, Use("a", NOON, "used", "s"), other) == 2


def test_presence_is_kept_once_a_day_whichever_session_tells_it_and_told_by_the_newest(store):
    days = [
        Use("a", NOON + timedelta(day), "present", f"s{session}") for day in range(30) for session in range(3)
    ]
    assert keep(store, *days) == 30
    assert kept(store, "a")["a"] == (Use("a", NOON + timedelta(29), "present", "s0"),)
    use = Use("a", NOON + timedelta(3), "used", "s1")
    keep(store, use)
    assert kept(store, "a")["a"] == (use, Use("a", NOON + timedelta(29), "present", "s0"))


def test_many_entries_are_found(store):
    uses = [Use(f"entry-{n}", NOON, "used") for n in range(1_234)]
    keep(store, *uses)
    assert len(kept(store, *(use.entry_id for use in uses))) == 1_234


def test_sessions_are_counted_in_their_scopes_from_a_time_on(store):
    begin(store, at=NOON - timedelta(1))
    begin(store, at=NOON)
    for hours in (1, 2, 3):
        begin(store, at=NOON + timedelta(hours=hours))
        begin(store, at=NOON + timedelta(hours=hours), scope=THERE)
    assert counted(store, NOON) == 3
    assert counted(store, NOON, EVERYTHING) == 6
    assert counted(store, NOON, Scope("nobody")) == 0
    assert counted(store, NOON, most=2) == 2


def test_a_compactions_child_counts_and_a_sub_agent_does_not(store):
    root = begin(store, at=NOON)
    begin(store, at=NOON + timedelta(1), parent_id=root, link="subagent")
    assert counted(store, NOON) == 0
    begin(store, at=NOON + timedelta(1), parent_id=root, link="compaction")
    assert counted(store, NOON) == 1


def test_sessions_that_ended_are_told_in_order_and_once(store, clock):
    first, second, open_one = begin(store, "one"), begin(store, "two", scope=THERE), begin(store, "three")
    for session in (second, first):
        clock.advance(minutes=1)
        store.end(session, "exit")
    assert [one.id for one in ended(store)] == [second, first]
    assert [one.id for one in ended(store, reader=HERE)] == [first]
    mark = ended(store, most=1)[-1].mark
    assert [one.id for one in ended(store, mark)] == [first]
    mark = ended(store, mark)[-1].mark
    assert ended(store, mark) == []
    store.end(open_one, "exit")  # at the same moment as another
    [last] = ended(store, mark)
    assert (last.id, last.scope, last.source, last.started_at, last.ended_at) == (
        open_one,
        HERE,
        "cli",
        NOON,
        clock(),
    )


def test_what_stands_of_a_session_is_read_in_order(store):
    session = begin(store, "taken back", "shortened", "stands")
    begin(store, "another's")
    ids = [message.id for message in store.lineage(session)]
    store.write(lambda db: set_states(db, [(ids[0], "undone"), (ids[1], "compacted")]))
    store.end(session, "exit")
    [one] = ended(store)
    assert [message.text for message in store.read(lambda db: list(said_in(db, one)))] == [
        "shortened",
        "stands",
    ]


def test_uses_stay_without_their_session_when_it_goes(store):
    gone, stays = begin(store, "words"), begin(store, "other words")
    keep(
        store,
        Use("a", NOON, "used", gone),
        Use("a", NOON + timedelta(1), "used", gone),
        Use("a", NOON, "used", stays),
    )
    key = store.read(lambda db: find_session(db, gone).conversation)
    store.write(lambda db: delete_sessions(db, members_of(db, key)))
    assert [use.session_id for use in kept(store, "a")["a"]] == [None, stays, None]
    assert store.verify().is_clean


def test_uses_of_an_older_copy_follow_what_was_deleted(store):
    keep(store, Use("a", NOON, "used", "gone"), Use("a", NOON, "opened", "stays"))
    store.erased.add([ErasedSession("cli", None, "gone")], "2026-01-01T00:00:00+00:00")
    store.write(lambda db: apply_erased(db, store.erased))
    assert {use.kind: use.session_id for use in kept(store, "a")["a"]} == {"used": None, "opened": "stays"}


def test_a_use_of_a_kind_that_there_is_none_of_is_told(store):
    keep(store, Use("a", NOON, "used"))
    store.write(lambda db: db.execute("UPDATE uses SET kind = 'lost'"))
    assert store.verify().problems == ("use 1 of an entry has a kind that there is none of",)


@pytest.mark.parametrize("value", ["", "x", "1", "1:", "1:2:3", "--1:2", "1.5:2"])
def test_a_mark_that_says_nothing_is_none(store, value):
    store.write(lambda db: keep_mark(db, Mark(5, 7)))
    assert store.read(looked_through) == Mark(5, 7)
    store.write(lambda db: keep_mark(db, Mark()))
    assert store.read(looked_through) == Mark()
    store.write(lambda db: db.execute("UPDATE meta SET value = ? WHERE key = ?", (value, LOOKED_THROUGH)))
    assert store.read(looked_through) is None
