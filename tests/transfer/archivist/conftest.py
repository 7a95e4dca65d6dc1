"""Homes that are exported and brought back."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest

from archivist import EVERYTHING, Archivist
from archivist.records import SessionStart

BEGIN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


class Homes:
    """Homes in a folder; closes those that it opened."""

    def __init__(self, folder):
        self.folder, self.opened, self.numbers = folder, [], itertools.count(1)

    def new(self):
        home = Archivist.open(
            self.folder / f"home-{next(self.numbers)}", environ={"HOME": str(self.folder)}, clock=self.now
        )
        self.opened.append(home)
        return home

    def now(self):
        return BEGIN + timedelta(milliseconds=next(self.numbers))

    def export(self, home, kind="jsonl", conversation=None, scope=EVERYTHING, **choice):
        """The path of a new export."""
        path = self.folder / f"export-{next(self.numbers)}.{ENDINGS[kind]}"
        home.sessions.export(conversation, path, scope=scope, **choice)
        return path

    def moved(self, home, kind="jsonl"):
        """A fresh home that an export was brought into, the export, and the report."""
        path = self.export(home, kind)
        other = self.new()
        return other, path, other.import_history(path)

    def close(self):
        for home in self.opened:
            home.close()
        self.opened.clear()


ENDINGS = {"jsonl": "jsonl", "json": "json", "markdown": "md"}


def begin(home, session_id, **start):
    """A session with an id of one's own; its parent by id."""
    fields = {"source": "cli", "started_at": BEGIN} | start
    return home._store.start(SessionStart(**fields), session_id=session_id)


def rows(home, table):
    """A table of a home, for comparing."""
    return home._store.read(lambda db: db.execute(f"SELECT * FROM {table}").fetchall())


def write(home, sql, *values):
    home._store.write(lambda db: db.execute(sql, values))


class Tools:
    Homes, begin, rows, write = Homes, staticmethod(begin), staticmethod(rows), staticmethod(write)
    BEGIN, ENDINGS = BEGIN, ENDINGS


@pytest.fixture(scope="session")
def tools():
    return Tools


@pytest.fixture
def homes(tmp_path):
    opened = Homes(tmp_path)
    yield opened
    opened.close()
