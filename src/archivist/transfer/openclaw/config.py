"""What the program's configuration says about its agents; its secrets are not looked at.

The file is JSON5: JSON with comments, trailing commas and names without quotes. Mostly it is JSON with no more than comments and commas
too many; so these are taken out first, for a reader of all of JSON5 takes a tenth of a second for every kilobyte.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from archivist.transfer.json_text import NotJson, decode_leniently

CONFIG_FILES = ("openclaw.json", "moltbot.json", "clawdbot.json")
MOST_BYTES = 1024 * 1024
MOST_JSON5_BYTES = 64 * 1024
COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*"?)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
LAST_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*"?)|,(?=\s*[}\]])')

DEFAULT_AGENT = "main"


class Config(msgspec.Struct, frozen=True):
    """What is needed of a configuration.

    Attributes:
        workspaces: Agent and configured folder, "" as the agent for the default of all.
        zone: The owner's time zone, as written.
        main_key: The last part of the key of an agent's main session.
        trouble: Why the file could not be read; empty where it could.
    """

    path: Path | None = None
    workspaces: tuple[tuple[str, str], ...] = ()
    zone: str | None = None
    main_key: str = DEFAULT_AGENT
    trouble: str = ""


def read_config(root: Path) -> Config:
    """The configuration of a root; an empty one where there is none that can be read."""
    path = next((root / name for name in CONFIG_FILES if (root / name).is_file()), None)
    if path is None:
        return Config()
    try:
        value = _decoded(path)
    except (OSError, ValueError, RecursionError) as error:
        return Config(path, trouble=f"{path} cannot be read ({' '.join(str(error).split())[:120]})")
    agents = _dict(value.get("agents"))
    defaults = _dict(agents.get("defaults")) or _dict(value.get("agent"))
    folders = [("", defaults.get("workspace"))]
    folders += [(key, agent.get("workspace")) for key, agent in _agents(agents)]
    return Config(
        path,
        tuple((key, folder) for key, folder in folders if isinstance(folder, str) and folder.strip()),
        _text(defaults.get("userTimezone")) or _text(value.get("userTimezone")),
        _text(_dict(value.get("session")).get("mainKey")) or DEFAULT_AGENT,
    )


def _decoded(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise ValueError("it is longer than 1 MB")
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    text = raw.decode("utf-8", "replace")
    for plain in (text, LAST_COMMA.sub(_kept, COMMENT.sub(_kept, text))):
        try:
            return _dict(decode_leniently(plain))
        except NotJson:
            continue
    if len(raw) > MOST_JSON5_BYTES:
        raise ValueError("it is no JSON, and too long to be read as JSON5")
    import json5  # noqa: PLC0415 - rarely needed

    return _dict(json5.loads(text))


def _kept(found: re.Match[str]) -> str:
    """A string as it is, and nothing for a comment or a comma."""
    return found.group(1) or ""


def _agents(agents: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Agents by id, as older versions list them or as newer ones name them."""
    listed = agents.get("list")
    for agent in listed if isinstance(listed, list) else ():
        key = _text(_dict(agent).get("id"))
        if key:
            yield key, agent
    for key, agent in _dict(agents.get("entries")).items():
        yield key, _dict(agent)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
