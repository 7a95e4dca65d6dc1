"""What every provider's form needs of a message's pieces: names and ids that it takes, arguments as an object, bytes out of a data URL.

All of it depends on the piece alone, so that what was sent once is sent again in the same bytes.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn

import msgspec

_BLOB: Final = "blob:"
"""What a reference to stored bytes begins with, where the bytes themselves are not sent."""
_FIELDS: Final = {"image_url": "url", "input_audio": "data", "file": "file_data"}
_KINDS: Final = {"image_url": "picture", "input_audio": "sound", "file": "file"}
_NAMED_OTHERWISE: Final = {"image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png"}
PICTURES: Final = frozenset(("image/jpeg", "image/png", "image/gif", "image/webp"))
"""The kinds of pictures that every provider with eyes reads."""
_OTHER: Final = re.compile(r"[^A-Za-z0-9_-]")
_DEEPEST: Final = 100
_SHORT: Final = re.compile(r"[A-Za-z0-9]{9}")
_LONGEST: Final = 64
"""Characters of a name or an id: the least that a provider allows."""
LEAST_ID: Final = 20
"""Characters of a reply's id that no other has; some servers count, or draw one of a thousand."""
NOTHING: Final = "(empty)"
"""Stands where a message must have a text and has none."""


def key_of(text: str) -> str:
    """The id of a call, or the name of a tool, in the characters that all providers take; the same for the same."""
    clean = _OTHER.sub("_", text)
    if clean == text and 0 < len(text) <= _LONGEST:
        return text
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{clean[: _LONGEST - 9]}_{mark}"


def short_key_of(text: str) -> str:
    """The id of a call in nine letters and digits; the same for the same."""
    if _SHORT.fullmatch(text):
        return text
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:9]


def own_key(key: str, used: set[str], *told: object) -> str:
    """The id of a call: its server's, or where another call of the reply has it one made of what is known; it is used then."""
    if not key or key in used:
        known = json.dumps([*told, key])
        key = f"call_{hashlib.sha256(known.encode()).hexdigest()[:16]}"
    used.add(key)
    return key


def object_of(arguments: object) -> dict[str, Any]:
    """The arguments of a call as an object; what is none stands in one, as it came."""
    if isinstance(arguments, dict):
        return arguments
    text = arguments if isinstance(arguments, str) else ""
    if not text.strip():
        return {}
    try:
        told = json.loads(text, parse_constant=_no_json)
    except (ValueError, RecursionError):
        return {"arguments": text}
    return told if isinstance(told, dict) and _is_flat(told) else {"arguments": text}


def text_of(arguments: object) -> str:
    """The same as JSON text: what a model wrote, where it is the text of an object."""
    told = object_of(arguments)
    if isinstance(arguments, str) and arguments.strip() and told != {"arguments": arguments}:
        return arguments
    return json.dumps(told, ensure_ascii=False)


def _is_flat(value: object, levels: int = _DEEPEST) -> bool:
    """Whether a value is nested no deeper than what renders and sends it can follow."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    nested = (one for one in inner if isinstance(one, dict | list))
    return levels > 0 and all(_is_flat(one, levels - 1) for one in nested)


def _no_json(name: str) -> NoReturn:
    raise ValueError(name)


def data_of(part: Mapping[str, Any]) -> tuple[str, str]:
    """The media type and the base64 of a part that carries bytes; both empty where it only refers to them."""
    url = _reference(part)
    if part.get("type") == "input_audio" and url and not url.startswith((_BLOB, "data:")):
        return f"audio/{held_in(part).get('format') or 'wav'}", url
    head, comma, data = url.partition(",")
    if not comma or not head.startswith("data:") or not head.endswith(";base64") or not data:
        return "", ""
    media = head.removeprefix("data:").partition(";")[0].casefold()
    return _NAMED_OTHERWISE.get(media, media), data


def link_of(part: Mapping[str, Any]) -> str:
    """Where on the web the bytes of a part are; empty where they are not there."""
    url = _reference(part)
    return url if url.startswith(("https://", "http://")) else ""


def name_of(part: Mapping[str, Any]) -> str:
    """The name of a part's file, where it has one."""
    held = held_in(part)
    return " ".join(str(held.get("filename") or held.get("name") or "").split())


def told(part: Mapping[str, Any], why: str) -> str:
    """A line of text in the place of a part that is not sent, which says what it was, and why."""
    media, data = data_of(part)
    size = f"{len(data) * 3 // 4 / 1000:,.0f} kB" if data else ""
    if not media and (reference := _reference(part)).startswith(_BLOB):
        digest, _, media = reference.removeprefix(_BLOB).partition("#")
        size = f"sha256 {digest[:12]}"
    kind = _KINDS.get(str(part.get("type")), "part")
    facts = ", ".join(fact for fact in (name_of(part), media, size, link_of(part)) if fact)
    return f"[{kind}{': ' if facts else ''}{facts}; not sent: {why}]"


def held_in(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a part has under its kind; nothing where it has none."""
    held = part.get(str(part.get("type")))
    return held if isinstance(held, Mapping) else {}


def _reference(part: Mapping[str, Any]) -> str:
    return str(held_in(part).get(_FIELDS.get(str(part.get("type")), ""), ""))


def encodable(value: Any) -> Any:  # noqa: ANN401 - JSON
    """A body whose texts can be sent: half a character, as a torn text may have it, becomes a question mark."""
    try:
        msgspec.json.encode(value)  # a hundred times quicker than a look at each text, and hardly one is torn
    except (TypeError, ValueError, OverflowError, RecursionError):
        return _whole(value)
    return value


def _whole(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, list | tuple):
        return [_whole(one) for one in value]
    if isinstance(value, Mapping):
        return {_whole(key): _whole(one) for key, one in value.items()}
    return value


__all__ = [
    "LEAST_ID",
    "NOTHING",
    "PICTURES",
    "data_of",
    "encodable",
    "held_in",
    "key_of",
    "link_of",
    "name_of",
    "object_of",
    "own_key",
    "short_key_of",
    "text_of",
    "told",
]
