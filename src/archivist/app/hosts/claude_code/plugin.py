"""What Claude Code is given: hooks, a server of tools, and a skill that teaches them. Generated, so that it fits the installed version."""

import json
from importlib import resources
from typing import Any, Final

from archivist import __version__
from archivist.app.hosts.starting import Starting

NAME: Final = "archivist"
SERVER: Final = "archivist"
MANIFEST: Final = ".claude-plugin/plugin.json"
AUTHOR: Final = "Archivist"
HOST: Final = "claude-code"
SKILL: Final = "archivist-memory"
SINCE: Final = "2.1.157"
"""The first Claude Code that loads a plugin from its folder of skills by itself (see its list of changes); tried with it."""

WAITS: Final = {
    "SessionStart": 12,
    "UserPromptSubmit": 6,
    "PreCompact": 30,
    "Stop": 30,
    "SubagentStop": 30,
    "SessionEnd": 30,
}
"""The events, and the seconds for which Claude Code waits for a hook; each hook gives up before by itself."""

DESCRIPTION: Final = (
    "Memory that you can trust: what was noted goes in, what was said is kept and found again."
)

README: Final = """# Archivist

This folder was written by `archivist install claude-code` and is written anew by it: change nothing here. It gives every session what
Archivist keeps of you and your projects, keeps what is said in the sessions, and offers the tools memory, recall and session_search.
`archivist uninstall claude-code` takes it away; `archivist doctor` says whether it works.
"""

GUIDE: Final = "SKILL.md"
"""Beside this module: what the skill says."""


def plugin(how: Starting) -> dict[str, str]:
    """The files of the plugin by their paths in its folder."""
    return {
        MANIFEST: _json(
            {
                "name": NAME,
                "version": __version__,
                "description": DESCRIPTION,
                "author": {"name": AUTHOR},
                "license": "Apache-2.0",
                "keywords": ["memory"],
            }
        ),
        ".mcp.json": _json({"mcpServers": {SERVER: server(how)}}),
        "README.md": README,
        "hooks/hooks.json": _json({"description": DESCRIPTION, "hooks": hooks(how)}),
        f"skills/{SKILL}/SKILL.md": guide(),
    }


def guide() -> str:
    """What a model is taught about the tools: a skill, see https://agentskills.io."""
    return resources.files(__package__).joinpath(GUIDE).read_text("utf-8")


def hooks(how: Starting) -> dict[str, list[dict[str, Any]]]:
    """The hooks as Claude Code's settings and plugins hold them; without a shell, so that any path will do."""
    return {event: [{"hooks": [_hook(how.hook(event), seconds)]}] for event, seconds in WAITS.items()}


def server(how: Starting) -> dict[str, Any]:
    """The server of tools as Claude Code's files name it."""
    command, *arguments = how.command("mcp", "--host", HOST)
    return {"command": command, "args": arguments}


def _hook(words: list[str], seconds: int) -> dict[str, Any]:
    return {"type": "command", "command": words[0], "args": words[1:], "timeout": seconds}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
