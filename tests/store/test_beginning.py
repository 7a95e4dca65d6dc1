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
def test_the_log_of_a_lost_file_is_kept_and_the_loss_is_told(killed, left, has_shared_memory):
    log = (killed / "state.db-wal").read_bytes()
    (killed / "state.db").unlink()
    if left is not None:
        (killed / "state.db").write_bytes(left)
    if not has_shared_memory:
        (killed / "state.db-shm").unlink()
    with Archivist.open(killed, environ={}) as archivist:
        assert [notice.code for notice in archivist.notices] == ["begun-anew"]
        archivist.sessions.start("test").append(Message.user("goes on"))
    [kept] = killed.glob("state.db-wal-aside-*")
    assert kept.read_bytes() == log


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


def test_a_backup_of_what_was_begun_anew_takes_the_mark_away_too(tmp_path):
    (tmp_path / "state.db").touch()
    with Archivist.open(tmp_path, environ={}) as archivist:
        archivist.backup()
        archivist.restore(dry_run=False)
    db = apsw.Connection(str(tmp_path / "state.db"))
    assert begun_anew(db) == ""
    db.close()
