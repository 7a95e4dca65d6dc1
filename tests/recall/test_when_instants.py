"""The moments of `--since` and `--until`."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.recall.when import UnreadableTime, parse_instant
from archivist.records.errors import ArchivistError

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 4, 15, 14, 30, tzinfo=ZONE)


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("2026-03-20", "2026-03-20", "2026-03-21"),
        ("2026-03", "2026-03-01", "2026-04-01"),
        ("2026", "2026-01-01", "2027-01-01"),
        ("2026-12", "2026-12-01", "2027-01-01"),
        ("2026-03-20T15:04", "2026-03-20T15:04", "2026-03-20T15:04"),
        ("2026-03-20 15:04:05", "2026-03-20T15:04:05", "2026-03-20T15:04:05"),
        ("2026/3/20", "2026-03-20", "2026-03-21"),
        ("20.03.2026", "2026-03-20", "2026-03-21"),
        ("yesterday", "2026-04-14", "2026-04-15"),
        ("last Tuesday", "2026-04-14", "2026-04-15"),
        ("Monday", "2026-04-13", "2026-04-14"),
        ("March", "2026-03-01", "2026-04-01"),
        ("  last   week ", "2026-04-06", "2026-04-13"),
        ("3 March", "2026-03-03", "2026-03-04"),
        ("2 weeks ago", "2026-04-01", "2026-04-02"),
        ("a month ago", "2026-03-15", "2026-03-16"),
        ("7d", "2026-04-08", "2026-04-09"),
        ("2w", "2026-04-01", "2026-04-02"),
        ("2h", "2026-04-15T12:30", "2026-04-15T12:31"),
        ("now", "2026-04-15T14:30", "2026-04-15T14:30"),
        ("上周三", "2026-04-08", "2026-04-09"),
        ("三天前", "2026-04-12", "2026-04-13"),
        ("2025年3月", "2025-03-01", "2025-04-01"),
    ],
)
def test_a_stretch_begins_a_start_and_ends_an_end(text: str, since: str, until: str) -> None:
    assert parse_instant(text, zone=ZONE, now=NOW) == local(since)
    assert parse_instant(text, zone=ZONE, end=True, now=NOW) == local(until)


def test_until_a_day_keeps_that_day() -> None:
    """A note of the last day of August is found with that day as the end (amd/gaia#3524)."""
    until = parse_instant("2025-08-31", zone=ZONE, end=True)
    assert datetime(2025, 8, 31, 15, 0, tzinfo=ZONE) < until == datetime(2025, 9, 1, tzinfo=ZONE)


def test_an_offset_in_the_text_goes_before_the_owners_zone() -> None:
    assert parse_instant("2026-03-20T15:04Z", zone=ZONE) == datetime(2026, 3, 20, 15, 4, tzinfo=UTC)
    assert parse_instant("2026-03-20T15:04+08:00", zone=ZONE) == datetime(2026, 3, 20, 7, 4, tzinfo=UTC)


def test_without_a_given_moment_the_clock_counts() -> None:
    before = datetime.now(UTC)
    assert before <= parse_instant("now", zone=ZONE) <= datetime.now(UTC)


@pytest.mark.parametrize(
    "text",
    ["", " ", "soon", "2026-02-30", "2026-13", "0000", "9999", "20260", "port 8443", "yesterday at the port",
     "since when", "0001-01-01T00:00+14:00", "99999999d", "7x", "٢٠٢٦", "²", "一二三天前"],
)  # fmt: skip
def test_what_cannot_be_read_says_which_forms_can(text: str) -> None:
    with pytest.raises(UnreadableTime, match="2026-03-20") as failure:
        parse_instant(text, zone=ZONE, now=NOW)
    assert isinstance(failure.value, ArchivistError)
    assert "\n" not in str(failure.value)
    assert failure.value.text == text


def test_a_long_text_is_shortened_in_the_message() -> None:
    with pytest.raises(UnreadableTime) as failure:
        parse_instant("x" * 5000, zone=ZONE, now=NOW)
    assert len(str(failure.value)) < 400


@given(
    st.one_of(
        st.text(max_size=30),
        st.text(alphabet="0123456789-:TZ+./ dhw", max_size=20),
        st.sampled_from(["1900", "2199-12-31", "1900-01-01T00:00+14:00"]),
    ),
    st.booleans(),
)
def test_any_text_is_a_moment_or_unreadable(text: str, end: bool) -> None:
    try:
        moment = parse_instant(text, zone=ZONE, end=end, now=NOW)
    except UnreadableTime:
        return
    assert moment.tzinfo is UTC
