"""What the messages of a session carry beside what was said: the texts of those that its model sees and that have some words.

Functions over a connection.
"""

from array import array
from collections.abc import Iterator
from typing import Any, Final

import apsw

from archivist.store.connection import Connection
from archivist.store.contexts import IS_BEHIND, IS_SENT
from archivist.store.lines import lineage_of
from archivist.store.sessions import require_session

_SENT: Final = "coalesce(c.text_as_sent, m.text)", "coalesce(c.parts_as_sent, m.parts)"
_CARRYING: Final = f"""
    SELECT {", ".join(_SENT)} FROM context AS c JOIN messages AS m ON m.id = c.message
    WHERE c.session = :session AND {IS_SENT} AND (instr({_SENT[0]}, :words) OR instr({_SENT[1]}, :words))
    UNION ALL
    SELECT m.text, m.parts FROM messages AS m WHERE m.conversation = :conversation AND m.session = :session AND m.state = 'active'
    AND NOT EXISTS (SELECT 1 FROM placed AS p WHERE p.session = :session AND p.message = m.id AND p.is_left)
    AND {IS_BEHIND} AND (instr(m.text, :words) OR instr(m.parts, :words))
    UNION ALL
    SELECT m.text, m.parts FROM placed AS p JOIN messages AS m ON m.id = p.message
    WHERE p.session = :session AND m.session <> :session AND (instr(m.text, :words) OR instr(m.parts, :words))
"""


def carrying(db: Connection, session_id: str, words: str) -> Iterator[str]:
    """The texts that have some words, of messages, and of their parts as JSON, which the session's model sees.

    Raises:
        UnknownSession: There is no such session.
    """
    found = require_session(db, session_id)
    line: Any = apsw.carray(array("q", lineage_of(db, found.key)))
    names = {"session": found.key, "conversation": found.conversation, "line": line, "words": words}
    for texts in db.execute(_CARRYING, names):
        yield from (text for text in texts if text and words in text)


def place_of(db: Connection, session_id: str) -> str:
    """Where a session is: it is another when something was said in it, taken back, or given back.

    Raises:
        UnknownSession: There is no such session.
    """
    found = require_session(db, session_id)
    last = db.execute(
        "SELECT coalesce(max(id), 0) FROM messages WHERE conversation = ? AND session = ?",
        (found.conversation, found.key),
    ).get
    taken_back = db.execute(
        "SELECT count(*) + count(redone_at) FROM undos WHERE conversation = ?", (found.conversation,)
    ).get
    return f"{last}.{taken_back}"
