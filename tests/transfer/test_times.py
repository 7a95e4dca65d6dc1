"""Times of foreign records."""

from datetime import UTC, datetime

import pytest

from archivist.transfer.times import parse_time


@pytest.mark.parametrize(
    "value",
    [
        "2026-05-18T09:00:00.000Z",
        "2026-05-18T11:00:00+02:00",
        "2026-05-18T09:00:00",
        1_779_094_800,
        1_779_094_800.0,
        1_779_094_800_000,
    ],
)
def test_every_form_of_a_time_is_the_same_instant(value):
    assert parse_time(value) == datetime(2026, 5, 18, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "value", [None, "", "yesterday", 0, -5, float("nan"), float("inf"), 1e300, True, [], "2026-99-01"]
)
def test_what_is_no_time_is_none(value):
    assert parse_time(value) is None
