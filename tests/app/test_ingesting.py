"""Keeping up with transcripts through the front door."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import apsw
import msgspec
import pytest

from archivist import Archivist, HistoryNotFound, PrintKeyUnreadable, Scope, UnknownHost
from archivist.app.hosts.unchanged import files_as_they_were
from archivist.app.ingesting import Ingested
from archivist.transfer.claude_code import stretches

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


def test_doctor_tells_what_waits_and_what_could_not_be_read(archivist, path):
    assert not [one for one in archivist.doctor().findings if one.subject == "transcripts"]
    write(path, line(1, "one"))
    [finding] = [one for one in archivist.doctor().findings if one.subject == "transcripts"]
    assert "none followed yet" in finding.text
    archivist.ingest()
    [finding] = [one for one in archivist.doctor().findings if one.subject == "transcripts"]
    assert (finding.verdict, finding.numbers["bytes_behind"]) == ("ok", 0)
    assert "nothing waits" in finding.text
    write(path, line(2, "two"), mode="a")
    [finding] = [one for one in archivist.doctor().findings if one.subject == "transcripts"]
    assert (finding.verdict, finding.numbers["files_behind"]) == ("ok", 1)
    assert finding.numbers["bytes_behind"] == len(json.dumps(line(2, "two"))) + 1
    os.utime(path, (0, 0))
    [finding] = [one for one in archivist.doctor().findings if one.subject == "transcripts"]
    assert finding.verdict == "warning"


def test_doctor_tells_in_the_owners_zone_when_it_was_read(tmp_path, path):
    (tmp_path / "config.toml").write_text('timezone = "Asia/Shanghai"\n')
    write(path, line(1, "one"))
    now = datetime(2026, 3, 1, 20, 30, tzinfo=UTC)
    with Archivist.open(tmp_path, clock=lambda: now, environ={"HOME": str(tmp_path)}) as archivist:
        archivist.ingest()
        [finding] = [one for one in archivist.doctor().findings if one.subject == "transcripts"]
    assert "last read 2026-03-02 04:30" in finding.text


def test_a_transcript_that_cannot_be_read_is_a_notice_until_it_can(archivist, path, monkeypatch):
    write(path, line(1, "one"))
    monkeypatch.setattr("archivist.transfer.claude_code.stretches.lines_in", refuse)
    done = archivist.ingest()
    assert [notice.code for notice in done.notices] == ["not-read"]
    told = [one.text for one in archivist.doctor().findings if one.subject == "transcripts"]
    assert any("no such luck" in text for text in told), told
    monkeypatch.undo()
    assert archivist.ingest().added == 1
    assert not [one for one in archivist.doctor().findings if "no such luck" in one.text]


def refuse(*_):
    raise OSError(5, "no such luck")


def test_a_deleted_conversation_stays_away_and_the_next_lines_too(archivist, path):
    write(path, line(1, "one"))
    archivist.ingest()
    archivist.sessions.delete(SESSION)
    write(path, line(2, "two"), mode="a")
    assert archivist.ingest().added == 0
    assert archivist.counts()["messages"] == 0


def test_of_a_deleted_conversation_no_word_stays_in_what_is_kept_of_its_file(archivist, path):
    write(
        path,
        line(1, "the lantern word"),
        {"type": "custom-title", "customTitle": "the quayside title", "sessionId": SESSION},
    )
    archivist.ingest()
    archivist.sessions.delete(SESSION)
    archivist.ingest()
    for text in ("lantern word", "quayside title"):
        assert archivist.verify(absent=text).is_absent, archivist.verify(absent=text).places


def test_a_session_is_kept_for_the_project_of_its_folder(archivist, path, tmp_path):
    folder = tmp_path / "src" / "tide"
    folder.mkdir(parents=True)
    write(path, line(1, "one", cwd=str(folder)))
    archivist.ingest()
    assert archivist.sessions.get(SESSION).record().scope.project == str(folder)


def test_without_a_program_there_is_nothing_to_do(archivist, tmp_path):
    assert archivist.ingest() == Ingested("claude-code")
    with pytest.raises(HistoryNotFound):
        archivist.ingest(folder=tmp_path / "none")


def test_where_the_program_was_told_to_keep_its_files_they_are_found(tmp_path):
    environ = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}
    write(tmp_path / "elsewhere" / "projects" / "-src" / f"{SESSION}.jsonl", line(1, "one"))
    with Archivist.open(tmp_path / "home", environ=environ) as archivist:
        assert archivist.ingest().added == 1


def test_a_restored_database_is_read_on_from_where_it_was(archivist, path):
    write(path, line(1, "one"))
    archivist.ingest()
    backup = archivist.backup(secrets=True).path
    assert not (backup / "prints.key").exists()
    write(path, line(2, "two"), mode="a")
    archivist.ingest()
    archivist.restore(backup, dry_run=False)
    assert archivist.counts()["messages"] == 1
    assert archivist.ingest().added == 1
    assert archivist.verify().problems == ()


def test_without_its_key_everything_is_known_all_the_same(archivist, path):
    write(path, line(1, "one"), line(2, "two"))
    archivist.ingest()
    archivist.home.print_key_file.unlink()
    assert archivist.ingest().added == 0
    write(path, line(1, "one"), line(2, "other"))
    done = archivist.ingest()
    assert (done.added, done.branched) == (1, 1)


def test_a_key_that_cannot_be_read_now_is_not_replaced(archivist, path):
    write(path, line(1, "one"))
    archivist.ingest()
    key, aside = archivist.home.print_key_file, archivist.home.path / "aside.key"
    key.rename(aside)
    key.mkdir()  # as good as any reason for which reading fails
    write(path, line(2, "two"), mode="a")
    with pytest.raises(PrintKeyUnreadable, match="nothing was stored"):
        archivist.ingest()
    key.rmdir()
    aside.rename(key)
    assert archivist.ingest().added == 1
    assert archivist.counts()["messages"] == 2


HEAD, PART = "UPDATE followed SET state = ?", "UPDATE followed_parts SET part = ?"


@pytest.mark.parametrize(
    ("change", "value"),
    [
        (HEAD, b"\xc1"),
        (HEAD, b""),
        (HEAD, msgspec.msgpack.encode([1, 2])),
        (HEAD, msgspec.msgpack.encode({"revision": 99})),
        (HEAD, msgspec.msgpack.encode({"streams": [[1, 2]]})),
        (HEAD, "text"),
        (PART, b"\xc1"),
        (PART, b""),
        (PART, msgspec.msgpack.encode([[[7, 8, b""]], [], [], []])),
        (PART, msgspec.msgpack.encode([[[b"x" * 16, True, b""]], [], [], []])),
        (PART, "text"),
        ("UPDATE followed SET look = ?", "not a look"),
        ("UPDATE followed SET edges = ?", "not edges"),
    ],
)
def test_a_file_of_which_something_unreadable_is_kept_is_read_anew(archivist, path, change, value):
    write(path, line(1, "one"), line(2, "two"))
    archivist.ingest()
    with apsw.Connection(str(archivist.home.state_file)) as db:
        db.execute(change, (value,))
    db.close()
    write(path, line(3, "three"), mode="a")
    done = archivist.ingest("claude-code", transcript=path)
    assert (done.added, done.branched, done.notices) == (1, 0, ())
    write(path, line(4, "four"), mode="a")
    done = archivist.ingest()
    assert (done.added, done.branched, done.notices) == (1, 0, ())
    assert archivist.verify().problems == ()


def test_what_was_kept_by_another_revision_is_read_anew_and_what_is_gone_is_a_branch(archivist, path):
    write(path, line(1, "one"), line(2, "two"))
    archivist.ingest()
    with apsw.Connection(str(archivist.home.state_file)) as db:
        kept = msgspec.msgpack.decode(db.execute("SELECT state FROM followed").get)
        db.execute("UPDATE followed SET state = ?", (msgspec.msgpack.encode(kept | {"revision": 99}),))
    db.close()
    write(path, line(1, "one"), line(3, "three", parent=f"{SESSION[:8]}-1"))
    done = archivist.ingest()
    assert (done.added, done.branched, done.notices) == (1, 1, ())


def run(tmp_path, *arguments):
    program = Path(sys.executable).with_name("archivist")
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [program, "--home", tmp_path / "home", "ingest", *arguments],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_glance_says_what_a_look_would_say(path, tmp_path, form):
    write(path, line(1, "one"))
    write(
        path.with_suffix("") / "subagents" / "agent-1.jsonl",
        line(1, "find it", agentId="1", isSidechain=True),
    )
    for one in (path, path.with_suffix("") / "subagents" / "agent-1.jsonl"):
        os.utime(one, ns=(1, 1_700_000_000_000_000_001))
    assert "2 new messages in 2 sessions" in run(tmp_path)
    glanced = run(tmp_path, "--transcript", path, *form)
    assert files_as_they_were(str(tmp_path / "home"), None, "claude-code", path, 1_700_000_000.0) == 2
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as archivist:
        looked = archivist.ingest(transcript=path)
    assert looked.unchanged == 2
    if form:
        assert msgspec.json.decode(glanced, type=Ingested) == looked
    else:
        assert glanced == "claude-code  0 new messages in 0 sessions; 0 messages moved; 2 files as before\n"


def recalled(session, answer):
    """Lines of a session in which a model asks Archivist's own tool, and is answered."""
    call = {
        "type": "tool_use",
        "id": "t1",
        "name": "mcp__plugin_archivist_archivist__recall",
        "input": {"query": "bell"},
    }
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": answer}]}
    asked = {"id": "m2", "role": "assistant", "content": [call], "stop_reason": "tool_use"}
    return [
        line(1, "when does it ring?", session=session),
        line(2, "", session=session, type="assistant", requestId="r2", message=asked),
        line(3, [result], session=session),
    ]


def test_what_a_model_recalled_is_not_told_twice_and_goes_with_the_conversation_that_it_quotes(
    archivist, path, tmp_path
):
    # what was recalled, taken in again as something new: https://github.com/mem0ai/mem0/issues/4573
    write(path, line(1, "the harbour bell rings at noon"))
    archivist.ingest()
    other = "22222222-2222-4222-8222-222222222222"
    first, *rest = recalled(other, json.dumps({"hits": [{"text": "the harbour bell rings at noon"}]}))
    transcript = write(path.with_name(f"{other}.jsonl"), first, rest[0])
    os.utime(
        transcript, (0, 0)
    )  # nobody writes: the call is stored in a stretch of its own, its result in the next
    assert archivist.ingest().added == 2
    os.utime(write(transcript, rest[1], mode="a"), (0, 0))
    assert archivist.ingest().added == 1
    [hit] = archivist.recall("harbour bell").hits
    assert hit.role == "user"
    assert archivist.import_history(tmp_path / ".claude").changed_nothing
    archivist.sessions.delete(SESSION)
    assert archivist.recall("harbour bell").hits == ()
    assert archivist.verify(absent="bell rings at noon").places == ()


# ---- whose it is ----


def held_in(tmp_path, *folders):
    """Sessions, one in each of some folders, whose words name it."""
    for number, folder in enumerate(folders, start=1):
        session = f"{number:08d}-0000-4000-8000-000000000000"
        place = tmp_path / ".claude" / "projects" / f"-{number}" / f"{session}.jsonl"
        write(place, line(1, f"the lantern of {folder.name or 'root'}", session=session, cwd=str(folder)))


@pytest.mark.parametrize("is_imported", [False, True])
def test_what_was_said_in_a_home_folder_or_in_the_root_is_the_owners_in_every_project(
    archivist, tmp_path, is_imported
):
    held_in(tmp_path, tmp_path, Path("/"), tmp_path / "tide", tmp_path / "reef")
    if is_imported:
        archivist.import_history(tmp_path / ".claude")
    else:
        archivist.ingest()
    nowhere, tide = {f"the lantern of {tmp_path.name}", "the lantern of root"}, "the lantern of tide"
    for project, seen in ((None, nowhere), (str(tmp_path / "tide"), {*nowhere, tide})):
        found = archivist.recall("lantern", scope=Scope("owner", project=project)).hits
        assert {hit.text for hit in found} == seen


# ---- what cannot be read ----


def test_lines_that_cannot_be_read_are_told_once_and_stop_nothing(archivist, path, tmp_path):
    write(path, line(1, "one"))
    with path.open("ab") as file:
        file.write(b"\0" * 5_000 + b"\n" + b'{"type": "user"\n' + b"\n")
    write(path, line(2, "two"), mode="a")
    with path.open("ab") as file:
        file.write(b'{"type": "user", "uu')  # is still being written
    first, second = archivist.ingest(), archivist.ingest()
    assert (first.added, first.flaws, first.notices) == (2, {"invalid JSON": 2}, ())
    assert (second.added, second.flaws) == (0, {})
    command = [str(Path(sys.executable).parent / "archivist"), "--home", str(tmp_path / "other"), "ingest"]
    ran = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "HOME": str(tmp_path)}, check=True
    )
    assert "2 lines could not be read and are not kept (2 invalid JSON)" in ran.stderr


def test_each_stretch_tells_of_its_own_lines_that_cannot_be_read(archivist, path, monkeypatch):
    monkeypatch.setattr(stretches, "STRETCH_BYTES", 1)
    write(path, line(1, "one"))
    for number in (2, 3):
        with path.open("a") as file:
            file.write("no line of a transcript\n")
        write(path, line(number, f"said {number}"), mode="a")
    assert archivist.ingest().flaws == {"invalid JSON": 2}
