"""The words of a conversation that a note rests on, found when it is noted."""

from typing import Final

from archivist.notes.likeness import normal, share
from archivist.notes.sentences import sentences_of
from archivist.records import Message
from archivist.records.notes import Quote
from archivist.store import StateStore

LOOKED_AT: Final = 40
"""So many of the latest messages of a session."""
LEAST_SHARE: Final = 0.3
"""Of the note's runs of three characters that a sentence must have to be what it rests on."""
OWNERS_FIRST: Final = 1.25
"""What a person said counts so much more than what a model or a tool did."""
LONGEST_QUOTE: Final = 300


def quotes_for(store: StateStore, session_id: str, text: str) -> tuple[Quote, ...]:
    """The sentence of a session's latest messages that a note rests on most plainly; none where none does.

    Raises:
        UnknownSession: There is no such session.
    """
    said = normal(text)
    best, found = LEAST_SHARE, tuple[Quote, ...]()
    reader = store.session(session_id).scope  # a session may carry what was said in another scope
    for message in store.context(session_id, reader)[-LOOKED_AT:]:
        for sentence in sentences_of(message.text[:20_000]):
            alike = share(said, normal(sentence)) * (OWNERS_FIRST if message.role == "user" else 1.0)
            if alike > best:
                best, found = alike, (_quote(message, sentence, session_id),)
    return found


def _quote(message: Message, sentence: str, session_id: str) -> Quote:
    return Quote(sentence[:LONGEST_QUOTE], message.id, message.session_id or session_id)
