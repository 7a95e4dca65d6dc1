"""Whether the index says what the store says: all of it for `verify`, a sample for `doctor`.

Damage of the file shows when its pages are read, which SQLite's own check does in full, FTS5's structures
included. Whether the rows are the right ones is derived again from the conversations: which ids are filed, and
over all terms the sum of hash(term) times the messages, and times the places, that it occurs in. Mistakes in
different messages that cancel out for every single term are not seen.

A sample costs the same however large the index is: stretches of ids, evenly spread and elsewhere each time that the store has changed,
whose messages are looked up under some of their words and all their tags.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import apsw
import msgspec

from archivist.records.counts import counted
from archivist.store.documents import Document
from archivist.store.index.indexer import (
    BATCH_CHARS,
    IndexOutdated,
    checked_mark,
    end_transaction,
    of_the_store,
    read_newest,
    readable_documents,
    touched_after,
)
from archivist.store.index.tables import Mark, read_mark, read_totals
from archivist.store.index.tags import filed_as, tags_of
from archivist.store.index.words import split_words, terms_of

SHOWN_FAULTS = 5
NOT_OF_THIS_STORE = "the search index is not one of this store"
WHOLE_MESSAGES = 2000
"""An index of no more messages is checked whole: 0.3 s."""
SAMPLE_STRETCHES, STRETCH_IDS = 16, 32
SAMPLE_WORDS = 4
MISFILED = "the search index files messages under words that they do not contain, or not under all"
_CHUNK_IDS = 1000


class SpotCheck(msgspec.Struct, frozen=True):
    """What a check found: one sentence for each fault, and how many messages it looked at; None for all."""

    faults: list[str]
    messages: int | None = None


_Look = Callable[[apsw.Connection, apsw.Connection, Mark], SpotCheck]


def find_faults(state: apsw.Connection, db: apsw.Connection) -> list[str]:
    """One sentence for each fault; none for an index that is merely behind.

    Raises:
        StoreUnread: When the store cannot be read.
        apsw.Error: When the index cannot be read.
    """
    damage = _damaged_structure(db)
    return damage or _look_with(_compare_all, state, db).faults


def lasting(faults: Iterable[str]) -> tuple[str, ...]:
    """Those faults that the next search does not mend by itself."""
    return tuple(fault for fault in faults if not fault.startswith(NOT_OF_THIS_STORE))


def check_sample(state: apsw.Connection, db: apsw.Connection) -> SpotCheck:
    """As `find_faults`, but of no more than some hundred messages.

    Raises:
        StoreUnread, apsw.Error: As there.
    """
    mark = read_mark(db)
    if mark is None or mark.documents <= WHOLE_MESSAGES:
        return SpotCheck(find_faults(state, db))
    return _look_with(_compare_sample, state, db)


def _damaged_structure(db: apsw.Connection) -> list[str]:
    lines = [str(line) for (line,) in db.execute(f"PRAGMA integrity_check({SHOWN_FAULTS})") if line != "ok"]
    return [f"the search index is damaged: {line}" for line in lines]


def _look_with(look: _Look, state: apsw.Connection, db: apsw.Connection) -> SpotCheck:
    """Compare an index with its store, both held as they are meanwhile; one that is behind rightly says something else."""
    db.execute("BEGIN")
    try:
        held = read_mark(db)
        with of_the_store():
            state.execute("BEGIN")
            newest = read_newest(state)
        mark = checked_mark(held, newest)
        with of_the_store():
            is_behind = any(touched_after(state, mark, newest))
        rows, _ = read_totals(db)
        if rows != mark.documents:
            return SpotCheck(
                [f"the search index holds {counted(rows, 'message')} and its mark says {mark.documents}"]
            )
        return SpotCheck([], 0) if is_behind else look(state, db, mark)
    except IndexOutdated as error:
        return SpotCheck([f"{NOT_OF_THIS_STORE}: {error}"])
    finally:
        end_transaction(db)
        end_transaction(state)


class _Filing(msgspec.Struct):
    """Which messages are filed and which are stored, compared a stretch at a time."""

    absent: int = 0
    surplus: int = 0

    def compare(
        self, state: apsw.Connection, db: apsw.Connection, first: int, last: int
    ) -> tuple[list[Document], set[int]]:
        """The documents of a stretch, and the ids of those that are filed."""
        with of_the_store():
            documents = list(readable_documents(state, first, last, []))
        rows = db.execute("SELECT id FROM search_docsize WHERE id BETWEEN ? AND ?", (first, last))
        filed, stored = {key for (key,) in rows}, {document.id for document in documents}
        self.absent += len(stored - filed)
        self.surplus += len(filed - stored)
        return documents, filed

    @property
    def faults(self) -> list[str]:
        if not self.absent and not self.surplus:
            return []
        return [
            f"the search index lacks {counted(self.absent, 'message')} and holds {self.surplus} that are not stored"
        ]


def _compare_all(state: apsw.Connection, db: apsw.Connection, mark: Mark) -> SpotCheck:
    filing, messages, places = _Filing(), 0, 0
    last = 0
    while (first := _next_id(state, db, last)) is not None and first <= mark.through:
        last = min(first + _CHUNK_IDS - 1, mark.through)
        documents, _ = filing.compare(state, db, first, last)
        sums = _sums_of(documents)
        messages, places = messages + sums[0], places + sums[1]
    filing.surplus += db.execute(
        "SELECT count(*) FROM search_docsize WHERE id NOT BETWEEN 1 AND ?", (mark.through,)
    ).get
    if filing.faults:
        return SpotCheck(filing.faults)
    return SpotCheck([] if (messages, places) == _sums_held(db) else [MISFILED])


def _next_id(state: apsw.Connection, db: apsw.Connection, after: int) -> int | None:
    """The next message that is stored or filed; one damaged id may be far beyond all others."""
    with of_the_store():
        stored: int | None = state.execute("SELECT min(id) FROM messages WHERE id > ?", (after,)).get
    filed: int | None = db.execute("SELECT min(id) FROM search_docsize WHERE id > ?", (after,)).get
    return min((key for key in (stored, filed) if key is not None), default=None)


def _compare_sample(state: apsw.Connection, db: apsw.Connection, mark: Mark) -> SpotCheck:
    filing, seen, chars, is_misfiled = _Filing(), 0, 0, False
    for first, last in _stretches(mark):
        documents, filed = filing.compare(state, db, first, last)
        seen, chars = seen + len(documents), chars + sum(len(document.text) for document in documents)
        is_misfiled |= not all(_is_found(db, one) for one in documents if one.id in filed)
        if chars >= BATCH_CHARS:
            break
    return SpotCheck([*filing.faults, *([MISFILED] if is_misfiled else [])], seen)


def _stretches(mark: Mark) -> Iterator[tuple[int, int]]:
    """First and last id of each stretch to look at, the newest of them first."""
    step = mark.through // SAMPLE_STRETCHES
    for last in range(mark.through - mark.seq % max(1, step - STRETCH_IDS), 0, -step):
        yield max(1, last - STRETCH_IDS + 1), last


def _is_found(db: apsw.Connection, document: Document) -> bool:
    """Whether a message is filed under its tags and under some of its words, from its whole length."""
    words = list(dict.fromkeys(split_words(document.text)))
    some = words[:: max(1, len(words) // SAMPLE_WORDS)]
    match = filed_as(tags_of(document))
    if some:
        match = f"({match}) AND text : ({' AND '.join(map(_quoted, some))})"
    return bool(
        db.execute("SELECT 1 FROM search WHERE search MATCH ? AND rowid = ?", (match, document.id)).get
    )


def _quoted(word: str) -> str:
    return f'"{word}"'


def _sums_of(documents: Sequence[Document]) -> tuple[int, int]:
    """The sums of the hashes of the documents' terms: each once a document, and each time it occurs."""
    messages = places = 0
    for document in documents:
        terms = [*terms_of(document.text), *tags_of(document).split(" ")]
        messages += sum(map(hash, set(terms)))
        places += sum(map(hash, terms))
    return messages, places


def _sums_held(db: apsw.Connection) -> tuple[int, int]:
    """The same sums of what the index holds."""
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_terms USING fts5vocab('main', 'search', 'row')"
    )
    messages = places = 0
    for term, documents, occurrences in db.execute("SELECT term, doc, cnt FROM temp.search_terms"):
        messages += hash(term) * documents
        places += hash(term) * occurrences
    return messages, places
