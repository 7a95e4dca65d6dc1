"""Whatever a file holds, its text comes back as the same bytes, or it is said that it is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.tools.decoding import NotEncodable, NoText, decoded, encoded


@given(st.binary(max_size=300))
def test_bytes_that_are_a_text_come_back(raw):
    try:
        text = decoded(raw)
    except NoText:
        return
    assert encoded(text.text, text) == raw


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r\ufeff")),
    st.sampled_from(["utf-8-sig", "utf-16", "utf-32"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_a_text_with_a_mark_comes_back(text, encoding, newline):
    raw = text.replace("\n", newline).encode(encoding)
    found = decoded(raw)
    assert found.text == text
    assert encoded(found.text, found) == raw


def test_what_an_encoding_lacks_is_named():
    found = decoded("Grüße".encode("latin-1"))
    with pytest.raises(NotEncodable, match="你"):
        encoded("你好", found)
