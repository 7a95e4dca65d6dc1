"""A text is found in a stream of bytes wherever the pieces part, in every form that it is written in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.store.absence import NothingToLookFor, find_in, written_forms

TEXTS = st.text(min_size=1).filter(
    lambda text: text.strip() and text.encode("utf-8", "ignore").decode() == text
)


def pieces(content, size):
    return [content[at : at + size] for at in range(0, len(content), size)]


@given(
    text=TEXTS,
    before=st.binary(max_size=50),
    after=st.binary(max_size=50),
    size=st.integers(1, 40),
    ascii_only=st.booleans(),
)
def test_what_is_there_is_found_however_it_is_cut(text, before, after, size, ascii_only):
    for form in (text, json.dumps(text, ensure_ascii=ascii_only)[1:-1]):
        content = before + form.encode() + after
        assert list(find_in(pieces(content, size), written_forms(text)))


@given(content=st.binary(max_size=200), size=st.integers(1, 40))
def test_what_is_not_there_is_not_found(content, size):
    found = list(find_in(pieces(content, size), written_forms("zyq")))
    assert bool(found) == (b"zyq" in content)
    assert all(content[at : at + 3] == b"zyq" for at in found)


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_nothing_cannot_be_looked_for(text):
    with pytest.raises(NothingToLookFor):
        written_forms(text)
