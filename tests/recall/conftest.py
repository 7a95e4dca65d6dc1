"""A store and its index in a temporary folder, and a short way to say and to find things."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from archivist.recall.request import SearchRequest
from archivist.recall.search import search
from archivist.records import EVERYTHING, Message, Page, Reader, SessionStart
from archivist.store import StateStore
from archivist.store.index.search_index import SearchIndex

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)


class Archive:
    """Conversations that can be searched."""

    def __init__(self, store: StateStore, index_path: Path) -> None:
        self.store, self.index_path, self.sessions = store, index_path, 0
        self.index = SearchIndex(index_path, store.reader)
        self.now = NOW

    def begin(self, source: str = "cli", *, name: str | None = None, **about: object) -> str:
        """A new session's id."""
        self.sessions += 1
        return self.store.start(
            SessionStart(source, **about), session_id=name or f"session-{self.sessions:04d}"
        )

    def say(
        self, *texts: str | Message, session: str | None = None, at: datetime = NOW - timedelta(days=3)
    ) -> list[int]:
        """Store messages a second apart, in a new session where none is named; mere text is the user's."""
        messages = [
            text
            if isinstance(text, Message)
            else Message.user(text, created_at=at + timedelta(seconds=number))
            for number, text in enumerate(texts)
        ]
        return self.store.append(session or self.begin(), messages)

    def search(
        self,
        text: str,
        *,
        reader: Reader = EVERYTHING,
        now: datetime = NOW,
        zone: tzinfo = UTC,
        **asked: object,
    ) -> Page:
        """The page for a query."""
        request = SearchRequest(text, now=now, zone=zone, reader=reader, **{"seconds": 30.0, **asked})
        return search(self.store.reader(), self.index, request)

    def find(self, text: str, **asked: object) -> list[int]:
        """The ids of the hits."""
        return [hit.message_id for hit in self.search(text, **asked).hits]

    def codes(self, text: str, **asked: object) -> set[str]:
        """The codes of the notices."""
        return {notice.code for notice in self.search(text, **asked).notices}


@pytest.fixture
def archive(open_store: Callable[..., StateStore], tmp_path: Path) -> Iterator[Archive]:
    opened = Archive(open_store(), tmp_path / "index.db")
    yield opened
    opened.index.close()
