"""What may be found at all: whose it is, who said it, where, when, and whether it still stands.

The filters stand twice: as tags inside the index's expression, so that they bound the work, and as a test of
each message that was read, which has the last word; an index may be behind.
"""

from typing import Final

import msgspec

from archivist.store.documents import Document
from archivist.store.index import tags
from archivist.store.scopes import Scopes, is_seen

Span = tuple[int | None, int | None]
"""Milliseconds, from the first inclusive to the second exclusive; None is open."""
TAKEN_BACK: Final = frozenset({"undone"})
"""States of messages that no search finds."""


class Filters(msgspec.Struct, frozen=True):
    """What a message must be to be found.

    Attributes:
        scopes: The scopes that the reader may see; None for all.
        are_all_scopes: Whether those were all that there are, so that the index need not be asked about them.
        conversation: The only conversation, by key.
        spans: Stretches of time, one of which it must fall into; empty for all time.
        hidden: Whether rows on paths that were left are found too; what was taken back never is.
        excluded: Messages that are not to be found.
        latest: Milliseconds; nothing of after it is found.
    """

    scopes: Scopes = None
    are_all_scopes: bool = False
    conversation: int | None = None
    roles: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    spans: tuple[Span, ...] = ()
    hidden: bool = False
    excluded: frozenset[int] = frozenset()
    latest: int | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether the asker narrowed what the reader may see."""
        return bool(
            self.conversation is not None
            or self.roles
            or self.sources
            or self.spans
            or self.latest is not None
        )

    def widened(self) -> "Filters":
        """All that the reader may see."""
        return Filters(self.scopes, self.are_all_scopes, hidden=self.hidden)

    def match(self) -> str:
        """As an index expression, without what is hidden; empty for no filter."""
        spans = [tags.days(since, None if until is None else until - 1) for since, until in self.spans]
        return tags.all_of(
            "" if self.scopes is None or self.are_all_scopes else tags.scopes(sorted(self.scopes)),
            "" if self.conversation is None else tags.conversation(self.conversation),
            tags.roles(sorted(self.roles)) if self.roles else "",
            tags.sources(sorted(self.sources)) if self.sources else "",
            " OR ".join(f"({span})" for span in spans if span),
            "" if self.latest is None else tags.days(None, self.latest),
        )

    def admits(self, document: Document) -> bool:
        """Whether a message may be found."""
        return (
            not document.is_summary
            and document.id not in self.excluded
            and is_seen(document.scope, self.scopes)
            and (self.conversation is None or document.conversation == self.conversation)
            and (not self.roles or document.role in self.roles)
            and (not self.sources or document.source in self.sources)
            and document.state not in (TAKEN_BACK if self.hidden else tags.HIDDEN_STATES)
            and self.admits_time(document.created_at)
        )

    def admits_time(self, moment: int) -> bool:
        """Whether what is of a moment may be found, in milliseconds."""
        if self.latest is not None and moment > self.latest:
            return False
        return not self.spans or any(_is_in(moment, span) for span in self.spans)


def _is_in(moment: int, span: Span) -> bool:
    since, until = span
    return (since is None or moment >= since) and (until is None or moment < until)
