"""The lines by which clients of the Model Context Protocol are told of a server, each in its own format."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

NAME: Final = "archivist"


class Client(msgspec.Struct, frozen=True):
    """A client and where it is told of servers.

    Attributes:
        title: Its name.
        place: The file.
        lines: What belongs into it, from the command that starts the server.
    """

    title: str
    place: str
    lines: Callable[[Sequence[str]], str]


def _under(*path: str, also: Sequence[str] = (), **more: object) -> Callable[[Sequence[str]], str]:
    """JSON with `command` and `args` under some names.

    Args:
        path: The names.
        also: Further arguments.
        more: What stands beside the command.
    """

    def lines(words: Sequence[str]) -> str:
        value: dict[str, Any] = {**more, "command": words[0], "args": [*words[1:], *also]}
        return _json({NAME: value}, path)

    return lines


def _one_list(*path: str) -> Callable[[Sequence[str]], str]:
    """JSON with the whole command as one list under some names."""
    return lambda words: _json({NAME: {"type": "local", "command": list(words)}}, path)


def _toml(words: Sequence[str]) -> str:
    told = ", ".join(_basic(word) for word in words[1:])
    return f"[mcp_servers.{NAME}]\ncommand = {_basic(words[0])}\nargs = [{told}]\n"


def _yaml(words: Sequence[str]) -> str:
    """Goose's; a JSON text is a quoted one of YAML's too."""
    told = "".join(f"      - {_basic(word)}\n" for word in words[1:])
    head = f"extensions:\n  {NAME}:\n    enabled: true\n    type: stdio\n    name: {NAME}\n    description: Long-term memory\n"
    return f"{head}    cmd: {_basic(words[0])}\n    args:\n{told}    envs: {{}}\n    timeout: 300\n"


def _basic(word: str) -> str:
    """A text in double quotes, as JSON, TOML and YAML read it alike."""
    return json.dumps(word, ensure_ascii=False).replace("\x7f", "\\u007f")


def _json(value: object, path: Sequence[str]) -> str:
    for name in reversed(path):
        value = {name: value}
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


_PLAIN: Final = _under("mcpServers")
OPEN_FOLDER: Final = ("--project", "${workspaceFolder}")
"""For an editor that starts its servers anywhere, and puts the folder that is open in there."""

CLIENTS: Final[Mapping[str, Client]] = {
    "claude-code": Client("Claude Code", ".mcp.json in the project", _PLAIN),
    "claude-desktop": Client(
        "Claude Desktop", "claude_desktop_config.json (Settings, Developer, Edit Config)", _PLAIN
    ),
    "codex": Client("Codex", "~/.codex/config.toml", _toml),
    "cursor": Client("Cursor", "~/.cursor/mcp.json", _under("mcpServers", also=OPEN_FOLDER)),
    "gemini": Client("Gemini CLI", "~/.gemini/settings.json", _PLAIN),
    "goose": Client("Goose", "~/.config/goose/config.yaml", _yaml),
    "opencode": Client("opencode", "~/.config/opencode/opencode.json", _one_list("mcp")),
    "vscode": Client("VS Code", ".vscode/mcp.json", _under("servers", type="stdio")),
    "windsurf": Client("Windsurf", "~/.codeium/windsurf/mcp_config.json", _PLAIN),
    "zed": Client("Zed", "~/.config/zed/settings.json", _under("context_servers")),
}
"""By the names by which they are asked for."""

OTHER: Final = Client("any other client", "where it keeps its servers", _PLAIN)
"""Nearly every client reads this form."""

__all__ = ["CLIENTS", "OTHER", "Client"]
