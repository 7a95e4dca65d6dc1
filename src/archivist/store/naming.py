"""What an owner calls a conversation, and what it is called when they take that back.

Called inside a transaction.
"""

from collections.abc import Sequence

import apsw

from archivist.store.scopes import Scopes
from archivist.store.sessions import clear_titles, set_title
from archivist.store.titles import check_free, derive_titles, free_title, given_title, home_of, line_within


def rename(db: apsw.Connection, key: int, title: str | None, scopes: Scopes) -> None:
    """Give a session's line the title that its owner wants, masked already; with None its source's, or else one made of what was said.

    Raises:
        TitleTaken, TitleNotUsable: See there.
    """
    home = home_of(db, key, scopes)
    if title is not None:
        wanted = given_title(title)
        check_free(db, home, wanted)
        set_title(db, home, wanted, "given")
        return
    line = line_within(db, home, scopes)
    clear_titles(db, line)
    if not _give_back_source_titles(db, line):
        set_title(db, home, free_title(db, home, derive_titles(db, [home])[home]), "derived")


def _give_back_source_titles(db: apsw.Connection, line: Sequence[int]) -> bool:
    """Let the sessions of a line be called again what their source calls them; whether it calls any of them something."""
    query = "SELECT source_title FROM sessions WHERE key = ? AND source_title IS NOT NULL"
    told = [(key, title) for key in line for (title,) in db.execute(query, (key,))]
    for key, title in told:
        set_title(db, key, free_title(db, key, title), "source")
    return bool(told)
