"""A store with the tables of `state.db`, filled by plain statements, and an index on it."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import pytest

from archivist.store.index.search_index import SearchIndex
from archivist.store.index.tags import visible
from archivist.store.index.words import phrase
from archivist.store.messages import LAST_ID
from archivist.store.schema import conversations

NOON_2025_MARCH_17 = 1_742_212_800_000


@dataclass
class Store:
    """A `state.db` and the index beside it."""

    folder: Path
    db: apsw.Connection = field(init=False)
    index: SearchIndex = field(init=False)

    def __post_init__(self) -> None:
        self.db = apsw.Connection(str(self.state_path))
        self.db.set_busy_timeout(5000)
        self.db.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF").fetchall()
        if not self.db.table_exists("main", "messages"):
            with self.db:
                self._make_tables()
        self.index = SearchIndex(self.index_path, self.open_state)

    @property
    def state_path(self) -> Path:
        return self.folder / "state.db"

    @property
    def index_path(self) -> Path:
        return self.folder / "index.db"

    def open_state(self) -> apsw.Connection:
        db = apsw.Connection(str(self.state_path), flags=apsw.SQLITE_OPEN_READONLY)
        db.set_busy_timeout(5000)
        return db

    def _make_tables(self) -> None:
        conversations(self.db)
        self.db.execute("INSERT INTO meta VALUES ('store_id', 'first')")
        self.db.execute("INSERT INTO scopes(key, user) VALUES (1, 'owner'), (2, 'guest')")
        self.db.execute("""
            INSERT INTO sessions(key, id, conversation, source, scope, started_at, last_active_at)
            VALUES (1, 'one', 1, 'cli', 1, 0, 0), (2, 'two', 2, 'claude-code', 2, 0, 0)
        """)

    def add(
        self,
        *texts: str,
        role: str = "user",
        session: int = 1,
        at: int = NOON_2025_MARCH_17,
        state: str = "active",
        calls: str | None = None,
    ) -> list[int]:
        """Messages of one transaction; their ids."""
        with self.db:
            ids: list[int] = []
            for text in texts:
                ids.append(ids[-1] + 1 if ids else self.db.execute(LAST_ID).get + 1)
                self.db.execute(
                    "INSERT INTO messages(id, session, conversation, role, state, created_at, text, tool_calls,"
                    " client_id, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, x'00')",
                    (ids[-1], session, session, role, state, at, text, calls, f"client-{ids[-1]}"),
                )
            self.record("added", ids[0], ids[-1])
        return ids

    def set_state(self, state: str, ids: Sequence[int]) -> None:
        with self.db:
            self.db.execute(
                "UPDATE messages SET state = ? WHERE id BETWEEN ? AND ?", (state, ids[0], ids[-1])
            )
            self.record("changed", ids[0], ids[-1])

    def remove(self, ids: Sequence[int]) -> None:
        with self.db:
            self.db.execute("DELETE FROM messages WHERE id BETWEEN ? AND ?", (ids[0], ids[-1]))
            self.record("removed", ids[0], ids[-1])

    def record(self, kind: str, first: int, last: int) -> None:
        self.db.execute(
            "INSERT INTO changes(kind, first_message, last_message) VALUES (?, ?, ?)", (kind, first, last)
        )

    def find(self, text: str, limit: int = 1000) -> list[int]:
        """Ids of visible messages in the index that have the text's words in a row, newest first."""
        with self.index.reading() as reader:
            return reader.newest(visible(f"text : {phrase(text)}"), limit)

    def catch_up(self) -> tuple[str, ...]:
        """Bring the index up to date; codes of the notices."""
        coverage = self.index.catch_up()
        assert coverage.complete, coverage
        return tuple(notice.code for notice in coverage.notices)


@pytest.fixture
def open_store(tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens the store of the test's folder, as another process would."""
    opened: list[Store] = []

    def open_one() -> Store:
        opened.append(Store(tmp_path))
        return opened[-1]

    yield open_one
    for store in opened:
        store.index.close()
        store.db.close()


@pytest.fixture
def store(open_store: Callable[[], Store]) -> Store:
    return open_store()


@pytest.fixture
def run_threads() -> Callable[[Callable[[], object], int], list[object]]:
    """Runs a function in so many threads at once; their results, or the first exception."""

    def run(function: Callable[[], object], threads: int) -> list[object]:
        with ThreadPoolExecutor(threads) as pool:
            return [future.result() for future in [pool.submit(function) for _ in range(threads)]]

    return run


@pytest.fixture(scope="session")
def store_type() -> type[Store]:
    return Store
