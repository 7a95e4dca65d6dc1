"""Another file takes the place of `state.db`: whole, under one lock, and nothing of the old one is lost."""

import os
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from archivist.files import FileLocked
from archivist.records import Message, SessionStart
from archivist.store import StoreReplaced, connection, replacing
from archivist.store.copying import copy_database
from archivist.store.exchanging import prepare_copy
from archivist.store.identity import identify
from archivist.store.replacing import finish_replacement, replace_file, waiting_file, writers_held

NOW = datetime(2026, 11, 30, tzinfo=UTC)

START = SessionStart("cli")


def texts(store, session):
    return [message.text for message in store.context(session)]


def prepared(store, target):
    copy_database(store.reader(), target)
    prepare_copy(
        target, program="0.1.0", store_id="renewed", erased=target.with_name("none"), given=None, now=NOW
    )
    return target


@pytest.fixture
def aside(tmp_path):
    folder = tmp_path / "aside" / "old"
    folder.mkdir(parents=True)
    return folder


def test_who_waited_to_write_goes_on_with_the_new_file_and_says_so(open_store, tmp_path, aside, monkeypatch):
    """A write must never be acknowledged into a file that nobody will read again."""
    monkeypatch.setattr(connection, "file_system_of", lambda _path: "nfs4")
    store, waiting = open_store(), open_store()
    session = store.start(START)
    content = prepared(store, tmp_path / "content.db")
    store.append(session, [Message.user("goes")])
    late = threading.Thread(target=lambda: waiting.append(session, [Message.user("late")]))
    with replacing.replacing(store.path), writers_held(store.path, 5):
        late.start()
        time.sleep(0.3)  # long enough to be waiting for the lock
        replace_file(store.path, content, aside)
    late.join()
    assert identify(store.path).store_id == "renewed"
    assert texts(store, session) == texts(waiting, session) == ["late"]
    for one in (store, waiting):
        assert "state-replaced" in {notice.code for notice in one.take_notices()}
        assert one.take_notices() == ()
    assert identify(aside / "state.db").first_id == identify(store.path).first_id


def test_another_history_is_not_followed_by_who_writes_nor_by_who_reads(open_store, tmp_path, aside):
    store, other = open_store(), open_store(tmp_path / "other" / "state.db")
    session = store.start(START)
    content = prepared(other, tmp_path / "content.db")
    with replacing.replacing(store.path), writers_held(store.path, 5):
        replace_file(store.path, content, aside)
    with pytest.raises(StoreReplaced):
        texts(store, session)
    with pytest.raises(StoreReplaced):
        store.append(session, [Message.user("nowhere")])


def test_what_was_set_aside_before_is_not_written_over(open_store, tmp_path, aside):
    store = open_store()
    content = prepared(store, tmp_path / "content.db")
    store.close()
    (aside / "state.db").write_text("set aside before")
    store.path.write_text("damaged")
    store.path.with_name("state.db-wal").write_text("its log")
    with replacing.replacing(store.path):
        replace_file(store.path, content, aside)
    finish_replacement(store.path)
    assert identify(store.path).store_id == "renewed"
    assert sorted((found.name, found.read_text()) for found in aside.iterdir()) == [
        ("state.db", "set aside before"),
        ("state.db-2", "damaged"),
        ("state.db-wal", "its log"),
    ]


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("step", range(1, 9))
def test_a_kill_on_the_way_leaves_the_old_file_or_the_new_and_the_next_opening_finishes(
    open_store, tmp_path, aside, step, links
):
    store = open_store()
    content = prepared(store, tmp_path / "content.db")
    old = identify(store.path).store_id
    store.close()
    child = os.fork()
    if not child:
        die_at(step, store.path, content, aside, links=links)
    os.waitpid(child, 0)
    has_begun = waiting_file(store.path).exists() or not content.exists()
    again = open_store()
    assert again.verify().is_clean
    assert identify(store.path).store_id == ("renewed" if has_begun else old)
    assert not list(tmp_path.glob("state.db-replacing*"))
    if has_begun:
        assert [identify(path).store_id for path in aside.glob("state.db*")] == [old]


def die_at(step: int, path: Path, content: Path, aside: Path, *, links: bool) -> None:
    left = step

    def counted(real):
        def call(*arguments, **options):
            nonlocal left
            left -= 1
            if not left:
                os._exit(9)
            return real(*arguments, **options)

        return call

    def no_link(*_arguments):
        raise OSError(1, "Operation not permitted")

    replacing.os.link = counted(os.link if links else no_link)
    replacing.Path.replace = counted(Path.replace)
    replacing.Path.unlink = counted(Path.unlink)
    try:
        with replacing.replacing(path):
            replace_file(path, content, aside)
    finally:
        os._exit(0)


def test_only_one_replaces_at_a_time(open_store, monkeypatch):
    store = open_store()
    monkeypatch.setattr(replacing, "LOCK_SECONDS", 0.1)
    with replacing.replacing(store.path), pytest.raises(FileLocked), replacing.replacing(store.path):
        pass


@pytest.mark.parametrize("content", [b"", b"garbage" * 1000])
def test_what_waits_and_cannot_be_read_is_set_aside_and_told(open_store, tmp_path, content):
    store = open_store()
    store.close()
    waiting_file(store.path).write_bytes(content)
    again = open_store()
    assert again.verify().is_clean
    assert [notice.code for notice in again.notices] == ["replacement-damaged"]
    assert (tmp_path / "aside" / "state.db-replacing").read_bytes() == content
    again.close()
    assert open_store().notices == ()


def test_what_a_salvage_made_that_could_not_read_the_history_is_followed(open_store, tmp_path):
    store, other = open_store(), open_store(tmp_path / "other" / "state.db")
    content = prepared(other, tmp_path / "content.db")
    with replacing.replacing(store.path):
        replace_file(store.path, content, tmp_path / "aside" / "state.db-damaged-20260320-120000")
    assert store.counts()["sessions"] == 0
    assert "state-replaced" in {notice.code for notice in store.take_notices()}
    [before] = (tmp_path / "aside").rglob("state.db")
    assert replacing.continues(store.path, connection.identity_of(before), "ours")
    assert not replacing.continues(store.path, (0, 0), "ours")  # it did not replace that file
