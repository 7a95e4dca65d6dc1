"""Secrets by what is said of them: assignments, options, headers and sentences.

A core word (password, secret, token …) is found first, by a plain search; only there are a few bounded
expressions tried, which read on to a separator and a value.  The value has to look like a secret, and the
weaker the sign before it the more so.  Every expression runs over the lower-case copy; values are cut from
the original.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from archivist.guard.entropy import (
    LEAST_LETTERS,
    LEAST_WILD_LETTERS,
    is_generated,
    is_password_like,
    is_reference,
    is_slug,
    is_stand_in,
    is_strong,
    is_uuid,
)
from archivist.guard.names import announces_secret, kind_of_core
from archivist.guard.reading import Reading, Secret
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_VALUE = rb"""(?:
      (?P<slash>\\{0,3})[bruf]?"(?P<double>(?:[^"\n\\]|\\(?!["n])[^\n]){1,400})(?=\\*")
    | (?P<slash1>\\{0,3})[bruf]?'(?P<single>(?:[^'\n\\]|\\(?!['n])[^\n]){1,400})(?=\\*')
    | `(?P<tick>[^`\n]{1,400})`
    | ["'`*\xff]{0,3}(?P<bare>[^\s"'`<>,;\\]{1,400})
)"""
_PLAIN = rb"""["'`*]{0,2}[a-z]{1,9}(?:=?["'`](?![\w!@\#$%^&*])|["'`,;.:!?)*]{0,3}(?:\s|\Z))"""
"""A short everyday word where a value would stand: never a secret, and refused before anything else is
tried."""
_LEADS = rb"(?:now|still|just|currently|been|be|to|set|reset|changed|updated)\b"
_ASSIGNED = (
    rb"""
    (?P<after>[\w.\-]{0,40}+)
    ["'`\\\])*]{0,6}+
    (?!\s{0,8}[=:>]{1,2}\s{0,8}["'`]?\[masked\ )
    (?:
        \s{0,8}+(?P<sep>:\s{0,2}[a-z][\w\[\].|]{0,24}\s{0,2}=(?!=)|=>|:=|={1,3}|:(?!:))\s{0,8}+(?!"""
    + _PLAIN
    + rb""")
      | (?P<member>\s{0,2},\s{0,2}(?=\\{0,3}["'])(?!"""
    + _PLAIN
    + rb"""))
      | (?P<xml>>)
      | (?P<attr>\s{1,4}value\s{0,2}=\s{0,2}|\s{0,4}\n\s{0,20}value:\s{0,4})
      | (?P<called>\(\s{0,2}(?=\\{0,3}["']))
      | (?P<space>\ {1,3}+)(?=
            (?:is|was|are|will|should|has|set|changed|reset|updated|equals|value)\ (?!(?!"""
    + _LEADS
    + rb""")"""
    + _PLAIN
    + rb""")
          | (?:for|to|of|on|at|in)\ [^\n:=;"'!?]{1,40}?
            (?:\ (?:is|was|are|will|should|has|set|changed)\ |[:=-])
          | [=:>-]
          | [^\s0-9]{0,40}+[0-9])
    )
    """
)
_PHRASE = late_pattern(
    rb"""(?x)
    (?:\ (?:for|to|of|on|at|in)\ [^\n:=;"'!?]{1,40}?)?
    (?:\ (?:is|was|are|will\ be|should\ be|has\ been\ (?:set|changed)\ to|
        (?:is\ |was\ )?(?:set|changed|reset|updated)\ to|
        equals|value)(?:\ now|\ still|\ just|\ currently)?:?\ {1,3}
      | \ {0,2}(?::|=|->|=>)\ {0,3} | \ {1,2}-{1,2}\ {1,3})
    """
    + _VALUE
)
_VALUE_ONLY = late_pattern(rb"(?x)" + _VALUE)
_XML_VALUE = late_pattern(rb"([^<\s]{4,200})</")
_LEAST_STRONG = 8
_SPACE = late_pattern(r"\s")
_HEAD = late_pattern(rb"[\w.\-]*")
_CORES = (
    (b"pass", rb"pass(?:word|wd|phrase|code|wort|(?![a-z]))"),
    (b"pwd", rb"pwd"),
    (b"secret", rb"secret"),
    (b"token", rb"token"),
    (b"key", rb"key"),
    (b"cred", rb"cred(?:ential)?s?"),
)
"""What is searched for, and the core words that may begin there."""
_HEADER = late_pattern(
    rb"""(?x)
    (?:auth(?:orization["'\\]{0,4}\s{0,3}[:=,]|\s{0,2}[:=])\s{0,3}["'\\]{0,4} | (?<![a-z])(?=bearer))
    (?P<scheme>bearer\ {1,3}|basic\ {1,3}|token\ {1,2}|api-?token\ {1,2}|apikey\ {1,2}|ssws\ |
        digest\ |bot\ |genie-?key\ |
        deepl-auth-key\ )?
    (?P<value>[^\s"'`<>,;\\){}]{6,2000})
    """
)
_QUERY = late_pattern(rb"sig=(?P<value>[a-z0-9%+/=_-]{30,400})")
_NEXT_FIELD = late_pattern(r"&(?=[\w.\[\]-]{1,40}=)")
_TRAILING = ".,;:)]}>'\"*?"


def find_assigned(reading: Reading) -> Iterator[Secret]:
    """Secrets that a name, a header or a sentence announces."""
    lower = reading.lower
    for anchor, core in _CORES:
        at = lower.find(anchor)
        while at >= 0:
            found = _rule(core).match(lower, at)
            at += len(anchor)
            if found:
                span, secret = _announced(reading, found)
                if secret:
                    yield secret
                if span:  # a value is judged once, whatever core words it contains
                    at = max(at, span[1])
            at = lower.find(anchor, at)
    yield from _in_headers(reading)
    yield from _in_queries(reading)


@cache
def _rule(core: bytes) -> re.Pattern[bytes]:
    """The expression of a core word, compiled for the first text that has one."""
    return re.compile(rb"(?x)(?<!masked\ )(?P<core>" + core + rb")" + _ASSIGNED)


def _announced(reading: Reading, found: re.Match[bytes]) -> tuple[tuple[int, int] | None, Secret | None]:
    """The span of the value that one core word announces, and the secret if it is one."""
    core, after = found["core"], found["after"]
    if found["space"] is not None and reading.lower[found.start() - 1 : found.start()] != b"-":
        return _said(reading, found) if after in {b"", b"s"} and core != b"pass" else (None, None)
    if found["xml"]:
        value = _XML_VALUE.match(reading.lower, found.end())
        span, sure = (value.span(1) if value else None), True
    else:
        span, sure = _value_span(reading, _VALUE_ONLY.match(reading.lower, found.end()))
        sure = sure and found["member"] is None and found["called"] is None
    if span is None:
        return None, None
    kind = kind_of_core(core.decode())
    value_text = reading.text[span[0] : span[1]]
    if core == b"pass" and not sure and _is_result(reading, found, value_text):
        return span, None
    if found["member"] is not None and not is_strong(value_text):
        return span, None
    if _is_secret(reading, value_text, kind, sure=sure) and _is_named(reading, found):
        return span, Secret(kind, *span)
    return span, None


def _is_result(reading: Reading, found: re.Match[bytes], value: str) -> bool:
    """Whether a bare "pass: …" reports a test that passed."""
    alone = reading.lower[found.start() - 1 : found.start()] not in {b"_", b"-", b"."}
    return is_slug(value) or (alone and ("/" in value or "_" in value))


def _is_named(reading: Reading, found: re.Match[bytes]) -> bool:
    """Whether a core word with its neighbours names a secret; two words ("api key") count as one."""
    lower, start = reading.lower, found.start()
    core, after = found["core"], found["after"]
    head = _HEAD.match(lower[max(0, start - 40) : start][::-1])
    before = head[0][::-1] if head else b""
    if not before and core == b"key" and lower[start - 1 : start] == b" ":
        before = lower[max(0, start - 14) : start]
    if core == b"key" and not before and found["sep"] == b"=" and lower[start - 1 : start] in {b"?", b"&"}:
        return True
    if core == b"pass" and (before[-1:].isalpha() or after[:1].isalpha()):
        return False
    name = (before, core, after)
    if name not in reading.named:
        reading.named[name] = announces_secret(before.decode(), core.decode(), after.decode())
    return reading.named[name]


def _value_span(reading: Reading, found: re.Match[bytes] | None) -> tuple[tuple[int, int] | None, bool]:
    """Where a value stands, and whether it is quoted."""
    if found is None:
        return None, False
    for group in ("double", "single", "tick"):
        if found[group] is not None:
            start, end = found.span(group)
            return (start, end - _escapes(reading.text[start:end])), True
    start, end = found.span("bare")
    return trim(reading.text, start, end), False


def _escapes(value: str) -> int:
    return len(value) - len(value.rstrip("\\"))


def trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span of a bare value without what follows it in a sentence; None when nothing is left."""
    value = text[start:end]
    if not value.isascii():
        value = value[: next(i for i, c in enumerate(value) if not c.isascii())]
    if "&" in value:
        value = _NEXT_FIELD.split(value, 1)[0]
    value = value.rstrip(_TRAILING)
    return (start, start + len(value)) if value else None


def _is_secret(reading: Reading, value: str, kind: str, *, sure: bool) -> bool:
    """Whether the value of an assignment is a secret; `sure` when it is quoted or an element of its own."""
    if value.isalpha() and len(value) < (LEAST_WILD_LETTERS if kind == "password" else LEAST_LETTERS):
        return False
    key = (value, kind, sure)
    if key not in reading.judged:
        reading.judged[key] = _judge(value, kind, sure=sure)
    return reading.judged[key]


def _judge(value: str, kind: str, *, sure: bool) -> bool:
    if _SPACE.search(value):
        return False
    if kind == "password":
        if not is_password_like(value) or is_stand_in(value):
            return False
        return not (_is_plain_code(value) if sure else is_reference(value) and not value.isdigit())
    if not is_generated(value, shortest=8 if kind == "secret" else 10) or is_stand_in(value):
        return False
    return not is_reference(value) or is_uuid(value)


def _is_plain_code(value: str) -> bool:
    return is_reference(value) and not value.isdigit() and not is_strong(value)


def _said(reading: Reading, found: re.Match[bytes]) -> tuple[tuple[int, int] | None, Secret | None]:
    """What a sentence gives: "the password for the wiki is …", "password …"; as `_announced` returns it."""
    kind = kind_of_core(found["core"].decode())
    said, quoted = _value_span(reading, _PHRASE.match(reading.lower, found.start("space")))
    if said and _is_said_secret(reading.text[said[0] : said[1]], kind, quoted=quoted):
        return said, Secret(kind, *said) if _is_named(reading, found) else None
    span, quoted = _value_span(reading, _VALUE_ONLY.match(reading.lower, found.end("space")))
    if span is None or (value := reading.text[span[0] : span[1]]).isalpha():
        return said, None
    if value.isascii() and len(value) < _LEAST_STRONG:
        return said, None
    certain = is_strong(value) if kind == "password" else is_generated(value, shortest=16)
    if certain and _is_said_secret(value, kind, quoted=quoted) and _is_named(reading, found):
        return span, Secret(kind, *span)
    return said, None


def _is_said_secret(value: str, kind: str, *, quoted: bool) -> bool:
    """Whether a value in a sentence is a secret."""
    if value.isalpha() and len(value) < (LEAST_WILD_LETTERS if kind == "password" else LEAST_LETTERS):
        return False
    if not (
        _is_said_password(value, quoted=quoted) if kind == "password" else is_generated(value, shortest=10)
    ):
        return False
    if _SPACE.search(value) or is_stand_in(value):
        return False
    return not is_reference(value) or is_uuid(value)


def _is_said_password(value: str, *, quoted: bool) -> bool:
    return is_password_like(value) and (quoted or not is_slug(value))


def _in_queries(reading: Reading) -> Iterator[Secret]:
    """Signatures in the query of an address: `&sig=…`."""
    lower = reading.lower
    at = lower.find(b"sig=")
    while at >= 0:
        found = _QUERY.match(lower, at) if lower[at - 1 : at] in {b"?", b"&"} else None
        if found and is_generated(reading.text[found.start("value") : found.end("value")], shortest=30):
            yield Secret("signature", *found.span("value"))
        at = lower.find(b"sig=", found.end() if found else at + 4)


def _in_headers(reading: Reading) -> Iterator[Secret]:
    """Credentials in Authorization headers and after `Bearer`."""
    for anchor in (b"auth", b"bearer "):
        at = reading.lower.find(anchor)
        while at >= 0:
            found = _HEADER.match(reading.lower, at)
            if found and (found["scheme"] or anchor != b"bearer "):
                yield from _credential(reading, found)
            at = reading.lower.find(anchor, found.end() if found else at + len(anchor))


def _credential(reading: Reading, found: re.Match[bytes]) -> Iterator[Secret]:
    span = trim(reading.text, *found.span("value"))
    if span is None or ((value := reading.text[span[0] : span[1]]).isalpha() and len(value) < LEAST_LETTERS):
        return
    scheme = (found["scheme"] or b"").strip()
    ample = is_generated(value, shortest=10) or (scheme == b"basic" and len(value) > 7 and _is_basic(value))
    if ample and not is_stand_in(value) and not (is_reference(value) and not is_uuid(value)):
        yield Secret("basic-credential" if scheme == b"basic" else "bearer-token", *span)


def _is_basic(value: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9+/]{8,}={0,2}", value) is not None and len(value) % 4 == 0
