"""Passwords that stand beside a user's name in a sentence: "the login is bob / …", "user bob, pw …", 账号：bob / ….

What is said of them is weak, so the value has to look like a password, and the weaker the words before it the stronger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from archivist.guard.assignments import trim
from archivist.guard.entropy import (
    LEAST_WILD_LETTERS,
    is_password_like,
    is_reference,
    is_slug,
    is_stand_in,
    is_strong,
)
from archivist.guard.reading import Reading, Secret
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_BESIDE = rb"""(?:\ {0,2}[/:,|]\ {0,2}|\ (?:and|with)\ (?:password\ |pw\ )?)["'`]?"""
_VALUE = rb"""(?P<value>[^\s"'`<>,;\\]{6,128})"""
_LOGIN = late_pattern(
    rb"""(?x)(?:s|(?:ential)?s)?
    (?:\ (?:for|to|of|on|at|in)\ [^\n:=;"'!?]{1,40}?)?\ {0,2}(?:\ is|\ are|\ was|:|=)\ {1,2}["'`]?
    (?:username\ |user\ )?[^\s/:,"'`]{1,64}["'`]?
    """
    + _BESIDE
    + _VALUE
)
_ENTERED = late_pattern(
    rb"""(?x)(?:\ ?to\ [^\n:=;"'!?]{1,40}?|\ (?:at|on)\ [^\n:=;"'!?]{1,40}?)?\ (?:as|with|using)\ (?:user(?:name)?\ )?["'`]?
    [^\s/:,"'`]{1,64}["'`]?
    """
    + _BESIDE
    + _VALUE
)
_NETWORK = late_pattern(
    rb"""(?x)(?:\ network)?(?:\ (?:is|was)|:)\ {1,2}["'`]?[^\s/:,"'`]{1,64}["'`]?\ {1,2}[/|]\ {1,2}["'`]?"""
    + _VALUE
)
_SHORT = late_pattern(rb"""(?x)(?:(?P<sign>\ {0,2}[:=]\ {0,2})|\ is\ |\ )["'`]?""" + _VALUE)
_CHINESE = late_pattern(
    r"""(?x)(?:名|用户名|信息)?(?:(?:和|与|及|/)?密码)?[^\n，。；,;!！?？=：:是为a-zA-Z0-9]{0,10}(?:是|为|：|:)\s{0,3}
    ["“「『‘'`]?[!-.0-~]{1,64}?["”」』’'`]?\s{0,2}[/／|、，,]\s{0,2}["“「『‘'`]?(?P<value>[!-+\--~]{6,128})
    """
)
_ENGLISH: tuple[tuple[bytes, re.Pattern[bytes], bool], ...] = (
    (b"login", _LOGIN, False),
    (b"cred", _LOGIN, False),
    (b"log in", _ENTERED, True),
    (b"sign in", _ENTERED, True),
    (b"wifi", _NETWORK, True),
    (b"wi-fi", _NETWORK, True),
)
"""What is searched for, how it goes on, and whether the value has to be strong."""
_ADDRESS = late_pattern(r"@|[\w.+-]+@[\w-]+\.\w")
"""Of somebody: a name on a network, or a mail address."""
_CHINESE_WORDS = ("登录", "登陆", "账号", "帐号", "账户", "帐户", "用户名")


def find_logins(reading: Reading) -> Iterator[Secret]:
    """Passwords beside the name of a user or a network."""
    lower = reading.lower
    for anchor, form, must_be_strong in _ENGLISH:
        if anchor in lower:
            for at in _places(lower, anchor):
                found = form.match(lower, at + len(anchor))
                yield from _beside(reading.text, found, must_be_strong=must_be_strong)
    if b"pw" in lower:
        yield from _shortened(reading)
    if not reading.text.isascii():
        yield from _in_chinese(reading.text)


def _shortened(reading: Reading) -> Iterator[Secret]:
    """Of "pw" as a word of its own."""
    for at in _places(reading.lower, b"pw"):
        if reading.lower[at - 1 : at].strip(b" (,;:\n\t\"'"):
            continue
        if found := _SHORT.match(reading.lower, at + 2):
            yield from _beside(reading.text, found, must_be_strong=found["sign"] is None)


def _in_chinese(text: str) -> Iterator[Secret]:
    for word in _CHINESE_WORDS:
        at = text.find(word)
        while at >= 0:
            yield from _beside(text, _CHINESE.match(text, at + len(word)), must_be_strong=True)
            at = text.find(word, at + len(word))


def _places(text: bytes, anchor: bytes) -> Iterator[int]:
    at = text.find(anchor)
    while at >= 0:
        yield at
        at = text.find(anchor, at + len(anchor))


def _beside(
    text: str, found: re.Match[bytes] | re.Match[str] | None, *, must_be_strong: bool
) -> Iterator[Secret]:
    span = trim(text, *found.span("value")) if found else None
    if span and _is_login_password(value := text[slice(*span)]) and (is_strong(value) or not must_be_strong):
        yield Secret("password", *span)


def _is_login_password(value: str) -> bool:
    if value.isalpha() and len(value) < LEAST_WILD_LETTERS:
        return False
    if not is_password_like(value) or _ADDRESS.match(value):
        return False
    return not (is_stand_in(value) or is_reference(value) or is_slug(value))
