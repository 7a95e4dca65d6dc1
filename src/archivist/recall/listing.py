"""All of a time, newest first, where no words are sought: "what happened yesterday", or a range without a query.

What is to be left out is left out by reading, block by block, until the page is full.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from archivist.recall.filters import Filters
from archivist.recall.levelling import level
from archivist.recall.matching import Matcher
from archivist.recall.packing import Packed
from archivist.recall.pages import Sheet, build_hits
from archivist.recall.query import Query
from archivist.recall.ranking import Scored
from archivist.recall.request import SearchRequest
from archivist.recall.terms import Term
from archivist.records import Hit, Notice
from archivist.store.connection import Connection
from archivist.store.documents import Document, read_documents
from archivist.store.index.words import index_text
from archivist.store.timeline import list_messages

if TYPE_CHECKING:
    from archivist.recall.noted import Shelf

SPOKEN_ROLES: Final = frozenset({"user", "assistant"})
SHORTEST_BLOCK: Final = 50
LONGEST_BLOCK: Final = 2_000
"""Messages read at once where some are to be left out."""


def list_range(
    state: Connection,
    filters: Filters,
    request: SearchRequest,
    without: Sequence[Term] = (),
    is_late: Callable[[], bool] = lambda: False,
    shelf: "Shelf | None" = None,
) -> tuple[list[Hit], list[Notice]]:
    """What was said and noted within the filters, the last first; tool output only where its role was asked for.

    Of notes at most half a page, while there are messages for the rest.

    Args:
        state: A reading connection.
        filters: What may be listed.
        request: The page that is wanted.
        without: What a listed message must not have.
        is_late: Whether the time is used up; the first block is always read.
        shelf: What is noted.
    """
    found: dict[int, Document] = {}
    notices = []
    for span in filters.spans or ((None, None),) if "message" in request.kinds else ():
        kept = 0
        first = request.limit + len(filters.excluded) + 1
        for block in _blocks(state, filters, span, max(first, SHORTEST_BLOCK) if without else first):
            listed = [each for each in _without(block, without) if filters.admits(each)]
            found.update((each.id, each) for each in listed)
            kept += len(listed)
            if kept > request.limit:
                break
            if is_late():
                text = "The time was up before all of the range was read; give a narrower one."
                notices.append(Notice("not-all-read", text))
                break
    documents = sorted(found.values(), key=_newest_first)
    noted = [] if shelf is None else shelf.listed(filters, without, request.limit)
    page = _joined(documents, noted, request.limit)
    packed = [Packed(Scored(document, 0.0, 0)) for document in page]
    hits = build_hits(state, packed, Sheet(Query(), Matcher(()), (), request, filters.scopes, shelf))
    if len(documents) + len(noted) > request.limit:
        told = "in that range; give a narrower one" if filters.spans else "than these; ask for something"
        text = f"There is more {told} or a larger limit."
        notices.append(Notice("more-in-range", text))
    if without:
        named = "messages" if shelf is None else "messages and notes"
        text = (
            f"Only leaving out was asked: the newest {named} without {_named(without)}, and no words to seek."
        )
        notices.append(Notice("only-left-out", text))
    return [replace(hit, why=("newest first", *hit.why)) for hit in hits], notices


def _joined(documents: Sequence[Document], noted: Sequence[Document], limit: int) -> list[Document]:
    """Messages and notes, the last first; of notes no more than half, and what messages leave."""
    most = max(1, limit // 2, limit - len(documents))
    held_back = {document.id for document in noted[most:]}
    both = sorted([*documents, *noted], key=_newest_first)
    return [document for document in both if document.id not in held_back][:limit]


def _newest_first(document: Document) -> tuple[int, int]:
    return -document.created_at, -document.id


def _blocks(
    state: Connection, filters: Filters, span: tuple[int | None, int | None], first: int
) -> Iterator[list[Document]]:
    """The messages of a stretch of time, the last said first, in growing blocks."""
    offset, size = 0, first
    while True:
        ids = list_messages(
            state,
            scopes=filters.scopes,
            conversation=filters.conversation,
            roles=filters.roles or SPOKEN_ROLES,
            sources=filters.sources,
            since=span[0],
            until=_earlier(span[1], filters.latest),
            hidden=filters.hidden,
            limit=size,
            offset=offset,
        )
        yield read_documents(state, ids)
        if len(ids) < size:
            return
        offset, size = offset + size, max(first, min(2 * size, LONGEST_BLOCK))


def _earlier(until: int | None, latest: int | None) -> int | None:
    """The end of a stretch of time of which nothing after a moment is listed."""
    if latest is None:
        return until
    return latest + 1 if until is None else min(until, latest + 1)


def _without(block: Sequence[Document], without: Sequence[Term]) -> Sequence[Document]:
    """The messages that have none of the terms."""
    if not without:
        return block
    matcher = Matcher(without)
    return [each for each in block if not matcher.places(level(index_text(each.text)))]


def _named(terms: Sequence[Term]) -> str:
    return ", ".join(f"“{term.text}”" for term in terms)
