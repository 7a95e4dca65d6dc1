"""Whether a prompt needs no answer at all, found out without opening anything: nothing has changed, and nothing is asked of the past."""

from archivist.app.hosts.traces import Traces, is_as_stamped
from archivist.surfaces.hooks.cues import points_back
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


def calls_for_recall(prompt: str | None, when: str) -> bool:
    """Whether something is to be recalled for a prompt.

    Args:
        prompt: What the user wrote.
        when: As it is set: `off`, `cue` for prompts that point to the past, `on`.
    """
    words = (prompt or "").strip()
    if not words or words.startswith("/") or when == "off":
        return False
    return when != "cue" or points_back(words)
