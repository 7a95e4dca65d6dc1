"""What has to be kept damaged, in a form that reading it stops nothing else: a column that is no JSON any more is moved into the metadata.

The columns as they were found stay in the file that is set aside, and as texts in the metadata under `as_found`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import apsw
import msgspec

from archivist.records import Part, ToolCall
from archivist.store.known_damage import look_of
from archivist.store.rows import COLUMNS, DAMAGED, UNREADABLE, Row, from_json, to_json
from archivist.store.sessions import unsealed

BLOB_NAME: Final = re.compile("(?:[0-9a-f]{64})?")
AS_FOUND: Final = "as_found"
"""The key in the metadata under which the columns stand that cannot be read."""


def make_legible(db: apsw.Connection, wrong: Iterable[int]) -> None:
    """Let what is damaged be read like anything else; inside a transaction.

    Args:
        db: The new database.
        wrong: Ids of messages that may be damaged.
    """
    for key in sorted(wrong):
        values = db.execute(f"SELECT {COLUMNS} FROM messages WHERE id = ?", (key,)).fetchone()
        row = None if values is None else Row(*values)
        if row is not None and look_of(row):
            names = ", ".join(f"{name} = ?" for name in Row.__struct_fields__)
            db.execute(f"UPDATE messages SET {names} WHERE id = ?", (*legible(row).values, key))
    for name in list(unsealed(db)):
        found: str | None = db.execute("SELECT metadata FROM sessions WHERE id = ?", (name,)).get
        if found is not None and not _is_form(found, _object):
            kept = to_json({DAMAGED: True, AS_FOUND: {"metadata": found}})
            db.execute("UPDATE sessions SET metadata = ? WHERE id = ?", (kept, name))


def legible(row: Row) -> Row:
    """A row whose JSON columns are all of their form."""
    broken: dict[str, str] = {
        name: stored
        for name, form in FORMS.items()
        if (stored := getattr(row, name)) is not None and not _is_form(stored, form)
    }
    if not broken:
        return row
    metadata = {} if "metadata" in broken else dict(from_json(row.metadata, {}))
    metadata |= {DAMAGED: True, AS_FOUND: broken}
    return msgspec.structs.replace(row, **{**dict.fromkeys(broken), "metadata": to_json(metadata)})


def _is_form(stored: str, form: Callable[[Any], bool]) -> bool:
    try:
        return form(from_json(stored, None))
    except UNREADABLE:
        return False


def _object(value: Any) -> bool:  # noqa: ANN401 - whatever a damaged column holds
    return isinstance(value, Mapping)


def _parts(value: Any) -> bool:  # noqa: ANN401 - as above
    parts = [Part(**fields) for fields in value]
    return all(
        isinstance(field, str)
        for part in parts
        for field in (part.kind, part.text, part.media_type, part.blob, part.name)
    ) and all(BLOB_NAME.fullmatch(part.blob) for part in parts)


def _tool_calls(value: Any) -> bool:  # noqa: ANN401 - as above
    calls = [ToolCall(**fields) for fields in value]
    return all(isinstance(field, str) for call in calls for field in (call.id, call.name, call.arguments))


def _texts(value: Any) -> bool:  # noqa: ANN401 - as above
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


FORMS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "parts": _parts,
    "tool_calls": _tool_calls,
    "metadata": _object,
    "masked": _texts,
}
