"""A database that is gone although it had a history is begun anew, told, and remembered as such."""

import shutil

import apsw
import pytest

from archivist import Archivist, Message
from archivist.store.beginning import begun_anew


@pytest.fixture
def killed(tmp_path):
    """A home as a kill leaves it: everything that was said stands in the log."""
    with Archivist.open(tmp_path / "living", environ={}) as archivist:
        session = archivist.sessions.start("test")
        for number in range(20):
            session.append(Message.user(f"line {number}"))
        shutil.copytree(tmp_path / "living", tmp_path / "home")
    return tmp_path / "home"


@pytest.mark.parametrize("left", [None, b"", b"S"])
@pytest.mark.parametrize("has_shared_memory", [True, False])
def test_what_stands_in_the_log_of_a_lost_file_is_salvaged(killed, left, has_shared_memory):
    log = (killed / "state.db-wal").read_bytes()
    (killed / "state.db").unlink()
    if left is not None:
        (killed / "state.db").write_bytes(left)
    if not has_shared_memory:
        (killed / "state.db-shm").unlink()
    with Archivist.open(killed, environ={}) as archivist:
        assert [notice.code for notice in archivist.notices] == ["salvaged"]
        assert archivist.counts()["messages"] == 20
        assert archivist.verify().problems == ()
        archivist.sessions.start("test").append(Message.user("goes on"))
    [kept] = killed.glob("aside/state.db-damaged-*/state.db-wal")
    assert kept.read_bytes() == log


@pytest.fixture
def cut_off(killed):
    """A home of 223 messages of which only the log of the last one is left; with a backup of the other 222."""
    with Archivist.open(killed, environ={}) as archivist:
        session = archivist.sessions.browse().sessions[0].id
        archivist.sessions.get(session).append_many([Message.user(f"{n} " + "y" * 500) for n in range(202)])
        archivist.backup()
    with Archivist.open(killed, environ={}) as archivist:
        archivist.sessions.get(session).append(Message.user("the last one"))
        shutil.copy(killed / "state.db-wal", killed / "log")
    (killed / "log").rename(killed / "state.db-wal")
    (killed / "state.db").write_bytes(b"")
    return killed


def test_only_the_messages_that_are_in_the_log_come_back_and_the_others_are_told_as_lost(cut_off):
    shutil.rmtree(cut_off / "backups")
    with Archivist.open(cut_off, environ={}) as archivist:
        found = archivist.verify()
        assert 0 < found.messages < 222
        assert found.messages + found.known_losses == 223
        assert found.problems == ()


def test_what_is_not_in_the_log_comes_from_a_backup(cut_off):
    with Archivist.open(cut_off, environ={}) as archivist:
        assert archivist.counts()["messages"] == 223
        found = archivist.verify()
        assert (found.problems, found.known_losses) == ((), 0)
        assert archivist.recall("the last one").hits


@pytest.mark.parametrize("left", [None, b"", b"S"])
def test_a_log_without_a_message_is_kept_and_the_loss_is_told(tmp_path, left):
    Archivist.open(tmp_path, environ={}).close()
    (tmp_path / "state.db").unlink()
    if left is not None:
        (tmp_path / "state.db").write_bytes(left)
    (tmp_path / "state.db-wal").write_bytes(b"\x37\x7f" * 30_000)
    with Archivist.open(tmp_path, environ={}) as archivist:
        assert [notice.code for notice in archivist.notices] == ["begun-anew"]
    [kept] = tmp_path.glob("state.db-wal-aside-*")
    assert kept.read_bytes() == b"\x37\x7f" * 30_000


@pytest.mark.parametrize(
    "trace", ["index.db", "erased.jsonl", "backups.jsonl", "media/x", "backups/x", "spool/x"]
)
def test_a_home_without_its_database_is_no_new_home(tmp_path, trace):
    (tmp_path / trace).parent.mkdir(exist_ok=True)
    (tmp_path / trace).write_bytes(b"\n")
    with Archivist.open(tmp_path, environ={}) as archivist:
        assert "begun-anew" in {notice.code for notice in archivist.notices}


def test_a_new_home_is_told_of_nothing(tmp_path):
    (tmp_path / "media").mkdir()
    with Archivist.open(tmp_path, environ={}) as archivist:
        assert archivist.notices == ()
        assert archivist.verify().begun_anew == ""


def test_that_it_was_begun_anew_is_told_until_a_restore(tmp_path):
    with Archivist.open(tmp_path, environ={}) as archivist:
        archivist.sessions.start("test").append(Message.user("kept"))
        archivist.backup()
    (tmp_path / "state.db").unlink()
    Archivist.open(tmp_path, environ={}).close()
    with Archivist.open(tmp_path, environ={}) as archivist:
        assert "it was missing" in archivist.verify().begun_anew
        assert any("archivist restore" in finding.text for finding in archivist.doctor().findings)
        assert not archivist.restore().of_another_home
        archivist.restore(dry_run=False)
        assert archivist.verify().begun_anew == ""
        assert archivist.counts()["messages"] == 1


def test_a_backup_of_what_was_begun_anew_does_not_hide_the_one_from_before(tmp_path):
    with Archivist.open(tmp_path, environ={}) as archivist:
        archivist.sessions.start("test").append(Message.user("kept"))
        before = archivist.backup().path
    (tmp_path / "state.db").unlink()
    with Archivist.open(tmp_path, environ={}) as archivist:
        archivist.sessions.start("test").append(Message.user("since"))
        archivist.backup()
        assert archivist.restore().backup.path == before
        assert archivist.restore(tmp_path / "backups", dry_run=False).backup.path == before
        assert archivist.verify().begun_anew == ""
        assert archivist.recall("kept").hits


def test_a_backup_of_what_was_begun_anew_takes_the_mark_away_too(tmp_path):
    (tmp_path / "state.db").touch()
    with Archivist.open(tmp_path, environ={}) as archivist:
        archivist.backup()
        archivist.restore(dry_run=False)
    db = apsw.Connection(str(tmp_path / "state.db"))
    assert begun_anew(db) == ""
    db.close()


def test_a_kill_right_after_the_tables_are_made_forgets_nothing(tmp_path, monkeypatch):
    (tmp_path / "index.db").write_bytes(b"\n")

    def die(*_given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("archivist.store.opening.probe", die)
        with pytest.raises(KeyboardInterrupt):
            Archivist.open(tmp_path, environ={})
    with Archivist.open(tmp_path, environ={}) as archivist:
        assert "begun anew" in archivist.verify().begun_anew


def test_logs_of_lost_databases_are_kept_in_bounded_number(killed):
    for _ in range(12):
        (killed / "state.db").unlink(missing_ok=True)
        (killed / "state.db-wal").write_bytes(b"log")
        (killed / "state.db-shm").unlink(missing_ok=True)
        Archivist.open(killed, environ={}).close()
    assert len(list(killed.glob("state.db-wal-aside-*"))) == 8


def journal_of(pages, magic="d9d505f920a163d7"):
    """The head of a rollback journal of a database that had so many pages."""
    return bytes.fromhex(magic) + bytes(4) + b"\xf7\x10\x41\x15" + pages.to_bytes(4, "big") + bytes(492)


@pytest.mark.parametrize(
    "beside",
    [
        {},
        {"state.db-wal": b""},
        {"state.db-journal": journal_of(0)},
        {"state.db-journal": journal_of(0, "00" * 8)},
    ],
)
def test_a_kill_while_the_very_first_tables_were_made_is_told_of_nothing(tmp_path, beside):
    (tmp_path / "state.db").touch()
    for name, raw in beside.items():
        (tmp_path / name).write_bytes(raw)
    with Archivist.open(tmp_path, environ={}) as archivist:
        assert archivist.notices == ()
        assert archivist.verify().begun_anew == ""


@pytest.mark.parametrize(
    "trace", ["index.db", "erased.jsonl", "backups.jsonl", "media/x", "backups/x", "spool/x", "aside/x"]
)
def test_an_empty_file_in_a_home_that_was_used_is_told(tmp_path, trace):
    (tmp_path / "state.db").touch()
    (tmp_path / trace).parent.mkdir(exist_ok=True)
    (tmp_path / trace).write_bytes(b"\n")
    with Archivist.open(tmp_path, environ={}) as archivist:
        assert "begun-anew" in {notice.code for notice in archivist.notices}


@pytest.mark.parametrize("raw", [journal_of(7), journal_of(7, "00" * 8), b"\xff" * 600, b"short"])
def test_a_journal_of_a_database_with_pages_is_a_trace(tmp_path, raw):
    (tmp_path / "state.db").touch()
    (tmp_path / "state.db-journal").write_bytes(raw)
    with Archivist.open(tmp_path, environ={}) as archivist:
        assert "begun-anew" in {notice.code for notice in archivist.notices}
    assert list(tmp_path.glob("state.db-journal-aside-*"))
