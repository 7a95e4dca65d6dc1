"""Reading texts one by one, where no index can be asked: the newest messages that it does not know yet, or all when it is broken.

A text is prepared as the indexer would prepare it, so that it is found under the same words. One request may ask
several times, each time with other filters or demands: what was read for one of them is not read again.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

import msgspec

from archivist.recall.filters import Filters
from archivist.recall.levelling import level
from archivist.recall.matching import Matcher, is_met, needed_beside
from archivist.recall.query import Query
from archivist.store.connection import Connection
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


class Scanner:
    """Messages that are looked through for the terms of one query, in the order given.

    Args:
        state: A reading connection.
        ids: The messages.
        query: Its terms and what it leaves out; what is found later may demand more or less of them.
        is_late: Whether the time is used up; the first block is always read.
        prepared: A text with all words under which it is found; as the indexer makes it unless told otherwise.
    """

    def __init__(
        self,
        state: Connection,
        ids: Sequence[int],
        query: Query,
        is_late: Callable[[], bool],
        *,
        prepared: Callable[[str], str] = index_text,
    ) -> None:
        self._state, self._is_late, self._prepared = state, is_late, prepared
        self._ids = ids
        self._matcher = Matcher((*query.terms, *query.without, *needed_beside(query)))
        self._terms = ~(-1 << len(query.terms))
        self._without = ~(-1 << len(query.without)) << len(query.terms)
        self._passed: list[int] = []
        self._known: dict[int, tuple[Document, int]] = {}
        self.read = 0

    def find(self, query: Query, filters: Filters) -> Scan:
        """What answers the query, which has the terms that were given at first, within the filters."""
        self._read_on(filters)
        found = Scan(read=self.read)
        for document, has in self._known.values():
            if filters.admits(document) and self._answers(query, has):
                found.documents.append(document)
                found.known[document.id] = has & self._terms
        return found

    @property
    def left(self) -> Sequence[int]:
        """Messages that there was no time for."""
        return self._ids[self.read :]

    def _read_on(self, filters: Filters) -> None:
        """Look at what the filters admit: of what they passed over before, then of what was not read yet."""
        passed, self._passed = iter(self._passed), []
        while block := list(islice(passed, BLOCK)):
            self._look_at(block, filters)
            if self._is_late():
                self._passed.extend(passed)
        while unread := self._ids[self.read : self.read + BLOCK]:
            self._look_at(unread, filters)
            self.read += len(unread)
            if self._is_late():
                break

    def _look_at(self, block: Sequence[int], filters: Filters) -> None:
        for document in read_documents(self._state, block):
            if not filters.admits(document):
                self._passed.append(document.id)
            elif has := self._terms_of(document):
                self._known[document.id] = (document, has)

    def _terms_of(self, document: Document) -> int:
        """Its terms as bits, after them those to be left out, and those that are only needed."""
        return terms_in(self._matcher, document.text, self._prepared)

    def _answers(self, query: Query, has: int) -> bool:
        if (query.without and has & self._without) or not has & self._terms:
            return False
        if query.need is None:
            return True
        terms = self._matcher.terms
        return is_met(
            query.need, frozenset(term.match for number, term in enumerate(terms) if has >> number & 1)
        )


def terms_in(matcher: Matcher, text: str, prepared: Callable[[str], str] = index_text) -> int:
    """The terms that a text has, as bits: as it stands, or under the words that the index would know it by.

    Characters written without spaces stand in pairs there, so that a longer row of them is only in the text itself.
    """
    numbers = {place[2] for place in matcher.places(level(prepared(text)))}
    if not text.isascii():
        levelled = level(text)
        numbers.update(place[2] for place in matcher.places(levelled))
        numbers.update(matcher.inner_rows(levelled))
    return sum(1 << number for number in numbers)
