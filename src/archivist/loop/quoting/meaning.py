"""Which note is meant that is to be forgotten: one that surely is, or none."""

import re
from collections.abc import Sequence
from typing import Final

from archivist.loop.quoting.quotes import Hit
from archivist.loop.quoting.wishes import tokens

LEAST_SHARE: Final = 0.7
"""Of the words of a note, that were said: so much is no chance, however little it is."""
_ID: Final = re.compile(r"(?:notes:\S*#)?(e[0-9a-f]{6,40})")


def entry_id_in(what: str) -> str | None:
    """The id of a note, where that is all that was said."""
    found = _ID.fullmatch(what.strip(" .。!！“”\"'`"))
    return None if found is None else found[1]


def surely_meant(what: str, notes: Sequence[Hit]) -> Hit | None:
    """The one note that has all that was said; None where several have it, none, or too little was said to be sure."""
    if key := entry_id_in(what):
        return next((note for note in notes if note.id == key), None)
    same = [note for note in notes if _level(note.text) == _level(what)]
    if same:
        return same[0] if len(same) == 1 else None
    asked = tokens(what)
    having = [note for note in notes if asked and asked <= tokens(note.text)]
    return having[0] if len(having) == 1 and _is_enough(what, asked, having[0]) else None


def _is_enough(what: str, asked: frozenset[str], note: Hit) -> bool:
    """Whether so much was said that it is no chance: characters of Chinese have to stand in a row."""
    if len(asked) >= len(tokens(note.text)) * LEAST_SHARE:
        return True
    is_written_apart = all(word.isascii() or len(word) > 1 for word in asked)
    return len(asked) > 1 if is_written_apart else len(asked) > 3 and _level(what) in _level(note.text)


def _level(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?。！？“”\"'")


__all__ = ["entry_id_in", "surely_meant"]
