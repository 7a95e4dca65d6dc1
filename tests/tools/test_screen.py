"""What was printed is told as it stood on the screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.tools.screen import seen


@given(st.text("ab\r\n\b\x1b[]0;1mK\x07\\ ", max_size=40))
def test_nothing_is_left_that_steers_a_terminal(text):
    assert not set(seen(text)) & set("\r\b\x1b\x07\x00")


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])))
def test_plain_text_stays(text):
    assert seen(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb\r\n", "a\nb\n"),
        ("long line\rshort", "shortline"),
        ("long line\r\x1b[Kshort", "short"),
        ("1%\r2%\r100%\n", "100%\n"),
        ("done\r", "done"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
    ],
)
def test_lines_that_are_drawn_again(text, shown):
    assert seen(text) == shown


def test_a_line_that_is_drawn_a_million_times_is_quick():
    assert seen("x" * 1_000_000 + "\rab" * 1_000_000) == "ab" + "x" * 999_998


def test_a_title_without_an_end_hides_nothing():
    assert seen("\x1b]0;title\nall the rest") == "0;title\nall the rest"
