"""Finding secrets in a text and masking them.

Masking destroys text, so it must be sure, must leave what was masked recognisable, and must be idempotent:
the mask `[masked <kind> …<last characters>]` is never read as a secret, and masking a masked text changes
nothing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from archivist.guard.assignments import find_assigned
from archivist.guard.chinese import find_chinese
from archivist.guard.connection_strings import find_connection_passwords
from archivist.guard.logins import find_logins
from archivist.guard.private_keys import find_private_keys
from archivist.guard.reading import MASK, Reading, Secret
from archivist.guard.stretches import stretches_in
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHOWABLE = late_pattern(r"[A-Za-z0-9_-]{1,4}")
_ANYTHING = late_pattern(rb"[!->@-~]{4}")
"""Four ASCII characters in a row, below which nothing can be a secret; "?" may stand for any other
character."""
_NEIGHBOURHOOD_CHARS = 3_000
_EDGE_CHARS = 1_000
"""A search around a mask reaches the neighbourhood; findings this near to its edge do not count."""
_SHOWN_CHARS = 4
_LEAST_SHOWN_LENGTH = 8
_ROUNDS = 8
"""Masking can uncover at most a few findings that the masked text had hidden; see `_settle`."""


def _find_tokens(reading: Reading) -> Iterable[Secret]:
    marks = stretches_in(reading.codes)
    if marks is None:
        return ()
    from archivist.guard.tokens import find_tokens  # noqa: PLC0415 - its tables are for texts that may hold a token

    return find_tokens(reading.codes, marks)


_FINDERS = (
    find_private_keys,
    _find_tokens,
    find_connection_passwords,
    find_chinese,
    find_assigned,
    find_logins,
)
"""In the order of trust: of findings that overlap, the earlier finder's stands."""


class Masked(msgspec.Struct, frozen=True):
    """A text with its secrets masked, and what they were (positions in the original text)."""

    text: str
    secrets: tuple[Secret, ...]


def find_secrets(text: str) -> tuple[Secret, ...]:
    """All secrets in `text`, in order and without overlap; what is masked already is none."""
    return _settle(text)[1]


def mask(text: str) -> Masked:
    """`text` with every secret replaced by its mask; the very same string when there is none."""
    return Masked(*_settle(text))


def mask_of(kind: str, secret: str) -> str:
    """The mask for one secret: its kind, and its last four characters but never more than a quarter."""
    shown = min(_SHOWN_CHARS, len(secret) // 4) if len(secret) >= _LEAST_SHOWN_LENGTH else 0
    tail = secret[len(secret) - shown :]
    if not _SHOWABLE.fullmatch(tail):
        return f"[masked {kind}]"
    return f"[masked {kind} …{tail}]"


def is_masked(text: str) -> bool:
    """Whether the whole of `text` is a mask."""
    return MASK.fullmatch(text) is not None


def _settle(text: str) -> tuple[str, tuple[Secret, ...]]:
    """Masked text and findings, searched again around the masks until nothing is left to find."""
    found = _find_once(text)
    if not found:
        return text, ()
    for _ in range(_ROUNDS):
        masked, pieces = _replace(text, found)
        more = _find_near(masked, [new for new, _ in pieces[1:]])
        if not more:
            return masked, found
        found = tuple(sorted((*found, *_to_original(more, pieces)), key=lambda secret: secret.start))
    return _replace(text, found)[0], found


def _find_once(text: str) -> tuple[Secret, ...]:
    reading = Reading.of(text)
    if not _ANYTHING.search(reading.codes):
        return ()
    findings = [secret for finder in _FINDERS for secret in finder(reading)]
    if not findings:
        return ()
    masks = [found.span() for found in MASK.finditer(text)] if "[masked " in text else []
    return _without_overlap(findings, masks)


def _find_near(text: str, places: list[int]) -> tuple[Secret, ...]:
    """What masking uncovered: findings in the neighbourhood of the masks that end at `places`."""
    found: list[Secret] = []
    for low, high in _neighbourhoods(places, len(text)):
        first = low + _EDGE_CHARS if low else 0
        last = high - _EDGE_CHARS if high < len(text) else high
        found += (
            Secret(secret.kind, secret.start + low, secret.end + low)
            for secret in _find_once(text[low:high])
            if secret.start + low >= first and secret.end + low <= last
        )
    return tuple(found)


def _neighbourhoods(places: list[int], size: int) -> list[tuple[int, int]]:
    """Stretches around `places`, joined where they touch."""
    joined: list[tuple[int, int]] = []
    for place in places:
        low, high = max(0, place - _NEIGHBOURHOOD_CHARS), min(size, place + _NEIGHBOURHOOD_CHARS)
        if joined and low <= joined[-1][1]:
            low = joined.pop()[0]
        joined.append((low, high))
    return joined


def _without_overlap(findings: Iterable[Secret], masks: list[tuple[int, int]]) -> tuple[Secret, ...]:
    """The findings which overlap neither a mask nor an earlier finding, by position."""
    taken = sorted(masks)
    chosen: list[Secret] = []
    for secret in findings:
        at = bisect_left(taken, (secret.start, secret.end))
        clear = (at == 0 or taken[at - 1][1] <= secret.start) and (
            at == len(taken) or taken[at][0] >= secret.end
        )
        if clear and secret.start < secret.end:
            taken.insert(at, (secret.start, secret.end))
            chosen.append(secret)
    return tuple(sorted(chosen, key=lambda secret: secret.start))


def _replace(text: str, secrets: tuple[Secret, ...]) -> tuple[str, list[tuple[int, int]]]:
    """The masked text, and for each unmasked piece of it where it begins there and in `text`."""
    parts: list[str] = []
    pieces: list[tuple[int, int]] = []
    done = size = 0
    for secret in secrets:
        mark = mask_of(secret.kind, text[secret.start : secret.end])
        pieces.append((size, done))
        parts += [text[done : secret.start], mark]
        size += secret.start - done + len(mark)
        done = secret.end
    pieces.append((size, done))
    return "".join([*parts, text[done:]]), pieces


def _to_original(secrets: tuple[Secret, ...], pieces: list[tuple[int, int]]) -> Iterator[Secret]:
    """Findings in a masked text, at their positions in the original."""
    for secret in secrets:
        new, old = pieces[bisect_right(pieces, secret.start, key=itemgetter(0)) - 1]
        yield Secret(secret.kind, secret.start - new + old, secret.end - new + old)
