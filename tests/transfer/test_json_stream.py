"""Elements of JSON arrays of any length: none is lost, none costs another, and errors name the file."""

import io
import json
import tracemalloc
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.transfer import SourceUnreadable, json_stream
from archivist.transfer.json_stream import INVALID, TORN, first_names, read_elements, read_values
from archivist.transfer.json_text import json_of

FILE = Path("/exports/conversations.json")


class Dribble(io.BytesIO):
    """Gives a few bytes at a time, whatever is asked for."""

    def read(self, size=-1):
        return super().read(min(7, size) if size >= 0 else 7)


def elements(text, prefix="item", stream=io.BytesIO):
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_elements(stream(data), prefix, FILE))


def until_error(text):
    """What is given before the error, and the error."""
    given = []
    try:
        for element in read_elements(io.BytesIO(text), "item", FILE):
            given.append(element)  # noqa: PERF402 - those before the error count
    except SourceUnreadable as error:
        return given, str(error)
    pytest.fail("there was no error")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=6), st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_every_element_comes_out_as_it_went_in_however_it_is_read(values, ascii_only, indent):
    values = json.loads(json.dumps(values).encode("utf-8", "replace"))
    text = json.dumps(values, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    text = text if ascii_only else text.decode("utf-8", "replace").encode()
    wanted = [json_stream.decode_element(json.dumps(value).encode()) for value in json.loads(text)]
    assert elements(text) == wanted
    assert elements(text, stream=Dribble) == wanted


def test_half_a_surrogate_pair_becomes_a_mark_and_loses_nothing_else():
    found = elements(
        rb'["a\ud83d", "\ude00b", "\ud83d\ude00", "\ud83dx\ud83d\ude00", {"k\udc00": [1.5, "\ud800"]}]'
    )
    assert found == ["a\ufffd", "\ufffdb", "\U0001f600", "\ufffdx\U0001f600", {"k\ufffd": [1.5, "\ufffd"]}]


def test_numbers_stay_what_they_are():
    [found] = elements("[[1, 1.0, 1767000300.5, 1e3, 12345678901234567890, -0.0]]")
    assert [type(number) for number in found] == [int, float, float, float, int, float]


@pytest.mark.parametrize(
    "damaged",
    [b'{"a" 1}', b'{"a": nope}', b"[1 2]", b'{"a": "\\q"}', b"{]", b"truth"],
)
def test_an_element_that_is_no_json_costs_itself(damaged):
    assert elements(b'[{"n": 1}, ' + damaged + b', {"n": 2}]') == [{"n": 1}, INVALID, {"n": 2}]


def test_a_number_beyond_all_bounds_stays_as_its_text():
    assert elements(b'[{"a": 1e999}, {"n": 2}]') == [{"a": "1e999"}, {"n": 2}]


def test_what_programs_write_against_the_rules_is_read_all_the_same():
    assert elements(b'[{"a": "tab\there"}, {"b": NaN}, {"c": "\xff"}]') == [
        {"a": "tab\there"}, {"b": None}, {"c": "\ufffd"},
    ]  # fmt: skip


def test_elements_of_any_depth_are_found():
    deep = "[" * 400 + '"]"' + "]" * 400
    found = elements(f'[1, {deep}, {{"a": {deep}}}, 2]')
    assert (len(found), found[0], found[-1]) == (4, 1, 2)
    assert INVALID not in found
    bottomless = "[" * 100_000 + "]" * 100_000
    found = elements(f"[1, {bottomless}, 2]")
    assert (found[0], found[2], len(found)) == (1, 2, 3)
    assert INVALID not in found
    assert elements(f'[{{"kept": 1, "deep": {bottomless}}}]')[0]["kept"] == 1


@pytest.mark.parametrize("text", [b"[]", b" [ ] \n", b"\xef\xbb\xbf[]", b"[]\x00\x00"])
def test_an_array_may_be_empty(text):
    assert elements(text) == []


def test_a_byte_order_mark_is_passed_over():
    assert elements(b'\xef\xbb\xbf[{"a": 1}]') == [{"a": 1}]


@given(st.integers(1, 60))
def test_a_file_that_is_cut_off_gives_what_came_before_and_says_so(cut):
    whole = b'[{"n": 0}, {"n": 1}, {"n": "two"}, [3], "four", 5, {"n": 6}]'
    given, error = until_error(whole[: min(cut, len(whole) - 1)])
    assert given == json.loads(whole)[: len(given)] or given[:-1] == json.loads(whole)[: len(given) - 1]
    assert error.startswith(f"{FILE}: it is cut off")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "it is empty"),
        (b"  \n", "it is empty"),
        (b"\xef\xbb\xbf", "it is empty"),
        (b'{"a": 1}', "it is no JSON array"),
        (b"<html>", "it is no JSON array"),
        ("[1]".encode("utf-16"), "it is UTF-16, not UTF-8"),
        (b"[1, }, 2]", "it is no JSON after 1 elements"),
        (b"[1] [2]", "something stands behind its end"),
    ],
)
def test_a_file_that_is_something_else_is_named_with_the_reason(text, reason):
    _, error = until_error(text)
    assert error == f"{FILE}: {reason}: check the file, then import again"


def test_an_array_in_an_object_is_found_by_its_path():
    text = '{"v": "{[", "a": {"n": [0], "items": [1, {"x": 2}]}, "items": [3], "tail": [4]}'
    assert elements(text, "items.item") == [3]
    assert elements(text, "a.items.item", Dribble) == [1, {"x": 2}]
    for prefix, reason in (
        ("none.item", "it has no 'none'"),
        ("v.item", "'v' is no array"),
        ("v.w.item", "it has no 'w'"),
    ):
        with pytest.raises(SourceUnreadable, match=reason):
            elements(text, prefix)


def test_a_bracket_that_is_never_closed_ends_the_reading(monkeypatch):
    monkeypatch.setattr(json_stream, "LONGEST_ELEMENT_BYTES", 50_000)
    monkeypatch.setattr(json_stream, "READ_BYTES", 1000)
    given, error = until_error(b'[1, {"a": "' + b"x" * 200_000)
    assert given == [1]
    assert "element 2 has no end" in error


class Endless(io.RawIOBase):
    """An array without an end, made while it is read."""

    def __init__(self, element):
        self.element, self.waiting = element, b"["

    def read(self, size=-1):
        while len(self.waiting) < size:
            self.waiting += self.element * 100
        given, self.waiting = self.waiting[:size], self.waiting[size:]
        return given


def test_memory_does_not_grow_with_the_number_of_elements():
    element = json.dumps({"mapping": {str(n): {"parts": ["word " * 20]} for n in range(100)}}).encode() + b","
    peaks = []
    for count in (300, 1500):
        tracemalloc.start()
        assert sum(1 for _ in islice(read_elements(Endless(element), "item", FILE), count)) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.2


def test_what_can_be_read_however_deep_can_be_written_or_says_that_it_cannot():
    for depth in range(700, 1100, 7):
        [value] = elements("[" + "[" * depth + "]" * depth + "]")
        assert value is INVALID or json_of(value).strip("[]") in {
            "",
            '"[nested too deeply]"',
        }
    deep = []
    for _ in range(5000):
        deep = [deep]
    assert json_of(deep) == '"[nested too deeply]"'


def test_lines_are_read_one_by_one_and_a_torn_end_is_told_from_a_damaged_line():
    text = b'{"a": 1}\r\n\r\n{"b": \n\xef\xbb\xbf{"c": "\\ud83d"}\n{"d'
    assert list(read_values(io.BytesIO(text))) == [{"a": 1}, INVALID, {"c": "\ufffd"}, TORN]
    assert list(read_values(io.BytesIO(b'{"a": 1}'))) == [{"a": 1}]


def test_the_names_of_the_first_members_are_seen_without_reading_on():
    text = b' [{"title": "a \\"mapping\\": x", "n" : 1, "inner": {"hidden": 1}, "last": [{"too": 2}]}, {"more": 3'
    assert first_names(io.BytesIO(text)) == ["title", "n", "inner", "last", "more"]
    assert first_names(
        io.BytesIO(b'{"uuid": "x", "chat_messages": [{"a": 1}]}\n{"b": 2}'), in_lines=True
    ) == [
        "uuid",
        "chat_messages",
        "b",
    ]
    assert first_names(io.BytesIO(b'{"uuid": "x"}')) == []
    assert first_names(io.BytesIO(b'\x00\xff"{[')) == []


def test_a_line_that_is_too_long_is_one_damaged_line(monkeypatch):
    monkeypatch.setattr(json_stream, "LONGEST_ELEMENT_BYTES", 64)
    text = b'{"a": 1}\n{"b": "' + b"x" * 200 + b'"}\n{"c": 3}\n'
    [first, second, third] = read_values(io.BytesIO(text))
    assert (first, second.reason, third) == ({"a": 1}, "line over 64 MB", {"c": 3})


def test_an_element_over_the_limit_is_refused_and_hardly_more_than_the_limit_is_read(monkeypatch):
    monkeypatch.setattr(json_stream, "LONGEST_ELEMENT_BYTES", 3 * json_stream.READ_BYTES)
    large = b'["first", "' + b"x" * (20 * json_stream.READ_BYTES) + b'"]'
    file, found = io.BytesIO(large), []
    with pytest.raises(SourceUnreadable, match="larger than any conversation"):
        found.extend(read_elements(file))
    assert file.tell() <= 5 * json_stream.READ_BYTES
    just_over = b'["' + b"x" * (3 * json_stream.READ_BYTES) + b'"]'
    with pytest.raises(SourceUnreadable, match="larger than any conversation"):
        list(read_elements(io.BytesIO(just_over)))
