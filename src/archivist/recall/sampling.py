"""Short prefixes that so many words begin with that no list of them can be read in time.

Messages taken evenly from all of them show how common such a prefix is; where a few hundred hold enough
finds, they are the candidates, and the index, which would have to merge the lists of thousands of words, is
not asked.
"""

from collections.abc import Callable, Sequence
from typing import Final

from archivist.recall.filters import Filters
from archivist.recall.query import Query
from archivist.recall.scanning import Scan, Scanner
from archivist.recall.terms import Term
from archivist.store.connection import Connection

SHORT_PREFIX: Final = 4
"""Letters; longer prefixes are rare enough for the index."""
PROBED: Final = 120
COMMON_SHARE: Final = 0.08
"""Of the probed messages: an index of a million answers a rarer prefix in some tens of milliseconds."""
ENOUGH: Final = 40
"""Finds to choose a page from."""
MOST_READ: Final = 1_000


def has_short_prefix(query: Query) -> bool:
    """Whether all that is needed is one short prefix."""
    return (
        isinstance(query.need, Term) and query.need.kind == "prefix" and len(query.need.text) <= SHORT_PREFIX
    )


def sample_prefix(
    state: Connection,
    query: Query,
    filters: Filters,
    *,
    newest: int,
    wanted: int,
    is_late: Callable[[], bool],
) -> Scan | None:
    """Finds of a common prefix from everywhere in the store; None where the index can be asked."""
    wanted = min(wanted, ENOUGH)
    probe = Scanner(state, evenly(newest, PROBED), query, is_late, prepared=str).find(query, filters)
    share = len(probe.documents) / max(1, probe.read)
    if share < COMMON_SHARE:
        return None
    if len(probe.documents) >= wanted:
        return probe
    count = min(MOST_READ, int(wanted / share) + PROBED)
    return Scanner(state, evenly(newest, count), query, is_late, prepared=str).find(query, filters)


def evenly(newest: int, count: int) -> Sequence[int]:
    """So many ids from the newest down to the first, evenly apart."""
    step = max(1, newest // count)
    return range(newest, 0, -step)
