"""Values of a table of settings, each checked, with a line that says what is wrong where one is."""

from collections.abc import Mapping, Sequence
from typing import Any


class Mistake(Exception):
    """Something in a table cannot be followed; the text says what."""


class Table:
    """A table of settings, whose keys are known.

    Args:
        name: As it stands between brackets, such as "model.prices".
        values: What stands there.
        known: Every key that it may have.

    Raises:
        Mistake: It is no table, or has another key.
    """

    def __init__(self, name: str, values: object, known: Sequence[str]) -> None:
        if not isinstance(values, dict):
            raise Mistake(f"{name} must be a table: [{name}]")
        for key in values:
            if key not in known:
                raise Mistake(f"unknown key {key!r} in [{name}] (known: {', '.join(known)})")
        self._name, self._values = name, values

    def value(self, key: str) -> object:
        """As it stands there; None where nothing does."""
        return self._values.get(key)

    def text(self, key: str) -> str | None:
        """Some words on one line; None where nothing is set."""
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise Mistake(f"{key} in [{self._name}] must be a text on one line")
        return value.strip()

    def word(self, key: str, choices: Sequence[str], default: Any = None) -> Any:  # noqa: ANN401 - one of the caller's literals
        """One of some words."""
        value = self._values.get(key, default)
        if value is None and key not in self._values:
            return None
        if value not in choices:
            raise Mistake(
                f"{key} in [{self._name}] must be {', '.join(map(repr, choices[:-1]))} or {choices[-1]!r}"
            )
        return value

    def flag(self, key: str) -> bool | None:
        """True or false; None where nothing is set."""
        value = self._values.get(key)
        if value is not None and not isinstance(value, bool):
            raise Mistake(f"{key} in [{self._name}] must be true or false")
        return value

    def whole(self, key: str, least: int, most: int) -> int | None:
        """A whole number between two; None where nothing is set."""
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise Mistake(f"{key} in [{self._name}] must be a whole number from {least:,} to {most:,}")
        return value

    def amount(self, key: str, most: float, unit: str = "dollars") -> float | None:
        """So much of a unit, from nothing to some; None where nothing is set."""
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= most:
            raise Mistake(f"{key} in [{self._name}] must be a number of {unit} from 0 to {most:,g}")
        return float(value)


def set_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Only those that are set, so that the rest are the defaults."""
    return {key: value for key, value in values.items() if value is not None}


__all__ = ["Mistake", "Table", "set_values"]
