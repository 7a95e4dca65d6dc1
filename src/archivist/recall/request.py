"""What is asked of the conversations: the words, who asks, and within which bounds.

Everything that a search depends on stands here, the clock and the zone included, so that the same request
over the same rows gives the same page.
"""

from datetime import datetime, tzinfo
from typing import Final

import msgspec
from msgspec.structs import replace

from archivist.records import Reader, Role

MOST_HITS: Final = 100_000
"""On a page, whatever its limit."""
MOST_CHARS: Final = 1_000_000
"""Of one hit."""


class SearchRequest(msgspec.Struct, frozen=True):
    """A question to the stored conversations.

    Attributes:
        text: As the person or the model wrote it; any string is valid, the empty one lists the range newest
            first.
        now: The moment that "yesterday" is counted from; without a zone of its own, in `zone`.
        zone: The owner's zone, in which days begin and end.
        reader: Whose memory may be shown.
        limit: Hits on the page, at most 100,000.
        roles: Only these roles; empty for all.
        sources: Only these programs; empty for all.
        since: Nothing said before it; like `now`.
        until: Nothing said at or after it; like `now`. For a whole day pass the beginning of the next one.
        conversation: Only this conversation, by its id.
        asking_session: The session that asks; what its model sees already is left out.
        hidden: Also rows on a path that was left. What was taken back (state "undone") is never found.
        per_conversation: Hits of one conversation before others come first; None for no cap.
        chars_per_hit: The longest stretch shown of one message, in characters; a phrase or an identifier that
            was asked for and is longer is shown whole.
        explain: Give the parts of each score.
        seconds: What the whole search may take before it answers with what it has.
        kinds: What is searched: messages, and what is noted if it is given with the request; in words of `Hit.kind`.
        as_of: Only what was there then.
    """

    text: str
    now: datetime
    zone: tzinfo
    reader: Reader
    limit: int = 5
    roles: tuple[Role, ...] = ()
    sources: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    conversation: str | None = None
    asking_session: str | None = None
    hidden: bool = False
    per_conversation: int | None = 3
    chars_per_hit: int = 600
    explain: bool = False
    seconds: float = 0.5
    kinds: tuple[str, ...] = ("message",)
    as_of: datetime | None = None

    def bounded(self) -> "SearchRequest":
        """The same request with every number within what can be answered and every moment aware."""
        return replace(
            self,
            now=_aware(self.now, self.zone),
            since=None if self.since is None else _aware(self.since, self.zone),
            until=None if self.until is None else _aware(self.until, self.zone),
            as_of=None if self.as_of is None else _aware(self.as_of, self.zone),
            limit=min(max(self.limit, 0), MOST_HITS),
            per_conversation=None if self.per_conversation is None else max(self.per_conversation, 1),
            chars_per_hit=min(max(self.chars_per_hit, 1), MOST_CHARS),
        )


def _aware(moment: datetime, zone: tzinfo) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
