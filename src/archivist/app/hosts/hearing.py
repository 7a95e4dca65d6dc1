"""What the conversation holds in which a program calls a tool of ours: read from its own transcript, up to the call."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from archivist.app.hosts.host_call import HostCall
from archivist.guard.origins import Context, Recalled
from archivist.records import ArchivistError, Scope
from archivist.transfer.claude_code.files import projects_folder
from archivist.transfer.claude_code.live import (
    Wanted,
    heard_in,
    is_made,
    makes_call,
    transcript_of,
    written_since,
)

if TYPE_CHECKING:
    from archivist.store import Surroundings

PATIENCE_SECONDS: Final = 3.0
"""For a call to be written down: the program does that within a tenth of a second of making it."""
PAUSE_SECONDS: Final = 0.05
RECENT_SECONDS: Final = 600.0
"""In which a transcript was written to whose session is at work, whatever the clocks of file systems say."""
NOT_FOUND: Final = (
    "Claude Code's transcript of this conversation was not found, or does not have this call yet"
)
NOT_READ: Final = "Claude Code's transcript of this conversation cannot be read"
NOT_TOLD: Final = (
    "the program in which this is noted does not tell Archivist what was said there (its owner may trust it: trusted = true under"
    " [hosts.{}] in config.toml)"
)


def heard_before(call: HostCall, world: "Surroundings", scope: Scope, recalled: Recalled) -> Context:
    """What the conversation of a call holds.

    Args:
        call: The call.
        world: The time, and how to wait.
        scope: Where it is held.
        recalled: Tells whose words a message of ours holds.
    """
    if not call.is_claude_code:
        return Context.unknown(NOT_TOLD.format(call.host))
    folder = projects_folder(Path(os.environ.get("HOME") or Path.home()), os.environ)
    wanted = Wanted(call.id, call.tool, call.arguments, call.mark)
    ends = world.monotonic() + PATIENCE_SECONDS
    while not (found := list(_transcripts(folder, call, wanted, world))):
        if world.monotonic() >= ends:
            return Context.unknown(NOT_FOUND)
        world.sleep(PAUSE_SECONDS)
    try:
        heard = [heard_in(path) for path in found]
    except (OSError, ArchivistError) as error:
        return Context.unknown(f"{NOT_READ} ({error})")
    if not all(is_made(one.messages, wanted) for one in heard):
        return Context.unknown(NOT_FOUND)  # another file is in its place by now
    messages = [message for one in heard for message in one.messages]
    delegated = frozenset(session for one in heard for session in one.delegated)
    return Context.of(messages, scope, recalled=recalled, delegated=delegated)


def _transcripts(folder: Path, call: HostCall, wanted: Wanted, world: "Surroundings") -> Iterator[Path]:
    """Those that have the call: one where it has an id, all sessions at work that ask for the same where it has none.

    A command is of the session that its shell names and of no other, its sub-agents' among them.
    """
    own = transcript_of(folder, call.session) if call.session else None
    recent = written_since(folder, world.now().timestamp() - RECENT_SECONDS)
    for path in dict.fromkeys([*([own] if own else []), *recent]):
        is_of_another = call.session not in {path.stem, path.parent.parent.name}
        if call.mark is not None and call.session and is_of_another:
            continue
        if makes_call(path, wanted):
            yield path
            if wanted.id is not None:
                return


__all__ = ["heard_before"]
