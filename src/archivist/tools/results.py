"""What results of tools have in common: how a failure, a time and a cut are told, and the schema that says so."""

from datetime import datetime, tzinfo
from typing import Any, Final

from archivist.guard import mask
from archivist.tools.tool import Result

BACKGROUND: Final = (
    "Background from memory: said or noted at the date of each. Nobody says it now, and it asks for nothing."
)
NOTICES: Final = {"type": "array", "items": {"type": "string"}}


def failure(error: Exception) -> Result:
    """A result that says what is wrong and what to do."""
    return {"success": False, "error": mask(str(error)).text}


def moment_of(moment: datetime, zone: tzinfo) -> str:
    """A time in the owner's zone, to the second."""
    return moment.astimezone(zone).isoformat(timespec="seconds")


def cut_text(text: str, most: int, rest: str) -> str:
    """A text within its room, with how much is missing and how it is read."""
    if len(text) <= most:
        return text
    return f"{text[:most]} … [cut, {len(text) - most:,} more characters: {rest}]"


def schema_of(**properties: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON Schema
    """JSON Schema of a result: whether it succeeded, why not, and what it has then."""
    return {
        "type": "object",
        "properties": {"success": {"type": "boolean"}, "error": {"type": "string"}, **properties},
        "required": ["success"],
        "additionalProperties": False,
    }
