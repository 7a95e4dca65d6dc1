"""What the messages carry that a session's model sees, and where the session is."""

import pytest

from archivist.records import Message, Part, SessionStart
from archivist.store.carrying import carrying, place_of
from archivist.store.forking import fork
from archivist.store.sessions import UnknownSession, require_session
from archivist.store.undoing import plan_undo, redo, undo


def carried(store, session, words="news of"):
    return sorted(store.read(lambda db: list(carrying(db, session, words))))


def where(store, session):
    return store.read(lambda db: place_of(db, session))


def forked(store, session, at):
    def begin(db):
        key = require_session(db, session).key
        fork(db, key, at=at, title=None, scopes=None, session_id="f", now=store._world.now())

    store.write(begin)
    return "f"


def take_back(store, session):
    key = store.read(lambda db: require_session(db, session).key)
    store.write(
        lambda db: undo(db, plan_undo(db, key, to=None, turns=1, scopes=None), now=store._world.now())
    )
    return key


def test_texts_and_parts_that_the_model_sees_are_told(store):
    session, other = store.start(SessionStart("cli")), store.start(SessionStart("cli"))
    store.append(other, [Message.user("news of another")])
    store.append(session, [Message.user("plain"), Message.user("news of a")])
    store.append(session, [Message.user("b", parts=[Part("text", "b"), Part("context", "news of b")])])
    found = carried(store, session)
    assert len(found) == 2
    assert "news of a" in found
    assert any("news of b" in text for text in found)
    assert carried(store, session, "news%") == []


def test_what_is_taken_back_or_left_behind_a_fork_is_not_told(store):
    session = store.start(SessionStart("cli"))
    first = store.append(session, [Message.user("news of a"), Message.user("news of b")])[0]
    assert carried(store, forked(store, session, first)) == ["news of a"]
    key = take_back(store, session)
    assert carried(store, session) == ["news of a"]
    store.write(lambda db: redo(db, key, scopes=None, now=store._world.now()))
    assert carried(store, session) == ["news of a", "news of b"]


def test_a_session_is_elsewhere_whenever_something_is_said_taken_back_or_given_back(store):
    session, other = store.start(SessionStart("cli")), store.start(SessionStart("cli"))
    places = [where(store, session)]
    store.append(session, [Message.user("a")])
    places.append(where(store, session))
    key = take_back(store, session)
    places.append(where(store, session))
    store.write(lambda db: redo(db, key, scopes=None, now=store._world.now()))
    places.append(where(store, session))
    take_back(store, session)
    places.append(where(store, session))
    assert len(set(places)) == len(places)
    store.append(other, [Message.user("elsewhere")])
    assert where(store, session) == places[-1]


def test_a_session_that_is_not_there_is_named(store):
    with pytest.raises(UnknownSession):
        carried(store, "none")
    with pytest.raises(UnknownSession):
        where(store, "none")
