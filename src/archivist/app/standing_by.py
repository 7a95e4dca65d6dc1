"""The models of a home, one behind the other: the one that is chosen, and those that are asked while it cannot answer."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from archivist.app.choosing import chosen_model, prices_of, settled_model, tell_of
from archivist.app.fallbacks import LeftOut, fallbacks
from archivist.app.key_pools import open_pool
from archivist.app.log import Log, open_log
from archivist.config import Home
from archivist.models.attempts import KEY, REPAIRED, SWITCHED, WAITS, WINDOW
from archivist.models.choosing import Choice
from archivist.models.opening import open_responder
from archivist.models.seats import Place
from archivist.models.steady import Steady
from archivist.records import Notice
from archivist.store import Surroundings

if TYPE_CHECKING:
    from archivist.models.remote import RemoteModel

Tell = Callable[[Notice], None]
OWN_WORDS: Final = frozenset((WAITS, KEY, SWITCHED, REPAIRED, WINDOW))
"""Codes of notices that have nobody's words but the program's."""


def open_steady(
    home: Home, environ: Mapping[str, str], asked: str | None, world: Surroundings, *, tell: Tell
) -> Steady | None:
    """Who answers; None where nothing names a model.

    Args:
        home: Whose settings and keys count.
        environ: The environment.
        asked: What a command says, before all others.
        world: The time, and chance.
        tell: Is told what a person should know, also while a request runs.

    Raises:
        ArchivistError: The model that is chosen cannot be asked; the message says what to do.
    """
    choice = chosen_model(home, environ, asked)
    if choice is None:
        return None
    log = open_log(home, environ, world.now, tell=tell)
    told = log.beside(tell, OWN_WORDS)
    chain = (choice, *_fallbacks(home, environ, choice, told))
    standing_by = [_StandingBy(home, one, world, tell=told, log=log) for one in chain]
    return Steady([one.place() for one in standing_by], tell=told, now=world.now, draw=world.draw, note=log)


def _fallbacks(home: Home, environ: Mapping[str, str], first: Choice, tell: Tell) -> Iterator[Choice]:
    """Those that can be asked; of the others it is told why not."""
    for one in fallbacks(home, environ, first):
        if isinstance(one, LeftOut):
            told = f"{one.name} in fallback of [model] is not asked: {one.reason}"
            tell(Notice("fallback-left-out", told))
        else:
            yield one


class _StandingBy:
    """A model that may be asked: what is not known of it yet is looked for when it is."""

    def __init__(self, home: Home, choice: Choice, world: Surroundings, *, tell: Tell, log: Log) -> None:
        self._home, self._choice, self._world = home, choice, world
        self._tell, self._log = tell, log
        self._prices = prices_of(home, choice, world.now)
        self._settled: Choice | None = None

    def place(self) -> Place:
        """Where it is asked."""
        pool = open_pool(self._home, self._choice, self._world, tell=self._tell, note=self._log)
        return Place(self._choice.name, pool, self._open)

    def settled(self) -> Choice:
        """With what is known of it; what a person should know of that is told once."""
        if self._settled is None:
            settled = settled_model(self._choice, self._prices)
            tell_of(settled, self._prices, self._tell)
            self._settled = settled.choice
        return self._settled

    def _open(self, secret: str) -> "RemoteModel":
        endpoint = replace(self.settled().endpoint, api_key=secret)
        return open_responder(endpoint, cost=self._prices.cost)


__all__ = ["open_steady"]
