"""What the owner lets be shown although the scanner finds something in it: one line for each block, in a text file of the home.

A block is known by the id that is made of its words: wherever they stand they are allowed, and they are asked about again when they
change. Nothing that a model can call adds a line. No word of what is allowed stands in the file, so that what is deleted elsewhere stays
deleted.
"""

import os
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Final

import msgspec

from archivist.config import Home
from archivist.files.appending import append
from archivist.files.regular import read_regular
from archivist.records import ArchivistError
from archivist.records.patterns import late_pattern

HEAD: Final = "# What models are shown although the scanner finds something in it: `archivist guard` adds and removes lines.\n"
LOCK_SECONDS: Final = 10.0
_ID: Final = late_pattern(r"[0-9a-f]{32}")
_LINE: Final = late_pattern(r"[ \t]*([0-9a-f]{32})(?:[ \t]+(\d{4}-\d{2}-\d{2}))?[ \t]*(?:#.*)?")


class NoBlockId(ArchivistError):
    """A text is no id of a block."""

    def __init__(self, given: str) -> None:
        super().__init__(
            f"{given[:100]!r} is no block's id: those have 32 digits from 0 to 9 and a to f, and stand where a block is withheld"
        )


class AllowancesUnreadable(ArchivistError):
    """It cannot be read what is allowed; until then nothing is."""

    def __init__(self, path: Path, reason: OSError) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"{path} cannot be read ({reason.strerror or reason}), so nothing is allowed: make it readable"
        )


class Allowance(msgspec.Struct, frozen=True):
    """A block that is shown whatever is found in it.

    Attributes:
        id: Of the block.
        since: When it was allowed; None where a hand wrote the line without a day.
    """

    id: str
    since: date | None = None


class Allowances:
    """What is allowed in a home.

    Args:
        home: Where the file stands.
        now: The time, in the owner's zone.
    """

    def __init__(self, home: Home, now: Callable[[], datetime]) -> None:
        self.path, self._now = home.allowed_file, now

    def list(self) -> tuple[Allowance, ...]:
        """All of them, in the order of the file.

        Raises:
            AllowancesUnreadable: See there.
        """
        return _listed(_text(self.path))

    def allow(self, block: str) -> bool:
        """Let a block be shown; whether it was not allowed before.

        Raises:
            NoBlockId: That is none.
            AllowancesUnreadable, FileNotWritten, FileLocked: Nothing was changed.
        """
        from archivist.files.locks import locked  # noqa: PLC0415 - who only asks what is allowed changes nothing

        key = _key(block)
        with locked(self._lock, seconds=LOCK_SECONDS):
            text = _text(self.path)
            if any(one and one.id == key for one in map(_allowance, text.splitlines())):
                return False
            before = "" if text.endswith("\n") else "\n" if text else HEAD
            append(self.path, f"{before}{key} {self._now().date().isoformat()}\n".encode())
        return True

    def forbid(self, block: str) -> bool:
        """Withhold a block again that was allowed; whether it was. Every other line stays as it is.

        Raises:
            NoBlockId: That is none.
            AllowancesUnreadable, FileNotWritten, FileLocked: Nothing was changed.
        """
        from archivist.files.atomic import write_atomically  # noqa: PLC0415 - as above
        from archivist.files.locks import locked  # noqa: PLC0415 - as above

        key = _key(block)
        with locked(self._lock, seconds=LOCK_SECONDS):
            lines = _text(self.path).splitlines(keepends=True)
            kept = [line for line in lines if (one := _allowance(line)) is None or one.id != key]
            if len(kept) == len(lines):
                return False
            write_atomically(
                Path(os.path.realpath(self.path)), "".join(kept).encode("utf-8", "surrogateescape")
            )
        return True

    @property
    def _lock(self) -> Path:
        return self.path.with_name(f"{self.path.name}.lock")


def allowances_of(home: Home) -> tuple[Allowance, ...]:
    """What is allowed in a home.

    Raises:
        AllowancesUnreadable: See there.
    """
    return _listed(_text(home.allowed_file))


def allowed_in(home: Home) -> frozenset[str]:
    """The ids of the blocks that are allowed in a home; none where that cannot be read, which `doctor` says."""
    try:
        return frozenset(one.id for one in allowances_of(home))
    except AllowancesUnreadable:
        return frozenset()


def _text(path: Path) -> str:
    try:
        return read_regular(path).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise AllowancesUnreadable(path, error) from error


def _listed(text: str) -> tuple[Allowance, ...]:
    return tuple({one.id: one for one in map(_allowance, text.splitlines()) if one}.values())


def _allowance(line: str) -> Allowance | None:
    """What a line allows; None for a remark."""
    found = _LINE.fullmatch(line.rstrip("\r\n"))
    if found is None:
        return None
    try:
        return Allowance(found[1], date.fromisoformat(found[2]) if found[2] else None)
    except ValueError:
        return Allowance(found[1])


def _key(given: str) -> str:
    key = given.strip().lower()
    if _ID.fullmatch(key) is None:
        raise NoBlockId(given)
    return key


__all__ = ["Allowance", "Allowances", "AllowancesUnreadable", "NoBlockId", "allowances_of", "allowed_in"]
