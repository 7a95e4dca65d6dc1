"""Whose words may become notes at once: the owner's, and an agent's whose conversation holds nothing of others that led to them.

docs/trust.md says what counts as whose. What is not done at once waits in the review, with the words that it may rest on.
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from archivist.config.settings import Settings
from archivist.notes.admitting import Asked, Waits
from archivist.records.notes import EntryOrigin
from archivist.store import StateStore

if TYPE_CHECKING:
    from archivist.app.hearing import Hearing

FOREIGN: Final[dict[EntryOrigin, str]] = {
    "web": "these are words of a page",
    "document": "these are words of a document",
    "tool": "these are words that a tool brought",
    "provider": "these are words of an external memory",
}
AGENTS: Final = frozenset({"agent", "distilled"})


class Trust:
    """The rule.

    Args:
        store: Where conversations are.
        settings: What the owner has set, as it is now.
    """

    def __init__(self, store: StateStore, settings: Callable[[], Settings]) -> None:
        self._store, self._settings = store, settings

    def __call__(self, write: Asked) -> Waits | None:
        """Whether a write waits for the owner."""
        author = write.author
        if author.origin in FOREIGN:
            is_allowed = self._settings().approval.origins.get(author.origin) is False
            return (
                None
                if is_allowed
                else Waits("quarantine", FOREIGN[author.origin], author.sources, author.origin)
            )
        if author.origin not in AGENTS:
            return None
        context = author.heard
        if context is None:
            if author.session is None:
                return None  # a program of the owner's notes it, and vouches for it
            context = self._hearing.context(author.session)
        from archivist.curate.trust import doubt_of  # noqa: PLC0415 - as below

        doubt = doubt_of(write.comes, write.goes, context)
        return None if doubt is None else Waits("quarantine", doubt.reason, doubt.quotes, doubt.origin)

    @cached_property
    def _hearing(self) -> "Hearing":
        from archivist.app.hearing import Hearing  # noqa: PLC0415 - its patterns are for what agents note alone

        return Hearing(self._store)


__all__ = ["Trust"]
