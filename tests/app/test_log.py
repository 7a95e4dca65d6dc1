"""The log of a home: bounded, its owner's alone, and without a word of what was said unless that is asked for."""

import os
import stat
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from archivist import Archivist
from archivist.app.log import Log, open_log
from archivist.config import Home
from archivist.records import Notice

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SECRET = "sk-ant-api03-" + "A1b2C3d4E5f6" * 8


@pytest.fixture
def told():
    return []


@pytest.fixture
def log_of(tmp_path, told):
    return lambda level="info": Log(tmp_path / "log", lambda: NOW, level, tell=told.append)


def lines(tmp_path):
    file = tmp_path / "log" / "archivist.log"
    return file.read_text().splitlines() if file.exists() else []


def test_a_line_says_what_happened_and_when(log_of, tmp_path, told):
    log_of()("key-rests", key="key 1 (…5yHc)", why="limited", until=NOW, row=2, model=None)
    assert lines(tmp_path) == [
        '2026-05-01T12:00:00.000+00:00 INFO key-rests key="key 1 (…5yHc)" why=limited until=2026-05-01T12:00:00+00:00 row=2'
    ]
    assert not told


def test_nothing_is_made_before_there_is_something_to_say(log_of, tmp_path):
    log = log_of()
    log.detail("said", "a word")
    assert not (tmp_path / "log").exists()


def test_what_was_said_stands_in_it_only_where_that_is_asked_for_and_masked(log_of, tmp_path, told):
    words = f"my diary\nsays {SECRET}"
    log = log_of()
    log.detail("refused", words)
    log.beside(told.append)(Notice("switched", words))
    assert not lines(tmp_path)
    assert [notice.text for notice in told] == [words]
    log.beside(told.append, {"waits"})(Notice("waits", "a/b: rate limited: waiting 5 s"))
    assert lines(tmp_path)[-1].endswith('INFO told code=waits said="a/b: rate limited: waiting 5 s"')
    log("failed", words=words, status=400)
    assert lines(tmp_path)[-1].endswith("INFO failed status=400")
    log_of("debug")("refused", words=words, status=400)
    assert lines(tmp_path)[-2].endswith("INFO refused status=400")
    assert "DEBUG refused: my diary says" in lines(tmp_path)[-1]
    assert SECRET not in lines(tmp_path)[-1]
    log_of("off")("anything")
    assert len(lines(tmp_path)) == 4


def test_a_fact_is_short_and_on_one_line_whatever_it_has(log_of, tmp_path):
    log_of()("odd", model='a\nb "c" \x1b[2J\ud800' + "x" * 500, empty="")
    (line,) = lines(tmp_path)
    assert len(line) < 300
    assert "\x1b" not in line
    assert 'empty=""' in line


def test_its_owner_alone_may_read_it_and_it_is_bounded(log_of, tmp_path):
    before = os.umask(0)
    try:
        log = log_of("debug")
        for number in range(1_800):
            log.detail(f"line {number}", "word " * 390)
    finally:
        os.umask(before)
    files = sorted(file for file in (tmp_path / "log").iterdir() if file.suffix != ".lock")
    assert [file.name for file in files] == ["archivist.log", "archivist.log.1", "archivist.log.2"]
    assert all(file.stat().st_size <= 1_000_000 for file in files)
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
    assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o700
    assert lines(tmp_path)[-1].startswith("2026-05-01T12:00:00.000+00:00 DEBUG line 1799")


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from archivist.app.log import Log
log = Log(Path(sys.argv[1]), lambda: datetime.now(UTC), tell=print)
for number in range(int(sys.argv[3])):
    log("line", who=sys.argv[2], number=number, filler="x" * 100)
"""


def test_several_processes_write_whole_lines_and_lose_none_at_the_turn_of_a_file(log_of, tmp_path):
    log_of("debug").detail("first", "x")
    file = tmp_path / "log" / "archivist.log"
    with file.open("ab") as already:
        already.write(b"#" * 900_000 + b"\n")
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, tmp_path / "log", who, "500"], stdout=subprocess.PIPE)
        for who in "ab"
    ]
    for writer in writers:
        assert writer.communicate(timeout=60)[0] == b""
    both = (file.with_name("archivist.log.1").read_text() + file.read_text()).splitlines()
    for who in "ab":
        numbers = [line.split(" number=")[1].split()[0] for line in both if f" who={who} " in line]
        assert numbers == [str(number) for number in range(500)]


def test_where_nothing_can_be_written_it_is_said_once_and_nothing_fails(log_of, tmp_path, told, capfd):
    (tmp_path / "log").write_text("no folder")
    log = log_of()
    log("one")
    log("two")
    assert [notice.code for notice in told] == ["log-not-written"]
    (tmp_path / "log").unlink()
    (tmp_path / "log" / "archivist.log").mkdir(parents=True)
    log_of()("three")
    assert len(told) == 2
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name")
def test_a_pipe_or_a_link_in_its_place_is_not_followed(log_of, tmp_path, told):
    (tmp_path / "log").mkdir()
    file = tmp_path / "log" / "archivist.log"
    os.mkfifo(file)
    log_of()("one")
    file.unlink()
    file.symlink_to(tmp_path / "mine")
    log_of()("two")
    assert not (tmp_path / "mine").exists()
    assert len(told) == 2


ON_A_FULL_DISK = """
import resource, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from archivist.app.log import Log
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
log = Log(Path(sys.argv[1]), lambda: datetime.now(UTC), tell=lambda notice: print(notice.code))
log("one")
size = (Path(sys.argv[1]) / "archivist.log").stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
log("two")
log("three")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
log("four")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits")
def test_a_disk_that_is_full_is_told_once_and_written_again_when_it_has_room(tmp_path):
    command = [sys.executable, "-c", ON_A_FULL_DISK, tmp_path / "log"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("log-not-written\n", "", 0)
    assert [line.rpartition(" ")[2] for line in lines(tmp_path)] == ["one", "four"]


def test_doctor_names_it_and_a_backup_leaves_it_out(tmp_path):
    home = Home(tmp_path / "home")
    with Archivist.open(home.path, environ={}) as arc:
        open_log(home, {}, lambda: NOW, tell=print)("one")
        found = next(one for one in arc.doctor().findings if one.subject == "log")
        assert (found.verdict, str(home.log_folder / "archivist.log") in found.text) == ("ok", True)
        made = arc.backup(tmp_path / "backups")
    assert not list(made.path.rglob("archivist.log*"))


def test_nothing_logs_and_no_logging_is_loaded_before_a_line_is_written():
    program = "import sys, archivist.app.log; sys.exit('logging' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
