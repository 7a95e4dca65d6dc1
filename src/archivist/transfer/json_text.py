"""JSON as programs really write it: with lone surrogates, `NaN`, numbers beyond all bounds, damaged bytes, and every character escaped.

Whatever can be understood is turned into well-formed text; U+FFFD stands where a character was damaged.
"""

import json
import re
from codecs import getincrementaldecoder
from functools import cache
from math import isfinite
from typing import Any, TypeVar, get_args

import msgspec

from archivist.records.patterns import late_pattern

LONE_SURROGATES = late_pattern("[\ud800-\udfff]")
AROUND = b"\x00 \t\r\n\xef\xbb\xbf"
"""Bytes around a JSON text that are no part of it: of a mark of UTF-8, or of a line that was begun and never written."""

PIECE_BYTES = 1024 * 1024
MOST_DIGITS = 4000
"""An integer of more digits is not read as a number: Python refuses those of more than 4,300."""

MOST_DEPTH = 200
TOO_DEEP = '"[nested too deeply]"'
TOKENS = late_pattern(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)

Shape = TypeVar("Shape", bound=msgspec.Struct)


class NotJson(ValueError):
    """Text that is no JSON in any reading of it."""


def as_utf8(raw: bytes) -> tuple[bytes, bool]:
    """The same bytes as valid UTF-8, and whether something had to be replaced."""
    if raw.isascii():
        return raw, False
    try:
        _check_utf8(raw)
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace").encode("utf-8"), True
    return raw, False


def _check_utf8(raw: bytes) -> None:
    """Decode all of it, but never all of it at once: a whole file as text takes up to four times its room."""
    if len(raw) <= PIECE_BYTES:
        raw.decode("utf-8")
        return
    decoder = getincrementaldecoder("utf-8")()
    view = memoryview(raw)
    for at in range(0, len(raw), PIECE_BYTES):
        decoder.decode(view[at : at + PIECE_BYTES])
    decoder.decode(b"", final=True)


def without_surrogates(text: str) -> str:
    """The text with U+FFFD in place of lone surrogates, which no database can hold."""
    return text if text.isascii() else LONE_SURROGATES.sub("\ufffd", text)


def decode_leniently(raw: bytes | str) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """The value of a JSON text that may hold lone surrogates, control characters or `NaN`.

    What is nested too deeply to be read is said to be so, and costs nothing around it.

    Raises:
        NotJson: It is not JSON.
    """
    text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
    try:
        return msgspec.json.decode(raw)
    except RecursionError:
        text = _shallow(text)
    except ValueError:
        pass
    try:
        return _decoded_by_python(text)
    except RecursionError:  # where both are wrong with it, the other fault was found first
        text = _shallow(text)
    try:
        return _decoded_by_python(text)
    except RecursionError as error:
        raise NotJson from error


def _decoded_by_python(text: str) -> Any:  # noqa: ANN401 - JSON has no narrower type
    try:
        value = json.loads(
            text, strict=False, parse_constant=_nothing, parse_int=_integer, parse_float=_fraction
        )
        well_formed = without_surrogates(json.dumps(value, ensure_ascii=False))
        return msgspec.json.decode(well_formed)
    except ValueError as error:
        raise NotJson from error


def _nothing(_: str) -> None:
    """What stands for `NaN`, which says nothing."""


def _integer(digits: str) -> int | str:
    """A number; one that is too long to be one stays text."""
    return int(digits) if len(digits) <= MOST_DIGITS else digits


def _fraction(digits: str) -> float | str:
    number = float(digits)
    return number if isfinite(number) else digits


def _shallow(text: str) -> str:
    """The same with a word in place of what is nested more deeply than anything that was meant."""
    kept: list[str] = []
    depth = begin = 0
    for token in TOKENS.finditer(text):
        mark = token.group()
        if mark in "[{":
            depth += 1
            if depth == MOST_DEPTH + 1:
                kept.append(text[begin : token.start()])
        elif mark in "]}":
            depth -= 1
            if depth == MOST_DEPTH:
                kept.append(TOO_DEEP)
                begin = token.end()
    return "".join(kept) + text[begin:] if depth <= MOST_DEPTH else text


def unescaped(raw: bytes | str) -> str:
    """A JSON text with its characters as they are; to the letter where nothing in it is escaped."""
    text = without_surrogates(raw) if isinstance(raw, str) else raw.decode("utf-8", "replace")
    if "\\u" not in text:
        return text
    try:
        return msgspec.json.encode(decode_leniently(text)).decode("utf-8")
    except NotJson:
        return text


def object_in(text: str) -> dict[str, Any] | None:
    """The JSON object that a text is; None where it is anything else."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = decode_leniently(text)
    except NotJson:
        return None
    return value if isinstance(value, dict) else None


def json_of(value: object) -> str:
    """JSON text with its characters as they are; what is nested too deeply to be written is said to be so."""
    try:
        return msgspec.json.encode(value).decode()
    except RecursionError:
        return TOO_DEEP


def shaped(data: bytes | msgspec.Raw, shape: type[Shape]) -> Shape:
    """A JSON object in a shape; what is not of the kind that it should be is left out, and nothing else is.

    Raises:
        NotJson: It is no JSON object.
    """
    try:
        found: Shape = _decoder(shape).decode(data)
    except (ValueError, RecursionError):
        value = decode_leniently(bytes(data))
        if not isinstance(value, dict):
            raise NotJson from None
        found = msgspec.json.decode(msgspec.json.encode(fitting(value, shape)), type=shape)
    return found


def shaped_or_none(data: bytes | msgspec.Raw, shape: type[Shape]) -> Shape | None:
    """The same; None for what is no JSON object."""
    try:
        return shaped(data, shape)
    except NotJson:
        return None


def fitting(value: dict[str, Any], shape: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields of a JSON object that are of the kind that the shape wants; of an object in it those that are."""
    kept = {}
    for field in msgspec.structs.fields(shape):
        name = field.encode_name
        if name not in value:
            continue
        inner = _struct_in(field.type)
        if _fits({name: value[name]}, shape):
            kept[name] = value[name]
        elif inner and isinstance(value[name], dict):
            kept[name] = fitting(value[name], inner)
    return kept


@cache
def _decoder(shape: type[msgspec.Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)


def _fits(value: dict[str, Any], shape: type[msgspec.Struct]) -> bool:
    try:
        msgspec.json.decode(msgspec.json.encode(value), type=shape)
    except (ValueError, RecursionError):
        return False
    return True


def _struct_in(kind: Any) -> type[msgspec.Struct] | None:  # noqa: ANN401 - a type of any form
    shapes = (one for one in (kind, *get_args(kind)) if isinstance(one, type))
    return next((one for one in shapes if issubclass(one, msgspec.Struct)), None)
