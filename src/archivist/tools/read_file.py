"""The tool `read_file`: lines of a text with their numbers, or of an output that was too long to be told whole."""

from typing import Any, Final

from archivist.records.counts import counted
from archivist.tools.answering import answering
from archivist.tools.arguments import Arguments, Refused
from archivist.tools.context import Context, Workspace
from archivist.tools.files import found_at, remember, workspace_of
from archivist.tools.places import may_read, place_of
from archivist.tools.results import NOTICES, schema_of, with_notices
from archivist.tools.tool import Result, Tool

OUTPUT: Final = "output:"
MOST_LINES: Final = 2_000
LINE_CHARS: Final = 2_000
PAGE_CHARS: Final = 40_000
_NO_LINE: Final = "the file is empty"


def _answer(arguments: Arguments, context: Context) -> Result:
    workspace = workspace_of(context.workspace)
    path = arguments.get("path").strip()
    result: Result = {"success": True}
    if path.startswith(OUTPUT):
        text = _kept(workspace, path)
    else:
        place = place_of(workspace, path)
        may_read(workspace, place, READ_FILE.name)
        found = found_at(place)
        remember(workspace, place, found.raw)
        text, encoding = found.text.text, found.text.encoding
        if encoding != "utf-8":
            result["encoding"] = encoding
        path = place.shown
    if not text:
        return with_notices(result | {"message": _NO_LINE}, arguments.notices)
    offset = arguments.get("offset", 1)
    return with_notices(
        result | {"text": page_of(text, path, offset, arguments.get("limit", MOST_LINES))}, arguments.notices
    )


def _kept(workspace: Workspace, path: str) -> str:
    text = workspace.read_output(path.removeprefix(OUTPUT).strip())
    if text is None:
        raise Refused(
            f"there is no output {path} in this conversation: take the id from the mark of what was cut"
        )
    return text


def page_of(text: str, path: str, offset: int, limit: int) -> str:
    """Lines of a text with their numbers, and where there are more of them, from where they are read on.

    Args:
        text: All of it.
        path: As it is asked for again.
        offset: The first line, from 1; from the end where it is negative.
        limit: How many lines.

    Raises:
        Refused: There are not so many lines.
    """
    text = text.removesuffix("\n")
    count = text.count("\n") + 1
    first = max(0, count + offset) if offset < 0 else max(1, offset) - 1
    if first >= count:
        raise Refused(f"{path} has {counted(count, 'line')}: give an offset up to that")
    lines = text.split("\n", first + limit)
    wide = PAGE_CHARS if limit == 1 else LINE_CHARS
    told, room = list[str](), PAGE_CHARS
    for number, line in enumerate(lines[first : first + limit], first + 1):
        row = f"{number:>6}\t{_line(line.removesuffix(chr(13)), number, path, wide)}"
        room -= len(row) + 1
        if room < 0 and told:
            break
        told.append(row)
    after = first + len(told)
    if more := count - after:
        told.append(f"[cut, {counted(more, 'more line')}: read_file path={path} offset={after + 1}]")
    return "\n".join(told)


def _line(line: str, number: int, path: str, most: int) -> str:
    if len(line) <= most:
        return line
    rest = (
        f"read_file path={path} offset={number} limit=1"
        if most < PAGE_CHARS
        else f"terminal sed -n {number}p | cut -c{most + 1}-"
    )
    return f"{line[:most]} … [cut, {len(line) - most:,} more characters: {rest}]"


_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "From the workspace, or whole; output:ID for a kept output.",
        },
        "offset": {"type": "integer", "description": "First line; 1 where left out, negative from the end."},
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST_LINES},
    },
    "required": ["path"],
    "additionalProperties": False,
}

READ_FILE: Final = Tool(
    name="read_file",
    title="Read a file",
    description=(
        "Read a text file, its lines numbered (number, tab, line: the number is no part of the file). Long files come in pages: the mark"
        " at the end says how to go on. Read a file before you change it. path=output:ID reads a long output that was cut."
    ),
    schema=_SCHEMA,
    output=schema_of(
        encoding={"type": "string"},
        message={"type": "string"},
        text={"type": "string"},
        notices=NOTICES,
    ),
    is_read_only=True,
    is_destructive=False,
    is_idempotent=True,
    call=answering(
        _answer, _SCHEMA, names={"file_path": "path", "filename": "path", "file": "path"}, is_exact=True
    ),
)
