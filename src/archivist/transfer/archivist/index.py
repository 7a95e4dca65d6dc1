"""Where in an export each record stands: what the first pass over its lines finds out.

So sessions come parents first whatever the order of the lines, a blob is read when it is named, and memory holds a few numbers a
session, however long the file is.
"""

from array import array
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from archivist.transfer.json_lines import RawLine, lines_in
from archivist.transfer.json_text import shaped_or_none
from archivist.transfer.reasons import DAMAGED, NO_SESSION, UNKNOWN_TYPE, Skipped
from archivist.transfer.trees import parents_first


class Glance(msgspec.Struct, frozen=True):
    """What the first pass wants of a record."""

    type: str = ""
    id: str | None = None
    session: str | None = None
    conversation: str | None = None
    parent: str | None = None
    source: str | None = None
    external_id: str | None = None
    sha256: str | None = None


class Places(msgspec.Struct):
    """Where the file tells of a session.

    Attributes:
        offset: Where its own record stands; None where there is none.
        runs: Beginnings and ends of stretches in which its messages stand.
        messages: How many there are.
        context: Where its context stands.
        usage: Where its usage stands.
        undos: Where the undos of its conversation stand, if it is the last session of it.
    """

    offset: int | None = None
    parent: str | None = None
    external_id: str | None = None
    messages: int = 0
    context: int | None = None
    runs: "array[int]" = msgspec.field(default_factory=lambda: array("q"))
    usage: "array[int]" = msgspec.field(default_factory=lambda: array("q"))
    undos: "array[int]" = msgspec.field(default_factory=lambda: array("q"))


class Index(msgspec.Struct):
    """An export after the first pass.

    Attributes:
        sessions: By id, as the file has them.
        blobs: By SHA-256, where the pieces stand.
        skipped: What is no record of a session, by reason.
    """

    sessions: dict[str, Places] = msgspec.field(default_factory=dict)
    blobs: dict[str, "array[int]"] = msgspec.field(default_factory=dict)
    skipped: Skipped = msgspec.field(default_factory=Skipped)
    _undos: list[tuple[str, int]] = msgspec.field(default_factory=list)
    _last_message: str | None = None
    _last_blob: str | None = None

    @classmethod
    def of(cls, file: BinaryIO) -> "Index":
        """The index of a file of lines."""
        index = cls()
        for line in lines_in(file):
            index._add(line)
        index._settle()
        return index

    def in_order(self) -> Iterator[tuple[str, Places]]:
        """The sessions, each behind its parent, else as the file has them."""
        order, _ = parents_first({name: places.parent for name, places in self.sessions.items()})
        return ((name, self.sessions[name]) for name in order)

    def _add(self, line: RawLine) -> None:
        glance = shaped_or_none(line.raw or b"", Glance)
        if glance is None:
            self.skipped.add(line.flaw, not line.is_blank)
            return
        if glance.type == "message":
            self._add_message(glance, line)
            return
        self._last_message = None if glance.type != "blob" else self._last_message
        if glance.type == "session" and glance.id:
            self._add_session(glance, line.offset)
        elif glance.type == "blob" and glance.sha256:
            self._add_blob(glance.sha256, line.offset)
        elif glance.type == "undo" and glance.session:
            self._undos.append((glance.session, line.offset))
        elif glance.type in {"context", "usage"} and glance.session:
            self._add_fact(glance.type, self._of(glance.session), line.offset)
        elif glance.type != "header":
            is_known = glance.type in {"session", "blob", "undo", "context", "usage"}
            self.skipped.add(DAMAGED if is_known else f"{UNKNOWN_TYPE}{glance.type[:40] or 'none'}")

    def _of(self, session: str) -> Places:
        return self.sessions.setdefault(session, Places())

    def _add_session(self, glance: Glance, offset: int) -> None:
        places = self._of(glance.id or "")
        if places.offset is None:
            places.offset, places.parent, places.external_id = offset, glance.parent, glance.external_id

    def _add_message(self, glance: Glance, line: RawLine) -> None:
        session = glance.session or ""
        places = self._of(session)
        places.messages += 1
        end = line.offset + line.length
        if self._last_message == session:
            places.runs[-1] = end
        else:
            places.runs.extend((line.offset, end))
        self._last_message, self._last_blob = session, None

    def _add_blob(self, name: str, offset: int) -> None:
        if self._last_blob == name:
            self.blobs[name].append(offset)
        elif name not in self.blobs:
            self.blobs[name] = array("q", [offset])
            self._last_blob = name
        else:
            self._last_blob = None  # told again: one copy is enough

    def _add_fact(self, kind: str, places: Places, offset: int) -> None:
        if kind == "usage":
            places.usage.append(offset)
        elif places.context is None:
            places.context = offset

    def _settle(self) -> None:
        """Leave out what has no session, and give the undos to the last session of their conversations."""
        for name in [name for name, places in self.sessions.items() if places.offset is None]:
            self.skipped.add(NO_SESSION, self.sessions.pop(name).messages)
        roots = self._roots()
        last = {roots[name]: places for name, places in self.in_order()}
        for session, offset in self._undos:
            if session in roots:
                last[roots[session]].undos.append(offset)

    def _roots(self) -> dict[str, str]:
        roots: dict[str, str] = {}
        for name, places in self.in_order():
            roots[name] = roots.get(places.parent or "", name)
        return roots
