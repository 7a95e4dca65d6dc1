"""Whether a text has enough of what some words are about to be shown beside them, though they asked for nothing."""

from collections.abc import Callable
from typing import Final

from archivist.recall.levelling import level
from archivist.recall.matching import Matcher
from archivist.recall.query import read_query
from archivist.recall.telling import telling_terms

LEAST_SHARE: Final = 1 / 3
"""Of the words that tell what it is about."""
FEWEST: Final = 2
"""Of these words; one may stand in a text for any reason."""


def fitting(words: str) -> Callable[[str], bool]:
    """What decides whether a text fits.

    Args:
        words: What somebody wrote; not a question.
    """
    query = read_query(words)
    telling, matcher = telling_terms(query), Matcher(query.terms)
    most = telling.bit_count()
    least = max(min(FEWEST, most), most * LEAST_SHARE)

    def fits(text: str) -> bool:
        found = {number for _, _, number, _ in matcher.places(level(text)) if telling >> number & 1}
        return bool(most) and len(found) >= least

    return fits
