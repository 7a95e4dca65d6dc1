"""Secrets in Chinese sentences: 密码是…, 口令：…, API 密钥为….

The words are searched for in the text itself; a value is a run of ASCII characters after 是, 为, a colon or
the like.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archivist.guard.assignments import trim
from archivist.guard.entropy import is_generated, is_password_like, is_reference, is_slug, is_stand_in
from archivist.guard.reading import Reading, Secret
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS: tuple[tuple[str, str, str], ...] = (
    ("密码", "密", "password"),
    ("口令", "令", "password"),
    ("暗号", "暗", "password"),
    ("密钥", "钥", "api-key"),
    ("秘钥", "钥", "api-key"),
    ("私钥", "钥", "api-key"),
    ("令牌", "令", "token"),
    ("授权码", "授", "token"),
)
"""Words, their rarest character (a single one is found much faster) and what they announce."""
_ENGLISH_WORDS: tuple[tuple[bytes, str], ...] = (
    (b"password", "password"),
    (b"passwd", "password"),
    (b"token", "token"),
    (b"key", "api-key"),
    (b"secret", "secret"),
)
_LEAST_DIGITS = 6
"""Digits from which a number after "password" is one, however simple."""
_LINKS = "是为：＝成叫"
_GIVEN = late_pattern(
    r"(?:[^\n，。；,;!！?？=：:是为a-zA-Z0-9]{0,10}(?:是|为|：|:|=|＝|成|叫|→|->)|\s(?=\S))"
    r"[\s现在就是了：:]{0,4}[\"“「『‘'`*（(【]{0,3}(?P<value>[!-~]{4,400})(?P<next>.?)"
)
_MEASURES = frozenset("位个年月日天次字时分秒点号岁种条层级章节类")


def find_chinese(reading: Reading) -> Iterator[Secret]:
    """Secrets that a Chinese sentence gives; nothing for a text in ASCII."""
    text = reading.text
    if text.isascii():
        return
    here = {character: character in text for character in "密令暗钥授"}
    for word, character, kind in _WORDS:
        if here[character]:
            at = text.find(word)
            while at >= 0:
                yield from _given(text, at + len(word), kind, chinese=True)
                at = text.find(word, at + len(word))
    if any(link in text for link in _LINKS):
        for english, kind in _ENGLISH_WORDS:
            at = reading.lower.find(english)
            while at >= 0:
                yield from _given(text, at + len(english), kind, chinese=False)
                at = reading.lower.find(english, at + len(english))


def _given(text: str, at: int, kind: str, *, chinese: bool) -> Iterator[Secret]:
    found = _GIVEN.match(text, at)
    if found is None or not (chinese or any(c in _LINKS for c in text[at : found.start("value")])):
        return
    start, end = found.span("value")
    quote = re.search(r"[\"'`]", text[start:end])
    span = trim(text, start, start + quote.start() if quote else end)
    if span is None or (span[1] == end and found["next"] in _MEASURES):
        return
    if _is_secret(text[slice(*span)], kind):
        yield Secret(kind, *span)


def _is_secret(value: str, kind: str) -> bool:
    if kind == "password" and value.isdigit() and len(value) >= _LEAST_DIGITS:
        return True
    if kind == "password":
        likely = (value.isdigit() and len(set(value)) > 1) or (is_password_like(value) and not is_slug(value))
    else:
        likely = is_generated(value, shortest=10)
    return likely and not is_stand_in(value) and (value.isdigit() or not is_reference(value))
