"""Titles: whose they are, which one a line shows, which are taken.

A title stands in the row of a session and is shown by all of its line: the owner's first, then what the source called the newest of
its sessions, then one made of what was said. No two lines of one scope have the same title; capitals and outer spaces do not tell
titles apart. Reading only: `store.sessions` writes them.
"""

import unicodedata
from array import array
from collections.abc import Collection
from typing import Any, Final

import apsw
import msgspec

from archivist.records import ArchivistError
from archivist.records.display import plain
from archivist.records.patterns import late_pattern
from archivist.store.lines import IS_SUMMARY, MEMBER_COLUMNS, SHOWN, Lines, Member, lineage_of
from archivist.store.rows import EPOCH, clean, from_json, instant
from archivist.store.scopes import Scopes, is_seen, within

MOST_CHARS: Final = 200
MOST_SAID: Final = 8
"""The user's messages of which one must be more than a greeting."""
UNTITLED_READ: Final = 500
"""Living lines that may be seen, the newest first, whose derived titles are made to find one by it."""
_NUMBER = late_pattern(r" \((\d{1,9})\)$")


class TitleTaken(ArchivistError):
    """Another conversation of the same scope has that title."""

    def __init__(self, title: str, session_id: str) -> None:
        self.title, self.session_id = title, session_id
        super().__init__(f"{title!r} is the title of {session_id}: choose another one, or rename that first")


class TitleNotUsable(ArchivistError):
    """A title is empty or too long."""

    def __init__(self, chars: int) -> None:
        self.chars = chars
        said = f"has {chars} characters, {MOST_CHARS} are the most" if chars else "has no character to show"
        super().__init__(f"the title {said}: give another one, or none for the derived one")


class Titled(msgspec.Struct, frozen=True):
    """The title that a line shows, and who made it."""

    title: str
    origin: str


class _Named(msgspec.Struct, frozen=True):
    key: int
    link: str | None
    scope: int
    title: str | None
    origin: str | None


def clean_title(text: str) -> str:
    """A title on one line, without characters that are not seen; what joins an emoji stays."""
    kept = "".join(
        character
        for character in plain(clean(text)).replace("\n", " ").replace("\t", " ")
        if character in "\u200c\u200d" or unicodedata.category(character) not in {"Cc", "Cf"}
    )
    title = " ".join(kept.split())
    return title if any(character not in "\u200c\u200d " for character in title) else ""


def given_title(text: str) -> str:
    """A title as an owner gives it.

    Raises:
        TitleNotUsable: It is empty or too long.
    """
    title = clean_title(text)
    if not 0 < len(title) <= MOST_CHARS:
        raise TitleNotUsable(len(title))
    return title


def told_title(text: str) -> str:
    """A title as a source or a caller tells it: cut where it is too long; may be empty."""
    title = clean_title(text)
    return title if len(title) <= MOST_CHARS else f"{title[: MOST_CHARS - 1].rstrip()}…"


def title_key(title: str) -> str:
    """What two titles have in common that are the same."""
    return unicodedata.normalize("NFC", " ".join(title.split()).casefold())


def is_numbered(stored: str, told: str) -> bool:
    """Whether a stored title is the one that was told, or that with a number."""
    return title_key(told) in {title_key(stored), title_key(_NUMBER.sub("", stored))}


def check_free(db: apsw.Connection, key: int, title: str) -> None:
    """Refuse a title that another line of a session's scope has.

    Raises:
        TitleTaken: It has.
    """
    if others := _holders(db, key, title_key(title)):
        raise TitleTaken(title, db.execute("SELECT id FROM sessions WHERE key = ?", (others[0],)).get)


def free_title(db: apsw.Connection, key: int, title: str) -> str:
    """The title, with a free number where another line of a session's scope has it: "Plans (2)".

    The number is sought by doubling and halving, so that a thousand conversations of one title cost ten looks each.
    """
    if not _holders(db, key, title_key(title)):
        return title

    def is_taken(number: int) -> bool:
        return bool(_holders(db, key, title_key(f"{title} ({number})")))

    taken, free = 1, 2
    while is_taken(free):
        taken, free = free, 2 * free
    while free - taken > 1:
        middle = (taken + free) // 2
        taken, free = (middle, free) if is_taken(middle) else (taken, middle)
    return f"{title} ({free})"


def _holders(db: apsw.Connection, key: int, wanted: str) -> list[int]:
    """Sessions of a session's scope, but not of its line, that have a title."""
    rows = db.execute(
        "SELECT key FROM sessions WHERE title_key = ? AND scope = (SELECT scope FROM sessions WHERE key = ?) AND key <> ?"
        " ORDER BY key",
        (wanted, key, key),
    )
    found = [other for (other,) in rows]
    line = set(lineage_of(db, key)) if found else set()
    return [other for other in found if other not in line]


def find_titled(db: apsw.Connection, name: str, scopes: Scopes) -> list[int]:
    """Sessions whose stored title is a name, of each line the first that may be seen; the newest first."""
    title = clean_title(name)
    if not title:
        return []
    rows = db.execute("SELECT key, scope FROM sessions WHERE title_key = ?", (title_key(title),))
    return _firsts(db, [key for key, scope in rows if is_seen(scope, scopes)], scopes)


def find_untitled(db: apsw.Connection, name: str, scopes: Scopes) -> list[int]:
    """Living lines that are shown with a name as a title which is not stored yet; the newest first."""
    wanted = title_key(clean_title(name))
    seen, keys = within(scopes)
    rows: Any = db.execute(
        f"SELECT s.key FROM sessions AS s WHERE s.title IS NULL AND s.link IS NOT 'subagent' AND {seen} ORDER BY s.key DESC LIMIT ?",
        (*keys, UNTITLED_READ),
    )
    titles = read_titles(db, [key for (key,) in rows], scopes)
    found = [key for key, shown in titles.items() if wanted and title_key(shown.title) == wanted]
    return _firsts(db, found, scopes)


def _firsts(db: apsw.Connection, keys: Collection[int], scopes: Scopes) -> list[int]:
    """Of each line the first session that may be seen, the newest first."""
    if not keys:
        return []
    families = _Families(db, keys)
    lines = [families.line(key, scopes) for key in keys]
    return sorted({line[0].key for line in lines if line}, reverse=True)


def read_titles(
    db: apsw.Connection, keys: Collection[int], scopes: Scopes, *, derived: bool = True
) -> dict[int, Titled]:
    """The titles of the lines of sessions, by session, made of what may be seen.

    Args:
        db: A connection.
        keys: Sessions that may be seen.
        scopes: Whose titles and words may be used.
        derived: Also make the titles that are not stored.
    """
    if not keys:
        return {}
    families = _Families(db, keys)
    lines = {key: families.line(key, scopes) for key in keys if key in families.named}
    shown = {key: _shown(line) for key, line in lines.items()}
    found = {key: title for key, title in shown.items() if title}
    if derived and (homes := {key: lines[key][0].key for key in shown if key not in found and lines[key]}):
        made = derive_titles(db, set(homes.values()))
        found |= {key: Titled(made[home], "derived") for key, home in homes.items()}
    return found


def home_of(db: apsw.Connection, key: int, scopes: Scopes = None) -> int:
    """The session in whose row a line's title stands: its first of this session's scope that may be seen."""
    return _Families(db, [key]).home(key, scopes)


def untitled_home(db: apsw.Connection, key: int) -> int | None:
    """The session in whose row a title of a session's line should stand, where the line has none; a sub-agent's needs none."""
    families = _Families(db, [key])
    home = families.named[families.home(key, None)]
    is_titled = _shown(families.line(home.key, frozenset({home.scope})))
    return None if is_titled or home.link == "subagent" else home.key


def line_within(db: apsw.Connection, key: int, scopes: Scopes) -> list[int]:
    """The sessions of a session's line that may be seen, in order."""
    return [named.key for named in _Families(db, [key]).line(key, scopes)]


def _shown(line: list[_Named]) -> Titled | None:
    """The owner's title; else the newest of a source; else a derived one that is stored."""
    ways = (("given", line), ("source", line[::-1]), ("derived", line))
    for origin, sessions in ways:
        for named in sessions:
            if named.title is not None and (named.origin or "source") == origin:
                return Titled(named.title, origin)
    return None


class _Families:
    """The conversations of sessions, read once: their lines, and what each session is called."""

    def __init__(self, db: apsw.Connection, keys: Collection[int]) -> None:
        rows: list[Any] = db.execute(
            f"SELECT s.title, s.title_origin, {MEMBER_COLUMNS} FROM sessions AS s WHERE s.conversation IN"
            " (SELECT conversation FROM sessions WHERE key IN (SELECT value FROM carray(?)))",
            (apsw.carray(array("q", keys)),),
        ).fetchall()
        members = [(title, origin, Member(*row)) for title, origin, *row in rows]
        self._lines = Lines(member for *_, member in members)
        self.named = {
            member.key: _Named(member.key, member.link, member.scope, title, origin)
            for title, origin, member in members
        }

    def line(self, key: int, scopes: Scopes) -> list[_Named]:
        """The sessions of a session's line that may be seen, in order."""
        line = [self.named[one] for one in self._lines.line(key)]
        return [named for named in line if is_seen(named.scope, scopes)]

    def home(self, key: int, scopes: Scopes) -> int:
        """See `home_of`."""
        scope = self.named[key].scope
        return next((named.key for named in self.line(key, scopes) if named.scope == scope), key)


def derive_titles(db: apsw.Connection, keys: Collection[int]) -> dict[int, str]:
    """Titles made of what was said in sessions, by session."""
    from archivist.store.deriving import READ_CHARS, derive_title  # noqa: PLC0415 - most titles are stored

    own = (
        f"SELECT substr(m.text, 1, {READ_CHARS}) AS text FROM messages AS m WHERE m.conversation = s.conversation"
        f" AND m.session = s.key AND {SHOWN} AND m.text <> '' AND NOT coalesce({IS_SUMMARY}, 0)"
    )
    rows = db.execute(
        f"SELECT s.key, s.started_at, (SELECT json_group_array(text) FROM ({own} AND m.role = 'user' ORDER BY m.id LIMIT {MOST_SAID})),"
        f" ({own} AND m.role = 'assistant' ORDER BY m.id LIMIT 1)"
        " FROM carray(?) AS wanted JOIN sessions AS s ON s.key = wanted.value",
        (apsw.carray(array("q", keys)),),
    )
    return {
        key: derive_title(from_json(said, ()), [answered or ""], _day_of(started))
        for key, started, said, answered in rows
    }


def _day_of(started: int) -> str | None:
    """The day of a session's beginning; what stands in for one that is lost, or has a damaged time, began in no year."""
    begun = instant(started)
    return None if begun == EPOCH else f"{begun:%Y-%m-%d}"
