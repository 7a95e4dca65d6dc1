"""What belongs to a home, file by file: everything in its folder but what is derived, what is a copy, and what is not its own.

Listing what is left out, not what is taken, so that a kind of file that comes later is in every backup without a word here.
"""

import re
from typing import Final

import msgspec

from archivist.config import Home
from archivist.config.home import (
    ALLOWED,
    ASIDE,
    BACKUPS,
    CONFIG,
    ERASED,
    HOSTS,
    KEY_RESTS,
    KNOWN_BACKUPS,
    LOG,
    MEDIA,
    PRICES,
    PRINT_KEY,
    SPOOL,
    STATE,
)
from archivist.files import Entry, walk
from archivist.store.spool import SUFFIX

_NAMES: Final = "|".join(map(re.escape, (HOSTS, KEY_RESTS, LOG, PRINT_KEY, PRICES)))
DERIVED = re.compile(rf"(state|index)\.db.*|.*\.lock|{_NAMES}")
"""At the top: the databases and what SQLite keeps beside them (`state.db` is copied in its own way), locks, the traces of hooks, which
keys rest, the log, a key that stays here, and prices that can be fetched again."""
COPIES: Final = frozenset({BACKUPS, KNOWN_BACKUPS, ASIDE})
TEMPORARY = re.compile(r"\..*\.(tmp|leaving)")
CREDENTIALS = re.compile(r"\.env.*|secrets.*|credentials.*|auth.*\.json|.*\.key|.*\.pem", re.IGNORECASE)
TEXT_SUFFIXES = (".md", ".jsonl")  # a note about secrets is a note
OWNERS_WORDS: Final = frozenset({MEDIA, SPOOL, "memories", "wiki", "history"})
"""Folders in which no file is a credential of the program's, whatever its name."""


class Belongings(msgspec.Struct, frozen=True):
    """The files of a home by their place in it, and what a backup leaves out, each with the reason."""

    files: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def blobs(self) -> tuple[str, ...]:
        """Bytes that are not text; a blob's file never changes."""
        return tuple(name for name in self.files if name.startswith(f"{MEDIA}/"))

    @property
    def payloads(self) -> tuple[str, ...]:
        """Messages that wait in the spool."""
        return tuple(name for name in self.files if is_payload(name))

    @property
    def texts(self) -> tuple[str, ...]:
        """All others: what a person may edit."""
        return tuple(name for name in self.files if is_text(name))


def is_payload(name: str) -> bool:
    """Whether the file at that place in a home is a payload of the spool."""
    return name.startswith(f"{SPOOL}/") and name.endswith(SUFFIX)


def is_text(name: str) -> bool:
    """Whether the file at that place in a home is one that a restore exchanges."""
    return not name.startswith((f"{MEDIA}/", f"{SPOOL}/")) and name not in (STATE, ERASED)


def belongings(home: Home, *, secrets: bool) -> Belongings:
    """Everything that belongs to a home, `state.db` excepted.

    Args:
        home: Its folder may be missing.
        secrets: Also the files in which credentials are kept.
    """
    files, left_out = [], []

    def enters(name: str) -> bool:
        if not _is_its_own(name):
            return False
        reason = "" if "/" in name else _foreign_folder(name)
        if reason:
            left_out.append(f"{name}: {reason}")
        return not reason

    for entry in walk(home.path, enters=enters):
        if not _is_its_own(entry.name):
            continue
        if reason := _unfit(entry) or ("" if secrets or not is_credential(entry.name) else "credentials"):
            left_out.append(f"{entry.name}: {reason}")
        else:
            files.append(entry.name)
    return Belongings(tuple(sorted(files)), tuple(sorted(left_out)))


def is_needed(name: str) -> bool:
    """Whether what has that place in a home is the program's own, so that nothing else may take it."""
    first = name.split("/", maxsplit=1)[0]
    if first in {CONFIG, ALLOWED, ERASED, KNOWN_BACKUPS, MEDIA, SPOOL, BACKUPS, ASIDE}:
        return True
    return is_credential(name) or ("/" not in name and DERIVED.fullmatch(name) is not None)


def is_credential(name: str) -> bool:
    """Whether a file keeps credentials, by its name."""
    folder, _, last = name.rpartition("/")
    if folder.split("/")[0] in OWNERS_WORDS or last.lower().endswith(TEXT_SUFFIXES):
        return False
    return CREDENTIALS.fullmatch(last) is not None


def _is_its_own(name: str) -> bool:
    """Whether what has that place is neither derived, a copy nor half-written."""
    is_derived = "/" not in name and (DERIVED.fullmatch(name) or name in COPIES)
    return not is_derived and not TEMPORARY.fullmatch(name.rpartition("/")[2])


def _foreign_folder(name: str) -> str:
    if name == "profiles":
        return "each profile is a home of its own: back it up with --profile"
    return "a hidden folder, not Archivist's" if name.startswith(".") else ""


def _unfit(entry: Entry) -> str:
    return {"file": "", "link": "a link, which is not followed", "other": "not a file"}[entry.kind]
