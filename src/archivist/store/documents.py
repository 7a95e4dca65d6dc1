"""What of a stored message can be searched: its speech, and its work.

Speech is what people and models said. Work is what tools were called with and what they returned: it is found too, but counts less.
Both are real characters: JSON escapes are decoded here, once, for the indexer and for the ranking alike.
"""

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import apsw
import msgspec

from archivist.records import Role, State
from archivist.records.messages import BACKGROUND
from archivist.store.lines import IS_SUMMARY
from archivist.store.rows import EPOCH, MILLISECOND, as_text, instant

DOCUMENT_COLUMNS = (
    "m.id, m.role, m.state, m.created_at, m.text, m.parts, m.tool_calls, m.tool_name,"
    f" m.session, m.conversation, s.scope, s.source, coalesce({IS_SUMMARY}, 0)"
)


class Document(msgspec.Struct, frozen=True):
    """A message as search sees it; `session`, `conversation` and `scope` are the store's keys.

    Attributes:
        created_at: Milliseconds since 1970 in UTC.
        speech: What was said; empty for tool results.
        work: Tool names, arguments and results.
        is_summary: Whether a compaction wrote it for its model: what it stands for is found itself.
    """

    id: int
    role: Role
    state: State
    created_at: int
    speech: str
    work: str
    session: int
    conversation: int
    scope: int
    source: str
    is_summary: bool = False

    @property
    def text(self) -> str:
        """Everything that can be searched."""
        return f"{self.speech}\n{self.work}" if self.speech and self.work else self.speech or self.work


def read_documents(state: apsw.Connection, ids: Sequence[int]) -> list[Document]:
    """The documents of those ids that exist, in no particular order."""
    if not ids:
        return []  # SQLite's carray takes no empty array
    found = state.execute(
        f"SELECT {DOCUMENT_COLUMNS} FROM carray(?) AS wanted JOIN messages AS m ON m.id = wanted.value"
        " JOIN sessions AS s ON s.key = m.session",
        (apsw.carray(array("q", ids)),),
    )
    return [document_of(row) for row in found]


def read_document_range(state: apsw.Connection, first: int, last: int) -> Iterator[Document]:
    """The documents with ids from `first` to `last`, both included, in order."""
    rows = state.execute(
        f"SELECT {DOCUMENT_COLUMNS} FROM messages AS m JOIN sessions AS s ON s.key = m.session"
        " WHERE m.id BETWEEN ? AND ? ORDER BY m.id",
        (first, last),
    )
    return map(document_of, rows)


def document_of(row: tuple[Any, ...]) -> Document:
    """A row of `DOCUMENT_COLUMNS` as a document."""
    key, role, state, created_at, text, parts, calls, tool_name, *whose, is_summary = row
    session, conversation, scope, source = whose
    if not (type(text) is type(role) is type(source) is str and type(created_at) is int):
        text, source, role = as_text(text) or "", as_text(source) or "", as_text(role) or ""
        created_at = (instant(created_at) - EPOCH) // MILLISECOND  # damaged: what can be read is found
    if parts is not None:
        text = _with_parts(text, parts)
    speech, work = ("", text) if role == "tool" else (text, "")
    if tool_name:
        work = f"{tool_name}\n{work}"
    if calls is not None:
        work = "\n".join([work, *_call_texts(calls)]) if work else "\n".join(_call_texts(calls))
    said = (key, role, state, created_at, speech, work)
    return Document(*said, session, conversation, scope, source, bool(is_summary))  # type: ignore[arg-type]  # or damaged


def _with_parts(text: str, parts_json: str) -> str:
    """The text and what the parts add to it: captions, extracted text and file names; nobody said what was given beside it."""
    parts = [part for part in msgspec.json.decode(parts_json) if part.get("kind") != BACKGROUND]
    added = [value for part in parts for value in (part.get("text"), part.get("name")) if value]
    return "\n".join([text, *(value for value in added if value not in text)]) if added else text


def _call_texts(calls_json: str) -> Iterator[str]:
    """Each call's tool name and the strings in its arguments."""
    for call in msgspec.json.decode(calls_json):
        yield call["name"]
        try:
            arguments = msgspec.json.decode(call["arguments"])
        except (msgspec.DecodeError, RecursionError):
            yield call["arguments"]  # broken or very deep JSON is still text that someone may look for
        else:
            yield from string_leaves(arguments)


def string_leaves(value: object) -> Iterator[str]:
    """All strings and numbers in a JSON value, depth first, without recursion."""
    stack = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            yield top
        elif isinstance(top, dict):
            stack.extend(reversed(top.values()))
        elif isinstance(top, list):
            stack.extend(reversed(top))
        elif isinstance(top, int | float) and not isinstance(top, bool):
            yield str(top)
