"""What is known of keys, in a file of the home that all processes share: what one learns the others heed.

It is derived: deleted, it begins anew. Keys are named in it by a hash whose own key stands there alone, never by their text, so that the
file tells nobody a key, nor that two homes have the same.
"""

import errno
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from archivist.files.atomic import FileNotWritten, make_folder, write_atomically
from archivist.files.locks import FileLocked, locked
from archivist.files.regular import read_regular
from archivist.models.pool import Change
from archivist.models.rests import Standing
from archivist.records import Notice
from archivist.records.digest import blake2b

LOCK_SECONDS: Final = 2.0
MOST_BYTES: Final = 4_000_000
MOST_KEYS: Final = 1_000
KEPT: Final = timedelta(days=90)
"""How long it is known how much a key was used that is used no longer."""


class _Table(msgspec.Struct, frozen=True):
    salt: str
    keys: dict[str, Standing]


class _Foreign(Exception):
    """What stands in the file is not ours, or torn."""


class RestingFile:
    """A shelf that processes share; where it cannot be used, this process goes by what it knows itself, and says so once.

    Args:
        path: Of the file.
        place: Where the keys are sent: the same text at another place is another key.
        now: The time.
        new_id: Makes a random id.
        tell: Is told what a person should know.
    """

    def __init__(
        self,
        path: Path,
        place: str,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        tell: Callable[[Notice], None],
    ) -> None:
        self._path, self._place = path, place
        self._now, self._new_id, self._tell = now, new_id, tell
        self._known: dict[str, Standing] = {}
        self._turn = threading.Lock()
        self._is_told = False

    def change(self, secrets: Sequence[str], change: Change) -> list[Standing]:
        """Change what is known of some keys; nobody else does meanwhile. What is known then."""
        with self._turn:
            try:
                after = self._in_file(secrets, change)
            except (FileLocked, FileNotWritten, OSError) as error:
                self._tell_once(error)
                after = change([self._known.get(secret, Standing()) for secret in secrets])
            self._known.update(zip(secrets, after, strict=True))
            return after

    def look(self, secrets: Sequence[str]) -> list[Standing]:
        """What is known of some keys; nothing is written for it, nor said of a file that is none of ours."""
        try:
            table = _decoded(read_regular(self._path, MOST_BYTES))
        except (_Foreign, OSError):
            return [self._known.get(secret, Standing()) for secret in secrets]
        return [table.keys.get(self._mark(table.salt, secret), Standing()) for secret in secrets]

    def _in_file(self, secrets: Sequence[str], change: Change) -> list[Standing]:
        with suppress(FileNotWritten):
            make_folder(self._path.parent)
        with locked(self._path.with_name(f"{self._path.name}.lock"), seconds=LOCK_SECONDS):
            table, is_foreign = self._read()
            marks = [self._mark(table.salt, secret) for secret in secrets]
            before = [table.keys.get(mark, Standing()) for mark in marks]
            after = change(before)
            if is_foreign or after != before:
                keys = {**table.keys, **dict(zip(marks, after, strict=True))}
                write_atomically(self._path, msgspec.json.encode(_Table(table.salt, self._kept(keys))))
            return after

    def _read(self) -> tuple[_Table, bool]:
        """What stands in the file, and whether that was none of ours."""
        try:
            return _decoded(read_regular(self._path, MOST_BYTES)), False
        except FileNotFoundError:
            return self._begun(), False
        except _Foreign:
            pass
        except OSError as error:
            if error.errno != errno.EFBIG:
                raise
        told = f"{self._path} is no table of what is known of keys and begins anew: keys that rested are tried again"
        self._tell(Notice("key-rests-begun-anew", told))
        return self._begun(), True

    def _begun(self) -> _Table:
        return _Table("".join(self._new_id() for _ in range(4)), {})

    def _mark(self, salt: str, secret: str) -> str:
        key = blake2b(salt.encode(), digest_size=32).digest()
        return blake2b(f"{self._place}\0{secret}".encode(), key=key, digest_size=16).hexdigest()

    def _kept(self, keys: dict[str, Standing]) -> dict[str, Standing]:
        """Without those that nobody uses any longer."""
        last = self._now() - KEPT
        used = [(mark, one) for mark, one in keys.items() if one.used_at is not None and one.used_at > last]
        used.sort(key=lambda pair: pair[1].used_at or last)
        return dict(used[-MOST_KEYS:])

    def _tell_once(self, error: Exception) -> None:
        if not self._is_told:
            self._is_told = True
            told = f"what is known of keys is not shared with other processes ({error})"
            self._tell(Notice("key-rests-not-shared", told))


def _decoded(content: bytes) -> _Table:
    try:
        return msgspec.json.decode(content, type=_Table)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise _Foreign from None


__all__ = ["RestingFile"]
