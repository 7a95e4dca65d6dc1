"""Going back to a backup: shown first, done whole, and nothing of what was there is lost."""

import json
import shutil
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import msgspec
import pytest
from tests.app.test_backing_up import TEXTS, files_in, picture, say, write_texts

from archivist import (
    Archivist,
    FileLocked,
    Message,
    NoBackup,
    NotOurs,
    SchemaTooNew,
    SeveralHomes,
    StoreBusy,
    StoreDamaged,
    UnknownSession,
)
from archivist.app import alone, manifests, restoring, swapping
from archivist.app.restoring import plan_restore, restore
from archivist.app.swapping import RestoreUnfinished
from archivist.app.world import real_world
from archivist.config import Home
from archivist.files import atomic as files_atomic
from archivist.files import locked, sync_folder
from archivist.files import moving as files_moving
from archivist.store import connection, replacing
from archivist.store.salvage import salvaging

NOW = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def now():
    return [NOW]


@pytest.fixture
def archivist(tmp_path, now):
    with Archivist.open(tmp_path / "home", clock=lambda: now[0], environ={}) as opened:
        yield opened


def content(home: Path) -> dict[str, list[tuple]]:
    """Everything that the database says of conversations, but for its own id and the numbers that a restore passes over."""
    tables = ("messages", "sessions", "context", "usage", "scopes")
    with closing(apsw.Connection(str(home / "state.db"))) as db:
        return {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall()) for name in tables}


def texts_of(home: Path) -> dict[str, bytes]:
    apart = ("state.db", "index.db", "backups", "aside", "media", "safety.lock", "review.lock", "erased")
    return {name: text for name, text in files_in(home).items() if not name.startswith(apart)}


def test_what_would_change_is_shown_and_nothing_is_changed(archivist, tmp_path, now):
    write_texts(tmp_path / "home", TEXTS)
    old = say(archivist, "kept")
    made = archivist.backup()
    old.append(Message.user("newer"))
    new = say(archivist, "newest", "of all")
    write_texts(tmp_path / "home", {"SOUL.md": "changed", "wiki/new.md": "n"})
    (tmp_path / "home" / "config.toml").unlink()
    before = content(tmp_path / "home"), texts_of(tmp_path / "home")
    plan = archivist.restore()
    assert not plan.is_done
    assert plan.backup == made
    assert (plan.comes_back.messages, plan.goes.messages, plan.goes.conversations) == (0, 3, 1)
    assert {name for name, _ in plan.goes.examples} == {old.id, new.id}
    assert (plan.texts_changed, plan.texts_gone, plan.texts_back) == (
        ("SOUL.md",),
        ("wiki/new.md",),
        ("config.toml",),
    )
    assert not plan.of_another_home
    assert (content(tmp_path / "home"), texts_of(tmp_path / "home")) == before
    assert not (tmp_path / "home" / "aside").exists()


def test_a_restore_and_a_restore_of_what_it_set_aside_give_the_first_state_back(archivist, tmp_path):
    home = tmp_path / "home"
    write_texts(home, TEXTS | {".env": "KEY=1"})
    say(archivist, "kept")
    picture(archivist)
    archivist.backup()
    then = content(home), texts_of(home)
    say(archivist, "newer")
    write_texts(home, {"SOUL.md": "changed", "wiki/new.md": "n"})
    (home / "config.toml").unlink()
    shutil.rmtree(home / "skills")
    later = content(home), texts_of(home)

    done = archivist.restore(dry_run=False)
    assert done.is_done
    assert (content(home), texts_of(home)) == then
    assert archivist.verify().is_clean
    assert archivist.restore(done.set_aside, dry_run=False).comes_back.messages == 1
    assert (content(home), texts_of(home)) == later
    assert archivist.verify().is_clean
    assert archivist.recall("newer").hits[0].text == "newer"
    assert not (home / "aside" / "restoring.json").exists()
    assert not (home / "aside" / "incoming").exists()


def test_the_index_is_made_again_and_finds_no_more_what_is_gone(archivist):
    say(archivist, "the lantern is lit")
    archivist.backup()
    say(archivist, "the kelp is green")
    archivist.catch_up()
    assert archivist.recall("kelp").hits
    archivist.restore(dry_run=False)
    assert not archivist.recall("kelp").hits
    assert archivist.recall("lantern").hits
    archivist.catch_up()
    assert archivist.doctor().is_healthy, archivist.doctor().findings


def test_blobs_come_back_and_are_never_removed(archivist, tmp_path):
    picture(archivist)
    archivist.backup()
    [blob] = (tmp_path / "home" / "media").rglob("*.png")
    blob.write_bytes(b"rotten")
    archivist.restore(dry_run=False)
    assert blob.read_bytes() == b"\x89PNG lantern"
    blob.unlink()
    archivist.restore(tmp_path / "home" / "backups", dry_run=False)
    assert archivist.verify().is_clean
    other = blob.parent / ("0" * 64)
    other.write_bytes(b"of nobody")
    archivist.restore(dry_run=False)
    assert other.exists()


def test_the_newest_sound_backup_is_taken_and_damaged_ones_are_named(archivist, tmp_path, now):
    """The snapshot that was offered for repair was damaged too: NousResearch/hermes-agent#88587."""
    made = []
    for number in range(4):
        now[0] = NOW + timedelta(days=number)
        say(archivist, f"day {number}")
        made.append(archivist.backup(tmp_path / "out").path)
    (made[3] / "state.db").unlink()
    damaged = (made[2] / "state.db").read_bytes().replace(b"day 1", b"DAY 1")
    (made[2] / "state.db").write_bytes(damaged)  # of the right size: only a whole check finds it
    for place in (None, tmp_path / "out"):
        plan = archivist.restore(place)
        assert plan.backup.path == made[1]
        assert [one.path for one in plan.damaged] == [made[3], made[2]]
        assert all(one.problems for one in plan.damaged)
    with pytest.raises(NoBackup, match=r"state\.db"):
        archivist.restore(made[2])


@pytest.mark.parametrize("place", ["nothing", "file", "empty", "home/backups/x.partial"])
def test_what_is_no_backup_is_refused(archivist, tmp_path, place):
    (tmp_path / "file").write_text("x")
    for folder in ("empty", "home/backups/x.partial"):
        (tmp_path / folder).mkdir(parents=True)
    with pytest.raises(NoBackup, match=r"archivist backup --list"):
        archivist.restore(tmp_path / place)
    with pytest.raises(NoBackup):
        archivist.restore()


def test_a_backup_of_another_home_is_allowed_and_said(archivist, tmp_path):
    say(archivist, "mine")
    with Archivist.open(tmp_path / "other", environ={}) as other:
        say(other, "yours")
        made = other.backup(tmp_path / "out")
    plan = archivist.restore(tmp_path / "out")
    assert plan.of_another_home
    assert (plan.comes_back.messages, plan.goes.messages) == (1, 1)
    archivist.restore(tmp_path / "out", dry_run=False)
    assert archivist.recall("yours").hits
    assert archivist.restore(made.path).of_another_home is False


def test_of_a_folder_of_backups_this_homes_own_come_first(archivist, tmp_path, now):
    say(archivist, "mine")
    made = archivist.backup(tmp_path / "out")
    with Archivist.open(tmp_path / "other", clock=lambda: NOW + timedelta(days=1), environ={}) as other:
        say(other, "yours")
        other.backup(tmp_path / "out")
    assert archivist.restore(tmp_path / "out").backup.path == made.path


def test_a_deletion_since_the_backup_stays_a_deletion(archivist, tmp_path):
    session = say(archivist, "the vault code is tulip")
    say(archivist, "the lantern is lit")
    archivist.backup()
    archivist.sessions.delete(session.id)
    assert archivist.restore().comes_back.messages == 0  # it will not
    done = archivist.restore(dry_run=False)
    assert done.erased_again == 1
    assert not archivist.recall("tulip").hits
    assert archivist.recall("lantern").hits
    with pytest.raises(UnknownSession):
        archivist.sessions.get(session.id)
    assert b"tulip" not in (tmp_path / "home" / "state.db").read_bytes()
    assert archivist.verify().is_clean


def test_a_deletion_that_only_the_backup_knows_is_known_afterwards(archivist, tmp_path):
    say(archivist, "hello")
    (tmp_path / "home" / "erased.jsonl").write_text('{"known":"to the backup"}\n')
    archivist.backup()
    (tmp_path / "home" / "erased.jsonl").write_text('{"known":"now"}\n')
    archivist.restore(dry_run=False)
    lines = (tmp_path / "home" / "erased.jsonl").read_text().splitlines()
    assert sorted(lines) == ['{"known":"now"}', '{"known":"to the backup"}']


def test_waiting_messages_are_taken_in_where_their_session_is_and_set_aside_where_not(archivist, tmp_path):
    old = say(archivist, "kept")
    archivist.backup()
    new = say(archivist, "goes")
    store = archivist._store
    for session, text in ((old, "waiting for the old"), (new, "waiting for the new")):
        store.spool.keep(session.id, [store.prepare(Message.user(text))])
    done = archivist.restore(dry_run=False)
    assert [message.text for message in archivist.sessions.get(old.id).messages()] == [
        "kept",
        "waiting for the old",
    ]
    assert len(done.payloads_set_aside) == 1
    assert b"waiting for the new" in done.payloads_set_aside[0].read_bytes()
    assert not archivist._store.spool.files()


def test_what_waited_when_the_backup_was_made_is_taken_in_after_it(archivist, tmp_path):
    session = say(archivist, "kept")
    archivist._store.spool.keep(session.id, [archivist._store.prepare(Message.user("was waiting"))])
    archivist.backup()
    shutil.rmtree(tmp_path / "home" / "spool")
    archivist.restore(dry_run=False)
    assert [message.text for message in archivist.sessions.get(session.id).messages()] == [
        "kept",
        "was waiting",
    ]


@pytest.mark.parametrize("damage", ["garbage", "missing", "empty", "page", "cut"])
def test_a_damaged_or_lost_state_is_restored_and_kept_as_it_is(archivist, tmp_path, damage):
    session = say(archivist, *(f"line {n}" for n in range(300)))
    archivist.backup()
    archivist.close()
    path = tmp_path / "home" / "state.db"
    whole = path.read_bytes()
    broken = {
        "garbage": b"garbage" * 1000,
        "missing": None,
        "empty": b"",
        "page": whole.replace(b"line 1", b"\xff" * 6),
        "cut": whole[: len(whole) // 2],
    }[damage]
    path.unlink()
    if broken is not None:
        path.write_bytes(broken)
    home = Home(tmp_path / "home")
    plan = plan_restore(home, None)
    assert bool(plan.present_problem) or damage in ("page", "cut")
    done = restore(home, None, world=real_world())
    with Archivist.open(tmp_path / "home", environ={}) as again:
        assert len(again.sessions.get(session.id).messages("all")) == 300
        assert again.verify().is_clean
    if damage == "garbage":
        assert (done.set_aside / "state.db").read_bytes() == broken
        with pytest.raises(NoBackup):
            plan_restore(home, done.set_aside)


def test_another_programs_database_is_not_moved_away(archivist, tmp_path):
    archivist.backup(tmp_path / "out")
    (tmp_path / "theirs").mkdir()
    with closing(apsw.Connection(str(tmp_path / "theirs" / "state.db"))) as db:
        db.execute("CREATE TABLE sessions(id)")
    before = (tmp_path / "theirs" / "state.db").read_bytes()
    with pytest.raises(NotOurs):
        restore(Home(tmp_path / "theirs"), tmp_path / "out", world=real_world())
    assert (tmp_path / "theirs" / "state.db").read_bytes() == before


def test_a_home_on_a_rollback_journal_is_backed_up_and_restored(tmp_path, monkeypatch):
    monkeypatch.setattr(connection, "file_system_of", lambda _path: "nfs4")
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        say(archivist, "kept")
        archivist.backup()
        then = content(tmp_path / "home")
        say(archivist, "goes")
        later = content(tmp_path / "home")
        done = archivist.restore(dry_run=False)
        assert content(tmp_path / "home") == then
        archivist.restore(done.set_aside, dry_run=False)
        assert content(tmp_path / "home") == later


def test_a_backup_is_restored_into_a_home_that_is_not_there(archivist, tmp_path):
    session = say(archivist, "hello")
    picture(archivist)
    write_texts(tmp_path / "home", TEXTS)
    made = archivist.backup(tmp_path / "out")
    restore(Home(tmp_path / "new" / "machine"), made.path, world=real_world())
    with Archivist.open(tmp_path / "new" / "machine", environ={}) as there:
        assert there.sessions.get(session.id).messages()[0].text == "hello"
        assert there.verify().is_clean
    assert texts_of(tmp_path / "new" / "machine").keys() >= TEXTS.keys()


def test_an_older_schema_is_migrated_in_the_copy_and_a_newer_one_refused(archivist, tmp_path):
    from archivist.store.identity import identify
    from archivist.store.schema import MIGRATIONS

    made = archivist.backup(tmp_path / "out").path

    def forge(make):
        (made / "state.db").unlink()
        with closing(apsw.Connection(str(made / "state.db"))) as db:
            make(db)
        manifest = manifests.read_manifest(made)
        files = (manifests.Kept("state.db", *manifests.digest_of_file(made / "state.db")),)
        fields = {name: getattr(manifest, name) for name in manifest.__struct_fields__}
        forged = manifests.Manifest(**{**fields, "files": files, "state": identify(made / "state.db")})
        manifests.write_manifest(made, forged)

    def older(db):
        MIGRATIONS[0](db)
        db.execute("INSERT INTO meta VALUES('store_id', 'old'), ('program', '0.0.1')")
        db.execute("PRAGMA application_id = 0x41524356; PRAGMA user_version = 1")
        db.execute("INSERT INTO scopes(user) VALUES('owner')")
        db.execute(
            "INSERT INTO sessions(id, conversation, source, scope, started_at, last_active_at) VALUES('s', 1, 'test', 1, 1, 1)"
        )

    def newer(db):
        older(db)
        db.execute("PRAGMA user_version = 99; UPDATE meta SET value = '9.0' WHERE key = 'program'")

    forge(older)
    before = (made / "state.db").read_bytes()
    archivist.restore(made, dry_run=False)
    assert archivist.sessions.get("s").id == "s"
    assert identify(tmp_path / "home" / "state.db").first_id == "old"
    assert (made / "state.db").read_bytes() == before
    forge(newer)
    with pytest.raises(SchemaTooNew, match=r"9\.0"):
        archivist.restore(made)


def test_two_at_once_wait_for_each_other(archivist, monkeypatch):
    say(archivist, "x")
    archivist.backup()
    monkeypatch.setattr(alone, "PATIENCE_SECONDS", 0.1)
    with alone.alone(archivist.home):
        for work in (archivist.backup, lambda: archivist.restore(dry_run=False)):
            with pytest.raises(FileLocked, match=r"safety\.lock"):
                work()


@pytest.mark.parametrize("step", ["prepare", "_declare", "_name_aside", "copy_files"])
def test_a_failure_before_the_exchange_leaves_everything_as_it_was(archivist, tmp_path, monkeypatch, step):
    write_texts(tmp_path / "home", TEXTS)
    session = say(archivist, "kept")
    archivist.backup()
    session.append(Message.user("newer"))
    before = content(tmp_path / "home"), texts_of(tmp_path / "home")

    def fail(*_arguments, **_named):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(swapping, step, fail)
    with pytest.raises(OSError, match="No space"):
        archivist.restore(dry_run=False)
    assert (content(tmp_path / "home"), texts_of(tmp_path / "home")) == before
    session = archivist.sessions.get(session.id)
    session.append(Message.user("goes on"))
    assert not list((tmp_path / "home" / "aside").glob("incoming"))
    assert not list((tmp_path / "home" / "aside").glob("*.partial"))


def test_a_text_that_was_edited_after_it_was_set_aside_is_kept_too(archivist, tmp_path, monkeypatch):
    write_texts(tmp_path / "home", {"SOUL.md": "then"})
    say(archivist, "x")
    archivist.backup()
    write_texts(tmp_path / "home", {"SOUL.md": "now"})
    place = swapping._place_texts

    def edited(home, intent, aside):
        write_texts(home.path, {"SOUL.md": "edited at the last moment"})
        place(home, intent, aside)

    monkeypatch.setattr(swapping, "_place_texts", edited)
    done = archivist.restore(dry_run=False)
    assert (tmp_path / "home" / "SOUL.md").read_text() == "then"
    assert {path.read_text() for path in done.set_aside.glob("SOUL.md*")} == {
        "now",
        "edited at the last moment",
    }


def test_an_unreadable_note_of_a_killed_restore_is_named(archivist, tmp_path):
    archivist.close()
    (tmp_path / "home" / "aside").mkdir()
    (tmp_path / "home" / "aside" / "restoring.json").write_text("{")
    with pytest.raises(RestoreUnfinished, match=r"restoring\.json"):
        Archivist.open(tmp_path / "home", environ={})


def test_a_restore_waits_for_whoever_replaces_the_database(archivist, monkeypatch):
    """A salvage that began before a restore would put its own file over what was restored."""
    say(archivist, "x")
    archivist.backup()
    monkeypatch.setattr(replacing, "LOCK_SECONDS", 0.1)
    with replacing.replacing(archivist.home.state_file), pytest.raises(FileLocked, match="replacing"):
        restore(archivist.home, None, world=real_world())
    assert restore(archivist.home, None, world=real_world()).is_done


def test_a_restore_that_meets_a_salvage_comes_after_it_and_stays(archivist, monkeypatch):
    """It was reported done, and the salvage then put its own file over what it had restored."""
    session = say(archivist, "kept")
    archivist.backup()
    session.append(Message.user("newer"))
    done, replace_file = [], salvaging.replace_file
    restoring_now = threading.Thread(
        target=lambda: done.append(restore(archivist.home, None, world=real_world()).is_done)
    )

    def meanwhile(*arguments):
        restoring_now.start()
        restoring_now.join(0.3)
        assert not done
        replace_file(*arguments)

    monkeypatch.setattr(salvaging, "replace_file", meanwhile)
    with closing(apsw.Connection(str(archivist.home.state_file))) as db:
        db.execute("UPDATE messages SET text = 'another'")
    archivist.salvage()
    restoring_now.join()
    assert done == [True]
    assert [message.text for message in archivist.sessions.get(session.id).messages("all")] == ["kept"]


def test_nothing_is_salvaged_while_a_killed_restore_waits_to_be_finished(archivist):
    """It must find what it put in place, or it would take back what it did."""
    say(archivist, "x")
    unfinished = archivist.home.unfinished_restore_file
    unfinished.parent.mkdir()
    unfinished.write_text("{}")
    with pytest.raises(StoreDamaged, match="a restore was killed"):
        archivist.salvage()
    unfinished.unlink()
    assert archivist.salvage().is_whole


def test_done_is_only_said_where_the_restored_state_is_in_place(archivist, monkeypatch):
    say(archivist, "kept")
    archivist.backup()
    monkeypatch.setattr(swapping, "exchange_content", lambda *_arguments, **_named: None)
    with pytest.raises(RestoreUnfinished, match="another state"):
        restore(archivist.home, None, world=real_world())
    assert not archivist.home.unfinished_restore_file.exists()


def test_what_was_set_aside_stays_where_the_state_cannot_be_read_any_more(archivist, tmp_path, monkeypatch):
    session = say(archivist, "kept")
    archivist.backup()
    session.append(Message.user("newer"))
    monkeypatch.setattr(swapping, "_place_texts", lambda *_arguments: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        restore(archivist.home, None, world=real_world())
    archivist.close()
    path = tmp_path / "home" / "state.db"
    path.write_bytes(b"garbage" * 1000)
    path.with_name("state.db-wal").unlink(missing_ok=True)
    with pytest.raises(RestoreUnfinished, match="cannot be read"):
        Archivist.open(tmp_path / "home", environ={})
    [aside] = (tmp_path / "home" / "aside").glob("restored-*/state.db")
    with closing(apsw.Connection(str(aside))) as db:
        assert db.execute("SELECT count(*) FROM messages").get == 2


def test_who_has_the_home_open_goes_on_with_what_was_restored_also_where_the_file_is_another(
    tmp_path, monkeypatch
):
    """An open process went on reading the old file without a word."""
    monkeypatch.setattr(connection, "file_system_of", lambda _path: "nfs4")
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        old = say(archivist, "old")
        archivist.backup()
        say(archivist, "new")
        with Archivist.open(tmp_path / "home", environ={}) as server:
            assert len(server.sessions.browse().sessions) == 2
            archivist.restore(dry_run=False)
            page = server.sessions.browse()
            assert [one.id for one in page.sessions] == [old.id]
            assert "state-replaced" in {notice.code for notice in page.notices}
            say(server, "goes on")
            assert len(archivist.sessions.browse().sessions) == 2


def test_a_backup_that_was_shown_is_not_proven_again_and_must_be_the_same(archivist, monkeypatch):
    say(archivist, "kept")
    made = archivist.backup()
    plan = plan_restore(archivist.home, None)
    monkeypatch.setattr(restoring, "prove", lambda *_arguments, **_named: 1 / 0)
    assert archivist.restore(plan, dry_run=False).is_done
    manifest = json.loads((made.path / "manifest.json").read_bytes())
    other = manifests.read_manifest(made.path)
    manifests.write_manifest(made.path, msgspec.structs.replace(other, counts={"messages": 7}))
    assert json.loads((made.path / "manifest.json").read_bytes()) != manifest
    with pytest.raises(NoBackup, match="changed since"):
        restore(archivist.home, plan, world=real_world())


def test_a_restore_waits_for_writers_as_long_as_the_settings_say(archivist, tmp_path):
    (tmp_path / "home" / "config.toml").write_text("patience_seconds = 0.2\n")
    say(archivist, "kept")
    archivist.backup()
    with closing(apsw.Connection(str(archivist.home.state_file))) as blocker:
        blocker.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match=r"busy for 0\.2 s"):
            restore(archivist.home, None, world=real_world())


def test_every_move_of_a_restore_is_synced_in_the_folder_that_it_ends_in(archivist, tmp_path, monkeypatch):
    old = say(archivist, "kept")
    store = archivist._store
    store.spool.keep(old.id, [store.prepare(Message.user("was waiting"))])
    archivist.backup()
    shutil.rmtree(tmp_path / "home" / "spool")
    new = say(archivist, "goes")
    store.spool.keep(new.id, [store.prepare(Message.user("of another"))])
    moved, synced, replace = set(), set(), Path.replace

    def moving(path, target):
        moved.add(Path(target).parent)
        return replace(path, target)

    def syncing(folder):
        synced.add(Path(folder))
        sync_folder(folder)

    monkeypatch.setattr(Path, "replace", moving)
    monkeypatch.setattr(files_moving, "sync_folder", syncing)
    monkeypatch.setattr(files_atomic, "sync_folder", syncing)
    done = restore(archivist.home, None, world=real_world())
    assert {tmp_path / "home" / "spool", done.set_aside / "spool"} <= moved <= synced


def test_what_a_restore_deletes_again_is_in_no_byte(archivist, tmp_path):
    """Rows went from the copy of the backup, and their pages were put in place with the words in them."""
    kept, goes = archivist.sessions.start("test"), archivist.sessions.start("test")
    for number in range(40):
        kept.append(Message.user(f"kept {number} " + "k" * 100))
        goes.append(Message.user(f"wombat {number} " + "g" * 100))
    archivist.backup(tmp_path / "out")
    archivist.sessions.delete(goes.id)
    done = archivist.restore(tmp_path / "out", dry_run=False)
    assert done.erased_again == 1
    assert archivist.verify(absent="wombat").places == ()


def test_what_stays_deleted_is_not_shown_as_coming_back(archivist, tmp_path):
    goes = say(archivist, "the vault code is tulip")
    say(archivist, "lost by mistake")
    archivist.backup(tmp_path / "out")
    archivist.sessions.delete(goes.id)
    plan = archivist.restore(tmp_path / "out")
    assert (plan.comes_back.conversations, plan.comes_back.messages, plan.comes_back.examples) == (0, 0, ())
    assert (plan.goes.messages, plan.reverts) == (0, 0)


def test_it_is_shown_how_many_conversations_go_back_in_what_an_owner_did_with_them(archivist, tmp_path):
    sessions = [say(archivist, f"talk {number}") for number in range(5)]
    archivist.backup(tmp_path / "out")
    assert archivist.restore(tmp_path / "out").reverts == 0
    archivist.sessions.rename(sessions[0].id, "Another")
    archivist.sessions.pin(sessions[1].id)
    archivist.sessions.archive(sessions[2].id)
    archivist.sessions.undo(sessions[3].id)
    assert archivist.restore(tmp_path / "out").reverts == 4


def test_doctor_says_that_the_index_is_made_anew_by_the_next_search(archivist):
    """It was called broken, with work to do, although any search mends it."""

    def index_line():
        [line] = [finding for finding in archivist.doctor().findings if finding.subject == "index.db"]
        return line.verdict, line.text

    say(archivist, "the lantern is lit")
    archivist.catch_up()
    archivist.backup()
    archivist.restore(dry_run=False)
    verdict, text = index_line()
    assert verdict == "warning"
    assert "next search" in text
    archivist.recall("lantern")
    assert index_line() == ("ok", "1 message")


def test_a_folder_of_many_homes_backups_gives_back_ones_own_though_state_db_is_gone(tmp_path):
    for name in ("mine", "anothers"):
        with Archivist.open(tmp_path / name, environ={}) as archivist:
            archivist.sessions.start().append(Message.user(f"of {name}"))
            archivist.backup(tmp_path / "shared")
    (tmp_path / "mine" / "state.db").unlink()
    home = Home(tmp_path / "mine")
    assert plan_restore(home, tmp_path / "shared").comes_back is None
    (tmp_path / "shared").rename(tmp_path / "mounted elsewhere")
    restore(home, tmp_path / "mounted elsewhere", world=real_world())
    with Archivist.open(tmp_path / "mine", environ={}) as archivist:
        assert [hit.text for hit in archivist.recall("of").hits] == ["of mine"]


@pytest.mark.parametrize("left", [b"", b"S"])
def test_a_restore_over_a_blank_database_keeps_its_log(archivist, tmp_path, left):
    home, living = tmp_path / "copy", archivist.home.path
    say(archivist, "in the backup")
    backup = archivist.backup().path
    say(archivist, "in the log")
    shutil.copytree(living, home)  # as a kill leaves it
    log = (home / "state.db-wal").read_bytes()
    assert log
    (home / "state.db").write_bytes(left)
    assert "is empty" in plan_restore(Home(home), backup).present_problem
    assert (home / "state.db-wal").read_bytes() == log
    done = restore(Home(home), backup, world=real_world())
    assert done.set_aside is not None
    assert (done.set_aside / "state.db-wal").read_bytes() == log
    with Archivist.open(home, environ={}) as opened:
        assert opened.counts()["messages"] == 1


# ---- a folder that several homes share ----


@pytest.fixture
def shared(tmp_path, now):
    """Two homes that back up into one folder; gives the folder and the backups, oldest first."""
    made = []
    for number, name in enumerate(("ann", "bob", "ann")):
        now[0] = NOW + timedelta(days=number)
        with Archivist.open(tmp_path / name, clock=lambda: now[0], environ={}) as opened:
            say(opened, f"words of {name}")
            made.append(opened.backup(tmp_path / "shared"))
    return tmp_path / "shared", made


@pytest.mark.parametrize("is_begun_anew", [True, False])
def test_of_several_homes_in_a_folder_none_is_taken_where_the_own_is_not_known(
    tmp_path, now, shared, is_begun_anew
):
    folder, made = shared
    home = Home(tmp_path / "lost")
    if is_begun_anew:
        (tmp_path / "lost" / "media").mkdir(parents=True)
        (tmp_path / "lost" / "media" / "x").touch()
        Archivist.open(home.path, clock=lambda: now[0], environ={}).close()
    with pytest.raises(SeveralHomes) as caught:
        plan_restore(home, folder)
    assert [backup.path for backup in caught.value.newest] == [made[2].path, made[1].path]
    told = str(caught.value)
    assert "\n" not in told
    for one, day in ((made[2], "2026-03-22 12:00 UTC"), (made[1], "2026-03-21 12:00 UTC")):
        assert f"{one.path} of {day} (home {one.lineage})" in told
    assert str(made[0].path) not in told
    assert restore(home, made[1].path, world=real_world(lambda: now[0])).is_done
    with Archivist.open(home.path, environ={}) as opened:
        assert opened.recall("words").hits[0].text == "words of bob"


def test_a_home_whose_backups_are_known_takes_its_own_from_a_shared_folder(tmp_path, shared):
    folder, made = shared
    for name, own in (("ann", made[2]), ("bob", made[1])):
        (tmp_path / name / "state.db").unlink()
        assert plan_restore(Home(tmp_path / name), folder).backup.path == own.path


def test_a_folder_of_one_homes_backups_needs_no_choice(tmp_path, shared):
    folder, made = shared
    shutil.rmtree(made[1].path)
    assert plan_restore(Home(tmp_path / "lost"), folder).backup.path == made[2].path


def test_where_nothing_was_nothing_is_set_aside(tmp_path, now, shared):
    home = Home(tmp_path / "new")
    done = restore(home, shared[1][1].path, world=real_world(lambda: now[0]))
    assert (done.is_done, done.set_aside) == (True, None)
    assert not list(home.aside_folder.glob("*"))
    with Archivist.open(home.path, environ={}) as opened:
        assert opened.verify().is_clean
        say(opened, "newer")
    assert restore(home, shared[1][1].path, world=real_world(lambda: now[0])).set_aside.is_dir()


def test_a_folder_in_the_place_of_the_database_is_moved_aside(tmp_path, now, shared):
    home = Home(tmp_path / "odd")
    (home.path / "state.db").mkdir(parents=True)
    (home.path / "state.db" / "x").touch()
    plan = plan_restore(home, shared[1][1].path)
    assert plan.present_problem.endswith("state.db is a folder")
    done = restore(home, plan, world=real_world(lambda: now[0]))
    assert (done.set_aside / "state.db" / "x").exists()
    with Archivist.open(home.path, environ={}) as opened:
        assert opened.recall("words").hits


def test_nothing_is_put_back_while_somebody_decides_on_what_waits(archivist, tmp_path, monkeypatch):
    """What is noted by a decision, and that it was decided on, would else be of two states."""
    archivist.notes.add("memory", "the port is 6390")
    archivist.backup()
    archivist.notes.add("memory", "the host is tide.example")
    monkeypatch.setattr(alone, "PATIENCE_SECONDS", 0.1)
    with locked(tmp_path / "home" / "review.lock", seconds=1), pytest.raises(FileLocked, match="review"):
        archivist.restore(dry_run=False)
    assert len(archivist.notes.entries()) == 2
    archivist.restore(dry_run=False)
    assert [one.text for one in archivist.notes.entries()] == ["the port is 6390"]
