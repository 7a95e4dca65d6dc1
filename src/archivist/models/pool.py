"""The keys of one endpoint: which is used next, and which rests.

Nothing is read or written here: what is known of the keys lies on a shelf, which several processes may share.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, Protocol

import msgspec

from archivist.config.model import KeyStrategy
from archivist.models.rests import Standing, Trouble, failed, taken, worked

TAIL, SHORTEST = 4, 16
"""How many characters of a key are shown, and how long one is of which any are."""


class Key(msgspec.Struct, frozen=True):
    """A key of a provider.

    Attributes:
        name: As people are told it, such as "key 2 (…5yHc)".
        secret: Its text; never shown, logged or stored in a conversation; empty where none is needed.
        origin: Where it comes from: a variable of the environment, `credentials.toml` or the keyring.
    """

    name: str
    secret: str
    origin: str = ""

    def __repr__(self) -> str:
        """All but the key."""
        return f"Key({self.name})"


def named_keys(found: Sequence[tuple[str, str]]) -> tuple[Key, ...]:
    """Keys with names, from their texts and where each comes from; one that is there twice is one."""
    once: dict[str, str] = {}
    for secret, origin in found:
        once.setdefault(secret, origin)
    return tuple(
        Key(f"key {number} ({masked(secret)})", secret, origin)
        for number, (secret, origin) in enumerate(once.items(), 1)
    )


def masked(secret: str) -> str:
    """What is shown of a key: its end, where that is a small part of it."""
    return f"…{secret[-TAIL:]}" if len(secret) >= SHORTEST else "…"


Change = Callable[[list[Standing]], list[Standing]]


class Shelf(Protocol):
    """Where it lies what is known of keys."""

    def change(self, secrets: Sequence[str], change: Change) -> list[Standing]:
        """Change what is known of some keys; nobody else does meanwhile. What is known then."""

    def look(self, secrets: Sequence[str]) -> list[Standing]:
        """What is known of some keys; nothing is written for it."""


class OwnShelf:
    """A shelf of this process alone."""

    def __init__(self) -> None:
        self._standings: dict[str, Standing] = {}

    def change(self, secrets: Sequence[str], change: Change) -> list[Standing]:
        """Change what is known of some keys."""
        after = change(self.look(secrets))
        self._standings.update(zip(secrets, after, strict=True))
        return after

    def look(self, secrets: Sequence[str]) -> list[Standing]:
        """What is known of some keys."""
        return [self._standings.get(secret, Standing()) for secret in secrets]


class Note(Protocol):
    """Takes down that something happened."""

    def __call__(self, what: str, /, *, words: str = "", **facts: object) -> None:
        """Take it down.

        Args:
            what: A word for it.
            words: What somebody said; taken down only where that is asked for.
            facts: Beside it, no text of anybody's.
        """


def take_no_note(_what: str, /, *, words: str = "", **_facts: object) -> None:
    """Nobody wants to know."""


class Pool:
    """The keys of one endpoint, for a model.

    Args:
        keys: All of them, the first first; a server that needs none has one without a text.
        model: Limits are often a model's own; what else keeps a key from being used holds for all of them.
        now: The time.
        draw: A number between two, by chance.
        strategy: Which of those that are ready is used.
        shelf: Where it lies what is known of them.
        note: Takes down what becomes of them, without their texts.
    """

    def __init__(
        self,
        keys: Sequence[Key],
        *,
        model: str,
        now: Callable[[], datetime],
        draw: Callable[[float, float], float],
        strategy: KeyStrategy = "fill-first",
        shelf: Shelf | None = None,
        note: Note = take_no_note,
    ) -> None:
        if not keys:
            raise ValueError("a pool has a key, if only one without a text")
        self.keys: Final = tuple(keys)
        self._model, self._strategy = model, strategy
        self._now, self._draw, self._note = now, draw, note
        self._shelf = shelf or OwnShelf()
        self._secrets = tuple(key.secret for key in keys)

    def __repr__(self) -> str:
        """All but the keys."""
        return f"Pool({', '.join(key.name for key in self.keys)})"

    def take(self, now: datetime) -> Key | None:
        """The key to be used now; None where each of them rests."""
        found: list[int] = []

        def change(standings: list[Standing]) -> list[Standing]:
            chosen = self._chosen(standings, now)
            if chosen is None:
                return standings
            found.append(chosen)
            turn = 1 + max(one.turn for one in standings)
            return _with(standings, chosen, taken(standings[chosen], self._model, turn, now))

        self._shelf.change(self._secrets, change)
        return self.keys[found[-1]] if found else None

    def worked(self, key: Key) -> None:
        """A key was answered: whatever was against it holds no longer."""
        self._change(key, lambda standing: worked(standing, self._model))

    def failed(self, key: Key, what: Trouble, until: datetime | None = None) -> None:
        """A key was not answered.

        Args:
            key: As it was taken.
            what: What the provider said.
            until: When it will answer again, where the provider says so.
        """
        now, is_alone = self._now(), len(self.keys) == 1
        standings = self._change(
            key,
            lambda standing: failed(standing, what, until, model=self._model, now=now, is_alone=is_alone),
        )
        rest = standings[self.keys.index(key)].rest(self._model, now)
        self._note("key-rests", key=key.name, why=what, until=rest and rest.until, row=rest and rest.row)

    def wake(self, keys: Sequence[Key] | None = None) -> None:
        """Let keys be used at once; all of them, where none are named."""
        for key in self.keys if keys is None else keys:
            self._change(key, lambda standing: msgspec.structs.replace(standing, rests={}))

    def free_at(self) -> datetime | None:
        """When a key can be taken again, where now none can; None where one can now."""
        now = self._now()
        times = [_free_at(standing, self._model, now) for standing in self.standings()]
        first = min(times)
        return first if first > now else None

    def standings(self) -> list[Standing]:
        """What is known of each key."""
        return self._shelf.look(self._secrets)

    def _change(self, key: Key, change: Callable[[Standing], Standing]) -> list[Standing]:
        at = self.keys.index(key)
        return self._shelf.change(
            self._secrets, lambda standings: _with(standings, at, change(standings[at]))
        )

    def _chosen(self, standings: Sequence[Standing], now: datetime) -> int | None:
        """Which key is used now: one that is tried once more, one that is ready, one whose trial is due."""
        rests = [standing.rest(self._model, now) for standing in standings]
        for at, rest in enumerate(rests):
            if rest is not None and rest.again:
                return at
        ready = [at for at, rest in enumerate(rests) if rest is None or rest.until <= now]
        if ready:
            return self._of_those(ready, standings, now)
        trials = [(rest.trial, at) for at, rest in enumerate(rests) if rest and rest.trial <= now]
        return min(trials)[1] if trials else None

    def _of_those(self, ready: Sequence[int], standings: Sequence[Standing], now: datetime) -> int:
        """One of those that are ready."""
        if self._strategy == "round-robin":
            return min(ready, key=lambda at: standings[at].turn)
        if self._strategy == "least-used":
            return min(ready, key=lambda at: standings[at].load_at(now))
        if self._strategy == "random":
            return ready[min(int(self._draw(0, len(ready))), len(ready) - 1)]
        return ready[0]


def _free_at(standing: Standing, model: str, now: datetime) -> datetime:
    rest = standing.rest(model, now)
    if rest is None or rest.again:
        return now
    return min(rest.until, rest.trial)


def _with(standings: Sequence[Standing], at: int, standing: Standing) -> list[Standing]:
    return [*standings[:at], standing, *standings[at + 1 :]]


__all__ = [
    "Key",
    "Note",
    "OwnShelf",
    "Pool",
    "Shelf",
    "masked",
    "named_keys",
    "take_no_note",
]
