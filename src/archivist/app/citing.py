"""A context as a model is given it here: what its summaries cite are the ids of this home."""

from collections.abc import Iterable

from msgspec.structs import replace

from archivist.records import Message
from archivist.store.citations import renamed_in
from archivist.store.connection import Connection
from archivist.store.lines import SUMMARY


def cited_here(db: Connection, messages: Iterable[Message]) -> list[Message]:
    """Messages with the ids in their summaries as they are in this home, wherever the conversation comes from."""
    return [
        _recited(db, message) if message.metadata.get(SUMMARY) is True else message for message in messages
    ]


def _recited(db: Connection, message: Message) -> Message:
    names = renamed_in(db, message.id or 0)
    if not names:
        return message
    from archivist.compress.citing import recited  # noqa: PLC0415 - only what was imported is told otherwise

    return replace(message, text=recited(message.text, names))


__all__ = ["cited_here"]
