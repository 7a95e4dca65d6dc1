"""Which entry is meant by an id or by words."""

from datetime import UTC, datetime

import pytest

from archivist.notes.matching import NoSuchEntry, SeveralEntries, find_entry, new_text_exists
from archivist.records.notes import Entry

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


def entries(*texts):
    return [
        Entry(f"e{number}", "memory", text, observed_at=NOON, changed_at=NOON)
        for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("e2", "e2"),
        ("uses pytest", "e0"),  # an equal text, though another entry has it too
        ("pytest with xdist", "e1"),
        ("deploys to Fly", "e2"),
        ("  deploys to Fly\n", "e2"),
        ("DEPLOYS TO fly", "e2"),  # only without case
        ("ｄｅｐｌｏｙｓ", "e2"),  # only without width
        ("two\nlines", "e3"),
        ("two\r\nlines", "e3"),
        ("two lines", "e3"),
        ("“Deploys to Fly”", "e2"),
        ("uses pytest with x…", "e1"),  # a preview given back
        ("uses pytest with x...", "e1"),
        ("数据库", "e4"),
    ],
)
def test_the_surest_meaning_is_taken(wanted, found):
    known = entries(
        "uses pytest",
        "uses pytest with xdist",
        "deploys to Fly",
        "two\nlines of it",
        "项目使用 PostgreSQL 数据库",
    )
    assert find_entry(known, wanted).id == found


def test_the_letters_as_given_come_before_other_case():
    known = entries("prefers Dark mode", "prefers dark mode in vim")
    assert find_entry(known, "dark mode").id == "e1"


def test_an_id_comes_before_words():
    known = entries("the server", "e0 is a voltage")
    assert find_entry(known, "e0").id == "e0"
    assert find_entry(known, "e0 is").id == "e1"


def test_of_identical_texts_the_first_is_taken():
    known = entries("other", "twice", "twice")
    assert find_entry(known, "twice").id == "e1"
    assert find_entry(known, "twi").id == "e1"


def test_words_that_several_have_are_an_error_that_shows_them():
    known = entries(*(f"UI dark mode {letter} " + "x" * 100 for letter in "abcdefg"))
    with pytest.raises(SeveralEntries) as raised:
        find_entry(known, "dark mode")
    assert raised.value.candidates == tuple(known)
    said = str(raised.value)
    assert "\n" not in said
    assert said.startswith("7 entries have “dark mode”: e0 “UI dark mode a xxx")
    assert "and 2 more; give the id of one" in said
    assert said.count("…”") == 5
    assert "e5" not in said


@pytest.mark.parametrize("texts", [("Foo bar", "foo  bar"), ("a foo bar", "FOO bar b")])
def test_texts_that_differ_only_in_case_are_several(texts):
    with pytest.raises(SeveralEntries):
        find_entry(entries(*texts), "fOO bar")


# https://github.com/NousResearch/hermes-agent/issues/60089
def test_a_failed_replace_says_that_the_new_text_is_there():
    known = entries("UI dark mode a", "UI dark mode b", "prefers dark")
    with pytest.raises(SeveralEntries, match="e2 says already what was to be written") as raised:
        find_entry(known, "dark mode", new_text="Prefers dark.")
    assert [entry.id for entry in raised.value.candidates] == ["e0", "e1"]
    assert raised.value.already == known[2]
    with pytest.raises(NoSuchEntry, match="e2 says already"):
        find_entry(known, "lilac", new_text="prefers dark")
    assert new_text_exists(known, "prefers light") is None
    assert new_text_exists(known, None) is None
    assert new_text_exists(known, " ") is None


@pytest.mark.parametrize("wanted", ["prefers drak mode", "he prefers the dark mode", "dark theme mode"])
def test_a_miss_shows_what_is_most_like_it(wanted):
    known = entries("deploys to Fly", "User prefers dark mode", "项目使用 pytest")
    with pytest.raises(NoSuchEntry) as raised:
        find_entry(known, wanted)
    assert [entry.id for entry in raised.value.candidates] == ["e1"]
    told = "the most like it is e1 “User prefers dark mode”: give that id, or words that"
    assert told in str(raised.value)


@pytest.mark.parametrize("wanted", ["", "  ", "\n", "…", "zzz", "\ufeff"])
def test_where_nothing_is_like_it_none_is_shown(wanted):
    with pytest.raises(NoSuchEntry, match="give an id") as raised:
        find_entry(entries("deploys to Fly", "User prefers dark mode"), wanted)
    assert raised.value.candidates == ()
    with pytest.raises(NoSuchEntry):
        find_entry([], wanted)


def test_a_miss_shows_at_most_five():
    with pytest.raises(NoSuchEntry) as raised:
        find_entry(entries(*(f"server number {number}" for number in range(9))), "servers number")
    assert len(raised.value.candidates) == 5


def test_what_is_shown_cannot_steer_a_terminal():
    with pytest.raises(SeveralEntries) as raised:
        find_entry(entries("a\x1b[2J b\n1", "a\x1b[2J b\n2"), "b")
    assert "\x1b" not in str(raised.value)
    assert "e0 “a b 1”, e1 “a b 2”" in str(raised.value)
