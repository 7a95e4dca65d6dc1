"""Which entry somebody means who gives an id, all of its words or some of them.

An id is meant before words, all words of an entry before words within others, the letters as given before other case, width or spacing.
Nothing is guessed: what several entries could be, or none, is an error that shows which there are.
"""

from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import Final

from archivist.notes.likeness import normal, share
from archivist.notes.saying import saying
from archivist.records import ArchivistError
from archivist.records.display import plain
from archivist.records.notes import Entry

MOST_SHOWN: Final = 5
PREVIEW_CHARS: Final = 80
_LEAST_SHARE: Final = 0.3
"""Of the characters asked for, in runs of three, that an entry has to share to be shown for a miss."""
_CUT_MARKS: Final = ("…", "...")


class NoSuchEntry(ArchivistError):
    """No entry has these words.

    Attributes:
        wanted: What was asked for.
        candidates: The entries that are most like it; none where none is.
        already: The entry that says already what was to be written.
    """

    def __init__(self, wanted: str, candidates: Iterable[Entry], already: Entry | None = None) -> None:
        self.wanted, self.candidates, self.already = wanted, tuple(candidates), already
        nearest, advice = "", "give an id (`archivist memory show` names them)"
        if self.candidates:
            is_one = len(self.candidates) == 1
            nearest = f"; the most like it {'is' if is_one else 'are'} {_listed(self.candidates)}"
            advice = "give that id" if is_one else "give one of these ids"
        super().__init__(
            f"no entry has “{preview(wanted)}”{nearest}{_told(already)}: {advice}, or words that stand in one entry"
        )


class SeveralEntries(ArchivistError):
    """Several entries have these words.

    Attributes:
        wanted: What was asked for.
        candidates: All entries that have it.
        already: The entry that says already what was to be written.
    """

    def __init__(self, wanted: str, candidates: Iterable[Entry], already: Entry | None = None) -> None:
        self.wanted, self.candidates, self.already = wanted, tuple(candidates), already
        super().__init__(
            f"{len(self.candidates)} entries have “{preview(wanted)}”: {_listed(self.candidates)}{_told(already)};"
            " give the id of one, or more of its words"
        )


def find_entry(entries: Sequence[Entry], wanted: str, *, new_text: str | None = None) -> Entry:
    """The entry that is meant.

    Args:
        entries: Those it may be, in their order.
        wanted: Its id, its text, or words that stand in it alone.
        new_text: What is to take its place; an error then says whether an entry says that already.

    Raises:
        NoSuchEntry: None has it; with those that are most like it.
        SeveralEntries: Entries of different texts have it.
    """
    for hits in map(list, _tries(entries, wanted)):
        if len({entry.text for entry in hits}) == 1:
            return hits[0]
        if hits:
            raise SeveralEntries(wanted, hits, new_text_exists(entries, new_text))
    raise NoSuchEntry(wanted, _most_like(entries, wanted), new_text_exists(entries, new_text))


def new_text_exists(entries: Iterable[Entry], text: str | None) -> Entry | None:
    """The first entry that says a text already."""
    if text is None or not text.strip():
        return None
    said = saying(text)
    return next((entry for entry in entries if saying(entry.text) == said), None)


def preview(text: str) -> str:
    """A text in one short line; a cut is marked."""
    line = " ".join(plain(text).split())
    return line if len(line) <= PREVIEW_CHARS else line[: PREVIEW_CHARS - 1].rstrip() + "…"


def _tries(entries: Sequence[Entry], wanted: str) -> Iterable[Iterable[Entry]]:
    """What could be meant, the surest first."""
    words = wanted.replace("\r\n", "\n").replace("\r", "\n").strip().strip("\ufeff").strip()
    if not words:
        return
    for is_meant in (
        lambda entry: entry.id == words,
        lambda entry: entry.text == words,
        lambda entry: words in entry.text,
    ):
        yield filter(is_meant, entries)
    yield from _loose_tries(entries, words)


def _loose_tries(entries: Sequence[Entry], words: str) -> Iterable[Iterable[Entry]]:
    folded = [(entry, normal(entry.text)) for entry in entries]
    for said in dict.fromkeys((normal(words), normal(_without_cut(words)))):
        if said:
            yield [entry for entry, text in folded if text == said]
            yield [entry for entry, text in folded if said in text]


def _without_cut(words: str) -> str:
    """A preview that was given back, as far as it stands in the entry."""
    for mark in _CUT_MARKS:
        words = words.removesuffix(mark)
    return words


def _most_like(entries: Sequence[Entry], wanted: str) -> list[Entry]:
    said = normal(wanted)
    scored = [(share(said, normal(entry.text)), -place) for place, entry in enumerate(entries)]
    return [entries[-place] for alike, place in nlargest(MOST_SHOWN, scored) if alike >= _LEAST_SHARE]


def _listed(entries: Sequence[Entry]) -> str:
    shown = ", ".join(f"{entry.id} “{preview(entry.text)}”" for entry in entries[:MOST_SHOWN])
    more = len(entries) - MOST_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _told(already: Entry | None) -> str:
    return f"; {already.id} says already what was to be written" if already is not None else ""


__all__ = ["NoSuchEntry", "SeveralEntries", "find_entry", "new_text_exists", "preview"]
