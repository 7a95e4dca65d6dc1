"""A quoted text is found where it stands, and tolerance never changes more than the one place that is meant."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from archivist.tools.fitting import Edit, Unfit, applied, nearest

LINES = st.lists(st.text("ab “\"'’-–\t ", max_size=6), min_size=1, max_size=12)
TEXTS = LINES.map("\n".join)


@given(TEXTS, st.data())
def test_a_part_that_stands_there_once_is_replaced_there(text, data):
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, len(text)))
    old = text[begin:end]
    if old and text.find(old) == begin and text.find(old, begin + 1) < 0:
        assert applied(text, Edit(old, "NEW")) == f"{text[:begin]}NEW{text[end:]}"


@given(TEXTS, TEXTS.filter(bool))
@example("ab\nab", "a b")
def test_whatever_is_quoted_one_stretch_changes_or_nothing_does(text, old):
    try:
        changed = applied(text, Edit(old, "NEW"))
    except Unfit:
        return
    head, _, tail = changed.partition("NEW")
    assert text.startswith(head.rstrip(" \t"))
    assert text.endswith(tail)
    gone = text[len(head) : len(text) - len(tail)]
    assert gone.count("\n") <= old.count("\n")


@given(TEXTS, st.text("ab", min_size=1, max_size=2))
def test_everywhere_is_everywhere(text, old):
    if old in text:
        assert applied(text, Edit(old, "N", everywhere=True)) == text.replace(old, "N")


def test_several_places_are_named_and_nothing_is_done():
    with pytest.raises(Unfit, match="3 places") as caught:
        applied("x\ny\nx\nx\n", Edit("x\n", "z\n"))
    assert caught.value.lines == (1, 3, 4)


def test_places_that_overlap_are_several():
    with pytest.raises(Unfit, match="2 places"):
        applied("aaa", Edit("aa", "b"))
    assert applied("aaa", Edit("aa", "b", everywhere=True)) == "ba"


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("a = “x”\n", 'a = "x"', "b", "b\n"),
        ("one  \ntwo\t\nthree", "one\ntwo", "1", "1\nthree"),
        (
            "    if x:\n        y()\n",
            "if x:\n    y()",
            "if z:\n    w()\n    v()",
            "    if z:\n        w()\n        v()\n",
        ),
        ("\tif x:\n\t\ty()\n", "if x:\n    y()", "if x:\n    z()", "\tif x:\n\t\tz()\n"),
        ("5 – 3", "5 - 3", "2", "2"),
        ("a\u00a0b", "a b", "c", "c"),
        ("a \nb\nc", "a\nb\n", "", "c"),
    ],
)
def test_what_models_get_wrong_is_forgiven(text, old, new, after):
    assert applied(text, Edit(old, new)) == after


def test_forgiving_stops_where_two_places_could_be_meant():
    with pytest.raises(Unfit, match="but for blanks"):
        applied("  x()\n    x()\n", Edit("\tx()", "y()"))
    with pytest.raises(Unfit):
        applied("a  \na \n", Edit("a\t\n", "b", everywhere=True))


def test_the_nearest_places_are_told():
    text = "import os\n\ndef connect(host, port):\n    pass\n\ndef close():\n    pass"
    assert nearest(text, "def connect(host, prt):\n    return 1")[0] == 3
    assert nearest(text, "zzzzzzzzzz") == ()
