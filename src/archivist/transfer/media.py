"""Images and documents out of JSON: base64 becomes bytes, once, at the door."""

import base64
import binascii
from typing import Any

from archivist.records import Part


def base64_part(kind: str, media_type: str, encoded: str, name: str = "") -> Part:
    """A part with its bytes; where they are damaged, the text says so and nothing is invented."""
    try:
        data = base64.b64decode(encoded, validate=False)
    except (binascii.Error, ValueError):
        return Part(kind, text="[damaged: the bytes could not be decoded]", media_type=media_type, name=name)
    return Part(kind, media_type=media_type, name=name, data=data)


def url_part(kind: str, url: str, name: str = "") -> Part:
    """A part from a `data:` address, or one that names where it is."""
    if not url.startswith("data:"):
        return Part(kind, text=url, name=name)
    header, _, body = url[5:].partition(",")
    media_type, *options = header.split(";")
    if "base64" in options:
        return base64_part(kind, media_type, body, name)
    return Part(kind, media_type=media_type or "text/plain", name=name, data=body.encode("utf-8", "replace"))


def source_part(block_type: str, source: dict[str, Any], name: str = "") -> Part:
    """A part from the `source` of an image or document block of Anthropic's message form."""
    kind = "image" if block_type == "image" else "file"
    media_type = str(source.get("media_type") or "")
    value = source.get("data") or source.get("url") or source.get("file_id") or ""
    if not isinstance(value, str):
        return Part(kind, media_type=media_type, name=name)
    if source.get("type") == "base64":
        return base64_part(kind, media_type, value, name)
    if source.get("type") == "url":
        return url_part(kind, value, name)
    return Part(kind, text=value, media_type=media_type, name=name)
