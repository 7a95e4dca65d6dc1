"""What is used is remembered better; what does not fade does not; and the same history gives the same number everywhere."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.notes import retention as module
from archivist.notes.retention import STEADY, last_use, retention
from archivist.records.notes import Entry, Use

NOTED = datetime(2026, 1, 1, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)
STRONG = ("used", "opened", "restated")


def entry(kind="fact", noted=NOTED, name="e"):
    return Entry(name, "memory", "the tide tables come from Brest", noted, noted, kind=kind)


def uses(kind, *days, hours=0):
    return [Use("e", NOTED + day * DAY + timedelta(hours=hours), kind, f"s{day}") for day in days]


def after(days, *told, kind="fact"):
    return retention(entry(kind), [use for some in told for use in some], NOTED + days * DAY)


def test_a_new_entry_is_remembered_and_fades():
    values = [after(days) for days in (0, 1, 3, 10, 100, 1_000)]
    assert values[0] == 1.0
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)
    assert 0.3 < values[-1] < 0.5


@pytest.mark.parametrize("kind", sorted(STEADY))
def test_what_does_not_fade_stays_certain(kind):
    assert after(5_000, kind=kind) == 1.0
    assert after(0, kind=kind) == 1.0


@pytest.mark.parametrize("kind", ["fact", "decision", "event"])
def test_the_others_fade(kind):
    assert after(365, kind=kind) < 0.5


@pytest.mark.parametrize("kind", STRONG)
def test_a_use_makes_it_last(kind):
    assert after(60, uses(kind, 10)) > after(60) + 0.15


def test_saying_it_again_is_worth_most():
    assert after(60, uses("restated", 10)) > after(60, uses("used", 10)) == after(60, uses("opened", 10))


def test_presence_keeps_it_from_fading_and_makes_it_no_stronger():
    daily = uses("present", *range(1, 91))
    assert after(90, daily) == 1.0
    assert after(120, daily) == after(30)
    assert after(120, daily) < after(120, daily, uses("used", 5))


@given(
    days=st.sets(st.integers(0, 300), max_size=20),
    present=st.sets(st.integers(0, 300), max_size=20),
    more=st.integers(0, 300),
)
def test_presence_never_does_harm(days, present, more):
    told = (uses("used", *days), uses("present", *present))
    assert after(330, *told, uses("present", more)) >= after(330, *told)


@given(
    day=st.integers(0, 300), kind=st.sampled_from(STRONG), present=st.sets(st.integers(0, 300), max_size=40)
)
def test_a_used_one_is_never_behind_one_that_was_only_present(day, kind, present):
    shared = uses("present", *present, 300)
    assert after(330, shared, uses(kind, day)) >= after(330, shared)


def test_who_is_used_more_often_is_remembered_better():
    often = [
        after(395, uses("present", *range(366)), uses("used", *range(every, 366, every)))
        for every in (1, 2, 7, 30, 180)
    ]
    assert often == sorted(often, reverse=True)
    assert len(set(often)) == len(often)


@given(
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from([*STRONG, "present"])), max_size=30), st.randoms()
)
def test_the_order_in_which_uses_are_told_and_telling_them_again_change_nothing(told, chance):
    found = [use for day, kind in told for use in uses(kind, day)]
    shuffled = [*found, *found[:5]]
    chance.shuffle(shuffled)
    assert after(430, found) == after(430, shuffled)


def test_a_thousand_uses_on_a_day_are_one():
    many = [Use("e", NOTED + 10 * DAY + timedelta(seconds=n), "used", f"s{n}") for n in range(1_000)]
    assert after(60, many) == after(60, uses("used", 10))


def test_the_hour_of_a_day_makes_no_difference():
    assert after(60, uses("used", 10, hours=0)) == after(60, uses("used", 10, hours=14))


def test_what_is_to_come_and_what_was_before_it_was_noted_count_for_nothing():
    assert after(60, uses("used", -5, 61, 100)) == after(60)


def test_times_of_any_zone_and_of_none_are_the_same():
    far = timezone(timedelta(hours=9))
    elsewhere = [Use("e", (NOTED + 10 * DAY).astimezone(far), "used")]
    bare = [Use("e", (NOTED + 10 * DAY).replace(tzinfo=None), "used")]
    expected = after(60, uses("used", 10))
    assert (
        retention(entry(noted=NOTED.astimezone(far)), elsewhere, (NOTED + 60 * DAY).astimezone(far))
        == expected
    )
    assert (
        retention(entry(noted=NOTED.replace(tzinfo=None)), bare, (NOTED + 60 * DAY).replace(tzinfo=None))
        == expected
    )
    assert last_use(entry(), bare) == NOTED + 10 * DAY


def test_a_time_to_come_is_told_by_what_is_known_until_now():
    told = uses("used", 10, 70)
    found = retention(entry(), told, NOTED + 90 * DAY, until=NOTED + 60 * DAY)
    assert found == after(90, uses("used", 10)) != after(90, told)


def test_when_an_entry_was_noted_makes_no_difference():
    for noted in (
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(2026, 2, 28, tzinfo=UTC),
        datetime(9790, 1, 1, tzinfo=UTC),
    ):
        told = [Use("e", noted + 10 * DAY, "used")]
        assert retention(entry(noted=noted), told, noted + 60 * DAY) == after(60, uses("used", 10))


def test_the_work_is_bounded_for_what_is_used_every_day(monkeypatch):
    from fsrs import Scheduler

    module._memory.cache_clear()
    reviews = []
    review = Scheduler.review_card
    monkeypatch.setattr(
        Scheduler, "review_card", lambda self, *told: reviews.append(told) or review(self, *told)
    )
    value = after(1_125, uses("used", *range(1, 1_096)))
    assert len(reviews) < 250
    assert value > 0.99


def test_last_use_looks_past_presence():
    told = uses("used", 10) + uses("present", 50)
    assert last_use(entry(), told) == NOTED + 10 * DAY
    assert last_use(entry(), uses("present", 50)) == NOTED


def test_neither_clock_nor_chance_is_asked(monkeypatch):
    import fsrs.card
    import fsrs.scheduler

    class NoClock(datetime):
        @classmethod
        def now(cls, tz=None):
            raise AssertionError("the clock was asked")

    def never(*_arguments):
        raise AssertionError("chance, or a pause")

    for place in (fsrs.card, fsrs.scheduler):
        monkeypatch.setattr(place, "datetime", NoClock)
    monkeypatch.setattr(fsrs.card.time, "sleep", never)
    monkeypatch.setattr(fsrs.scheduler, "random", never)
    module._memory.cache_clear()
    assert after(60, uses("used", 3, 10), uses("restated", 20)) > after(60)


PROGRAM = """
from datetime import UTC, datetime, timedelta
from archivist.notes.retention import retention
from archivist.records.notes import Entry, Use
noted = datetime(2026, 1, 1, 23, 30, tzinfo=UTC)
entry = Entry("e", "memory", "x", noted, noted)
uses = [Use("e", noted + timedelta(days=10 * n, hours=n), "used") for n in range(9)]
print(retention(entry, uses, noted + timedelta(days=200)))
"""


def test_every_process_in_every_zone_finds_the_same():
    found = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo"), ("77", "America/Los_Angeles"))
    }
    assert len(found) == 1


def test_nothing_of_it_is_loaded_before_it_is_asked():
    program = "import sys, archivist.notes.leaving; print('fsrs' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"
