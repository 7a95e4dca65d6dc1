"""All of a time, newest first, where no words are sought: "what happened yesterday", or a range without a query."""

from dataclasses import replace

from archivist.recall.filters import Filters
from archivist.recall.matching import Matcher
from archivist.recall.packing import Packed
from archivist.recall.pages import Sheet, build_hits
from archivist.recall.query import Query
from archivist.recall.ranking import Scored
from archivist.recall.request import SearchRequest
from archivist.records import Hit, Notice
from archivist.store.connection import Connection
from archivist.store.conversations import list_messages
from archivist.store.documents import read_documents

SPOKEN_ROLES = frozenset({"user", "assistant"})


def list_range(state: Connection, filters: Filters, request: SearchRequest) -> tuple[list[Hit], list[Notice]]:
    """What was said within the filters, the last first; tool output only where its role was asked for."""
    ids: set[int] = set()
    limit = request.limit + len(filters.excluded) + 1
    for since, until in filters.spans or ((None, None),):
        ids.update(
            list_messages(
                state,
                scopes=filters.scopes,
                conversation=filters.conversation,
                roles=filters.roles or SPOKEN_ROLES,
                sources=filters.sources,
                since=since,
                until=until,
                hidden=filters.hidden,
                limit=limit,
            )
        )
    found = read_documents(state, sorted(ids)) if ids else []
    documents = [document for document in found if filters.admits(document)]
    documents.sort(key=lambda document: (-document.created_at, -document.id))
    packed = [Packed(Scored(document, 0.0, 0)) for document in documents[: request.limit]]
    hits = build_hits(state, packed, Sheet(Query(), Matcher(()), (), request, filters.scopes))
    notices = [Notice("more-in-range", "There is more in that range; give a narrower one or a larger limit.")]
    return [replace(hit, why=("newest first",)) for hit in hits], notices if len(
        documents
    ) > request.limit else []
