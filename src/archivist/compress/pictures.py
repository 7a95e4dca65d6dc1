"""Pictures, sound and files of old messages, described in a line instead of carried."""

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

_KINDS: Final = {"image_url": "image", "input_audio": "sound", "file": "file", "image": "image"}
BLOB: Final = "blob:"
"""What the name of stored bytes begins with, where they stand for the bytes: their SHA-256, `#`, their media type."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"


def is_carried(part: Mapping[str, Any]) -> bool:
    """Whether a part carries, or points to, something else than text."""
    return part.get("type") in _KINDS


def described(part: Mapping[str, Any], key: str) -> dict[str, str]:
    """A part of text that says what was carried, and under which id it is read back."""
    kind = _KINDS[str(part["type"])]
    facts = [fact for fact in (kind, *_facts(part)) if fact]
    return {"type": "text", "text": f"[{' '.join(facts)}: not carried on, read {key}]"}


def carried_in(message: Mapping[str, Any], key: str) -> Iterator[str]:
    """A line for each picture, sound and file of a message."""
    content = message.get("content")
    if isinstance(content, list):
        yield from (described(part, key)["text"] for part in content if is_carried(part))


def _facts(part: Mapping[str, Any]) -> list[str]:
    value = part.get(str(part["type"]))
    if not isinstance(value, Mapping):
        return []
    name = str(value.get("filename") or value.get("name") or "")
    url = str(value.get("url") or value.get("file_data") or value.get("data") or "")
    if url.startswith("data:"):
        media, _, data = url.removeprefix("data:").partition(",")
        return [name, media.partition(";")[0], *_of_bytes(data)]
    if url.startswith(BLOB):
        digest, _, media = url.removeprefix(BLOB).partition("#")
        return [name, media, f"sha256 {digest[:12]}"]
    if value.get("data"):
        return [name, str(value.get("format") or ""), *_of_bytes(url)]
    return [name, url[:200]]


def _of_bytes(data: str) -> list[str]:
    """Size, width and height, and the beginning of the hash of base64."""
    facts = [
        f"{len(data) * 3 // 4 / 1000:,.0f} kB",
        f"sha256 {hashlib.sha256(data.encode()).hexdigest()[:12]}",
    ]
    try:
        start = base64.b64decode(data[:64], validate=True)
    except (binascii.Error, ValueError):
        return facts
    if start.startswith(_PNG) and len(start) >= 24:
        facts.insert(0, f"{int.from_bytes(start[16:20])}×{int.from_bytes(start[20:24])}")
    return facts


__all__ = ["carried_in", "described", "is_carried"]
