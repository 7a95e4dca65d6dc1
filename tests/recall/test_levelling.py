"""Levelled text: comparable, and of the same length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.recall.levelling import level


@pytest.mark.parametrize(
    ("text", "levelled"),
    [
        ("Änderung", "anderung"),
        ("ПЛАН", "план"),
        ("ＡＢＣ１", "abc1"),
        ("İ", "İ"),
        ("ß", "ß"),
        ("计划", "计划"),
    ],
)
def test_capitals_accents_and_widths_are_levelled(text, levelled):
    assert level(text) == levelled


@given(st.text())
def test_every_place_stays_where_it_was(text):
    assert len(level(text)) == len(text)


@given(st.text())
def test_a_levelled_text_is_level(text):
    assert level(level(text)) == level(text)
