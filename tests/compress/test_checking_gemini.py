"""What Gemini documents as refused of its contents is named, and what its own types take passes."""

import pytest

from archivist import check_messages

ASKED = {"role": "user", "parts": [{"text": "Look into it."}]}
SAID = {"role": "model", "parts": [{"text": "Done."}]}
CALL = {"functionCall": {"name": "read", "args": {"path": "a.py"}}, "thoughtSignature": "RW8="}
OTHER = {"functionCall": {"name": "list"}}
GIVEN = {"functionResponse": {"name": "read", "response": {"result": "ok"}}}
LISTED = {"functionResponse": {"name": "list", "response": {}}}


def user(*parts):
    return {"role": "user", "parts": list(parts)}


def model(*parts):
    return {"role": "model", "parts": list(parts)}


def rules(*contents, **more):
    return [one.rule for one in check_messages(contents, "gemini", **more)]


@pytest.mark.parametrize(
    "contents",
    [
        [ASKED, SAID, ASKED],
        [ASKED, model(CALL, OTHER), user(GIVEN, LISTED), SAID],
        [
            ASKED,
            model({"text": "hm", "thought": True}, CALL),
            user(GIVEN),
            model({"text": "", "thoughtSignature": "RW8="}),
        ],
        [ASKED, model(OTHER), user(LISTED), SAID, ASKED],
        [
            user(
                {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
                {"fileData": {"fileUri": "gs://a/b.pdf"}},
            )
        ],
        [user({"inline_data": {"mime_type": "image/png", "data": "AAAA"}})],
        [
            ASKED,
            model({"function_call": {"name": "read"}, "thought_signature": "RW8="}),
            user({"function_response": {"name": "read", "response": {}}}),
        ],
        [
            ASKED,
            model(
                {"executableCode": {"language": "PYTHON", "code": "1"}},
                {"codeExecutionResult": {"outcome": "OUTCOME_OK"}},
            ),
        ],
    ],
)
def test_what_is_whole_passes(contents):
    """Old turns need no signature any more: https://ai.google.dev/gemini-api/docs/thought-signatures"""
    assert rules(*contents) == []


@pytest.mark.parametrize(
    ("contents", "rule"),
    [
        ([SAID, ASKED], "first-not-user"),
        ([{"role": "assistant", "parts": [{"text": "x"}]}, ASKED], "role"),
        ([user()], "empty"),
        ([user({"text": "x", "fileData": {"fileUri": "a"}})], "part"),
        ([user({})], "part"),
        ([user(CALL)], "part"),
        ([user({"inlineData": {"data": "AAAA"}})], "part"),
        ([ASKED, model(CALL, OTHER), user(GIVEN)], "call-without-result"),
        ([ASKED, model(CALL), ASKED], "call-without-result"),
        ([user(GIVEN)], "orphan-result"),
        ([ASKED, model(CALL), user(GIVEN, GIVEN)], "orphan-result"),
        ([ASKED, model({"text": "x"}), model(CALL), user(GIVEN)], "calls"),
        ([ASKED, model({**CALL, "thoughtSignature": None}), user(GIVEN)], "unsigned-thinking"),
        (
            [ASKED, model({"functionCall": {"args": {}}, "thoughtSignature": "RW8="}), user(GIVEN)],
            "call-name",
        ),
        (
            [
                ASKED,
                model({"functionCall": {"name": "read", "args": "{}"}, "thoughtSignature": "RW8="}),
                user(GIVEN),
            ],
            "arguments",
        ),
        ([ASKED, model(CALL), user({"functionResponse": {"name": "read", "response": "ok"}})], "part"),
    ],
)
def test_what_is_refused_is_named(contents, rule):
    assert rule in rules(*contents)


def test_calls_at_the_end_may_wait_where_that_is_said():
    assert rules(ASKED, model(CALL)) == ["call-without-result"]
    assert rules(ASKED, model(CALL), in_flight=True) == []
