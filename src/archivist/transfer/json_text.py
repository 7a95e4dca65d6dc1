"""JSON as programs really write it: with lone surrogates, `NaN`, damaged bytes, and every character escaped.

Whatever can be understood is turned into well-formed text; U+FFFD stands where a character was damaged.
"""

import json
import re
from typing import Any

import msgspec

LONE_SURROGATES = re.compile("[\ud800-\udfff]")


class NotJson(ValueError):
    """Text that is no JSON in any reading of it."""


def as_utf8(raw: bytes) -> tuple[bytes, bool]:
    """The same bytes as valid UTF-8, and whether something had to be replaced."""
    if raw.isascii():
        return raw, False
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace").encode("utf-8"), True
    return raw, False


def without_surrogates(text: str) -> str:
    """The text with U+FFFD in place of lone surrogates, which no database can hold."""
    return text if text.isascii() else LONE_SURROGATES.sub("\ufffd", text)


def decode_leniently(raw: bytes | str) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """The value of a JSON text that may hold lone surrogates, control characters or `NaN`.

    Raises:
        NotJson: It is not JSON, or nested too deeply to be read.
    """
    try:
        return msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
    try:
        value = json.loads(text, strict=False, parse_constant=lambda _: None)
        well_formed = without_surrogates(json.dumps(value, ensure_ascii=False))
        return msgspec.json.decode(well_formed)
    except (ValueError, RecursionError) as error:
        raise NotJson from error


def unescaped(raw: bytes | str) -> str:
    """A JSON text with its characters as they are; to the letter where nothing in it is escaped."""
    text = without_surrogates(raw) if isinstance(raw, str) else raw.decode("utf-8", "replace")
    if "\\u" not in text:
        return text
    try:
        return msgspec.json.encode(decode_leniently(text)).decode("utf-8")
    except NotJson:
        return text


def fitting(value: dict[str, Any], shape: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields of a JSON object that are of the kind that the shape wants."""
    kept = {}
    for name in shape.__struct_encode_fields__:
        if name not in value:
            continue
        try:
            msgspec.json.decode(msgspec.json.encode({name: value[name]}), type=shape)
        except (msgspec.DecodeError, RecursionError):
            continue
        kept[name] = value[name]
    return kept
