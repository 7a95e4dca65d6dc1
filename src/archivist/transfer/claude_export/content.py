"""What a message of a Claude export says: text, thinking, calls of tools and their results, attachments and files."""

import re
from collections.abc import Iterator
from mimetypes import guess_type
from typing import Any

import msgspec
from msgspec.structs import replace

from archivist.records import Part, ToolCall
from archivist.transfer.containers import Assets
from archivist.transfer.json_text import json_of
from archivist.transfer.media import source_part
from archivist.transfer.pieces import REASONING, parts_of

MEDIA = ("image", "document")
PLACEHOLDER = re.compile(r"\s*```\s*This block is not supported on your current device yet\.\s*```\s*")
"""Stands in the text of a message for a block that is no text."""

NO_WORDS = ("token_budget", "flag")
"""Blocks that the program keeps for itself."""


class Result(msgspec.Struct, frozen=True):
    """What a tool returned."""

    call: ToolCall
    pieces: list[Part]
    is_error: bool = False


class Words(msgspec.Struct):
    """What a message says.

    Attributes:
        pieces: Texts and other parts in order, then attachments.
        files: Name and id of each file whose bytes are kept beside.
        called: The calls by id, the first of each.
        waiting: Those of them that no result has answered yet.
    """

    pieces: list[Part] = msgspec.field(default_factory=list)
    calls: list[ToolCall] = msgspec.field(default_factory=list)
    results: list[Result] = msgspec.field(default_factory=list)
    reasoning: list[Any] = msgspec.field(default_factory=list)
    files: list[tuple[str, str]] = msgspec.field(default_factory=list)
    called: dict[str, ToolCall] = msgspec.field(default_factory=dict)
    waiting: dict[str, ToolCall] = msgspec.field(default_factory=dict)

    def add_call(self, call: ToolCall) -> None:
        """Take a call in."""
        self.calls.append(call)
        if self.called.setdefault(call.id, call) is call:
            self.waiting[call.id] = call

    @property
    def speaks(self) -> bool:
        """Whether there is anything besides results."""
        return bool(self.pieces or self.calls or self.reasoning or self.files)

    def parts(self, assets: Assets) -> tuple[Part, ...]:
        """The structured form, with the bytes that the export holds; empty where the text is all there is."""
        pieces = [*self.pieces, *(_file_part(name, key, assets) for name, key in self.files)]
        return parts_of(pieces)

    @property
    def reasoning_json(self) -> str | None:
        """The thinking as JSON text, block by block."""
        return json_of(self.reasoning) if self.reasoning else None


def read_words(key: str, message: dict[str, Any]) -> Words:
    """What a message says; the text beside its blocks counts where no block has any.

    Args:
        key: Names calls that have no id of their own.
        message: As the export has it.
    """
    words = Words()
    for block in dicts_in(message.get("content")):
        _read_block(block, key, words)
    text = message.get("text")
    if isinstance(text, str) and not any(piece.kind == "text" for piece in words.pieces):
        shown = PLACEHOLDER.sub("\n\n", text)
        words.pieces[:0] = [Part("text", shown if shown == text else shown.strip())] if shown.strip() else []
    words.pieces += [_attachment(one) for one in dicts_in(message.get("attachments"))]
    words.files = [_name_and_id(one) for one in dicts_in(message.get("files"))]
    return words


def dicts_in(value: object) -> list[dict[str, Any]]:
    """The objects of a list; none where it is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _read_block(block: dict[str, Any], key: str, words: Words) -> None:
    kind = str(block.get("type") or "data")
    if kind in REASONING:
        words.reasoning.append(block)
    elif kind == "tool_use":
        words.add_call(_call(block, f"{key}/{len(words.calls)}"))
    elif kind == "tool_result":
        words.results.append(_result(block, words))
    elif kind not in NO_WORDS:
        words.pieces += _pieces(block, kind)


def _call(block: dict[str, Any], spare_id: str) -> ToolCall:
    own, name, given = block.get("id"), block.get("name"), block.get("input")
    return ToolCall(
        own if isinstance(own, str) and own else spare_id,
        name if isinstance(name, str) else "",
        json_of({} if given is None else given),
    )


def _result(block: dict[str, Any], words: Words) -> Result:
    """A result with its call: the one that it names, else the first without a result, of the same name if there is one."""
    own, name = block.get("tool_use_id"), block.get("name")
    if isinstance(own, str) and own:
        call = words.called.get(own, ToolCall(own, ""))
    else:
        first = next(iter(words.waiting.values()), ToolCall("", ""))
        call = next((one for one in words.waiting.values() if one.name == name), first)
    words.waiting.pop(call.id, None)
    if not call.name and isinstance(name, str):
        call = replace(call, name=name)
    content = block.get("content")
    if isinstance(content, str):
        pieces = [Part("text", content)] if content else []
    else:
        pieces = [
            piece for one in dicts_in(content) for piece in _pieces(one, str(one.get("type") or "data"))
        ]
    return Result(call, pieces, block.get("is_error") is True)


def _pieces(block: dict[str, Any], kind: str) -> Iterator[Part]:
    """The text of a block, an image or document of it, or the whole of one that is not known here."""
    source = block.get("source")
    texts = [
        value for name in ("title", "url", "text") if isinstance(value := block.get(name), str) and value
    ]
    if kind == "text":
        text = block.get("text")
        if isinstance(text, str) and text:
            yield Part("text", text)
    elif kind in MEDIA and isinstance(source, dict):
        yield source_part(kind, source, str(block.get("title") or ""))
    elif texts:
        yield Part("text", "\n".join(texts))
    else:
        yield Part(kind, json_of(block))


def _attachment(attachment: dict[str, Any]) -> Part:
    """A document whose text the export holds."""
    name, text, media_type = (attachment.get(key) for key in ("file_name", "extracted_content", "file_type"))
    return Part(
        "file",
        text=text if isinstance(text, str) else "",
        media_type=media_type if isinstance(media_type, str) and "/" in media_type else "",
        name=name if isinstance(name, str) else "",
    )


def _name_and_id(file: dict[str, Any]) -> tuple[str, str]:
    name, key = file.get("file_name"), file.get("file_uuid") or file.get("uuid")
    return name if isinstance(name, str) else "", key if isinstance(key, str) else ""


def _file_part(name: str, key: str, assets: Assets) -> Part:
    """A file with its bytes where the export holds it, else one that names it."""
    media_type = guess_type(name)[0] or ""
    kind = "image" if media_type.startswith("image/") else "file"
    member = assets.find(key) or assets.named(name)
    data = assets.read(member) if member else None
    return Part(kind, media_type=media_type, name=name or key, data=data)
