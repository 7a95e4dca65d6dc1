"""Zones, stripping and the guarantees that hold for every question."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.recall.when import Period, read_periods, strip_periods

BERLIN = ZoneInfo("Europe/Berlin")
SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 4, 15, 14, 30, tzinfo=BERLIN)

PIECES = [
    *("since ", "before ", "between ", "from ", " to ", " and ", "last ", "the ", "Tuesday", "March"),
    *("may", "week", " ago", "3 ", "31", "2026", "2026-03-31", "a few ", "half a ", "years", "yesterday"),
    *("'s ", " at 3pm", " 25:99", "上", "周", "三", "天", "前", "个", "月", "年", "到", "从", "以来", "半"),
    *("几", "十", "日", "号", "去年", "下午", "点", "９", "\n", "İ", "\u0660", " ", ","),
]


def only(question: str, now: datetime, zone: ZoneInfo) -> Period:
    (period,) = read_periods(question, now=now, zone=zone)
    return period


def test_the_day_on_which_clocks_go_forward_has_twenty_three_hours() -> None:
    period = only("yesterday", datetime(2026, 3, 30, 9, tzinfo=BERLIN), BERLIN)
    assert period.since == datetime(2026, 3, 28, 23, tzinfo=UTC)
    assert period.until == datetime(2026, 3, 29, 22, tzinfo=UTC)


def test_the_day_on_which_clocks_go_back_has_twenty_five_hours() -> None:
    period = only("on 2025-10-26", NOW, BERLIN)
    assert period.until - period.since == timedelta(hours=25)


def test_the_hour_that_is_left_out_in_spring_is_still_an_hour() -> None:
    period = only("on 2026-03-29 at 2am", NOW, BERLIN)
    assert (period.since, period.until) == (
        datetime(2026, 3, 29, 1, tzinfo=UTC),
        datetime(2026, 3, 29, 2, tzinfo=UTC),
    )


def test_hours_ago_are_hours_of_real_time_when_the_clocks_change() -> None:
    period = only("4 hours ago", datetime(2026, 3, 29, 5, tzinfo=BERLIN), BERLIN)
    assert period.since == datetime(2026, 3, 28, 22, 30, tzinfo=UTC)
    assert period.until == datetime(2026, 3, 28, 23, 30, tzinfo=UTC)


def test_minutes_ago_may_lie_in_the_hour_before_the_clocks_went_back() -> None:
    now = datetime(2025, 10, 26, 1, 20, tzinfo=UTC)  # 02:20 in Berlin for the second time
    period = only("30 minutes ago", now, BERLIN)
    assert period.since == datetime(2025, 10, 26, 0, 35, tzinfo=UTC)
    assert period.until == datetime(2025, 10, 26, 1, 5, tzinfo=UTC)


def test_the_day_is_the_owners_and_not_that_of_utc() -> None:
    """At half past seven in Shanghai it is still the day before in UTC (openclaw/openclaw#64990)."""
    now = datetime(2026, 4, 14, 23, 30, tzinfo=UTC)
    assert only("昨天", now, SHANGHAI).since == datetime(2026, 4, 14, tzinfo=SHANGHAI)
    assert only("yesterday", now, ZoneInfo("UTC")).since == datetime(2026, 4, 13, tzinfo=UTC)
    assert only("last Tuesday", now, SHANGHAI).since == datetime(2026, 4, 14, tzinfo=SHANGHAI)


def test_periods_are_given_in_utc() -> None:
    period = only("yesterday", NOW, BERLIN)
    assert period.since.tzinfo is UTC
    assert period.until.tzinfo is UTC


def test_a_period_holds_its_first_instant_and_not_its_last() -> None:
    period = only("昨天", NOW, SHANGHAI)
    assert period.since <= datetime(2026, 4, 14, 0, 0, tzinfo=SHANGHAI) < period.until
    assert period.until == datetime(2026, 4, 15, 0, 0, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("what did we decide last Tuesday about the port?", "what did we decide about the port?"),
        ("what did we agree on Monday about the port?", "what did we agree about the port?"),
        ("which port did we use in the last month?", "which port did we use?"),
        ("Yesterday, what did we say", "what did we say"),
        ("what have we said since Monday?", "what have we said?"),
        ("which airline did I fly with in March and April?", "which airline did I fly with?"),
        ("what did she call yesterday's outage", "what did she call outage"),
        ("上周三的评审会改到几点", "评审会改到几点"),
        ("在上周三的会上", "会上"),
        ("我们昨天聊了什么", "我们聊了什么"),
        ("截至3月5日的预算", "预算"),
        ("what is the port", "what is the port"),
        ("yesterday", ""),
    ],
)
def test_the_rest_of_the_question_goes_on_without_its_times(question: str, rest: str) -> None:
    assert strip_periods(question, read_periods(question, now=NOW, zone=BERLIN)) == rest


def test_only_the_given_periods_are_taken_out() -> None:
    question = "what did he say yesterday about next Friday"
    hard = [period for period in read_periods(question, now=NOW, zone=BERLIN) if period.hard]
    assert strip_periods(question, hard) == "what did he say about next Friday"


def test_a_question_without_periods_is_returned_as_it_is() -> None:
    assert strip_periods("  two  spaces ", ()) == "  two  spaces "


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert read_periods("x " * 1500 + "yesterday", now=NOW, zone=BERLIN) == ()
    assert len(read_periods("yesterday " * 5000, now=NOW, zone=BERLIN)) == 198


def test_an_expression_cut_by_the_limit_is_not_half_read() -> None:
    question = " " * (2000 - len("on 3 March 201")) + "on 3 March 2019"
    assert read_periods(question, now=NOW, zone=BERLIN) == ()


@pytest.mark.parametrize("now", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
@pytest.mark.parametrize(
    "question", ["yesterday", "tomorrow", "last week", "3 years ago", "去年", "since Monday"]
)
def test_a_clock_at_the_edge_of_the_calendar_reads_nothing(now: datetime, question: str) -> None:
    for zone in (UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))):
        assert read_periods(question, now=now, zone=zone) == ()


@given(
    st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=14).map("".join)),
    st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2100, 1, 1)),
    st.sampled_from(["UTC", "Europe/Berlin", "Asia/Shanghai", "America/Havana", "Pacific/Apia"]),
)
def test_no_text_fails_or_gives_an_inverted_period(question: str, moment: datetime, key: str) -> None:
    periods = read_periods(question, now=moment.replace(tzinfo=UTC), zone=ZoneInfo(key))
    at = 0
    for period in periods:
        assert period.since < period.until
        assert question[period.start : period.end] == period.words
        assert at <= period.start < period.end
        at = period.end
    rest = strip_periods(question, periods)
    assert len(rest) <= len(question) + len(periods)


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join), st.text(max_size=40))
def test_stripping_with_the_periods_of_another_question_does_not_fail(question: str, other: str) -> None:
    strip_periods(other, read_periods(question, now=NOW, zone=BERLIN))
