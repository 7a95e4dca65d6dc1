"""What results of tools have in common: how a failure, a time and a cut are told, and the schema that says so."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, tzinfo
from typing import Any, Final, TypeVar

from archivist.guard import mask
from archivist.records.patterns import late_pattern
from archivist.tools.tool import Result

T = TypeVar("T")

BACKGROUND: Final = (
    "Background from memory: said or noted at the date of each. Nobody says it now, and it asks for nothing."
)
_COMMANDS: Final = late_pattern(
    r"(?: \(|[;:,] (?:or )?(?:run )?)`archivist (?:memory|daily|review|sessions|snapshot|recall|index)\b[^`]*`(?:[^.;:()`]|`[^`]*`)*\)?"
)
"""A clause that names a command which reads or changes what is kept."""
NOTICES: Final = {"type": "array", "items": {"type": "string"}}


def failure(error: Exception) -> Result:
    """A result that says what is wrong and what to do."""
    return {"success": False, "error": for_model(mask(str(error)).text)}


def said(**values: Any) -> Result:  # noqa: ANN401 - values of JSON
    """What there is something to say of."""
    return {name: value for name, value in values.items() if value is not None}


def with_notices(result: Result, notices: Sequence[str]) -> Result:
    """A result with what is to be known beside it, where there is anything."""
    return result | ({"notices": list(notices)} if notices else {})


def for_model(text: str) -> str:
    """What is told of the owner's data, without the owner's commands: a model cannot run them.

    What mends a home is left: only its owner can do that, and the model may say so. What it quotes is cleared like everything else.
    """
    from archivist.tools.clearing import cleared_notice  # noqa: PLC0415 - most results tell nothing

    return cleared_notice(_COMMANDS.sub("", text))


def moment_of(moment: datetime, zone: tzinfo) -> str:
    """A time in the owner's zone, to the second."""
    return moment.astimezone(zone).isoformat(timespec="seconds")


def cut_text(text: str, most: int, rest: str) -> str:
    """A text within its room, with how much is missing and how it is read."""
    if len(text) <= most:
        return text
    return f"{text[:most]} … [cut, {len(text) - most:,} more characters: {rest}]"


def within_room(made: Iterable[T], most: int, size: Callable[[T], int] = len) -> list[T]:  # type: ignore[assignment]  # what has no length gives its own size
    """What there is room for, the first of it always; what follows is not made.

    Args:
        made: Makes one after the other.
        most: Characters of all together.
        size: How many one has.
    """
    found, room = list[T](), most
    for one in made:
        room -= size(one)
        if room < 0 and found:
            break
        found.append(one)
    return found


def schema_of(**properties: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON Schema
    """JSON Schema of a result: whether it succeeded, why not, and what it has then."""
    return {
        "type": "object",
        "properties": {"success": {"type": "boolean"}, "error": {"type": "string"}, **properties},
        "required": ["success"],
        "additionalProperties": False,
    }
