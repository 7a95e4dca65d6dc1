import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.notes.corrections import AGAIN, CORRECTING, NOT_CORRECTING, pairs

from archivist.notes.correcting import correction_in
from archivist.notes.superseding import corrected_by

LINES = [pair for block in CORRECTING.values() for pair in pairs(block)]


def corrects(text: str, statement: str) -> bool:
    found = correction_in(text)
    return found is not None and found.corrects(statement)


@pytest.mark.parametrize(("before", "after"), LINES)
def test_a_text_that_says_so_corrects_the_statement(before, after):
    assert corrects(after, before)


@pytest.mark.parametrize(("before", "after"), pairs(AGAIN))
def test_a_correction_counts_as_what_it_says_by_now(before, after):
    assert corrects(after, before)


@pytest.mark.parametrize(("before", "after"), pairs(NOT_CORRECTING))
def test_a_text_that_only_comes_near_corrects_nothing(before, after):
    # a known thing mentioned again retired an unrelated fact: https://github.com/getzep/graphiti/issues/1728
    assert not corrects(after, before)


def test_at_most_one_in_a_hundred_statements_that_still_hold_is_closed():
    """Every correction beside every statement of all languages but its own: some thousand pairs, of which none may be taken for one."""
    statements = [before for before, _ in (*LINES, *pairs(NOT_CORRECTING))]
    tried = closed = 0
    for before, after in LINES:
        found = correction_in(after)
        for statement in dict.fromkeys(statements):
            if statement not in {before, after}:
                tried += 1
                closed += found is not None and found.corrects(statement)
    assert tried > 10_000
    assert closed == 0, f"{closed} of {tried}"


def test_no_correction_is_closed_by_another_that_names_something_else():
    corrections = [*(after for _, after in LINES), *(text for pair in pairs(AGAIN) for text in pair)]
    meant = {pair for one in pairs(AGAIN) for pair in (one, one[::-1])}  # of a value in either direction
    closed = [
        (before, after)
        for after in corrections
        if (found := correction_in(after)) is not None
        for before in corrections
        if before != after and (before, after) not in meant and found.corrects(before)
    ]
    assert len(corrections) ** 2 > 10_000
    assert closed == []


@pytest.mark.parametrize("text", [after for _, after in LINES])
def test_no_text_corrects_itself_or_the_same_in_other_case(text):
    assert not corrects(text, text)
    assert not corrects(text, text.lower())


def test_what_two_entries_say_is_closed_in_neither():
    present = [("e1", "Ana works at Birk"), ("e2", "Ana works at Birk.")]
    assert corrected_by("Ana no longer works at Birk", present[:1]).id == "e1"
    assert corrected_by("Ana no longer works at Birk", present) is None


def test_a_change_is_told_from_a_mistake():
    assert corrected_by("Ana no longer works at Birk", [("e1", "Ana works at Birk")]).is_change
    assert not corrected_by("Ana works at Kern, not Birk", [("e1", "Ana works at Birk")]).is_change


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_breaks_the_reading(one, other):
    found = correction_in(f"{one}, not {other}")
    if found is not None:
        found.corrects(other)


@given(
    st.sampled_from(LINES),
    st.text("abcdefg xyz", min_size=4, max_size=20),
)
def test_an_unrelated_statement_is_left_alone(pair, text):
    assert not corrects(pair[1], text)
