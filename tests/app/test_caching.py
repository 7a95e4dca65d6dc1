"""What requests cost against a perfect freeze: told of each, and in sums that add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import NOON, Clock

from archivist import Archivist, UnknownSession
from archivist.app.cache_prices import Paid, token_price
from archivist.app.cache_report import report
from archivist.records import OWNER, Scope, Session, SessionStart, Usage
from archivist.store.requests import RequestRow, Seen, Used, add_request

SESSION = Session("s", "s", "chat", OWNER, NOON, NOON, 2, title="Harbour")


def row(number=1, **more):
    kept = {
        "epoch": 1,
        "began": None,
        "blocks": 10,
        "tokens": 10_000,
        "before_blocks": 9,
        "before_tokens": 9_000,
        "shared_blocks": 9,
        "shared_tokens": 9_000,
    }
    return RequestRow(number * 1_000, "anthropic", "m", f"r{number}", **(kept | more))


FIRST = {"began": "start", "before_blocks": 0, "before_tokens": 0, "shared_blocks": 0, "shared_tokens": 0}
MOVED = {"broke": "tools", "broke_at": 2, "broke_why": "added", "shared_blocks": 1, "shared_tokens": 500}


def used(fresh=0, read=0, write=0, cost=0.0):
    return Used(1, fresh, 100, read, write, cost)


def told(*pairs):
    seen = [Seen("s", one, counted) for one, counted in pairs]
    sums = [counted for _, counted in pairs if counted is not None]
    total = Used(
        *(sum(getattr(one, name) for one in sums) for name in Used.__struct_fields__),
    )
    return report([SESSION], seen, total)


def test_a_conversation_that_stood_still_costs_what_a_perfect_freeze_does():
    one = told(
        (row(1, **FIRST, tokens=9_000, blocks=9), used(write=9_000)),
        (row(2), used(read=9_000, write=1_000)),
    )
    assert one.over == pytest.approx(0)
    assert (one.breaks, one.epochs, one.seen) == (0, 1, 2)
    assert one.shared == pytest.approx(9 / 19)
    assert one.read == pytest.approx(9 / 19)
    assert [each.shared for each in one.each] == [None, 0.9]


def test_what_a_break_cost_is_what_was_paid_beyond_a_perfect_freeze():
    one = told(
        (row(1, **FIRST, tokens=9_000, blocks=9), used(write=9_000)),
        (row(2, **MOVED), used(write=10_000)),
    )
    moved = one.each[1]
    assert moved.is_break
    assert (moved.paid, moved.frozen) == (pytest.approx(12_500), pytest.approx(900 + 1_250))
    assert moved.lost_usd is None
    assert one.over == pytest.approx(100 * ((11_250 + 12_500) / (11_250 + 2_150) - 1))


def test_what_it_cost_in_dollars_is_told_from_what_the_requests_cost():
    prices = [(9_000, 100), (10_000, 250), (11_000, 40)]
    counted = [
        Used(1, 0, output, 0, write, 0.000_003 * 1.25 * write + 0.000_015 * output)
        for write, output in prices
    ]
    rows = [row(1, **FIRST, tokens=9_000, blocks=9), row(2, **MOVED), row(3, tokens=11_000)]
    one = told(*zip(rows, counted, strict=True))
    assert one.each[1].lost_usd == pytest.approx((12_500 - 2_150) * 0.000_003)
    assert one.lost_usd == pytest.approx((one.paid - one.frozen) * 0.000_003)


def test_of_what_was_made_shorter_only_what_is_the_same_could_have_stood_still():
    shorter = row(2, began="compaction", epoch=2, **(MOVED | {"shared_tokens": 5_000}))
    undone = row(3, **(MOVED | {"broke": "message", "broke_why": "undone", "shared_tokens": 5_000}))
    one = told((shorter, used(read=5_000, fresh=5_000)), (undone, used(read=5_000, fresh=5_000)))
    assert [each.lost for each in one.each] == [pytest.approx(0), pytest.approx(0)]
    assert [each.is_break for each in one.each] == [False, True]
    assert one.lost_usd is None


def test_a_switch_of_the_model_costs_the_whole_beginning():
    switched = row(2, began="model", epoch=2)
    (only,) = told((switched, used(fresh=10_000))).each
    assert only.lost == pytest.approx(9_000 * 0.9)
    assert not only.is_break


def test_what_no_provider_keeps_costs_nothing_more():
    small = row(2, tokens=600, before_tokens=500, shared_tokens=500)
    (only,) = told((small, used(fresh=600))).each
    assert only.lost == 0


def test_where_nothing_is_known_of_the_request_before_nothing_is_lost():
    unknown = row(2, before_blocks=0, before_tokens=0, shared_blocks=0, shared_tokens=0)
    (only,) = told((unknown, used(fresh=10_000))).each
    assert (only.shared, only.lost) == (None, 0)


def test_what_is_not_told_is_none_and_said():
    one = told((row(1, **FIRST), None))
    assert (one.read, one.paid, one.over, one.lost_usd) == (None, None, None, None)
    assert one.tokens == 10_000
    assert [notice.code for notice in one.notices] == ["usage-not-told"]


@given(
    st.floats(1e-8, 1e-4),
    st.floats(0, 1e-3),
    st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, 10**5)), min_size=3, max_size=9),
)
def test_a_price_that_is_told_from_costs_is_the_one_that_was_paid(price, reply, sizes):
    told = token_price([Paid(sent, output, sent * price + output * reply) for sent, output in sizes])
    assert told is None or told == pytest.approx(price, rel=1e-3)


@pytest.mark.parametrize(
    "costs",
    [
        [Paid(10, 1, 1.0), Paid(20, 2, 2.0), Paid(40, 4, 4.0)],
        [Paid(10, 5, 1.0), Paid(20, 1, 2.0)],
        [Paid(10, 5, 1.0), Paid(10, 9, 9.0), Paid(10, 2, 4.0)],
        [Paid(10, 5, 0.0), Paid(20, 1, 0.0), Paid(30, 2, 0.0)],
        [],
    ],
)
def test_costs_that_tell_no_price_give_none(costs):
    assert token_price(costs) is None


@given(
    st.lists(
        st.tuples(
            st.integers(1, 10**6),
            st.integers(0, 10**6),
            st.integers(0, 10**6),
            st.sampled_from([None, "model", "compaction"]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_a_perfect_freeze_never_costs_more_than_what_was_paid(asked):
    pairs = []
    for number, (fresh, read, write, began) in enumerate(asked, 1):
        size = fresh + read + write
        shared = {"before_tokens": size, "shared_tokens": size // 2, "tokens": size, "began": began}
        pairs.append((row(number, **shared), used(fresh, read, write)))
    one = told(*pairs)
    assert 0 <= one.frozen <= one.paid * (1 + 1e-9)
    assert one.over >= -1e-6


@pytest.fixture
def arc(tmp_path):
    with Archivist.open(tmp_path / "home", clock=Clock(), environ={}) as opened:
        yield opened


def test_of_another_programs_conversation_what_its_provider_counted_is_told(arc):
    key = arc._store.start(SessionStart("claude-code", external_id="x", title="Held"))
    arc._store.add_usage(key, [Usage("m", "a", input=10, cache_read=90), Usage("m", "b", input=100)])
    one = arc.sessions.cache("held")
    assert (one.requests, one.tokens, one.read, one.shared, one.frozen) == (2, 200, 0.45, None, None)
    assert [notice.code for notice in one.notices] == ["requests-not-seen"]
    assert arc.sessions.caches()[0].tokens == 200


def test_requests_beside_the_turns_count_in_the_sums(arc):
    key = arc.sessions.start("chat").id
    arc._store.write(lambda db: add_request(db, key, row(1, **FIRST), b""))
    arc._store.add_usage(key, [Usage("m", "r1", input=10), Usage("m", "summary", input=5, cost_usd=0.5)])
    one = arc.sessions.cache(key)
    assert (one.requests, one.seen, one.tokens, one.cost_usd) == (2, 1, 15, 0.5)
    assert [notice.code for notice in one.notices] == ["requests-beside"]


def test_a_conversation_of_somebody_else_is_as_if_it_were_not_there(arc):
    key = arc.sessions.start("chat", scope=Scope(user="ann")).id
    arc._store.write(lambda db: add_request(db, key, row(1, **FIRST), b""))
    assert arc.sessions.caches(scope=Scope(user="bob")) == ()
    with pytest.raises(UnknownSession):
        arc.sessions.cache(key, scope=Scope(user="bob"))


def test_the_conversation_active_last_comes_first_and_a_limit_holds(arc):
    for number in range(3):
        key = arc.sessions.start("chat", title=f"t{number}").id
        arc._store.write(lambda db, key=key: add_request(db, key, row(1, **FIRST), b""))
        arc._store._world.now.advance(minutes=1)
    arc.sessions.start("chat", title="silent")
    assert [one.title for one in arc.sessions.caches(limit=2)] == ["t2", "t1"]
    assert arc.sessions.caches(limit=0) == ()
