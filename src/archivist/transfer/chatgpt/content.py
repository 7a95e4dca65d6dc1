"""What a message of a ChatGPT export says: text, images and uploads, and calls of tools.

Any field may be missing or of another kind than it should be; then it says nothing.
"""

import re
from collections.abc import Iterator
from mimetypes import guess_type
from typing import Any

import msgspec
from msgspec.structs import replace

from archivist.records import Part, ToolCall
from archivist.transfer.containers import Assets, asset_id
from archivist.transfer.json_text import json_of, object_in, unescaped
from archivist.transfer.pieces import text_of

MARKS = re.compile("\ue200[^\ue201]*\ue201")
"""Where the program shows a source or a picture; what it shows there stands in `content_references`."""

TEXT_FIELDS = ("title", "name", "domain", "url", "summary", "text", "result", "output_str")
EVERYBODY = ("", "all", "assistant")
KINDS = (("image", "image"), ("screenshot", "image"), ("audio", "audio"), ("video", "video"))
"""What words in a pointer's own kind mean."""


class Piece(msgspec.Struct, frozen=True):
    """A part, and the id of the bytes that belong to it."""

    part: Part
    asset: str = ""


class Words(msgspec.Struct, frozen=True):
    """What a message says."""

    text: str
    pieces: tuple[Piece, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return not self.text.strip() and all(piece.part.kind == "text" for piece in self.pieces)

    def parts(self, assets: Assets) -> tuple[Part, ...]:
        """The structured form, with the bytes that the export holds; empty where the text is all there is."""
        if all(piece.part.kind == "text" for piece in self.pieces):
            return ()
        return tuple(_with_bytes(piece, assets) for piece in self.pieces)


def read_words(message: dict[str, Any]) -> Words:
    """What a message says and shows, uploads included."""
    content, metadata = fields_of(message, "content"), fields_of(message, "metadata")
    references = metadata.get("content_references")
    plain = None if references or metadata.get("attachments") else _plain_text(content)
    if plain is not None:
        return Words(plain)
    uploads = {str(upload.get("id") or ""): upload for upload in _uploads(message)}
    pieces = [piece for piece in _pieces(content, uploads) if piece.asset or piece.part.text]
    shown = {piece.asset for piece in pieces}
    pieces += [_upload(key, upload) for key, upload in uploads.items() if key not in shown]
    if isinstance(references, list):
        pieces = [_as_shown(piece, references) for piece in pieces]
    return Words(text_of(piece.part for piece in pieces), tuple(pieces))


def _plain_text(content: dict[str, Any]) -> str | None:
    """The text of a content that is nothing but text, as nearly all are."""
    parts = content.get("parts")
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        return None
    return "\n".join(part for part in parts if part)


def read_call(key: str, message: dict[str, Any]) -> ToolCall | None:
    """The call that a message to a tool is; None for a message to the person."""
    recipient = message.get("recipient")
    if not isinstance(recipient, str) or recipient in EVERYBODY:
        return None
    content = fields_of(message, "content")
    text = text_of(piece.part for piece in _pieces(content, {}))
    name = "code" if content.get("content_type") == "code" else "input"
    return ToolCall(key, recipient, unescaped(text) if object_in(text) is not None else json_of({name: text}))


def fields_of(value: dict[str, Any], name: str) -> dict[str, Any]:
    """A member that should be an object; empty where it is none."""
    member = value.get(name)
    return member if isinstance(member, dict) else {}


def _pieces(content: dict[str, Any], uploads: dict[str, dict[str, Any]]) -> Iterator[Piece]:
    kind = str(content.get("content_type") or "data")
    parts = content.get("parts")
    if isinstance(parts, list):
        for part in parts:
            yield from _part_pieces(part, uploads)
    elif pointers := list(_pointers(content, kind)):
        yield from (_pointed(pointer, told, content, uploads) for told, pointer in pointers)
    elif texts := [value for name in TEXT_FIELDS if isinstance(value := content.get(name), str) and value]:
        yield Piece(Part("text", "\n".join(texts)))
    elif any(
        value for name, value in content.items() if name not in {"content_type", "language", *TEXT_FIELDS}
    ):
        yield Piece(Part(kind, json_of(content)))


def _part_pieces(part: object, uploads: dict[str, dict[str, Any]]) -> Iterator[Piece]:
    if isinstance(part, str):
        yield Piece(Part("text", part))
    elif isinstance(part, dict):
        kind = str(part.get("content_type") or "data")
        pointers = list(_pointers(part, kind))
        yield from (_pointed(pointer, told, part, uploads) for told, pointer in pointers)
        if not pointers:
            text = part.get("text")
            yield Piece(Part("text", text) if isinstance(text, str) else Part(kind, json_of(part)))


def _pointers(part: dict[str, Any], kind: str) -> Iterator[tuple[str, str]]:
    """What each pointer of a part points at, and the pointer; speech holds the pictures that were seen with it."""
    for name, value in part.items():
        told = kind if name == "asset_pointer" else name.replace("frames", "image")
        if name.endswith("asset_pointer") and isinstance(value, str) and value:
            yield told, value
        elif name.endswith("asset_pointer") or name == "screenshot":
            yield from _direct(value, told)
        elif name.endswith("asset_pointers") and isinstance(value, list):
            for one in value:
                yield from _direct(one, told)


def _direct(value: object, kind: str) -> Iterator[tuple[str, str]]:
    """A pointer, or the object that holds it."""
    pointer = value.get("asset_pointer") if isinstance(value, dict) else value
    if isinstance(pointer, str) and pointer:
        yield kind, pointer


def _pointed(pointer: str, kind: str, part: dict[str, Any], uploads: dict[str, dict[str, Any]]) -> Piece:
    key = asset_id(pointer)
    upload = uploads.get(key, {})
    prompt = fields_of(fields_of(part, "metadata"), "dalle").get("prompt")
    name, media_type = _name_of(upload)
    text = prompt if isinstance(prompt, str) and prompt else pointer
    return Piece(Part(_plain_kind(kind, media_type), text, media_type, name=name), key or pointer)


def _upload(key: str, upload: dict[str, Any]) -> Piece:
    name, media_type = _name_of(upload)
    return Piece(Part(_plain_kind("", media_type), key, media_type, name=name), key)


def _plain_kind(kind: str, media_type: str) -> str:
    return next((plain for word, plain in KINDS if word in kind or media_type.startswith(word)), "file")


def _uploads(message: dict[str, Any]) -> list[dict[str, Any]]:
    attachments = fields_of(message, "metadata").get("attachments")
    found = attachments if isinstance(attachments, list) else []
    return [
        upload for upload in found if isinstance(upload, dict) and (upload.get("id") or upload.get("name"))
    ]


def _name_of(upload: dict[str, Any]) -> tuple[str, str]:
    name, media_type = upload.get("name"), upload.get("mime_type") or upload.get("mimeType")
    return name if isinstance(name, str) else "", media_type if isinstance(media_type, str) else ""


def _with_bytes(piece: Piece, assets: Assets) -> Part:
    """The part with its bytes, or one that names what is missing."""
    member = assets.find(piece.asset)
    data = assets.read(member) if member else None
    if member is None or data is None:
        return piece.part
    caption = "" if piece.asset in piece.part.text else piece.part.text
    media_type = piece.part.media_type or guess_type(member.base)[0] or ""
    return replace(
        piece.part, text=caption, data=data, media_type=media_type, name=piece.part.name or member.base
    )


def _as_shown(piece: Piece, references: list[Any]) -> Piece:
    """A text with its marks as the person saw them."""
    if "\ue200" not in piece.part.text:
        return piece
    shown = {
        reference["matched_text"]: reference["alt"]
        for reference in references
        if isinstance(reference, dict)
        and isinstance(reference.get("matched_text"), str)
        and isinstance(reference.get("alt"), str)
    }
    text = MARKS.sub(lambda mark: shown.get(mark.group(), mark.group()), piece.part.text)
    return replace(piece, part=replace(piece.part, text=text))
