"""A rollout after its first pass, and by what a message is known again.

A message is known by its session, by who says what in it, and by how often that was said in the session before; never by its file, its
line, or its time: copies have other lines, forks write other times, and a text that is told twice may be damaged in one telling.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

import msgspec

from archivist.records import Part, State
from archivist.transfer.codex.lines import Payload
from archivist.transfer.codex.pairs import View, plain_words
from archivist.transfer.codex.tokens import Meter
from archivist.transfer.json_lines import Place
from archivist.transfer.reasons import Skipped

Kind = Literal["person", "answer", "call", "result", "compaction"]
Only = Literal["all", "media", "visible", "plan"]
"""What of a line is told: all of it, or what its other telling has left out."""

DIGEST_BYTES = 10


class Numbered(Place, frozen=True):
    """The place of a line, and its number in the file."""

    number: int


class Entry(msgspec.Struct):
    """A line that becomes a message, with the reasoning before it.

    Attributes:
        key: By what it is known again in its session.
        is_shown_too: Whether what people typed is told in the file as it was shown, too.
        is_replaced: Whether bytes of its line were no UTF-8.
    """

    place: Numbered
    kind: Kind
    view: View
    time: datetime | None
    is_inferred: bool
    only: Only = "all"
    key: str = ""
    reasoning: tuple[Numbered, ...] = ()
    tool: str | None = None
    failed: bool = False
    is_shown_too: bool = False
    is_borrowed: bool = False
    is_replaced: bool = False
    state: State = "active"

    @property
    def is_clear(self) -> bool:
        """Whether its line is whole and has a time of its own."""
        return not (self.is_replaced or self.is_inferred)

    @property
    def records(self) -> int:
        """How many lines it is made of."""
        return 1 + len(self.reasoning)


class Saying(msgspec.Struct, frozen=True):
    """A line that says, calls, answers or counts something; `key` is that of its message, None for one that tells nothing new."""

    number: int
    time: datetime | None
    key: str | None


class FileIndex(msgspec.Struct):
    """A rollout after the first pass.

    Attributes:
        model: That of the last turn.
        entries: Its own; those of the session that it was forked from are not among them.
        borrowed: Those of the session that it was forked from, as they stood when it was.
        sayings: What every line of the file says; only where that was asked for.
        read: Lines that are not blank.
    """

    entries: list[Entry] = msgspec.field(default_factory=list)
    borrowed: list[Entry] = msgspec.field(default_factory=list)
    sayings: list[Saying] = msgspec.field(default_factory=list)
    read: int = 0
    skipped: Skipped = msgspec.field(default_factory=Skipped)
    notices: Counter[str] = msgspec.field(default_factory=Counter)
    meter: Meter = msgspec.field(default_factory=Meter)
    first_time: datetime | None = None
    cwd: str | None = None
    model: str | None = None
    title: str | None = None


class Keys(msgspec.Struct):
    """Makes the keys of a file's messages, in order."""

    counts: Counter[str] = msgspec.field(default_factory=Counter)

    def next_key(self, kind: Kind, only: Only, said: str) -> str:
        """The key of the next message that says this."""
        told = f"{kind}\0{only if only in {'media', 'plan'} else ''}\0{said}"
        digest = hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=DIGEST_BYTES).hexdigest()
        count = self.counts.get(digest, 0) + 1
        self.counts[digest] = count
        return digest if count == 1 else f"{digest}.{count}"


def client_id(source: str, session: str, key: str) -> str:
    """The id of a message."""
    return f"{source}:{session}:{key}"


def said_in(text: str, media: Iterable[Part] = ()) -> str:
    """What is said, the same in both views; where there are no words, the images."""
    return plain_words(text) or "\0".join(map(_look, media))


def said_by(call: str, payload: Payload) -> str:
    """What a call or a result says: its id, or where it has none all of it."""
    whole = (payload.arguments, payload.input, payload.action, payload.output, payload.result)
    return call or "\0".join([payload.name or "", *(bytes(raw).decode("utf-8", "replace") for raw in whole)])


def _look(part: Part) -> str:
    return part.text or hashlib.sha256(part.data or b"").hexdigest()
