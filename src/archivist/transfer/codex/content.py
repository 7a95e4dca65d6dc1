"""What a line says: the words of a person or an assistant, a call, a result, reasoning.

The first pass judges a line by it, the second builds a message of it; both see the same.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from archivist.records import Part, ToolCall
from archivist.records.compactions import stands_for_more
from archivist.transfer.codex.lines import NOTHING, Line, Payload, value_of
from archivist.transfer.json_text import json_of, object_in, unescaped, without_surrogates
from archivist.transfer.media import base64_part, url_part
from archivist.transfer.pieces import text_of, text_piece
from archivist.transfer.reasons import BY_PROGRAM, NOTHING_LEFT, SUMMARY

TEXT_TYPES = frozenset(
    {"input_text", "output_text", "text", "Text", "summary_text", "reasoning_text", "refusal"}
)
IMAGE_TYPES = frozenset({"input_image", "image", "output_image"})
IMAGE_TAG = re.compile(r"\s*</?image\b[^<>]{0,200}>\s*")
FRAMES = ("# Context from my IDE setup:", "# Files mentioned by the user:")
"""How an editor begins what it sends around a request."""

REQUEST = re.compile(r"^## My request for Codex:[ \t]*\r?\n?", re.MULTILINE)
PLAN_OPEN, PLAN_CLOSE = "<proposed_plan>", "</proposed_plan>"
WRAPPED = re.compile(r"<([a-z][a-z0-9_-]{2,40})( instructions)?(?:\s[^<>]{0,200})?>")

SUMMARY_STARTS = (
    "Another language model started to solve this problem and produced a summary of its thinking process",
    "You were originally given instructions from a user over one or more turns. Here were the user messages:",
)
PROJECT_RULES = re.compile(r"# AGENTS(?:\.override)?\.md instructions(?: for [^\n]*)?(?:\n|\Z)")
"""The heading that the program writes; one that goes on otherwise was typed."""

CONTEXT_TAGS = frozenset(
    {
        "environment_context",
        "user_instructions",
        "turn_aborted",
        "subagent_notification",
        "skill",
        "permissions",
        "model_switch",
        "personality_spec",
        "collaboration_mode",
        "multi_agent_mode",
        "apps_instructions",
        "skills_instructions",
        "plugins_instructions",
        "realtime_conversation",
        "user_action",
        "user_shell_command",
    }
)
CONTEXT_KINDS = frozenset({"user_instructions", "environment_context"})
TOOLS = {
    "local_shell_call": "local_shell",
    "web_search_call": "web_search",
    "tool_search_call": "tool_search",
    "image_generation_call": "image_generation",
}
"""Calls that carry no name of their own."""

FAILED_HEAD = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)", re.MULTILINE)
HEAD_CHARACTERS = 400


class Words(NamedTuple):
    """What a line says.

    Attributes:
        reason: Why nothing is left of it, where the program wrote all of it.
    """

    pieces: list[Part]
    reason: str | None = None

    @property
    def text(self) -> str:
        """The text pieces, one below the other."""
        return text_of(self.pieces)

    @property
    def media(self) -> list[Part]:
        """Everything that is no text."""
        return [piece for piece in self.pieces if piece.kind != "text"]


class Result(NamedTuple):
    """What a tool gave back."""

    pieces: list[Part]
    is_error: bool


def model_person(payload: Payload, *, is_shown_too: bool) -> Words:
    """A person's words as the model got them, without what the program put before them.

    Args:
        payload: The line's.
        is_shown_too: Whether the file tells what a person typed as it was shown, too: then a text in a tag that is not known here may
            be the program's, for what was typed comes again.
    """
    return _persons(_pieces(value_of(payload.content)), partial(_program_wrote, is_shown_too=is_shown_too))


def screen_person(payload: Payload) -> Words:
    """A person's words as they were typed, whatever they look like."""
    if payload.kind in CONTEXT_KINDS:
        return Words([], f"{BY_PROGRAM}{payload.kind}")
    images = value_of(payload.images)
    pieces = text_piece(payload.message)
    urls = images if isinstance(images, list) else [images]
    pieces += [url_part("image", url) for url in urls if isinstance(url, str)]
    return _persons(pieces, _nobody_else)


def item_person(item: dict[str, Any]) -> Words:
    """A person's words in a completed item."""
    return _persons(_pieces(item.get("content")), _nobody_else)


def model_answer(payload: Payload) -> Words:
    """An assistant's words as the model gave them."""
    return Words(_pieces(value_of(payload.content)))


def screen_answer(payload: Payload) -> Words:
    """An assistant's words as they were shown."""
    return Words(_pieces(payload.message))


def item_answer(item: dict[str, Any]) -> Words:
    """An assistant's words, or its plan, in a completed item."""
    return Words(_pieces(item.get("content") if item.get("type") != "Plan" else item.get("text")))


def without_plan(text: str) -> tuple[str, str]:
    """The text without the plan that it proposes, and the plan."""
    before, *opened = text.split(PLAN_OPEN)
    visible, plans = [before], []
    for piece in opened:
        plan, closed, rest = piece.partition(PLAN_CLOSE)
        if closed and plan.strip():
            plans.append(plan.strip())
        visible.append(rest if closed else PLAN_OPEN + piece)
    return ("".join(visible).strip(), "\n".join(plans)) if plans else (text, "")


def tool_call(payload: Payload) -> ToolCall:
    """A call, its arguments as JSON text."""
    name = _full_name(payload) or TOOLS.get(payload.type or "", payload.type or "")
    return ToolCall(call_id(payload), without_surrogates(name), _arguments(payload))


def _full_name(payload: Payload) -> str | None:
    """The name of a tool with that of its server, which newer versions tell beside it."""
    if not (payload.name and payload.namespace):
        return payload.name
    return f"{payload.namespace.removesuffix('__')}__{payload.name}"


def call_id(payload: Payload) -> str:
    """The id by which a result names its call."""
    return without_surrogates(payload.call_id or payload.id or "")


def call_media(payload: Payload) -> list[Part]:
    """The image that a call of the image generator holds already."""
    made = value_of(payload.result) if payload.type == "image_generation_call" else None
    return [base64_part("image", "image/png", made)] if isinstance(made, str) and made else []


def tool_result(payload: Payload) -> Result:
    """What a tool gave back, and whether it says that it failed."""
    if payload.type == "tool_search_output":
        return Result([_json_part(payload.tools)], is_error=False)
    raw = payload.output if bytes(payload.output) else payload.result
    value = value_of(raw)
    if isinstance(value, str):
        return _told(value)
    if isinstance(value, dict):
        told = value.get("content", value.get("output"))
        failed = value.get("success") is False or "Err" in value
        return Result(_pieces(told) if told is not None else [_json_part(raw)], failed)
    return Result(_pieces(value), is_error=False)


def reasoning_texts(payload: Payload) -> list[str]:
    """What reasoning says in words, its summary and its content."""
    told = [value_of(payload.summary), value_of(payload.content)]
    return [piece.text for value in told for piece in _pieces(value) if piece.kind == "text"]


def shown_reasoning(text: str) -> str:
    """Reasoning that was shown to people, in the form of the reasoning that the model gives."""
    item = {"type": "reasoning", "summary": [{"type": "summary_text", "text": without_surrogates(text)}]}
    return json_of(item)


def _pieces(value: Any) -> list[Part]:  # noqa: ANN401 - JSON has no narrower type
    items = value if isinstance(value, list) else [value]
    return [piece for item in items if item is not None for piece in _piece(item)]


def _piece(item: Any) -> Iterable[Part]:  # noqa: ANN401 - JSON has no narrower type
    if isinstance(item, str):
        return text_piece(item)
    if not isinstance(item, dict):
        return [Part("unreadable", text=json_of(item))]
    told = item.get("type")
    kind = told if isinstance(told, str) else ""
    if kind in TEXT_TYPES:
        return text_piece(item.get("text", item.get("refusal")))
    if kind in IMAGE_TYPES:
        return [_image(item)]
    if kind == "local_image":
        return [Part("image", name=without_surrogates(str(item.get("path") or "")))]
    return [Part(kind or "unreadable", text=json_of(item))]


def _image(item: dict[str, Any]) -> Part:
    url = item.get("image_url") or item.get("url") or item.get("file_id") or ""
    if isinstance(url, dict):
        url = url.get("url")
    return url_part("image", without_surrogates(url)) if isinstance(url, str) else Part("image")


def _persons(pieces: Sequence[Part], who_else: Callable[[str], str | None]) -> Words:
    kept: list[Part] = []
    reasons: list[str] = []
    for piece in pieces:
        if piece.kind != "text":
            kept.append(piece)
        elif not IMAGE_TAG.fullmatch(piece.text):
            reason = who_else(piece.text)
            words = "" if reason else _typed(piece.text)
            if words.strip():
                kept.append(Part("text", words))
            elif piece.text.strip():
                reasons.append(reason or NOTHING_LEFT)
    return Words(kept, reasons[0] if reasons and not kept else None)


def _nobody_else(_: str) -> None:
    """A text that was shown as a person's is a person's."""


def _program_wrote(text: str, *, is_shown_too: bool) -> str | None:
    """Why a text is the program's, as far as it can be told from the text."""
    start = text.lstrip()
    if PROJECT_RULES.match(start):
        return f"{BY_PROGRAM}AGENTS.md"
    if start.startswith(SUMMARY_STARTS):
        return SUMMARY
    match = WRAPPED.match(start)
    if not match or not start.rstrip().endswith((f"</{match[1]}>", f"</{match[1]}{match[2]}>")):
        return None
    tag = match[1]
    is_new = is_shown_too and "_" in tag
    return f"{BY_PROGRAM}{tag}" if tag in CONTEXT_TAGS or is_new else None


def _typed(text: str) -> str:
    """What was typed, out of the frame in which an editor sends it."""
    heading = REQUEST.search(text) if text.lstrip().startswith(FRAMES) else None
    return text[heading.end() :].strip() if heading else text


def _arguments(payload: Payload) -> str:
    if payload.type == "custom_tool_call":
        return json_of({"input": value_of(payload.input)})
    if payload.type == "image_generation_call":
        return json_of({"prompt": payload.revised_prompt})
    raw = payload.arguments if bytes(payload.arguments) else payload.action
    value = value_of(raw)
    if isinstance(value, str):
        return unescaped(value) or "{}"
    return unescaped(bytes(raw)) if value is not None else "{}"


def _told(text: str) -> Result:
    """A result that is one text: the text itself, or an envelope around it."""
    if (told := _envelope(text)) is not None:
        return told
    head = text[:HEAD_CHARACTERS].partition("\nOutput:")[0]
    failed = FAILED_HEAD.search(head)
    return Result(_pieces(text), bool(failed) and failed is not None and failed[1] != "0")


def _envelope(text: str) -> Result | None:
    value = object_in(text) if text.startswith("{") else None
    if value is None or not isinstance(value.get("output"), str) or "metadata" not in value:
        return None
    metadata = value["metadata"]
    code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    return Result(_pieces(value["output"]), isinstance(code, int) and code != 0)


def _json_part(raw: msgspec.Raw) -> Part:
    return Part("text", unescaped(bytes(raw)) if raw is not NOTHING else "")


def compaction_item(line: Line) -> str | None:
    """The item by which OpenAI itself compressed what was before, to the letter: a line of its own, or the last of a history in its place.

    None where there is none.
    """
    if line.type != "compacted":
        return _compaction(line.raw)
    try:
        history = msgspec.json.decode(line.payload.replacement_history, type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return next((found for raw in reversed(history) if (found := _compaction(bytes(raw)))), None)


def _compaction(raw: bytes) -> str | None:
    return without_surrogates(raw.decode("utf-8", "replace")) if stands_for_more(value_of(raw)) else None
