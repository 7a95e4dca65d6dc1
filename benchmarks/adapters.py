"""Archivist in the shape in which benchmarks load a system under test: nothing of its own."""

import tempfile
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any

import archivist
from archivist import EVERYTHING, Archivist, Message, compress, mask

UNDATED = datetime(2024, 1, 1, tzinfo=UTC)


class Ranker:
    """Documents as the messages of one conversation in a home of their own."""

    name = "archivist"

    def rank(self, docs: Sequence[str], queries: Sequence[str], limit: int | None = None) -> list[list[int]]:
        """For each query the indices into docs, best first."""
        return self.rank_dated(docs, [None] * len(docs), queries, [None] * len(queries), limit)

    def rank_dated(
        self,
        docs: Sequence[str],
        dates: Sequence[str | None],
        queries: Sequence[str],
        query_dates: Sequence[str | None],
        limit: int | None = None,
    ) -> list[list[int]]:
        """The same with the dates of documents and of questions."""
        said = [moment(date) for date in dates]
        later = max((date for date in said if date), default=UNDATED) + timedelta(days=1)
        with tempfile.TemporaryDirectory() as home, Archivist.open(home, clock=lambda: later) as archivist:
            session = archivist.sessions.start("benchmark", scope=None)
            messages = [
                Message.user(text, created_at=date or UNDATED) for text, date in zip(docs, said, strict=True)
            ]
            place = {key: number for number, key in enumerate(session.append_many(messages))}
            archivist.catch_up()
            rankings = []
            for query, date in zip(queries, query_dates, strict=True):
                page = archivist.sessions.search(
                    query,
                    limit=len(docs),
                    conversation=session.conversation_id,
                    scope=EVERYTHING,
                    now=end_of(date) or later,
                )
                rankings.append(with_twins([place[hit.message_id] for hit in page.hits], docs)[:limit])
            return rankings


class Store:
    """A home under one path: appended to, indexed, searched."""

    name = "archivist"

    def open(self, path: str) -> None:
        """Open or make the home."""
        self.archivist = Archivist.open(path)
        self.session = self.archivist.sessions.start("benchmark")

    def append_many(self, messages: Sequence[dict[str, Any]]) -> None:
        """Store a batch durably."""
        self.session.append_many(
            Message(
                m["role"], m["content"], created_at=datetime.fromisoformat(m["created"]).replace(tzinfo=UTC)
            )
            for m in messages
        )

    def index(self) -> None:
        """Bring the index up to date, and do what a quiet minute does."""
        self.archivist.catch_up()
        self.archivist.tidy(60)

    def search(self, query: str, limit: int) -> list[str]:
        """The texts of the best messages."""
        page = self.archivist.sessions.search(query, limit=limit, scope=EVERYTHING)
        return [hit.text for hit in page.hits]

    def close(self) -> None:
        """Close the home."""
        self.archivist.close()


class Compressor:
    """`compress` over one conversation, and search over all of its messages in a home of their own."""

    name = "archivist"

    def __init__(self) -> None:
        self.home = tempfile.TemporaryDirectory()
        self.archivist = Archivist.open(self.home.name)
        self.session = self.archivist.sessions.start("benchmark")
        self.seen: list[Message] = []

    def observe(self, message: dict[str, Any]) -> None:
        """Take a message in; it is stored before anything is searched for."""
        calls = [call["function"] for call in message.get("tool_calls") or ()]
        text = "\n".join((message.get("content") or "", *(call["arguments"] for call in calls)))
        self.seen.append(Message(message["role"], text))

    def compress(
        self, messages: list[dict[str, Any]], target_tokens: int, summarize: Callable[[str, int], str]
    ) -> list[dict[str, Any]]:
        """The shorter messages."""
        return compress(messages, target_tokens, summarise=summarize, deadline=None).messages

    def search(self, query: str, limit: int) -> list[str]:
        """The stretches of the messages that answer a question best."""
        if self.seen:
            self.session.append_many(self.seen)
            self.seen = []
            self.archivist.catch_up()
        page = self.archivist.sessions.search(
            query, limit=limit, conversation=self.session.conversation_id, scope=EVERYTHING
        )
        return [hit.text for hit in page.hits]


def scan(text: str) -> bool:
    """Whether a text would be held back: for what it wants of its reader, or for a secret in it."""
    return scan_injections(text) or scan_secrets(text)


def scan_injections(text: str) -> bool:
    """Whether a text has something that blocks it."""
    return any(found.severity == "block" for found in archivist.scan(text))


def scan_secrets(text: str) -> bool:
    """Whether a text holds a secret that would be masked."""
    return bool(mask(text).secrets)


def with_twins(ranking: Iterable[int], docs: Sequence[str]) -> list[int]:
    """The ranking with documents of the same text beside each other: a page shows such a text once."""
    twins: dict[str, list[int]] = {}
    for number, text in enumerate(docs):
        twins.setdefault(text, []).append(number)
    ranked = list(ranking)
    return list(dict.fromkeys(twin for number in ranked for twin in (number, *twins[docs[number]])))


def moment(date: str | None) -> datetime | None:
    """An ISO date, with or without a time, as an instant."""
    return None if date is None else datetime.fromisoformat(date).replace(tzinfo=UTC)


def end_of(date: str | None) -> datetime | None:
    """The instant of a question's date; the end of the day where only the day is known."""
    found = moment(date)
    is_day = date is not None and len(date) <= 10
    return datetime.combine(found, time(23, 59), UTC) if found and is_day else found
