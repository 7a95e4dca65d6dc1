"""Keeping up with transcripts through the front door."""

import json

import pytest

from archivist import Archivist, HistoryNotFound, UnknownHost

SESSION = "11111111-1111-4111-8111-111111111111"


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as opened:
        yield opened


def line(number, text, *, session=SESSION, parent=..., **fields):
    """A person's line, behind the one before it."""
    before = f"{session[:8]}-{number - 1}" if number > 1 else None
    return {
        "type": "user", "uuid": f"{session[:8]}-{number}", "parentUuid": before if parent is ... else parent,
        "sessionId": session, "isSidechain": False, "timestamp": f"2026-03-01T10:00:{number:02d}Z", "cwd": "/src/tide",
        "message": {"role": "user", "content": text},
    } | fields  # fmt: skip


def write(path, *lines, mode="w"):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open(mode) as file:
        file.writelines(json.dumps(one) + "\n" for one in lines)
    return path


@pytest.fixture
def path(tmp_path):
    return tmp_path / ".claude" / "projects" / "-src-tide" / f"{SESSION}.jsonl"


def test_what_is_new_in_a_transcript_is_stored_and_found(archivist, path):
    write(path, line(1, "the harbour bell rings at noon"))
    assert archivist.ingest().added == 1
    write(path, line(2, "the lighthouse keeper is called Ada"), mode="a")
    done = archivist.ingest("claude-code", transcript=path)
    assert (done.added, done.sessions, done.unchanged) == (1, 1, 0)
    assert archivist.recall("who is the lighthouse keeper?").hits[0].text.startswith("the lighthouse")
    assert archivist.ingest().unchanged == 1


def test_an_import_and_an_ingest_bring_in_nothing_twice(archivist, path, tmp_path):
    write(path, line(1, "one"), line(2, "two"))
    archivist.ingest()
    assert archivist.import_history(tmp_path / ".claude").changed_nothing
    write(path, line(3, "three"), mode="a")
    assert archivist.import_history(tmp_path / ".claude").messages == 1
    assert archivist.ingest().added == 0


def test_what_is_not_there_is_named(archivist, tmp_path):
    assert archivist.ingest().added == 0
    with pytest.raises(HistoryNotFound):
        archivist.ingest(transcript=tmp_path / "none.jsonl")
    with pytest.raises(UnknownHost, match="claude-code"):
        archivist.ingest("nobody")
