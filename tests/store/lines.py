"""A conversation that tests compact, without a model."""

from archivist.records import Message
from archivist.store.compacting import Compaction, Sent
from archivist.store.compactions import Compactions


def compact(store, session, *, keep=1, child=None, head=0):
    """Let a summary stand for what the model sees but for its first and last messages; returns the child's id."""
    compactions = Compactions(store, store._world)
    tip, seen = compactions.context(session)
    kept = ids(seen)
    compaction = Compaction(
        tuple(kept),
        head=tuple(map(Sent, kept[:head])),
        summary=Message("user", "summary of what was said"),
        tail=tuple(map(Sent, kept[len(kept) - keep :])) if keep else (),
    )
    return compactions.compact(tip, compaction, child_id=child)


def ids(messages):
    return [message.id for message in messages]


def texts(messages):
    return [message.text for message in messages]
