"""Patterns that are compiled when they are first used."""

import re

import pytest

from archivist.records.patterns import late_pattern


def test_a_late_pattern_does_what_a_pattern_does():
    pattern = late_pattern(r"(\d+)-x", re.IGNORECASE)
    assert pattern.findall("1-x 22-X") == ["1", "22"]
    assert pattern.sub("n", "7-x!") == "n!"
    assert pattern.pattern == r"(\d+)-x"


def test_a_mistake_shows_when_it_is_used():
    pattern = late_pattern("(")
    with pytest.raises(re.error):
        pattern.search("x")
