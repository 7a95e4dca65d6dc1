"""What changed since a snapshot."""

from datetime import UTC, datetime

import msgspec
import pytest

from archivist.prompt.news import HEADING, news_since
from archivist.records.notes import Entry

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def entry(key, text, target="memory", **fields):
    return Entry(key, target, text, NOON, NOON, **fields)


THEN = (entry("a", "Disk is sdb"), entry("b", "Tests run in CI"), entry("c", "Mei likes tea", "user"))


def test_nothing_changed_is_nothing_said():
    assert news_since(THEN, THEN) == ""
    assert news_since((), ()) == ""


def test_what_was_added_changed_and_removed_is_told_in_this_order():
    now = (
        entry("a", "Disk is sdc"),
        entry("c", "Mei likes tea", "user"),
        entry("d", "Lives in Graz", "user"),
    )
    assert news_since(THEN, now) == (
        f"{HEADING}\n+ added to user profile: Lives in Graz\n~ changed in memory: Disk is sdc (was: Disk is sdb)\n"
        "- removed from memory: Tests run in CI"
    )


def test_what_moved_to_the_archive_is_no_news_and_what_stood_there_is_none_either():
    now = (*THEN[:2], msgspec.structs.replace(THEN[2], tier="archive"), entry("x", "old", tier="archive"))
    assert news_since(THEN, now) == ""


def test_what_was_superseded_is_told_as_removed():
    now = (msgspec.structs.replace(THEN[0], status="superseded"), *THEN[1:])
    assert "- removed from memory: Disk is sdb" in news_since(THEN, now)


def test_an_order_that_changed_is_no_news():
    assert news_since(THEN, THEN[::-1]) == ""


@pytest.mark.parametrize("count", [30, 400])
def test_many_changes_are_bounded_and_what_no_longer_holds_is_told_first(count):
    added = tuple(entry(f"n{number}", "new " + "x" * 90) for number in range(count))
    text = news_since(THEN, added)
    assert len(text) <= 2000
    assert text.count("\n- removed") == 3
    told = text.count("\n+ added")
    assert text.endswith(f"\n… {count - told} more changes; recall finds them")


def test_one_line_an_entry_and_a_long_one_names_where_the_rest_is():
    text = news_since((), (entry("long", "one\n\ntwo. " * 200), entry("wide", "x" * 1000)))
    assert len(text.splitlines()) == 3
    assert "recall long]" in text
    assert "recall wide]" in text
    assert len(text) < 800


def test_secrets_and_control_characters_are_not_told():
    text = news_since((entry("a", f"token {SECRET}"),), (entry("a", "a\x1b[2Jb\ufeff"),))
    assert SECRET not in text
    assert "\x1b" not in text
    assert "~ changed in memory: ab (was: token [masked" in text
