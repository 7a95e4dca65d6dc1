"""The table `[model]`: which model is asked, and where."""

from typing import Final, Literal, get_args

import msgspec

from archivist.config.values import Mistake, Table, set_values

WireName = Literal["openai", "anthropic"]
_WIRES: Final = get_args(WireName)
KeyStrategy = Literal["fill-first", "round-robin", "least-used", "random"]
"""Which of several keys is used: the first that is ready, each in turn, the one that was used least lately, any."""
_PRICES: Final = ("input", "output", "cache_read", "cache_write")
_MOST_DOLLARS: Final = 100_000.0
_SMALLEST, _LARGEST = 1_000, 100_000_000
"""Tokens that a window may have."""


class PriceSettings(msgspec.Struct, frozen=True):
    """The table `[model.prices]`: dollars for a million tokens.

    Attributes:
        input: Of what is sent and in no cache.
        output: Of what is answered.
        cache_read: Of what is sent and read from a cache; as `input` where unset.
        cache_write: Of what is sent and kept in a cache; as `input` where unset.
    """

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


class ModelSettings(msgspec.Struct, frozen=True):
    """Which model is asked.

    Attributes:
        name: "provider/name", or the name where `provider` is set.
        provider: Such as "openai"; of any name where `base_url` is set.
        base_url: Where it is asked; the provider's own place where unset.
        wire: Which form its requests have; the provider's own where unset.
        window: Tokens that a request and its reply may have together.
        max_tokens: The most that a reply may have.
        pictures: Whether it reads pictures.
        key_env: The variable of the environment that has the key.
        key_strategy: Which of several keys is used.
        keyring: Whether keys of the system's keyring are used too.
        prices: What it costs, where the owner knows better.
        fallback: Which models are asked while it cannot answer, one behind the other: a name, or a table such as this one.
    """

    name: str | None = None
    provider: str | None = None
    base_url: str | None = None
    wire: WireName | None = None
    window: int | None = None
    max_tokens: int | None = None
    pictures: bool | None = None
    key_env: str | None = None
    key_strategy: KeyStrategy = "fill-first"
    keyring: bool = False
    prices: PriceSettings | None = None
    fallback: "tuple[str | ModelSettings, ...]" = ()


def model_settings(values: object) -> ModelSettings:
    """The table, checked.

    Raises:
        Mistake: It says something that cannot be followed; the text says what.
    """
    table = Table("model", values, ModelSettings.__struct_fields__)
    found = {
        "name": table.text("name"),
        "provider": table.text("provider"),
        "base_url": _address(table.text("base_url")),
        "wire": table.word("wire", _WIRES),
        "window": table.whole("window", _SMALLEST, _LARGEST),
        "max_tokens": table.whole("max_tokens", 1, _LARGEST),
        "pictures": table.flag("pictures"),
        "key_env": _variable(table.text("key_env")),
        "key_strategy": table.word("key_strategy", get_args(KeyStrategy)),
        "keyring": table.flag("keyring"),
        "prices": _prices(table.value("prices")),
        "fallback": _fallback(table.value("fallback")),
    }
    return ModelSettings(**set_values(found))


def _address(address: str | None) -> str | None:
    if address is None:
        return None
    from archivist.config.addresses import trouble_of  # noqa: PLC0415 - most homes name none

    if reason := trouble_of(address):
        raise Mistake(f"base_url in [model] {reason}")
    return address


def _variable(name: str | None) -> str | None:
    if name is not None and not (
        name.replace("_", "a").isalnum() and name.isascii() and not name[0].isdigit()
    ):
        raise Mistake(
            "key_env in [model] must be the name of a variable, such as 'OPENAI_API_KEY', never a key"
        )
    return name


def _fallback(values: object) -> tuple[str | ModelSettings, ...] | None:
    if values is None:
        return None
    if not isinstance(values, list):
        raise Mistake('fallback in [model] must be a list of models, such as ["anthropic/claude-sonnet-5"]')
    return tuple(map(_one_of_fallback, values))


def _one_of_fallback(value: object) -> str | ModelSettings:
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value.strip()
    if not isinstance(value, dict):
        raise Mistake("a model in fallback of [model] must be 'provider/name', or a table with its name")
    if "fallback" in value or "name" not in value:
        raise Mistake("a table in fallback of [model] needs a name, and has no fallback of its own")
    return model_settings(value)


def _prices(values: object) -> PriceSettings | None:
    if values is None:
        return None
    table = Table("model.prices", values, _PRICES)
    found = {key: table.amount(key, _MOST_DOLLARS) for key in _PRICES}
    for key in ("input", "output"):
        if found[key] is None:
            raise Mistake(f"[model.prices] needs {key}: dollars for a million tokens")
    return PriceSettings(**set_values(found))


__all__ = ["KeyStrategy", "ModelSettings", "PriceSettings", "WireName", "model_settings"]
