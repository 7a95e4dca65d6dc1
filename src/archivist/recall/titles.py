"""Conversations whose title is what was asked for: a hit of its own, though no message has the words.

An exact title comes first. A title that only holds the words comes first where they look like a name (digits
or marks in them), else last, and only where the page has room.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import apsw

from archivist.recall.filters import Filters
from archivist.recall.request import SearchRequest
from archivist.records import Hit
from archivist.store.conversations import opening_messages, titled_sessions
from archivist.store.documents import Document, read_documents

SHORTEST: Final = 2
LONGEST: Final = 200
MOST: Final = 2
"""Title hits of a page."""


def add_titles(
    state: apsw.Connection,
    hits: list[Hit],
    filters: Filters,
    request: SearchRequest,
    as_hits: Callable[[Sequence[Document]], list[Hit]],
) -> list[Hit]:
    """The hits with those found by title, no more than the limit."""
    wanted = request.text.strip().strip('"').lower()
    if not SHORTEST <= len(wanted) <= LONGEST:
        return hits
    titled = titled_sessions(state, wanted, filters.scopes)
    if not titled:
        return hits
    exact = {key for key, title in titled if title.strip().lower() == wanted}
    sessions = sorted((key for key, _ in titled), key=lambda key: (key not in exact, -key))[:MOST]
    openings = opening_messages(state, sessions)
    if not openings:
        return hits
    documents = {document.id: document for document in read_documents(state, list(openings.values()))}
    is_name = any(not character.isalpha() and not character.isspace() for character in wanted)
    first: list[Hit] = []
    last: list[Hit] = []
    for session in sessions:
        document = documents.get(openings.get(session, 0))
        if document is None or not filters.admits(document):
            continue
        hit = replace(as_hits([document])[0], why=("title",))
        (first if session in exact or is_name else last).append(hit)
    return _joined(first, hits, last, request.limit)


def _joined(first: Sequence[Hit], hits: Sequence[Hit], last: Sequence[Hit], limit: int) -> list[Hit]:
    """First, the finds by words, last; a conversation that both name stands once, where it is higher."""
    page: list[Hit] = []
    for hit in first:
        twin = next((each for each in hits if each.conversation_id == hit.conversation_id), None)
        page.append(hit if twin is None else replace(twin, why=("title", *twin.why)))
    shown = {hit.message_id for hit in page}
    page += [hit for hit in hits if hit.message_id not in shown]
    top = page[0].score if page else 0.0
    page = [replace(hit, score=top + 1.0) if hit.score == 0.0 and hit in first else hit for hit in page]
    named = {hit.conversation_id for hit in page}
    page += [hit for hit in last if hit.conversation_id not in named]
    return page[:limit]
