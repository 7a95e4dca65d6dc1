"""Conversations whose title is what was asked for: a hit of its own, though no message has the words.

An exact title comes first. A title that only holds the words comes first where they look like a name (digits
or marks in them), else last, and only where the page has room.
"""

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from archivist.recall.filters import Filters
from archivist.recall.levelling import level
from archivist.recall.matching import Matcher
from archivist.recall.packing import Packed
from archivist.recall.pages import Sheet, build_hits
from archivist.recall.query import READ_CHARS, Query
from archivist.recall.ranking import Scored
from archivist.recall.request import MOST_CHARS, SearchRequest
from archivist.records import Hit
from archivist.store.connection import Connection
from archivist.store.conversations import opening_messages, session_titles
from archivist.store.documents import read_documents

if TYPE_CHECKING:
    from archivist.recall.noted import Shelf

SHORTEST: Final = 2
LONGEST: Final = 200
_AROUND_ID: Final = "\"'`.,:;!?()[]<>“”‘’，。：；！？（）「」"
MOST: Final = 2
"""Title hits of a page."""


def add_titles(state: Connection, hits: list[Hit], filters: Filters, request: SearchRequest) -> list[Hit]:
    """The hits with those found by title, no more than the limit."""
    asked = request.text.strip().strip('"')
    if not SHORTEST <= len(asked) <= LONGEST:
        return hits
    (wanted,) = _compared([asked])
    named = session_titles(state, wanted, filters.scopes)
    compared = _compared([title for _, title in named])
    titled = [(key, title) for (key, _), title in zip(named, compared, strict=True) if wanted in title]
    exact = {key for key, title in titled if title == wanted}
    sessions = sorted((key for key, _ in titled), key=lambda key: (key not in exact, -key))[:MOST]
    openings = opening_messages(state, sessions, filters.scopes)
    documents = {document.id: document for document in read_documents(state, list(openings.values()))}
    is_name = any(not character.isalpha() and not character.isspace() for character in wanted)
    sheet = Sheet(Query(), Matcher(()), (), request, filters.scopes)
    first: list[Hit] = []
    last: list[Hit] = []
    for session in sessions:
        document = documents.get(openings.get(session, 0))
        if document is None or not filters.admits(document):
            continue
        (hit,) = build_hits(state, [Packed(Scored(document, 0.0, 0))], sheet)
        (first if session in exact or is_name else last).append(replace(hit, why=("title",)))
    return _joined(first, hits, last, request.limit)


def add_entries(
    state: Connection, shelf: "Shelf", hits: list[Hit], filters: Filters, request: SearchRequest
) -> list[Hit]:
    """The hits with the entries whose ids were asked for, first and whole: so the marks of cut entries say that they are read."""
    words = dict.fromkeys(word.strip(_AROUND_ID) for word in request.text[:READ_CHARS].split())
    named = [document for word in words if (document := shelf.named(word)) is not None]
    named = [document for document in named if filters.admits_time(document.created_at)]
    if not named:
        return hits
    whole = msgspec.structs.replace(request, chars_per_hit=MOST_CHARS)
    sheet = Sheet(Query(), Matcher(()), (), whole, filters.scopes, shelf)
    first = build_hits(state, [Packed(Scored(document, 0.0, 0)) for document in named], sheet)
    top = max((each.score for each in hits), default=0.0)
    sources = {hit.source for hit in first}
    others = [each for each in hits if each.source not in sources]
    return [*(replace(hit, why=("id", *hit.why), score=top + 1.0) for hit in first), *others][: request.limit]


def _compared(titles: Sequence[str]) -> list[str]:
    """Titles as they are compared: composed, in small letters, without accents; all at once, which is quicker."""
    lines = "\n".join(title.strip().replace("\n", " ") for title in titles)
    return level(unicodedata.normalize("NFC", lines)).split("\n")[: len(titles)]


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
