"""The tool `session_search` finds, scrolls, reads and lists past conversations, in their own words and within bounds."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from archivist import Archivist, Message, Scope, ToolCall
from archivist.tools.registry import call_tool

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


@pytest.fixture
def archivist(tmp_path):
    (tmp_path / "config.toml").write_text('timezone = "UTC"\n')
    with Archivist.open(tmp_path, clock=lambda: NOW, environ={}) as archivist:
        yield archivist


@pytest.fixture
def session(archivist):
    session = archivist.sessions.start("cli", title="The harbour", started_at=NOW - timedelta(hours=1))
    for number in range(30):
        role = "assistant" if number % 2 else "user"
        text = f"The lantern number {number} burns" if number == 14 else f"Word {number} of the harbour"
        session.append(Message(role, text, created_at=NOW - timedelta(minutes=30 - number)))
    return session


def search(archivist, scope=None, **arguments):
    return call_tool("session_search", arguments, archivist.tool_context(scope))


def test_a_query_discovers_messages_with_those_beside_them(archivist, session):
    result = search(archivist, query="lantern")
    assert (result["mode"], result["count"]) == ("discover", 1)
    (found,) = result["results"]
    assert found["session_id"] == session.id
    assert found["text"] == "The lantern number 14 burns"
    assert found["title"] == "The harbour"
    assert found["date"] == "2026-03-20T11:44:00+00:00"
    assert [message["text"] for message in found["messages"]] == [
        "Word 13 of the harbour",
        "Word 15 of the harbour",
    ]


def test_a_message_is_scrolled_around(archivist, session):
    key = search(archivist, query="lantern")["results"][0]["message_id"]
    result = search(archivist, session_id=session.id, around_message_id=key, window=2, query="ignored")
    assert result["mode"] == "scroll"
    assert [message["text"].split()[1 if message["id"] != key else 3] for message in result["messages"]] == [
        "12",
        "13",
        "14",
        "15",
        "16",
    ]
    assert [message.get("anchor") for message in result["messages"]] == [None, None, True, None, None]
    assert (result["messages_before"], result["messages_after"]) == (12, 13)
    assert search(archivist, session_id=session.id, around_message_id=str(key))["count"] == 11
    assert search(archivist, session_id=session.id, around_message_id=key, window=0)["count"] == 1


@pytest.mark.parametrize("named", ["id", "title", "beginning"])
def test_a_session_is_read_by_whatever_names_it(archivist, session, named):
    name = {"id": session.id, "title": "The harbour", "beginning": session.id[:-2]}[named]
    result = search(archivist, session_id=name)
    assert result["mode"] == "read"
    assert result["count"] == 30
    assert result["session"]["title"] == "The harbour"
    assert result["session"]["message_count"] == 30


def test_a_long_session_is_read_in_pieces_without_a_hole(archivist):
    session = archivist.sessions.start("cli")
    session.append_many([Message.user(f"{number} " + "word " * 300) for number in range(60)])
    read, offset = [], 0
    while True:
        result = search(archivist, session_id=session.id, offset=offset)
        assert len(json.dumps(result)) < 60_000
        read += result["messages"]
        offset += result["count"]
        if not result["messages_after"]:
            break
        assert any(f"offset {offset}" in notice for notice in result["notices"])
    assert [message["text"].split()[0] for message in read] == [str(number) for number in range(60)]


def test_a_long_message_is_read_in_pieces(archivist):
    session = archivist.sessions.start("cli")
    text = " ".join(f"w{number}" for number in range(3_000))
    key = session.append(Message.user(text))
    read, offset = "", 0
    while offset < len(text):
        shown = search(archivist, session_id=session.id, around_message_id=key, window=0, offset=offset)[
            "messages"
        ][0]
        piece = shown["text"].partition("] … ")[2] if offset else shown["text"]
        read += piece.partition(" … [cut, ")[0]
        offset = len(read)
    assert read == text


def test_long_calls_are_cut_and_read_alone(archivist):
    session = archivist.sessions.start("cli")
    calls = [ToolCall(f"c{number}", "write", json.dumps({"text": "x" * 3_000})) for number in range(50)]
    key = session.append(Message.assistant("Writing", tool_calls=calls))
    result = search(archivist, session_id=session.id)
    assert len(json.dumps(result)) < 10_000
    shown = result["messages"][0]["tool_calls"]
    assert f"around_message_id {key} and window 0" in shown[-1]["arguments"]
    alone = search(archivist, session_id=session.id, around_message_id=key, window=0)
    assert 10_000 < len(json.dumps(alone)) < 40_000


def test_nothing_given_lists_the_latest(archivist, session):
    later = archivist.sessions.start("codex")
    later.append(Message.user("Is the tide out?"))
    result = search(archivist)
    assert (result["mode"], result["count"], result["total"]) == ("browse", 2, 2)
    first, second = result["sessions"]
    assert (first["session_id"], first["source"], first["preview"]) == (later.id, "codex", "Is the tide out?")
    assert second["title"] == "The harbour"
    assert [one["session_id"] for one in search(archivist, limit=1, offset=1)["sessions"]] == [session.id]
    assert [one["session_id"] for one in search(archivist, source="codex")["sessions"]] == [later.id]
    assert search(archivist, offset=9)["message"] == "There are no further conversations."


def test_roles_and_times_narrow_a_search(archivist, session):
    assert search(archivist, query="lantern", role_filter="user")["count"] == 1
    assert search(archivist, query="lantern", role_filter=["assistant", "tool"])["count"] == 0
    assert search(archivist, query="lantern", until="yesterday")["count"] == 0
    assert search(archivist, query="harbour", limit=99)["notices"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"session_id": "nobody's"}, "without arguments the latest are listed"),
        ({"around_message_id": 1}, "around_message_id needs session_id"),
        ({"session_id": "The harbour", "around_message_id": 9_999}, "no message 9999"),
        ({"session_id": "The harbour", "around_message_id": "first"}, "must be a whole number"),
        ({"query": "x" * 5_000}, "give at most 4,000"),
        ({"query": "lantern", "role_filter": "narrator"}, "role_filter must be a list of user, assistant"),
    ],
)
def test_what_cannot_be_done_says_what_can(archivist, session, arguments, expected):
    result = search(archivist, **arguments)
    assert not result["success"]
    assert expected in result["error"]


def test_who_reads_decides_what_there_is(archivist, session):
    other = Scope("ann")
    for arguments in ({}, {"query": "lantern"}):
        assert search(archivist, other, **arguments)["count"] == 0
    named = search(archivist, other, session_id=session.id)["error"]
    assert named.replace(session.id, "nobody") == search(archivist, other, session_id="nobody")["error"]


def test_the_session_that_asks_does_not_find_its_own_words(archivist, session):
    context = archivist.tool_context(session=session.id)
    assert call_tool("session_search", {"query": "lantern"}, context)["count"] == 0


def test_a_long_message_beside_a_find_says_under_what_its_rest_is_read(archivist):
    session = archivist.sessions.start("cli")
    long = " ".join(f"w{number}" for number in range(3_000))
    first, _ = session.append_many([Message.user(long), Message.assistant("The lantern burns")])
    beside = search(archivist, query="lantern")["results"][0]["messages"][0]["text"]
    shown, _, mark = beside.partition(" … [cut, ")
    assert (
        mark == f"{len(long) - len(shown):,} more characters: read message {first} from offset {len(shown)}]"
    )
    rest = search(archivist, session_id=session.id, around_message_id=first, window=0, offset=len(shown))
    assert rest["messages"][0]["text"].partition("] … ")[2].startswith(long[len(shown) :][:100])
