"""What a model costs: as its owner says, else as a table of prices does that comes with an extra and can be made new.

Nothing is fetched by itself. A model of which no price is known costs 0 in every sum, and `Prices.are_known` says so.
"""

import json
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from archivist.config.model import PriceSettings
from archivist.files.regular import read_regular
from archivist.models.choosing import Choice
from archivist.records import ArchivistError, Usage

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelInfo, Provider

MILLION: Final = 1_000_000
MOST_BYTES: Final = 64 * MILLION
"""Of a table; the present one has less than two million."""

PricesFrom = Literal["config.toml", "table", "local", "none"]


class PricesNotUpdated(ArchivistError):
    """No new table of prices came; the one that is here stays."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the prices are as they were, no newer ones came ({reason}): try again later")


class Rates(msgspec.Struct, frozen=True):
    """Dollars for a million tokens; the lowest where they rise with what is sent, None where it is not said."""

    input: float | None = None
    output: float | None = None
    cache_read: float | None = None
    cache_write: float | None = None


class Prices:
    """What one model costs.

    Args:
        choice: The model.
        file: Where a table that was fetched is kept.
        now: The time: prices change with it.
    """

    def __init__(self, choice: Choice, file: Path, now: Callable[[], datetime]) -> None:
        self._choice, self._file, self._now = choice, file, now

    @property
    def origin(self) -> PricesFrom:
        """Who says what it costs."""
        if self._choice.prices is not None:
            return "config.toml"
        if self._choice.is_local:
            return "local"
        return "none" if self._found(self._choice.endpoint.model) is None else "table"

    @property
    def are_known(self) -> bool:
        """Whether what it costs is known, be it nothing."""
        return self.origin != "none"

    @property
    def window(self) -> int | None:
        """Tokens that it has room for, as the table says."""
        if self._choice.is_local:
            return None
        found = self._found(self._choice.endpoint.model)
        return found[1].context_window if found else None

    @property
    def rates(self) -> Rates | None:
        """Its prices, to be shown; None where none are known."""
        own = self._choice.prices
        if own is not None:
            return Rates(own.input, own.output, own.cache_read, own.cache_write)
        if self._choice.is_local:
            return Rates(0.0, 0.0, 0.0, 0.0)
        found = self._found(self._choice.endpoint.model)
        if found is None:
            return None
        prices = found[1].get_prices(self._now())
        names = ("input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok")
        return Rates(*(_dollars(getattr(prices, name, None)) for name in names))

    def cost(self, model: str, usage: Usage) -> float:
        """What some tokens cost in dollars; 0 where no price is known.

        Args:
            model: Its name, as the provider gives it.
            usage: The tokens.
        """
        if self._choice.prices is not None:
            return own_cost(self._choice.prices, usage)
        if self._choice.is_local:
            return 0.0
        found = self._found(model) or self._found(self._choice.endpoint.model)
        return _cost(*found, usage, self._now()) if found else 0.0

    def _found(self, model: str) -> "tuple[Provider, ModelInfo] | None":
        """A model in the table; only its own provider's price counts."""
        known, table = self._choice.known, self._table
        if known is None or not known.priced or table is None:
            return None
        try:
            return table.find_provider_model(model, None, known.priced, None)
        except LookupError:
            return None

    @cached_property
    def _table(self) -> "DataSnapshot | None":
        return read_table(self._file)


def own_cost(prices: PriceSettings, usage: Usage) -> float:
    """What some tokens cost by the owner's prices."""
    read = prices.input if prices.cache_read is None else prices.cache_read
    write = prices.input if prices.cache_write is None else prices.cache_write
    sent = usage.input * prices.input + usage.cache_read * read + usage.cache_write * write
    return (sent + usage.output * prices.output) / MILLION


def read_table(file: Path) -> "DataSnapshot | None":
    """The table of prices: the one that was fetched for what is installed here, else what comes with it; None without the extra."""
    try:
        from genai_prices import data_snapshot  # noqa: PLC0415 - an extra, and heavy
    except ImportError:
        return None
    try:
        kept = json.loads(read_regular(file, MOST_BYTES))
        if isinstance(kept, dict) and kept.get("made_for") == _version():
            return _snapshot_of(kept["providers"])
    except Exception:  # noqa: BLE001, S110 - whatever is wrong with a file that another release or a hand wrote: the table that comes along holds
        pass
    return data_snapshot.get_snapshot()


def fetched_at(file: Path) -> datetime | None:
    """When the table that counts was fetched; None where it is the one that came along."""
    try:
        kept = json.loads(read_regular(file, MOST_BYTES))
        return datetime.fromisoformat(kept["fetched_at"]) if kept["made_for"] == _version() else None
    except (OSError, ValueError, KeyError, TypeError, ImportError):
        return None


def update_table(file: Path, now: datetime, *, url: str | None = None) -> int:
    """Fetch the newest table and keep it; how many models it knows.

    Args:
        file: Where it is kept.
        now: The time.
        url: From where; the table's own place where unset.

    Raises:
        PricesNotUpdated: None came, or none that can be read.
        FileNotWritten: It could not be kept.
    """
    from archivist.files.atomic import write_atomically  # noqa: PLC0415 - who only asks for a price writes nothing

    providers = _fetched(url)
    try:
        count = sum(len(provider.models) for provider in _snapshot_of(providers).providers)
    except Exception as error:
        raise PricesNotUpdated("what came is no table of prices") from error
    if not count:
        raise PricesNotUpdated("what came knows no model")
    kept = {"fetched_at": now.astimezone(UTC).isoformat(), "made_for": _version(), "providers": providers}
    write_atomically(file, json.dumps(kept, ensure_ascii=False).encode())
    return count


def _fetched(url: str | None) -> Any:  # noqa: ANN401 - whatever came
    try:
        import httpx2  # noqa: PLC0415 - an extra, and heavy
        from genai_prices import UpdatePrices  # noqa: PLC0415 - as above
    except ImportError as error:
        raise PricesNotUpdated("pip install 'archivist[openai]' brings what fetches them") from error
    source = UpdatePrices()
    try:
        answer = httpx2.get(url or source.url, timeout=source.request_timeout, follow_redirects=True)
        answer.raise_for_status()
        return json.loads(answer.content)
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        raise PricesNotUpdated(" ".join(str(error).split())[:200] or type(error).__name__) from error


def _snapshot_of(providers: Any) -> "DataSnapshot":  # noqa: ANN401 - whatever came
    """A table in the form in which it is fetched. Its reader has no public name: where it is gone, what comes along is used."""
    from genai_prices import data_snapshot, types  # noqa: PLC0415 - an extra, and heavy

    if not isinstance(providers, list):
        raise TypeError("no list of providers")
    return data_snapshot.DataSnapshot(types._providers_from_raw(providers), from_auto_update=True)  # noqa: SLF001 - see above


def _version() -> str:
    from genai_prices import __version__  # noqa: PLC0415 - an extra, and heavy

    return str(__version__)


def _cost(provider: "Provider", model: "ModelInfo", usage: Usage, now: datetime) -> float:
    from genai_prices import Usage as Tokens  # noqa: PLC0415 - as above

    counts = {
        "input_tokens": usage.input + usage.cache_read + usage.cache_write,
        "cache_read_tokens": usage.cache_read,
        "cache_write_tokens": usage.cache_write,
        "output_tokens": usage.output,
    }
    tokens = Tokens(**{name: count for name, count in counts.items() if count > 0})
    try:
        with (
            warnings.catch_warnings()
        ):  # a table may price more than its reader knows of, and that is nobody's concern here
            warnings.simplefilter("ignore")
            found = model.calc_price(tokens, provider, genai_request_timestamp=now)
    except (LookupError, ValueError, ArithmeticError):
        return 0.0
    return float(found.total_price)


def _dollars(price: Any) -> float | None:  # noqa: ANN401 - a number, or one that rises with what is sent
    base = getattr(price, "base", price)
    return None if base is None else float(base)


__all__ = ["Prices", "PricesFrom", "PricesNotUpdated", "Rates", "fetched_at", "read_table", "update_table"]
