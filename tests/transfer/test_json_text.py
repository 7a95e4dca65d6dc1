"""Reading JSON as it is really written."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.transfer.json_text import (
    NotJson,
    as_utf8,
    decode_leniently,
    json_of,
    shaped,
    shaped_or_none,
    unescaped,
)

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


@pytest.mark.parametrize("text", ["", "{", "[1,", "nothing", "[" * 100_000])
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


class Inner(msgspec.Struct):
    name: str | None = None
    size: int | None = None


class Outer(msgspec.Struct):
    kind: str | None = None
    inner: Inner | None = None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b'{"kind":"a","inner":{"name":"n","size":1}}', Outer("a", Inner("n", 1))),
        (b'{"kind":7,"inner":{"name":"n","size":"big"}}', Outer(None, Inner("n"))),
        (b'{"kind":"a","inner":[1],"more":NaN}', Outer("a")),
    ],
)
def test_what_is_not_of_its_kind_is_left_out_and_nothing_else(text, told):
    assert shaped(text, Outer) == told


@pytest.mark.parametrize("text", [b"[1]", b"7", b"null", b"", b'{"kind":'])
def test_what_is_no_object_has_no_shape(text):
    with pytest.raises(NotJson):
        shaped(text, Outer)
    assert shaped_or_none(text, Outer) is None


def test_what_is_nested_too_deeply_to_be_written_says_so():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert json_of(deep) == '"[nested too deeply]"'


@pytest.mark.parametrize("inner", ["[", '{"a":'])
@pytest.mark.parametrize("beside", ['"as it is"', '"\\ud800"', "NaN", '"brackets ]]}} in \\" words"'])
def test_what_is_nested_too_deeply_costs_nothing_beside_it(inner, beside):
    closing = "]" if inner == "[" else "}"
    deep = inner * 5000 + "1" + closing * 5000
    for text in (f'{{"a":1,"deep":{deep},"b":{beside}}}', f'{{"b":{beside},"a":1,"deep":{deep}}}'):
        value = decode_leniently(text.encode())
        assert value["a"] == 1
        assert value["b"] == decode_leniently(beside)
        assert "[nested too deeply]" in json_of(value["deep"])


def test_brackets_that_are_never_closed_are_no_json_however_many():
    with pytest.raises(NotJson):
        decode_leniently(b'{"a":' + b"[" * 5000)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "7" * 5000, "-" + "7" * 5000])
def test_a_number_beyond_all_bounds_stays_as_its_text(number):
    assert decode_leniently(f'{{"n": [{number}, 1, -2.5, 1e3], "t": "x"}}') == {
        "n": [number, 1, -2.5, 1000.0],
        "t": "x",
    }


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_that_can_be_held_is_one(number):
    assert decode_leniently(f'["\\ud800", {json.dumps(number)}]')[1] == pytest.approx(number)


def test_a_long_text_is_checked_piece_by_piece():
    whole = ("lüpins 灯塔 " * 100_000).encode()
    assert len(whole) > 2**20
    assert as_utf8(whole) == (whole, False)
    cut, replaced = as_utf8(whole[:-2])
    assert replaced
    assert cut.decode().startswith("lüpins")
    assert as_utf8(whole[:-1] + b"\xe7")[1]
