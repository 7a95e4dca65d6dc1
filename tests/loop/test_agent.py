"""A turn: what is said, asked, called and stored, in that order, whatever happens on the way."""

import json
import os
from contextlib import nullcontext

import apsw
import pytest
from msgspec.structs import replace
from tests.conftest import Clock
from tests.loop.scripted import Scripted, calls, says

from archivist import (
    Archivist,
    ConversationGone,
    ConversationHeld,
    Message,
    ModelFailed,
    Scope,
    StoreBusy,
    ToolCall,
    UnknownSession,
    check_messages,
)
from archivist.config import find_home
from archivist.loop.budget import Budget
from archivist.loop.calling import Calls
from archivist.loop.events import Called, Returned, Said
from archivist.loop.outputs import Outputs
from archivist.loop.quoting import Quoting
from archivist.models.responder import Interrupt
from archivist.records import Part, Usage
from archivist.records.requests import Reply
from archivist.tools.telling import told

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


def test_a_secret_in_a_call_is_sent_as_it_was_called(begin):
    arguments = f'{{ "query": "what is {KEY} for?" }}'
    responder = Scripted(calls(("recall", arguments)), says("ok"))
    agent = begin(responder)
    agent.turn("look it up")
    assert responder.last.messages[1]["tool_calls"][0]["function"]["arguments"] == arguments
    assert KEY not in agent.session.messages("all")[1].tool_calls[0].arguments


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


def test_a_conversation_that_was_begun_without_a_prompt_is_given_one_when_an_agent_takes_it_up(arc, begin):
    """So with what a program began, and with forks of what other agents held."""
    arc.notes.add("memory", "cranes are blue")
    session = arc.sessions.start("python")
    session.append_many([Message.user("hello"), Message.assistant("hi")])
    responder = Scripted(says("ok"))
    agent = begin(responder, session=session.id)
    agent.turn("go on")
    assert "cranes are blue" in responder.last.system
    assert session.record().prompt == responder.last.system
    arc.notes.add("memory", "tides are late")
    agent.turn("and now?")
    assert "tides are late" in json.dumps(responder.last.messages[-1])
    agent.close()
    later = Scripted(says("ok"))
    begin(later, session=session.id).turn("again")
    assert later.last.system == responder.last.system
    assert arc.verify().problems == ()


def test_a_conversation_that_was_deleted_while_it_was_open_is_told_as_one(arc, begin):
    agent = begin(Scripted(says("ok")))
    agent.turn("hi")
    arc.sessions.delete(agent.conversation_id)
    with pytest.raises(ConversationGone, match="was deleted while it was open: begin another"):
        agent.turn("are you there?")
    agent.close()
    assert agent.has_begun is False


def test_a_conversation_that_is_deleted_in_the_middle_of_a_turn_is_not_written_to(arc, begin):
    def deletes(request):
        arc.sessions.delete(agent.conversation_id)
        return says("the answer")

    agent = begin(Scripted(deletes))
    with pytest.raises(ConversationGone):
        agent.turn("hi")
    assert arc.counts()["messages"] == 0


def test_an_agent_remembers_only_what_its_rows_do_not_say(begin):
    agent = begin(Scripted(says("ok")))
    for number in range(5):
        agent.turn(f"line {number} " * 100)
    agent.turn(f"the token is {KEY}")
    agent.turn("go on")
    held = agent._position.conversation._said.values()
    assert [KEY in message.text for message in held if len(message.text) > 10] == [True]


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
    assert "the 3 requests of a turn are used up" in turn.error
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


def test_the_last_request_of_a_turn_says_how_far_it_came(begin):
    """It keeps the tools and the prompt, speaks at the tail, and is a beginning of what is sent later."""
    responder = Scripted(
        calls(("recall", '{"query": "x"}')),
        calls(note("a b c"), text="Half of it is done; next comes the rest."),
        says("ok"),
    )
    agent = begin(responder, budget=Budget(requests=2))
    turn = agent.turn("do it all")
    assert (turn.stop, turn.text) == ("budget", "Half of it is done; next comes the rest.")
    first, grace = responder.requests
    assert (grace.tools, grace.system) == (first.tools, first.system)
    assert grace.messages[: len(first.messages)] == first.messages
    assert "last request of this turn, for the 2 requests" in json.dumps(grace.messages[-1])
    assert [m.role for m in agent.session.messages()] == ["user", "assistant", "tool", "user", "assistant"]
    assert agent.session.messages()[-1].tool_calls == ()
    agent.turn("go on")
    assert responder.last.messages[: len(grace.messages)] == grace.messages
    assert not check_messages(list(responder.last.messages))


def test_a_turn_whose_money_runs_low_says_how_far_it_came(begin):
    dear = Usage("m", cost_usd=0.2)
    responder = Scripted(
        Reply(tool_calls=calls(("recall", '{"query": "x"}')).tool_calls, stop="calls", usage=dear),
        Reply("So far so good.", usage=dear),
    )
    turn = begin(responder, budget=Budget(turn_usd=0.39)).turn("do it all")
    assert (turn.stop, turn.text, turn.requests) == ("budget", "So far so good.", 2)


@pytest.mark.parametrize("took", [91, 300])
def test_a_turn_whose_time_runs_low_says_how_far_it_came(begin, monkeypatch, took):
    now = [0.0]

    def slow(_request):
        now[0] += took
        return calls(("recall", '{"query": "x"}'))

    agent = begin(Scripted(slow, says("So far so good.")), budget=Budget(seconds=100))
    monkeypatch.setattr(agent._position.home, "monotonic", lambda: now[0])
    turn = agent.turn("do it all")
    assert (turn.stop, turn.text) == ("budget", "So far so good.")
    assert "100 seconds" in turn.error


def test_a_turn_of_one_request_has_no_room_for_more_words(begin):
    turn = begin(Scripted(calls(("recall", '{"query": "x"}'))), budget=Budget(requests=1)).turn("do it all")
    assert (turn.stop, turn.requests) == ("budget", 1)


def test_a_conversation_whose_money_is_used_up_asks_nobody(begin):
    responder = Scripted(Reply("ok", usage=Usage("m", cost_usd=0.5)))
    agent = begin(responder, budget=Budget(conversation_usd=0.5))
    assert agent.turn("one").stop == "end"
    assert (agent.turn("two").stop, len(responder.requests)) == ("budget", 1)


def test_a_model_that_says_nothing_is_asked_once_more(begin):
    responder = Scripted(says(""), says("I was lost in thought."))
    agent = begin(responder)
    turn = agent.turn("hi")
    assert (turn.text, turn.stop, turn.requests) == ("I was lost in thought.", "end", 2)
    assert "no words and called nothing" in json.dumps(responder.last.messages[-1])
    assert responder.last.messages[:1] == responder.requests[0].messages


def test_a_model_that_says_nothing_twice_ends_the_turn_and_its_replies_are_no_messages(begin):
    agent = begin(Scripted(says("")))
    turn = agent.turn("hi")
    assert (turn.stop, turn.requests) == ("end", 2)
    assert [notice.code for notice in turn.notices] == ["said-nothing"]
    assert roles(agent) == ["user", "user"]


def test_a_turn_in_which_the_model_was_told_something_is_taken_back_whole(arc, begin):
    """What it is told that its requests are used up, or that it said nothing, begins no turn of the user's."""
    responder = Scripted(says("one"), says(""), calls(("recall", '{"query": "x"}')), says("so far"))
    agent = begin(responder, budget=Budget(requests=3))
    agent.turn("first")
    agent.turn("second")
    assert roles(agent) == ["user", "assistant", "user", "user", "assistant", "tool", "user", "assistant"]
    assert arc.sessions.undo(agent.conversation_id).text == "second"
    assert [message.text for message in agent.session.messages()] == ["first", "one"]


def test_rules_that_quote_use_every_request_that_they_may(arc, begin):
    arc.notes.add("memory", "the tests run with pytest")
    turn = begin(Quoting(), budget=Budget(requests=2)).turn("Which test runner?")
    assert (turn.stop, turn.requests) == ("end", 2)
    assert "the tests run with pytest" in turn.text


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


class Failing:
    """A home whose tools raise what no tool should."""

    monotonic = staticmethod(lambda: 0.0)

    def __init__(self, error):
        self.error = error

    def call(self, name, arguments, context):
        raise self.error


@pytest.mark.parametrize("error", [RuntimeError("no room"), KeyboardInterrupt()])
def test_whatever_a_tool_raises_its_call_has_a_result_that_says_so(error):
    stored, made = [], (ToolCall("c1", "dig"), ToolCall("c2", "dig"))
    caller = Calls(Failing(error), None, Outputs(list, lambda _: None), stored.append)
    with nullcontext() if isinstance(error, Exception) else pytest.raises(KeyboardInterrupt):
        caller.make(made, Interrupt(), lambda _: None)
    assert "may be done in part" in stored[0].text
    assert ("RuntimeError: no room" in stored[0].text) == isinstance(error, Exception)
    assert len(stored) == (2 if isinstance(error, Exception) else 1)


def test_a_result_with_half_a_character_is_told():
    assert json.loads(told({"success": False, "error": "no \ud83d"}))["error"] == "no ?"


def test_each_of_two_calls_of_one_id_has_its_own_result(begin, tmp_path):
    (tmp_path / "work" / "one").write_text("uno")
    (tmp_path / "work" / "two").write_text("due")
    made = calls(("read_file", '{"path": "one"}'), ("read_file", '{"path": "two"}')).tool_calls
    for key in ("c", ""):
        responder = Scripted(
            Reply(tool_calls=tuple(replace(call, id=key) for call in made), stop="calls"), says("ok")
        )
        agent = begin(responder)
        assert agent.turn("read both").stop == "end"
        asked = {
            call["id"]: call["function"]["arguments"] for call in responder.last.messages[1]["tool_calls"]
        }
        heard = {asked[m["tool_call_id"]]: m["content"] for m in responder.last.messages[2:]}
        assert heard == {'{"path": "one"}': "     1\tuno", '{"path": "two"}': "     1\tdue"}
        agent.close()


def test_half_a_character_stops_no_turn(begin, tmp_path):
    (tmp_path / "work" / os.fsdecode(b"odd-\xff")).write_text("x")
    responder = Scripted(
        calls(
            ("terminal", '{"command": "echo \\ud800"}'),
            ("recall", '{"query": "\\udc80"}'),
            ("read_file", '{"path": "odd-"}'),
            ("write_file", '{"path": "a", "content": "\ud800"}'),
        ),
        says("ok"),
    )
    agent = begin(responder)
    assert agent.turn("x").stop == "end"
    results = [m["content"] for m in responder.last.messages[2:]]
    assert len(results) == 4
    assert [json.loads(text)["success"] for text in results] == [False, True, False, False]
    assert "there is odd-?" in results[2]
    assert "\n".join(results).encode()


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


@pytest.fixture
def busy(tmp_path):
    """A home whose database somebody else can lock and let go, and for which nobody waits long."""
    place = find_home(tmp_path / "home", environ={})
    with Archivist.at(place, Clock(), environ={}, patience=0.05) as arc:
        other = apsw.Connection(str(place.state_file))
        yield arc, lambda: other.execute("BEGIN IMMEDIATE"), lambda: other.execute("ROLLBACK")
        other.close()


def test_what_waits_is_sent_in_the_form_in_which_it_is_sent_once_it_is_stored(busy, tmp_path):
    """Pictures as pictures, half a character as what is stored of it, arguments as they are kept."""
    arc, lock, let_go = busy
    responder = Scripted(
        says("one"), calls(("recall", '{"query": "\\u6e2f"}')), says("\ud83d two"), says("three")
    )
    responder.takes_pictures = True
    agent = arc.agent(responder, cwd=tmp_path)
    agent.turn("first")
    lock()
    picture = Part("image", media_type="image/png", name="a.png", data=b"\x89PNG")
    agent.turn(f"look \ud83d at {KEY}", parts=(picture,))
    sent = responder.last.messages
    assert "data:image/png;base64," in json.dumps(sent)
    assert KEY in json.dumps(sent)
    let_go()
    agent.turn("third")
    assert responder.last.messages[: len(sent)] == sent


def test_what_waited_and_was_taken_back_since_is_not_sent_again(busy, tmp_path):
    arc, lock, let_go = busy
    responder = Scripted(says("ok"))
    agent = arc.agent(responder, cwd=tmp_path)
    agent.turn("first")
    lock()
    agent.turn("second")
    let_go()
    with Archivist.at(arc.home, Clock(), environ={}):
        pass  # whoever opens the home takes in what waits
    arc.sessions.undo(agent.conversation_id)
    agent.turn("third")
    assert [m["content"] for m in responder.last.messages] == ["first", "ok", "third"]


def test_a_reply_that_waits_is_no_reply_that_never_came(busy, tmp_path):
    arc, lock, let_go = busy

    def held_up(_request):
        lock()
        return says("one")

    responder = Scripted(held_up, says("two"))
    agent = arc.agent(responder, cwd=tmp_path)
    assert {notice.code for notice in agent.turn("first").notices} >= {
        "write-spooled",
        "request-not-recorded",
    }
    let_go()
    agent.turn("second")
    assert [m["content"] for m in responder.last.messages] == ["first", "one", "second"]


def test_what_requests_used_while_the_database_was_busy_is_counted_later(busy, tmp_path):
    arc, lock, let_go = busy
    agent = arc.agent(Scripted(says("ok")), cwd=tmp_path)
    agent.turn("first")
    lock()
    assert "usage-not-counted" in {notice.code for notice in agent.turn("second").notices}
    let_go()
    turn = agent.turn("third")
    assert [(one.requests, one.input) for one in agent.session.usage()] == [(3, 300)]
    assert not turn.notices
    assert [one.began for one in arc.sessions.cache(agent.conversation_id).each] == ["start", None]


def test_an_agent_that_could_not_begin_begins_later(busy, tmp_path):
    arc, lock, let_go = busy
    agent = arc.agent(Scripted(says("ok")), cwd=tmp_path)
    lock()
    for _ in range(2):
        with pytest.raises(StoreBusy):
            agent.turn("hi")
    let_go()
    assert arc.counts()["sessions"] == 0
    assert agent.turn("hi").stop == "end"


def test_a_session_is_resumed_though_its_tools_cannot_be_kept(busy, tmp_path):
    arc, lock, let_go = busy
    agent = arc.agent(Scripted(says("ok")), cwd=tmp_path)
    agent.turn("hi")
    agent.close()
    arc._world.now.advance(hours=1)
    lock()
    turn = agent.turn("and now?")
    assert turn.stop == "end"
    assert "tools-not-kept" in {notice.code for notice in turn.notices}
    let_go()


def test_who_cannot_have_a_conversation_holds_none(arc, begin):
    agent = begin(Scripted(says("ok")), session="20260101-000000-aaaaaa")
    for _ in range(2):
        with pytest.raises(UnknownSession):
            agent.turn("hi")


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


def talk(agent, turns=6):
    for number in range(turns):
        agent.turn(f"question {number}: " + "why is it so? " * 60)


def test_a_conversation_that_somebody_else_compressed_goes_on_there(arc, begin):
    responder = Scripted(says("A long answer. " * 300))
    arc.notes.add("memory", "cranes are blue")
    agent = begin(responder)
    talk(agent)
    arc.notes.add("memory", "the tide comes at 9:20")
    child = arc.sessions.compress(agent.conversation_id, target_tokens=2_000, force=True).child_id
    turn = agent.turn("and now?")
    assert agent.session.id == child
    assert responder.last.system == agent.session.record().prompt
    assert "the tide comes at 9:20" in responder.last.system
    assert [notice.code for notice in turn.notices] == ["gone-on-elsewhere"]
    assert arc.sessions.cache(agent.conversation_id).each[-1].began == "compaction"
    assert not agent.turn("go on").notices


def test_what_others_said_in_a_conversation_meanwhile_counts_when_it_is_taken_up_again(begin):
    first = Scripted(says("ok"))
    first.window = 16_000
    agent = begin(first)
    for text in ("one", "two"):
        agent.turn(text)
    agent.close()
    other = begin(Scripted(says("A long answer. " * 300)), session=agent.conversation_id)
    talk(other, 7)
    other.close()
    agent.turn("and now?")
    assert agent.session.id != agent.conversation_id


def test_calls_of_a_turn_that_was_compressed_meanwhile_are_made_in_the_session_that_goes_on(arc, begin):
    """What it heard since decides what may be noted."""

    def compress(event):
        if isinstance(event, Returned) and not children:
            children.append(
                arc.sessions.compress(agent.conversation_id, target_tokens=2_000, force=True).child_id
            )

    children, last = [], calls(note("staging listens on 8443"))
    agent = begin(Scripted(says("A long answer. " * 300)))
    talk(agent)
    agent.responder.replies = (says(""),) * 6 + (calls(("recall", '{"query": "x"}')), last, says("ok"))
    agent.on_event = compress
    assert agent.turn("remember that staging listens on 8443").stop == "end"
    (entry,) = arc.notes.entries("memory")
    assert entry.text == "staging listens on 8443"
    assert f'"{children[0]}"' in (arc.home.path / "memories" / "journal.jsonl").read_text()


def test_what_summaries_cost_counts_and_so_does_what_was_before_them(arc, begin):
    costs = lambda request: Reply(  # noqa: E731
        "A long answer. " * 300, usage=Usage("m", input=100, output=10, cost_usd=0.1)
    )
    responder = Scripted(costs)
    responder.window = 16_000
    agent = begin(responder, budget=Budget(conversation_usd=1.15))
    turns = []
    while not turns or turns[-1].stop == "end":
        turns.append(agent.turn(f"question {len(turns)}: " + "why is it so? " * 60))
    assert agent.session.id != agent.conversation_id
    assert turns[-1].stop == "budget"
    assert len(responder.requests) == 12
    assert sum(turn.requests for turn in turns) < sum(turn.usage.requests for turn in turns) == 12
    assert arc.sessions.cache(agent.conversation_id).cost_usd == pytest.approx(1.2)
    assert [(one.requests, one.cost_usd) for one in agent.used] == [(12, pytest.approx(1.2))]


def test_a_compression_that_is_stopped_changes_nothing(arc, begin):
    def reply(request):
        if request.tools:
            return says("A long answer. " * 300)
        agent.interrupt()
        return Reply("half a", stop="interrupted")

    responder = Scripted(reply)
    responder.window = 16_000
    agent = begin(responder)
    while not (turn := agent.turn("why is it so? " * 60)).notices:
        pass
    assert (turn.stop, [notice.code for notice in turn.notices]) == ("interrupted", ["not-compressed"])
    assert agent.session.id == agent.conversation_id
    assert agent.session.messages()[-1].role == "user"


def test_who_answers_by_rules_is_told_nothing_that_was_recalled(arc, begin):
    arc.sessions.start("cli").append(Message.user("we decided that the lantern of the quay is green"))
    agent = begin(Quoting(), recall="on")
    assert "green" in agent.turn("what did we decide about the lantern of the quay?").text
    assert agent.session.messages()[0].parts == ()


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
