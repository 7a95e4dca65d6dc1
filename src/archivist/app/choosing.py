"""The model that a home's agents ask: by a command, the environment and the settings of the home, with the keys that it keeps."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from archivist.config import Home, read_settings
from archivist.config.addresses import is_same_place
from archivist.models.choosing import RING, STORED, Choice, Stored, choose
from archivist.models.known import provider_named
from archivist.records import Notice

if TYPE_CHECKING:
    from archivist.models.prices import Prices
    from archivist.models.remote import RemoteModel
    from archivist.models.settling import Settled


def chosen_model(
    home: Home,
    environ: Mapping[str, str],
    asked: str | None = None,
    *,
    base_url: str | None = None,
    needs_key: bool = True,
) -> Choice | None:
    """The model that is asked; None where nothing names one.

    Args:
        home: Whose settings and keys count.
        environ: The environment.
        asked: What a command says, before all others.
        base_url: The address that a command says.
        needs_key: Whether a provider without the key that it wants is a failure.

    Raises:
        ArchivistError: It cannot be asked; the message says what to do.
    """
    settings = read_settings(home.config_file).model
    return choose(
        settings,
        environ,
        asked,
        base_url=base_url,
        stored=keepers(home, ring=settings.keyring),
        needs_key=needs_key,
    )


def keepers(home: Home, *, ring: bool) -> list[Stored]:
    """What gives the keys that are kept: in a home, and in the system's keyring where that is wanted."""
    return [partial(kept_keys, home), *([_ring_keys] if ring else [])]


def kept_keys(home: Home, provider: str, base_url: str) -> list[tuple[str, str]]:
    """The keys that a home keeps for a provider at an address, each with where it is.

    Raises:
        CredentialsUnreadable: The file of keys cannot be used.
    """
    from archivist.config.credentials import read_keys  # noqa: PLC0415 - where no model is named, nobody asks

    return [(key, STORED) for key in read_keys(home.credentials_file, provider, base_url)]


def _ring_keys(provider: str, base_url: str) -> list[tuple[str, str]]:
    from archivist.config.ring import ring_keys  # noqa: PLC0415 - seldom wanted

    return [(key, RING) for key in ring_keys(ring_account(provider, base_url))]


def ring_account(provider: str, base_url: str) -> str:
    """Under which name the keyring has the keys of a provider; at another address than its own, with that."""
    known = provider_named(provider)
    is_own = known is not None and is_same_place(known.base_url, base_url)
    return provider if is_own else f"{provider} {base_url}"


def prices_of(home: Home, choice: Choice, now: Callable[[], datetime]) -> "Prices":
    """What a model costs, as a home knows it."""
    from archivist.models.prices import Prices  # noqa: PLC0415 - who only asks which model it is pays nothing

    return Prices(choice, home.prices_file, now)


def settled_model(choice: Choice, prices: "Prices", *, asks: bool = True) -> "Settled":
    """A model with what is known of it.

    Args:
        choice: The model.
        prices: Its own; the table that has them often says what it has room for.
        asks: Whether its server may be asked what it has room for.
    """
    from archivist.models.settling import said_of, settle  # noqa: PLC0415 - as above

    return settle(choice, prices, ask=said_of if asks else None)


def open_choice(choice: Choice, prices: "Prices", *, tell: Callable[[Notice], None]) -> "RemoteModel":
    """Who answers, where a model is chosen.

    Args:
        choice: The model.
        prices: Its own.
        tell: Is told what a person should know of it.
    """
    from archivist.models.opening import open_responder  # noqa: PLC0415 - as above

    settled = settled_model(choice, prices)
    tell_of(settled, prices, tell)
    return open_responder(settled.choice.endpoint, cost=prices.cost)


def tell_of(settled: "Settled", prices: "Prices", tell: Callable[[Notice], None]) -> None:
    """Tell what a person should know of a model before it is asked."""
    for notice in settled.notices:
        tell(notice)
    if not prices.are_known:
        name = settled.choice.name
        told = f"what {name} costs is not known, its requests count as $0.00: say it in [model.prices]"
        tell(Notice("price-unknown", told))


__all__ = [
    "chosen_model",
    "keepers",
    "kept_keys",
    "open_choice",
    "prices_of",
    "ring_account",
    "settled_model",
    "tell_of",
]
