"""Reading stored conversations: whole, around one message, piece by piece, or as a list of the recent ones.

Nothing here is unbounded unless it is asked for: a message is cut at a cap, a passage at another, and each cut
says under which id and offset the rest is read. A passage has no hole: what it leaves out stands before its first
message or after its last. What the reader may not see is not there: the answer is the same as for what does
not exist.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from archivist.recall.snippets import shown
from archivist.records import ArchivistError, Browse, Message, Notice, Passage, Reader
from archivist.records.hits import Shelf
from archivist.store.connection import Connection
from archivist.store.conversations import (
    conversation_of,
    find_sessions,
    lineage_ids,
    list_sources,
    names_session,
    place_of,
    read_messages,
    read_sessions,
)
from archivist.store.counting import count_of_conversation
from archivist.store.listing import Recent, recent_conversations
from archivist.store.relatives import read_children, read_line
from archivist.store.scopes import Scopes, visible_scopes
from archivist.store.sessions import UnknownSession

MESSAGE_CHARS: Final = 4_000
PASSAGE_CHARS: Final = 24_000
MESSAGE_COST: Final = 100
"""Characters that a message counts beside its own: what is shown of who said it, and when."""
READ_AT_ONCE: Final = 50
"""Messages."""
WIDEST_WINDOW: Final = 50
MOST: Final = 2**62
"""No count of messages is larger."""
PREVIEW_CHARS: Final = 80
PREVIEW_READ_CHARS: Final = 2_000


class AmbiguousSession(ArchivistError):
    """The beginning of an id, or a title, means several sessions."""

    def __init__(self, name: str, ids: Sequence[str]) -> None:
        self.name, self.ids = name, tuple(ids)
        super().__init__(f"{name!r} means {len(ids)} sessions ({', '.join(ids[:5])}): give the id of one")


class UnknownMessage(ArchivistError):
    """There is no such message in that conversation."""

    def __init__(self, message_id: int, name: str) -> None:
        self.message_id, self.name = message_id, name
        super().__init__(
            f"no message {message_id} in conversation {name!r}: search for it, or read the conversation without it"
        )


def read(
    state: Connection,
    conversation: str,
    *,
    reader: Reader,
    around: int | None = None,
    window: int = 5,
    offset: int = 0,
    message_chars: int = MESSAGE_CHARS,
    passage_chars: int = PASSAGE_CHARS,
) -> Passage:
    """A conversation's messages in order.

    Without `around`: from the message `offset` on, as many as fit. With it: that message and those beside it. The
    message itself is then read from its character `offset` on, so that a long one is read piece by piece.

    Args:
        state: A reading connection.
        conversation: Its id, the id of any session of it, the source's own id, or the beginning of an id that
            means only one.
        reader: Who asks.
        around: A message of it.
        window: Messages before and after that one, at most 50.
        offset: Where to read on.
        message_chars: What is shown of one message.
        passage_chars: What is shown in all.

    Raises:
        UnknownSession: There is none that this reader may see.
        AmbiguousSession: The beginning of an id means several.
        UnknownMessage: `around` is not in it.
    """
    scopes = visible_scopes(state, reader)
    session = resolve_session(state, conversation, scopes)
    passage = _Passage(state, scopes, message_chars, passage_chars)
    if around is None:
        return passage.whole(session, max(offset, 0))
    home = _home_of(state, session, around, conversation, scopes)
    return passage.around(home, around, min(max(window, 0), WIDEST_WINDOW), max(offset, 0))


def browse(
    state: Connection,
    *,
    reader: Reader,
    limit: int = 20,
    offset: int = 0,
    source: str | None = None,
    shelf: Shelf = "listed",
) -> Browse:
    """Conversations, the last active first, each at the newest of its sessions that the reader may see, and how it began.

    Args:
        state: A reading connection.
        reader: Who asks.
        limit: How many at most.
        offset: How many of the most recent to pass over.
        source: Only of this program.
        shelf: Those that were not put away, those that were, or both.
    """
    scopes = visible_scopes(state, reader)
    recent, counted = recent_conversations(
        state,
        scopes=scopes,
        source=source,
        limit=min(max(limit, 0), MOST),
        offset=min(max(offset, 0), MOST),
        shelf=shelf,
    )
    return Browse(
        tuple(each.session for each in recent),
        counted.total,
        _unknown_source(state, source, scopes) if source and not counted.total else (),
        previews={each.session.id: _preview(each) for each in recent},
        archived=counted.archived if shelf == "listed" else 0,
        forks={each.session.id: each.forks for each in recent if each.forks},
        active={each.session.id: each.active for each in recent},
        counts={each.session.id: each.shown for each in recent},
    )


def _unknown_source(state: Connection, source: str, scopes: Scopes) -> tuple[Notice, ...]:
    """Which programs there are, where the one that was asked for is none of them."""
    known = list_sources(state, scopes)
    if not known or source in known:
        return ()
    text = f"No conversation was held in {source}; the sources are: {', '.join(known)}."
    return (Notice("unknown-source", text),)


def resolve_session(state: Connection, name: str, scopes: Scopes, *, derived: bool = True) -> int:
    """The key of the session that a name means: its id, its source's id, a title or the beginning of an id that means only one.

    Titles that are derived each time and stored nowhere mean something only where `derived`.

    Raises:
        UnknownSession, AmbiguousSession: There is none that may be seen, or there are several.
        TypeError: It is no text.
    """
    if not isinstance(name, str):
        raise TypeError(f"a conversation is named by a text, such as its id or its title, not by {name!r}")
    found = find_sessions(state, name, scopes, derived=derived)
    if not found:
        raise UnknownSession(name)
    if len(found) > 1 and not names_session(state, name, found[0]):
        raise AmbiguousSession(name, [session.id for session in read_sessions(state, found, scopes)])
    return found[0]


def _home_of(state: Connection, session: int, message: int, name: str, scopes: Scopes) -> int:
    """The session to read a message in: the one asked for, or another one of the same conversation."""
    place = place_of(state, message, scopes) if 0 < message <= MOST else None
    if place is None or place[1] != conversation_of(state, session):
        raise UnknownMessage(message, name)
    return session if message in lineage_ids(state, session, scopes, hidden=True) else place[0]


def _preview(recent: Recent) -> str:
    """The beginning of what was said first, on one line; empty where nothing was."""
    text = "" if recent.opening is None else recent.opening.text
    preview = " ".join(shown(text[:PREVIEW_READ_CHARS]).split())
    return preview if len(preview) <= PREVIEW_CHARS else f"{preview[: PREVIEW_CHARS - 1]}…"


class _Passage:
    """One passage in the making, within its caps."""

    def __init__(self, state: Connection, scopes: Scopes, message_chars: int, passage_chars: int) -> None:
        self.state, self.scopes, self.message_chars, self.left = state, scopes, message_chars, passage_chars
        self.notices: list[Notice] = []

    def whole(self, session: int, offset: int) -> Passage:
        """From the message `offset` on, as many as fit."""
        ids = lineage_ids(self.state, session, self.scopes)
        messages = self._fitting(ids[offset:])
        before = min(offset, len(ids))
        after = len(ids) - before - len(messages)
        if after:
            end = before + len(messages)
            text = (
                f"Truncated: messages {end + 1:,} to {len(ids):,} are not shown; read on with offset {end}."
            )
            self.notices.append(Notice("truncated", text))
        return self._passage(session, messages, (before, after))

    def around(self, session: int, message: int, window: int, offset: int) -> Passage:
        """A message, read from a character on, and those beside it."""
        ids = lineage_ids(self.state, session, self.scopes)
        if message not in ids:
            ids = lineage_ids(self.state, session, self.scopes, hidden=True)
        place = ids.index(message)
        anchor = self._cut(read_messages(self.state, [message], self.scopes)[0], offset)
        self.left -= len(anchor.text)
        before = self._fitting(ids[max(0, place - window) : place][::-1])[::-1]
        after = self._fitting(ids[place + 1 : place + 1 + window])
        messages = (*before, anchor, *after)
        return self._passage(session, messages, (place - len(before), len(ids) - place - 1 - len(after)))

    def _passage(self, session: int, messages: Sequence[Message], beside: tuple[int, int]) -> Passage:
        """The passage of these messages, given how many stand before and after them."""
        (record,) = read_sessions(self.state, [session], self.scopes)
        before, after = beside
        said = count_of_conversation(self.state, session, self.scopes)
        return Passage(
            record,
            tuple(messages),
            before,
            after,
            tuple(self.notices),
            line=tuple(read_line(self.state, session, self.scopes)),
            children=tuple(read_children(self.state, session, self.scopes)),
            left_out=max(0, said - before - len(messages) - after),
        )

    def _fitting(self, ids: Sequence[int]) -> list[Message]:
        """Messages as long as there is room; the first one always."""
        fitting: list[Message] = []
        for start in range(0, len(ids), READ_AT_ONCE):
            for message in read_messages(self.state, ids[start : start + READ_AT_ONCE], self.scopes):
                short = self._cut(message, 0)
                size = len(short.text) + sum(len(call.arguments) for call in short.tool_calls) + MESSAGE_COST
                if fitting and size > self.left:
                    return fitting
                self.left -= size
                fitting.append(short)
        return fitting

    def _cut(self, message: Message, offset: int) -> Message:
        """A message within its cap, with marks where it was cut."""
        text, end = message.text, offset + self.message_chars
        piece = shown(text[offset:end])
        if offset:
            piece = f"[from character {min(offset, len(text)):,}] … {piece}"
        if end < len(text):
            piece += (
                f" … [cut, {len(text) - end:,} more characters: read message {message.id} from offset {end}]"
            )
        calls = tuple(
            call
            if len(call.arguments) <= self.message_chars
            else replace(call, arguments=_cut_arguments(call.arguments, self.message_chars))
            for call in message.tool_calls
        )
        parts = tuple(
            part
            if len(part.text) <= self.message_chars
            else replace(part, text=_cut_arguments(part.text, self.message_chars))
            for part in message.parts
        )
        return replace(message, text=piece, tool_calls=calls, parts=parts, reasoning=None)


def _cut_arguments(text: str, limit: int) -> str:
    return f"{text[:limit]} … [cut, {len(text) - limit:,} more characters]"
