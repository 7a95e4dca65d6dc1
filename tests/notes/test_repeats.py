"""What of a text a file has already."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.notes.repeats import fresh, pieces_of

FILE = "## Build\n- cache cleared\n- tests green\n  in CI\n\nWe chose B.\nIt was cheaper.\n\n```\nx = 1\n\ny = 2\n```"


def left(text, file=FILE):
    return fresh(text, pieces_of(file))


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (FILE, ""),
        ("We chose B.\nIt was cheaper.", ""),
        ("* Cache cleared", ""),
        ("- tests green\n  in CI\n- docs built", "- docs built"),
        ("We chose B.\nIt was cheaper.\nAnd quicker.", "And quicker."),
        ("We chose B.\nIt was slower.", "We chose B.\nIt was slower."),
        ("We chose B.", "We chose B."),
        ("```\nx = 1\n\ny = 2\n```\n\nNew.", "New."),
        ("```\nx = 1\n\ny = 3\n```", "```\nx = 1\n\ny = 3\n```"),
        ("## Build\n- cache cleared", ""),
        ("## Build\n- cache cleared\n- signed", "## Build\n- signed"),
        ("## Deploy\n- cache cleared\n\n## Rest\nNone.", "## Rest\nNone."),
        ("## Build", ""),
        ("## Later", "## Later"),
        ("- port 8081", "- port 8081"),
        ("", ""),
    ],
)
def test_what_is_known_goes_and_the_rest_stays_as_it_is(text, new):
    assert left(text) == new


def test_a_number_or_a_no_makes_a_difference():
    file = "- port is 8080\n- do deploy"
    assert left("- port is 8081\n- do not deploy", file) == "- port is 8081\n- do not deploy"


def test_what_begins_with_all_of_a_file_is_new_from_there_on():
    assert left("A\nB", "A") == "B"
    assert left("A\nB", "A\n\nX") == "A\nB"


@given(st.text(st.sampled_from("ab-#` \n"), max_size=60))
def test_the_pieces_of_a_text_are_all_of_its_lines(text):
    lines = [line for line in text.split("\n") if line.strip()]
    assert [line for piece in pieces_of(text) for line in piece.lines if line.strip()] == lines


@given(st.text(st.sampled_from("ab-#` \n"), max_size=60), st.text(st.sampled_from("ab-#` \n"), max_size=60))
def test_nothing_is_lost_and_nothing_told_twice(file, text):
    new = left(text, file)
    assert left(text, "") == text
    assert fresh(file, pieces_of(file)).strip() == ""
    lines = [line for line in text.split("\n") if line.strip()]
    kept = [line for line in new.split("\n") if line.strip()]
    known = {words for piece in pieces_of(file) for words in piece.key}
    at = 0
    for line in lines:  # each is kept in its order, or the file has it
        if at < len(kept) and kept[at] == line:
            at += 1
        else:
            assert {
                words for piece in pieces_of(line) for words in piece.key
            } <= known or line.lstrip().startswith("#")
    assert at == len(kept)
