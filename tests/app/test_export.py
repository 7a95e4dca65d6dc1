"""Exporting through the front door: whole files, one moment, in bounded memory."""

import io
import json
import os
import tracemalloc

import pytest
from msgspec.structs import replace

from archivist import (
    EVERYTHING,
    Archivist,
    ExportExists,
    ExportRefused,
    FileNotWritten,
    Message,
    Part,
    UnknownExportFormat,
    UnknownSession,
)
from archivist.app import exporting


@pytest.fixture
def home(tmp_path):
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as opened:
        session = opened.sessions.start("cli", title="Trip")
        session.append_many([Message.user("plan a trip"), Message.assistant("to Oslo")])
        yield opened


def records(data):
    return [json.loads(line) for line in data.splitlines()]


def test_a_stream_gets_jsonl_and_the_report_says_what_went_into_it(home):
    stream = io.BytesIO()
    report = home.sessions.export(None, stream)
    assert (report.format, report.path) == ("jsonl", None)
    assert (report.conversations, report.sessions, report.messages) == (1, 1, 2)
    assert report.bytes == len(stream.getvalue())
    assert [one["type"] for one in records(stream.getvalue())] == ["header", "session", "message", "message"]


def test_a_home_without_conversations_gives_a_file_that_can_be_imported(tmp_path):
    with Archivist.open(tmp_path / "empty") as empty:
        for name in ("a.json", "a.jsonl", "a.md"):
            empty.sessions.export(None, tmp_path / name)
            assert empty.import_history(tmp_path / name).read == 0


@pytest.mark.parametrize(
    "place",
    [
        "state.db",
        "state.db-wal",
        "index.db",
        "erased.jsonl",
        "config.toml",
        "safety.lock",
        ".env",
        "media/ab/x.jsonl",
        "backups/x/state.db",
        "spool/x.jsonl",
        "aside/x.jsonl",
        "profiles/second/state.db",
    ],
)
def test_an_export_never_takes_the_place_of_what_a_home_needs(home, tmp_path, place):
    (tmp_path / "home" / "profiles" / "second").mkdir(parents=True)
    (tmp_path / "home" / "profiles" / "second" / "state.db").write_bytes(b"another home")
    (tmp_path / "link").symlink_to(tmp_path / "home")
    for path in (tmp_path / "home" / place, tmp_path / "link" / place):
        before = path.read_bytes() if path.exists() else None
        with pytest.raises(ExportRefused, match="home"):
            home.sessions.export(None, path, replace=True)
        assert (path.read_bytes() if path.exists() else None) == before
    home.sessions.export(None, tmp_path / "home" / "trip.jsonl")
    assert home.verify().is_clean


def test_an_export_takes_the_place_of_files_alone(home, tmp_path):
    (tmp_path / "mine").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "home"):
        with pytest.raises(ExportRefused, match="no regular file"):
            home.sessions.export(None, tmp_path / name, replace=True)
    assert (tmp_path / "link").is_symlink()


def test_a_file_that_is_there_is_kept_unless_it_is_to_be_replaced(home, tmp_path):
    path = tmp_path / "trip.md"
    path.write_text("mine")
    with pytest.raises(ExportExists, match="--force"):
        home.sessions.export(None, path)
    assert path.read_text() == "mine"
    home.sessions.export(None, path, replace=True)
    assert "to Oslo" in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_came_meanwhile_is_kept_too(home, tmp_path, monkeypatch):
    path = tmp_path / "trip.jsonl"
    write = exporting._Export.write

    def slow(export, stream):
        write(export, stream)
        path.write_text("another's")

    monkeypatch.setattr(exporting._Export, "write", slow)
    with pytest.raises(ExportExists):
        home.sessions.export(None, path)
    assert path.read_text() == "another's"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["home", "trip.jsonl"]


def test_an_export_that_fails_leaves_nothing(home, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileNotWritten):
        home.sessions.export(None, tmp_path / "file" / "trip.json")
    with pytest.raises(UnknownExportFormat, match="jsonl, json, markdown"):
        home.sessions.export(None, tmp_path / "trip.pdf", "pdf")
    with pytest.raises(UnknownSession):
        home.sessions.export("nowhere", tmp_path / "trip.json")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "home"]


def test_what_is_written_meanwhile_is_not_in_it(home):
    class Busy(io.BytesIO):
        """Somebody writes to the home with every piece."""

        def write(self, piece):
            session.append(Message.user("written meanwhile"))
            return super().write(piece)

    session = home.sessions.get(home.sessions.browse().sessions[0].id)
    stream = Busy()
    home.sessions.export(None, stream)
    assert b"written meanwhile" not in stream.getvalue()
    assert len(session.messages("all")) == 2 + 4


def test_memory_does_not_grow_with_the_conversation(home, tmp_path):
    session = home.sessions.start("cli")
    for number in range(40):
        session.append_many([Message.user(f"{number}-{turn} " + "word " * 2_000) for turn in range(20)])
    path = tmp_path / "long.jsonl"
    with Archivist.open(tmp_path / "other") as other:
        home.sessions.export(None, tmp_path / "warm.jsonl")  # loads what it needs
        tracemalloc.start()
        home.sessions.export(None, path)
        exported = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        other.import_history(path)
        imported = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert path.stat().st_size > 8_000_000
    assert exported < 2_000_000
    assert imported < 20_000_000  # a batch of the store is 2 million characters, and its rows


def test_everything_that_an_agent_did_comes_back(home, tmp_path):
    """Undo and fork as the program makes them, not as a test writes them."""
    session = home.sessions.start("cli")
    session.append_many(
        [Message.user("one"), Message.assistant("1"), Message.user("two"), Message.assistant("2")]
    )
    if not hasattr(home.sessions, "undo"):
        pytest.skip("no undo")
    home.sessions.undo(session.id)
    path = tmp_path / "all.jsonl"
    home.sessions.export(None, path)
    with Archivist.open(tmp_path / "other") as other:
        other.import_history(path)
        states = [(one.text, one.state) for one in other.sessions.get(session.id).messages("all")]
        assert states == [(one.text, one.state) for one in session.messages("all")]
        assert ("two", "undone") in states
        other.sessions.redo(session.id)
        assert all(one.state == "active" for one in other.sessions.get(session.id).messages("all"))


def test_the_owner_sees_their_own_and_the_command_line_everything(home):
    from archivist import Scope

    group = home.sessions.start("telegram", scope=Scope(chat="team"))
    group.append(replace(Message.user("for the group"), speaker="ann"))

    def exported(scope):
        stream = io.BytesIO()
        home.sessions.export(None, stream, "markdown", scope=scope)
        return stream.getvalue().decode()

    assert "for the group" not in exported(None)
    assert "## ann · " in exported(EVERYTHING)


def test_what_is_deleted_while_an_export_runs_is_not_called_missing(home):
    session = home.sessions.start("cli")
    picture = Part("image", media_type="image/png", data=b"picture")
    session.append_many([Message.user("look"), Message("user", "this", parts=(picture,))])

    class Deleting(io.BytesIO):
        def write(self, piece):
            if b"look" in piece:
                home.sessions.delete(session.id)
            return super().write(piece)

    assert home.sessions.export(session.id, Deleting()).notices == ()


def test_bytes_that_are_gone_without_a_deletion_are_told_as_missing(home):
    picture = Part("image", media_type="image/png", data=b"picture")
    home.sessions.start("cli").append(Message("user", "this", parts=(picture,)))
    [blob] = (home.home.path / "media").glob("*/*")
    blob.unlink()
    [notice] = home.sessions.export(None, io.BytesIO()).notices
    assert "1 blob are" not in notice.text
    assert "1 blob" in notice.text
