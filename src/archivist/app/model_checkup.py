"""What `doctor` says of the model that is asked, without asking it."""

from collections.abc import Mapping

from archivist.app.choosing import chosen_model
from archivist.app.findings import Finding
from archivist.config import Home
from archivist.models.choosing import NOWHERE, UnknownModelProvider
from archivist.records import ArchivistError

NAME = "model"


def look_at_model(home: Home, environ: Mapping[str, str]) -> Finding:
    """Which model an agent here would ask, and whether anything stands against it."""
    try:
        choice = chosen_model(home, environ, needs_key=False)
    except UnknownModelProvider as error:
        return Finding(
            NAME, "warning", f"{error.name!r} names no provider: archivist model set PROVIDER/NAME"
        )
    except ArchivistError as error:
        return Finding(NAME, "warning", str(error))
    if choice is None:
        return Finding(NAME, "ok", "none is named: an agent quotes from memory")
    if choice.wants:
        told = f"{choice.name} wants a key: set {choice.wants}, or archivist model set {choice.name}"
        return Finding(NAME, "warning", told)
    origin = choice.origins["key"]
    key = "without a key" if origin == NOWHERE else f"its key in {origin}"
    return Finding(NAME, "ok", f"{choice.name} at {choice.endpoint.base_url}, {key}")


__all__ = ["look_at_model"]
