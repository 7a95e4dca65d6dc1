"""Edits of a file are made whole or not at all, and what could not be made says where it might have been meant."""

import time

import pytest

from archivist.records.approvals import Answer


def test_a_part_is_replaced_and_the_difference_told(place):
    (place.root / "a.py").write_text("one\ntwo\nthree\n")
    result = place.call("patch", path="a.py", old_text="two", new_text="2")
    assert (place.root / "a.py").read_text() == "one\n2\nthree\n"
    assert result["text"].split("\n")[:2] == ["Changed a.py (+1 -1).", "--- a.py"]
    assert result["text"].split("\n")[3:] == ["@@ -1,3 +1,3 @@", " one", "-two", "+2", " three"]
    assert place.asked[0].detail == result["text"].partition("\n")[2]


def test_several_edits_are_one_change(place):
    (place.root / "a").write_text("one\ntwo\n")
    edits = [{"old_text": "one", "new_text": "1"}, {"old_string": "two", "new_string": "2"}]
    assert place.call("patch", path="a", edits=edits)["success"]
    assert (place.root / "a").read_text() == "1\n2\n"
    assert len(place.asked) == 1


def test_one_edit_that_fits_nowhere_undoes_all(place):
    (place.root / "a").write_text("one\ntwo words\n")
    edits = [{"old_text": "one", "new_text": "1"}, {"old_text": "two wrds", "new_text": "2"}]
    result = place.call("patch", path="a", edits=edits)
    assert result["error"].startswith("edit 2: old_text is not in the file")
    assert "     2\ttwo words" in result["text"]
    assert (place.root / "a").read_text() == "one\ntwo words\n"
    assert place.asked == []


def test_places_are_named_where_there_are_several(place):
    (place.root / "a").write_text("x\n" * 30)
    error = place.call("patch", path="a", old_text="x", new_text="y")["error"]
    assert "30 places" in error
    assert "replace_all" in error
    assert place.call("patch", path="a", old_text="x", new_text="y", replace_all=True)["success"]
    assert (place.root / "a").read_text() == "y\n" * 30


def test_nothing_is_written_as_text(place):
    (place.root / "a").write_text("one two\n")
    assert place.call("patch", path="a", old_text=" two", new_text="")["success"]
    assert (place.root / "a").read_text() == "one\n"


def test_newlines_of_windows_stay(place):
    (place.root / "a").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    assert place.call("patch", path="a", old_text="one\ntwo", new_text="1\n2")["success"]
    assert (place.root / "a").read_bytes() == b"1\r\n2\r\nthree\r\n"


def test_mixed_newlines_stay_but_where_something_changes(place):
    (place.root / "a").write_bytes(b"one\r\ntwo\nthree\r\n")
    assert place.call("patch", path="a", old_text="two", new_text="2")["success"]
    assert (place.root / "a").read_bytes() == b"one\r\n2\nthree\r\n"


def test_what_would_change_nothing_is_refused(place):
    (place.root / "a").write_text("one\n")
    assert "nothing would change" in place.call("patch", path="a", old_text="one", new_text="one")["error"]
    assert "old_text is empty" in place.call("patch", path="a", old_text="", new_text="x")["error"]
    assert "needs old_text" in place.call("patch", path="a")["error"]
    assert "no file" in place.call("patch", path="b", old_text="a", new_text="b")["error"]


def test_a_patch_keeps_what_the_model_knows_and_makes_it_know_no_more(place):
    (place.root / "a").write_text("one\ntwo\n")
    place.call("patch", path="a", old_text="one", new_text="1")
    assert "not read it" in place.call("write_file", path="a", content="x")["error"]
    place.call("read_file", path="a")
    place.call("patch", path="a", old_text="1", new_text="one")
    assert place.call("write_file", path="a", content="x")["success"]


def test_a_no_changes_nothing(place):
    (place.root / "a").write_text("one")
    place.answer = Answer("no")
    assert place.call("patch", path="a", old_text="one", new_text="two")["success"] is False
    assert (place.root / "a").read_text() == "one"


def test_returns_that_stand_alone_stay_where_they_are(place):
    """Of lines that end in two returns and a newline, all but the last two characters are the line."""
    (place.root / "a").write_bytes(b"one\r\r\ntwo\r\nthree\r\n")
    assert place.call("patch", path="a", old_text="two", new_text="2")["success"]
    assert (place.root / "a").read_bytes() == b"one\r\r\n2\r\nthree\r\n"


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("x\n" * 2_500_000, "x"),
        ("x" * 5_000_000, "x"),
        (" x\n" * 150_000, "x\n" * 60_000 + "y"),
        (" x\n" * 150_000, "x\n" * 30_000 + "y\n" + "x\n" * 30_000),
        (("abcdefgh" * 50 + "\n") * 4_000, "abcdefhg" * 49 + "zzzz"),
        ("a\u2019b\n" * 1_000_000, "a'b\n" * 40_000),
    ],
    ids=range(6),
)
def test_a_large_file_takes_seconds_whatever_is_quoted(place, text, old):
    (place.root / "a").write_text(text)
    began = time.process_time()
    assert place.call("patch", path="a", old_text=old, new_text="new")["success"] is False
    assert time.process_time() - began < 5


def test_edits_that_are_too_many_are_refused(place):
    (place.root / "a").write_text("x")
    edits = [{"old_text": "x", "new_text": "y"}, {"old_text": "y", "new_text": "x"}] * 51
    assert "at most 100" in place.call("patch", path="a", edits=edits)["error"]
