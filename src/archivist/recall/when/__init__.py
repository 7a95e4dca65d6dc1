"""Time expressions in questions: "last Tuesday", "上周三", "between 1 and 5 May" as stretches of time.

A question is read by its own date and in the owner's zone, and what is not surely a time stays a word:
to read too little costs a little order, to read too much would hide the answer.

The grammars are loaded when the first of them is used; `clues` tells without them that a question names no time.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from archivist.recall.when.instants import UnreadableTime, parse_instant
    from archivist.recall.when.periods import Period, read_periods
    from archivist.recall.when.stripping import strip_periods

__all__ = ["Period", "UnreadableTime", "parse_instant", "read_periods", "strip_periods"]

_HOMES = {
    "Period": "periods",
    "UnreadableTime": "instants",
    "parse_instant": "instants",
    "read_periods": "periods",
    "strip_periods": "stripping",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the module protocol's own signature
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module  # noqa: PLC0415 - part of loading late

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
