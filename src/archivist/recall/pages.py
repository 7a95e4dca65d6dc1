"""Finds as hits: the stretch of the text, where it stands, and why it was found."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from archivist.recall.matching import Matcher
from archivist.recall.packing import NOTES, Packed
from archivist.recall.query import Query
from archivist.recall.ranking import Scored
from archivist.recall.request import SearchRequest
from archivist.recall.snippets import snippet
from archivist.records import Hit, Source
from archivist.store.connection import Connection
from archivist.store.conversations import Card, Label, read_cards, read_labels
from archivist.store.rows import instant
from archivist.store.scopes import Scopes

if TYPE_CHECKING:
    from archivist.recall.noted import Shelf

MASKED: Final = "masked"
"""The reason of a note's hit that says that something in it is not shown."""


class Sheet(msgspec.Struct, frozen=True):
    """What all hits of a page are made with."""

    query: Query
    matcher: Matcher
    weights: tuple[float, ...]
    request: SearchRequest
    scopes: Scopes
    shelf: "Shelf | None" = None


def build_hits(state: Connection, packed: Sequence[Packed], sheet: Sheet) -> list[Hit]:
    """The hits of a page, in its order."""
    documents = [each.scored.document for each in packed if each.scored.document.conversation != NOTES]
    cards = read_cards(state, {document.session for document in documents}, sheet.scopes, titled=True)
    labels = read_labels(state, {document.id for document in documents}, sheet.scopes)
    hits = []
    for each in packed:
        document = each.scored.document
        if document.conversation == NOTES and sheet.shelf is not None:
            hits.append(_note_hit(each.scored, sheet, sheet.shelf))
        elif document.session in cards and document.id in labels:  # not gone since it was found
            hits.append(_hit(each, cards[document.session], labels[document.id], sheet))
    return hits


def _hit(packed: Packed, card: Card, label: Label, sheet: Sheet) -> Hit:
    scored, document = packed.scored, packed.scored.document
    return Hit(
        kind="message",
        text=_stretch(document.text, sheet, f"read message {document.id}"),
        source=Source(card.source, label.source_ids, card.conversation_id, document.id),
        session_id=card.id,
        conversation_id=card.conversation_id,
        message_id=document.id,
        role=document.role,
        date=instant(document.created_at).astimezone(sheet.request.zone),
        score=round(scored.score, 6),
        why=tuple(_reasons(scored, sheet.query)),
        title=card.title,
        speaker=label.speaker,
        tool_name=label.tool_name,
        state=document.state,
        others=packed.others,
        explain=dict(scored.parts) if sheet.request.explain else None,
    )


def _note_hit(scored: Scored, sheet: Sheet, shelf: "Shelf") -> Hit:
    text = shelf.text_of(scored.document)
    rest = f"recall {text.id}" if text.kind == "note" else f"read {text.file}"
    why = (
        *_reasons(scored, sheet.query),
        *(["archived"] if text.tier == "archive" else []),
        *([MASKED] if shelf.has_secret(scored.document) else []),
    )
    return Hit(
        kind=text.kind,
        text=_stretch(scored.document.text, sheet, rest),
        source=Source(scored.document.source, (text.id, *text.came_from), file=shelf.file_of(text)),
        session_id=None,
        conversation_id=None,
        message_id=None,
        role=None,
        date=text.at.astimezone(sheet.request.zone),
        score=round(scored.score, 6),
        why=why,
        explain=dict(scored.parts) if sheet.request.explain else None,
        tier=text.tier,
        target=text.target,
        entry_kind=text.entry_kind,
        origin=text.origin,
    )


def _stretch(text: str, sheet: Sheet, rest: str) -> str:
    weights = sheet.weights or (1.0,) * len(sheet.query.terms)
    return snippet(text, sheet.matcher, weights, limit=sheet.request.chars_per_hit, rest=rest)


def _reasons(scored: Scored, query: Query) -> list[str]:
    """Why a find was found, in few words."""
    has = [term for number, term in enumerate(query.terms) if scored.has >> number & 1]
    reasons = [f"exact: {term.text}" for term in has if term.kind in {"whole", "phrase", "verbatim"}]
    words = [term for term in query.terms if term.kind != "verbatim"]
    found = [term for term in has if term.kind != "verbatim"]
    if words and len(found) == len(words):
        reasons.append("all words")
    elif found:
        reasons.append("words: " + ", ".join(term.text for term in found[:6]))
    return reasons
