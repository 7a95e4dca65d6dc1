"""Dated notes as entries."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from archivist.transfer.openclaw.daily_notes import is_copy_of_session, read_daily_note, zone_named
from archivist.transfer.openclaw.places import day_of

DAY = date(2026, 6, 10)


def read(text, zone=UTC):
    return read_daily_note(text, DAY, zone)


def texts(text):
    return [entry.text for entry in read(text).entries]


def test_each_bullet_and_each_paragraph_is_an_entry():
    note = read(
        "# 2026-06-10\n\nTwo lines\nof one paragraph.\n\n- first\n  and more\n    - below\n- second\n1. third\n"
    )
    assert [entry.text for entry in note.entries] == [
        "Two lines\nof one paragraph.",
        "first\n  and more\n    - below",
        "second",
        "third",
    ]
    assert (note.read, note.skipped) == (5, {"heading": 1})


def test_a_heading_gives_its_words_and_its_time():
    note = read(
        "# Daily note 2026-06-10\n- early\n## 09:15 Deploys\n- moved\n## 2:30 PM\nquiet\n- 16:05 late\n"
    )
    assert [(e.text, e.at.time().isoformat("minutes"), e.heading) for e in note.entries] == [
        ("early", "12:00", None),
        ("Deploys\nmoved", "09:15", "Deploys"),
        ("quiet", "14:30", None),
        ("16:05 late", "16:05", None),
    ]


def test_times_are_meant_in_the_owners_zone():
    zone = zone_named("Europe/London")
    assert zone == ZoneInfo("Europe/London")
    [entry] = read("- 09:15 moved", zone).entries
    assert entry.at.astimezone(UTC) == datetime(2026, 6, 10, 8, 15, tzinfo=UTC)


@pytest.mark.parametrize("name", [None, "", "Nowhere/Land", "../../etc/passwd", "\0", "/etc/localtime"])
def test_a_zone_that_is_none_is_utc(name):
    assert zone_named(name) is UTC


def test_what_was_derived_is_left_out_and_counted():
    note = read(
        "- said\n## Light Sleep\n<!-- openclaw:dreaming:light:start -->\n- Candidate: staged noise\n# not a heading\n"
        "<!-- openclaw:dreaming:light:end -->\n- kept\n<!-- openclaw:dreaming:rem:start -->\nnever closed\n## Next\n- last\n"
    )
    assert [entry.text for entry in note.entries] == ["said", "Light Sleep\nkept", "Next\nlast"]
    assert note.skipped == {"heading": 2, "derived text (dreaming)": 2}


def test_a_heading_over_nothing_but_derived_text_says_nothing():
    note = read(
        "## Light Sleep\n<!-- openclaw:dreaming:light:start -->\nx\n<!-- openclaw:dreaming:light:end -->\n"
    )
    assert (note.entries, note.read) == ([], 2)


def test_a_heading_that_stands_alone_is_an_entry():
    note = read("## Moved to Postgres 17\n\n## 10:00\n- checked\n")
    assert [entry.text for entry in note.entries] == ["Moved to Postgres 17", "checked"]
    assert note.read == 3


def test_marks_of_a_promotion_are_taken_off():
    text = (
        "<!-- openclaw-memory-promotion:memory:memory/2026-06-08.md:5:7 -->\n"
        "- 7 attempts [score=0.871 recalls=4 source=memory/2026-06-08.md:5-7]\n- x <!-- importance: 7 -->\n- y [score of the match]\n"
    )
    note = read(text)
    assert [entry.text for entry in note.entries] == ["7 attempts", "x", "y [score of the match]"]
    assert note.skipped == {"comment": 1}


def test_code_stays_in_one_piece():
    assert texts("Run:\n```\n# no heading\n\n- no bullet\n```\nthen\n") == [
        "Run:\n```\n# no heading\n\n- no bullet\n```\nthen"
    ]


def test_line_ends_and_a_byte_order_mark_make_no_difference():
    plain = "# 2026-06-10\n\n- one\n- two\n"
    assert read("\ufeff" + plain.replace("\n", "\r\n")).entries == read(plain).entries


def test_an_entry_is_known_by_its_words_wherever_it_stands():
    before = {entry.key for entry in read("- one\n- two\n- two\n").entries}
    after = {entry.key for entry in read("# Title\n- zero\n- two\n## Part\n- two\n- one\n").entries}
    assert len(before) == 3
    assert before < after


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2026-06-10.md", (DAY, "")),
        ("2026-06-10-postgres-port.MD", (DAY, "postgres-port")),
        ("2026-13-45.md", None),
        ("projects.md", None),
        ("2026-06-10", None),
    ],
)
def test_the_name_of_a_file_gives_its_day(name, expected):
    assert day_of(name) == expected


def test_what_the_program_wrote_of_a_session_is_known_by_its_head():
    head = "# Session: 2026-06-10 09:20:00 UTC\n\n- **Session Key**: agent:main:main\n- **Session ID**: x\n"
    assert is_copy_of_session(head)
    assert is_copy_of_session(head.replace("\n", "\r\n"))
    assert not is_copy_of_session("# Session: 3 of the workshop\n\n- we met\n")


@pytest.mark.parametrize(
    "text",
    ["# " + " " * 200_000 + "x", " " * 200_000 + "x", "<!-- openclaw:dreaming:light:start -->\n" * 20_000, "<!--" + "-->" * 50_000,
     "[score=" * 40_000],
)  # fmt: skip
def test_long_lines_are_read_in_one_go(text):
    read(text)
