"""Whether an event needs nothing done, found out without opening a home: nothing is new, nothing asked of the past, all is stored."""

from time import time

from archivist.app.hosts.traces import Traces, is_as_stamped, size_of
from archivist.recall.cues import calls_for_recall
from archivist.surfaces.hooks.event import Event


def has_nothing_to_say(event: Event, traces: Traces) -> bool:
    """Whether everything that the answer to a prompt could tell is as it was when the session was told last.

    Args:
        event: The prompt.
        traces: What the session has seen.
    """
    if event.name != "UserPromptSubmit":
        return False
    seen = traces.seen(event.session_id)
    return is_as_stamped(seen.get("stamps")) and not calls_for_recall(event.prompt, str(seen.get("recall")))


def has_nothing_to_store(event: Event, home: str | None, profile: str | None, traces: Traces) -> bool:
    """Whether all of a transcript is stored, and of earlier sessions nothing waits.

    Args:
        event: What ends or compacts something.
        home: The home's folder; found as everywhere where unset.
        profile: A home of its own below it.
        traces: What the sessions have seen.
    """
    if event.name not in {"PreCompact", "Stop", "SubagentStop"} or not event.transcript:
        return False
    if event.name == "Stop" and traces.behind(event.session_id):
        return False
    if traces.seen(event.session_id).get("stored") != size_of(event.transcript):
        return False  # something is new, most times: then nothing is opened to find that out
    from archivist.app.hosts.unchanged import files_as_they_were  # noqa: PLC0415 - a prompt does not need it

    return files_as_they_were(home, profile, event.host, event.transcript, time()) > 0
