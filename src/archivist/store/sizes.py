"""What the bytes of `state.db` are spent on, told from the lengths that SQLite keeps in each row's head, so that no text is read."""

from typing import Final

import msgspec

from archivist.store.connection import Connection

_SUM: Final = "coalesce(sum(coalesce(octet_length({}), 0)), 0)"
_OTHERS: Final = (
    "parts",
    "tool_call_id",
    "tool_name",
    "speaker",
    "metadata",
    "masked",
    "client_id",
    "digest",
)
_QUERY: Final = "SELECT {speech}, {results} + {calls}, {reasoning}, {others} FROM messages".format(
    speech="coalesce(sum(CASE WHEN role <> 'tool' THEN octet_length(text) END), 0)",
    results="coalesce(sum(CASE WHEN role = 'tool' THEN octet_length(text) END), 0)",
    calls=_SUM.format("tool_calls"),
    reasoning=_SUM.format("reasoning"),
    others=" + ".join(_SUM.format(name) for name in _OTHERS),
)
_SESSIONS: Final = "SELECT {} FROM sessions".format(
    " + ".join(_SUM.format(name) for name in ("prompt", "title", "cwd", "metadata", "id", "external_id"))
)
_SNAPSHOTS: Final = "SELECT {} FROM snapshot_texts".format(" + ".join(map(_SUM.format, ("text", "report"))))
_PROPOSALS: Final = "SELECT {} FROM proposals".format(
    " + ".join(map(_SUM.format, ("reason", "operations", "evidence", "same")))
)
_REQUESTS: Final = f"SELECT (SELECT {_SUM.format('tools')} FROM tool_lists) + (SELECT {_SUM.format('blocks')} FROM request_blocks)"


class StateSizes(msgspec.Struct, frozen=True):
    """Bytes of the database file by kind; together they are the file.

    Attributes:
        text: What was said.
        tools: What tools were called with and returned.
        reasoning: What models thought.
        other: Everything else in rows: parts, metadata, ids, prompts, titles, snapshots, proposals, tools.
        structure: Indexes, page heads, the room that is left in pages.
        free: Pages that hold nothing.
    """

    text: int
    tools: int
    reasoning: int
    other: int
    structure: int
    free: int


def read_sizes(db: Connection) -> StateSizes:
    """The sizes as they are; 0.1 s for 100,000 messages."""
    page, pages, free = (int(db.pragma(name)) for name in ("page_size", "page_count", "freelist_count"))
    text, tools, reasoning, other = db.execute(_QUERY).get
    other += db.execute(_SESSIONS).get + db.execute(_SNAPSHOTS).get + db.execute(_PROPOSALS).get
    other += db.execute(_REQUESTS).get
    structure = max(0, (pages - free) * page - text - tools - reasoning - other)
    return StateSizes(text, tools, reasoning, other, structure, free * page)
