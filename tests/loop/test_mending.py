"""Calls in another dress than JSON: what is plainly meant is called, what could be meant otherwise stays as the model wrote it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist import ToolCall
from archivist.loop.mending import mended, mended_arguments
from archivist.tools.arguments import MOST_CHARS

NAMES = ("memory", "read_file", "session_search")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('{"a": 1,}', {"a": 1}),
        ('{"a": ["b", "c",], }', {"a": ["b", "c"]}),
        ('```json\n{"a": "b ``` c"}\n```', {"a": "b ``` c"}),
        ('```\n{"a": 1}', {"a": 1}),
        ("{'a': 'say \"b\"'}", {"a": 'say "b"'}),
        ("{'a': 'it\\'s'}", {"a": "it's"}),
        ("{'a': True, 'b': None, 'c': False, 'd': -1.5e3}", {"a": True, "b": None, "c": False, "d": -1500.0}),
        ('{a: "b", c_1: true}', {"a": "b", "c_1": True}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{}{"a":1}', {"a": 1}),
        ('{"a":1}{}', {"a": 1}),
        ('{"a": 1}\n{"a": 1}', {"a": 1}),
        ('{"a": 1}}', {"a": 1}),
        (json.dumps('{"a": 1}'), {"a": 1}),
        (json.dumps(json.dumps("{'a': 'b',}")), {"a": "b"}),
        ('{"a": [{"b": "c"', {"a": [{"b": "c"}]}),
        ('{"a": true', {"a": True}),
        ("", {}),
        (" \n", {}),
        ("null", {}),
        ('""', {}),
        ("{}{}", {}),
    ],
)
def test_what_is_plainly_meant_is_an_object(text, meant):
    assert json.loads(mended_arguments(text)) == meant


@pytest.mark.parametrize(
    "text",
    [
        '{"path": "a", "content": "half of i',
        '{"limit": 1',
        '{"a": "b",',
        '{"a": "b", "c"',
        '{"a":',
        "{",
        '{"a": "b"]',
        '{"a":1}{"a":2}',
        '{"a":1}{"b":2}',
        "{'a': 'don't'}",
        '{"a": "say "b""}',
        '{"pattern": "\\d+",}',
        "{'pattern': '\\d+'}",
        "{'a': '\\x41'}",
        "{'a': 'b' 'c'}",
        "{'a': ('b',)}",
        '{"a": NaN}',
        '{"a": 1 2}',
        '{"a": tr ue}',
        'Here it is: {"a": 1}',
        "query=tea",
        "[1]",
        "3",
        '"tea"',
        "[" * 100_000,
    ],
)
def test_what_could_be_meant_otherwise_stays_as_it_came(text):
    assert mended_arguments(text) == text


OBJECTS = st.dictionaries(
    st.text(),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)


@given(OBJECTS, st.booleans())
def test_an_object_stays_to_the_byte(told, in_ascii):
    text = json.dumps(told, ensure_ascii=in_ascii, indent=1)
    assert mended_arguments(text) == text


@given(OBJECTS)
def test_whatever_python_writes_of_an_object_is_that_object_or_stays(told):
    text = repr(told)
    made = mended_arguments(text)
    assert made == text or json.loads(made) == told


@given(OBJECTS, st.data())
def test_what_is_cut_off_never_becomes_another_value(told, data):
    """What is there is a part of what was meant, with each text and number whole."""
    text = json.dumps(told)
    cut = text[: data.draw(st.integers(1, len(text)))]
    made = mended_arguments(cut)
    if made != cut:
        assert _is_part(json.loads(made), told)


def _is_part(part, whole):
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _is_part(value, whole[key]) for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(map(_is_part, part, whole))
    return part == whole


@given(st.text(alphabet="{}[]:,\"'\\ab1 `\n") | st.text())
def test_whatever_comes_is_an_object_or_stays(text):
    made = mended_arguments(text)
    assert made == text or isinstance(json.loads(made), dict)


@pytest.mark.parametrize(
    "text", ["{" * MOST_CHARS, "{}" * (MOST_CHARS // 2), "'" * (MOST_CHARS - 1), "`" * MOST_CHARS]
)
def test_a_very_long_text_is_read_in_a_moment(text):
    assert mended_arguments(text) in {text, "{}"}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("memory", "memory"),
        ("Memory", "memory"),
        ("READ_FILE", "read_file"),
        ("read-file", "read_file"),
        ("ReadFile", "read_file"),
        (" read file ", "read_file"),
        ("functions.memory", "memory"),
        ("functions.read_file:3", "read_file"),
        ("tools/session-search", "session_search"),
        ("default_api:memory", "memory"),
        ("shell", "shell"),
        ("mem", "mem"),
        ("other.memory", "other.memory"),
        ("memory_memory", "memory_memory"),
        ("", ""),
    ],
)
def test_a_name_in_other_letters_is_that_of_the_tool(name, meant):
    assert mended(ToolCall("c", name, "{}"), NAMES) == ToolCall("c", meant, "{}")


def test_a_name_that_two_tools_could_have_stays():
    assert mended(ToolCall("c", "ReadFile", "{}"), ["read_file", "read-file"]).name == "ReadFile"
    assert mended(ToolCall("c", "read-file", "{}"), ["read_file", "read-file"]).name == "read-file"
