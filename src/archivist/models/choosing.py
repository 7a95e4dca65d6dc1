"""Which model is asked: what a command says, else the environment, else the settings.

Values that belong to one model never go with another: an address, a key, a window hold for the provider that they stand beside.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

import msgspec

from archivist.config.addresses import is_same_place, trouble_of
from archivist.config.model import ModelSettings, PriceSettings
from archivist.models.endpoints import Endpoint, Wire
from archivist.models.keys import NOWHERE, Found, ModelKeyNotUsable, checked_key, keys_in, usable
from archivist.models.known import CUSTOM, PROVIDERS, Known, provider_named
from archivist.models.pool import Key
from archivist.records import ArchivistError

MODEL_ENV, URL_ENV, KEY_ENV = "ARCHIVIST_MODEL", "ARCHIVIST_BASE_URL", "ARCHIVIST_API_KEY"
ASKED, URL_ASKED = "--model", "--base-url"
SETTINGS, STORED, RING, USUAL = "config.toml", "credentials.toml", "keyring", "usual"
"""Where a value comes from, beside the names of variables."""
WINDOW: Final = 128_000
"""Tokens that a model is taken to have room for of which nothing is known."""

Stored = Callable[[str, str], Sequence[tuple[str, str]]]
"""Gives the keys that are kept for a provider at an address, each with the place where it is."""


class UnknownModelProvider(ArchivistError):
    """It is not known who offers a model."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"it is not known who offers {name[:100]!r}: write it as provider/name, with one of {', '.join(PROVIDERS)},"
            " or say where it is asked (--base-url, ARCHIVIST_BASE_URL or base_url in [model])"
        )


class NoModelNamed(ArchivistError):
    """A model should be asked, and none is named."""

    def __init__(self) -> None:
        super().__init__(
            "no model is named: choose one with `archivist model set PROVIDER/NAME`, or set ARCHIVIST_MODEL"
        )


class NoModelKey(ArchivistError):
    """A provider wants a key, and there is none."""

    def __init__(self, provider: str, model: str, variable: str) -> None:
        self.provider, self.variable = provider, variable
        super().__init__(
            f"{provider} wants a key, and there is none: set {variable}, or keep one with `archivist model set {provider}/{model}`"
        )


class ModelAddressNotUsable(ArchivistError):
    """A model cannot be asked at what is given for its address."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place} {reason}")


class Choice(msgspec.Struct, frozen=True):
    """The model that is asked.

    Attributes:
        endpoint: With the window that is set; else the usual one, until more is known.
        known: Its provider, where that is one of those known.
        origins: Of each value where it comes from: a variable of the environment, `config.toml`, `credentials.toml`, `usual` or `none`.
        prices: What the owner says that it costs.
        wants: The variable that should have a key, where there is none; empty where it has one, or may do without.
        keys: All keys that it may be asked with, the endpoint's own first; one without a text where there is none.
        left_out: Why other keys are not among them, a line for each reason.
    """

    endpoint: Endpoint
    origins: Mapping[str, str]
    known: Known | None = None
    prices: PriceSettings | None = None
    wants: str = ""
    keys: tuple[Key, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As a person names it."""
        return f"{self.endpoint.provider}/{self.endpoint.model}"

    @property
    def is_local(self) -> bool:
        """Whether it runs on machines of one's own."""
        return self.known is not None and self.known.is_local


class _Layer(msgspec.Struct, frozen=True):
    """What one place says of the model.

    Attributes:
        origin: Where its name comes from.
        url_origin: Where its address comes from.
        owner: The provider that it speaks of, by its own name or by what it stands before; None where it speaks of any.
    """

    origin: str
    url_origin: str
    model: str | None = None
    base_url: str | None = None
    owner: str | None = None


def choose(
    settings: ModelSettings,
    environ: Mapping[str, str],
    asked: str | None = None,
    *,
    base_url: str | None = None,
    stored: Sequence[Stored] = (),
    needs_key: bool = True,
) -> Choice | None:
    """The model that is asked; None where nothing names one.

    Args:
        settings: The table `[model]`.
        environ: The environment.
        asked: What a command says, before all others.
        base_url: The address that a command says.
        stored: Each gives the keys that are kept somewhere.
        needs_key: Whether a provider without the key that it wants is a failure.

    Raises:
        UnknownModelProvider: Nothing says who offers it.
        NoModelKey: Its provider wants a key, and there is none.
        ModelKeyNotUsable, ModelAddressNotUsable: What is given for one is none.
    """
    layers = _layers(settings, environ, asked, base_url)
    named = next((layer for layer in layers if layer.model), None)
    if named is None or named.model is None:
        return None
    owner = named.owner or (CUSTOM if any(layer.base_url for layer in layers) else None)
    if owner is None:
        raise UnknownModelProvider(named.model)
    return _Chosen(settings, environ, layers, owner, named).choice(stored, needs_key=needs_key)


class _Chosen:
    """A model of which only the name is known, and what each place says of its provider."""

    def __init__(
        self,
        settings: ModelSettings,
        environ: Mapping[str, str],
        layers: Sequence[_Layer],
        owner: str,
        named: _Layer,
    ) -> None:
        self._environ, self._owner, self._named, self._model = environ, owner, named, named.model or ""
        self._known = provider_named(owner)
        self._heard = [layer for layer in layers if layer.owner in {None, owner}]
        *_, env, file = layers
        self._has_env = env in self._heard
        self._provider_set = settings if file in self._heard else ModelSettings()
        is_set = (file.owner, file.model) == (owner, named.model)
        self._model_set = settings if is_set else ModelSettings()

    def choice(self, stored: Sequence[Stored], *, needs_key: bool) -> Choice:
        """All of it."""
        wire = self._provider_set.wire or (self._known.wire if self._known else "openai")
        url, url_origin = self._address()
        url = self._completed(url, wire)
        found = self._keys(url, stored)
        key, key_origin = found.keys[0].secret, found.keys[0].origin
        wants = "" if key else self._wanted(url)
        if needs_key and wants:
            raise NoModelKey(self._owner, self._model, wants)
        origins = {
            "model": self._named.origin,
            "base_url": url_origin,
            "key": key_origin,
            **self._known_from(),
        }
        endpoint = self._endpoint(wire, url, key)
        return Choice(endpoint, origins, self._known, self._model_set.prices, wants, *found)

    def _endpoint(self, wire: Wire, url: str, key: str) -> Endpoint:
        own, sees = self._model_set, self._known is None or self._known.takes_pictures(self._model)
        return Endpoint(
            provider=self._owner,
            wire=wire,
            model=self._model,
            base_url=url,
            api_key=key,
            window=own.window or WINDOW,
            max_tokens=own.max_tokens,
            takes_pictures=sees if own.pictures is None else own.pictures,
        )

    def _known_from(self) -> dict[str, str]:
        """Where that comes from which may be known without being set."""
        own = {"window": self._model_set.window, "pictures": self._model_set.pictures}
        return {name: USUAL if value is None else SETTINGS for name, value in own.items()}

    def _address(self) -> tuple[str, str]:
        for layer in self._heard:
            if layer.base_url:
                if reason := trouble_of(layer.base_url):
                    raise ModelAddressNotUsable(layer.url_origin, reason)
                return layer.base_url.rstrip("/"), layer.url_origin
        if self._known is None:
            raise UnknownModelProvider(f"{self._owner}/{self._model}")
        return self._known.base_url, USUAL

    def _completed(self, url: str, wire: Wire) -> str:
        """With the path that the client of its form takes for given, and without what it adds itself."""
        url = url.removesuffix("/messages" if wire == "anthropic" else "/chat/completions")
        if wire == "anthropic":
            return url.removesuffix("/v1")
        is_bare = not urlsplit(url).path and not self._is_own(url)
        return f"{url}/v1" if is_bare else url

    def _is_own(self, url: str) -> bool:
        """Whether it is the provider's own place, where its own key belongs."""
        return self._known is not None and is_same_place(url, self._known.base_url)

    def _keys(self, url: str, stored: Sequence[Stored]) -> Found:
        """The keys of the environment, then those that are kept; that which is set for whatever is asked stands alone."""
        if self._has_env and (alone := keys_in(self._environ, KEY_ENV)):
            return usable(alone)
        own = self._known.key_env if self._known and self._is_own(url) else ""
        variables = [name for name in (self._provider_set.key_env, own) if name]
        found = next(filter(None, (keys_in(self._environ, name) for name in variables)), ())
        return self._with_kept(list(found), url, stored)

    def _with_kept(self, found: list[tuple[str, str]], url: str, stored: Sequence[Stored]) -> Found:
        """With those that are kept; of a place that cannot be read it is said, unless no other has any."""
        failures: list[ArchivistError] = []
        for kept in stored:
            try:
                found += kept(self._owner, url)
            except ArchivistError as error:
                failures.append(error)
        if failures and not found:
            raise failures[0]
        return usable(found, also=tuple(map(str, failures)))

    def _wanted(self, url: str) -> str:
        """The variable that should have a key; none where it may do without."""
        if self._provider_set.key_env:
            return self._provider_set.key_env
        return self._known.key_env if self._known and self._is_own(url) else ""


def _layers(
    settings: ModelSettings, environ: Mapping[str, str], asked: str | None, base_url: str | None
) -> list[_Layer]:
    """What each place says: a command, the environment, the settings."""
    file = _layer(SETTINGS, SETTINGS, settings.name, settings.base_url, provider=settings.provider)
    own = settings.provider
    env = _layer(MODEL_ENV, URL_ENV, environ.get(MODEL_ENV), environ.get(URL_ENV), below=file.owner, also=own)
    return [_layer(ASKED, URL_ASKED, asked, base_url, below=env.owner, also=own), env, file]


def _layer(
    origin: str,
    url_origin: str,
    name: str | None,
    base_url: str | None,
    *,
    provider: str | None = None,
    below: str | None = None,
    also: str | None = None,
) -> _Layer:
    """What a place says.

    Args:
        origin, url_origin: The place.
        name: Of the model.
        base_url: Its address.
        provider: Who offers it, where that is said beside the name.
        below: Who is spoken of by the places that this one stands before.
        also: A provider that is known by the settings alone.
    """
    name, base_url = (name or "").strip(), (base_url or "").strip()
    if provider is None:
        provider, name = read_name(name, also)
    elif (known := provider_named(provider)) is not None:
        provider = known.name
    is_elsewhere = CUSTOM if base_url and name else None
    return _Layer(origin, url_origin, name or None, base_url or None, provider or is_elsewhere or below)


def read_name(name: str, also: str | None = None) -> tuple[str | None, str]:
    """The provider and the model that a name means; a name whose beginning is no provider's is the model's whole."""
    first, _, rest = name.partition("/")
    known = provider_named(first)
    if rest and (known is not None or first in {also, CUSTOM}):
        return (known.name if known else first), rest
    return None, name


def within_reach(environ: Mapping[str, str], stored: Stored) -> Iterator[tuple[Known, str]]:
    """The known providers that could be asked with what is here, and where the key of each is."""
    for known in PROVIDERS.values():
        if known.is_local:
            continue
        if found := [*keys_in(environ, known.key_env), *stored(known.name, known.base_url)]:
            yield known, found[0][1]


__all__ = [
    "ASKED",
    "KEY_ENV",
    "MODEL_ENV",
    "NOWHERE",
    "RING",
    "SETTINGS",
    "STORED",
    "URL_ENV",
    "USUAL",
    "WINDOW",
    "Choice",
    "ModelAddressNotUsable",
    "ModelKeyNotUsable",
    "NoModelKey",
    "NoModelNamed",
    "Stored",
    "UnknownModelProvider",
    "checked_key",
    "choose",
    "read_name",
    "within_reach",
]
