"""What belongs beside the user's next words: what is new since the model was last told, and what their words ask for.

It is one text within one fence, for the one part of the message that nobody said. It comes at the end of what is sent, so that all before
it holds still, and it is stored with the message. What a session was told it is not told again: what its model sees says so itself.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from archivist.app.calling import Calling
from archivist.app.recalled import beside, entries_in, found
from archivist.config.agent import RecallMode
from archivist.loop.replies import INTERRUPTED
from archivist.loop.work import Stored
from archivist.prompt.facts import day_told_in, later_day
from archivist.prompt.fence import fenced
from archivist.recall.cues import calls_for_recall
from archivist.records import ArchivistError, Hit, Message, Scope
from archivist.records.messages import BACKGROUND
from archivist.store.lines import SUMMARY

BROKEN_OFF: Final = (
    "Your reply before this message did not come to its end: the user stopped it, or it broke off."
)
UNANSWERED: Final = "The turn before this message ended without your reply: the user stopped it, it failed, or its budget was used up."
UNTOLD: Final = "could not be looked up, and may be missing here; say so where it matters"


def tail_for(
    archivist: Calling,
    session: Stored,
    text: str,
    *,
    recall: RecallMode,
    now: datetime,
    seen: Sequence[Message] | None = None,
) -> str:
    """What belongs beside the user's next words; empty where nothing does.

    What cannot be looked up is said, and stops nothing.

    Args:
        archivist: The home.
        session: In which they are said; they are not stored yet.
        text: The words.
        recall: Whether what they ask about is recalled.
        now: The time.
        seen: What its model sees, also what is not in the database yet; that alone is read where unset.
    """
    tail = _Tail(archivist, session, session.messages("context") if seen is None else seen)
    told = [tail.stop(), tail.day(now), *tail.remembered(text, recall)]
    inside = "\n\n".join(filter(None, told))
    return fenced(inside, part="beside") if inside else ""


class _Tail:
    """What a session's model sees now, and what it was told beside it."""

    def __init__(self, archivist: Calling, session: Stored, seen: Sequence[Message]) -> None:
        self._archivist, self._id = archivist, session.id
        self._record, self._seen = session.record(), seen
        self._told = "\n".join(
            part.text for message in self._seen for part in message.parts if part.kind == BACKGROUND
        )

    def stop(self) -> str:
        """Whether the turn before came to its end."""
        return _stop(self._seen)

    def day(self, now: datetime) -> str:
        """The day, where it is another than the model was told last."""
        today = now.astimezone(self._archivist.zone).date()
        known = day_told_in(self._told) or day_told_in(self._record.prompt or "")
        return "" if known == today else later_day(today)

    def remembered(self, text: str, recall: RecallMode) -> tuple[str, ...]:
        """News of the notes and what is recalled. The news are told once, so that they come last of what takes long."""
        scope, troubles = self._record.scope, list[str]()
        hits = self._hits(text, recall, scope, troubles)
        news = recalled = ""
        try:
            news = self._archivist.news(session=self._id)
        except ArchivistError as error:
            troubles.append(f"What changed in the notes {UNTOLD}: {error}")
        try:
            before = f"{self._told}\n{news}"
            recalled = beside(self._archivist, hits, scope, shown=self._shown, told=before) if hits else ""
        except ArchivistError as error:
            troubles.append(f"What is remembered of this {UNTOLD}: {error}")
        return (news, recalled, *troubles)

    def _hits(self, text: str, recall: RecallMode, scope: Scope, troubles: list[str]) -> Sequence[Hit]:
        if not calls_for_recall(text, recall):
            return ()
        try:
            return found(self._archivist, text, scope, asking_session=self._id)
        except ArchivistError as error:
            troubles.append(f"What is remembered of this {UNTOLD}: {error}")
            return ()

    def _shown(self) -> frozenset[str]:
        return entries_in(self._archivist.given_snapshot(session=self._id))


def _stop(seen: Sequence[Message]) -> str:
    """What became of the turn before, where it did not come to its end."""
    last = seen[-1] if seen else None
    if last is None or last.metadata.get(SUMMARY) is True:
        return ""
    if last.role == "assistant":
        return BROKEN_OFF if last.metadata.get(INTERRUPTED) is True or last.tool_calls else ""
    return UNANSWERED if last.role in {"user", "tool"} else ""


__all__ = ["BROKEN_OFF", "UNANSWERED", "tail_for"]
