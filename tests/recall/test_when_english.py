"""English time expressions, read on Wednesday 15 April 2026, 14:30, in Berlin."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from archivist.recall.when import Period, read_periods

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 4, 15, 14, 30, tzinfo=ZONE)


def read(question: str) -> tuple[Period, ...]:
    return read_periods(question, now=NOW, zone=ZONE)


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


def check(question: str, words: str, since: str, until: str, *, hard: bool) -> None:
    periods = read(question)
    assert [period.words for period in periods] == [words]
    assert (periods[0].since, periods[0].until) == (local(since), local(until))
    assert periods[0].hard is hard
    assert question[periods[0].start : periods[0].end] == words


@pytest.mark.parametrize(
    ("question", "words", "since", "until"),
    [
        ("what did we decide last Tuesday about the port?", "last Tuesday", "2026-04-14", "2026-04-15"),
        ("the logs of last Wednesday", "last Wednesday", "2026-04-08", "2026-04-09"),
        ("this past Friday we spoke", "this past Friday", "2026-04-10", "2026-04-11"),
        ("What did we say yesterday?", "yesterday", "2026-04-14", "2026-04-15"),
        ("the day before yesterday", "the day before yesterday", "2026-04-13", "2026-04-14"),
        ("what did I ask today?", "today", "2026-04-15", "2026-04-16"),
        ("which flag did you set this morning", "this morning", "2026-04-15T04:00", "2026-04-15T12:00"),
        ("last night it crashed", "last night", "2026-04-14T18:00", "2026-04-15T06:00"),
        ("3 days ago", "3 days ago", "2026-04-12", "2026-04-13"),
        ("twenty-one days ago", "twenty-one days ago", "2026-03-25", "2026-03-26"),
        ("three weeks ago", "three weeks ago", "2026-03-22", "2026-03-29"),
        ("a month ago", "a month ago", "2026-02-28", "2026-03-31"),
        ("half a year ago", "half a year ago", "2025-08-15", "2025-12-16"),
        ("a year and a half ago", "a year and a half ago", "2024-08-15", "2024-12-16"),
        ("an hour ago", "an hour ago", "2026-04-15T13:00", "2026-04-15T14:00"),
        ("20 minutes ago", "20 minutes ago", "2026-04-15T14:00", "2026-04-15T14:20"),
        ("a week ago today", "a week ago today", "2026-04-08", "2026-04-09"),
        ("the night before last", "the night before last", "2026-04-13T18:00", "2026-04-14T06:00"),
        ("what did we cook over the weekend", "over the weekend", "2026-04-11", "2026-04-13"),
        ("what did we say on the 3rd?", "on the 3rd", "2026-04-03", "2026-04-04"),
        ("what did we say on the 31st?", "on the 31st", "2026-03-31", "2026-04-01"),
        ("last week", "last week", "2026-04-06", "2026-04-13"),
        ("last month", "last month", "2026-03-01", "2026-04-01"),
        ("last quarter", "last quarter", "2026-01-01", "2026-04-01"),
        ("last year", "last year", "2025-01-01", "2026-01-01"),
        ("last weekend", "last weekend", "2026-04-11", "2026-04-13"),
        ("the week before last", "the week before last", "2026-03-30", "2026-04-06"),
        ("what did we learn this week", "this week", "2026-04-13", "2026-04-20"),
        ("earlier this week", "earlier this week", "2026-04-13", "2026-04-16"),
        ("over the past week", "the past week", "2026-04-08", "2026-04-16"),
        ("in the last month", "in the last month", "2026-03-15", "2026-04-16"),
        ("the last 3 days", "the last 3 days", "2026-04-12", "2026-04-16"),
        ("past two weeks", "past two weeks", "2026-04-01", "2026-04-16"),
        ("last 24 hours", "last 24 hours", "2026-04-14T14:30", "2026-04-15T14:31"),
        ("What did we agree on Monday?", "Monday", "2026-04-13", "2026-04-14"),
        ("What did she say Monday?", "Monday", "2026-04-13", "2026-04-14"),
        ("Monday last week", "Monday last week", "2026-04-06", "2026-04-07"),
        ("last week on Monday", "last week on Monday", "2026-04-06", "2026-04-07"),
        ("in March", "March", "2026-03-01", "2026-04-01"),
        ("in may we moved the office", "may", "2025-05-01", "2025-06-01"),
        ("in March 2025", "March 2025", "2025-03-01", "2025-04-01"),
        ("in March last year", "March last year", "2025-03-01", "2025-04-01"),
        ("last year in March", "last year in March", "2025-03-01", "2025-04-01"),
        ("last March", "last March", "2026-03-01", "2026-04-01"),
        ("last May", "last May", "2025-05-01", "2025-06-01"),
        ("on March 3", "March 3", "2026-03-03", "2026-03-04"),
        ("March 3rd", "March 3rd", "2026-03-03", "2026-03-04"),
        ("on the third of March", "the third of March", "2026-03-03", "2026-03-04"),
        ("3 March 2026", "3 March 2026", "2026-03-03", "2026-03-04"),
        ("on Tuesday, March 3", "Tuesday, March 3", "2026-03-03", "2026-03-04"),
        ("on 20 April", "20 April", "2025-04-20", "2025-04-21"),
        ("29 February", "29 February", "2024-02-29", "2024-03-01"),
        ("on 2026-03-20", "2026-03-20", "2026-03-20", "2026-03-21"),
        ("03/04/2026", "03/04/2026", "2026-03-04", "2026-03-05"),
        ("25/12/2025", "25/12/2025", "2025-12-25", "2025-12-26"),
        ("12/25/2025", "12/25/2025", "2025-12-25", "2025-12-26"),
        ("am 24.12.2025", "24.12.2025", "2025-12-24", "2025-12-25"),
        ("2026-03-03T15:00", "2026-03-03T15:00", "2026-03-03T14:30", "2026-03-03T15:30"),
        ("at 2026-03-03T15:00Z", "2026-03-03T15:00Z", "2026-03-03T15:30", "2026-03-03T16:30"),
        ("since Monday", "since Monday", "2026-04-13", "2026-04-16"),
        ("since March", "since March", "2026-03-01", "2026-04-16"),
        ("March onwards", "March onwards", "2026-03-01", "2026-04-16"),
        ("after 3 March", "after 3 March", "2026-03-04", "2026-04-16"),
        ("before March 3", "before March 3", "1900-01-01", "2026-03-03"),
        ("until March", "until March", "1900-01-01", "2026-04-01"),
        ("after yesterday's outage", "after yesterday's", "2026-04-14", "2026-04-16"),
        ("before last week's release", "before last week's", "1900-01-01", "2026-04-13"),
        ("the week before August 3, 2025", "the week before August 3, 2025", "2025-07-27", "2025-08-04"),
        ("the day after 3 March", "the day after 3 March", "2026-03-03", "2026-03-05"),
        ("the Sunday before March 4", "the Sunday before March 4", "2026-02-25", "2026-03-05"),
        ("between 1 and 5 May", "between 1 and 5 May", "2025-05-01", "2025-05-06"),
        ("between 5 and 1 March", "1 March", "2026-03-01", "2026-03-02"),
        ("between May 1 and May 5", "between May 1 and May 5", "2025-05-01", "2025-05-06"),
        ("May 1-5, 2025", "May 1-5, 2025", "2025-05-01", "2025-05-06"),
        ("from 3 March to 5 April", "from 3 March to 5 April", "2026-03-03", "2026-04-06"),
        ("from March to May 2025", "from March to May 2025", "2025-03-01", "2025-06-01"),
        ("from Nov to Feb", "from Nov to Feb", "2025-11-01", "2026-03-01"),
        ("from 2023 to 2025", "from 2023 to 2025", "2023-01-01", "2026-01-01"),
        ("did it run from Monday to now", "Monday to now", "2026-04-13", "2026-04-16"),
        ("said between Monday and Friday", "between Monday and Friday", "2026-04-06", "2026-04-11"),
        ("early March", "early March", "2026-03-01", "2026-03-11"),
        ("mid-March 2025", "mid-March 2025", "2025-03-11", "2025-03-21"),
        ("in late February", "late February", "2026-02-21", "2026-03-01"),
        ("at the end of March", "the end of March", "2026-03-21", "2026-04-01"),
        ("late last month", "late last month", "2026-03-21", "2026-04-01"),
        ("early 2025", "early 2025", "2025-01-01", "2025-05-01"),
        ("spring 2025", "spring 2025", "2025-03-01", "2025-06-01"),
        ("winter 2024", "winter 2024", "2024-12-01", "2025-03-01"),
        ("last summer", "last summer", "2025-06-01", "2025-09-01"),
        ("in Q1", "Q1", "2026-01-01", "2026-04-01"),
        ("Q3 2025", "Q3 2025", "2025-07-01", "2025-10-01"),
        ("in 2025", "2025", "2025-01-01", "2026-01-01"),
        ("the week of March 3", "the week of March 3", "2026-03-02", "2026-03-09"),
        ("yesterday afternoon", "yesterday afternoon", "2026-04-14T12:00", "2026-04-14T18:00"),
        ("yesterday at 3pm", "yesterday at 3pm", "2026-04-14T15:00", "2026-04-14T16:00"),
        ("at 3pm yesterday", "at 3pm yesterday", "2026-04-14T15:00", "2026-04-14T16:00"),
        ("the restart at 19:30 yesterday", "at 19:30 yesterday", "2026-04-14T19:00", "2026-04-14T20:00"),
        ("at noon yesterday", "at noon yesterday", "2026-04-14T11:00", "2026-04-14T14:00"),
        ("the jazz night on May 5", "May 5", "2025-05-05", "2025-05-06"),
        ("open from 6 PM to 8 PM yesterday", "yesterday", "2026-04-14", "2026-04-15"),
        ("yesterday 10:00-12:00", "yesterday", "2026-04-14", "2026-04-15"),
        ("the chat on January 28:", "January 28", "2026-01-28", "2026-01-29"),
        ("did it fail Monday morning?", "Monday morning", "2026-04-13T04:00", "2026-04-13T12:00"),
        ("the morning of 3 March", "the morning of 3 March", "2026-03-03T04:00", "2026-03-03T12:00"),
        ("last Friday night", "last Friday night", "2026-04-10T18:00", "2026-04-11T06:00"),
        ("last night at 2am", "last night at 2am", "2026-04-15T02:00", "2026-04-15T03:00"),
    ],
)
def test_a_time_in_the_past_is_a_filter(question: str, words: str, since: str, until: str) -> None:
    check(question, words, since, until, hard=True)


@pytest.mark.parametrize(
    ("question", "words", "since", "until"),
    [
        ("recently", "recently", "2026-03-16", "2026-04-16"),
        ("the other day", "the other day", "2026-04-01", "2026-04-15"),
        ("a while ago", "a while ago", "2025-04-15", "2026-04-09"),
        ("a few days ago we talked", "a few days ago", "2026-04-06", "2026-04-14"),
        ("a couple of weeks ago", "a couple of weeks ago", "2026-03-18", "2026-04-02"),
        ("two or three days ago", "two or three days ago", "2026-04-12", "2026-04-14"),
        ("about two months ago", "about two months ago", "2026-01-16", "2026-03-18"),
        ("the last few months", "the last few months", "2025-07-15", "2026-04-16"),
        ("next Friday", "next Friday", "2026-04-17", "2026-04-18"),
        ("what do we ship tomorrow", "tomorrow", "2026-04-16", "2026-04-17"),
        ("next month", "next month", "2026-05-01", "2026-06-01"),
        ("until tomorrow", "until tomorrow", "1900-01-01", "2026-04-17"),
        ("what is on today?", "today", "2026-04-15", "2026-04-16"),
        ("which tasks are open this week", "this week", "2026-04-13", "2026-04-20"),
        ("What happens on Monday?", "Monday", "2026-04-13", "2026-04-14"),
        ("what is due on 3 May", "3 May", "2025-05-03", "2025-05-04"),
        ("who was born on 3 March", "3 March", "2026-03-03", "2026-03-04"),
        ("the 2026-03-20 release notes", "2026-03-20", "2026-03-20", "2026-03-21"),
        ("save $2,000 by June 30", "June 30", "2025-06-30", "2025-07-01"),
        ("Monday through Friday", "Monday through Friday", "2026-04-06", "2026-04-11"),
        ("what did he want in December 2026", "December 2026", "2026-12-01", "2027-01-01"),
    ],
)
def test_what_is_vague_or_still_to_come_leaves_nothing_out(
    question: str, words: str, since: str, until: str
) -> None:
    check(question, words, since, until, hard=False)


@pytest.mark.parametrize(
    "question",
    [
        "may I ask about the port",
        "what may happen if it fails",
        "before may I restart it",
        "the second may fail",
        "you may first restart",
        "this may be wrong",
        "May 5 users share a port?",
        "we march 3 miles",
        "the march of progress",
        "the sun and the sat images",
        "who sat down on sun beds",
        "on Sun Microsystems hardware",
        "wed the two branches",
        "what did April say about June",
        "the Monday standup notes",
        "the rotation for Admon on a Sunday",
        "the meeting on Mondays",
        "on the 3rd attempt",
        "we play every Thursday evening at the center",
        "arriving on a Friday afternoon",
        "my Saturday 10 AM sessions",
        "second attempt took 5 seconds",
        "version 2.4.1 on 10.20.0.13",
        "version 2026.3.24",
        "v2026.03.24",
        "port 8443 and 2000 rows",
        "in 2000 rows and in 2048 tokens",
        "between 8000 and 8080",
        "it costs $20.26 or 2026 dollars",
        "ticket INC-2025-03-04 and JIRA-2026",
        "notes-2026-03-20.md and logs/2026-03-20/app.log",
        "2026-03-20.md",
        "the last message",
        "the last two messages",
        "my last name",
        "last time we spoke",
        "last minute change",
        "the last of us",
        "week 3 report",
        "the 19:30 restart",
        "1/2 cup of sugar",
        "open 24/7",
        "how many days ago did I buy it",
        "three days later",
        "done in 3 days",
        "after 5 minutes",
        "since then",
        "in the fall",
        "fall 2000 meters",
        "Q4_K_M quantisation",
        "Q1 what is the port",
        "dec 10 as hex",
        "the may 3rd party library",
        "31 April 2026",
        "2026-02-30",
        "30/30/2026",
        "99999 days ago",
        "9999 years ago",
        "0 days ago",
        "before 1900",
        "after today",
        "2025's plan",
        "",
    ],
)
def test_words_and_numbers_that_name_no_time_stay_words(question: str) -> None:
    assert read(question) == ()


def test_several_months_are_several_periods() -> None:
    first, second = read("Which airline did I fly with in March and April?")
    assert (first.words, first.since, first.until) == ("March", local("2026-03-01"), local("2026-04-01"))
    assert (second.words, second.since, second.until) == ("April", local("2026-04-01"), local("2026-05-01"))


def test_the_same_weekday_a_week_back_is_meant_on_that_day() -> None:
    assert read("last Wednesday")[0].since == local("2026-04-08")


def test_a_month_back_from_the_last_day_of_a_longer_month_is_the_last_day_of_the_shorter() -> None:
    now = datetime(2026, 3, 31, 12, tzinfo=ZONE)
    (period,) = read_periods("a month ago", now=now, zone=ZONE)
    assert (period.since, period.until) == (local("2026-02-13"), local("2026-03-16"))  # around 28 February


def test_last_summer_in_autumn_is_the_one_just_over() -> None:
    (period,) = read_periods("last summer", now=datetime(2026, 11, 2, tzinfo=ZONE), zone=ZONE)
    assert period.since == local("2026-06-01")


def test_the_first_day_of_january_still_finds_last_month_and_last_week() -> None:
    now = datetime(2026, 1, 1, 0, 30, tzinfo=ZONE)
    month, week = read_periods("last month or last week", now=now, zone=ZONE)
    assert (month.since, month.until) == (local("2025-12-01"), local("2026-01-01"))
    assert (week.since, week.until) == (local("2025-12-22"), local("2025-12-29"))
