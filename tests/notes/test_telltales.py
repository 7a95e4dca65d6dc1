"""What a text must have to be of a kind is read off the patterns, and nothing is passed over for that."""

import re

from hypothesis import given
from hypothesis import strategies as st
from tests.notes import telltales as made

from archivist.notes.clauses import Clauses, alternatives

PATTERNS = [clauses for _, clauses in made.patterns()]
ALTERNATIVES = sorted({one for clauses in PATTERNS for one in alternatives(clauses.source)})
WORDS = sorted({word for one in ALTERNATIVES for word in made.telltales(one) or ()})


def test_the_words_are_those_of_the_patterns():
    written = made.FILE.read_text(encoding="utf-8")
    assert written == made.written(), "run `python -m tests.notes.telltales`"


def test_the_alternatives_are_the_pattern():
    for clauses in PATTERNS:
        assert "|".join(alternatives(clauses.source)) == clauses.source
        for one in alternatives(clauses.source):
            re.compile(one)


def test_a_sign_that_divides_is_found_outside_of_groups_and_classes_only():
    assert list(alternatives(r"a|(?:b|c)d|[|)(]|\||\(|[]|]|[^]|]|x[\]|]")) == [
        "a", "(?:b|c)d", "[|)(]", r"\|", r"\(", "[]|]", "[^]|]", r"x[\]|]",
    ]  # fmt: skip


@given(st.data())
def test_whatever_an_alternative_matches_has_one_of_its_words(data):
    source = data.draw(st.sampled_from(ALTERNATIVES))
    text = data.draw(st.from_regex(source))
    words = made.telltales(source)
    assert words is None or any(word in text for word in words)


@given(
    st.sampled_from(PATTERNS),
    st.lists(st.sampled_from(WORDS), max_size=5),
    st.sampled_from(["", " ", ". ", " x "]),
)
def test_a_pattern_of_many_matches_what_it_would_match_as_one(clauses, words, between):
    text = between.join(words)
    assert clauses.match_in(text) == bool(re.search(clauses.source, text))


def test_an_alternative_of_which_nothing_must_stand_there_is_always_tried():
    assert made.telltales(r"\d+") is None
    anything = Clauses(r"\d+|abc", (None, ("abc",)))
    assert anything.match_in("7")
    assert anything.match_in("xabc")
    assert not anything.match_in("x")
