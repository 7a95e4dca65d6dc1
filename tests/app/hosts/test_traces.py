"""What hooks leave behind: small, derived, and never in anybody's way."""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from archivist import Archivist
from archivist.app.hosts.traces import Traces, is_as_stamped, stamps_of


@pytest.fixture
def traces(tmp_path: Path) -> Traces:
    return Traces(str(tmp_path), "claude-code")


def aged(traces: Traces, session: str, seconds: float) -> None:
    at = time.time() - seconds
    os.utime(traces._path("sessions", f"{session}.json"), (at, at))


def test_what_a_session_has_seen_is_added_to(traces):
    traces.see("s-1", stamps={"a": None})
    traces.see("s-1", recall="cue")
    assert traces.seen("s-1") == {"stamps": {"a": None}, "recall": "cue"}
    assert traces.seen("s-2") == {}


@pytest.mark.parametrize("name", ["../../up", "a/b", "", "x" * 200, ".", "a\0b"])
def test_a_name_that_could_be_a_path_is_not_written(traces, tmp_path, name):
    traces.see(name, a=1)
    assert traces.seen(name) == {}
    assert list(tmp_path.rglob("*.json")) == []


def test_files_are_as_they_were_until_one_changes(tmp_path):
    there, absent = tmp_path / "there", tmp_path / "absent"
    there.write_text("a")
    stamps = stamps_of([str(there), str(absent)])
    assert is_as_stamped(stamps)
    absent.write_text("")
    assert not is_as_stamped(stamps)
    absent.unlink()
    assert is_as_stamped(stamps)
    there.write_text("ab")
    assert not is_as_stamped(stamps)
    assert not is_as_stamped({})
    assert not is_as_stamped(None)


def test_transcripts_that_grew_since_are_behind_when_nobody_works_on_them(traces, tmp_path):
    paths = {name: tmp_path / f"{name}.jsonl" for name in ("quiet", "working", "asking", "stored")}
    for name, path in paths.items():
        path.write_text("12345")
        traces.see(name, transcript=str(path), stored=5 if name == "stored" else 3)
        aged(traces, name, 1 if name == "working" else 600)
    assert traces.behind("asking") == [("quiet", str(paths["quiet"]))]
    paths["quiet"].unlink()
    assert traces.behind("asking") == []


def test_a_session_whose_end_was_not_noted_is_behind_though_all_of_it_is_stored(traces, tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text("12345")
    traces.see("s-1", transcript=str(path), stored=5, ending="exit")
    aged(traces, "s-1", 600)
    assert traces.behind("s-2") == [("s-1", str(path))]
    traces.see("s-1", ending=None)
    aged(traces, "s-1", 600)
    assert traces.behind("s-2") == []


def test_of_many_that_write_at_once_nobody_loses_what_another_has_seen(traces, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "archivist.app.hosts.traces.LOCK_SECONDS", 60.0
    )  # on a busy machine a turn takes longer
    program = (
        "import sys; from archivist.app.hosts import traces as room; room.LOCK_SECONDS = 60.0\n"
        "traces = room.Traces(sys.argv[1], 'claude-code')\n"
        "for number in range(100): traces.see('s-1', **{f'{sys.argv[2]}-{number}': number})"
    )
    others = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), name]) for name in "ab"]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda n: traces.see("s-1", **{f"c-{n}": n}), range(100)))
    assert [other.wait() for other in others] == [0, 0]
    assert traces.seen("s-1") == {f"{name}-{number}": number for name in "abc" for number in range(100)}


def test_whoever_reads_meanwhile_finds_what_was_or_what_is(traces, monkeypatch):
    traces.see("s-1", ending="exit")
    path, replace = Path(traces._path("sessions", "s-1.json")), os.replace

    def watched(*names):
        assert json.loads(path.read_bytes()) == {"ending": "exit"}
        replace(*names)
        found.append(json.loads(path.read_bytes()))

    found: list[object] = []
    monkeypatch.setattr(os, "replace", watched)
    traces.see("s-1", stored=5)
    assert found == [{"ending": "exit", "stored": 5}]


def test_who_is_stopped_while_it_writes_keeps_nobody_for_long(traces, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    traces.see("s-1", a=1)
    with Path(traces._path("traces.lock")).open("rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        traces.see("s-1", b=1)  # comes back
    traces.see("s-1", c=1)
    assert traces.seen("s-1") == {"a": 1, "c": 1}


def test_old_ones_are_cleared(traces, tmp_path):
    traces.see("old", transcript=str(tmp_path / "x"))
    aged(traces, "old", 40 * 86_400)
    assert traces.behind("s-1") == []
    assert traces.seen("old") == {}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"at": "x", "trouble": 3}'])
def test_what_is_half_written_is_nothing(traces, content):
    traces.ran("Stop")
    Path(traces._path("Stop.json")).write_bytes(content)
    ((event, at, _, when),) = traces.runs(["Stop"])
    assert (event, when) == ("Stop", 0.0)
    assert at > 0


def test_where_there_is_no_home_none_is_made(tmp_path):
    traces = Traces(str(tmp_path / "none"), "claude-code")
    traces.ran("Stop", "trouble")
    traces.see("s-1", a=1)
    assert not (tmp_path / "none").exists()


def test_a_backup_leaves_them_out_and_nobody_reads_them(traces, tmp_path):
    traces.ran("Stop")
    with Archivist.open(tmp_path) as archivist:
        made = archivist.backup(tmp_path.parent / "copies")
    assert not list(made.path.rglob("Stop.json"))
    assert Path(traces._path("Stop.json")).stat().st_mode & 0o777 == 0o600
