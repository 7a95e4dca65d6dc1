"""Whether an error that reads like a mistake of the program comes of damage.

SQLite notices damage only where it breaks its own structure. A bit that flips inside a row gives a row that says something else: a time
that is a text, a key that leads nowhere, JSON that is none. What then fails is whatever works with it, with any error at all. So the
error is not asked, but the database: is anything in it not as it was stored? That costs a reading of all of it, once something failed.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from archivist.records import ArchivistError
from archivist.store.connection import open_reader
from archivist.store.rows import UNREADABLE
from archivist.store.trouble import (
    DAMAGE,
    SUSPICIOUS,
    StoreDamaged,
    naming_trouble,
    one_line,
    tells_of_damage,
)


@contextmanager
def naming_damage(path: Path) -> Iterator[None]:
    """As `naming_trouble`, and in place of any error that comes of damage which SQLite itself does not notice.

    Raises:
        StoreDamaged: And what `naming_trouble` raises.
    """
    with naming_trouble(path):
        try:
            yield
        except (ArchivistError, UnicodeDecodeError):
            raise
        except SUSPICIOUS as error:
            if isinstance(error, apsw.SQLError) and tells_of_damage(error):
                raise
            if found := damage_behind(path):
                raise found from error
            raise


def damage_behind(path: Path) -> StoreDamaged | None:
    """The first thing that is wrong with the database there, else what is known to be; None where all of it is as it was stored."""
    from archivist.store.known_damage import known_damage  # noqa: PLC0415 - a row that says nonsense is rare
    from archivist.store.verifying import database_problems  # noqa: PLC0415 - as above

    try:
        with closing(open_reader(path)) as db:
            if found := next(database_problems(db), ""):
                return StoreDamaged(path, found)
            known = known_damage(db)
            return StoreDamaged(path, known.told_with_names, is_known=True) if known else None
    except (*DAMAGE, *UNREADABLE, apsw.SQLError) as error:
        return StoreDamaged(path, one_line(str(error)))
    except (ArchivistError, apsw.Error):
        return None  # it cannot be read now, which is another matter
