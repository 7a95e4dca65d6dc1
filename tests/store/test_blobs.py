"""Blobs that are removed while others put them: what a message refers to is there."""

import subprocess
import sys

import pytest
from msgspec.structs import replace

from archivist.records import Message, Part, SessionStart
from archivist.store.blobs import Blobs
from archivist.store.deleting import delete_sessions, members_of
from archivist.store.deletions import finish_erasures
from archivist.store.index.search_index import SearchIndex
from archivist.store.sessions import find_session
from archivist.store.spool import WriteSpooled
from archivist.store.surroundings import Waiting
from archivist.store.trouble import StoreBusy

BYTES = b"the same picture"
PICTURE = replace(Message.user("look"), parts=(Part("image", data=BYTES, media_type="image/png"),))


@pytest.fixture
def blobs(tmp_path):
    return Blobs(tmp_path / "media")


def test_what_was_set_aside_and_is_not_needed_is_removed_with_its_folder(blobs, tmp_path):
    name = blobs.put(BYTES, "image/png")
    blobs.set_aside([name])
    assert blobs.find(name) is None
    assert blobs.settle([]) == 1
    assert list((tmp_path / "media").iterdir()) == []


def test_what_was_set_aside_and_is_needed_is_put_back(blobs):
    name = blobs.put(BYTES, "image/png")
    path = blobs.find(name)
    blobs.set_aside([name])
    assert blobs.settle([name]) == 0
    assert blobs.find(name) == path


def test_what_was_put_anew_meanwhile_stays(blobs):
    name = blobs.put(BYTES, "image/png")
    blobs.set_aside([name])
    blobs.keep([(name, PICTURE.parts[0])])
    blobs.settle([])
    assert blobs.read(name) == BYTES


def test_a_set_aside_that_was_killed_is_settled_later(blobs):
    kept, gone = blobs.put(BYTES), blobs.put(b"another")
    blobs.set_aside([kept, gone])
    again = Blobs(blobs._folder)
    again.settle([kept])
    assert (again.read(kept), again.read(gone)) == (BYTES, None)


def remove(store, session, tmp_path):
    key = store.read(lambda db: find_session(db, session).conversation)
    store.write(lambda db: delete_sessions(db, members_of(db, key)))
    clean(store, tmp_path)


def clean(store, tmp_path):
    world = store._world
    index = SearchIndex(tmp_path / "index.db", store.reader)
    finish_erasures(store, index, Waiting(1.0, world.monotonic, world.sleep))


def test_bytes_removed_between_being_put_and_the_commit_are_put_again(store, tmp_path, monkeypatch):
    first, second = (store.start(SessionStart("test")) for _ in range(2))
    store.append(first, [PICTURE])
    write = store.write

    def removed_before(change):
        monkeypatch.setattr(store, "write", write)
        remove(
            store, first, tmp_path
        )  # its blob goes: nothing refers to it yet but what is about to be written
        assert not list((tmp_path / "media").glob("*/*"))
        return write(change)

    monkeypatch.setattr(store, "write", removed_before)
    store.append(second, [PICTURE])
    assert store.verify().problems == ()


def test_bytes_of_a_spooled_message_are_not_removed(store, tmp_path, monkeypatch):
    first, second = (store.start(SessionStart("test")) for _ in range(2))
    store.append(first, [PICTURE])
    write = store.write

    def busy(_change):
        raise StoreBusy(store.path, 0.0)

    monkeypatch.setattr(store, "write", busy)
    with pytest.raises(WriteSpooled):
        store.append(second, [PICTURE])
    monkeypatch.setattr(store, "write", write)
    remove(store, first, tmp_path)
    store.take_in_spool()
    assert store.counts()["messages"] == 1
    assert store.verify().problems == ()


APPENDER = """
import sys
from archivist import Archivist, Message, Part, UnknownSession
part = Part("image", data=b"the same picture", media_type="image/png")
with Archivist.open(sys.argv[1], environ={}) as archivist:
    session = archivist.sessions.start("appender")
    for number in range(60):
        while True:
            try:
                session.append(Message("user", f"look {number}", parts=(part,)))
                break
            except UnknownSession:  # it was deleted while this went on in it
                session = archivist.sessions.start("appender")
        if number % 10 == 9:
            session = archivist.sessions.start("appender")
print("done")
"""
DELETER = """
import sys
from archivist import Archivist, ArchivistError, EVERYTHING
with Archivist.open(sys.argv[1], environ={}) as archivist:
    for _ in range(40):
        for session in archivist.sessions.browse(limit=3).sessions[1:]:
            archivist.sessions.delete(session.id)
print("done")
"""


def test_while_one_process_deletes_and_others_append_the_same_bytes_none_is_missing(open_store, tmp_path):
    open_store().close()
    scripts = [APPENDER, APPENDER, DELETER]
    crowd = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE)
        for script in scripts
    ]
    assert [process.communicate(timeout=120)[0] for process in crowd] == [b"done\n"] * 3
    assert open_store().verify().problems == ()


def test_bytes_are_not_hashed_again_while_others_wait_for_the_lock(store, monkeypatch):
    session, write, hashed = store.start(SessionStart("test")), store.write, []
    put = store.blobs.put

    def watched(change):
        monkeypatch.setattr(Blobs, "put", lambda self, *of: hashed.append(of) or put(*of))
        return write(change)

    monkeypatch.setattr(store, "write", watched)
    store.append(session, [PICTURE])
    store.receive(SessionStart("test", external_id="x"), [replace(PICTURE, client_id="1")])
    assert len(hashed) == 1  # the second one's own, before its transaction
    assert store.verify().problems == ()
