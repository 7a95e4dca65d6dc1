"""Tokens of published formats in a text that has stretches in which they may stand.

Nearly all vendor tokens contain a long unbroken stretch of letters, digits, `_` and `-`; see `stretches`.  Only
there are the formats tried, so the number of formats costs nothing on ordinary text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archivist.guard.entropy import is_scrambled, is_slug, is_uniform
from archivist.guard.reading import Secret
from archivist.guard.stretches import AZURE_MARK, NEEDLE, SHORT_PREFIXES, SHORTEST_STRETCH, WORD_CODES
from archivist.guard.token_formats import (
    BARE_FORMATS,
    FLANKED_FORMATS,
    TOKEN_FORMATS,
    TokenFormat,
    compile_shape,
)
from archivist.records.digest import sha256
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOOK_BACK = 45
"""Characters before a stretch in which a format that begins with dotted text may begin."""

_WORD_PREFIX = late_pattern(rb"[A-Za-z0-9_-]+\Z")
_WORD_FORMATS = tuple(f for f in TOKEN_FORMATS if _WORD_PREFIX.match(f.prefix))
_DOTTED_FORMATS = tuple(f for f in TOKEN_FORMATS if not _WORD_PREFIX.match(f.prefix))
_SHORT_FORMATS = tuple(f for f in TOKEN_FORMATS if f.prefix in SHORT_PREFIXES)
"""Formats that may be shorter than a stretch or be broken by a slash: searched for by their prefix."""
_DOTTED_FLANKS = frozenset(b"./~$")


def _by_beginning(formats: tuple[TokenFormat, ...]) -> dict[bytes, tuple[TokenFormat, ...]]:
    """The formats by the first three bytes of their prefix, in the order of the table."""
    found: dict[bytes, list[TokenFormat]] = {}
    for form in formats:
        keys = [form.prefix[:3]] if len(form.prefix) > 2 else [form.prefix + bytes([c]) for c in WORD_CODES]
        for key in keys:
            found.setdefault(key, []).append(form)
    return {key: tuple(forms) for key, forms in found.items()}


_BY_BEGINNING = _by_beginning(_WORD_FORMATS)
_DOTTED = late_pattern(
    b"|".join(re.escape(f.prefix) for f in sorted(_DOTTED_FORMATS, key=lambda f: len(f.prefix), reverse=True))
)
_DOTTED_BY_PREFIX = {
    f.prefix: tuple(other for other in _DOTTED_FORMATS if f.prefix.startswith(other.prefix))
    for f in _DOTTED_FORMATS
}
"""By the longest prefix that stands somewhere, all formats which may begin there."""
_LAST_PUNCTUATION = late_pattern(rb".*[^A-Za-z0-9_-]", re.DOTALL)
_DOTTED_ENDINGS = frozenset(
    found[0][-3:] for f in _DOTTED_FORMATS if (found := _LAST_PUNCTUATION.match(f.prefix)) is not None
)
"""The last three bytes up to the last punctuation of each dotted prefix: a cheap sign that one may be
there."""
_DISTANT = (b"dp.", b"snyk_")
"""Beginnings of those dotted formats which have a further short part before the stretch."""

_BASE64 = re.compile(rb"[A-Za-z0-9+/]*")
_AZURE = late_pattern(rb"Q~[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_~-])")
_AZURE_BEGINNING = late_pattern(
    rb"(?:\A|.*(?:[^A-Za-z0-9_.~-]|\\[nrt]))(?P<secret>[A-Za-z0-9_.~-]{3}[0-9])\Z", re.DOTALL
)
_DIGIT = late_pattern(r"[0-9]")
_ESCAPES = frozenset({b"\\n", b"\\r", b"\\t"})
_LOOK_AHEAD = 200
_ASSET_ENDING = late_pattern(rb"\.(?:png|jpe?g|gif|svg|ico|webp|css|js|map|html?|woff2?|mp[34]|pdf|zip)\b")
_BACKSLASH, _PERCENT = b"\\%"
_LEAST_STRANGENESS = 0.25
"""Of a part without a digit, below which it may be words; see `is_scrambled`."""
_DIGITLESS_KINDS = frozenset({"hugging-face-token", "stripe-webhook-secret"})
"""With prefixes that stand before nothing else, so that what follows need not look drawn by chance."""

_SAMPLE_DIGESTS = """
    0b476bdf9acf2123 2037abcaffb2b777 27a9a42931dff7eb 37f8f09bdf12c2f2
    3a8b61d0f636b007 3f370c9dd8225c63 49f777db995e8260 4c98242dcadc8b29
    8731261cb72d8626 a19f89ab3555eac1 a6c814bc555ae62c dc0fcf046c61640c
    e4a5542bb7fd7b67 ea9bb1082cf95663 eb540d2b6ee2a0a4 f56e323494a6ffc2
"""
_PUBLISHED_SAMPLES = frozenset(_SAMPLE_DIGESTS.split())
"""First 16 digits of the SHA-256 of the sample keys that stand in the public Firebase Android SDK, as gitleaks' published rule for
Google API keys lists them to let them through."""


def find_tokens(codes: bytes, marks: bytes) -> Iterator[Secret]:
    """Findings of all published formats.

    Args:
        codes: A text as ASCII bytes; see `Reading`.
        marks: As `stretches_in` gives it.
    """
    start, read = marks.find(NEEDLE), 0
    while start >= 0:
        end = marks.find(b" ", start + SHORTEST_STRETCH)
        end = len(codes) if end < 0 else end
        before = codes[start - 1] if start else 32
        begin = start + (1 if before == _BACKSLASH else 2 if before == _PERCENT else 0)
        formats = _BY_BEGINNING.get(codes[begin : begin + 3])
        if formats and (secret := _prefixed(codes, begin, formats)):
            yield secret
            end = max(end, secret.end)
        elif end - begin in BARE_FORMATS and (secret := _bare(codes, begin, end - begin)):
            yield secret
        elif before in _DOTTED_FLANKS or before in FLANKED_FORMATS:
            yield from _flanked(codes, start, end, read)
            read = start + 4
        start = marks.find(NEEDLE, end)
    yield from _azure_secrets(codes)
    for form in _SHORT_FORMATS:
        at = codes.find(form.prefix)
        while at >= 0:
            end = at + len(form.prefix)
            if _begins_word(codes, at) and (secret := _prefixed(codes, at, (form,))):
                yield secret
                end = secret.end
            at = codes.find(form.prefix, end)


def _prefixed(codes: bytes, begin: int, formats: tuple[TokenFormat, ...]) -> Secret | None:
    """The token with a word as its prefix that begins at `begin`."""
    for form in formats:
        if codes.startswith(form.prefix, begin):
            found = form.pattern.match(codes, begin)
            if found and _is_token(codes, form, found):
                return Secret(form.kind, *found.span())
    return None


def _bare(codes: bytes, begin: int, size: int) -> Secret | None:
    """The token without a prefix that begins at `begin`."""
    for kind, shape in BARE_FORMATS[size]:
        found = compile_shape(shape).match(codes, begin)
        if found and not is_uniform(found[0].decode()):
            return Secret(kind, *found.span())
    return None


def _flanked(codes: bytes, start: int, end: int, read: int) -> Iterator[Secret]:
    """Tokens with punctuation in them, part of which is the stretch; up to `read` prefixes are read already."""
    before = codes[start - 1]
    if before in _DOTTED_FLANKS and _may_be_dotted(codes, start):
        for hit in _DOTTED.finditer(codes, max(read, start - _LOOK_BACK), start + 4):
            if _begins_word(codes, hit.start()):
                yield from _dotted(codes, hit)
    for form in FLANKED_FORMATS.get(before, ()):
        if form.shortest <= end - start <= form.longest:
            found = form.pattern.search(codes, max(0, start - form.back), end + _LOOK_AHEAD)
            if found and not is_uniform(body := found[0].decode()[-24:]) and _is_drawn(body):
                yield Secret(form.kind, *found.span("secret" if "secret" in form.pattern.groupindex else 0))


def _begins_word(codes: bytes, at: int) -> bool:
    """Whether no word character stands before `at`, or a line break written as an escape does."""
    return at == 0 or codes[at - 1] not in WORD_CODES or codes[max(0, at - 2) : at] in _ESCAPES


def _may_be_dotted(codes: bytes, start: int) -> bool:
    if codes[max(0, start - 3) : start] in _DOTTED_ENDINGS:
        return True
    low = max(0, start - _LOOK_BACK)
    for beginning in _DISTANT:  # noqa: SIM110 - nearly every path comes by here
        if codes.find(beginning, low, start) >= 0:
            return True
    return False


def _dotted(codes: bytes, hit: re.Match[bytes]) -> Iterator[Secret]:
    for form in _DOTTED_BY_PREFIX[hit[0]]:
        found = form.pattern.match(codes, hit.start())
        if found and _is_token(codes, form, found):
            yield Secret(form.kind, *found.span())


def _is_token(codes: bytes, form: TokenFormat, found: re.Match[bytes]) -> bool:
    """Whether a match is more than the shape: varied, not a published sample, not a piece of encoded data."""
    body = codes[found.start() + len(form.prefix) : found.end()].decode()
    if form.kind not in _DIGITLESS_KINDS and form.prefix != b"AKIA" and not _is_drawn(body):
        return False
    is_sample = form.prefix == b"AKIA" and body.endswith("EXAMPLE")  # as AWS writes them in its docs
    if is_uniform(body) or is_sample or (len(body) > 24 and is_uniform(body[-20:])):
        return False
    if form.prefix == b"sk-" and not any(c.isupper() for c in body) and sum(c.isdigit() for c in body) < 4:
        return False
    if _ASSET_ENDING.match(codes, found.end()) and codes[found.start() - 1 : found.start()] in {b".", b"/"}:
        return False
    if form.prefix.isalnum() and _in_encoded_data(codes, found.start(), found.end()):
        return False
    return sha256(found[0]).hexdigest()[:16] not in _PUBLISHED_SAMPLES


def _is_drawn(body: str) -> bool:
    """Whether the part behind a prefix was drawn by chance, so that it cannot be words."""
    if _DIGIT.search(body):
        return True
    return not body.islower() and is_scrambled(body, least=_LEAST_STRANGENESS) and not is_slug(body)


def _in_encoded_data(codes: bytes, start: int, end: int) -> bool:
    """Whether the span is a piece of a much longer stretch of base64."""
    back = _BASE64.match(codes[max(0, start - 64) : start][::-1])
    ahead = _BASE64.match(codes, end, end + 200)
    before = back.end() if back else 0
    after = ahead.end() - end if ahead else 0
    return before + after > 40


def _azure_secrets(codes: bytes) -> Iterator[Secret]:
    """Client secrets of Microsoft Entra, whose fixed part `Q~` stands in the middle."""
    first = codes.find(AZURE_MARK)
    if first < 0:
        return
    for found in _AZURE.finditer(codes, first):
        low = max(0, found.start() - 6)
        beginning = _AZURE_BEGINNING.match(codes[low : found.start()])
        if beginning and not is_uniform(found[0][2:].decode()):
            yield Secret("azure-client-secret", low + beginning.start("secret"), found.end())
