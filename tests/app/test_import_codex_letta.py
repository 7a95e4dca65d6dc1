"""Codex rollouts and Letta agent files through the front door: searched, opened, imported again."""

import json

import pytest

from archivist import EVERYTHING, Archivist

SESSION = "019e0000-0000-7000-8000-000000000001"
FORK = "019e0000-0000-7000-8000-000000000002"
SECRET = "sk-EXAMPLE-0000-not-a-real-key"


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as opened:
        yield opened


def rollout(home, session, *lines, folder="sessions/2026/03/01", **facts):
    path = home / folder / f"rollout-2026-03-01T09-00-00-{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    meta = {"id": session, "timestamp": "2026-03-01T09:00:00Z", "cwd": "/src/tide"} | facts
    told = [("session_meta", meta), *lines]
    path.write_text(
        "".join(
            json.dumps({"timestamp": f"2026-03-01T09:00:{at:02}Z", "type": kind, "payload": payload}) + "\n"
            for at, (kind, payload) in enumerate(told)
        )
    )
    return path


def person(text, **shown):
    block = {"type": "input_text", "text": text}
    yield "response_item", {"type": "message", "role": "user", "content": [block]}
    yield "event_msg", {"type": "user_message", "message": text} | shown


def answer(text):
    yield "event_msg", {"type": "agent_message", "message": text}
    block = {"type": "output_text", "text": text}
    yield "response_item", {"type": "message", "role": "assistant", "content": [block]}


def result(text):
    yield "response_item", {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"}
    yield "response_item", {"type": "function_call_output", "call_id": "c1", "output": text}


@pytest.fixture
def codex(tmp_path):
    home = tmp_path / ".codex"
    shared = [*person("the lamp skips midnight"), *answer("fixed in the scheduler")]
    rollout(
        home,
        SESSION,
        *person("<environment_context>windlass</environment_context>", kind="environment_context"),
        *shared,
        *result(f"token={SECRET}"),
        *person("paint the lamp vermilion"),
        ("event_msg", {"type": "thread_rolled_back", "num_turns": 1}),
        *person("paint the lamp ochre"),
    )
    forked = rollout(
        home, FORK, *shared, *person("use croniter"), folder="archived_sessions", forked_from_id=SESSION
    )
    forked.write_text(forked.read_text().replace("03-01T09", "03-02T09"))
    return home


def ids(page):
    return {source_id for hit in page.hits for source_id in hit.source.ids}


def test_a_codex_history_is_found_once_and_without_what_was_taken_back(archivist, codex):
    report = archivist.import_history(codex)
    assert report.read == report.imported + report.skipped
    assert ids(archivist.sessions.search("skips midnight")) == {f"{SESSION}:4"}
    assert ids(archivist.sessions.search("croniter")) == {f"{FORK}:6"}
    assert ids(archivist.sessions.search("ochre")) == {f"{SESSION}:13"}
    assert not ids(archivist.sessions.search("vermilion"))
    assert not ids(archivist.sessions.search("windlass"))


def test_a_fork_stands_in_the_conversation_that_it_came_from(archivist, codex):
    archivist.import_history(codex)
    sessions = archivist.sessions.browse(scope=EVERYTHING).sessions
    assert (
        len({hit.source.conversation_id for hit in archivist.sessions.search("croniter midnight").hits}) == 1
    )
    assert sessions


def test_a_rollback_that_comes_later_takes_back_what_was_stored(archivist, codex):
    archivist.import_history(codex)
    path = codex / "sessions" / "2026" / "03" / "01" / f"rollout-2026-03-01T09-00-00-{SESSION}.jsonl"
    undo = {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}}
    with path.open("a") as file:
        file.write(json.dumps(undo) + "\n")
    report = archivist.import_history(codex)
    assert (report.messages, report.restated) == (0, 1)
    assert not ids(archivist.sessions.search("ochre"))


def letta(tmp_path, *messages):
    path = tmp_path / "agents" / "keeper.af"
    path.parent.mkdir(exist_ok=True)
    told = [
        {"id": f"message-{at}", "role": role, "content": [{"type": "text", "text": text}],
         "created_at": f"2026-05-02T09:{at:02}:00Z"}
        for at, (role, text) in enumerate(messages)
    ]  # fmt: skip
    agent = {"id": "agent-0", "name": "Keeper", "messages": told, "secrets": {"KEY": SECRET}}
    path.write_text(json.dumps({"agents": [agent | {"in_context_message_ids": ["message-0"]}]}))
    return path


def test_an_agent_file_is_found_also_where_the_agent_no_longer_sees_it(archivist, tmp_path):
    alert = '{"type": "system_alert", "message": "a summary of lupins"}'
    letta(tmp_path, ("system", "keep seeds"), ("user", "lupins need scarification"), ("user", alert))
    report = archivist.import_history(tmp_path / "agents")
    assert report.read == report.imported + report.skipped == 3
    assert ids(archivist.sessions.search("lupins")) == {"message-1"}


def test_importing_again_changes_nothing_and_no_secret_is_kept(archivist, codex, tmp_path):
    letta(tmp_path, ("user", "lupins"), ("assistant", f"the key is {SECRET}"))
    for path in (codex, tmp_path / "agents"):
        archivist.import_history(path)
        again = archivist.import_history(path)
        assert again.changed_nothing
        assert again.imported == 0
    assert archivist.catch_up().complete
    assert archivist.verify().problems == ()
    kept = [file for file in (tmp_path / "home").rglob("*") if file.is_file()]
    assert kept
    assert not [file for file in kept if SECRET.encode() in file.read_bytes()]
