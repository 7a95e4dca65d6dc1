"""A conversation that outgrows its window while the model that should tell what happened does not."""

import json
import threading
import time

import pytest
from tests.conftest import Clock
from tests.loop.scripted import Scripted, says

from archivist import Archivist, ModelFailed, check_messages
from archivist.loop.events import Compressed, Told
from archivist.models.responder import Interrupt
from archivist.records import Usage
from archivist.records.requests import Reply

LONG = "A long answer. " * 300


class Telling(Scripted):
    """Answers at length; asked without tools, which is for a summary, it does as it is told to."""

    window = 16_000

    def __init__(self, tell):
        super().__init__(says(LONG))
        self.tell, self.told = tell, 0

    def respond(self, request, on_piece, interrupt):
        if request.tools:
            if interrupt.is_set:
                return Reply("", stop="interrupted")
            return super().respond(request, on_piece, interrupt)
        self.told += 1
        return self.tell(interrupt)


@pytest.fixture
def arc(tmp_path):
    with Archivist.open(tmp_path / "home", clock=Clock(), environ={}) as opened:
        yield opened


@pytest.fixture
def begin(arc, tmp_path):
    (tmp_path / "work").mkdir()
    return lambda responder, **more: arc.agent(responder, cwd=tmp_path / "work", **more)


def until_it_is_compressed(agent, most=14):
    """Talk until there is a compression, or something that stands against one; each event by then."""
    events = []
    agent.on_event = events.append
    for number in range(most):
        agent.turn(f"question {number}: " + "why is it so? " * 60)
        if any(isinstance(event, Compressed | Told) for event in events):
            break
    return events


def raises(error):
    def tell(interrupt):
        raise error

    return tell


@pytest.mark.parametrize(
    "tell",
    [
        lambda interrupt: Reply(""),
        lambda interrupt: Reply("I will not do that.", stop="refusal"),
        lambda interrupt: Reply("## Goal\n- the goal is to", stop="length"),
        lambda interrupt: Reply("## Goal\n- half a", stop="interrupted"),
        lambda interrupt: Reply("x" * 400_000),
        raises(ModelFailed("the context is too long")),
        raises(RuntimeError("can't start new thread")),
    ],
)
def test_whatever_becomes_of_the_summary_the_conversation_goes_on(begin, tell):
    """https://github.com/NousResearch/hermes-agent/issues/63008"""
    responder = Telling(tell)
    agent = begin(responder)
    events = until_it_is_compressed(agent)
    assert any(isinstance(event, Compressed) for event in events)
    assert 1 <= responder.told <= 2
    sent = json.dumps(responder.last.messages)
    assert not check_messages(list(responder.last.messages))
    assert "I will not do that" not in sent
    assert "half a" not in sent
    assert agent.session.messages("all")[0].text.startswith("question 0")


def test_a_user_who_stops_a_summary_waits_for_it_no_longer_and_nothing_is_compressed(begin):
    """https://github.com/NousResearch/hermes-agent/issues/100602"""

    def tell(interrupt: Interrupt):
        entered.set()
        woken = threading.Event()
        interrupt.wakes(woken.set)
        assert interrupt.is_set or woken.wait(20)
        return Reply("## Goal\n- half of it", stop="interrupted")

    entered, responder = threading.Event(), Telling(tell)
    agent = begin(responder)
    threading.Thread(target=lambda: entered.wait(60) and agent.interrupt(), daemon=True).start()
    began = agent.session.id
    for number in range(14):
        since = time.monotonic()
        turn = agent.turn(f"question {number}: " + "why is it so? " * 60)
        if turn.stop == "interrupted":
            break
    assert turn.stop == "interrupted"
    assert time.monotonic() - since < 15
    assert agent.session.id == began  # what a model would have told is not told by rules for ever
    assert [notice.code for notice in turn.notices] == ["not-compressed"]
    said = [message.text for message in agent.session.messages("all") if message.role == "user"]
    assert said[-1].startswith(f"question {number}")
    responder.tell = lambda interrupt: Reply("## Goal\n- why it is so")
    assert any(isinstance(event, Compressed) for event in until_it_is_compressed(agent))


def test_a_summary_that_nobody_waits_for_is_told_no_further(begin, monkeypatch):
    monkeypatch.setattr("archivist.app.summarising.DEADLINE_SECONDS", 0.2)
    stopped = threading.Event()

    def tell(interrupt: Interrupt):
        interrupt.wakes(stopped.set)
        assert stopped.wait(20)
        return Reply("", stop="interrupted")

    agent = begin(Telling(tell))
    until_it_is_compressed(agent)
    assert stopped.is_set()


def test_what_a_summary_costs_is_counted(begin):
    told = Usage("scripted", "req-summary-0123456789", input=77_000, output=10)
    agent = begin(Telling(lambda interrupt: Reply("## Goal\n- why it is so", usage=told)))
    first = agent.session
    until_it_is_compressed(agent)
    assert sum(usage.input for usage in first.usage()) > 77_000


def test_where_no_thread_can_begin_the_rules_tell_what_happened(begin, monkeypatch):
    agent = begin(Telling(lambda interrupt: Reply("## Goal\n- why it is so")))
    agent.turn("first")

    def start(_thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    assert any(isinstance(event, Compressed) for event in until_it_is_compressed(agent))
