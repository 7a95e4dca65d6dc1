"""What belongs to a home, file by file: everything in its folder but what is derived, what is a copy, and what is not its own.

Listing what is left out, not what is taken, so that a kind of file that comes later is in every backup without a word here.
"""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec

from archivist.config import Home
from archivist.store.spool import SUFFIX

DERIVED = re.compile(r"(state|index)\.db.*|.*\.lock")
"""At the top: the databases and what SQLite keeps beside them (`state.db` is copied in its own way), and locks."""
COPIES = frozenset({"backups", "backups.jsonl", "aside"})
TEMPORARY = re.compile(r"\..*\.(tmp|leaving)")
CREDENTIALS = re.compile(r"\.env.*|secrets.*|credentials.*|auth.*\.json|.*\.key|.*\.pem", re.IGNORECASE)
TEXT_SUFFIXES = (".md", ".jsonl")  # a note about secrets is a note
OWNERS_WORDS = frozenset({"media", "spool", "memories", "wiki", "history"})
"""Folders in which no file is a credential of the program's, whatever its name."""


class Belongings(msgspec.Struct, frozen=True):
    """The files of a home by their place in it, and what a backup leaves out, each with the reason."""

    files: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def blobs(self) -> tuple[str, ...]:
        """Bytes that are not text; a blob's file never changes."""
        return tuple(name for name in self.files if name.startswith("media/"))

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
    return name.startswith("spool/") and name.endswith(SUFFIX)


def is_text(name: str) -> bool:
    """Whether the file at that place in a home is one that a restore exchanges."""
    return not name.startswith(("media/", "spool/")) and name not in ("state.db", "erased.jsonl")


def belongings(home: Home, *, secrets: bool) -> Belongings:
    """Everything that belongs to a home, `state.db` excepted.

    Args:
        home: Its folder may be missing.
        secrets: Also the files in which credentials are kept.
    """
    files, left_out = [], []
    for name, reason in sorted(_walk(home.path, "")):
        if reason or (not secrets and is_credential(name)):
            left_out.append(f"{name}: {reason or 'credentials'}")
        else:
            files.append(name)
    return Belongings(tuple(files), tuple(left_out))


def is_credential(name: str) -> bool:
    """Whether a file keeps credentials, by its name."""
    folder, _, last = name.rpartition("/")
    if folder.split("/")[0] in OWNERS_WORDS or last.lower().endswith(TEXT_SUFFIXES):
        return False
    return CREDENTIALS.fullmatch(last) is not None


def _walk(folder: Path, inside: str) -> Iterator[tuple[str, str]]:
    """Each file's place and why it cannot be taken along, if it cannot."""
    try:
        entries = list(os.scandir(folder))
    except FileNotFoundError:
        return
    for entry in entries:
        name = f"{inside}{entry.name}"
        if not inside and (DERIVED.fullmatch(entry.name) or entry.name in COPIES):
            continue
        if TEMPORARY.fullmatch(entry.name):
            continue
        if entry.is_dir(follow_symlinks=False):
            reason = "" if inside else _foreign_folder(entry.name)
            yield from [(name, reason)] if reason else _walk(folder / entry.name, f"{name}/")
        else:
            yield name, _unfit(entry)


def _foreign_folder(name: str) -> str:
    if name == "profiles":
        return "each profile is a home of its own: back it up with --profile"
    return "a hidden folder, not Archivist's" if name.startswith(".") else ""


def _unfit(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "a link, which is not followed"
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
    except FileNotFoundError:
        return "gone while it was looked at"
    return "" if stat.S_ISREG(mode) else "not a file"
