"""Stored content as text, parts, calls and reasoning."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.transfer.hermes.content import read_calls, read_content, read_reasoning, without_summary

PREFIX = "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted."
BEFORE = "[PRIOR CONTEXT — for reference only; not a new message]"
BETWEEN = "[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW]"
END = "--- END OF CONTEXT SUMMARY — respond to the message below, not the summary above ---"


def stored(value):
    return "\x00json:" + json.dumps(value)


def test_plain_text_is_itself():
    assert read_content("hello\n 写作") == ("hello\n 写作", (), False)
    assert read_content(None).text == ""


def test_structured_content_becomes_characters_and_bytes():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    words = read_content(stored([{"type": "text", "text": "座位图"}, image]))
    assert words.text == "座位图"
    assert [(p.kind, p.media_type, p.data) for p in words.parts] == [
        ("text", "", None),
        ("image", "image/png", b"\x89PNG\r\n\x1a\n"),
    ]


def test_text_in_several_pieces_has_no_parts():
    assert read_content(stored([{"type": "text", "text": "a"}, "b"])) == ("a\nb", (), False)


def test_a_lone_surrogate_becomes_a_replacement_character():
    assert read_content('\x00json:["x\\ud83d"]').text == "x\ufffd"
    assert read_content("x\ud83d").text == "x\ufffd"


def test_structured_content_that_is_no_json_is_kept_as_text():
    assert read_content("\x00json:[broken").text == "json:[broken"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{PREFIX}\n\n## Goal\nship it", ""),
        ("[CONTEXT SUMMARY]: the backup is slow", ""),
        ("[CONTEXT COMPACTION - REFERENCE ONLY] the backup is slow", ""),
        ("[CONTEXT COMPACTION] Earlier turns in this conversation were compacted to save space.\nslow", ""),
        (f"{PREFIX}\nsummary\n\n{END}", ""),
        (f"{PREFIX}\nsummary\n\n{END}\n\nand now the port", "and now the port"),
        (f"{BEFORE}\nmy words\n\n{BETWEEN}\n\n{PREFIX}\nsummary\n{END}", "my words"),
        (f"{BEFORE}\n\n\n{BETWEEN}\n\n{PREFIX}\nsummary", ""),
    ],
)
def test_a_summary_is_taken_out_and_the_words_beside_it_stay(text, left):
    assert without_summary(text) == (left, True)
    assert read_content(stored([{"type": "text", "text": text}])).text == left


@pytest.mark.parametrize(
    "text",
    [
        "what is a [CONTEXT SUMMARY]: line?",
        "[PRIOR CONTEXT] is a heading",
        f"end it with {END}",
        "[CONTEXT COMPACTION] what does it mean?",
        "[CONTEXT COMPACTION]",
        "[CONTEXT COMPACTION and REFERENCE ONLY] is what it says",
        "[CONTEXT SUMMARY] is a heading",
    ],
)
def test_words_about_summaries_stay(text):
    assert without_summary(text) == (text, False)


def test_calls_have_real_characters_in_their_arguments():
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "patch", "arguments": json.dumps({"a": "写"})},
    }
    [read] = read_calls(json.dumps([call]))
    assert (read.id, read.name, json.loads(read.arguments)) == ("c1", "patch", {"a": "写"})
    assert "写" in read.arguments


def test_calls_of_other_shapes_are_not_lost():
    assert read_calls("broken")[0].arguments == "broken"
    assert read_calls('[{"name": "x", "arguments": {"a": 1}}, 5]')[0].arguments == '{"a":1}'
    assert read_calls(None) == ()


def test_reasoning_is_kept_to_the_letter():
    details = '[{"type": "x",  "data": "\\u5199"}]'
    kept = read_reasoning(
        {"reasoning": "because", "reasoning_details": details, "codex_reasoning_items": None}
    )
    assert json.loads(kept) == {"reasoning": "because", "reasoning_details": json.loads(details)}
    assert details in kept
    assert read_reasoning({"reasoning": None}) is None
    assert json.loads(read_reasoning({"reasoning_details": "[broken"})) == {"reasoning_details": "[broken"}


@given(
    st.text()
    | st.text().map(lambda text: "\x00json:" + text)
    | st.text().map(lambda t: f"{PREFIX}{t}{END}{t}")
)
def test_any_content_can_be_read(text):
    read_content(text)
    read_calls(text)
    json.loads(read_reasoning({"reasoning": text}) or "null")
