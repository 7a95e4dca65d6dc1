"""The one stretch of an entry that an edit means."""

import re

from archivist.notes.matching import preview
from archivist.records import ArchivistError
from archivist.records.notes import Entry


class TextNotInEntry(ArchivistError):
    """An entry was found, but not the one stretch of it that an edit should change: it stands there several times, or nowhere."""

    def __init__(self, entry: Entry, text: str, count: int) -> None:
        self.entry = entry
        how = (
            f"stands {count} times in {entry.id}: give a longer stretch"
            if count
            else (f"are not words of {entry.id}: give those that should change, as they stand there")
        )
        super().__init__(f"“{preview(text)}” {how}, or replace the whole entry")


def stretch_in(entry: Entry, text: str, wanted: str) -> tuple[int, int]:
    """Where the one stretch stands that is meant, in the letters given or in other case.

    Raises:
        TextNotInEntry: There are several, or there is none.
    """
    for flags in (re.NOFLAG, re.IGNORECASE):
        found = list(re.finditer(re.escape(wanted), text, flags))
        if len(found) == 1:
            return found[0].span()
        if found:
            raise TextNotInEntry(entry, wanted, len(found))
    raise TextNotInEntry(entry, wanted, 0)
