"""The stretch of a message that answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.recall.matching import Matcher
from archivist.recall.query import read_query
from archivist.recall.snippets import snippet


def shorten(text, query, limit=200):
    terms = read_query(query).terms
    return snippet(text, Matcher(terms), (1.0,) * len(terms), limit=limit, rest="read message 7")


def test_a_short_text_is_shown_whole():
    assert shorten("the oak by the gate", "oak") == "the oak by the gate"


def test_a_long_text_is_cut_between_words_with_marks():
    text = "alpha beta " * 100 + "the oak by the gate " + "gamma delta " * 100
    shown = shorten(text, "oak gate")
    before, rest = shown.split(" … ", 1)
    body, after = rest.split(" … ", 1)
    assert before.startswith("[")
    assert body in text
    assert "the oak by the gate" in body
    assert body.split()[0] in {"alpha", "beta"}
    assert body.split()[-1] in {"gamma", "delta"}
    assert after.endswith("more characters: read message 7]")


def test_the_stretch_with_most_of_the_question_is_chosen():
    text = f"the oak {'x ' * 400} the oak by the gate {'y ' * 400}"
    assert "by the gate" in shorten(text, "oak gate")


IDENTIFIER = "tests/hooks/test_gate.py::test_case_500"


@pytest.mark.parametrize("query", [IDENTIFIER, f'"{IDENTIFIER}"', f"why did {IDENTIFIER} fail"])
@pytest.mark.parametrize("limit", [20, 100, 600])
def test_an_identifier_stands_whole_among_many_like_it(query, limit):
    text = "\n".join(f"FAILED tests/hooks/test_gate.py::test_case_{n} - no" for n in range(1000))
    shown = shorten(text, query, limit)
    assert f"{IDENTIFIER} " in f"{shown} "
    assert len(shown) <= max(limit, len(IDENTIFIER)) + 120


@pytest.mark.parametrize("place", [0, 1, 30, 150, 900, 1800])
def test_a_phrase_stands_whole_wherever_it_is(place):
    words = ["oak gate"] * 300
    words[place % 300] = "the gate by (the old oak) tree"
    assert "gate by (the old oak" in shorten(" ".join(words), '"gate by the old oak"', 60)


def test_words_of_a_phrase_that_are_far_apart_do_not_lengthen_what_is_shown():
    assert len(shorten("x " * 500 + "oak" + "." * 5000 + "gate", '"oak gate"')) < 400


def test_a_word_longer_than_what_is_shown_is_cut():
    assert shorten("a" * 300 + " b", "a" * 300, limit=5)


def test_chinese_is_cut_without_looking_for_spaces():
    shown = shorten("天" * 900 + "钥匙在花盆下面" + "地" * 900, "钥匙")
    assert "钥匙在花盆下面" in shown
    assert len(shown) < 320


def test_terminal_escapes_are_not_shown():
    assert shorten("\x1b[1;31merror:\x1b[0m the oak \x1b]0;title\x07fell", "oak") == "error: the oak fell"


@given(st.text(max_size=900), st.text(max_size=20))
def test_what_is_shown_is_bounded_and_verbatim(text, query):
    shown = shorten(text, query, limit=100)
    assert len(shown) <= 100 + 120
