"""The tool `terminal`: a command of bash in the workspace, asked for unless it only looks."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

from archivist.guard import mask
from archivist.records.approvals import Ask
from archivist.records.display import visible
from archivist.records.patterns import late_pattern
from archivist.tools.answering import answering
from archivist.tools.arguments import Arguments, Refused
from archivist.tools.commands import group_of, only_looks
from archivist.tools.context import Context, Workspace
from archivist.tools.dangers import dangers_of
from archivist.tools.files import workspace_of
from archivist.tools.places import asked, is_guarded, place_of
from archivist.tools.results import NOTICES, schema_of, with_notices
from archivist.tools.running import Ran, run
from archivist.tools.screen import seen
from archivist.tools.tool import Result, Tool

SECONDS: Final = 120
MOST_SECONDS: Final = 600
TOLD_CHARS: Final = 16_000
KEPT_BYTES: Final = 10_000_000
_TITLE_CHARS: Final = 200
_BLANKS: Final = late_pattern(r"[\s\u2800]{2,}")
"""What would push the rest of a title out of sight."""
_SECRET: Final = late_pattern(
    r"(?i)\A(?:ARCHIVIST_(?:API_KEY|BASE_URL|MODEL)|.*_API_?KEYS?|.*_API_(?:TOKEN|SECRET)|.*_AUTH_TOKEN"
    r"|(?:OPENAI|ANTHROPIC|OPENROUTER|DEEPSEEK|DASHSCOPE|GEMINI|GOOGLE|MISTRAL|GROQ|XAI|HF|HUGGINGFACE(?:_HUB)?)_.*(?:KEY|TOKEN|SECRET).*)\Z"
)
"""Names of what our own process was given for models and providers."""
_OTHER_REPOSITORY: Final = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"})
"""What a hook of git is given; the workspace is another's affair."""
AGENT_SIGN: Final = "ARCHIVIST_AGENT"
"""In the environment of what an agent runs: so that `archivist` knows that it is not the owner who types."""
_QUIET: Final = {
    AGENT_SIGN: "1",
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "PYTHONUNBUFFERED": "1",
}


def _answer(arguments: Arguments, context: Context) -> Result:
    workspace = workspace_of(context.workspace)
    command: str = arguments.get("command")
    if "\0" in command:
        raise Refused("command has a character that no command can have")
    env = environment(os.environ, workspace.hidden)
    if _looks(workspace, command):
        env["PATH"] = _others_path(env.get("PATH", os.defpath), workspace)
    else:
        _ask(workspace, command)
    if workspace.stopped():
        raise Refused("not run: the user stopped the turn")
    timeout = arguments.get("timeout", SECONDS)
    try:
        ran = run(
            ["bash", "-c", command],
            cwd=workspace.root,
            env=env,
            timeout=timeout,
            stopped=workspace.stopped,
            most=KEPT_BYTES,
        )
    except FileNotFoundError as error:
        what = "the workspace is gone" if not workspace.root.is_dir() else "there is no bash here"
        raise Refused(f"the command was not run: {what}") from error
    except OSError as error:
        raise Refused(f"the command was not run: {error.strerror or error}") from error
    return with_notices(_result(ran, workspace, timeout), arguments.notices)


def _looks(workspace: Workspace, command: str) -> bool:
    """Whether a command only looks at what nobody need be asked about."""

    def may_be_shown(path: str) -> bool:
        return not is_guarded(workspace, place_of(workspace, path))

    return only_looks(command, workspace.root, may_be_shown)


def _others_path(path: str, workspace: Workspace) -> str:
    """Where programs are found that are not the workspace's: a file in it that is called `ls` is not run unasked."""
    folders = [folder for folder in path.split(os.pathsep) if Path(folder).is_absolute()]
    return os.pathsep.join(folder for folder in folders if not place_of(workspace, folder).is_inside)


def _ask(workspace: Workspace, command: str) -> None:
    """Ask about a command.

    Raises:
        Refused: The answer is no.
    """
    shown = visible(command.strip())
    first, _, more = shown.partition("\n")
    first = _BLANKS.sub(" ", first)
    title = f"run: {first[:_TITLE_CHARS]}{' …' if more or len(first) > _TITLE_CHARS else ''}"
    dangers = [f"Careful: it {what}." for what in dangers_of(command)]
    asked(workspace, Ask(TERMINAL.name, title, "run", "\n".join([*dangers, shown]), group_of(command)))


def environment(environ: Mapping[str, str], hidden: Collection[str] = ()) -> dict[str, str]:
    """What a command is given of our environment: all but the keys of models and providers, and what else is to be hidden."""
    kept = {
        name: value
        for name, value in environ.items()
        if not _SECRET.match(name) and name not in _OTHER_REPOSITORY and name not in hidden
    }
    return kept | _QUIET


def _result(ran: Ran, workspace: Workspace, timeout: int) -> Result:
    result: Result = {
        "success": ran.ending == "ended",
        "exit_code": ran.code,
        "seconds": round(ran.seconds, 1),
    }
    if ran.ending == "timeout":
        result["error"] = (
            f"ended after {timeout} s, with all that it had begun: give more timeout, or do less at once"
        )
    elif ran.ending == "stopped":
        result["error"] = "the user stopped it"
    elif ran.lingers:
        result["message"] = "something that it began goes on in the background; its output is no longer read"
    text = _text_of(ran)
    return result | {"text": told_of(text, workspace) if text else "(no output)"}


def _text_of(ran: Ran) -> str:
    text = seen((ran.head + (b"" if ran.lost else ran.tail)).decode("utf-8", "replace")).rstrip("\n")
    if not ran.lost:
        return text
    tail = seen(ran.tail.decode("utf-8", "replace")).rstrip("\n")
    return f"{text}\n[lost, {ran.lost:,} bytes that nobody kept: let the command write to a file]\n{tail}"


def told_of(text: str, workspace: Workspace) -> str:
    """An output as a model is told it: whole, or its beginning and its end, with where the whole is read."""
    if len(text) <= TOLD_CHARS:
        return text
    text = mask(text).text  # first: half a key is no key that anybody would know for one
    key = workspace.keep_output(text)
    half = TOLD_CHARS // 2
    head, tail = text[:half], text[-half:]
    head = head[: head.rfind("\n") + 1] or head
    tail = tail[tail.find("\n") + 1 :] or tail
    cut = len(text) - len(head) - len(tail)
    gap = "" if head.endswith("\n") else "\n"
    return f"{head}{gap}[cut, {cut:,} more characters: read_file path=output:{key}]\n{tail}"


_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "description": "For bash, in the workspace."},
        "timeout": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_SECONDS,
            "description": f"Seconds; {SECONDS} where left out.",
        },
    },
    "required": ["command"],
    "additionalProperties": False,
}

TERMINAL: Final = Tool(
    name="terminal",
    title="Run a command",
    description=(
        "Run a command with bash in the workspace; each call is a shell of its own, without input. Gives the exit code and what was"
        " printed: of much, its beginning and end, and where the rest is read. The user may be asked first."
        " For reading, searching and changing files there are better tools. What goes on in the background must write to a file."
    ),
    schema=_SCHEMA,
    output=schema_of(
        exit_code={"type": "integer"},
        seconds={"type": "number"},
        message={"type": "string"},
        text={"type": "string"},
        notices=NOTICES,
    ),
    is_read_only=False,
    is_destructive=True,
    is_idempotent=False,
    call=answering(_answer, _SCHEMA, names={"cmd": "command", "script": "command"}, is_exact=True),
)
