"""The tool `patch`: parts of a file replaced by others, all of them or none."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from archivist.tools.answering import answering
from archivist.tools.arguments import Arguments, Refused
from archivist.tools.context import Context
from archivist.tools.files import change, digest, found_at, remember, workspace_of
from archivist.tools.fitting import MOST_NAMED, Edit, Unfit, applied
from archivist.tools.places import may_read, place_of
from archivist.tools.results import NOTICES, schema_of, with_notices
from archivist.tools.tool import Result, Tool

MOST_EDITS: Final = 100
DIFF_CHARS: Final = 8_000
_AROUND: Final = 4
_LINE_CHARS: Final = 200
_NAMES: Final = {
    "file_path": "path",
    "filename": "path",
    "old_string": "old_text",
    "old_str": "old_text",
    "new_string": "new_text",
    "new_str": "new_text",
}


def _answer(arguments: Arguments, context: Context) -> Result:
    workspace = workspace_of(context.workspace)
    place = place_of(workspace, arguments.get("path"))
    edits = _edits(arguments)
    may_read(workspace, place, PATCH.name)
    before = found_at(place)
    text = before.text.text
    for number, edit in enumerate(edits, 1):
        try:
            text = applied(text, edit)
        except Unfit as error:
            return _missed(error, number if len(edits) > 1 else 0, text, place.shown)
    if text == before.text.text:
        raise Refused("nothing would change: new_text is what stands there")
    knew = workspace.seen.get(str(place.real)) == digest(before.raw)
    changed = change(workspace, place, PATCH.name, before, text)
    if knew:
        remember(workspace, place, changed.raw)
    text = f"Changed {place.shown} ({changed.count}).\n{_told(changed.diff, place.shown)}"
    return with_notices({"success": True, "text": text}, arguments.notices)


def _edits(arguments: Arguments) -> list[Edit]:
    """What is asked for.

    Raises:
        Refused: It is no edit.
    """
    given: Sequence[Mapping[str, Any]] = arguments.get("edits") or [arguments.values]
    if arguments.get("edits") and arguments.get("old_text") is not None:
        raise Refused("give either old_text and new_text, or edits")
    if len(given) > MOST_EDITS:
        raise Refused(f"{len(given):,} edits are too many at once: give at most {MOST_EDITS}")
    return [_edit({_NAMES.get(name, name): value for name, value in one.items()}) for one in given]


def _edit(given: Mapping[str, Any]) -> Edit:
    old, new = given.get("old_text"), given.get("new_text")
    if not isinstance(old, str) or not isinstance(new, str):
        raise Refused(
            "each edit needs old_text and new_text, both texts; new_text is empty to take old_text away"
        )
    if not old:
        raise Refused("old_text is empty: quote what is to be replaced; write_file makes a file")
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    if old == new:
        raise Refused("nothing would change: new_text is old_text")
    return Edit(old, new, given.get("replace_all") in {True, "true", "True"})


def _missed(error: Unfit, number: int, text: str, path: str) -> Result:
    which = f"edit {number}: " if number else ""
    lines = text.split("\n")
    shown = "\n\n".join(_around(lines, line) for line in error.lines[:3])
    where = ", ".join(map(str, error.lines)) + (" …" if len(error.lines) == MOST_NAMED else "")
    near = f" ({error.what} {where})" if error.lines else "; read_file shows how it is"
    result: Result = {"success": False, "error": f"{which}{error}{near}. Nothing of {path} was changed."}
    return result | ({"text": shown} if shown else {})


def _around(lines: list[str], line: int) -> str:
    first = max(0, line - 2)
    return "\n".join(
        f"{number:>6}\t{one[:_LINE_CHARS]}{' … [cut]' if len(one) > _LINE_CHARS else ''}"
        for number, one in enumerate(lines[first : line + _AROUND], first + 1)
    )


def _told(diff: str, path: str) -> str:
    if len(diff) <= DIFF_CHARS:
        return diff
    return f"{diff[:DIFF_CHARS]}\n[cut, {len(diff) - DIFF_CHARS:,} more characters: read_file path={path}]"


_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "old_text": {"type": "string", "minLength": 0, "description": "A part that stands there once."},
        "new_text": {"type": "string", "minLength": 0},
        "replace_all": {"type": "boolean"},
        "edits": {
            "type": "array",
            "description": "In place of these: several, one after the other.",
            "items": {
                "type": "object",
                "properties": {
                    "old_text": {"type": "string"},
                    "new_text": {"type": "string"},
                    "replace_all": {"type": "boolean"},
                },
                "required": ["old_text", "new_text"],
            },
        },
    },
    "required": ["path"],
    "additionalProperties": False,
}

PATCH: Final = Tool(
    name="patch",
    title="Change a file",
    description=(
        "Replace old_text by new_text in a file. old_text must stand there once, as read_file shows it without the numbers; quote enough"
        " lines to make it so, or set replace_all. Several edits of one file: edits, done whole or not at all. Gives the difference."
    ),
    schema=_SCHEMA,
    output=schema_of(text={"type": "string"}, notices=NOTICES),
    is_read_only=False,
    is_destructive=True,
    is_idempotent=False,
    call=answering(_answer, _SCHEMA, names=_NAMES, is_exact=True),
)
