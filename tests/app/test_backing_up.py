"""A backup holds one moment of everything, is proven before it is called one, and never takes the place of a good one."""

import json
import os
import shutil
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from archivist import (
    Archivist,
    BackupNotMade,
    DiskFull,
    FileNotCopied,
    Message,
    NoBackup,
    Part,
    StateNotSound,
    StoreDamaged,
)
from archivist.app import backing_up, snapshots
from archivist.app.backups import remembered, sound_backups
from archivist.app.belongings import belongings, is_credential
from archivist.app.manifests import read_manifest
from archivist.config import Home
from archivist.files import copies

NOW = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)
TEXTS = {
    "config.toml": 'timezone = "UTC"\n',
    "SOUL.md": "kind",
    "memories/MEMORY.md": "likes tea",
    "memories/users/ann/USER.md": "ann",
    "memories/secrets-of-the-garden.md": "roses",
    "skills/fish/SKILL.md": "how to fish",
    "wiki/index.md": "- fish",
    "history/MEMORY.md.1": "liked coffee",
    "later-kind/of-file.txt": "unheard of",
}
SECRETS = {
    ".env": "KEY=1",
    "credentials.json": "{}",
    "auth-profiles.json": "{}",
    "skills/fish/server.pem": "p",
}
DERIVED = {
    "index.db": "i",
    "prices.json": "{}",
    "index.db-wal": "w",
    "backups.jsonl": "",
    "x.lock": "",
    ".SOUL.md.ab.tmp": "half",
}


@pytest.fixture
def now():
    return [NOW]


@pytest.fixture
def archivist(tmp_path, now):
    with Archivist.open(tmp_path / "home", clock=lambda: now[0], environ={}) as opened:
        yield opened


def write_texts(home: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)


def say(archivist, *texts):
    session = archivist.sessions.start("test", title="Talk")
    session.append_many([Message.user(text) for text in texts])
    return session


def picture(archivist):
    part = Part("image", data=b"\x89PNG lantern", media_type="image/png")
    archivist.sessions.start("test").append(Message("user", "look", parts=(part,)))


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_backup_holds_everything_but_what_is_derived_and_credentials(archivist, tmp_path):
    write_texts(tmp_path / "home", TEXTS | SECRETS | DERIVED)
    say(archivist, "the lantern is lit")
    picture(archivist)
    made = archivist.backup()
    assert made.path == tmp_path / "home" / "backups" / "archivist-20260320-120000"
    assert made.counts == {"conversations": 2, "sessions": 2, "messages": 2, "blobs": 1}
    held = files_in(made.path)
    assert {name: held[name].decode() for name in TEXTS} == TEXTS
    assert set(held) - set(TEXTS) == {
        "state.db",
        "manifest.json",
        *(n for n in held if n.startswith("media/")),
    }
    assert sorted(line.partition(":")[0] for line in made.left_out) == sorted(SECRETS)
    assert all(path.stat().st_mode & 0o077 == 0 for path in made.path.rglob("*"))
    assert made.is_sound
    assert archivist.backups(check=True) == archivist.backups() == (made,)


def test_credentials_are_in_it_when_asked_for(archivist, tmp_path):
    write_texts(tmp_path / "home", SECRETS)
    made = archivist.backup(secrets=True)
    assert set(SECRETS) <= set(files_in(made.path))
    assert made.left_out == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (".env", True), (".env.local", True), ("secrets.toml", True), ("SECRETS", True), ("auth.json", True),
        ("authors.md", False), ("skills/x/id.key", True), ("skills/x/credentials", True), ("wiki/keys.key", False),
        ("memories/secrets.txt", False), ("skills/x/secrets.md", False), ("config.toml", False), ("monkey", False),
    ],
)  # fmt: skip
def test_credentials_are_told_by_the_names_of_files(name, expected):
    assert is_credential(name) is expected


def test_links_pipes_hidden_folders_and_profiles_are_left_out_and_said(archivist, tmp_path):
    home = tmp_path / "home"
    write_texts(home, {"profiles/second/SOUL.md": "w", ".git/HEAD": "ref", "memories/MEMORY.md": "m"})
    (home / "memories" / "link.md").symlink_to("/etc/hostname")
    (home / "elsewhere").symlink_to(tmp_path)
    os.mkfifo(home / "pipe")
    made = archivist.backup()
    said = " ".join(made.left_out)
    for name in ("profiles", ".git", "memories/link.md", "elsewhere", "pipe"):
        assert f"{name}:" in said
    assert set(files_in(made.path)) == {"state.db", "manifest.json", "memories/MEMORY.md"}


def test_a_place_inside_the_home_or_that_cannot_be_written_is_refused(archivist, tmp_path):
    (tmp_path / "file").write_text("x")
    for place in ("home", "home/media", "home/media/deeper", "home/aside", "file", "file/below"):
        with pytest.raises(BackupNotMade):
            archivist.backup(tmp_path / place)
    (tmp_path / "link").symlink_to(tmp_path / "home" / "memories")
    with pytest.raises(BackupNotMade, match="part of the home itself"):
        archivist.backup(tmp_path / "link")
    assert archivist.backups() == ()
    assert archivist.backup(tmp_path / "home" / "backups" / "weekly").is_sound


def fail_with(error):
    def fail(*_arguments, **_named):
        raise error

    return fail


@pytest.mark.parametrize("place", ["text", "state", "manifest", "rename"])
def test_a_full_disk_at_any_point_leaves_no_backup_and_no_remains(archivist, tmp_path, monkeypatch, place):
    """Backups were skipped in silence when the file had grown: Lexus2016/hermes-agent-evolution#2373."""
    write_texts(tmp_path / "home", TEXTS)
    say(archivist, "hello")
    good = archivist.backup()
    full = OSError(28, "No space left on device")
    {
        "text": lambda: monkeypatch.setattr(copies.os, "write", fail_with(full)),
        "state": lambda: monkeypatch.setattr(snapshots, "copy_database", fail_with(DiskFull(tmp_path))),
        "manifest": lambda: monkeypatch.setattr(backing_up, "write_manifest", fail_with(full)),
        "rename": lambda: monkeypatch.setattr(backing_up, "move_durably", fail_with(full)),
    }[place]()
    with pytest.raises((BackupNotMade, DiskFull, FileNotCopied)) as failure:
        archivist.backup(keep=1)
    assert "\n" not in str(failure.value)
    monkeypatch.undo()
    assert archivist.backups(check=True) == (good,)
    assert not list((tmp_path / "home" / "backups").glob("*.partial"))


@pytest.mark.parametrize("target", ["text", "header"])
def test_a_damaged_state_is_refused_and_the_good_backups_stay(archivist, tmp_path, target):
    say(archivist, *(f"line {n}" for n in range(300)))
    good = archivist.backup()
    archivist.close()
    path = tmp_path / "home" / "state.db"
    content = bytearray(path.read_bytes())
    at = content.find(b"line 1") if target == "text" else 0
    content[at : at + 6] = b"LINE 1"
    path.write_bytes(content)
    with pytest.raises((StateNotSound, StoreDamaged), match="damaged"):
        backing_up.back_up(Home(tmp_path / "home"), now=NOW, keep=1)
    again = Home(tmp_path / "home")
    assert [backup.path / "state.db" for backup in (good,)] == list(sound_backups(again))


def test_the_newest_sound_ones_are_kept_and_damaged_ones_count_for_nothing(archivist, tmp_path, now):
    made = []
    for number in range(4):
        now[0] = NOW + timedelta(days=number)
        say(archivist, f"day {number}")
        made.append(archivist.backup(tmp_path / "out").path)
    (made[3] / "state.db").write_bytes(b"")
    stranger = tmp_path / "out" / "archivist-of-nobody"
    stranger.mkdir()
    with Archivist.open(tmp_path / "other", clock=lambda: NOW - timedelta(days=9), environ={}) as other:
        foreign = other.backup(tmp_path / "out").path
    now[0] = NOW + timedelta(days=4)
    latest = archivist.backup(tmp_path / "out", keep=2)
    assert latest.removed == (made[1], made[0])
    assert {path for path in made if path.exists()} == {made[2], made[3]}
    assert foreign.exists()
    assert stranger.exists()
    assert {Path(one.path) for one in remembered(archivist.home)} == {made[2], made[3], latest.path}


def test_what_a_kill_left_is_cleared_away_but_for_that_of_others(archivist, tmp_path):
    say(archivist, "hello")
    made = archivist.backup(tmp_path / "out")
    own, foreign = (tmp_path / "out" / f"archivist-2026010{n}-000000.partial" for n in (1, 2))
    for folder, lineage in ((own, made.lineage), (foreign, "another")):
        folder.mkdir()
        (folder / ".of").write_text(lineage)
    begun = tmp_path / "out" / "archivist-20260103-000000.partial"
    (begun / "media").mkdir(parents=True)
    archivist.backup(tmp_path / "out")
    assert not own.exists()
    assert not begun.exists()
    assert foreign.exists()


@pytest.mark.parametrize("change", ["text", "missing", "longer", "manifest", "digest", "row"])
def test_a_backup_that_was_tampered_with_is_damaged(archivist, tmp_path, change):
    """The snapshot that was offered for repair was damaged too: NousResearch/hermes-agent#88587."""
    write_texts(tmp_path / "home", TEXTS)
    say(archivist, "the lantern is lit")
    made = archivist.backup()
    soul, manifest, state = (made.path / name for name in ("SOUL.md", "manifest.json", "state.db"))
    values = json.loads(manifest.read_text())
    {
        "text": lambda: soul.write_text("mean"),
        "missing": soul.unlink,
        "longer": lambda: soul.write_text("kind and more"),
        "manifest": lambda: manifest.write_text("{}"),
        "digest": lambda: manifest.write_text(json.dumps({**values, "program": "9.9"})),
        "row": lambda: state.write_bytes(state.read_bytes().replace(b"lantern is lit", b"lantern is out")),
    }[change]()
    [found] = archivist.backups(check=True)
    assert not found.is_sound
    quick = archivist.backups()[0]
    assert quick.is_sound is (change in ("text", "row"))
    with pytest.raises(NoBackup):
        archivist.restore()


def test_a_manifest_cannot_name_a_file_outside_of_its_backup(archivist, tmp_path):
    from archivist.app.manifests import Kept, write_manifest

    made = archivist.backup()
    manifest = read_manifest(made.path)
    for path in ("../../etc/passwd", "/etc/passwd", ""):
        write_manifest(made.path, type(manifest)(**{
            **{name: getattr(manifest, name) for name in manifest.__struct_fields__}, "files": (Kept(path, 1, "0"),),
        }))  # fmt: skip
        with pytest.raises(NoBackup, match="outside"):
            read_manifest(made.path)


def test_a_name_that_is_no_text_is_backed_up_and_restored(archivist, tmp_path):
    odd = os.fsdecode(b"memories/caf\xe9.md")
    write_texts(tmp_path / "home", {odd: "latin"})
    archivist.backup()
    (tmp_path / "home" / odd).unlink()
    assert archivist.restore(dry_run=False).texts_back == (odd,)
    assert (tmp_path / "home" / odd).read_text() == "latin"


def test_doctor_says_when_and_where_the_last_backup_was_made(archivist, tmp_path, now):
    def finding():
        return next(found for found in archivist.doctor().findings if found.subject == "backup")

    assert (finding().verdict, finding().text) == ("ok", "none yet; run `archivist backup`")
    say(archivist, *("many" for _ in range(1001)))
    assert finding().verdict == "warning"
    made = archivist.backup(tmp_path / "out")
    now[0] = NOW + timedelta(days=3)
    assert finding().verdict == "ok"
    assert f"3 days ago at {made.path}" in finding().text
    now[0] = NOW + timedelta(days=31)
    assert finding().verdict == "warning"
    shutil.move(tmp_path / "out", tmp_path / "drawer")
    assert "which is not there now" in finding().text
    assert archivist.doctor().is_healthy


def test_sound_backups_come_newest_first_and_only_of_this_home(archivist, tmp_path, now):
    made = []
    for number, place in enumerate((None, tmp_path / "out", None)):
        now[0] = NOW + timedelta(days=number)
        say(archivist, "x")
        made.append(archivist.backup(place).path)
    with Archivist.open(tmp_path / "other", environ={}) as other:
        say(other, "y")
        shutil.copytree(other.backup().path, tmp_path / "home" / "backups" / "archivist-foreign")
    (made[2] / "state.db").write_bytes(b"short")
    assert list(sound_backups(archivist.home)) == [made[1] / "state.db", made[0] / "state.db"]


def test_progress_ends_at_all_of_it(archivist, tmp_path):
    say(archivist, *(f"line {n}" for n in range(2500)))
    seen = []
    archivist.backup(on_progress=lambda done, of: seen.append((done, of)))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert 0 < seen[0][0] < seen[-1][0]


def test_a_home_that_has_nothing_yet_lists_nothing(tmp_path):
    assert belongings(Home(tmp_path / "nowhere"), secrets=False).files == ()


@pytest.mark.skipif(sys.platform == "win32", reason="limits are not kept there")
def test_a_limit_on_the_size_of_files_is_a_failure_in_one_line(tmp_path):
    import resource
    import subprocess

    with Archivist.open(tmp_path / "home", environ={}) as opened:
        say(opened, *("word " * 400 for _ in range(500)))
    program = Path(sys.executable).with_name("archivist")
    done = subprocess.run(
        [program, "--home", tmp_path / "home", "backup"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    left = [path.name for path in (tmp_path / "home" / "backups").iterdir() if path.is_dir()]
    assert left == []


@pytest.mark.parametrize("name", ["session notes.md", "messages.md", "blob.txt", "state.db.md"])
def test_a_file_that_was_not_copied_right_is_no_damage_of_the_conversations(
    archivist, tmp_path, monkeypatch, name
):
    """What is wrong is told by what was looked at, not by how the sentence begins."""
    write_texts(tmp_path / "home", {name: "as it was"})
    say(archivist, "kept")
    write = backing_up.write_manifest

    def spoil(folder, manifest):
        write(folder, manifest)
        if (folder / name).exists():
            (folder / name).write_text("it is not")

    monkeypatch.setattr(backing_up, "write_manifest", spoil)
    if name == "state.db.md":  # begins as what is derived, and is left out as such
        archivist.backup()
        return
    with pytest.raises(BackupNotMade, match="is not what was copied"):
        archivist.backup()


def test_a_database_that_does_not_open_any_more_is_what_is_not_sound(archivist, monkeypatch):
    say(archivist, "kept")
    proven = backing_up.prove

    def forge(folder, manifest, **options):
        other = replace(manifest, state=replace(manifest.state, store_id="another"))
        return proven(folder, other, **options)

    monkeypatch.setattr(backing_up, "prove", forge)
    with pytest.raises(StateNotSound, match="another one than the manifest says"):
        archivist.backup()


@pytest.mark.parametrize("harm", ["gone", "flipped"])
def test_lost_bytes_do_not_keep_everything_else_from_being_backed_up(archivist, tmp_path, harm):
    picture(archivist)
    say(archivist, "kept")
    [blob] = [path for path in archivist.home.media_folder.rglob("*") if path.is_file()]
    whole = blob.read_bytes()
    if harm == "gone":
        blob.unlink()
    else:
        blob.write_bytes(b"X" + whole[1:])
    made = archivist.backup(tmp_path / "out")
    assert [line for line in made.left_out if "one attachment" in line]
    assert read_manifest(made.path).lost_blobs == (blob.stem,)
    [listed] = archivist.backups(tmp_path / "out", check=True)
    assert listed.is_sound
    say(archivist, "newer")
    done = archivist.restore(tmp_path / "out", dry_run=False)
    assert archivist.counts()["messages"] == 2
    archivist.restore(done.set_aside, dry_run=False)
    assert archivist.counts()["messages"] == 3
    blob.write_bytes(whole)
    assert archivist.backup(tmp_path / "again").left_out == ()
