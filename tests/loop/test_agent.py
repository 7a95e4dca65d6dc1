"""A turn: what is said, asked, called and stored, in that order, whatever happens on the way."""

import json

import apsw
import pytest
from tests.conftest import Clock
from tests.loop.scripted import Scripted, calls, says

from archivist import Archivist, ConversationHeld, ModelFailed, Scope, UnknownSession, check_messages
from archivist.config import find_home
from archivist.loop.budget import Budget
from archivist.loop.events import Called, Returned, Said
from archivist.records import Usage
from archivist.records.requests import Reply

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def arc(tmp_path):
    with Archivist.open(tmp_path / "home", clock=Clock(), environ={}) as opened:
        yield opened


@pytest.fixture
def begin(arc, tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return lambda responder, **more: arc.agent(responder, cwd=folder, **more)


def note(text: str) -> tuple[str, str]:
    return "memory", json.dumps({"action": "add", "target": "memory", "content": text})


def roles(agent) -> list[str]:
    return [message.role for message in agent.session.messages("all")]


def test_a_reply_ends_the_turn(begin):
    agent = begin(Scripted(says("Hello.")))
    turn = agent.turn("hi")
    assert (turn.text, turn.stop, turn.requests) == ("Hello.", "end", 1)
    assert roles(agent) == ["user", "assistant"]


def test_calls_are_made_and_the_model_is_asked_again(begin):
    responder = Scripted(calls(note("the port is 8443"), ("recall", '{"query": "port"}')), says("Noted."))
    agent = begin(responder)
    assert agent.turn("the port is 8443, remember it").stop == "end"
    assert roles(agent) == ["user", "assistant", "tool", "tool", "assistant"]
    assert [message["role"] for message in responder.last.messages] == ["user", "assistant", "tool", "tool"]
    assert not check_messages(list(responder.last.messages))


def test_what_happens_is_told_in_order(begin):
    seen = []
    begin(Scripted(calls(note("a b c")), says("ok")), on_event=seen.append).turn("x")
    assert [type(event) for event in seen] == [Called, Returned, Said]


def test_every_message_is_on_disk_before_the_next_step(arc, begin):
    stored = []

    def look(request):
        stored.append(arc.counts()["messages"])
        return says("done") if len(stored) == 2 else calls(note("x y z"))

    begin(Scripted(look)).turn("hi")
    assert stored == [1, 3]


def test_requests_count_each_where_their_server_names_none(begin):
    agent = begin(Scripted(calls(("recall", '{"query": "port"}')), says("so")))
    turn = agent.turn("which port?")
    assert (
        [(one.requests, one.input) for one in agent.session.usage()] == [(2, turn.usage.input)] == [(2, 200)]
    )


def test_a_turn_stores_what_it_used_under_its_request(begin):
    reply = Reply("ok", usage=Usage("m", request_id="r-1", input=7, output=2, cache_read=90))
    agent = begin(Scripted(reply))
    agent.turn("hi")
    assert [(one.model, one.input, one.cache_read) for one in agent.session.usage()] == [("m", 7, 90)]
    assert agent.session.messages()[-1].metadata["request_id"] == "r-1"


def test_a_secret_is_sent_as_it_was_said_and_stored_masked(begin):
    responder = Scripted(says("ok"))
    agent = begin(responder)
    agent.turn(f"the token is {KEY}")
    agent.turn("again")
    assert KEY in json.dumps(responder.last.messages)
    assert not any(KEY in message.text for message in agent.session.messages("all"))


def test_who_resumes_sends_the_masked_words(begin):
    agent = begin(Scripted(says("ok")))
    agent.turn(f"the token is {KEY}")
    agent.close()
    responder = Scripted(says("ok"))
    begin(responder, session=agent.conversation_id).turn("again")
    assert KEY not in json.dumps(responder.last.messages)
    assert "the token is" in responder.last.messages[0]["content"]


def test_what_was_sent_is_sent_again_by_who_resumes(begin):
    responder = Scripted(calls(note("the port is 8443")), says("Noted."))
    agent = begin(responder)
    agent.turn("remember that the port is 8443")
    agent.close()
    later = Scripted(says("ok"))
    begin(later, session=agent.conversation_id).turn("go on")
    sent = responder.last.messages
    assert later.last.messages[: len(sent)] == sent
    assert (later.last.system, later.last.tools) == (responder.last.system, responder.last.tools)


def test_nobody_else_speaks_in_a_conversation_that_is_held(begin):
    first = begin(Scripted(says("ok")))
    first.turn("hi")
    other = begin(Scripted(says("ok")), session=first.conversation_id)
    with pytest.raises(ConversationHeld, match=r"is open in process \d+"):
        other.turn("me too")
    first.close()
    assert other.turn("and now").stop == "end"


def test_an_agent_that_was_closed_goes_on_in_its_conversation(begin):
    agent = begin(Scripted(says("ok")))
    agent.turn("one")
    agent.close()
    agent.turn("two")
    assert [m.text for m in agent.session.messages("all")] == ["one", "ok", "two", "ok"]


def test_nothing_is_stored_before_the_first_turn(arc, begin):
    begin(Scripted(says("ok")))
    assert arc.counts()["sessions"] == 0


# ---- what ends a turn early ----


def test_a_stopped_reply_is_kept_and_says_so(begin):
    agent = begin(Scripted(Reply("I was about to", stop="interrupted"), says("ok")))
    assert agent.turn("tell me").stop == "interrupted"
    kept = agent.session.messages()[-1]
    assert (kept.text, kept.metadata["interrupted"]) == ("I was about to", True)
    assert agent.turn("go on").stop == "end"


def test_every_call_of_a_turn_that_was_stopped_has_a_result(begin):
    def stop(event):
        if isinstance(event, Returned):
            agent.interrupt()

    responder = Scripted(calls(note("one fact"), note("another fact"), note("a third")), says("ok"))
    agent = begin(responder, on_event=stop)
    assert agent.turn("note three").stop == "interrupted"
    results = [m.text for m in agent.session.messages() if m.role == "tool"]
    assert len(results) == 3
    assert "Noted" in results[0]
    assert results[1:] == ["not run: the user stopped the turn"] * 2
    assert agent.turn("go on").stop == "end"
    assert not check_messages(list(responder.last.messages))


def test_a_model_that_fails_leaves_what_had_come(begin):
    broken = ModelFailed("the connection broke off", partial=Reply("Half an", usage=Usage("m", input=5)))
    agent = begin(Scripted(broken, says("whole")))
    turn = agent.turn("tell me")
    assert (turn.stop, turn.error, turn.text) == ("failed", "the connection broke off", "Half an")
    assert agent.session.messages()[-1].metadata["interrupted"] is True
    assert agent.turn("again").text == "whole"


def test_a_model_that_fails_at_once_leaves_what_was_said(begin):
    agent = begin(Scripted(ModelFailed("no such model"), says("ok")))
    assert agent.turn("hi").stop == "failed"
    assert roles(agent) == ["user"]
    assert agent.turn("hi again").stop == "end"


def test_a_turn_makes_no_more_requests_than_it_may(begin):
    responder = Scripted(calls(("recall", '{"query": "x"}')))
    agent = begin(responder, budget=Budget(requests=3))
    turn = agent.turn("loop")
    assert (turn.stop, turn.requests, len(responder.requests)) == ("budget", 3, 3)
    assert "3 requests are used up" in turn.error
    responder.replies = (says("ok"),)
    assert agent.turn("go on").stop == "end"
    assert not check_messages(list(responder.last.messages))


def test_a_turn_spends_no_more_than_it_may(begin):
    dear = Reply(
        tool_calls=calls(("recall", '{"query": "x"}')).tool_calls,
        stop="calls",
        usage=Usage("m", request_id="r", cost_usd=0.3),
    )
    turn = begin(Scripted(dear), budget=Budget(turn_usd=0.5)).turn("loop")
    assert (turn.stop, turn.requests) == ("budget", 2)


def test_what_is_set_bounds_a_turn_where_nothing_else_is_asked_for(arc, begin):
    arc.home.config_file.write_text("[agent]\nmax_requests = 2\n")
    responder = Scripted(calls(("recall", '{"query": "x"}')))
    assert begin(responder).turn("loop").requests == 2


def test_a_reply_that_says_nothing_ends_the_turn_and_is_no_message(begin):
    agent = begin(Scripted(says("")))
    assert agent.turn("hi").stop == "end"
    assert roles(agent) == ["user"]


# ---- calls that go wrong ----


@pytest.mark.parametrize(
    "call",
    [
        ("no_such_tool", "{}"),
        ("memory", "{"),
        ("memory", "[]"),
        ("memory", '{"action": "dance"}'),
        ("recall", ""),
    ],
)
def test_a_call_that_cannot_be_made_has_a_result_that_says_why(begin, call):
    responder = Scripted(calls(call), says("ok"))
    agent = begin(responder)
    assert agent.turn("x").stop == "end"
    (result,) = [m for m in agent.session.messages() if m.role == "tool"]
    assert json.loads(result.text)["success"] is False
    assert not check_messages(list(responder.last.messages))


# ---- a database that takes nothing ----


def test_a_busy_database_stops_no_turn_and_nothing_that_was_said_is_lost(tmp_path):
    place = find_home(tmp_path / "home", environ={})
    with Archivist.at(place, Clock(), environ={}, patience=0.05) as arc:
        responder = Scripted(says("one"), says("two"), says("three"))
        agent = arc.agent(responder, cwd=tmp_path)
        agent.turn("first")
        other = apsw.Connection(str(place.state_file))
        other.execute("BEGIN IMMEDIATE")
        turn = agent.turn("second")
        assert (turn.text, turn.stop) == ("two", "end")
        assert {notice.code for notice in turn.notices} >= {"write-spooled", "usage-not-counted"}
        assert [m["content"] for m in responder.last.messages] == ["first", "one", "second"]
        other.execute("ROLLBACK")
        other.close()
        agent.turn("third")
        assert [m["content"] for m in responder.last.messages] == ["first", "one", "second", "two", "third"]
        assert [m.text for m in agent.session.messages("all")] == [
            "first", "one", "second", "two", "third", "three",
        ]  # fmt: skip


# ---- what stands beside the user's words ----


def test_what_somebody_else_noted_is_told_beside_the_next_words(arc, begin):
    responder = Scripted(says("ok"))
    agent = begin(responder)
    agent.turn("hi")
    arc.notes.add("memory", "deploys happen on Tuesdays")
    agent.turn("and now?")
    first, last = responder.requests
    assert last.messages[: len(first.messages)] == first.messages
    assert last.system == first.system
    assert "deploys happen on Tuesdays" in json.dumps(last.messages[-1])
    assert agent.session.messages()[-2].text == "and now?"


def test_what_the_agent_noted_itself_is_not_told_again(arc, begin):
    responder = Scripted(calls(note("the port is 8443")), says("Noted."), says("ok"))
    agent = begin(responder)
    agent.turn("remember that the port is 8443")
    arc.notes.add("memory", "deploys happen on Tuesdays")
    agent.turn("what else?")
    told = json.dumps(responder.last.messages[-1])
    assert "deploys happen on Tuesdays" in told
    assert "8443" not in told


def test_what_the_agent_noted_is_told_once_the_turn_is_taken_back(arc, begin):
    responder = Scripted(calls(note("the port is 8443")), says("Noted."), says("ok"))
    agent = begin(responder)
    agent.turn("remember that the port is 8443")
    arc.sessions.undo(agent.conversation_id)
    agent.turn("hello")
    assert "8443" in json.dumps(responder.last.messages)


def test_news_of_the_notes_are_nobodys_document(arc, begin):
    """What is told beside the user's words is their own memory: nothing that is noted then waits for it."""
    responder = Scripted(says("ok"), calls(note("staging listens on 8443")), says("Noted."))
    agent = begin(responder)
    agent.turn("hi")
    arc.notes.add("memory", "deploys happen on Tuesdays")
    agent.turn("remember that staging listens on 8443")
    assert "staging listens on 8443" in [entry.text for entry in arc.notes.entries("memory")]


# ---- room ----


def test_a_conversation_that_fills_its_window_is_compressed_and_goes_on(begin):
    responder = Scripted(says("A long answer. " * 300))
    responder.window, responder.is_model = 16_000, False
    agent = begin(responder)
    first = agent.session.id
    for number in range(12):
        assert agent.turn(f"question {number}: " + "why is it so? " * 60).stop == "end"
    assert agent.session.id != first
    assert agent.conversation_id == first
    assert "question 11" in json.dumps(responder.last.messages[-1])
    assert not check_messages(list(responder.last.messages))
    assert sum(m.text.startswith("question") for m in agent.session.messages("all")) == 12


def test_the_session_that_follows_a_compression_has_a_prompt_of_that_day(arc, begin):
    responder = Scripted(says("A long answer. " * 300))
    responder.window, responder.is_model = 16_000, False
    agent = begin(responder)
    first = agent.opened.prompt
    for number in range(12):
        agent.turn(f"question {number}: " + "why is it so? " * 60)
        if agent.opened.prompt != first:
            break
        arc._world.now.advance(days=1)
        arc.notes.add("memory", f"tide {number} comes at {number}:20")
    assert "2026-03-20" in first
    assert f"{arc._world.now():%Y-%m-%d}" in responder.last.system
    assert f"tide {number - 1} comes" in responder.last.system
    assert f"tide {number - 1} comes" not in json.dumps(responder.last.messages[-1])
    assert agent.session.record().prompt == responder.last.system


def test_a_conversation_that_is_resumed_keeps_its_scope(arc, begin):
    """Whoever resumes it from another folder notes where it was held, not where they are now."""
    harbour = Scope("owner", project="github.com/o/harbour")
    agent = begin(Scripted(says("ok")), scope=harbour)
    agent.turn("hi")
    agent.close()
    later = begin(Scripted(calls(note("cranes are blue")), says("ok")), session=agent.conversation_id)
    later.turn("cranes are blue, remember it")
    assert later.session.record().scope == harbour
    (entry,) = arc.notes.entries("memory")
    assert entry.scope == Scope(project="github.com/o/harbour")
    with pytest.raises(UnknownSession):
        begin(Scripted(says("ok")), session=agent.conversation_id, scope=Scope("ann")).turn("hi")


def test_a_session_that_went_on_ends_again(arc, begin):
    agent = begin(Scripted(says("ok")))
    agent.turn("one")
    agent.close()
    first = agent.session.record().ended_at
    arc._world.now.advance(minutes=10)
    agent.turn("two")
    arc._world.now.advance(minutes=1)
    agent.close("quit")
    again = agent.session.record()
    agent.close("closed")
    assert first is not None
    assert again.ended_at is not None
    assert (again.ended_at - first).total_seconds() == 660
    assert agent.session.record() == again
