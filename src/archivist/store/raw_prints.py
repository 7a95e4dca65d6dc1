"""Messages known again by what their source says, whatever was masked in them.

Of the text as its source has it only a keyed hash is kept; the key stands outside the database (`store.print_key`). A source that says
something else under an id that is known gets another message, and the one that was there first keeps its words and becomes a branch.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import apsw
import msgspec

from archivist.store.rows import Row, digest_of

AT_ONCE: Final = 500


class Look(NamedTuple):
    """How a message looks at its source, or its beginning: a keyed hash, and the client id under which the rest of it would be stored."""

    print: bytes
    rest: str | None = None


Prints = tuple[Look, ...]
"""How what is told now may be stored: as far as it went when it was taken for finished, and last as it is."""

NO_PRINTS: Final[Mapping[str, Prints]] = MappingProxyType({})


class Known(msgspec.Struct, frozen=True):
    """A message that is here.

    Attributes:
        session: The key of the session that it is of.
        client_id: As it is stored.
        print: None or empty where it is not known.
    """

    id: int
    session: int
    client_id: str
    state: str
    print: bytes | None


class Recognised(msgspec.Struct, frozen=True):
    """What of that which is told is here; by the client id under which it is told.

    Attributes:
        known: What is here.
        renamed: The client id under which what is new is to be stored, where another message had its own first.
        replaced: Messages that were told under one of these ids, and say something else.
    """

    known: dict[str, Known]
    renamed: dict[str, str]
    replaced: list[Known]


def recognise(
    db: apsw.Connection, conversation: int, told: Iterable[str], prints: Mapping[str, Prints]
) -> Recognised:
    """Which messages of a conversation a source tells of.

    Args:
        db: Any connection.
        conversation: Its key.
        told: Client ids.
        prints: By client id, where they are known.
    """
    found = Recognised({}, {}, [])
    ids = list(told)
    for begin in range(0, len(ids), AT_ONCE):
        some = ids[begin : begin + AT_ONCE]
        variants = _variants(db, conversation, some)
        for client_id in some:
            if client_id in variants:
                looks = _possible(db, conversation, prints.get(client_id, ()))
                _sort(found, client_id, variants[client_id], looks)
    return found


def _possible(db: apsw.Connection, conversation: int, prints: Prints) -> list[bytes]:
    """The hashes that a message may have: of its beginning alone only where the rest is here too, and last its own."""
    query = "SELECT EXISTS (SELECT 1 FROM messages WHERE conversation = ? AND client_id = ?)"
    return [
        look.print for look in prints if look.rest is None or db.execute(query, (conversation, look.rest)).get
    ]


def _sort(found: Recognised, client_id: str, variants: Sequence[Known], prints: Sequence[bytes]) -> None:
    same = next((one for one in variants if not prints or one.print in prints), None)
    same = same or next((one for one in reversed(variants) if not one.print), None)
    if same is None:
        found.renamed[client_id] = f"{client_id}@{prints[-1].hex()}"
    else:
        found.known[client_id] = same
    if prints:
        found.replaced.extend(one for one in variants if one is not same)


def _variants(db: apsw.Connection, conversation: int, told: Sequence[str]) -> dict[str, list[Known]]:
    """The messages that were told under these ids: the first of each, then those that said something else."""
    marks = ", ".join("?" * len(told))
    rows: list[Any] = db.execute(
        "SELECT m.client_id, m.id, m.session, m.client_id, m.state, r.print FROM messages AS m"
        f" LEFT JOIN raw_prints AS r ON r.message = m.id WHERE m.conversation = ? AND m.client_id IN ({marks})",
        (conversation, *told),
    ).fetchall()
    if db.execute("SELECT EXISTS (SELECT 1 FROM raw_prints WHERE told_as IS NOT NULL)").get:
        rows += db.execute(
            "SELECT r.told_as, m.id, m.session, m.client_id, m.state, r.print FROM raw_prints AS r JOIN messages AS m ON m.id = r.message"
            f" WHERE m.conversation = ? AND r.told_as IN ({marks}) ORDER BY m.id",
            (conversation, *told),
        )
    variants: dict[str, list[Known]] = {}
    for client_id, *values in rows:
        variants.setdefault(client_id, []).append(Known(*values))
    return variants


def as_stored(row: Row, recognised: Recognised) -> Row:
    """A row under the client id that it has here, or is to have."""
    known = recognised.known.get(row.client_id)
    client_id = known.client_id if known else recognised.renamed.get(row.client_id, row.client_id)
    if client_id == row.client_id:
        return row
    renamed = msgspec.structs.replace(row, client_id=client_id)
    return msgspec.structs.replace(renamed, digest=digest_of(renamed))


def note_prints(db: apsw.Connection, seen: Iterable[tuple[int, bytes, str | None]]) -> None:
    """Remember how messages looked at their source, where that is not known; inside a transaction.

    Args:
        db: A connection.
        seen: Of each its id, its hash, and the id under which it is told, where that is not its own.
    """
    db.executemany("INSERT OR IGNORE INTO raw_prints VALUES(?, ?, ?)", seen)


def prints_of(
    db: apsw.Connection, conversation: int, session: int
) -> list[tuple[int, str, str, bytes | None, str | None]]:
    """Every message of a session: its id, client id, state and hash, and the id under which it is told, where that is another."""
    rows: Any = db.execute(
        "SELECT m.id, m.client_id, m.state, r.print, r.told_as FROM messages AS m LEFT JOIN raw_prints AS r ON r.message = m.id"
        " WHERE m.conversation = ? AND m.session = ?",
        (conversation, session),
    ).fetchall()
    return rows  # type: ignore[no-any-return]  # the columns' types
