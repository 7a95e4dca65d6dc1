"""Other programs' JSON files: what is put in can be taken out again, and no other byte moves."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.app.hosts.json_text import parsed, with_item, with_member, without

OURS = {"hooks": [{"command": "ours"}]}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
TEXTS = st.builds(
    lambda value, indent, newline, mark: (
        mark + json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", newline)
    ),
    st.dictionaries(st.text(max_size=5).filter(lambda name: name != "hooks"), VALUES, max_size=4),
    st.sampled_from([None, 0, 2, 4, "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
)


def is_ours(item: object) -> bool:
    return item == OURS


@given(TEXTS)
def test_what_was_put_in_is_taken_out_to_the_byte(text):
    told = with_member(
        with_item(with_item(text, ["hooks", "Stop"], OURS), ["hooks", "Start"], OURS), ["hooks", "x"], 1
    )
    assert parsed(told) == {**parsed(text), "hooks": {"Stop": [OURS], "Start": [OURS], "x": 1}}
    for path, is_meant in (
        (["hooks"], lambda name: name == "x"),
        (["hooks", "Start"], is_ours),
        (["hooks", "Stop"], is_ours),
    ):
        told = without(told, path, is_meant)
    if parsed(text):
        assert told == text
    else:
        assert parsed(told) == {}


@given(TEXTS, st.lists(VALUES, min_size=1, max_size=3))
def test_what_others_put_there_stays(text, others):
    for other in others:
        text = with_item(text, ["hooks", "Stop"], other)
    assert without(with_item(text, ["hooks", "Stop"], OURS), ["hooks", "Stop"], is_ours) == text


def test_the_style_of_the_file_is_kept():
    text = '{\r\n\t"a": [1,2],\r\n\t"hooks": {"Stop": [ {"x": 1} ]}\r\n}\r\n'
    told = with_item(text, ["hooks", "Stop"], OURS)
    assert told.startswith('{\r\n\t"a": [1,2],\r\n\t"hooks": {"Stop": [ {"x": 1},\r\n\t\t\t{\r\n')
    assert "\n" not in told.replace("\r\n", "")


def test_a_member_is_exchanged_where_it_is_there():
    text = '{"servers": {"a": 1, "ours": {"old": true} , "b": 2}}'
    assert with_member(text, ["servers", "ours"], 3) == '{"servers": {"a": 1, "ours": 3 , "b": 2}}'


@pytest.mark.parametrize(
    "text", ['{"a": 1, "ours": 2, "b": 3}', '{"ours": 2, "a": 1, "b": 3}', '{"a": 1, "b": 3, "ours": 2}']
)
def test_what_is_taken_out_takes_its_comma_along(text):
    assert without(text, [], lambda name: name == "ours") == '{"a": 1, "b": 3}'


@pytest.mark.parametrize("text", ['{"hooks": 3}', '{"hooks": {"Stop": "x"}}'])
def test_something_else_in_the_place_is_named(text):
    with pytest.raises(ValueError, match="neither a list nor an object"):
        with_item(text, ["hooks", "Stop"], OURS)
