"""Free pages go back to the disk in steps between which others write."""

import threading

import pytest

from archivist.records import Message, SessionStart
from archivist.store.deleting import delete_sessions, members_of
from archivist.store.sessions import find_session
from archivist.store.sizes import read_sizes
from archivist.store.space import free_pages, give_back


@pytest.fixture
def hollow(store):
    """A store in which much was deleted."""
    session = store.start(SessionStart("test"))
    store.append(session, [Message.user("x" * 50_000) for _ in range(120)])
    key = store.read(lambda db: find_session(db, session).conversation)
    store.write(lambda db: delete_sessions(db, members_of(db, key)))
    return store


def give(store, *, is_late=lambda: False, sleep=lambda _seconds: None):
    return give_back(store.path, store.write, is_late=is_late, monotonic=store._world.monotonic, sleep=sleep)


def test_all_of_it_is_given_back(hollow):
    assert hollow.read(free_pages) > 1000
    assert give(hollow)
    assert hollow.read(free_pages) == 0
    assert hollow.verify().problems == ()
    assert hollow.path.stat().st_size < 500_000


def test_when_it_is_late_the_rest_is_left_for_the_next_time(hollow):
    assert not give(hollow, is_late=lambda: True)
    assert hollow.read(free_pages) > 0
    assert give(hollow)


def test_nothing_is_written_where_nothing_is_free(store):
    changed = store.read(lambda db: db.pragma("data_version"))
    assert give(store)
    assert store.read(lambda db: db.pragma("data_version")) == changed


def test_others_write_between_the_steps(hollow):
    session, stored = hollow.start(SessionStart("test")), []

    def write(_seconds):
        stored.extend(hollow.append(session, [Message.user("between")]))

    worker = threading.Thread(target=give, args=(hollow,), kwargs={"sleep": write})
    worker.start()
    worker.join(60)
    assert len(stored) > 2
    assert hollow.verify().problems == ()


def test_the_kinds_of_bytes_are_the_file(hollow):
    hollow.append(hollow.start(SessionStart("test", title="Title")), [Message.user("abc")])
    sizes = hollow.read(read_sizes)
    assert sizes.text == 3
    assert sizes.free > 5_000_000
    pages = hollow.read(lambda db: db.pragma("page_count") * db.pragma("page_size"))
    assert sizes.text + sizes.tools + sizes.reasoning + sizes.other + sizes.structure + sizes.free == pages
