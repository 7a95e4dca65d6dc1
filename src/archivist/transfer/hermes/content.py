"""What a row of `messages` says: text, parts, calls and reasoning.

Structured content is stored as a NUL character, `json:` and JSON with every character escaped; here it
becomes text again.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from archivist.records import Part, ToolCall
from archivist.transfer.json_text import NotJson, decode_leniently, unescaped, without_surrogates
from archivist.transfer.media import url_part

STRUCTURED = "\x00json:"
SUMMARY_START = re.compile(
    r"\s*\[CONTEXT COMPACTION(?:\s*[^\w\s\]]{1,3}\s*REFERENCE ONLY\b[^\]\n]{0,80}\]|\] Earlier turns in this conversation were compacted\b)"
)
SHORT_START = re.compile(r"\s*\[CONTEXT SUMMARY\]:")
"""How summaries of old versions begin; a person may write a heading like it."""

SUMMARY_END = re.compile(r"^--- END OF CONTEXT SUMMARY\b[^\n]*$", re.MULTILINE)
PRIOR_START = re.compile(r"\s*\[PRIOR CONTEXT\b[^\]\n]{0,80}\]\n*")
PRIOR_END = re.compile(r"\n*^\[END OF PRIOR CONTEXT\b[^\]\n]{0,80}\]", re.MULTILINE)

TEXT_TYPES = ("text", "input_text", "output_text")
IMAGE_TYPES = ("image_url", "input_image", "image")
REASONING_COLUMNS = (
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "codex_reasoning_items",
    "codex_message_items",
)


class Words(NamedTuple):
    """Content as text and, where there is more than text, its parts.

    Attributes:
        is_summary: Whether it holds a compaction's summary, which has been taken out.
    """

    text: str
    parts: tuple[Part, ...] = ()
    is_summary: bool = False


def read_content(stored: str | None, *, is_compacted: bool = True) -> Words:
    """Stored content, without a summary that a compaction put in front of it or behind it.

    Args:
        stored: The column.
        is_compacted: Whether the session has been compacted at all, or goes on from one; else a heading that looks old is a person's.
    """
    if stored is None:
        return Words("")
    if not stored.startswith(STRUCTURED):
        text, is_summary = without_summary(without_surrogates(stored), is_compacted=is_compacted)
        return Words(text, (), is_summary)
    try:
        value = decode_leniently(stored[len(STRUCTURED) :])
    except NotJson:
        return Words(without_surrogates(stored.removeprefix("\x00")))
    return _structured(value, is_compacted=is_compacted)


def without_summary(text: str, *, is_compacted: bool = True) -> tuple[str, bool]:
    """The text without a compaction's summary, and whether there was one.

    A summary may be a row of its own, stand before the first kept message and end with a line that says so,
    or stand behind it, the message between two lines of its own.
    """
    if SUMMARY_START.match(text) or (is_compacted and SHORT_START.match(text)):
        end = SUMMARY_END.search(text)
        return (text[end.end() :].strip() if end else ""), True
    if prior := PRIOR_START.match(text):
        end = PRIOR_END.search(text, prior.end() - 1)
        if end and (SUMMARY_START.match(text, end.end()) or SHORT_START.match(text, end.end())):
            return text[prior.end() : max(prior.end(), end.start())].strip(), True
    return text, False


def read_calls(stored: str | None) -> tuple[ToolCall, ...]:
    """Calls in the form of the OpenAI API."""
    if not stored:
        return ()
    try:
        value = decode_leniently(stored)
    except NotJson:
        return (ToolCall("", "unreadable", without_surrogates(stored)),)
    calls = value if isinstance(value, list) else [value]
    return tuple(_call(call) for call in calls if isinstance(call, dict))


def read_reasoning(columns: Mapping[str, str | None]) -> str | None:
    """The reasoning columns as one JSON object; what is JSON in a column stays as it is."""
    kept = [f"{_quoted(name)}:{_json(text)}" for name, text in columns.items() if text]
    return f"{{{','.join(kept)}}}" if kept else None


def _structured(value: Any, *, is_compacted: bool) -> Words:  # noqa: ANN401 - JSON has no narrower type
    if isinstance(value, str):
        text, is_summary = without_summary(value, is_compacted=is_compacted)
        return Words(text, (), is_summary)
    texts: list[str] = []
    parts: list[Part] = []
    has_summary = False
    for item in value if isinstance(value, list) else [value]:
        part = _part(item)
        if part.kind == "text":
            text, is_summary = without_summary(part.text, is_compacted=is_compacted)
            has_summary |= is_summary
            part = Part("text", text)
            if text:
                texts.append(text)
                parts.append(part)
        else:
            parts.append(part)
    has_more = any(part.kind != "text" for part in parts)
    return Words("\n".join(texts), tuple(parts) if has_more else (), has_summary)


def _part(item: Any) -> Part:  # noqa: ANN401 - JSON has no narrower type
    if isinstance(item, str):
        return Part("text", item)
    if not isinstance(item, dict):
        return Part("text", _json_of(item))
    kind = item.get("type")
    if kind in TEXT_TYPES and isinstance(item.get("text"), str):
        return Part("text", item["text"])
    if kind in IMAGE_TYPES:
        url = item.get("image_url") or item.get("url")
        url = url.get("url") if isinstance(url, dict) else url
        if isinstance(url, str):
            return url_part("image", url)
    return Part(kind if isinstance(kind, str) and kind else "data", text=_json_of(item))


def _call(call: dict[str, Any]) -> ToolCall:
    function = call.get("function")
    body = function if isinstance(function, dict) else call
    arguments = body.get("arguments")
    text = arguments if isinstance(arguments, str) else _json_of({} if arguments is None else arguments)
    return ToolCall(
        str(call.get("id") or call.get("call_id") or ""), str(body.get("name") or ""), unescaped(text)
    )


def _json(text: str) -> str:
    clean = without_surrogates(text)
    try:
        if clean[:1] in "[{":
            msgspec.json.decode(clean)
            return clean
    except (msgspec.DecodeError, RecursionError):
        pass
    return _quoted(clean)


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()


def _json_of(value: object) -> str:
    return msgspec.json.encode(value).decode()
