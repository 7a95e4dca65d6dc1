"""The keys of one endpoint: which is used, which rests and for how long, and that one good key is enough."""

import random
from bisect import bisect
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.models.pool import OwnShelf, Pool, masked, named_keys
from archivist.models.rests import Rest, Standing, failed, taken

BEGIN = datetime(2026, 5, 1, 12, tzinfo=UTC)
STRATEGIES = ("fill-first", "round-robin", "least-used", "random")


class Clock:
    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> datetime:
        return self.now

    def go(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    return Clock()


def pool_of(count, clock, strategy="fill-first", *, shelf=None, model="m", draw=None):
    keys = named_keys([(f"sk-a-key-of-some-length-{number}", "X_API_KEY") for number in range(1, count + 1)])
    chance = random.Random(7)
    return Pool(
        keys,
        model=model,
        now=clock,
        draw=draw or chance.uniform,
        strategy=strategy,
        shelf=shelf or OwnShelf(),
    )


def rest_of_all(pool, clock, what="empty"):
    for key in pool.keys:
        pool.failed(key, what)
    clock.go(0)


def test_a_key_is_shown_by_its_end_and_never_whole():
    (one, two) = named_keys(
        [("sk-0123456789abcdef5yHc", "A"), ("sk-0123456789abcdef5yHc", "B"), ("short", "C")]
    )
    assert (one.name, one.origin, two.name) == ("key 1 (…5yHc)", "A", "key 2 (…)")
    assert "0123456789" not in f"{one!r} {one} {[one]!r}"
    assert masked("") == "…"


def test_no_pool_shows_a_key(clock):
    pool = pool_of(2, clock)
    assert "sk-a-key" not in f"{pool!r} {pool} {pool.take(clock.now)!r}"


def test_a_pool_needs_a_key(clock):
    with pytest.raises(ValueError, match="has a key"):
        pool_of(0, clock)


def test_the_first_key_that_is_ready_is_used_by_default(clock):
    pool = pool_of(3, clock)
    assert [pool.take(clock.now) for _ in range(3)] == [pool.keys[0]] * 3
    pool.failed(pool.keys[0], "empty")
    assert pool.take(clock.now) == pool.keys[1]


def test_keys_are_used_in_turn(clock):
    pool = pool_of(3, clock, "round-robin")
    assert [pool.take(clock.now) for _ in range(6)] == [*pool.keys, *pool.keys]
    pool.failed(pool.keys[1], "refused")
    assert [pool.take(clock.now) for _ in range(4)] == [pool.keys[at] for at in (0, 2, 0, 2)]


def test_the_key_that_was_least_used_of_late_is_used_and_a_new_one_is_not_crowded(clock):
    pool = pool_of(2, clock, "least-used")
    pool.failed(pool.keys[1], "empty", clock.now + timedelta(minutes=5))
    for _ in range(300):
        assert pool.take(clock.now) == pool.keys[0]
        clock.go(1)
    pool.worked(pool.take(clock.now))
    assert {pool.take(clock.now) for _ in range(40)} == {pool.keys[1]}
    clock.go(7_200)
    shares = Counter(pool.take(clock.now).name for _ in range(1_000))
    assert min(shares.values()) > 450


def test_any_key_is_used_by_chance_even_where_chance_is_at_its_end(clock):
    pool = pool_of(3, clock, "random")
    assert len({pool.take(clock.now).name for _ in range(50)}) == 3
    assert pool_of(3, clock, "random", draw=lambda _, high: high).take(clock.now).name.startswith("key 3")


def test_the_first_limit_tries_the_same_key_once_more_the_second_goes_on_to_the_next(clock):
    for strategy in STRATEGIES:
        pool = pool_of(3, clock, strategy)
        first = pool.take(clock.now)
        pool.failed(first, "limited")
        assert pool.take(clock.now) == first
        assert pool.take(clock.now) != first
        pool.failed(first, "limited")
        clock.go(3_599)
        assert first not in {pool.take(clock.now) for _ in range(30)}
        clock.go(2)
        assert first in {pool.take(clock.now) for _ in range(30)}


@pytest.mark.parametrize(("what", "seconds"), [("empty", 3_600), ("refused", 300)])
def test_what_a_provider_says_of_a_key_says_how_long_it_rests(clock, what, seconds):
    pool = pool_of(2, clock)
    pool.failed(pool.take(clock.now), what)
    clock.go(seconds - 1)
    assert pool.take(clock.now) == pool.keys[1]
    clock.go(2)
    assert pool.take(clock.now) == pool.keys[0]


@pytest.mark.parametrize("what", ["limited", "empty", "refused"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_time_that_the_provider_names_counts_before_all_others(clock, what, count):
    pool = pool_of(count, clock)
    until = clock.now + timedelta(seconds=7_000)
    for key in pool.keys:
        pool.failed(key, what, until)
    assert pool.take(clock.now) is None
    assert pool.free_at() == until
    clock.go(6_999)
    assert pool.take(clock.now) is None
    clock.go(1)
    assert pool.take(clock.now) == pool.keys[0]


def test_a_time_beyond_all_reason_or_long_gone_is_not_believed(clock):
    pool = pool_of(1, clock)
    pool.failed(pool.keys[0], "limited", clock.now + timedelta(days=9_000))
    assert pool.free_at() == clock.now + timedelta(days=31)
    pool = pool_of(1, clock)
    pool.failed(pool.keys[0], "limited", clock.now - timedelta(days=1))
    assert pool.free_at() <= clock.now + timedelta(seconds=5)


@pytest.mark.parametrize("what", ["limited", "empty", "refused"])
def test_the_only_key_never_rests_longer_than_five_seconds(clock, what):
    pool = pool_of(1, clock)
    waits = []
    for _ in range(40):
        key = pool.take(clock.now)
        assert key is not None
        pool.failed(key, what)
        free = pool.free_at()
        waits.append((free - clock.now).total_seconds())
        clock.now = free
    assert max(waits) == 5
    assert waits[:3] == sorted(waits[:3])
    assert sum(waits[3:15]) >= 55


def test_an_account_that_was_topped_up_is_used_again_within_two_minutes_though_every_key_was_empty(clock):
    for count in (1, 3):
        pool = pool_of(count, clock)
        for _ in range(count):
            pool.failed(pool.take(clock.now), "empty")
        clock.go(120)
        key = pool.take(clock.now)
        assert key is not None
        pool.worked(key)
        assert [pool.take(clock.now) for _ in range(3)] == [key] * 3


def test_while_somebody_tries_a_key_that_rested_others_leave_it_alone(clock):
    shelf = OwnShelf()
    pools = [pool_of(2, clock, shelf=shelf) for _ in range(16)]
    rest_of_all(pools[0], clock, "empty")
    clock.go(60)
    assert sum(pool.take(clock.now) is not None for pool in pools) == 2
    clock.go(5)
    assert sum(pool.take(clock.now) is not None for pool in pools) == 2
    alone = OwnShelf()
    crowd = [pool_of(1, clock, shelf=alone) for _ in range(16)]
    crowd[0].failed(crowd[0].keys[0], "limited")
    clock.go(5)
    assert sum(pool.take(clock.now) is not None for pool in crowd) == 1


def test_a_limit_is_the_models_own_and_an_empty_account_is_nobodys(clock):
    shelf = OwnShelf()
    big, small = (pool_of(2, clock, shelf=shelf, model=model) for model in ("big", "small"))
    big.failed(big.keys[0], "limited", clock.now + timedelta(hours=1))
    assert small.take(clock.now) == small.keys[0]
    assert big.take(clock.now) == big.keys[1]
    small.failed(small.keys[1], "empty")
    big.failed(big.keys[0], "limited", clock.now + timedelta(hours=1))
    assert big.take(clock.now) is None


def test_a_key_that_worked_begins_anew(clock):
    pool = pool_of(2, clock)
    key = pool.keys[0]
    for _ in range(2):
        pool.failed(key, "limited")
    clock.go(3_700)
    pool.worked(pool.take(clock.now))
    pool.failed(key, "limited")
    assert pool.take(clock.now) == key


def test_keys_can_be_woken(clock):
    pool = pool_of(2, clock)
    rest_of_all(pool, clock)
    pool.wake([pool.keys[1]])
    assert pool.take(clock.now) == pool.keys[1]
    rest_of_all(pool, clock)
    pool.wake()
    assert pool.take(clock.now) == pool.keys[0]
    assert pool.free_at() is None


def test_a_rest_that_a_wrong_clock_wrote_down_is_not_heeded():
    for since in (BEGIN + timedelta(days=400), BEGIN - timedelta(days=400)):
        rest = Rest("empty", since, since + timedelta(days=3_000), since + timedelta(days=3_000))
        assert Standing(rests={"": rest}).rest("m", BEGIN) is None


def test_what_becomes_of_a_key_is_noted_without_its_text(clock):
    noted = []
    key = named_keys([("sk-a-key-of-some-length-1", "A")])[0]
    pool = Pool(
        [key], model="m", now=clock, draw=max, note=lambda what, /, **facts: noted.append((what, facts))
    )
    pool.failed(key, "limited")
    assert noted[0][0] == "key-rests"
    assert noted[0][1]["key"] == key.name
    assert key.secret not in repr(noted)


moments = st.floats(-1e6, 1e6).map(lambda seconds: BEGIN + timedelta(seconds=seconds))


@given(
    st.lists(
        st.tuples(st.sampled_from(["limited", "empty", "refused", None]), moments, st.none() | moments),
        max_size=12,
    )
)
def test_whatever_happens_to_the_only_key_it_can_be_taken_again(steps):
    standing, now = Standing(), BEGIN
    for what, at, until in steps:
        now = at
        standing = (
            taken(standing, "m", 1, now)
            if what is None
            else failed(standing, what, until, model="m", now=now, is_alone=True)
        )
        rest = standing.rest("m", now)
        assert rest is None or rest.until <= now + timedelta(days=31) or rest.since > now
        assert msgspec.json.decode(msgspec.json.encode(standing), type=Standing) == standing


# ---- ten thousand calls ----


class Provider:
    """A provider by what it does with keys over the time: outages, limits a minute, keys that expire, accounts that are topped up."""

    def __init__(self, clock, chance, keys):
        self.clock, self.chance, self.keys = clock, chance, keys
        self.asked = defaultdict(list)
        self.refusals = defaultdict(list)

    def ask(self, key):
        minute = (self.clock.now - BEGIN).total_seconds() / 60
        at = self.keys.index(key)
        self.asked[key].append(minute)
        self.clock.go(self.chance.uniform(0.05, 0.4))
        if 500 < minute % 1_000 < 505:
            return "outage"
        said = self.says(at, key, minute)
        if said != "answer":
            self.refusals[key].append(minute)
        return said

    def says(self, at, key, minute):
        if at == 0:
            return "answer" if minute % 300 < 200 else "empty"
        if at == 1:
            return "refused" if minute % 900 > 450 else "answer"
        if at == 2:
            return "limited" if sum(minute - one < 1 for one in self.asked[key][-20:]) > 8 else "answer"
        return "answer"


def busiest_minute(minutes):
    return max((bisect(minutes, begin + 1) - at for at, begin in enumerate(minutes)), default=0)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_ten_thousand_calls_are_all_answered_while_one_good_key_remains_and_there_is_no_storm(
    clock, strategy
):
    chance = random.Random(strategy)
    pool = pool_of(4, clock, strategy)
    provider = Provider(clock, chance, pool.keys)
    most = 0
    for _ in range(10_000):
        tries = 0
        while True:
            key = pool.take(clock.now)
            assert key is not None, "the fourth key is good"
            said = provider.ask(key)
            if said == "answer":
                pool.worked(key)
                break
            if said == "outage":
                clock.go(30)
                continue
            pool.failed(key, said)
            tries += 1
        most = max(most, tries)
        clock.go(chance.expovariate(1 / 20))
    assert most <= 5
    assert max(map(busiest_minute, provider.refusals.values())) <= 3
    assert sum(map(len, provider.refusals.values())) < 800


@pytest.mark.parametrize("count", [1, 3])
def test_where_no_key_is_good_for_hours_none_is_asked_more_than_now_and_then(clock, count):
    pool = pool_of(count, clock)
    provider = Provider(clock, random.Random(1), pool.keys)
    provider.says = lambda at, key, minute: "limited" if minute < 180 else "answer"
    for _ in range(10_000):
        key = pool.take(clock.now)
        if key is None:
            clock.now = pool.free_at()
        elif (said := provider.ask(key)) == "limited":
            pool.failed(key, said)
        elif said == "answer":
            pool.worked(key)
            break
    minutes = (clock.now - BEGIN).total_seconds() / 60
    assert 180 <= minutes < 182
    assert max(map(busiest_minute, provider.asked.values())) <= 15
    if count > 1:
        assert all(len(asked) < 200 for asked in provider.asked.values())


@pytest.mark.parametrize("count", [1, 3])
def test_sixteen_who_share_what_they_know_storm_nobody_while_every_key_is_limited(clock, count):
    shelf = OwnShelf()
    crowd = [pool_of(count, clock, shelf=shelf) for _ in range(16)]
    provider = Provider(clock, random.Random(3), crowd[0].keys)
    provider.says = lambda at, key, minute: "limited" if minute < 60 else "answer"
    waiting = [(BEGIN, number) for number in range(16)]
    served = set()
    while len(served) < 16:
        at, number = heappop(waiting)
        clock.now, pool = max(clock.now, at), crowd[number]
        key = pool.take(clock.now)
        said = provider.ask(key) if key is not None else "none"
        if said == "answer":
            pool.worked(key)
            served.add(number)
            continue
        if key is not None:
            pool.failed(key, said)
        heappush(waiting, (max(pool.free_at() or clock.now, clock.now + timedelta(seconds=0.01)), number))
    assert max(map(busiest_minute, provider.refusals.values())) <= 15
    assert (clock.now - BEGIN) < timedelta(minutes=63)
