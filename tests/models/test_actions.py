"""What is done about each class of failures, and how long is waited."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.models.actions import ACTIONS, LONGEST_TOLD, cooling_seconds, seconds_before
from archivist.models.asking_to_wait import LONGEST, asked_seconds
from archivist.models.classes import Signs
from archivist.models.kinds import KINDS

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


def low(first, _last):
    return first


def test_each_class_has_an_action():
    assert set(ACTIONS) == KINDS


def test_what_waiting_does_not_mend_is_not_waited_for():
    for kind in ("empty", "refused", "declined", "no-model", "malformed", "too-long", "untrusted"):
        assert "wait" not in ACTIONS[kind].steps, kind


def test_only_what_is_a_keys_own_is_remembered_of_it():
    assert {kind: one.marks for kind, one in ACTIONS.items() if one.marks} == {
        "limited": "limited",
        "empty": "empty",
        "refused": "refused",
    }


def test_waits_grow_from_five_seconds_to_two_minutes():
    assert [seconds_before(number, None, low) for number in range(1, 8)] == [5, 10, 20, 40, 80, 120, 120]


@given(st.integers(1, 10_000), st.none() | st.floats(0, 1e9), st.floats(0, 1))
def test_every_wait_is_bounded(number, told, chance):
    seconds = seconds_before(number, told, lambda first, last: first + (last - first) * chance)
    assert (5 <= seconds <= 120) if told is None else (1 <= seconds <= LONGEST_TOLD)


def test_a_provider_that_asks_for_nothing_again_and_again_is_left_alone_nevertheless():
    assert seconds_before(1, 0, low) == 1
    assert seconds_before(4, 0, low) == 40


def test_a_provider_that_was_left_is_tried_again_after_a_minute_and_then_more_rarely():
    assert [cooling_seconds(times) for times in (1, 2, 3, 4, 5, 99)] == [60, 120, 240, 480, 600, 600]


@pytest.mark.parametrize(
    ("headers", "words", "seconds"),
    [
        ({"retry-after": "12"}, "", 12),
        ({"retry-after": "1.5"}, "", 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, "", 0.25),
        ({"retry-after": format_datetime(NOW + timedelta(seconds=90), usegmt=True)}, "", 90),
        ({"retry-after": format_datetime(NOW - timedelta(seconds=90), usegmt=True)}, "", 0),
        ({"retry-after": "soon"}, "", None),
        ({"retry-after": "nan"}, "", None),
        ({"retry-after": "-5"}, "", None),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"}, "", 360),
        ({"x-ratelimit-remaining-tokens": "40", "x-ratelimit-reset-tokens": "6m0s"}, "", None),
        ({"x-ratelimit-reset": str(int((NOW.timestamp() + 30) * 1_000))}, "", 30),
        ({}, "please try again in 9m38.016s. need more?", 578.016),
        ({}, "please try again in 20ms", 0.02),
        ({}, "usage limit reached, try again in 5 minutes", 300),
        ({}, "please retry in 34.07s.", 34.07),
        ({}, "you will regain access on 2026-12-02 at 00:00 utc", 43_200),
        ({}, "your limit resets at 2026-12-01t13:00:00z", 3_600),
        ({}, "resets at 2026-99-99 25:00", None),
        ({}, "limit 40000, used 39000", None),
    ],
)
def test_what_a_provider_asks_for_is_read(headers, words, seconds):
    found = asked_seconds(Signs(headers=headers, words=words), NOW)
    assert found == (None if seconds is None else pytest.approx(seconds))


@given(st.text(max_size=60), st.text(alphabet="retry again in at 0123456789smhd.:-t", max_size=80))
def test_whatever_is_written_there_gives_seconds_or_none(header, words):
    found = asked_seconds(
        Signs(headers={"retry-after": header, "x-ratelimit-reset": header}, words=words), NOW
    )
    assert found is None or 0 <= found <= LONGEST
