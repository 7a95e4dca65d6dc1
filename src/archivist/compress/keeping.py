"""What must survive word for word of the messages that are compressed.

The owner's rulings, corrections and preferences, what agent and tools said that stands nowhere else, open requests and finished ones:
found by what lines say and where they stand, linked to what became of them, and chosen under a budget. What was kept before is as it was.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from archivist.compress.bounding import Bounds
from archivist.compress.choosing import Ranking, rank
from archivist.compress.ledger import read_lines
from archivist.compress.lines import Line, lines_of
from archivist.compress.linking import linked
from archivist.compress.openai_form import calls_in, function_of
from archivist.compress.reading import Read
from archivist.compress.summary_form import body_of, is_summary
from archivist.compress.weighing import Weights


def candidates(read: Sequence[Read], bounds: Bounds, focus: str = "") -> Ranking:
    """The lines of the messages between the bounds, ranked; those behind them say what holds no more.

    Args:
        read: All messages.
        bounds: Where head and tail stand.
        focus: What matters most.
    """
    lines = _once(_in_order(read[bounds.head_end :]))
    weights = Weights([*_texts(lines)], _elsewhere(read))
    leaving = [line for line in linked(lines, weights) if not _stays(line, bounds)]
    return rank(leaving, weights, focus)


def _in_order(read: Iterable[Read]) -> list[Line]:
    """The lines of messages, those of a summary where it stands."""
    found: list[Line] = []
    for one in read:
        lines = read_lines(body_of(one.text)) if is_summary(one.message) else lines_of(one)
        found += (msgspec.structs.replace(line, order=len(found) + at) for at, line in enumerate(lines))
    return found


def _texts(lines: Iterable[Line]) -> Iterator[str]:
    """What lines say, and what stands beside them."""
    for line in lines:
        yield line.text
        yield from (one.text for one in line.earlier)


def _once(lines: Sequence[Line]) -> list[Line]:
    """Of lines that say the same the newest, the owner's before others'; one that was kept before stays with what it was linked to."""
    newest: dict[str, Line] = {}
    for line in lines:
        before = newest.get(line.text)
        if before is None or not (_is_linked(before) or (before.who == "owner" and line.who != "owner")):
            newest[line.text] = line
    return sorted(newest.values(), key=lambda line: line.order)


def _is_linked(line: Line) -> bool:
    return bool(line.earlier or line.report or line.is_asked or line.is_pinned)


def _stays(line: Line, bounds: Bounds) -> bool:
    """Whether the message of a line stays as it is."""
    return line.message >= bounds.tail_start or (line.message >= 0 and line.message == bounds.request)


def _elsewhere(read: Sequence[Read]) -> Iterator[str]:
    """Outputs, and what calls were given: an identifier that stands there is read again there."""
    for one in read:
        if one.role == "tool":
            yield one.text
        for call in calls_in(one.message):
            yield str(function_of(call).get("arguments"))


__all__ = ["candidates"]
