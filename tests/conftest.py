"""What every room's tests share: a home in a temporary folder, a clock that stands still until moved."""

import itertools
import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings

from archivist.records import Patience
from archivist.store import StateStore, Surroundings

settings.register_profile("here", deadline=None)  # a busy machine is no failure
settings.register_profile(
    "ci", deadline=None, derandomize=True
)  # the same examples for everybody who lands a change
settings.load_profile("ci" if os.environ.get("CI") else "here")

NOON = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="also run what takes long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    asked = config.getoption("--soak")
    mark = pytest.mark.timeout(0) if asked else pytest.mark.skip(reason="long run: make soak")
    for item in items:
        if "soak" in item.keywords:
            item.add_marker(mark)


@dataclass
class Clock:
    """A clock that tests move."""

    time: datetime = NOON
    ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **parts: float) -> None:
        self.time += timedelta(**parts)

    def surroundings(self) -> Surroundings:
        chance = random.Random(7)
        return Surroundings(
            now=self,
            monotonic=time.monotonic,
            nanoseconds=time.time_ns,
            sleep=time.sleep,
            draw=chance.uniform,
            new_id=lambda: f"id-{next(self.ids):06d}",
            new_session_id=lambda: f"session-{next(self.ids):06d}",
        )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_store(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., StateStore]]:
    """Opens the store of a temporary home, again and again; closes what is open at the end."""
    opened: list[StateStore] = []

    def open_it(path: Path | None = None, patience: float = 5.0) -> StateStore:
        file = path or tmp_path / "state.db"
        store = StateStore.open(
            file,
            spool=file.parent / "spool",
            media=file.parent / "media",
            program="0.1.0",
            world=clock.surroundings(),
            patience=Patience(patience),
        )
        opened.append(store)
        return store

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., StateStore]) -> StateStore:
    return open_store()
