"""What of Archivist's stands in the JSON files of a project, beside what others have put there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from archivist.app.hosts.changes import KEPT, Change, HostFileUnusable, read_text, resolved, to_write
from archivist.app.hosts.claude_code.plugin import HOST, SERVER, hooks, server
from archivist.app.hosts.json_text import MARK, parsed, with_item, with_member, without
from archivist.app.hosts.starting import COMMANDS, HOOKS, Starting

Edit = Callable[[str], str]

APPROVED: Final = "enabledMcpjsonServers"


def edited(path: Path, edit: Edit, take_out: Edit) -> Change:
    """The change after which an edited file of JSON stands there; one that is not there, or holds nothing, begins as an empty object.

    Raises:
        HostFileUnusable: It cannot be edited.
    """
    text = read_text(resolved(path))
    new = _checked(path, "{}\n" if text is None or _is_blank(text) else text, edit)
    is_first = text is None or _is_blank(text) or _is_untouched(text, take_out)
    return to_write(path, new, keep=is_first)


def taken_out(path: Path, edit: Edit) -> tuple[list[Change], list[str]]:
    """The file as it was before, to the byte where nobody else has changed it since; and what is worth knowing."""
    path = resolved(path)
    text = read_text(path)
    if text is None or _is_blank(text):
        return [], []
    new = _checked(path, text, edit)
    if new == text:
        return [], []
    kept = path.with_name(path.name + KEPT)
    before = read_text(kept)
    if before is None:
        return [Change(path, "changed", new.encode()) if parsed(new) else Change(path, "removed")], []
    is_clean = _is_blank(before) or _is_untouched(before, edit)
    if not is_clean:
        return [Change(path, "changed", new.encode())], [f"{kept} is what was there before, so it stays"]
    if _same(before, new):
        new = before
    return [Change(path, "changed", new.encode()), Change(resolved(kept), "removed")], []


def _is_untouched(text: str, edit: Edit) -> bool:
    """Whether an edit that takes out what is Archivist's finds nothing of it."""
    try:
        return edit(text) == text
    except (ValueError, RecursionError):
        return False


def _same(one: str, other: str) -> bool:
    """Whether two texts say the same, but for Archivist's approval, and lists and objects of which nothing is left."""
    return bool(_without_empty(_value(one)) == _without_empty(_value(other)))


def _value(text: str) -> Any:  # noqa: ANN401 - JSON
    return {} if _is_blank(text) else parsed(text)


def _without_empty(settings: dict[str, Any]) -> dict[str, Any]:
    found = dict(settings)
    if isinstance(events := found.get("hooks"), dict):
        found["hooks"] = {event: groups for event, groups in events.items() if groups != []}
    if isinstance(names := found.get(APPROVED), list):
        found[APPROVED] = [name for name in names if name != SERVER]
    places = {"hooks", "mcpServers", APPROVED}
    return {name: value for name, value in found.items() if name not in places or value not in ({}, [])}


def _is_blank(text: str) -> bool:
    return not text.removeprefix(MARK).strip()


def _checked(path: Path, text: str, edit: Edit) -> str:
    """An edited text that holds what it should.

    Raises:
        HostFileUnusable: It is no JSON object, or holds something else in a place of ours.
    """
    try:
        value = parsed(text)
    except (ValueError, RecursionError) as error:
        raise HostFileUnusable(path, f"it is no JSON that Claude Code reads ({error})") from error
    if not isinstance(value, dict):
        raise HostFileUnusable(path, "it is no JSON object")
    try:
        return edit(text)
    except (ValueError, RecursionError) as error:
        raise HostFileUnusable(path, str(error)) from error


def with_hooks(text: str, how: Starting) -> str:
    """Settings with Archivist's hooks, and with its server approved."""
    wanted = hooks(how)
    if ours(parsed(text)) == wanted:
        return text
    text = without_hooks(text)
    for event, groups in wanted.items():
        for group in groups:
            text = with_item(text, ["hooks", event], group)
    return text if SERVER in (parsed(text).get(APPROVED) or ()) else with_item(text, [APPROVED], SERVER)


def without_hooks(text: str) -> str:
    """Settings without them."""
    found = ours(parsed(text))
    for event in found:
        text = without(text, ["hooks", event], _is_ours)
    return without(text, [APPROVED], lambda name: name == SERVER) if found else text


def with_server(text: str, how: Starting) -> str:
    """A list of servers with Archivist's.

    Raises:
        ValueError: Another has its name.
    """
    servers = parsed(text).get("mcpServers")
    if isinstance(servers, dict) and SERVER in servers and not _is_our_server(servers[SERVER]):
        raise ValueError(f"it has another server with the name {SERVER}: give that one another name")
    return with_member(text, ["mcpServers", SERVER], server(how))


def without_server(text: str) -> str:
    """A list of servers without Archivist's."""
    servers = parsed(text).get("mcpServers")
    if not isinstance(servers, dict) or not _is_our_server(servers.get(SERVER)):
        return text
    return without(text, ["mcpServers"], lambda name: name == SERVER)


def _is_our_server(value: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether it is as it was put in, by whichever interpreter and for whichever home; with more in it, it is somebody's own."""
    if (
        not isinstance(value, dict)
        or value.keys() != {"command", "args"}
        or not isinstance(value["args"], list)
    ):
        return False
    return COMMANDS in value["args"] and value["args"][-3:] == ["mcp", "--host", HOST]


def ours(settings: dict[str, Any]) -> dict[str, list[Any]]:
    """Archivist's hooks in some settings."""
    found = settings.get("hooks")
    if not isinstance(found, dict):
        return {}
    mine = {
        event: [group for group in groups if _is_ours(group)]
        for event, groups in found.items()
        if isinstance(groups, list)
    }
    return {event: groups for event, groups in mine.items() if groups}


def _is_ours(group: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether all hooks of a group are Archivist's."""
    inside = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(inside, list) or not inside:
        return False
    return all(isinstance(one, dict) and HOOKS in (one.get("args") or ()) for one in inside)


__all__ = ["edited", "ours", "taken_out", "with_hooks", "with_server", "without_hooks", "without_server"]
