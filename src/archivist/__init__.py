"""Memory that an AI agent's owner can trust: a layered library with a self-learning archivist.

The names below are the public door; each is loaded when it is first used, so that importing the package opens nothing and costs
next to nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.guard import mask
    from archivist.records import EVERYTHING, ArchivistError, Message, Scope

__version__ = "0.1.0"
__all__ = ["EVERYTHING", "Archivist", "ArchivistError", "Message", "Scope", "mask"]

_HOMES = {
    "Archivist": "archivist.app",
    "ArchivistError": "archivist.records",
    "EVERYTHING": "archivist.records",
    "Message": "archivist.records",
    "Scope": "archivist.records",
    "mask": "archivist.guard",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the module protocol's own signature
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module  # noqa: PLC0415 - part of loading late

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
