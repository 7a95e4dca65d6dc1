"""What killed programs left is removed at the next deletion or in a quiet minute, and nothing that is somebody's."""

import os
from hashlib import sha256

import apsw
import pytest
from tests.app.test_backing_up import picture, say

from archivist import Archivist
from archivist.files import locked

SECRET = b"wombat words that were deleted"


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def archivist(home):
    with Archivist.open(home, environ={}) as opened:
        say(opened, "kept")
        yield opened


def leave(path, *, days=2.0, content=SECRET):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    then = path.stat().st_mtime - days * 86_400
    os.utime(path, (then, then))
    return path


def delete_one(archivist):
    return archivist.sessions.delete(say(archivist, "goes").id)


PLACES = [
    "state.db-salvaging",
    "aside/incoming/state.db",
    "aside/restored-20260101-000000.partial/state.db",
    "media/ab/.abc.png.xyz.tmp",
    "spool/.1.spooled.xyz.tmp",
    "memories/projects/app/archive/.2026-01.md.c1-0.part.tmp",
]


@pytest.mark.parametrize("place", PLACES)
def test_a_deletion_removes_what_a_kill_has_left(archivist, home, place):
    left = leave(home / place)
    delete_one(archivist)
    assert not left.exists()
    assert archivist.verify(absent="wombat").is_absent


@pytest.mark.parametrize(
    ("place", "lock"),
    [(PLACES[0], "state.db.replacing.lock"), (PLACES[1], "safety.lock"), (PLACES[2], "safety.lock")],
)
def test_what_somebody_is_making_stays(archivist, home, place, lock):
    left = leave(home / place)
    with locked(home / lock, seconds=1):
        delete_one(archivist)
        assert left.exists()
    delete_one(archivist)
    assert not left.exists()


def test_what_a_killed_restore_needs_stays(archivist, home):
    left = [leave(home / place) for place in PLACES[1:3]]
    leave(home / "aside" / "restoring.json")
    delete_one(archivist)
    assert all(path.exists() for path in left)


def test_what_is_being_written_today_stays(archivist, home):
    left = leave(home / PLACES[3], days=0.5)
    delete_one(archivist)
    assert left.exists()


def orphan(home, content=SECRET, days=2.0):
    name = sha256(content).hexdigest()
    return leave(home / "media" / name[:2] / f"{name}.bin", content=content, days=days)


def test_a_quiet_minute_removes_bytes_without_a_message_and_no_others(archivist, home):
    picture(archivist)
    [stays] = [path for path in (home / "media").rglob("*") if path.is_file()]
    leave(stays, content=stays.read_bytes())
    goes, young = orphan(home), orphan(home, b"put just now", days=0.1)
    archivist.tidy(5.0)
    assert (stays.exists(), young.exists(), goes.exists()) == (True, True, False)
    assert archivist.verify().is_clean


def test_bytes_stay_that_a_damaged_row_may_name(archivist, home):
    picture(archivist)
    [blob] = [path for path in (home / "media").rglob("*") if path.is_file()]
    leave(blob, content=blob.read_bytes())
    db = apsw.Connection(str(home / "state.db"))
    db.execute("UPDATE messages SET parts = '[{]' WHERE parts IS NOT NULL")
    db.close()
    archivist.tidy(5.0)
    assert blob.exists()


def test_bytes_stay_that_a_state_names_which_was_set_aside(archivist, home):
    archivist.backup()
    picture(archivist)
    [blob] = [path for path in (home / "media").rglob("*") if path.is_file()]
    leave(blob, content=blob.read_bytes())
    done = archivist.restore(dry_run=False)
    archivist.tidy(5.0)
    archivist.restore(done.set_aside, dry_run=False)
    assert blob.exists()
    assert archivist.verify().is_clean


def test_a_deletion_names_the_log_of_a_lost_database(archivist, home):
    left = leave(home / "state.db-wal-aside-1")
    notices = delete_one(archivist).notices
    assert any(str(left) in notice.text for notice in notices)
    assert left.exists()
