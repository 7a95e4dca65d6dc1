"""Whether the index says what the store says, for `doctor` and `verify`.

Damage of the file shows when its pages are read, which SQLite's own check does in full, FTS5's structures
included. Whether the rows are the right ones is derived again from the conversations: which ids are filed, and
over all terms the sum of hash(term) times the messages, and times the places, that it occurs in. Mistakes in
different messages that cancel out for every single term are not seen.
"""

from collections.abc import Sequence

import apsw

from archivist.store.documents import Document
from archivist.store.index.indexer import (
    IndexOutdated,
    checked_mark,
    end_transaction,
    of_the_store,
    read_newest,
    readable_documents,
    touched_after,
)
from archivist.store.index.tables import Mark, read_mark, read_totals
from archivist.store.index.tags import tags_of
from archivist.store.index.words import terms_of

SHOWN_FAULTS = 5
NOT_OF_THIS_STORE = "the search index is not one of this store"
_CHUNK_IDS = 1000


def find_faults(state: apsw.Connection, db: apsw.Connection) -> list[str]:
    """One sentence for each fault; none for an index that is merely behind.

    Raises:
        StoreUnread: When the store cannot be read.
        apsw.Error: When the index cannot be read.
    """
    db.execute("BEGIN")
    try:
        held = read_mark(db)
        with of_the_store():
            state.execute("BEGIN")
            newest = read_newest(state)
        mark = checked_mark(held, newest)
        with of_the_store():
            is_behind = any(touched_after(state, mark, newest))
        return _faults(state, db, mark, is_behind=is_behind)
    except IndexOutdated as error:
        return [f"{NOT_OF_THIS_STORE}: {error}"]
    finally:
        end_transaction(db)
        end_transaction(state)


def _faults(state: apsw.Connection, db: apsw.Connection, mark: Mark, *, is_behind: bool) -> list[str]:
    lines = [str(line) for (line,) in db.execute(f"PRAGMA integrity_check({SHOWN_FAULTS})") if line != "ok"]
    if lines:
        return [f"the search index is damaged: {line}" for line in lines]
    rows, _ = read_totals(db)
    if rows != mark.documents:
        return [f"the search index holds {rows} messages and its mark says {mark.documents}"]
    if is_behind:
        return []  # rows of messages that changed meanwhile are rightly different
    return _content_faults(state, db, mark)


def _content_faults(state: apsw.Connection, db: apsw.Connection, mark: Mark) -> list[str]:
    absent = surplus = messages = places = 0
    for first in range(1, mark.through + 1, _CHUNK_IDS):
        bounds = (first, min(first + _CHUNK_IDS - 1, mark.through))
        with of_the_store():
            documents = list(readable_documents(state, *bounds, []))
        rows = db.execute("SELECT id FROM search_docsize WHERE id BETWEEN ? AND ?", bounds)
        filed = {key for (key,) in rows}
        stored = {document.id for document in documents}
        absent, surplus = absent + len(stored - filed), surplus + len(filed - stored)
        sums = _sums_of(documents)
        messages, places = messages + sums[0], places + sums[1]
    surplus += db.execute(
        "SELECT count(*) FROM search_docsize WHERE id NOT BETWEEN 1 AND ?", (mark.through,)
    ).get
    if absent or surplus:
        return [f"the search index lacks {absent} messages and holds {surplus} that are not stored"]
    if (messages, places) != _sums_held(db):
        return ["the search index files messages under words that they do not contain, or not under all"]
    return []


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
