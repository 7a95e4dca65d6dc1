"""Curated texts: what a program or its owner had distilled, as statements for the notes, counted like records.

A piece of such a text is a bullet, a paragraph, a table, a fence or an entry. So for each text
`read == len(statements) + sum(skipped.values())`.
"""

import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

import msgspec
from msgspec.structs import replace

from archivist.notes.blocks import blocks_of
from archivist.notes.statements import Statement
from archivist.records import Scope
from archivist.records.notes import HOME_SCOPE, Target
from archivist.transfer.foreign import SourceUnreadable, TransferError
from archivist.transfer.reasons import REPLACED_BYTES

MOST_BYTES: Final = 16 << 20
"""Of a text that somebody curates."""
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


class Curated(msgspec.Struct, frozen=True, kw_only=True):
    """A curated text.

    Attributes:
        statements: What it says, in its order.
        skipped: Reason and count of its pieces that are none.
        notices: What a person should know, and how often it happened.
        problem: Why it could not be read.
    """

    path: Path
    statements: Sequence[Statement] = ()
    skipped: Mapping[str, int] = msgspec.field(default_factory=dict)
    notices: Mapping[str, int] = msgspec.field(default_factory=dict)
    problem: TransferError | None = None

    @property
    def read(self) -> int:
        """How many pieces it has."""
        return len(self.statements) + sum(self.skipped.values())


@runtime_checkable
class CuratedHistory(Protocol):
    """A history that holds curated texts beside its sessions."""

    def curated(self) -> Iterable[Curated]:
        """Its curated texts; asked for when its sessions have been read."""
        ...


class TextFile(msgspec.Struct, frozen=True):
    """A text file, read.

    Attributes:
        raw: Its bytes.
        at: When it was last written: nothing in it was noted later.
    """

    path: Path
    raw: bytes
    at: datetime

    @property
    def is_damaged(self) -> bool:
        """Whether something in it is no text."""
        try:
            self.raw.decode(self._encoding)
        except UnicodeDecodeError:
            return True
        return False

    @property
    def text(self) -> str:
        """Its words, without a byte order mark; bytes that say nothing are shown as U+FFFD."""
        return self.raw.decode(self._encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")

    @property
    def _encoding(self) -> str:
        return "utf-16" if self.raw.startswith(UTF_16) else "utf-8-sig"


def curated_file(path: Path, read: Callable[[TextFile], Curated]) -> Curated:
    """What a file says, or why that cannot be told."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            reason = "it is no file of a size that somebody curates"
            return Curated(path=path, problem=SourceUnreadable(path, reason))
        file = TextFile(path, path.read_bytes(), datetime.fromtimestamp(status.st_mtime, UTC))
        told = read(file)
        return replace(told, notices={**told.notices, REPLACED_BYTES: 1}) if file.is_damaged else told
    except OSError as error:
        return Curated(path=path, problem=SourceUnreadable(path, error.strerror or str(error)))


def statements_in(
    text: str,
    target: Target,
    name: str,
    *,
    observed_at: datetime | None = None,
    scope: Scope = HOME_SCOPE,
    in_prompt: bool = True,
) -> list[Statement]:
    """The statements of a Markdown text: one for each bullet, paragraph, table and fence, with the headings above it.

    Args:
        text: All of it.
        target: What it is about.
        name: `FORMAT:FILE`; the number of the statement goes behind it.
        observed_at: When it was noted.
        scope: Whose it is.
        in_prompt: Whether the program's prompt carried it.
    """
    return [
        Statement(target, block, f"{name}#{number}", observed_at, scope, in_prompt=in_prompt)
        for number, block in enumerate(blocks_of(text), 1)
    ]


__all__ = ["Curated", "CuratedHistory", "TextFile", "curated_file", "statements_in"]
