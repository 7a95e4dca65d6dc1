"""What `doctor` says of the model that is asked, without asking it."""

from collections.abc import Iterator, Mapping

import msgspec

from archivist.app.choosing import chosen_model
from archivist.app.fallbacks import LeftOut, fallbacks
from archivist.app.findings import Finding
from archivist.app.key_pools import open_pool
from archivist.app.log import looked_at_log
from archivist.config import Home
from archivist.models.choosing import NOWHERE, Choice, UnknownModelProvider
from archivist.models.rests import WORDS
from archivist.records import ArchivistError, Notice
from archivist.store import Surroundings

NAME = "model"


def look_at_model(home: Home, environ: Mapping[str, str], world: Surroundings) -> list[Finding]:
    """Which model an agent here would ask, whether anything stands against it, and where it is written down what became of that."""
    try:
        found = list(_models(home, environ, world))
    except UnknownModelProvider as error:
        told = f"{error.name!r} names no provider: archivist model set PROVIDER/NAME"
        found = [Finding(NAME, "warning", told)]
    except ArchivistError as error:
        found = [Finding(NAME, "warning", str(error))]
    return [*found, *looked_at_log(home)]


def _models(home: Home, environ: Mapping[str, str], world: Surroundings) -> Iterator[Finding]:
    """The model that is asked, and those that are while it cannot answer."""
    choice = chosen_model(home, environ, needs_key=False)
    if choice is None:
        yield Finding(NAME, "ok", "none is named: an agent quotes from memory")
        return
    yield _model(home, choice, world)
    for other in fallbacks(home, environ, choice):
        if isinstance(other, LeftOut):
            yield Finding(NAME, "warning", f"fallback {other.name} is not asked: {other.reason}")
        else:
            found = _model(home, other, world)
            yield msgspec.structs.replace(found, text=f"fallback {found.text}")


def _model(home: Home, choice: Choice, world: Surroundings) -> Finding:
    if choice.wants:
        told = f"{choice.name} wants a key: set {choice.wants}, or archivist model set {choice.name}"
        return Finding(NAME, "warning", told)
    origin = choice.origins["key"]
    keys = "without a key" if origin == NOWHERE else _keys(choice)
    return _with_rests(home, choice, world, f"{choice.name} at {choice.endpoint.base_url}, {keys}")


def _keys(choice: Choice) -> str:
    origins = ", ".join(dict.fromkeys(key.origin for key in choice.keys))
    return f"its key in {origins}" if len(choice.keys) == 1 else f"{len(choice.keys)} keys in {origins}"


def _with_rests(home: Home, choice: Choice, world: Surroundings, told: str) -> Finding:
    """With what keeps its keys from being used; that some rest is no trouble, that all do is."""
    notices: list[Notice] = []
    pool, now = open_pool(home, choice, world, tell=notices.append), world.now()
    resting = [
        f"{key.name} rests until {rest.until.astimezone():%Y-%m-%d %H:%M}: {WORDS[rest.why]}"
        for key, standing in zip(pool.keys, pool.standings(), strict=True)
        if (rest := standing.rest(choice.endpoint.model, now)) and rest.until > now
    ]
    is_warned = bool(notices) or len(resting) == len(pool.keys)
    hint = ["archivist model keys list shows them"] if resting else []
    text = "; ".join([told, *resting, *(notice.text for notice in notices), *hint])
    return Finding(NAME, "warning" if is_warned else "ok", text)


__all__ = ["look_at_model"]
