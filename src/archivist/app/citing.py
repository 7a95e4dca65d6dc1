"""A context as a model is given it here: what its summaries and shortened messages cite are the ids of this home."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from archivist.records import Message
from archivist.store.citations import renamed_in
from archivist.store.connection import Connection
from archivist.store.lines import SUMMARY


def cited_here(db: Connection, messages: Iterable[Message]) -> list[Message]:
    """Messages with the ids that they cite as they are in this home, wherever the conversation comes from."""
    found = list(messages)
    names = _names_of(found)
    return [
        _recited(db, message)
        if message.metadata.get(SUMMARY) is True
        else _renamed(message, names)
        if names and message.state == "compacted"
        else message
        for message in found
    ]


def _recited(db: Connection, summary: Message) -> Message:
    names = renamed_in(db, summary.id or 0)
    if not names:
        return summary
    from archivist.compress.citing import recited  # noqa: PLC0415 - only what was imported is told otherwise

    return replace(summary, text=recited(summary.text, names))


def _names_of(messages: Sequence[Message]) -> dict[int, int]:
    """By the number that messages which were shortened name themselves by, their ids, where these are others."""
    shortened = [
        one for one in messages if one.state == "compacted" and one.metadata.get(SUMMARY) is not True
    ]
    if not shortened:
        return {}
    from archivist.compress.citing import names_itself  # noqa: PLC0415 - as above

    return {
        number: one.id
        for one in shortened
        for text in (one.text, *(call.arguments for call in one.tool_calls))
        for number in names_itself(text)
        if one.id is not None and number != one.id
    }


def _renamed(message: Message, names: Mapping[int, int]) -> Message:
    from archivist.compress.citing import renamed  # noqa: PLC0415 - as above

    calls = tuple(replace(call, arguments=renamed(call.arguments, names)) for call in message.tool_calls)
    return replace(message, text=renamed(message.text, names), tool_calls=calls)


__all__ = ["cited_here"]
