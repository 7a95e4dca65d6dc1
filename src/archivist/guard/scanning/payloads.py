"""Encoded stretches of a text, and what they decode to where that is text."""

import re
from binascii import Error, a2b_base64, unhexlify
from collections.abc import Callable, Iterator

import msgspec

from archivist.records.patterns import late_pattern

_LEAST_CHARS = 8
_BROKEN = 2
"""Broken characters that a payload cut at its ends may have."""
_LONG_WORD = 12
_SEVERAL = 4
_LEAST_LETTERS = 0.6
_BASE64 = late_pattern(
    r"[A-Za-z0-9+/_-]{16,}(?:[ \t]?\r?\n[ \t]*[A-Za-z0-9+/_-]{4,})*(?:\r?\n[A-Za-z0-9+/_-]{1,3}(?==))?={0,2}"
)
_HEX = late_pattern(r"[0-9A-Fa-f]{2}(?:[\s,:;]{0,2}(?:0x|\\x)?[0-9A-Fa-f]{2}){11,}")
_PERCENT_SIGN = late_pattern(r"%[0-9A-Fa-f]{2}")
_PERCENT = late_pattern(r"(?<![\w.~+-])[\w.~+-]{0,40}(?:%[0-9A-Fa-f]{2}[\w.~+-]{0,40}){4,}")
_ESCAPES = late_pattern(r"(?:\\(?:u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|x[0-9A-Fa-f]{2})[\w ,.]{0,3}){4,}")
_ESCAPE = late_pattern(r"\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2}))")
_BINARY = late_pattern(r"(?:[01]{8}[\s,]{0,2}){8,}")
_DECIMAL = late_pattern(r"\d{2,3}[\s,;]{1,2}(?:\d{2,3}[\s,;]{1,2}){10,}\d{2,3}(?!\d)")
_LETTER_CODES = frozenset(map(str, range(97, 123)))
_DIGITS = late_pattern(r"\d+")
_NOT_HEX = late_pattern(r"0x|\\x|[^0-9A-Fa-f]")


class Payload(msgspec.Struct, frozen=True):
    """An encoded stretch: how it is encoded, where it stands, and its text."""

    form: str
    start: int
    end: int
    text: str


def payloads(text: str, words: set[str]) -> Iterator[Payload]:
    """All stretches of `text`, whose words are `words`, that decode to text."""
    numbered = {word for word in words if not word.isalpha()}
    for form, likely, pattern, decode in _FORMS:
        if likely(text, numbered):
            for found in pattern.finditer(text):
                decoded = decode(found.group())
                if decoded is not None and len(decoded) >= _LEAST_CHARS and _is_text(decoded):
                    yield Payload(form, found.start(), found.end(), decoded)


def _is_text(decoded: str) -> bool:
    """Whether it reads like something: mostly letters and spaces, and no control characters."""
    if (
        not decoded.isprintable()
        and not decoded.replace("\n", "").replace("\t", "").replace("\r", "").isprintable()
    ):
        return False
    letters = sum(character.isalnum() or character == " " for character in decoded[:2000])
    return letters >= _LEAST_LETTERS * min(len(decoded), 2000)


def _text(raw: bytes) -> str | None:
    """Bytes as UTF-8, a little broken perhaps, or as UTF-16 where every other one is zero."""
    if raw[1:40:2].count(0) * 2 > len(raw[1:40:2]):
        return raw[: len(raw) & ~1].decode("utf-16-le", "replace")
    text = raw.decode("utf-8", "replace")
    return text.replace("\ufffd", "") if text.count("\ufffd") <= _BROKEN else None


def _from_base64(found: str) -> str | None:
    plain = "".join(found.split()).rstrip("=").replace("-", "+").replace("_", "/")
    if len(plain) % 4 == 1:
        plain = plain[:-1]
    try:
        return _text(a2b_base64(plain + "=" * (-len(plain) % 4)))
    except (Error, ValueError):
        return None


def _from_hex(found: str) -> str | None:
    plain = _NOT_HEX.sub("", found)
    return _text(unhexlify(plain[: len(plain) & ~1]))


def _from_percent(found: str) -> str | None:
    parts = found.replace("+", " ").encode().split(b"%")
    return _text(parts[0] + b"".join(unhexlify(part[:2]) + part[2:] for part in parts[1:]))


def _from_escapes(found: str) -> str:
    return _ESCAPE.sub(_character, found)


def _character(escape: "re.Match[str]") -> str:
    number = int(escape[1] or escape[2] or escape[3], 16)
    return chr(number) if number <= 0x10FFFF else " "


def _from_binary(found: str) -> str | None:
    plain = "".join(c for c in found if c in "01")
    return _text(bytes(int(plain[at : at + 8], 2) for at in range(0, len(plain) - 7, 8)))


def _from_decimal(found: str) -> str | None:
    numbers = [int(number) for number in _DIGITS.findall(found)]
    return _text(bytes(numbers)) if max(numbers) < 256 else None


def _several(words: set[str], fits: Callable[[str], bool]) -> bool:
    """Whether at least a few different words fit."""
    return sum(1 for _ in zip(filter(fits, words), range(_SEVERAL), strict=False)) == _SEVERAL


def _is_binary(word: str) -> bool:
    return len(word) >= 8 and word.strip("01") == ""


def _is_hex(word: str) -> bool:
    """Whether a word is a byte in hexadecimal digits that is no number, or many of them."""
    digits = word.removeprefix("0x").removeprefix("x")
    return (
        (len(digits) == 2 or len(digits) > 23)
        and not digits.isalpha()
        and digits.strip("0123456789abcdef") == ""
    )


_FORMS: tuple[
    tuple[str, Callable[[str, set[str]], bool], re.Pattern[str], Callable[[str], str | None]], ...
] = (
    (
        "base64",
        lambda _, words: any(len(word) >= _LONG_WORD for word in words),
        _BASE64,
        _from_base64,
    ),
    (
        "hexadecimal",
        lambda _, words: any(len(word) > 23 and _is_hex(word) for word in words) or _several(words, _is_hex),
        _HEX,
        _from_hex,
    ),
    (
        "percent signs",
        lambda text, _: "%" in text and len(_PERCENT_SIGN.findall(text)) >= _SEVERAL,
        _PERCENT,
        _from_percent,
    ),
    ("escapes", lambda text, _: "\\u" in text or "\\x" in text, _ESCAPES, _from_escapes),
    (
        "binary digits",
        lambda _, words: (
            _several(words, _is_binary) or any(len(word) > 63 and _is_binary(word) for word in words)
        ),
        _BINARY,
        _from_binary,
    ),
    (
        "character codes",
        lambda _, words: len(words & _LETTER_CODES) > _SEVERAL,
        _DECIMAL,
        _from_decimal,
    ),
)
