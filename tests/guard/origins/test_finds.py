"""What Archivist's own tools found is whose it was where it was said, however the answer is wrapped; what nobody can place is nobody's."""

import json

import pytest

from archivist.guard.origins.finds import finds_in, origin_of_find

HITS = {
    "success": True,
    "count": 1,
    "hits": [{"kind": "message", "text": "t", "role": "user", "message_id": 7}],
}


def wrapped(told):
    return {"content": [{"type": "text", "text": json.dumps(told)}]}


@pytest.mark.parametrize("told", [HITS, wrapped(HITS), wrapped(HITS)["content"], wrapped(wrapped(HITS))])
def test_an_answer_is_read_however_it_is_wrapped(told):
    assert [one["text"] for one in finds_in(json.dumps(told)) or []] == ["t"]


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}', "[]", '{"content": []}', '{"content": [{"text": "words"}]}', "words", '{"hits": [', "7"],
)
def test_what_is_no_answer_of_ours_has_no_finds_to_trust(text):
    assert finds_in(text) is None


@pytest.mark.parametrize(
    "told", [{"success": True, "hits": []}, {"sessions": []}, {"success": False, "error": "no"}]
)
def test_an_answer_without_finds_is_one(told):
    assert finds_in(json.dumps(told)) == []


@pytest.mark.parametrize(
    ("find", "origin"),
    [
        ({"kind": "note", "text": "t"}, None),
        ({"kind": "message", "role": "user", "message_id": 7}, None),
        ({"kind": "message", "role": "user", "message_id": 8}, "web"),
        ({"kind": "message", "role": "user"}, "unknown"),
        ({"kind": "message", "text": "t"}, "unknown"),
        ({"text": "t", "origin": "document"}, "document"),
    ],
)
def test_a_find_is_whose_it_was_where_it_was_said(find, origin):
    assert origin_of_find(find, {7: None, 8: "web"}.get) == origin
