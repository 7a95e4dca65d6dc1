"""The fields of records: each is declared once, in `shapes`, and stands under the same name in the store and in every form of an export.

Named here is only what is written otherwise than it is stored, and what has no place in a marker of Markdown.
"""

from collections.abc import Callable, Mapping
from datetime import UTC
from functools import cache
from typing import Any, Final, TypeVar

import msgspec

from archivist.records import Scope
from archivist.store.rows import instant
from archivist.transfer.archivist.shapes import NOTHING, MessageRecord, ScopeShape

R = TypeVar("R", bound=msgspec.Struct)

TIMES: Final = ("created_at", "started_at", "ended_at", "archived_at", "pinned_at", "made_at", "redone_at")
JSON: Final = ("parts", "tool_calls", "metadata", "masked", "parts_as_sent", "calls_as_sent")
BELOW_A_MARKER: Final = frozenset({"text", "parts", "tool_calls"})
NOT_IN_MARKDOWN: Final = frozenset({"reasoning", "digest"})


def record(shape: type[R], stored: object, **more: Any) -> R:  # noqa: ANN401 - fields of whatever kind
    """A record with the values of the store.

    Args:
        shape: Of the record.
        stored: Has the fields of the shape; what it does not know is left out of the record.
        more: Fields that it does not have, or has in another form.
    """
    for name, written in _written(shape):
        if name not in more and (value := getattr(stored, name)) is not None:
            more[name] = written(value) if written else value
    return shape(**more)


def marked(message: MessageRecord) -> dict[str, Any]:
    """The fields of a message that stand in its marker."""
    return {name: getattr(message, name) for name in MARKED}


def timestamp(milliseconds: int) -> str:
    """A stored time as it stands in an export."""
    return instant(milliseconds).astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _raw(stored: str) -> msgspec.Raw:
    """A JSON value of the database to the letter; none where the row is damaged, for it would spoil what stands around it."""
    raw = stored.encode("utf-8")
    try:
        msgspec.json.decode(raw, type=msgspec.Raw)
    except msgspec.DecodeError:
        return NOTHING
    return msgspec.Raw(raw)


def _scope(scope: Scope) -> ScopeShape:
    return ScopeShape(scope.user, scope.chat, scope.project)


@cache
def _written(shape: type[msgspec.Struct]) -> tuple[tuple[str, Callable[[Any], Any] | None], ...]:
    return tuple((name, WRITTEN_OTHERWISE.get(name)) for name in shape.__struct_fields__)


WRITTEN_OTHERWISE: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(TIMES, timestamp),
    **dict.fromkeys(JSON, _raw),
    "scope": _scope,
    "digest": bytes.hex,
}
MARKED: Final = tuple(
    name for name in MessageRecord.__struct_fields__ if name not in BELOW_A_MARKER | NOT_IN_MARKDOWN
)
