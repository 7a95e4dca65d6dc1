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


def plain(value: object) -> dict[str, Any]:
    """All fields that were sent."""
    if isinstance(value, Mapping):
        return dict(value)
    told: dict[str, Any] = value.model_dump(exclude_unset=True) if hasattr(value, "model_dump") else {}
    return told


__all__ = ["count_in", "field_of", "plain", "text_in"]
