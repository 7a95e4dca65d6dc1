"""Where notes stand: which folder is whose, and what a file's name says of the entries in it.

Names are relative to `memories/`, with slashes. The home's own files are the owner's; below `users/`, `projects/` and `chats/` stand
the same files for one user, project or chat.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from archivist.records import OWNER, Everything, Person, Reader, Scope
from archivist.records.notes import HOME_SCOPE, Target, Tier

CORE_FILES: Final[dict[Target, str]] = {"memory": "MEMORY.md", "user": "USER.md"}
ARCHIVE: Final = "archive"
DAILY: Final = "daily"
LONGEST_KEY: Final = 120
"""Characters of a folder's name; file systems allow 255 bytes."""

_TARGETS: Final[dict[str, Target]] = {name: target for target, name in CORE_FILES.items()}
_ARCHIVE_NAME: Final = re.compile(r"(\d{4}-\d{2})(-user)?(?:-(\d+))?\.md")
_KINDS: Final = {"users": "user", "projects": "project", "chats": "chat"}
_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")


class Place(msgspec.Struct, frozen=True):
    """What a file's name says: whose it is, and which entries stand in it.

    Attributes:
        level: The folder, relative to `memories/`; empty for the home's own.
    """

    level: str
    target: Target
    tier: Tier


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
    return Place(level, "user" if found[2] else "memory", "archive")


def age_of(name: str) -> tuple[str, int]:
    """What sorts the archive's files by month and number; nothing for other files."""
    found = _ARCHIVE_NAME.fullmatch(name.rpartition("/")[2])
    return (found[1], int(found[3] or 1)) if found else ("", 0)


def core_file(level: str, target: Target) -> str:
    """The file of a level that every prompt carries."""
    return _in(level, CORE_FILES[target])


def archive_file(level: str, target: Target, month: str, number: int = 1) -> str:
    """A file of what left the core in a month, such as 2026-11; the further ones of a month are numbered."""
    suffix = "-user" if target == "user" else ""
    return _in(level, f"{ARCHIVE}/{month}{suffix}{f'-{number}' if number > 1 else ''}.md")


def daily_folder(level: str) -> str:
    """The folder of a level's daily notes."""
    return _in(level, DAILY)


def is_level(folder: str) -> bool:
    """Whether a folder can hold notes."""
    kind, _, key = folder.partition("/")
    return not folder or (kind in _KINDS and bool(key) and "/" not in key)


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

    In a group there is no person; what is said there stays there.
    """
    foreign = scope.user if scope.user != OWNER.user else None
    if target == "memory" and scope.project is not None:
        return level_of(Scope(project=scope.project))
    if scope.user is None and scope.chat is not None:
        return level_of(Scope(chat=scope.chat))
    return level_of(Scope(user=foreign))


def levels_in(folder: Path) -> Iterator[str]:
    """The levels that there are in `memories/`, the home's own first."""
    yield ""
    for kind in _KINDS:
        try:
            inside = sorted(entry.name for entry in (folder / kind).iterdir() if entry.is_dir())
        except OSError:
            continue
        yield from (f"{kind}/{name}" for name in inside)


def scope_of(level: str, folder: Path) -> Scope:
    """Whose a level is."""
    kind, _, name = level.partition("/")
    return Scope(**{_KINDS[kind]: _key_of(name, folder / level)}) if name else HOME_SCOPE


def is_visible(scope: Scope, reader: Reader) -> bool:
    """Whether the notes of a level are for a reader, apart from those of the owner's that are marked as shared."""
    if isinstance(reader, Everything):
        return True
    is_owner = reader.user in (OWNER.user, None) and (isinstance(reader, Person) or reader.chat is None)
    if scope == HOME_SCOPE:
        return is_owner
    if isinstance(reader, Person):
        return scope.user == reader.user if scope.project is None else is_owner
    return scope.is_visible_to(reader)


def scope_key(scope: Scope) -> dict[str, str]:
    """By level, the keys that the names of a scope's folders do not tell whole."""
    found = {}
    for name in _KINDS.values():
        key = getattr(scope, name)
        if key is not None and "~" in (level := level_of(Scope(**{name: key}))):
            found[level] = key
    return found


def key_file(level: str) -> str:
    """Where the key of a level stands, if its folder's name is too short for it."""
    return f"{level}/.key"


def is_shortened(level: str) -> bool:
    """Whether a folder's name does not tell the whole key."""
    return "~" in level


def _fields(scope: Scope) -> Iterable[tuple[str, str]]:
    for kind, name in _KINDS.items():
        if (key := getattr(scope, name)) is not None:
            yield kind, key


def _folder_of(key: str) -> str:
    """A name that every file system keeps apart from that of any other key: lower case, the rest as its bytes in hex."""
    encoded = "".join(_safe(character) for character in key)
    if encoded.startswith("."):
        encoded = f"%2E{encoded[1:]}"
    if len(encoded) <= LONGEST_KEY:
        return encoded or "%"
    from hashlib import sha256  # noqa: PLC0415 - seldom needed

    digest = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return f"{encoded[: LONGEST_KEY - 25]}~{digest}"


def _safe(character: str) -> str:
    if character in _PLAIN:
        return character
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def _key_of(name: str, folder: Path) -> str:
    if "~" in name:
        try:
            return (folder / ".key").read_text("utf-8").rstrip("\n")
        except (OSError, UnicodeDecodeError):
            return name
    from urllib.parse import unquote_to_bytes  # noqa: PLC0415 - seldom needed

    return "" if name == "%" else unquote_to_bytes(name).decode("utf-8", "surrogatepass")


def _in(level: str, name: str) -> str:
    return f"{level}/{name}" if level else name
