"""What a codec gives: sessions of a foreign history, and the counts that prove that none of it is missing.

Every record that a codec reads counts once: either it is part of a message, or it was skipped for a reason.
So for each session `read == sum(message.records for message in messages) + sum(skipped.values())`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from archivist.records import ArchivistError, Message, SessionStart, Usage
from archivist.store.places import Order
from archivist.store.raw_prints import Prints

if TYPE_CHECKING:
    from archivist.store.adopting import Adopted

QUIET_SECONDS = 600.0
"""A file that nobody has written to within this time is taken as it stands."""


UNFORESEEN = (ArithmeticError, LookupError, OSError, RecursionError, TypeError, ValueError)
"""What a record of a shape that nobody foresaw can raise; it must not stop the other files, and is reported as that file's problem."""


class TransferError(ArchivistError):
    """A foreign history cannot be read."""


class SourceUnreadable(TransferError):
    """A file of a history cannot be read as what it should be."""

    def __init__(self, path: Path, reason: str, advice: str = "check the file, then import again") -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}: {advice}")


class SourceChanged(TransferError):
    """A file was rewritten while it was read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{path} was rewritten while it was read: import again when its program is idle")


class ForeignMessage(msgspec.Struct, frozen=True):
    """A message and how many records of its source it accounts for.

    Attributes:
        message: With `client_id`, `created_at` and `state`; `metadata["source_ids"]` names its records.
        records: Zero where an earlier message has already counted the same record.
    """

    message: Message
    records: int = 1

    @property
    def source_ids(self) -> tuple[str, ...]:
        """The source's own ids of the records that the message was made of."""
        return tuple(self.message.metadata.get("source_ids", ()))


class Replay(msgspec.Struct, frozen=True):
    """Messages that are read from their source anew each time, never all held at once."""

    begin: Callable[[], Iterator[ForeignMessage]]

    def __iter__(self) -> Iterator[ForeignMessage]:
        return self.begin()


class ForeignSession(msgspec.Struct, frozen=True, kw_only=True):
    """One session of a foreign history.

    Attributes:
        start: With `source` and `external_id`, which name it for ever; its link holds where the parent is
            known.
        parent_external_id: The parent by the source's id.
        messages: In an order in which a history that grows only adds at the end.
        usage: What its requests used, each request once.
        read: Records read that belong to it.
        skipped: Reason and count of those that are part of no message.
        notices: What a person should know, and how often it happened.
        adopted: What an export of Archivist's own tells of it beside.
        prints: By client id, how messages look at the source; see `store.raw_prints`.
        order: All that its file holds of it, where that may be another order than it is stored in; see `store.places`.
    """

    start: SessionStart
    messages: Iterable[ForeignMessage]
    read: int
    skipped: Mapping[str, int] = msgspec.field(default_factory=dict)
    parent_external_id: str | None = None
    usage: Sequence[Usage] = ()
    notices: Mapping[str, int] = msgspec.field(default_factory=dict)
    adopted: "Adopted | None" = None
    prints: Mapping[str, Prints] = msgspec.field(default_factory=dict)
    order: Order | None = None


class Found(msgspec.Struct, frozen=True):
    """A history on this machine.

    Attributes:
        sessions: None where counting would take long.
    """

    format: str
    path: Path
    sessions: int | None
    bytes: int


class SourceFile(msgspec.Struct, frozen=True):
    """A file of a history.

    Attributes:
        name: Names it within its format wherever the history stands, so that its mark is found after a move.
        bytes: Its size.
        print: What it looks like now; equal prints are equal files.
    """

    path: Path
    name: str
    bytes: int
    print: str


def _nothing_to_close() -> None:
    pass


HomeOf = Callable[[SessionStart, Sequence[str], Mapping[str, Prints]], str | None]


def no_home(start: SessionStart, told: Sequence[str], prints: Mapping[str, Prints]) -> None:
    """Nothing is looked for."""


def _is_none(_source: str, _external_id: str) -> bool:
    return False


def _nothing_kept(source: str, name: str) -> None:
    pass


class Content(msgspec.Struct, frozen=True):
    """A file, opened.

    Attributes:
        sessions: Parents before their children.
        fingerprint: To be kept once every session has been stored, or how to tell it then; None while something is held
            back for the next time.
        close: Lets go of the file; the sessions and their messages cannot be read afterwards.
    """

    sessions: Iterator[ForeignSession]
    fingerprint: str | Callable[[], str] | None
    close: Callable[[], None] = _nothing_to_close

    def kept(self) -> str | None:
        """The fingerprint; asked for when the last session has been read."""
        return self.fingerprint() if callable(self.fingerprint) else self.fingerprint


class Reading(msgspec.Struct, frozen=True):
    """How to read.

    Attributes:
        project_of: The project key of a working directory, or None for none.
        owners: The owner's ids on gateways. None: who alone has private chats on a platform is taken for the owner.
        now: The time, so that a response still being written can be held back; None takes everything as it
            stands.
        fingerprint: What was kept of a file at its last complete import, by the format's name and the file's.
        key: With which the looks of messages are hashed; empty where they are not wanted.
        is_away: Whether a session was deleted here, by the format's name and the source's own id.
        is_known: Whether a session is here, or was deleted here.
        home_of: The session whose words a file repeats though no file of that one says them any more; see `store.homes`.
    """

    project_of: Callable[[str], str | None] = str
    now: datetime | None = None
    owners: frozenset[str] | None = None
    fingerprint: Callable[[str, str], str | None] = _nothing_kept
    key: bytes = b""
    home_of: HomeOf = no_home
    is_away: Callable[[str, str], bool] = _is_none
    is_known: Callable[[str, str], bool] = _is_none


class History(Protocol):
    """A history, found and opened."""

    @property
    def files(self) -> Sequence[SourceFile]:
        """Its files."""
        ...

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Those of its files that are to be read, such that parents come before their children."""
        ...

    def read(self, file: SourceFile, earlier: str | None) -> Content:
        """Open one file.

        Args:
            file: One of `files`.
            earlier: The fingerprint kept at its last complete import, if any.

        Raises:
            TransferError: The file cannot be read; so may the sessions and messages of it later.
        """
        ...


class Codec(Protocol):
    """Reads one foreign format."""

    @property
    def name(self) -> str:
        """The format's name, such as "claude-code"."""
        ...

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Found]:
        """Histories where the format's program keeps them."""
        ...

    def recognises(self, path: Path) -> bool:
        """Whether a file or folder is such a history."""
        ...

    def owned(self, path: Path) -> Sequence[Path]:
        """The folders of a history at a path that are all its own, so that nothing else is looked for in them."""
        ...

    def open(self, path: Path, reading: Reading) -> History:
        """Open a history.

        Raises:
            TransferError: There is none.
        """
        ...
