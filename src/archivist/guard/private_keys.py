r"""Private keys in PEM, OpenSSH, PGP and PuTTY form.

The lines that name the key stay, the body goes: also when the end is missing, when the beginning is
missing, and when line breaks are written as `\\n`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archivist.guard.reading import Reading, Secret
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGIN = late_pattern(rb"-{4,5} ?BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = late_pattern(rb"-{4,5} ?END [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_GAP = rb"(?:\s|\\{1,4}[nrt]|[\"'+,>|])"
_BODY = late_pattern(
    rb"(?:" + _GAP + rb"|(?:Proc-Type|DEK-Info|Version|Comment|Hash|MessageID|Charset): [^\n\\]{1,120})*+"
    rb"(?P<body>[A-Za-z0-9+/=](?:[A-Za-z0-9+/=]|" + _GAP + rb")*+)"
)
_TAIL = late_pattern(rb"[A-Za-z0-9+/=](?:[A-Za-z0-9+/=]|\s|\\{1,4}[nrt]){23,16384}\Z")
_PUTTY = late_pattern(rb"Private-Lines: \d{1,3}(?:\s|\\n)+(?P<body>(?:[A-Za-z0-9+/=]{8,76}(?:\s+|\\n|\Z))+)")
_LEAST_BODY = 24
"""Characters of base64 below which a body is a placeholder."""


def find_private_keys(reading: Reading) -> Iterator[Secret]:
    """The bodies of private keys."""
    codes = reading.codes
    if b"PRIVATE KEY" in codes:
        done = 0
        for begin in _BEGIN.finditer(codes):
            if begin.start() >= done and (span := _body_after(codes, begin.end())):
                done = span[1]
                yield Secret("private-key", *span)
        yield from _without_beginning(codes)
    if b"Private-Lines: " in codes:
        for found in _PUTTY.finditer(codes):
            yield Secret("private-key", *_stripped(codes, *found.span("body")))


def _body_after(codes: bytes, at: int) -> tuple[int, int] | None:
    found = _BODY.match(codes, at)
    if found is None:
        return None
    start, end = found.span("body")
    if (
        codes.startswith(b"masked ", start)
        or len(re.sub(rb"[^A-Za-z0-9+/]", b"", codes[start:end])) < _LEAST_BODY
    ):
        return None
    return _stripped(codes, start, end)


def _without_beginning(codes: bytes) -> Iterator[Secret]:
    """The rest of a key whose first lines are cut off."""
    for end in _END.finditer(codes):
        low = max(0, end.start() - 16_384)
        line = codes.rfind(b"-----", low, end.start())
        start = line + 5 if line >= 0 else low
        found = _TAIL.search(codes, start, end.start())
        if (found and b"\n" in found[0]) or (found and b"\\n" in found[0]):
            words = re.split(rb"[\s\\]", found[0])
            if max(map(len, words)) >= _LEAST_BODY:
                yield Secret("private-key", *_stripped(codes, *found.span()))


def _stripped(codes: bytes, start: int, end: int) -> tuple[int, int]:
    """The span without breaks, quotes and escapes at its end."""
    found = re.search(rb"(?:\s|\\{1,4}[nrt]|[\"'+,>|\\])+\Z", codes[max(start, end - 64) : end])
    return start, end - (found.end() - found.start() if found else 0)
