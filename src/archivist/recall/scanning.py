"""Reading texts one by one, where no index can be asked: the newest messages that it does not know yet, or all when it is broken.

A text is prepared as the indexer would prepare it, so that it is found under the same words.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import apsw

from archivist.recall.filters import Filters
from archivist.recall.folding import fold
from archivist.recall.matching import Matcher, is_met
from archivist.recall.query import Query
from archivist.store.documents import Document, read_documents
from archivist.store.index.words import index_text

BLOCK: Final = 100
"""Messages read between two looks at the clock."""


@dataclass(slots=True)
class Scan:
    """What was found, and how far the time went.

    Attributes:
        known: By id, the terms that a message has, as bits.
        read: Messages that were looked at.
    """

    documents: list[Document] = field(default_factory=list)
    known: dict[int, int] = field(default_factory=dict)
    read: int = 0


def scan(
    state: apsw.Connection, ids: Iterable[int], query: Query, filters: Filters, is_late: Callable[[], bool]
) -> Scan:
    """Look through messages in the order of their ids given, until the time is used up; the first block is always read."""
    found, matcher = Scan(), Matcher((*query.terms, *query.without))
    rest = iter(ids)
    while block := list(islice(rest, BLOCK)):
        for document in read_documents(state, block):
            if filters.admits(document) and (bits := _bits(matcher, query, document)) is not None:
                found.documents.append(document)
                found.known[document.id] = bits
        found.read += len(block)
        if is_late():
            break
    return found


def _bits(matcher: Matcher, query: Query, document: Document) -> int | None:
    """The terms that a message has; None if it does not answer the query."""
    has = {place[2] for place in matcher.places(fold(index_text(document.text)))}
    terms: Sequence[str] = [term.match for term in matcher.terms]
    count = len(query.terms)
    if any(number >= count for number in has) or not any(number < count for number in has):
        return None
    if query.need is not None and not is_met(query.need, frozenset(terms[number] for number in has)):
        return None
    return sum(1 << number for number in has)
