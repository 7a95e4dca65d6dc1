"""What `doctor` says of Claude Code: whether Archivist is in it, of this version and not switched off, and how its hooks fare."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, Final

from archivist.app.findings import Finding
from archivist.app.hosts.changes import HostFileUnusable, read, read_text
from archivist.app.hosts.claude_code.installing import (
    HOOKS_FILE,
    LOCAL_SETTINGS,
    TAKE_OUT,
    Places,
    config_folder,
    digest_of,
    home_of,
    installed_how,
    is_current,
    is_in_project,
    recorded,
)
from archivist.app.hosts.claude_code.plugin import HOST, NAME, SINCE, WAITS, plugin
from archivist.app.hosts.starting import Starting, lacks_tools, no_tools
from archivist.app.hosts.traces import Traces
from archivist.config import Home
from archivist.records.display import plain

AGAIN: Final = "run `archivist install claude-code` again"
PLUGIN_ID: Final = f"{NAME}@skills-dir"
SAME_RUN_SECONDS: Final = 2.0
NOT_YET: Final = f"no hook has run yet; Claude Code runs them from {SINCE} on"


def look_at_claude_code(
    home: Home, environ: Mapping[str, str], zone: tzinfo, folder: Path | None = None
) -> list[Finding]:
    """What there is to say; nothing where there is no Claude Code, no hook of it ever ran here and none is in this project.

    Args:
        home: The home.
        environ: It says where Claude Code is.
        zone: The owner's.
        folder: In which it is asked: a project may have Archivist of its own.
    """
    places = Places(config_folder(environ))
    runs = list(Traces(str(home.path), HOST).runs(WAITS))
    is_here = folder is not None and is_in_project(folder)
    if not places.config.is_dir() and not runs and not is_here:
        return []
    try:
        is_everywhere = bool(recorded(places))
        wrong = list(_wrong(places, home, environ)) if is_everywhere else []
    except HostFileUnusable as error:
        is_everywhere, wrong = True, [str(error)]
    if folder is not None and is_here:
        wrong += _wrong_here(folder, places, home, environ, is_everywhere=is_everywhere)
    fares = "; ".join(_told(event, at, zone) for event, at, _, _ in runs) or NOT_YET
    if is_here:
        fares = f"installed for this project ({folder}); {fares}"
    elif not is_everywhere:
        fares = f"not installed for all projects (`archivist install claude-code`); {fares}"
    troubled = [(at, when, text) for _, at, text, when in runs if text]
    if troubled:
        at, when, text = max(troubled, key=lambda one: one[1])
        fares = f"{fares}; last trouble {_time(when, zone)}: {plain(text)}"
        if at - when < SAME_RUN_SECONDS:  # nothing of the kind has gone well since
            wrong.append(fares)
    if wrong:
        return [Finding(HOST, "warning", text) for text in wrong]
    return [Finding(HOST, "ok", fares)]


def _wrong(places: Places, home: Home, environ: Mapping[str, str]) -> Iterator[str]:
    """What of the plugin is not as it should be."""
    how = installed_how(places.plugin / HOOKS_FILE)
    if how is None or not Path(how.python).exists():
        yield f"its hooks name a Python that is not there: {AGAIN}"
        return
    if lacks_tools(how.python):
        yield no_tools(how.python)
    expected = {name: digest_of(text.encode()) for name, text in plugin(how).items()}
    present = {
        name: digest_of(content) for name in expected if (content := read(places.plugin / name)) is not None
    }
    if expected != present:
        yield f"the plugin in {places.plugin} is not that of this version: {AGAIN}"
    settings = _settings(places.config / "settings.json")
    yield from _wrong_anywhere(how, home, environ, settings, AGAIN)
    enabled = settings.get("enabledPlugins")
    if isinstance(enabled, dict) and enabled.get(PLUGIN_ID) is False:
        yield f"the plugin is switched off in settings.json: `claude plugin enable {PLUGIN_ID}`"


def _wrong_here(
    folder: Path, places: Places, home: Home, environ: Mapping[str, str], *, is_everywhere: bool
) -> Iterator[str]:
    """What is not as it should be where it is installed for one project."""
    if is_everywhere:
        yield f"it is installed for all projects and for this one, so hooks run twice: run `{TAKE_OUT} --scope project`"
    how = installed_how(folder / LOCAL_SETTINGS)
    if how is None or not Path(how.python).exists():
        yield f"the hooks of this project name a Python that is not there: {AGAIN} with `--scope project`"
        return
    if not is_everywhere:
        if lacks_tools(how.python):
            yield no_tools(how.python)
        if not is_current(Places(places.config, project=folder), how):
            yield f"what is installed for this project is not of this version: {AGAIN} with `--scope project`"
        settings = _settings(places.config / "settings.json") | _settings(folder / LOCAL_SETTINGS)
        yield from _wrong_anywhere(how, home, environ, settings, f"{AGAIN} with `--scope project`")


def _wrong_anywhere(
    how: Starting, home: Home, environ: Mapping[str, str], settings: Mapping[str, Any], again: str
) -> Iterator[str]:
    folder = home_of(how, environ)
    if Path(folder).resolve() != home.path.resolve():
        yield f"its hooks use another home, {folder}: {again} with the home that is meant"
    if settings.get("disableAllHooks") is True:
        yield "hooks are switched off in settings.json (disableAllHooks)"


def _settings(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_text(path) or "{}")
    except (ValueError, HostFileUnusable):
        return {}  # which Claude Code reads as none, too
    return found if isinstance(found, dict) else {}


def _told(event: str, at: float, zone: tzinfo) -> str:
    return f"{event} {_time(at, zone)}"


def _time(at: float, zone: tzinfo) -> str:
    return f"{datetime.fromtimestamp(at, UTC).astimezone(zone):%Y-%m-%d %H:%M}"


__all__ = ["look_at_claude_code"]
