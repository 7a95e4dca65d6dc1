"""Keys in variables of the environment: several in one, or one in each, and what is none among them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.models.keys import ModelKeyNotUsable, keys_in, usable

KEYS = st.text(
    st.characters(min_codepoint=33, max_codepoint=126, exclude_characters=","), min_size=1, max_size=40
)


@given(st.lists(KEYS, min_size=1, max_size=8), st.sampled_from([",", " , ", ",\n", ",,"]))
def test_every_key_of_a_variable_is_found_in_its_order(keys, between):
    found = keys_in({"X_API_KEY": between.join(keys)}, "X_API_KEY")
    assert [key for key, _ in found] == keys
    assert [key.secret for key in usable(found).keys] == list(dict.fromkeys(keys))


@given(st.dictionaries(st.integers(1, 999), KEYS, max_size=8))
def test_numbered_variables_are_read_by_their_numbers(numbered):
    environ = {f"X_API_KEY_{number}": key for number, key in numbered.items()}
    found = keys_in(environ, "X_API_KEY")
    assert found == [(numbered[number], f"X_API_KEY_{number}") for number in sorted(numbered)]


@given(
    st.dictionaries(st.text(max_size=20), st.text(max_size=40), max_size=6),
    st.lists(st.text(max_size=30), max_size=4),
)
def test_whatever_stands_there_no_text_of_it_is_in_a_name_or_a_message(environ, texts):
    found = [*keys_in({**environ, "X_API_KEY": ",".join(texts)}, "X_API_KEY")]
    try:
        keys, left_out = usable(found)
    except ModelKeyNotUsable as error:
        shown = str(error)
        keys = ()
    else:
        shown = " ".join(left_out)
    for text, _ in found:
        assert len(text) < 16 or text not in shown + repr(keys)
    assert all(key.secret.isascii() and " " not in key.secret for key in keys)


def test_without_a_variable_there_are_no_keys():
    assert keys_in({"": "k", "_2": "k"}, "") == []
    assert usable([]).keys[0].secret == ""
    with pytest.raises(ModelKeyNotUsable):
        usable([("two words", "X")])
