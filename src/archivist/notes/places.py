"""Where notes stand: which folder is whose, and what a file's name says of the entries in it.

Names are relative to `memories/`, with slashes. The home's own files are the owner's; below `users/`, `projects/` and `chats/` stand
the same files for one user, project or chat.
"""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from archivist.notes.folders import NotesUnreadable, names_in, refuse_dangling
from archivist.records import OWNER, Everything, Person, Reader, Scope, text_digest
from archivist.records.notes import HOME_SCOPE, Target, Tier
from archivist.records.patterns import late_pattern

CORE_FILES: Final[dict[Target, str]] = {"memory": "MEMORY.md", "user": "USER.md"}
ARCHIVE: Final = "archive"
DAILY: Final = "daily"
LONGEST_KEY: Final = 120
"""Bytes of a folder's name; file systems allow 255, some that encrypt names 143."""
NOBODYS: Final = Scope("\0", "\0", "\0")
"""Whose a level is of which nobody knows whose it is: it is shown to nobody."""

_TARGETS: Final[dict[str, Target]] = {name: target for target, name in CORE_FILES.items()}
_ARCHIVE_NAME: Final = late_pattern(r"(\d{4}-\d{2})(-user)?(-superseded)?(?:-(\d+))?\.md")
_KINDS: Final = {"users": "user", "projects": "project", "chats": "chat"}
FORBIDDEN: Final = frozenset("/\\\0")
_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")
_ASCII_PLAIN: Final = late_pattern(r"[a-z0-9_-][a-z0-9._-]*")
_LETTERS: Final = frozenset(("Ll", "Lo", "Lm"))
_JAMO: Final = range(0x1100, 0x1200)
"""Parts of Korean letters: beside each other they are one letter to some file systems."""
_HASH_CHARS: Final = 24
_SHORTENED: Final = late_pattern(rf".*~([0-9a-f]{{{_HASH_CHARS}}})", re.DOTALL)


class Place(msgspec.Struct, frozen=True):
    """What a file's name says: whose it is, and which entries stand in it.

    Attributes:
        level: The folder, relative to `memories/`; empty for the home's own.
        is_closed: Whether what stands there holds no more: something that corrects it took its place.
    """

    level: str
    target: Target
    tier: Tier
    is_closed: bool = False


@lru_cache(maxsize=4096)
def place_of(name: str) -> Place | None:
    """What stands in a file; None where it is none of the notes' files."""
    folder, _, file = name.rpartition("/")
    if (target := _TARGETS.get(file)) is not None and is_level(folder):
        return Place(folder, target, "core")
    level, _, last = folder.rpartition("/")
    found = _ARCHIVE_NAME.fullmatch(file)
    if found is None or last != ARCHIVE or not is_level(level):
        return None
    return Place(level, "user" if found[2] else "memory", "archive", bool(found[3]))


def is_core(name: str) -> bool:
    """Whether a file is one of the two that every prompt carries."""
    place = place_of(name)
    return place is not None and place.tier == "core"


def archive_first(name: str) -> tuple[bool, str]:
    """Sorts files as they are written: what moves stands in both for a moment, not in none."""
    place = place_of(name)
    return place is None or place.tier == "core", name


def age_of(name: str) -> tuple[str, int]:
    """What sorts the archive's files by month and number; nothing for other files."""
    found = _ARCHIVE_NAME.fullmatch(name.rpartition("/")[2])
    return (found[1], int(found[4] or 1)) if found else ("", 0)


def core_file(level: str, target: Target) -> str:
    """The file of a level that every prompt carries."""
    return _in(level, CORE_FILES[target])


def archive_file(level: str, target: Target, month: str, number: int = 1, *, is_closed: bool = False) -> str:
    """A file of what left the core in a month, such as 2026-11; the further ones of a month are numbered.

    What holds no more has files of its own, so that whoever reads the folder sees it, with the journal or without.
    """
    suffix = ("-user" if target == "user" else "") + ("-superseded" if is_closed else "")
    return _in(level, f"{ARCHIVE}/{month}{suffix}{f'-{number}' if number > 1 else ''}.md")


def daily_folder(level: str) -> str:
    """The folder of a level's daily notes."""
    return _in(level, DAILY)


def is_level(folder: str) -> bool:
    """Whether a folder can hold notes; none that leads elsewhere can."""
    kind, _, key = folder.partition("/")
    return not folder or (kind in _KINDS and bool(key) and key[0] != "." and not FORBIDDEN.intersection(key))


def level_of(scope: Scope) -> str:
    """The folder of one user, project or chat; empty for the home's own, which is also the owner's.

    Raises:
        ValueError: More than one field is set.
    """
    fields = [(kind, key) for kind, key in _fields(scope) if (kind, key) != ("users", OWNER.user)]
    if len(fields) > 1:
        raise ValueError("a note belongs to one user, one chat or one project: set at most one of them")
    return "/".join((fields[0][0], _folder_of(fields[0][1]))) if fields else ""


def level_for(target: Target, scope: Scope) -> str:
    """Where something goes that was noted in a scope: about a person to the person, about the work to the project.

    What is said in a group stays there, whoever says it: a user beside a chat only tells who speaks, the owner or anybody else.
    """
    if target == "memory" and scope.project is not None:
        return level_of(Scope(project=scope.project))
    if scope.chat is not None:
        return level_of(Scope(chat=scope.chat))
    return level_of(Scope(user=scope.user))


def level_for_days(scope: Scope) -> str:
    """Where something goes that happened on a day: to whoever tells it, wherever they are at work; to the place what nobody tells.

    In a group that is the place as well.
    """
    if scope.user is not None and scope.chat is None:
        return level_of(Scope(user=scope.user))
    return level_for("memory", scope)


def levels_in(folder: str | Path) -> Iterator[str]:
    """The levels that there are in `memories/`, the home's own first.

    Raises:
        NotesUnreadable: A folder is there, and what is in it cannot be told.
    """
    yield ""
    there = set(names_in(os.fspath(folder)))
    for kind in _KINDS:
        if kind in there:
            yield from (f"{kind}/{name}" for name in _folders_in(f"{folder}/{kind}"))


def scope_of(level: str, folder: Path, reader: Reader | None = None) -> Scope:
    """Whose a level is; `NOBODYS` where nothing tells it.

    Args:
        level: Its folder.
        folder: `memories/`.
        reader: Who asks: whoever has the key of a level needs no file that tells it.
    """
    kind, _, name = level.partition("/")
    if not name:
        return HOME_SCOPE
    key = _key_of(name, folder / level)
    if key is None and reader is not None:
        key = _key_that_fits(level, getattr(reader, _KINDS[kind], None))
    return NOBODYS if key is None else Scope(**{_KINDS[kind]: key})


def proper_level(level: str, folder: Path) -> str | None:
    """The folder that notes of a level's key are written to: another one where a hand made this one; None where the key is lost."""
    whose = scope_of(level, folder)
    if whose == NOBODYS:
        return None
    kind, _, name = level.partition("/")
    return f"{kind}/{_folder_of(getattr(whose, _KINDS[kind]) or '')}" if name else ""


def is_visible(scope: Scope, reader: Reader) -> bool:
    """Whether the notes of a level are for a reader, apart from those of the owner's that are marked as shared.

    In a group nobody's own are, theirs who asks no more than anybody else's: all read there what one is shown.
    """
    if scope == NOBODYS:
        return False
    if isinstance(reader, Everything):
        return True
    is_owner = reader.user in (OWNER.user, None) and (isinstance(reader, Person) or reader.chat is None)
    if scope == HOME_SCOPE:
        return is_owner
    if isinstance(reader, Person):
        return scope.user == reader.user if scope.project is None else is_owner
    if reader.chat is not None and scope.user is not None:
        return False
    return scope.is_visible_to(reader)


def scope_key(scope: Scope) -> dict[str, str]:
    """By level, the keys that the names of a scope's folders do not tell whole."""
    found = {}
    for name in _KINDS.values():
        key = getattr(scope, name)
        if key is not None and is_shortened(level := level_of(Scope(**{name: key}))):
            found[level] = key
    return found


def key_file(level: str) -> str:
    """Where the key of a level stands, if its folder's name is too short for it."""
    return f"{level}/.key"


def is_shortened(level: str) -> bool:
    """Whether a folder's name does not tell the whole key."""
    return "~" in level and _SHORTENED.fullmatch(level) is not None


def keep_keys(folder: Path, keys: Mapping[str, str]) -> None:
    """Write down the keys that the names of folders do not tell, where they do not stand there yet.

    Args:
        folder: `memories/`.
        keys: By level.

    Raises:
        FileNotWritten: One could not be written.
    """
    from archivist.files import write_atomically  # noqa: PLC0415 - seldom needed

    for level, key in keys.items():
        if is_shortened(level) and _key_of(level.partition("/")[2], folder / level) is None:
            write_atomically(folder / key_file(level), f"{key}\n".encode("utf-8", "surrogatepass"))


def _fields(scope: Scope) -> Iterable[tuple[str, str]]:
    for kind, name in _KINDS.items():
        if (key := getattr(scope, name)) is not None:
            yield kind, key


def _folders_in(folder: str) -> list[str]:
    refuse_dangling(folder)
    try:
        with os.scandir(folder) as entries:
            return sorted(_composed(Path(entry.path)) for entry in entries if _is_folder(entry))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise NotesUnreadable(Path(folder), error) from error


def _is_folder(entry: os.DirEntry[str]) -> bool:
    if not entry.is_dir() and entry.name[0] != "." and entry.is_symlink():
        refuse_dangling(entry.path)
    return entry.is_dir()


def _composed(entry: Path) -> str:
    """A folder's name as it was given, on a disk that takes letters apart."""
    name = entry.name
    if name.isascii():
        return name
    composed = unicodedata.normalize("NFC", name)
    return composed if composed == name or entry.with_name(composed).is_dir() else name


@lru_cache(maxsize=1024)
def _folder_of(key: str) -> str:
    """A name that every file system keeps apart from that of any other key, and gives back as it is."""
    if len(key) <= LONGEST_KEY and _ASCII_PLAIN.fullmatch(key):
        return key
    encoded = "".join(map(_safe, key))
    if encoded.startswith("."):
        encoded = f"%2E{encoded[1:]}"
    raw = encoded.encode()
    if len(raw) <= LONGEST_KEY:
        return encoded or "%"
    return f"{raw[: LONGEST_KEY - _HASH_CHARS - 1].decode('utf-8', 'ignore')}~{_hash_of(key)}"


def _hash_of(key: str) -> str:
    return text_digest(key)[:_HASH_CHARS]


def _safe(character: str) -> str:
    if character in _PLAIN or (not character.isascii() and _stays_apart(character)):
        return character
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def _stays_apart(character: str) -> bool:
    """Whether no file system takes a character for another one, or for several: a letter with one form, and not an upper case one.

    Which are letters is asked of a version of Unicode that stays, so that every Python gives the same names.
    """
    upper = character.upper()
    return (
        unicodedata.ucd_3_2_0.category(character) in _LETTERS
        and ord(character) not in _JAMO
        and unicodedata.normalize("NFKC", character) == character
        and character.casefold() == character.lower() == character
        and upper.lower() == upper.casefold() == character
    )


def _key_of(name: str, folder: Path) -> str | None:
    """The key that a folder's name tells, or the file beside its notes; None where neither does."""
    if not is_shortened(name):
        return _key_in(name)
    try:
        text = (folder / ".key").read_bytes().decode("utf-8", "surrogatepass")
    except (OSError, UnicodeDecodeError):
        return None
    return next(
        (key for end in ("\n", "\r\n", "") if name.endswith(_hash_of(key := text.removesuffix(end)))), None
    )


@lru_cache(maxsize=4096)
def _key_in(name: str) -> str | None:
    if "%" not in name:
        return name
    from urllib.parse import unquote_to_bytes  # noqa: PLC0415 - seldom needed

    try:
        return "" if name == "%" else unquote_to_bytes(name).decode("utf-8", "surrogatepass")
    except UnicodeError:
        return None


def _key_that_fits(level: str, key: str | None) -> str | None:
    name = level.partition("/")[2]
    return key if key is not None and is_shortened(name) and _folder_of(key) == name else None


def _in(level: str, name: str) -> str:
    return f"{level}/{name}" if level else name
