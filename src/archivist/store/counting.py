"""How much a database holds, for whoever asks."""

from archivist.store.connection import Connection
from archivist.store.scopes import Scopes, within


def count_of_conversation(db: Connection, session: int, scopes: Scopes) -> int:
    """How many messages of a session's whole conversation may be seen: of every state, on every line."""
    seen, keys = within(scopes)
    return int(
        db.execute(
            "SELECT count(*) FROM sessions AS own CROSS JOIN sessions AS s ON s.conversation = own.conversation"
            " CROSS JOIN messages AS m ON m.conversation = s.conversation AND m.session = s.key"
            f" WHERE own.key = ? AND {seen}",
            (session, *keys),
        ).get
    )


def count_rows(db: Connection, scopes: Scopes) -> dict[str, int]:
    """How many conversations, sessions and messages a database holds that may be seen."""
    seen, keys = within(scopes)
    conversations, held = db.execute(
        f"SELECT count(DISTINCT s.conversation), count(*) FROM sessions AS s WHERE {seen}", keys
    ).get
    said = "FROM messages"
    if scopes is not None:
        said = (
            "FROM sessions AS s CROSS JOIN messages AS m"
            f" WHERE m.conversation = s.conversation AND m.session = s.key AND {seen}"
        )
    return {
        "conversations": conversations,
        "sessions": held,
        "messages": db.execute(f"SELECT count(*) {said}", keys).get,
    }
