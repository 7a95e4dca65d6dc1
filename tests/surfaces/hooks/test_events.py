"""What a host's session is given and what is kept of it; hooks are started as they were installed."""

import json
import os
import subprocess
from pathlib import Path

import apsw
import pytest

from archivist import AmbiguousSession, Archivist, Scope, UnknownSession
from archivist.app.hosts.traces import Traces
from archivist.app.ingesting import Ingested
from archivist.surfaces.hooks import answering
from archivist.surfaces.hooks.event import Event

CLOSING = "</memory-context>"


def opened(home: Path) -> Archivist:
    return Archivist.open(home)


def note(home: Path, text: str, **where: object) -> None:
    with opened(home) as archivist:
        archivist.notes.add("memory", text, **where)


def test_a_session_begins_with_what_is_noted_as_background(host, noted):
    told = host.tell("SessionStart", source="startup")
    assert told.code == 0
    assert noted in told.context
    assert told.context.startswith('<memory-context source="archivist" session="s-1" snapshot="')
    assert told.context.endswith(CLOSING)
    assert "not a request" in told.context
    assert not told.message


def test_a_beginning_says_how_many_proposals_wait(host, home):
    note(home, "The staging port is 8080")
    note(home, "The staging port is 9090")
    assert (
        host.tell("SessionStart", source="startup").message
        == "archivist: 1 proposal waits for you: `archivist review list`"
    )


def test_nothing_is_said_where_nothing_is_noted(host):
    told = host.tell("SessionStart", source="startup")
    assert (told.code, told.stdout, told.stderr) == (0, b"", "")


def test_what_a_session_was_given_is_found_by_any_of_its_ids_before_its_first_stop_too(host, home, noted):
    host.tell("SessionStart", "one-of-the-host", source="startup")
    note(home, "Deploys happen on Tuesdays")
    with opened(home) as archivist:
        given = archivist.given_snapshot(host="claude-code", host_session="one-of-the-host")
        assert noted in given.text
        for name in ("one-of-the-host", "one-of"):
            assert archivist.snapshot_given_to(name) == given
    host.say("one-of-the-host", "hello", "hi")
    host.tell("Stop", "one-of-the-host")
    with opened(home) as archivist:
        (session,) = archivist.sessions.browse().sessions
        for name in ("one-of-the-host", "one-of", session.id, session.id[:8]):
            assert archivist.snapshot_given_to(name) == given
        with pytest.raises(UnknownSession):
            archivist.snapshot_given_to("two")
        archivist.snapshot(Scope(), host="claude-code", host_session="one-of-others")
        with pytest.raises(AmbiguousSession):
            archivist.snapshot_given_to("one-of")


def test_what_changes_meanwhile_comes_with_the_next_prompt_once(host, home, noted):
    host.tell("SessionStart", source="startup")
    assert not host.tell("UserPromptSubmit", prompt="go on").context
    note(home, "Deploys happen on Tuesdays")
    told = host.tell("UserPromptSubmit", prompt="go on")
    assert "Deploys happen on Tuesdays" in told.context
    assert noted not in told.context
    assert not host.tell("UserPromptSubmit", prompt="go on").context


def test_a_resume_is_told_only_what_changed_and_a_clear_or_compaction_everything(host, home, noted):
    host.tell("SessionStart", source="startup")
    assert not host.tell("SessionStart", source="resume").context
    note(home, "Deploys happen on Tuesdays")
    resumed = host.tell("SessionStart", source="resume").context
    assert "Deploys" in resumed
    assert noted not in resumed
    compacted = host.tell("SessionStart", source="compact", model="claude-opus-5-5").context
    assert "Deploys" in compacted
    assert noted in compacted
    assert noted in host.tell("SessionStart", "s-2", source="clear").context


def test_a_session_that_began_without_archivist_is_given_notes_when_it_goes_on(host, noted):
    host.say("s-1", "before it was installed", "yes")
    assert noted in host.tell("SessionStart", source="resume").context
    assert not host.tell("UserPromptSubmit", prompt="go on").context


def test_a_session_whose_beginning_failed_is_given_notes_with_its_second_prompt(host, noted):
    assert not host.tell("UserPromptSubmit", prompt="hello").context
    host.say("s-1", "hello", "hi")
    assert noted in host.tell("UserPromptSubmit", prompt="go on").context


def test_a_fork_has_what_its_parent_was_given_and_is_told_only_what_changed(host, home, noted):
    given = host.tell("SessionStart", source="startup").context
    assert not host.tell("SessionStart", "fork", source="fork").context
    assert not host.tell("UserPromptSubmit", "fork", prompt="hello").context
    path = host.transcript("fork")
    path.parent.mkdir(parents=True)
    carried = {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [given]}}
    path.write_text(json.dumps(carried) + "\n")
    note(home, "Deploys happen on Tuesdays")
    told = host.tell("UserPromptSubmit", "fork", prompt="and now").context
    assert "Deploys" in told
    assert noted not in told
    with opened(home) as archivist:
        of_parent = archivist.given_snapshot(host="claude-code", host_session="s-1")
        assert archivist.given_snapshot(host="claude-code", host_session="fork") == of_parent


def test_a_transcript_that_only_speaks_of_a_snapshot_makes_no_parent_of_it(host, noted):
    path = host.transcript("s-1")
    path.parent.mkdir(parents=True)
    fence = '<memory-context source="archivist" session="other" snapshot="0123456789abcdef">'
    path.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": fence}}) + "\n")
    assert noted in host.tell("UserPromptSubmit", prompt="go on").context


def test_no_note_ends_the_fence(host, home):
    note(home, "Write </memory-context> and < /Memory-Context > as they are")
    context = host.tell("SessionStart", source="startup").context
    assert context.lower().count("</memory-context") == 1
    assert context.endswith(CLOSING)


def test_notes_of_a_project_are_for_its_sessions_alone(host, home, tmp_path):
    note(home, "The owner prefers tabs")
    note(home, "This project uses pytest", scope=Scope(project=os.path.realpath(host.folder)))
    here = host.tell("SessionStart", source="startup").context
    assert "pytest" in here
    assert "tabs" in here
    other = tmp_path / "other"
    other.mkdir()
    there = host.tell("SessionStart", "s-2", source="startup", cwd=str(other)).context
    assert "pytest" not in there
    assert "tabs" in there


@pytest.mark.parametrize("where", ["/", "{home}"])
def test_the_root_and_the_home_folder_are_no_projects(host, home, tmp_path, where):
    user = tmp_path / "user"
    user.mkdir()
    cwd = where.format(home=user)
    note(home, "Only for that folder", scope=Scope(project=cwd))
    note(home, "For everywhere")
    context = host.tell("SessionStart", source="startup", cwd=cwd).context
    assert "For everywhere" in context
    assert "Only for that folder" not in context


def test_what_was_said_is_kept_at_the_end_of_a_turn_and_found(host, home):
    host.say("s-1", "My code word is ZEBRA-77", "I will remember it.")
    assert host.tell("Stop", stop_hook_active=False).stdout == b""
    host.say("s-1", "And the other one is OKAPI-78", "Yes.")
    host.tell("SubagentStop", agent_transcript_path=str(host.transcript("s-1")))
    with opened(home) as archivist:
        assert [hit.text for hit in archivist.recall("ZEBRA-77").hits] == ["My code word is ZEBRA-77"]
        assert len(archivist.recall("OKAPI-78").hits) == 1
        assert archivist.counts()["messages"] == 4


def test_a_session_ends_when_the_host_says_so_and_again_after_a_resume(host, home):
    host.say("s-1", "hello", "hi")
    assert host.end(reason="prompt_input_exit").stdout == b""
    with opened(home) as archivist:
        session = archivist.sessions.of_host("claude-code", "s-1")
        first = session.record()
    assert first.ended_at is not None
    assert first.end_reason == "prompt_input_exit"
    host.say("s-1", "again", "yes")
    host.end()
    with opened(home) as archivist:
        last = archivist.sessions.of_host("claude-code", "s-1").record()
    assert last.ended_at > first.ended_at


def test_a_session_in_which_nothing_was_said_leaves_nothing(host, home):
    assert host.tell("Stop").stdout == b""
    told = host.tell("SessionEnd", reason="other")
    assert (told.code, told.stdout, told.stderr) == (0, b"", "")
    with opened(home) as archivist:
        assert archivist.counts()["messages"] == 0


def test_a_compaction_is_ingested_first(host, home):
    host.say("s-1", "remember the quay", "yes")
    assert host.tell("PreCompact", trigger="auto", custom_instructions=None).stdout == b""
    with opened(home) as archivist:
        assert archivist.counts()["messages"] == 2


@pytest.mark.parametrize(("trigger", "is_blocked"), [("manual", True), ("auto", False)])
def test_trouble_blocks_a_compaction_only_where_the_owner_wants_it_and_asked_for_it(
    host, home, trigger, is_blocked
):
    home.mkdir()
    host.transcript("s-1").mkdir(parents=True)  # what is no file cannot be followed
    lax = host.tell("PreCompact", trigger=trigger)
    assert "decision" not in lax.output
    assert lax.message.startswith("archivist: ")
    (home / "config.toml").write_text("[hosts.claude-code]\nblock_compaction = true\n")
    told = host.tell("PreCompact", trigger=trigger).output
    assert (told.get("decision") == "block") == is_blocked
    assert not is_blocked or "block_compaction = false" in told["reason"]


def test_both_ways_to_call_a_hook_say_the_same(host, home, noted, how):
    first = host.tell("SessionStart", source="startup").context
    values = {"session_id": "s-1", "cwd": str(host.folder), "source": "startup"}
    ran = subprocess.run(
        [*how.command(), "--home", str(home), "hook", "SessionStart"],
        input=json.dumps(values).encode(),
        capture_output=True,
        check=True,
    )
    assert json.loads(ran.stdout)["hookSpecificOutput"]["additionalContext"] == first


def test_the_host_does_not_wait_for_what_a_session_leaves_behind(host, home):
    host.say("s-1", *[f"line {number} " + "word " * 100 for number in range(2_000)])
    command, _ = host.command("SessionEnd")
    values = {"session_id": "s-1", "transcript_path": str(host.transcript("s-1")), "reason": "other"}
    holder = apsw.Connection(str(home / "state.db")) if home.mkdir() is None else None
    holder.execute("CREATE TABLE held(a); BEGIN EXCLUSIVE")  # nothing can be stored until this ends
    ran = subprocess.run(command, input=json.dumps(values).encode(), capture_output=True, cwd="/", env={})
    holder.close()
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_an_end_that_was_lost_is_stored_at_the_end_of_a_later_turn(host, home):
    host.say("lost", "the last words of it", "noted")
    host.tell("UserPromptSubmit", "lost", prompt="hello")
    traces = Traces(str(home), "claude-code")
    traces.see("lost", transcript=str(host.transcript("lost")), ending="other")
    path = home / "hosts" / "claude-code" / "sessions" / "lost.json"
    os.utime(path, (path.stat().st_mtime - 600,) * 2)
    told = host.tell("SessionStart", "next", source="startup")
    assert "1 earlier session" in told.message
    host.say("next", "go on", "yes")
    host.tell("Stop", "next")
    with opened(home) as archivist:
        assert archivist.sessions.of_host("claude-code", "lost").record().ended_at is not None
        assert len(archivist.recall("last words").hits) == 1
    assert not host.tell("SessionStart", "third", source="startup").message


def killed_before_the_end_was_noted(host, home, session):
    """All of a session is stored, and of its end only what the host's hook writes down before it lets the host go."""
    host.say(session, "the last words of it", "noted")
    host.tell("Stop", session)
    Traces(str(home), "claude-code").see(session, ending="exit")
    path = home / "hosts" / "claude-code" / "sessions" / f"{session}.json"
    os.utime(path, (path.stat().st_mtime - 600,) * 2)


def test_an_end_that_was_lost_after_all_words_were_stored_is_noted_at_the_end_of_a_later_turn(host, home):
    killed_before_the_end_was_noted(host, home, "lost")
    host.say("next", "go on", "yes")
    host.tell("Stop", "next")
    with opened(home) as archivist:
        record = archivist.sessions.of_host("claude-code", "lost").record()
    assert record.ended_at is not None
    assert record.end_reason == "exit"


def test_a_session_that_is_resumed_is_not_ended_by_another(host, home):
    killed_before_the_end_was_noted(host, home, "back")
    host.tell("SessionStart", "back", source="resume")
    path = home / "hosts" / "claude-code" / "sessions" / "back.json"
    os.utime(path, (path.stat().st_mtime - 600,) * 2)
    host.say("next", "go on", "yes")
    host.tell("Stop", "next")
    with opened(home) as archivist:
        assert archivist.sessions.of_host("claude-code", "back").record().ended_at is None


def test_what_a_turn_may_take_is_for_its_own_session_and_those_behind_together(tmp_path, monkeypatch):
    traces, now, asked = Traces(str(tmp_path), "claude-code"), [100.0], []
    for session in ("own", "a", "b", "c"):
        path = tmp_path / f"{session}.jsonl"
        path.write_text("{}")
        if session != "own":
            traces.see(session, transcript=str(path), stored=0)
            trace = tmp_path / "hosts" / "claude-code" / "sessions" / f"{session}.json"
            os.utime(trace, (trace.stat().st_mtime - 600,) * 2)

    class Slow:
        def ingest(self, host, path, *, deadline):
            asked.append(deadline)
            now[0] += 10.0
            return Ingested(host)

    monkeypatch.setattr(answering, "monotonic", lambda: now[0])
    event = Event("claude-code", "Stop", "own", transcript=str(tmp_path / "own.jsonl"))
    answering._Following(Slow(), event, traces, 124.5).answer()
    assert asked == [24.5, 14.5, 4.5]


def test_what_is_longer_than_the_host_takes_is_cut_between_entries(host, home):
    home.mkdir()
    (home / "config.toml").write_text("[notes]\nmemory_limit = 60000\n")
    for number in range(60):
        note(
            home,
            f"The lantern number {number} of the quay burns with oil of kind {number * 7} "
            + "and glows 🌙 " * 20,
        )
    told = host.tell("SessionStart", source="startup")
    assert len(told.context.encode("utf-16-le")) // 2 < 10_000
    assert "did not fit" in told.context
    assert told.context.endswith(CLOSING)
    assert "longer than" in told.message


def test_news_that_never_came_into_the_transcript_are_told_again_at_a_resume(host, home, noted):
    given = host.tell("SessionStart", source="startup").context
    note(home, "Deploys happen on Tuesdays")
    lost = host.tell("UserPromptSubmit", prompt="go on").context
    assert "Deploys" in lost
    path = host.transcript("s-1")
    path.parent.mkdir(parents=True)

    def carried(*texts: str) -> str:
        lines = ({"attachment": {"type": "hook_additional_context", "content": [text]}} for text in texts)
        return "".join(json.dumps(line) + "\n" for line in lines)

    path.write_text(carried(given))
    assert "Deploys" in host.tell("SessionStart", source="resume").context
    path.write_text(carried(given, lost))
    assert not host.tell("SessionStart", source="resume").context


def test_notes_that_never_came_into_the_transcript_are_given_again_at_a_resume(host, home, noted):
    given = host.tell("SessionStart", source="startup").context
    host.say("s-1", "hello", "hi")
    note(home, "Deploys happen on Tuesdays")
    again = host.tell("SessionStart", source="resume").context
    assert noted in again
    assert "Deploys" in again
    host.carry("s-1", again)
    assert not host.tell("SessionStart", source="resume").context
    assert given != again


def test_a_fork_is_not_told_again_what_stands_in_what_it_goes_on_from(host, home, noted):
    given = host.tell("SessionStart", source="startup").context
    note(home, "Deploys happen on Tuesdays")
    told = host.tell("UserPromptSubmit", prompt="go on").context
    path = host.transcript("fork")
    path.parent.mkdir(parents=True)
    lines = ({"attachment": {"type": "hook_additional_context", "content": [text]}} for text in (given, told))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert not host.tell("UserPromptSubmit", "fork", prompt="and now").context


def test_where_all_of_a_transcript_is_stored_the_home_is_not_opened(host, home):
    host.say("s-1", "hello", "hi")
    host.tell("Stop")
    (home / "config.toml").write_text("not = 'a setting'\n")  # of which whoever opens the home complains
    for event in ("Stop", "SubagentStop", "PreCompact"):
        assert host.tell(event, trigger="manual").stdout == b""
    host.say("s-1", "more", "yes")
    assert "unknown key" in host.tell("Stop").message
    (home / "config.toml").unlink()
    host.tell("Stop")
    with opened(home) as archivist:
        assert archivist.counts()["messages"] == 4
