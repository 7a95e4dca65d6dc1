"""The tool `write_file`: a whole text at a place. What the model has not seen as it is now, it does not replace."""

from typing import Any, Final

from archivist.tools.answering import answering
from archivist.tools.arguments import Arguments, Refused
from archivist.tools.context import Context, Workspace
from archivist.tools.files import (
    Found,
    change,
    digest,
    exists_at,
    found_at,
    lines_in,
    remember,
    workspace_of,
)
from archivist.tools.places import Place, place_of
from archivist.tools.results import NOTICES, schema_of, with_notices
from archivist.tools.tool import Result, Tool


def _answer(arguments: Arguments, context: Context) -> Result:
    workspace = workspace_of(context.workspace)
    place = place_of(workspace, arguments.get("path"))
    content: str = arguments.get("content")
    before = found_at(place) if exists_at(place) else None
    if before is not None and before.raw:
        _check_seen(workspace, place, before)
    if before is not None and before.text.newline == "\r\n":
        content = content.replace("\r\n", "\n")
    if before is not None and before.text.text == content:
        message = f"{place.shown} has this text already."
    else:
        changed = change(workspace, place, WRITE_FILE.name, before, content)
        remember(workspace, place, changed.raw)
        word = "Made" if before is None else "Wrote"
        message = f"{word} {place.shown}, {lines_in(content)}."
    return with_notices({"success": True, "text": message}, arguments.notices)


def _check_seen(workspace: Workspace, place: Place, before: Found) -> None:
    """Refuse to replace what the model does not know.

    Raises:
        Refused: It does not.
    """
    seen = workspace.seen.get(str(place.real))
    if seen is None:
        raise Refused(
            f"{place.shown} exists and you have not read it: read_file first, or change a part with patch"
        )
    if seen != digest(before.raw):
        raise Refused(
            f"{place.shown} has changed since you read it: read_file again, so that nothing of it is lost"
        )


_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "content": {"type": "string", "minLength": 0, "description": "The whole text."},
    },
    "required": ["path", "content"],
    "additionalProperties": False,
}

WRITE_FILE: Final = Tool(
    name="write_file",
    title="Write a file",
    description=(
        "Write a whole file; missing folders are made. A file that exists must have been read before, and not have changed since."
        " To change a part of one, use patch. The user may be shown the difference and asked."
    ),
    schema=_SCHEMA,
    output=schema_of(text={"type": "string"}, notices=NOTICES),
    is_read_only=False,
    is_destructive=True,
    is_idempotent=True,
    call=answering(
        _answer, _SCHEMA, names={"file_path": "path", "filename": "path", "text": "content"}, is_exact=True
    ),
)
