"""The tables of `index.db`, and the mark that says how far they are.

The mark is written in the transaction that writes the rows, so it never says more or less than is there.
Messages up to the id `through` are in the index, and those after it are not. Every change up to number `seq`
has been followed for them. A change that touches many messages is followed in steps: the one after `seq` has
been followed for messages up to `within`.
"""

import apsw
import msgspec

from archivist.store.index.words import TOKENIZER, WORDS_VERSION

SCHEMA_VERSION = 1
HASH_BYTES = 16 << 20  # of new postings held in memory, so that a batch is written as one segment
LEAF_BYTES = 8000  # one leaf to a page
MERGED_SEGMENTS = 8  # of a size at once while indexing: with FTS5's 4 a first filling costs a third more
_MARK_COLUMNS = "store_id, seq, within, through, documents, extras"
_SEARCH_TABLES = (
    "SELECT count(*) FROM sqlite_schema"
    " WHERE name IN ('search', 'search_data', 'search_idx', 'search_docsize', 'search_config')"
)
_AVERAGES_ROW = 1  # of FTS5's data table: the number of rows, then of words in each column, as varints


class Mark(msgspec.Struct, frozen=True):
    """How far the index is.

    Attributes:
        store_id: The store that it was made from.
        documents: Rows that it holds.
        extras: Words in it that `split_words` does not count: parts of identifiers, single characters,
            fillers.
    """

    store_id: str
    seq: int = 0
    within: int = 0
    through: int = 0
    documents: int = 0
    extras: int = 0


def create_tables(db: apsw.Connection, store_id: str) -> Mark:
    """Empty tables for a store."""
    with db:
        db.execute(f"""
            CREATE VIRTUAL TABLE search USING fts5(
                text, tags, content='', contentless_delete=1, detail=full, tokenize='porter {TOKENIZER}');
            INSERT INTO search(search, rank) VALUES ('pgsz', {LEAF_BYTES});
            INSERT INTO search(search, rank) VALUES ('hashsize', {HASH_BYTES});
            INSERT INTO search(search, rank) VALUES ('automerge', {MERGED_SEGMENTS});
            CREATE TABLE meta(
                schema INTEGER NOT NULL, words_version INTEGER NOT NULL, store_id TEXT NOT NULL,
                seq INTEGER NOT NULL, within INTEGER NOT NULL, through INTEGER NOT NULL,
                documents INTEGER NOT NULL, extras INTEGER NOT NULL);
        """)
        db.execute(
            "INSERT INTO meta VALUES (?, ?, ?, 0, 0, 0, 0, 0)", (SCHEMA_VERSION, WORDS_VERSION, store_id)
        )
    return Mark(store_id)


def read_mark(db: apsw.Connection) -> Mark | None:
    """The mark; None if the tables were made by other rules than these, or are not there.

    Raises:
        apsw.CorruptError, apsw.NotADBError: For a damaged file.
    """
    try:
        row = db.execute(
            f"SELECT ({_SEARCH_TABLES}), schema, words_version, {_MARK_COLUMNS} FROM meta"
        ).fetchone()
    except apsw.SQLError:
        return None
    if row is None or row[:3] != (5, SCHEMA_VERSION, WORDS_VERSION):
        return None
    return Mark(*row[3:])


def write_mark(db: apsw.Connection, mark: Mark) -> None:
    """Record how far the index is, in the transaction that is open."""
    db.execute(
        "UPDATE meta SET seq = ?, within = ?, through = ?, documents = ?, extras = ?",
        (mark.seq, mark.within, mark.through, mark.documents, mark.extras),
    )


def read_totals(db: apsw.Connection) -> tuple[int, int]:
    """FTS5's own numbers of rows and of words in the column `text`, as of the last commit."""
    block = db.execute("SELECT block FROM search_data WHERE id = ?", (_AVERAGES_ROW,)).get
    numbers = _varints(block or b"")
    return (numbers[0], numbers[1]) if len(numbers) >= 2 else (0, 0)


def _varints(block: bytes) -> list[int]:
    """SQLite's varints: seven bits a byte, most significant first, a set high bit for "more"."""
    numbers, value = [], 0
    for byte in block:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(value)
            value = 0
    return numbers
