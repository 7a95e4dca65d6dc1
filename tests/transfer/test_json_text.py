"""Reading JSON as it is really written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.transfer.json_text import NotJson, as_utf8, decode_leniently, unescaped

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text("ab"), inner), max_leaves=8
)


def test_lone_surrogates_become_replacement_characters():
    assert decode_leniently('{"a": "x\\ud83d y"}') == {"a": "x\ufffd y"}
    assert decode_leniently('"\\ud83d\\ude00"') == "😀"


def test_numbers_that_json_does_not_know_become_null():
    assert decode_leniently('{"a": NaN, "b": [Infinity]}') == {"a": None, "b": [None]}


@pytest.mark.parametrize("text", ["", "{", "[1,", "nothing", "[" * 100_000 + "]" * 100_000])
def test_what_is_no_json_is_said_to_be_none(text):
    with pytest.raises(NotJson):
        decode_leniently(text)


def test_text_without_escapes_is_kept_to_the_letter():
    assert unescaped(b'{"a" : 1.0,"b":"\xe4\xbd\xa0"}') == '{"a" : 1.0,"b":"你"}'
    assert unescaped('{"a":"\\u4f60\\u597d"}') == '{"a":"你好"}'
    assert unescaped("no json \\u4f60") == "no json \\u4f60"


def test_bytes_that_are_no_utf8_are_replaced_and_said():
    assert as_utf8("café".encode()) == ("café".encode(), False)
    assert as_utf8(b"caf\xe9") == ("caf\ufffd".encode(), True)


@given(VALUES)
def test_well_formed_json_means_what_it_says(value):
    assert decode_leniently(json.dumps(value)) == value
    assert json.loads(unescaped(json.dumps(value))) == value
