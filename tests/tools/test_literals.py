"""What a pattern asks for in any case is in every text in which it fits."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.tools.literals import literal_in

PATTERNS = st.text("ab\\\\.+*?()[]{}^$|1,x0n\n ", max_size=9)
TEXTS = st.text("ab1,.\n +*?()[]{}^$\\\\x0n|", max_size=9)


@given(PATTERNS, st.lists(TEXTS, max_size=20))
@pytest.mark.filterwarnings("ignore")
def test_no_text_fits_without_it(pattern, texts):
    try:
        form = re.compile(pattern, re.MULTILINE)
    except (re.error, OverflowError):
        return
    literal = literal_in(pattern)
    for text in texts:
        assert form.search(text) is None or literal in text.encode()


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        ("def run", "def run"),
        ("foo.*barn", "barn"),
        (r"\bfoo\b", "foo"),
        (r"a\.b", "a.b"),
        ("colou?r", "colo"),
        ("x+abc", "abc"),
        ("(ab)*cd", "cd"),
        ("ab{2}", "a"),
        ("abc[xyz]", "abc"),
        ("a|b", ""),
        ("(?i)abc", ""),
        (r"\x41bc", ""),
        (r"\012bc", ""),
        ("Grüße", ""),
        ("ab\ncde", "cde"),
    ],
)
def test_it_is_the_longest_that_is_sure(pattern, literal):
    assert literal_in(pattern) == literal.encode()
