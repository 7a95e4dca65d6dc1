"""Which conversations are old enough: by what happened last in any part of them, and only what was asked for."""

from datetime import UTC, datetime, timedelta

import pytest

from archivist.records import EVERYTHING, Message, Scope, SessionStart
from archivist.store.pruning import Choice, prunable
from archivist.store.rows import milliseconds
from archivist.store.scopes import visible_scopes
from archivist.store.sessions import find_session

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
OLD = Choice(milliseconds(NOW - timedelta(days=30)))


def ago(days):
    return NOW - timedelta(days=days)


def tell(store, started, *said, source="test", **start):
    session = store.start(SessionStart(source, started_at=ago(started), **start))
    store.append(session, [Message.user(f"{days} days ago", created_at=ago(days)) for days in said])
    return session


def chosen(store, choice=OLD, reader=EVERYTHING, waiting=()):
    keys = store.read(lambda db: prunable(db, choice, visible_scopes(db, reader), waiting=waiting))
    return [
        store.read(lambda db, k=key: db.execute("SELECT id FROM sessions WHERE key = ?", (k,)).get)
        for key in keys
    ]


def test_a_chat_begun_long_ago_and_used_today_stays(store):
    """Judged by when it began, a chat that was used today was deleted: NousResearch/hermes-agent PR 71043."""
    tell(store, 100, 99, 0)
    old = tell(store, 100, 99)
    assert chosen(store) == [old]


def test_the_longest_idle_goes_first(store):
    later, earlier = tell(store, 50, 45), tell(store, 90, 80)
    assert chosen(store) == [earlier, later]


@pytest.mark.parametrize("link", ["compaction", "fork", "subagent"])
def test_what_happened_in_any_session_of_it_counts(store, link):
    root = tell(store, 100, 90)
    tell(store, 100, 1, parent_id=root, link=link)
    assert chosen(store) == []


def test_a_session_without_messages_is_as_old_as_its_beginning(store):
    tell(store, 2)
    old = tell(store, 60)
    assert chosen(store) == [old]


def test_a_pin_on_any_session_keeps_the_conversation(store):
    root = tell(store, 100, 90)
    child = tell(store, 100, 90, parent_id=root, link="compaction")
    store.write(lambda db: db.execute("UPDATE sessions SET pinned_at = 1 WHERE id = ?", (child,)))
    assert chosen(store) == []


def test_what_waits_in_the_spool_keeps_the_conversation(store):
    root = tell(store, 100, 90)
    child = tell(store, 100, 90, parent_id=root, link="compaction")
    assert chosen(store, waiting={child}) == []


def test_a_title_is_compared_letter_by_letter(store):
    """An underscore was a wildcard, and similar titles went too: NousResearch/hermes-agent PR 79722."""
    wanted = tell(store, 90, title="my API_keys list")
    tell(store, 90, title="my api-keys list")
    tell(store, 90, title="apixkeys")
    tell(store, 90)
    assert chosen(store, Choice(OLD.before, title="api_keys")) == [wanted]
    assert chosen(store, Choice(OLD.before, title="%")) == []


def test_only_of_one_program_and_only_archived(store):
    tell(store, 90)
    wanted = tell(store, 90, source="hermes", archived=True)
    assert chosen(store, Choice(OLD.before, source="hermes")) == [wanted]
    assert chosen(store, Choice(OLD.before, archived_only=True)) == [wanted]


def test_a_conversation_that_lies_partly_outside_the_scope_is_not_chosen(store):
    root = tell(store, 90, scope=Scope(user="ann"))
    tell(store, 90, parent_id=root, link="fork", scope=Scope(user="ben"))
    own = tell(store, 90, scope=Scope(user="ann"))
    assert chosen(store, reader=Scope(user="ann")) == [own]


def test_one_conversation_can_be_looked_at_alone(store):
    first, second = tell(store, 90), tell(store, 80)
    key = store.read(lambda db: find_session(db, second).conversation)
    assert store.read(lambda db: prunable(db, OLD, None, only=key)) == [key]
    assert len(chosen(store)) == 2
    assert first != second


def test_one_conversation_is_looked_at_by_the_index_whatever_else_there_is(store):
    tell(store, 100, 99)
    found = tell(store, 100, 99)
    db, plans = store.reader(), []

    def explained(cursor, statement, bindings):
        if not statement.startswith("EXPLAIN"):
            plans.extend(
                row[3] for row in store.reader().execute(f"EXPLAIN QUERY PLAN {statement}", bindings)
            )
        return True

    key = find_session(db, found).key
    db.exec_trace = explained
    assert prunable(db, OLD, None, only=key) == [key]
    db.exec_trace = None
    assert not [step for step in plans if step.startswith("SCAN") and "VIRTUAL" not in step], plans


def test_choosing_asks_no_more_queries_for_more_conversations(store):
    db, counts = store.reader(), []
    for _ in range(2):
        for _ in range(5):
            tell(store, 100, 99)
        asked = []
        db.exec_trace = lambda cursor, statement, bindings, asked=asked: asked.append(statement) or True
        assert prunable(db, OLD, None)
        db.exec_trace = None
        counts.append(len(asked))
    assert counts == [2, 2]
