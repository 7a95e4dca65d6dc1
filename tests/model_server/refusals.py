"""What makes a request invalid."""

from collections.abc import Iterable, Mapping
from typing import Any


class Refused(Exception):
    """A request is not what the form allows; the server answers 400."""

    def __init__(self, message: str, where: str | None = None) -> None:
        self.message, self.where = message, where
        super().__init__(message if where is None else f"{where}: {message}")


def needs(holds: object, message: str, where: str | None = None) -> None:
    if not holds:
        raise Refused(message, where)


def known_keys(value: Mapping[str, Any], allowed: Iterable[str], where: str | None = None) -> None:
    unknown = sorted(set(value) - set(allowed))
    needs(not unknown, f"unknown field {', '.join(unknown)}", where)
