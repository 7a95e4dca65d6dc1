"""Reading texts one by one, where no index can be asked: the newest messages that it does not know yet, or all when it is broken.

A text is prepared as the indexer would prepare it, so that it is found under the same words.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Final

import apsw
import msgspec

from archivist.recall.filters import Filters
from archivist.recall.folding import fold
from archivist.recall.matching import Matcher, is_met
from archivist.recall.query import Query
from archivist.store.documents import Document, read_documents
from archivist.store.index.words import index_text

BLOCK: Final = 100
"""Messages read between two looks at the clock."""


class Scan(msgspec.Struct):
    """What was found, and how far the time went.

    Attributes:
        known: By id, the terms that a message has, as bits.
        read: Messages that were looked at.
    """

    documents: list[Document] = msgspec.field(default_factory=list)
    known: dict[int, int] = msgspec.field(default_factory=dict)
    read: int = 0


def scan(
    state: apsw.Connection,
    ids: Iterable[int],
    query: Query,
    filters: Filters,
    is_late: Callable[[], bool],
    *,
    prepared: Callable[[str], str] = index_text,
) -> Scan:
    """Look through messages in the order given, until the time is used up; the first block is always read.

    Args:
        state: A reading connection.
        ids: The messages.
        query: What is sought.
        filters: What may be found.
        is_late: Whether the time is used up.
        prepared: A text with all words under which it is found; as the indexer makes it unless told otherwise.
    """
    found, matcher = Scan(), Matcher((*query.terms, *query.without))
    rest = iter(ids)
    while block := list(islice(rest, BLOCK)):
        for document in read_documents(state, block):
            if (
                filters.admits(document)
                and (bits := _bits(matcher, query, prepared(document.text))) is not None
            ):
                found.documents.append(document)
                found.known[document.id] = bits
        found.read += len(block)
        if is_late():
            break
    return found


def _bits(matcher: Matcher, query: Query, text: str) -> int | None:
    """The terms that a text has; None if it does not answer the query."""
    has = {place[2] for place in matcher.places(fold(text))}
    terms: Sequence[str] = [term.match for term in matcher.terms]
    count = len(query.terms)
    if any(number >= count for number in has) or not any(number < count for number in has):
        return None
    if query.need is not None and not is_met(query.need, frozenset(terms[number] for number in has)):
        return None
    return sum(1 << number for number in has)
