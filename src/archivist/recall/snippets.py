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
ROWS_COMPARED: Final = 20
"""Places of one phrase of which the one with most around it is shown."""
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


def snippet(text: str, matcher: Matcher, weights: Sequence[float], *, limit: int, rest: str) -> str:
    """The best stretch of a text.

    Args:
        text: Of the message, as stored.
        matcher: The terms of the query.
        weights: What each term counts.
        limit: Characters of the stretch; marks come on top.
        rest: How the rest is read, such as "read message 12".
    """
    text = shown(text)
    if len(text) <= limit:
        return text
    levelled = level(text)
    first, last = _best_stretch(matcher.places(levelled), weights, limit, matcher, levelled)
    room = max(0, limit - (last - first))
    start = max(0, min(first - min(limit // LEAD_SHARE, room), len(text) - limit))
    return cut(text, start, max(last, min(len(text), start + limit)), rest, whole=(first, last))


def cut(text: str, start: int, end: int, rest: str, *, whole: tuple[int, int]) -> str:
    """A stretch of a text between word borders, with marks that say how much is missing and where it is read.

    What stands between the two places of `whole` is not cut.
    """
    start, end = (
        min(_border(text, start, 1), max(start, whole[0])),
        max(_border(text, end, -1), min(end, whole[1])),
    )
    before = "" if start == 0 else f"[{start:,} characters before] … "
    left = len(text) - end
    after = "" if left == 0 else f" … [cut, {left:,} more characters: {rest}]"
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


def _best_stretch(
    places: list[Place], weights: Sequence[float], limit: int, matcher: Matcher, levelled: str
) -> tuple[int, int]:
    """First and last place of the stretch with the most telling terms; the beginning of the text when it has none.

    Where a phrase or an identifier stands whole, the stretch has it whole, however long it is.
    """
    rows = [
        (start, end, term, exact)
        for start, end, term, exact in places
        if term in matcher.rows
        and weights[term] > 0
        and end - start <= max(limit, len(matcher.terms[term].text))
    ]
    if not rows:
        return _best(sorted(places), weights, limit)
    heaviest = max(weights[term] for _, _, term, _ in rows)
    whole = sorted(place for place in rows if weights[place[2]] == heaviest)
    literal = [place for place in whole if levelled[place[0] : place[1]] == matcher.terms[place[2]].text]
    around = [_around(place, places, weights, limit) for place in (literal or whole)[:ROWS_COMPARED]]
    _, start, end = max(around, key=lambda each: (each[0], -each[1]))
    return start, end


def _around(
    row: Place, places: Sequence[Place], weights: Sequence[float], limit: int
) -> tuple[float, int, int]:
    """What a stretch around one place is worth, and that place."""
    start = row[0] - limit // LEAD_SHARE
    near = {term for first, last, term, _ in places if start <= first and last <= start + limit}
    return sum(weights[term] for term in near | {row[2]}), row[0], row[1]


def _best(places: Sequence[Place], weights: Sequence[float], limit: int) -> tuple[int, int]:
    best, stretch, first = 0.0, (0, 0), 0
    inside: dict[int, int] = {}
    weight = 0.0
    for place, (_, end, term, _) in enumerate(places):
        inside[term] = inside.get(term, 0) + 1
        weight += weights[term] if inside[term] == 1 else 0.0
        while first < place and end - places[first][0] > limit:
            gone = places[first][2]
            inside[gone] -= 1
            weight -= weights[gone] if not inside[gone] else 0.0
            first += 1
        if weight > best + 1e-9:
            best, stretch = weight, (places[first][0], end)
    return stretch
