"""Thousands of requests to providers that fail in every way: somebody answers while anybody can, and nobody is stormed."""

import random
from collections import Counter, defaultdict
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import Clock

from archivist.models.classes import Signs
from archivist.models.kinds import KINDS
from archivist.models.pool import Key, Pool
from archivist.models.responder import Interrupt, ModelFailed
from archivist.models.seats import Place
from archivist.models.steady import Steady
from archivist.records.requests import Reply, Request, TextPiece

ASKED = Request("m", ({"role": "user", "content": "hi", "reasoning_content": "hm"},))


class Provider:
    """Answers as it is told for each key; `asked` has of each request the time, the key and the answer."""

    def __init__(self, name, clock, answer):
        self.name, self.clock, self.answer, self.asked = name, clock, answer, []

    def place(self, keys, draw):
        named = [Key(f"key {number}", f"{self.name}-{number}") for number in range(keys)]
        pool = Pool(named, model=self.name, now=self.clock, draw=draw)
        return Place(self.name, pool, lambda secret: Behind(self, secret))


class Behind:
    """A provider that is asked with one key."""

    takes_pictures, window, is_model = True, 100_000, True

    def __init__(self, provider, secret):
        self.provider, self.secret = provider, secret
        self.name = self.model = provider.name

    def respond(self, request, on_piece, interrupt):
        found = self.provider.answer(self.secret)
        self.provider.asked.append((self.provider.clock.time, self.secret, found))
        self.provider.clock.advance(seconds=1)
        if found in KINDS and found != "nothing":
            raise ModelFailed(found, kind=found, signs=Signs(self.provider.name))
        if found == "spoken":
            on_piece(TextPiece("half"))
            raise ModelFailed("broke off", kind="broken", partial=Reply("half"))
        return Reply("" if found == "nothing" else "ok")


def steady(places, clock, draw):
    def wait(seconds, _interrupt):
        assert 0 < seconds <= 600
        clock.advance(seconds=seconds)

    return Steady(places, tell=lambda _: None, now=clock, draw=draw, wait=wait)


def test_ten_thousand_requests_are_answered_while_anybody_can_and_no_key_is_stormed():
    chance, clock = random.Random(7), Clock()
    out: dict[str, tuple] = {}

    def answer(secret):
        """Each key and each provider has days on which it answers to nobody."""
        key, provider = out.get(secret), out.get(secret.partition("-")[0])
        for until, kind in filter(None, (key, provider)):
            if clock.time < until:
                return kind
        return "ok"

    providers = [Provider(name, clock, answer) for name in ("first", "second", "last")]
    model = steady([one.place(4, chance.uniform) for one in providers], clock, chance.uniform)
    failed = 0
    for _ in range(10_000):
        clock.advance(seconds=chance.expovariate(1 / 20))
        if chance.random() < 0.05:
            key = f"{chance.choice(['first', 'second'])}-{chance.randrange(4)}"
            out[key] = (
                clock.time + timedelta(hours=chance.random() * 3),
                chance.choice(["limited", "empty", "refused"]),
            )
        if chance.random() < 0.01:
            kind = chance.choice(["busy", "fault", "slow", "unreachable", "upstream", "unread", "no-model"])
            out[chance.choice(["first", "second"])] = (
                clock.time + timedelta(minutes=chance.random() * 60),
                kind,
            )
        try:
            assert model.respond(ASKED, lambda _: None, Interrupt()).text == "ok"
        except ModelFailed:
            failed += 1
    assert failed == 0, "the last always answers"
    assert len(providers[0].asked) > 3_000, "the first is asked again when it can"
    for provider in providers[:2]:
        refused = [
            (secret, time.replace(second=0, microsecond=0))
            for time, secret, found in provider.asked
            if found != "ok"
        ]
        assert max(Counter(refused).values()) <= 6, "in a minute"


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_fails_a_request_ends_and_says_why(data):
    clock = Clock()
    draw = random.Random(1).uniform
    kinds = st.sampled_from([*sorted(KINDS), "ok", "spoken"])
    scripts = data.draw(st.lists(st.lists(kinds, min_size=1, max_size=6), min_size=1, max_size=3))
    asked = []
    providers = []
    for number, script in enumerate(scripts):

        def answer(secret, left=list(script)):  # noqa: B006 - one of each provider
            found = left.pop(0) if len(left) > 1 else left[0]
            asked.append((secret, found))
            return found

        providers.append(Provider(f"p{number}", clock, answer))
    model = steady([one.place(2, draw) for one in providers], clock, draw)
    try:
        reply = model.respond(ASKED, lambda _: None, Interrupt())
    except ModelFailed as failed:
        reply = failed.partial or Reply(str(failed))
    assert reply.text or asked[-1][1] == "nothing"
    assert len(asked) < 200
    assert all(found != "spoken" for _, found in asked[:-1]), "what was shown is not asked for again"
    told = defaultdict(list)
    for secret, found in asked:
        assert not {"empty", "refused"} & set(told[secret]), "a key that was refused is not asked again"
        told[secret].append(found)


@pytest.mark.parametrize("kind", sorted(KINDS - {"nothing"}))
def test_a_single_model_that_fails_always_is_given_up_within_hours(kind):
    clock = Clock()
    began = clock.time
    provider = Provider("only", clock, lambda _: kind)
    with pytest.raises(ModelFailed, match=kind):
        steady([provider.place(1, lambda low, _: low)], clock, lambda low, _: low).respond(
            ASKED, lambda _: None, Interrupt()
        )
    assert clock.time - began < timedelta(hours=1)
    assert len(provider.asked) <= 21
