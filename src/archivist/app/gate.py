"""The gate for what is written down for a day: the same rules as for notes, and the same queue."""

from collections.abc import Callable
from datetime import datetime

from archivist.notes.admitting import Admit, Asked, Keep, RejectedBefore
from archivist.notes.asking import Author
from archivist.notes.waiting import waiting_day
from archivist.records import Scope


class Gate:
    """Lets a daily note pass, or wait for the owner.

    Args:
        rule: Gives the rules that are asked.
        keep: Keeps what waits.
        new_id: Makes ids.
    """

    def __init__(self, rule: Callable[[], Admit], keep: Keep, *, new_id: Callable[[], str]) -> None:
        self._rule, self._keep, self._new_id = rule, keep, new_id

    def passed(self, text: str, author: Author, whose: Scope, at: datetime) -> tuple[str, str] | None:
        """None where a text may be written down; else the id under which it waits, and why.

        Args:
            text: What would be added.
            author: Who asks.
            whose: The notes to which it would go.
            at: When.

        Raises:
            NotKeptForReview, RejectedBefore: It may not, and does not wait either.
        """
        asked = Asked("add", "daily", (text,), (), author, (whose,))
        waits = self._rule()(asked)
        if waits is None:
            return None
        kept = self._keep(waiting_day(text, author, waits, whose=whose, at=at, new_id=self._new_id))
        if kept.state == "rejected":
            raise RejectedBefore(kept.id)
        return kept.id, waits.reason


__all__ = ["Gate"]
