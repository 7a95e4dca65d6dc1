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
        ("## Build\n\nWe chose  B.\nIt was cheaper.", ""),
        ("## Build\nWe chose B. It was cheaper.", ""),
        ("## Build\n* cache cleared", ""),
        ("## Build\n* Cache cleared", "## Build\n* Cache cleared"),
        ("* cache cleared", "* cache cleared"),
        ("## Build\n- tests green\n  in CI\n- docs built", "## Build\n- docs built"),
        (
            "## Build\nWe chose B.\nIt was cheaper.\nand quicker.",
            "## Build\nWe chose B.\nIt was cheaper.\nand quicker.",
        ),
        ("We chose B.\nIt was slower.", "We chose B.\nIt was slower."),
        ("We chose B.", "We chose B."),
        ("## Build\n```\nx = 1\n\ny = 2\n```\n\nNew.", "## Build\n\nNew."),
        ("## Build\n```\nx = 1\n\n y = 2\n```", "## Build\n```\nx = 1\n\n y = 2\n```"),
        ("```\nx = 1\n\ny = 3\n```", "```\nx = 1\n\ny = 3\n```"),
        ("## Build\n- cache cleared", ""),
        ("## Build\n- cache cleared\n- signed", "## Build\n- signed"),
        ("## Build\n- cache cleared\n\n## Rest\nNone.", "## Rest\nNone."),
        ("## Deploy\n- cache cleared", "## Deploy\n- cache cleared"),
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


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("Moved a to A", "Moved A to a"),
        ("Paid 5 euro", "Paid 5 Euro"),
        ("It works!", "It works"),
        ("It works.", "It works"),
        ("5!", "5"),
        ("C", "c"),
        ("'tis", "tis"),
        ("_private renamed", "private renamed"),
        ("*.py deleted", ".py deleted"),
        ("!important", "important"),
        ("**not** done", "not done"),
        ("`x` done", "x done"),
        ("“done”", "done"),
        ("１", "1"),
        ("café", "cafe\u0301"),
        ("15:00 call", "call"),
        ("call", "15:00 call"),
        ("3. Mai", "4. Mai"),
        ("1) paid", "1. paid"),
        ("- [ ] milk", "- [x] milk"),
        ("if x:\n  y\nz", "if x:\n  y\n  z"),
        ("- a\n  - b\n- c", "- a\n  - b\n  - c"),
        ("Lunch\nwith Bob", "Lunch"),
        ("Lunch\nwith Bob", "with Bob"),
        ("Lunch\nwith Bob", "Lunch\nwith Ann"),
        ("Lunch", "Lunch\nwith Bob"),
        ("We chose B\nas it is", "We chose B\nas it is\nnot slow"),
        ("We chose B. It is cheap.", "It is cheap."),
        ("Paid and left", "Paid"),
        ("## Ann\n- ill", "## Bob\n- ill"),
        ("## Ann\n### Today\n- ill", "## Bob\n### Today\n- ill"),
        ("## Ann\n- ill", "- ill"),
        ("Ann:\n\n- ill", "Bob:\n\n- ill"),
        ("Ann：\n\n1. ill", "Bob：\n\n1. ill"),
        ("Ann:\n- ill", "Bob:\n- ill"),
    ],
)
def test_what_is_not_the_same_to_the_letter_is_new(file, text):
    assert left(text, file) == text
    assert left(file, text) == file


@pytest.mark.parametrize(
    ("file", "text", "new"),
    [
        ("- paid  5 euro", "* paid 5 euro", ""),
        ("Paid 5\neuro", "Paid 5 euro", ""),
        ("a\n\nb", "b\n\na", ""),
        ("Ann:\n\n- ill", "Ann:\n\n- ill\n- tired", "Ann:\n\n- tired"),
        ("Ann:\n\n- ill", "Ann:\n\n- ill\n\nLate.", "Late."),
        ("## Ann\n- ill\n## Bob\n- well", "## Bob\n- well\n## Ann\n- ill", ""),
        ("## Ann\nShe says:\n\n- ill", "## Ann\nShe says:\n\n- ill\n- old", "## Ann\nShe says:\n\n- old"),
        ("x\n\nb", "a\n\nb\n\nc", "a\n\nc"),
        ("a", "a\n\na", ""),
    ],
)
def test_a_statement_that_stands_there_is_left_out(file, text, new):
    assert left(text, file) == new


def test_what_begins_with_all_of_a_file_is_new_from_there_on():
    assert left("A\nB\nC", "A\nB") == "C"
    assert left("A\nB\nC", "A\nB\n\nX") == "A\nB\nC"
    assert left("A\nB", "A") == "A\nB"


@given(st.text(st.sampled_from("ab-#` \n"), max_size=60))
def test_the_pieces_of_a_text_are_all_of_its_lines(text):
    lines = [line for line in text.split("\n") if line.strip()]
    assert [line for piece in pieces_of(text) for line in piece.lines if line.strip()] == lines


@given(st.text(st.sampled_from("aB-#`: \n"), max_size=60), st.text(st.sampled_from("aB-#`: \n"), max_size=60))
def test_nothing_is_lost_and_nothing_told_twice(file, text):
    new = left(text, file)
    assert left(text, "") == text
    assert fresh(file, pieces_of(file)).strip() == ""
    lines = [line for line in text.split("\n") if line.strip()]
    kept = [line for line in new.split("\n") if line.strip()]
    known = {"".join(line.lstrip(" -").split()) for line in file.split("\n")}
    there = "".join("".join(line.lstrip(" -").split()) for line in file.split("\n"))
    at = 0
    for line in lines:  # each is kept in its order, or the file has it
        if at < len(kept) and kept[at] == line:
            at += 1
        else:
            bare = "".join(line.lstrip(" -").split())
            assert bare in known or bare in there
    assert at == len(kept)
