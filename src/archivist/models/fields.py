"""Fields of what a provider's client made of JSON: it checks nothing, so that each may be missing, or be something else."""

from collections.abc import Mapping
from typing import Any


def field_of(value: object, name: str) -> Any:  # noqa: ANN401 - whatever the server sent
    """A field; None where it is missing."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def text_in(value: object, name: str) -> str:
    """A text; empty where there is none."""
    told = field_of(value, name)
    return told if isinstance(told, str) else ""


def count_in(value: object, *names: str) -> int:
    """The first number of those that there are; 0 where there is none."""
    return next((told for name in names if isinstance(told := field_of(value, name), int) and told > 0), 0)


def place_in(value: object, name: str) -> int:
    """A place in an order; the first where none is told."""
    told = field_of(value, name)
    return told if isinstance(told, int) else 0


def listed_in(value: object, name: str) -> list[Any]:
    """What is in a list; nothing where there is none."""
    told = field_of(value, name)
    return told if isinstance(told, list) else []


def plain(value: object) -> dict[str, Any]:
    """All fields that were sent."""
    if isinstance(value, Mapping):
        return dict(value)
    if not hasattr(value, "model_dump"):
        return {}
    told: dict[str, Any] = value.model_dump(exclude_unset=True, warnings=False)
    return told


__all__ = ["count_in", "field_of", "listed_in", "place_in", "plain", "text_in"]
