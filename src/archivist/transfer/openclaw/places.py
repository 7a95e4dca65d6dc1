"""Where the parts of a history lie.

ROOT/openclaw.json
ROOT/agents/ID/sessions/SESSION.jsonl                       a transcript, of older versions
ROOT/agents/ID/sessions/SESSION.jsonl.reset.TIME[.zst]      one that was put away; .deleted.TIME likewise
ROOT/agents/ID/agent/openclaw-agent.sqlite                  all transcripts of an agent, of newer versions
ROOT/agents/ID/session-sqlite-import-archive/               what the database was made from
ROOT/workspace/memory/2026-06-08.md                         a dated note
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Literal

import msgspec

from archivist.records.notes import Target
from archivist.transfer.databases import is_sqlite
from archivist.transfer.openclaw.config import CONFIG_FILES, Config, read_config
from archivist.transfer.openclaw.workspaces import PATTERNS as WORKSPACES
from archivist.transfer.openclaw.workspaces import ROOT_NAME, find_workspaces, note_files

ROOTS = (".openclaw", ".moltbot", ".clawdbot")
STATE_VARIABLES = ("OPENCLAW_STATE_DIR", "MOLTBOT_STATE_DIR", "CLAWDBOT_STATE_DIR")
DATABASE = "openclaw-agent.sqlite"
IMPORTED = "session-sqlite-import-archive"
TRANSCRIPT = re.compile(
    r"(?P<stem>.+?)\.jsonl(?:\.(?P<state>reset|deleted)\.(?P<when>[^/]+?))?(?P<imported>\.imported-\d+)?(?:\.zst)?"
)
DATED = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-(.+))?\.md", re.IGNORECASE)
ASIDE = re.compile(r".*\.(?:trajectory|checkpoint\.[^.]+)")
"""Files beside a transcript that repeat it in another form."""

INSTRUCTIONS = "says who an agent is or how it works, not what it knows: stays where it is (SOUL.md, AGENTS.md and the like)"
OTHER_TEXT = "text beside the curated notes: not read"
DERIVED = "derived text (dreaming): not read"
INDEX = "derived index: not read"
BACKUP = "backup copy: not read"
COPY = "copy of what the database holds: not read"
RECORDING = "recording of a session that is read elsewhere: not read"
DELETED = "transcript that its owner deleted: not read"

CURATED: Mapping[str, Target] = {"memory.md": "memory", "user.md": "user"}
AGENT_FILES = frozenset(
    f"{name}.md" for name in ("agents", "soul", "identity", "tools", "heartbeat", "bootstrap", "boot")
)

Kind = Literal["transcript", "database", "daily", "notices"]


class Item(msgspec.Struct, frozen=True):
    """A part of a history.

    Attributes:
        name: Names it within the history, whatever machine it is on.
        agent: Whose it is.
        state: "reset", "deleted" or "cold" for a transcript that was put away.
    """

    path: Path
    name: str
    kind: Kind
    agent: str = "main"
    state: str = ""

    @property
    def stem(self) -> str:
        """The name of a transcript without what follows it; of one that was imported, without the key before it."""
        found = TRANSCRIPT.fullmatch(self.path.name)
        stem = found.group("stem") if found else self.path.stem
        return stem.rpartition(".")[2] if found and found.group("imported") else stem


class CuratedNote(msgspec.Struct, frozen=True):
    """A curated text of an agent.

    Attributes:
        name: Its path below the root.
        in_prompt: Whether every prompt carries it; what lies deeper is looked up.
    """

    path: Path
    name: str
    target: Target
    in_prompt: bool


class Places(msgspec.Struct, frozen=True):
    """A history, found.

    Attributes:
        root: The program's folder; None for what stands alone.
        profile: Its name, where it is not the home's only one.
        items: What was asked for.
        beside: Every transcript and database of the root, for who is the owner is judged by all of them.
        notices: What a person should know of what was passed over or could not be had, and how often.
        curated: What is noted in the workspaces, dated notes apart.
    """

    root: Path | None
    profile: str | None
    config: Config
    items: tuple[Item, ...]
    beside: tuple[Item, ...]
    notices: Mapping[str, int] = msgspec.field(default_factory=dict)
    curated: tuple[CuratedNote, ...] = ()


def roots(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The folders where the program keeps its state, profiles included."""
    named = (environ.get("OPENCLAW_HOME") or "").strip()
    at = Path(named.replace("~", str(home), 1) if named.startswith("~") else named) if named else home
    states = [value.strip() for name in STATE_VARIABLES if (value := environ.get(name)) and value.strip()]
    paths = [Path(state.replace("~", str(at), 1) if state.startswith("~") else state) for state in states]
    paths += [at / name for name in ROOTS]
    paths += [
        path for path in sorted(at.glob(".*")) if path.name not in ROOTS and ROOT_NAME.fullmatch(path.name)
    ]
    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_dir():
            found.setdefault(path.resolve(), path)
    return list(found.values())


def look_at(path: Path) -> Places:
    """What there is at a path: a root, a folder of sessions, or one file."""
    path = path.absolute()
    root = _root_of(path)
    notices: Counter[str] = Counter()
    beside = tuple(_of_agents(root, notices)) if root is not None else ()
    within = tuple(item for item in beside if item.path == path or item.path.is_relative_to(path))
    if root is None or (path != root and not within):
        alone = tuple(_single(path) if path.is_file() else _transcripts(path, "main", path.name, notices))
        return Places(None, None, Config(), alone, alone)
    config = read_config(root)
    if path != root:
        return Places(root, _profile(root), config, within, beside)
    notices.update([config.trouble] if config.trouble else [])
    noted = list(_of_workspaces(root, config, notices))
    curated = tuple(one for one in noted if isinstance(one, CuratedNote))
    items = (*beside, *(one for one in noted if isinstance(one, Item)))
    _pass_over_derived(root, notices)
    if notices:
        items = (*items, Item(config.path or root, "places", "notices"))
    return Places(root, _profile(root), config, items, beside, dict(sorted(notices.items())), curated)


def is_root(path: Path) -> bool:
    """Whether a folder is the program's: by what is in it, or by its name and a workspace in it."""
    patterns = (
        "agents/*/sessions/*.jsonl*",
        "agents/*/sessions/sessions.json",
        f"agents/*/agent/{DATABASE}",
        *CONFIG_FILES,
    )
    named = WORKSPACES if ROOT_NAME.fullmatch(path.name) else ()
    return path.is_dir() and any(True for pattern in (*patterns, *named) for _ in path.glob(pattern))


def own_folders(path: Path) -> list[Path]:
    """The folders at a path that are the program's alone."""
    if not is_root(path):
        return []
    if ROOT_NAME.fullmatch(path.name) or any((path / name).is_file() for name in CONFIG_FILES):
        return [path]
    return [found for pattern in ("agents", *WORKSPACES) for found in path.glob(pattern) if found.is_dir()]


def day_of(name: str) -> tuple[date, str] | None:
    """The day and what follows it in the name of a dated note; None for another file."""
    found = DATED.fullmatch(name)
    try:
        return (date.fromisoformat(found.group(1)), found.group(2) or "") if found else None
    except ValueError:
        return None


def _root_of(path: Path) -> Path | None:
    """The program's folder that a path is or lies in."""
    if is_root(path):
        return path
    for folder in (path, *list(path.parents)[:4]):
        if folder.name == "agents":
            return folder.parent
    return None


def _profile(root: Path) -> str | None:
    """What follows the name of the program's folder."""
    return root.name.partition("-")[2] or None if ROOT_NAME.fullmatch(root.name) else None


def _single(path: Path) -> Iterator[Item]:
    if is_sqlite(path):
        yield Item(path, path.name, "database")
    elif found := TRANSCRIPT.fullmatch(path.name):
        yield Item(path, path.name, "transcript", state=found.group("state") or "")


def _of_agents(root: Path, notices: Counter[str]) -> Iterator[Item]:
    for folder in sorted((root / "agents").glob("*")):
        agent, name = folder.name, f"agents/{folder.name}"
        database = folder / "agent" / DATABASE
        has_database = database.is_file()
        if has_database:
            yield Item(database, f"{name}/agent/{DATABASE}", "database", agent)
        yield from _transcripts(folder / "sessions", agent, f"{name}/sessions", notices)
        yield from _transcripts(folder / "sessions" / "cold", agent, f"{name}/sessions/cold", notices, "cold")
        for path in sorted((folder / IMPORTED).glob("*")):
            if not path.is_file():
                continue
            if not has_database and TRANSCRIPT.fullmatch(path.name):
                yield Item(path, f"{name}/{IMPORTED}/{path.name}", "transcript", agent)
            else:
                notices[COPY] += 1


def _transcripts(
    folder: Path, agent: str, name: str, notices: Counter[str], state: str = ""
) -> Iterator[Item]:
    for path in sorted(folder.glob("*.jsonl*")):
        found = TRANSCRIPT.fullmatch(path.name)
        if not path.is_file() or (found is None and ".jsonl.bak" not in path.name):
            continue
        if found is None:
            notices[BACKUP] += 1
        elif ASIDE.fullmatch(found.group("stem")):
            notices[RECORDING] += 1
        elif found.group("state") == "deleted":
            notices[DELETED] += 1
        else:
            yield Item(path, f"{name}/{path.name}", "transcript", agent, found.group("state") or state)


def _of_workspaces(root: Path, config: Config, notices: Counter[str]) -> Iterator[Item | CuratedNote]:
    for workspace in find_workspaces(root, config, notices):
        for note in note_files(workspace, notices):
            name, base, is_deep = f"{workspace.name}/{note.name}", note.path.name.lower(), "/" in note.name
            if is_deep and day_of(note.path.name):
                yield Item(note.path, name, "daily")
            elif base == "dreams.md":
                notices[DERIVED] += 1
            elif is_deep or base in CURATED:
                target: Target = "memory" if is_deep else CURATED[base]
                yield CuratedNote(note.path, name, target, in_prompt=not is_deep)
            else:
                notices[INSTRUCTIONS if base in AGENT_FILES else OTHER_TEXT] += 1


def _pass_over_derived(root: Path, notices: Counter[str]) -> None:
    for pattern, reason in (("memory/*.sqlite*", INDEX), ("backups/**/*", BACKUP)):
        found = [path for path in root.glob(pattern) if path.is_file() and not path.is_symlink()]
        notices.update([reason] * len(found))
