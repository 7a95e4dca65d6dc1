"""A model that goes on answering, from the bytes of a failure to what the user reads and to the next request."""

import json
import random
import socket
import threading
import time

import pytest
from tests.conftest import Clock
from tests.model_server import Failure, Hangup, Reply, fails, says
from tests.model_server.anthropic_form import sign
from tests.models.failures import CASES

from archivist.models.actions import ACTIONS
from archivist.models.endpoints import Endpoint
from archivist.models.opening import open_responder
from archivist.models.pausing import pause
from archivist.models.pool import Key, Pool
from archivist.models.repairs import FEWER_TOKENS, NO_PICTURE
from archivist.models.responder import Interrupt, ModelFailed
from archivist.models.seats import Place
from archivist.models.steady import Steady
from archivist.records.requests import Request

pytest.importorskip("openai")
pytest.importorskip("anthropic")

KEYS = ("sk-first-0001", "sk-second-0002")
PIXEL = "data:image/png;base64,iVBORw0KGgo="
THOUGHT = "Let me think of lamps."
REQUEST = Request(
    "m",
    (
        {
            "role": "user",
            "content": [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": PIXEL}}],
        },
        {
            "role": "assistant",
            "content": "A lamp.",
            "thinking_blocks": [{"type": "thinking", "thinking": THOUGHT, "signature": sign(THOUGHT)}],
            "reasoning_content": THOUGHT,
        },
        {"role": "user", "content": "and now?"},
    ),
    "Be short.",
)


class Stage:
    """Endpoints at servers, with a clock that waits move."""

    def __init__(self, served):
        self.clock, self.told, self.waited, self.heard = Clock(), [], [], []
        self._served = served

    def server(self, *script, **more):
        return self._served(list(script), clock=self.seconds, **more)

    def seconds(self):
        return self.clock.time.timestamp()

    def place(self, server, *, wire="openai", provider="here", keys=KEYS, model="m", **more):
        url = f"{server.url}/v1" if wire == "openai" else server.url

        def opened(secret):
            return open_responder(Endpoint(provider, wire, model, url, secret, **more))

        named = [Key(f"key {number}", secret) for number, secret in enumerate(keys, 1)]
        pool = Pool(named, model=model, now=self.clock, draw=lambda low, _high: low)
        return Place(f"{provider}/{model}", pool, opened)

    def steady(self, *places, **more):
        def wait(seconds, _interrupt):
            self.waited.append(seconds)
            self.clock.advance(seconds=seconds)

        given = {"now": self.clock, "draw": lambda low, _high: low, "wait": wait} | more
        self.model = Steady(places, tell=self.told.append, **given)
        return self.model

    def ask(self, request=REQUEST, interrupt=None):
        return self.model.respond(request, self.heard.append, interrupt or Interrupt())

    @property
    def lines(self):
        return [str(notice) for notice in self.told]


@pytest.fixture
def stage(served):
    made = Stage(served)
    yield made
    made.model.close()


@pytest.fixture(params=["anthropic", "openai"])
def wire(request):
    return request.param


ON_THE_WAY = {kind for kind, action in ACTIONS.items() if action.steps[0] not in {"stop", "compress"}}


def answered(stage, case):
    """What is answered behind a failure, and by whom."""
    body = case.body if isinstance(case.body, str) else json.dumps(case.body)
    failure = Failure(case.status, headers=tuple(case.headers.items()), body=body.encode())
    here, there = stage.server(failure, says("here")), stage.server(says("there"))
    first = stage.place(here, wire=case.wire, provider=case.provider)
    stage.steady(first, stage.place(there, provider="backup", keys=("sk-backup-0003",)))
    return here, there


@pytest.mark.parametrize("case", [case for case in CASES if case.kind in ON_THE_WAY], ids=str)
def test_the_next_request_is_the_one_that_may_help(stage, case):
    """At its time, with its key, and with a body that is otherwise the same."""
    here, there = answered(stage, case)
    reply = stage.ask()
    step = ACTIONS[case.kind].steps[0]
    goes_on = ACTIONS[case.kind].first > 0 and step in {"wait", "key"}
    if step == "place" or not (goes_on or step == "repair"):
        assert (reply.text, stage.waited) == ("there", [])
        assert [request.key for request in there.requests] == ["sk-backup-0003"]
        assert f"{case.provider}/m: " in stage.lines[0]
        assert "backup/m is asked instead" in stage.lines[0]
        return
    assert reply.text == "here"
    first, second = here.requests
    is_told = bool(case.headers) or any(
        word in str(case.body) for word in ("try again in", "RateLimit-Reset")
    )
    other_key = case.kind in {"empty", "refused"} or (case.kind == "limited" and is_told)
    assert (first.key, second.key) == (KEYS[0], KEYS[1] if other_key else KEYS[0])
    if step == "repair":
        assert_repaired(case.kind, first, second)
        assert second.at == first.at
        return
    assert second.body == first.body
    assert second.at - first.at == pytest.approx(0 if other_key else 5)
    assert len(stage.lines) == 1
    assert ("going on with key 2" if other_key else "waiting 5 s") in stage.lines[0]


def assert_repaired(kind, first, second):
    if kind == "bad-thoughts":
        assert THOUGHT not in second.words
        assert [one["role"] for one in first.body["messages"]] == [
            one["role"] for one in second.body["messages"]
        ]
    elif kind == "no-pictures":
        assert PIXEL[22:] in first.words
        assert (PIXEL[22:] in second.words, NO_PICTURE in second.words) == (False, True)
    else:
        asked = {second.body.get("max_tokens"), second.body.get("max_completion_tokens")}
        assert FEWER_TOKENS in asked


@pytest.mark.parametrize("case", [case for case in CASES if case.kind not in ON_THE_WAY], ids=str)
def test_what_only_whoever_asked_can_mend_is_told_at_once(stage, case):
    here, there = answered(stage, case)
    with pytest.raises(ModelFailed) as raised:
        stage.ask()
    assert raised.value.kind == case.kind
    assert (len(here.requests), len(there.requests), stage.waited) == (1, 0, [])


class TestKeys:
    def test_nine_keys_are_limited_and_the_tenth_answers(self, stage):
        """Another key is no other try: however many there are, each is asked."""
        keys = [f"sk-{number:04}" for number in range(10)]
        server = stage.server(*[fails(429, "rate limit reached")] * 18, says("ok"))
        stage.steady(stage.place(server, keys=keys))
        assert stage.ask().text == "ok"
        assert server.requests[-1].key == keys[-1]
        assert stage.waited == [5] * 9

    def test_an_account_without_credit_is_not_asked_twice(self, stage, wire):
        server = stage.server(fails(402, "no credit"))
        stage.steady(stage.place(server, wire=wire))
        with pytest.raises(ModelFailed, match="no credit"):
            stage.ask()
        assert [request.key for request in server.requests] == list(KEYS)
        assert stage.waited == []

    def test_a_topped_up_account_is_used_two_minutes_later(self, stage):
        server = stage.server(fails(402, "no credit"), says("ok"))
        stage.steady(stage.place(server, keys=KEYS[:1]))
        with pytest.raises(ModelFailed):
            stage.ask()
        stage.clock.advance(minutes=2)
        assert stage.ask().text == "ok"

    def test_the_only_key_is_asked_again_soon_where_nothing_says_when(self, stage):
        server = stage.server(fails(429, "slow down"), fails(429, "slow down"), says("ok"))
        stage.steady(stage.place(server, keys=KEYS[:1]))
        assert stage.ask().text == "ok"
        assert stage.waited == [5, 10]

    def test_a_key_whose_time_is_told_is_left_alone_and_another_is_used_at_once(self, stage):
        server = stage.server(fails(429, "rate limit", headers=(("retry-after", "400"),)), says("ok"))
        stage.steady(stage.place(server))
        assert stage.ask().text == "ok"
        assert (server.requests[1].key, stage.waited) == (KEYS[1], [])

    def test_a_limit_of_an_hour_is_waited_for_where_nobody_else_can_be_asked(self, stage):
        limit = fails(429, "usage limit reached, try again in 50 minutes")
        server = stage.server(limit, says("ok"))
        stage.steady(stage.place(server, keys=KEYS[:1]))
        assert stage.ask().text == "ok"
        assert (stage.waited, len(server.requests)) == ([600] * 5, 2)

    def test_a_limit_of_a_day_is_told_at_once(self, stage):
        limit = fails(429, "usage limit reached, try again in 20 hours")
        server = stage.server(limit, says("ok"))
        stage.steady(stage.place(server, keys=KEYS[:1]))
        with pytest.raises(ModelFailed, match="asks to wait"):
            stage.ask()
        with pytest.raises(ModelFailed, match="no key of here/m can be used before 2026-03-2"):
            stage.ask()
        assert (stage.waited, len(server.requests)) == ([], 1)
        stage.clock.advance(hours=20)
        assert stage.ask().text == "ok"

    def test_no_key_is_ever_in_what_is_told(self, stage):
        server = stage.server(*[fails(401, f"no such key {KEYS[0]}")] * 2, says("ok"))
        stage.steady(stage.place(server), stage.place(stage.server(says("there")), provider="b"))
        stage.ask()
        assert not any(key in line for key in KEYS for line in stage.lines)


class TestWaits:
    def test_waits_grow_and_end(self, stage, wire):
        server = stage.server(fails(503, "busy"))
        stage.steady(stage.place(server, wire=wire))
        with pytest.raises(ModelFailed, match="cannot answer now"):
            stage.ask()
        assert stage.waited == [5, 10, 20, 40, 80, 120, 120, 120, 120, 120]
        assert len(server.requests) == 11

    def test_a_provider_that_asks_for_hours_is_waited_for_ten_minutes(self, stage):
        server = stage.server(fails(503, "busy", headers=(("retry-after", "86400"),)), says("ok"))
        stage.steady(stage.place(server))
        assert stage.ask().text == "ok"
        assert stage.waited == [600]
        assert stage.lines == ["here/m: busy: waiting 10 min"]

    def test_whoever_stops_it_is_heard_at_once(self, stage):
        server, interrupt = stage.server(fails(503, "busy")), Interrupt()

        def wait(seconds, interrupt):
            threading.Timer(0.1, interrupt.set).start()
            pause(seconds, interrupt)

        stage.steady(stage.place(server), wait=wait)
        began = time.monotonic()
        assert stage.ask(interrupt=interrupt).stop == "interrupted"
        assert time.monotonic() - began < 4
        assert len(server.requests) == 1

    def test_what_fails_for_no_known_reason_is_asked_again_and_not_for_ever(self, stage):
        class Odd:
            name = model = "odd"
            asked = 0

            def respond(self, *_):
                self.asked += 1
                raise ModelFailed("???")

        odd = Odd()
        pool = Pool([Key("key 1", "")], model="m", now=stage.clock, draw=random.uniform)
        stage.steady(Place("odd/odd", pool, lambda _: odd))
        with pytest.raises(ModelFailed):
            stage.ask()
        assert odd.asked == 4

    def test_nobody_is_there(self, stage, wire):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            gone = type("Gone", (), {"url": f"http://127.0.0.1:{taken.getsockname()[1]}"})
        stage.steady(stage.place(gone, wire=wire))
        with pytest.raises(ModelFailed, match="nobody answers at here") as raised:
            stage.ask()
        assert (stage.waited, raised.value.kind) == ([5, 10, 20], "unreachable")

    def test_what_is_no_answer_of_a_model_is_asked_for_elsewhere(self, stage, wire):
        page = Failure(200, headers=(("content-type", "text/html"),), body=b"<html>Welcome to nginx!</html>")
        there = stage.server(says("there"))
        stage.steady(stage.place(stage.server(page), wire=wire), stage.place(there, provider="b"))
        assert (stage.ask().text, stage.waited) == ("there", [])


class TestStreams:
    def test_what_was_shown_is_not_asked_for_again(self, stage, wire):
        server, other = stage.server(says("a rather long answer " * 5, cut_after=5)), stage.server(says("no"))
        stage.steady(stage.place(server, wire=wire), stage.place(other, provider="b"))
        with pytest.raises(ModelFailed, match="broke off") as raised:
            stage.ask()
        assert raised.value.partial.text
        assert raised.value.partial.text == "".join(piece.text for piece in stage.heard)
        assert (len(server.requests), len(other.requests)) == (1, 0)

    def test_what_broke_off_before_a_word_is_asked_for_again(self, stage, wire):
        server = stage.server(says("an answer", cut_after=1), Hangup(), says("whole"))
        stage.steady(stage.place(server, wire=wire))
        assert stage.ask().text == "whole"
        assert len(server.requests) == 3
        assert len(stage.waited) == 2


class TestAnotherProvider:
    def test_it_answers_with_its_own_window_and_senses_until_the_first_has_rested(self, stage):
        here = stage.server(fails(404, "no such model"), says("here again"))
        there = stage.server(says("there"))
        blind = stage.place(there, provider="b", wire="anthropic", window=9_000, takes_pictures=False)
        steady = stage.steady(stage.place(here, window=50_000), blind)
        assert (steady.name, steady.window, steady.takes_pictures) == ("here/m", 50_000, True)
        assert stage.ask().text == "there"
        assert (steady.name, steady.window, steady.takes_pictures) == ("b/m", 9_000, False)
        assert "not sent" in there.requests[0].words
        stage.clock.advance(seconds=59)
        assert stage.ask().text == "there"
        stage.clock.advance(seconds=2)
        assert (stage.ask().text, steady.name) == ("here again", "here/m")
        assert stage.lines[-1] == "here/m is asked again"

    def test_one_that_fails_again_and_again_is_asked_more_and_more_rarely(self, stage):
        here, there = stage.server(fails(402, "no credit")), stage.server(says("there"))
        stage.steady(stage.place(here, keys=KEYS[:1]), stage.place(there, provider="b"))
        for _ in range(120):
            assert stage.ask().text == "there"
            stage.clock.advance(seconds=30)
        assert len(here.requests) < 12

    def test_where_the_last_cannot_answer_the_first_is_waited_for(self, stage):
        here = stage.server(fails(503, "busy"), fails(503, "busy"), fails(503, "busy"), says("at last"))
        there = stage.server(fails(401, "no such key"))
        stage.steady(stage.place(here), stage.place(there, provider="b"))
        assert stage.ask().text == "at last"

    def test_where_nobody_answers_the_first_failure_is_told(self, stage):
        here, there = stage.server(fails(404, "no such model")), stage.server(fails(401, "no such key"))
        stage.steady(stage.place(here), stage.place(there, provider="b"))
        with pytest.raises(ModelFailed, match="has no model"):
            stage.ask()
        instead, key, last = stage.lines
        assert "b/m is asked instead" in instead
        assert "going on with key 2" in key
        assert "b refuses the key" in last

    def test_an_empty_reply_is_asked_for_elsewhere_and_given_where_nobody_else_is(self, stage):
        here, there = stage.server(says("")), stage.server(says("there"))
        stage.steady(stage.place(here), stage.place(there, provider="b"))
        assert stage.ask().text == "there"
        stage.steady(stage.place(stage.server(says(""))))
        assert stage.ask() == Reply(text="") or stage.ask().text == ""


class TestTheWindow:
    @pytest.mark.parametrize(
        ("failure", "window"),
        [
            (fails(400, "maximum context length is 16384 tokens. you requested 20000"), 16_384),
            (fails(400, "maximum context length is 900000 tokens"), 50_000),
            (fails(413, body=b"<h1>41300 request entity too large > 2000</h1>"), 50_000),
            (fails(400, "invalid request: limit 2000"), 50_000),
        ],
    )
    def test_is_what_the_provider_says_where_that_is_less(self, stage, failure, window):
        steady = stage.steady(stage.place(stage.server(failure), window=50_000))
        with pytest.raises(ModelFailed):
            stage.ask()
        assert steady.window == window


class TestWhatIsLeftOut:
    def test_is_left_out_of_later_requests_too(self, stage):
        refusal = fails(400, "messages.1.content.0: Invalid `signature` in `thinking` block")
        server = stage.server(refusal, says("one"), says("two"))
        stage.steady(stage.place(server, wire="anthropic", provider="anthropic"))
        assert [stage.ask().text, stage.ask().text] == ["one", "two"]
        assert [THOUGHT in request.words for request in server.requests] == [True, False, False]
        assert len(stage.lines) == 1

    def test_is_told_as_refused_where_leaving_it_out_does_not_help(self, stage):
        server = stage.server(fails(400, "messages.1.content.0: Invalid `signature` in `thinking` block"))
        stage.steady(stage.place(server, wire="anthropic", provider="anthropic"))
        with pytest.raises(ModelFailed):
            stage.ask()
        assert len(server.requests) == 2
