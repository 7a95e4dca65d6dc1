"""The stretch of a message that answers: a verbatim part of what is stored, cut between words, with a mark where it was cut.

Terminal escapes and control characters are not shown; everything else stands as it was said.
"""

from collections.abc import Sequence
from typing import Final

from archivist.recall.levelling import level
from archivist.recall.matching import Matcher, Place
from archivist.records.patterns import late_pattern

LEAD_SHARE: Final = 4
"""A quarter of the stretch stands before the first find."""
BORDER_CHARS: Final = 24
"""How far a cut moves to fall between words."""
ANSI: Final = late_pattern(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])")
_CONTROLS: Final = late_pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SPACE: Final = late_pattern(r"\s")


def shown(text: str) -> str:
    """The text without terminal escapes and control characters."""
    if "\x1b" in text:
        text = ANSI.sub("", text)
    return _CONTROLS.sub("", text)


def snippet(text: str, matcher: Matcher, weights: Sequence[float], *, limit: int, message_id: int) -> str:
    """The best stretch of a text.

    Args:
        text: Of the message, as stored.
        matcher: The terms of the query.
        weights: What each term counts.
        limit: Characters of the stretch; marks come on top.
        message_id: Under which the rest is read.
    """
    text = shown(text)
    if len(text) <= limit:
        return text
    start = _best_start(matcher.places(level(text)), weights, limit, len(text))
    return cut(text, start, min(len(text), start + limit), message_id)


def cut(text: str, start: int, end: int, message_id: int) -> str:
    """A stretch of a text between word borders, with marks that say how much is missing and where it is read."""
    start, end = _border(text, start, 1), _border(text, end, -1)
    before = "" if start == 0 else f"[{start:,} characters before] … "
    left = len(text) - end
    after = "" if left == 0 else f" … [cut, {left:,} more characters: read message {message_id}]"
    return f"{before}{text[start:end]}{after}"


def _border(text: str, place: int, step: int) -> int:
    """The nearest place after a space; in a script without spaces, the place itself."""
    if place <= 0 or place >= len(text):
        return max(0, min(place, len(text)))
    for away in range(BORDER_CHARS):
        near = place + step * away
        if 0 < near < len(text) and _SPACE.match(text[near - 1] if step > 0 else text[near]):
            return near
    return place


def _best_start(places: list[Place], weights: Sequence[float], limit: int, length: int) -> int:
    """Where the stretch with the most telling terms begins; the beginning of the text when it has none."""
    places.sort()
    best, best_at, first = 0.0, 0, 0
    inside: dict[int, int] = {}
    weight = 0.0
    for _, end, term, _ in places:
        inside[term] = inside.get(term, 0) + 1
        weight += weights[term] if inside[term] == 1 else 0.0
        while end - places[first][0] > limit:
            gone = places[first][2]
            inside[gone] -= 1
            weight -= weights[gone] if not inside[gone] else 0.0
            first += 1
        if weight > best + 1e-9:
            best, best_at = weight, places[first][0]
    start = best_at - limit // LEAD_SHARE
    return max(0, min(start, length - limit))
