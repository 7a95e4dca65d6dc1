"""Arguments as models write them: what is plainly meant is done, what is not is named together with what is expected."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.tools.arguments import MOST_CHARS, Refused, read_arguments

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "maxLength": 20},
        "limit": {"type": "integer", "minimum": 1, "maximum": 9},
        "offset": {"type": "integer", "minimum": 0},
        "mode": {"type": "string", "enum": ["near", "far"]},
        "kinds": {"type": "array", "items": {"type": "string", "enum": ["note", "daily"]}},
    },
    "required": ["query"],
}


def read(**given):
    return read_arguments({"query": "tea", **given}, SCHEMA)


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({"limit": "5"}, {"limit": 5}),
        ({"limit": " 5 "}, {"limit": 5}),
        ({"limit": 5.0}, {"limit": 5}),
        ({"limit": "5.0"}, {"limit": 5}),
        ({"limit": None}, {}),
        ({"limit": ""}, {}),
        ({"mode": None}, {}),
        ({"mode": " "}, {}),
        ({"mode": "far"}, {"mode": "far"}),
        ({"query": 2026}, {"query": "2026"}),
        ({"kinds": "note"}, {"kinds": ["note"]}),
        ({"kinds": "note, daily"}, {"kinds": ["note", "daily"]}),
        ({"kinds": '["note"]'}, {"kinds": ["note"]}),
        ({"kinds": []}, {}),
        ({"kinds": None}, {}),
    ],
)
def test_what_is_plainly_meant_is_taken(given, values):
    assert read(**given).values == {"query": "tea", **values}
    assert read(**given).notices == ()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"query": None}, "query is missing: give a text"),
        ({"query": ""}, "query is missing: give a text"),
        ({"query": ["tea"]}, 'query must be a text, not ["tea"]'),
        ({"query": {"a": 1}}, "query must be a text"),
        ({"query": True}, "query must be a text, not true"),
        ({"query": "x" * 21}, "query has 21 characters; give at most 20"),
        ({"limit": "many"}, 'limit must be a whole number from 1 to 9, not "many"'),
        ({"limit": 2.5}, "limit must be a whole number from 1 to 9, not 2.5"),
        ({"limit": True}, "not true"),
        ({"limit": []}, "limit must be a whole number"),
        ({"limit": "nan"}, "limit must be a whole number"),
        ({"limit": float("inf")}, "limit must be a whole number"),
        ({"offset": "x"}, "offset must be a whole number from 0"),
        ({"mode": "middle"}, 'mode must be one of near, far, not "middle"'),
        ({"kinds": ["note", "fact"]}, 'kinds must be a list of note, daily, not "fact"'),
        ({"kinds": {"note": 1}}, "kinds must be a list of note, daily"),
        ({"kinds": [1]}, "kinds must be a list of note, daily"),
        ({"kinds": "[note"}, "kinds must be a list"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_is_expected(given, expected):
    with pytest.raises(Refused) as refused:
        read(**given)
    assert expected in str(refused.value)


@pytest.mark.parametrize(("given", "taken"), [(0, 1), (-3, 1), (10, 9), (10**400, 9), ("99", 9)])
def test_a_number_beyond_what_is_possible_is_the_nearest_that_is_and_said(given, taken):
    arguments = read(limit=given)
    assert arguments.values["limit"] == taken
    assert arguments.notices == (f"limit was taken for {taken}: it is a whole number from 1 to 9.",)


def test_names_that_there_are_not_change_nothing_and_are_said():
    arguments = read(scope="everything", user="ann", **{"x" * 500: 1})
    assert arguments.values == {"query": "tea"}
    (told,) = arguments.notices
    assert told.startswith("Not an argument, and without effect: scope, user, xxx")
    assert "There are: query, limit, offset, mode, kinds." in told
    assert "the host says" in told
    assert len(told) < 400


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '"x"', "null", "[" * 10_000])
def test_a_text_that_is_no_object_is_refused(text):
    with pytest.raises(Refused):
        read_arguments(text, SCHEMA)


def test_an_object_as_text_is_taken():
    assert read_arguments('{"query": "tea", "limit": "2"}', SCHEMA).values == {"query": "tea", "limit": 2}


@pytest.mark.parametrize(
    "given",
    [
        {"query": "x" * (MOST_CHARS + 1)},
        {"other": ["x" * 100] * (MOST_CHARS // 90)},
        {"other": [0] * (MOST_CHARS + 1)},
        {"x" * (MOST_CHARS + 1): 1},
        json.dumps({"query": "x" * MOST_CHARS}),
    ],
)
def test_what_is_longer_than_anybody_says_is_refused(given):
    with pytest.raises(Refused, match="give at most"):
        read_arguments(given, SCHEMA)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(), inside, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*SCHEMA["properties"], "other"]), JSON))
def test_whatever_is_given_is_of_the_types_of_the_schema_or_refused(given):
    try:
        read = read_arguments(given, SCHEMA)
    except Refused:
        return
    assert isinstance(read.values["query"], str)
    assert 1 <= read.get("limit", 1) <= 9
    assert read.get("offset", 0) >= 0
    assert read.get("mode", "near") in {"near", "far"}
    assert set(read.get("kinds", [])) <= {"note", "daily"}


@pytest.mark.parametrize("name", ["query", "mode", "kinds", "limit"])
def test_a_value_beyond_all_measure_is_named_and_no_fault(name):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for value in (deep, {"a": deep}, [10**5_000], 10**5_000 if name != "limit" else [10**5_000]):
        with pytest.raises(Refused, match=f"{name} must be .*beyond all measure"):
            read(**{name: value})
