"""Transcripts are kept up with whatever happens to whoever reads them: nothing is lost, and nothing is there twice."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.promises.test_nothing_lost import VICTIM, kill_after, spawn, stored_messages, write_history

from archivist import Archivist


def each_once(archivist, messages):
    """Whether every line is stored, and stored once."""
    rows = Counter(archivist._store.read(lambda db: db.execute("SELECT client_id FROM messages").fetchall()))
    return len(rows) == messages and set(rows.values()) == {1}


@pytest.mark.parametrize("stretches", [1, 2, 5, 9, 14])
def test_who_follows_may_be_killed_at_any_moment(tmp_path, stretches):
    messages = write_history(tmp_path / "history", sessions=3, turns=60)
    said = kill_after(spawn("ingest", tmp_path / "home", stretches), stretches, 0.005 * (stretches % 3))
    with Archivist.open(tmp_path / "home") as archivist:
        stored = stored_messages(archivist)
        assert stored >= sum(line.startswith("stored") for line in said) - 1
        offsets = archivist._store.read(lambda db: db.execute("SELECT path, offset FROM followed").fetchall())
        behind = sum(lines_before(path, offset) for path, offset in offsets) - stored
        assert (
            0 <= behind <= len(offsets)
        )  # the last response of a stretch waits: another line of it may follow
        assert archivist.verify().problems == ()
        archivist.ingest(folder=tmp_path / "history" / "projects")
        assert each_once(archivist, messages)
        assert archivist.ingest(folder=tmp_path / "history" / "projects").unchanged == 3
        assert archivist.import_history(tmp_path / "history").changed_nothing


def lines_before(path, offset):
    with Path(path).open("rb") as file:
        return file.read(offset).count(b"\n")


def test_several_that_follow_the_same_transcripts_at_once_store_each_line_once(tmp_path):
    messages = write_history(tmp_path / "history", sessions=4, turns=80)
    Archivist.open(tmp_path / "home").close()
    running = [spawn("ingest", tmp_path / "home", seed) for seed in range(4)]
    said = [process.communicate() for process in running]
    assert not [errors for _, errors in said if errors]
    added = sum(int(out.splitlines()[-1].split()[1]) for out, _ in said)
    with Archivist.open(tmp_path / "home") as archivist:
        archivist.ingest(folder=tmp_path / "history" / "projects")
        assert added == messages
        assert each_once(archivist, messages)


def test_a_transcript_that_grows_while_it_is_followed_is_whole_in_the_end(tmp_path):
    """One process writes line by line, half lines too, while others follow."""
    messages = write_history(tmp_path / "source", sessions=1, turns=150)
    [source] = (tmp_path / "source" / "projects" / "-src-tide").glob("*.jsonl")
    target = tmp_path / "history" / "projects" / "-src-tide" / source.name
    target.parent.mkdir(parents=True)
    target.touch()
    Archivist.open(tmp_path / "home").close()
    running = []
    with target.open("ab", buffering=0) as file:
        for number, line in enumerate(source.read_bytes().splitlines(keepends=True)):
            file.write(line[:40])
            if number % 50 == 20:
                running.append(spawn("ingest", tmp_path / "home", number))
            file.write(line[40:])
    assert not [errors for process in running for errors in [process.communicate()[1]] if errors]
    with Archivist.open(tmp_path / "home") as archivist:
        archivist.ingest(folder=tmp_path / "history" / "projects")
        assert each_once(archivist, messages)
        assert archivist.verify().problems == ()


def test_the_command_says_what_it_did_and_what_it_could_not_read(tmp_path):
    assert VICTIM.is_file()
    messages = write_history(tmp_path / "history", sessions=1, turns=10)
    command = [
        sys.executable,
        "-m",
        "archivist.surfaces.cli",
        "--home",
        str(tmp_path / "home"),
        "ingest",
        "--json",
    ]
    command += ["--folder", str(tmp_path / "history" / "projects")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["added"] == messages


FORK = "0000000f-aaaa-4bbb-8ccc-000000000000"


def write_fork(folder, *, own):
    """A file that repeats the history's only session and goes on, while that one's is cut to its first lines; returns what each says."""
    [origin] = (folder / "projects" / "-src-tide").glob("*.jsonl")
    lines = origin.read_text().splitlines()
    repeated = [line.replace(origin.stem, FORK) for line in lines]
    parent = json.loads(lines[-1])["uuid"]
    for number in range(own):
        line = json.loads(repeated[0]) | {
            "uuid": f"0000000f-0000-4000-8000-{number:012d}",
            "parentUuid": parent,
        }
        line["message"] = {"role": "user", "content": f"the fork says {number}"}
        line["timestamp"] = f"2026-04-01T10:00:{number:02d}.000Z"
        repeated.append(json.dumps(line))
        parent = line["uuid"]
    origin.with_name(f"{FORK}.jsonl").write_text("".join(f"{line}\n" for line in repeated))
    return origin, lines, [said(line) for line in repeated]


def said(line):
    content = json.loads(line)["message"]["content"]
    return content if isinstance(content, str) else content[0]["text"]


@pytest.mark.parametrize("stretches", [1, 4, 9, 15, 20])
def test_who_follows_a_fork_may_be_killed_at_any_moment(tmp_path, stretches):
    """The fork reads as a whole and its origin as it was cut, whatever was stored of either when it happened."""
    write_history(tmp_path / "history", sessions=1, turns=60)
    origin, lines, told = write_fork(tmp_path / "history", own=20)
    kill_after(spawn("ingest", tmp_path / "home", stretches), stretches, 0.004 * (stretches % 3))
    origin.write_text("".join(f"{line}\n" for line in lines[:6]))
    kill_after(spawn("ingest", tmp_path / "home", stretches), 2)
    with Archivist.open(tmp_path / "home") as archivist:
        archivist.ingest(folder=tmp_path / "history" / "projects")
        assert [one.text for one in archivist.sessions.get(FORK).messages("context")] == told
        assert [one.text for one in archivist.sessions.get(origin.stem).messages("context")] == told[:6]
        assert each_once(archivist, len(told))
        archivist.catch_up()
        hits = archivist.sessions.search('"message 41 of talk0"', limit=9).hits
        assert [hit.text.count("message 41 ") for hit in hits] == [1]
        assert archivist.verify().problems == ()
        assert archivist.import_history(tmp_path / "history").messages == 0
