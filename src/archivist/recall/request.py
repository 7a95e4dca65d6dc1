"""What is asked of the conversations: the words, who asks, and within which bounds.

Everything that a search depends on stands here, the clock and the zone included, so that the same request
over the same rows gives the same page.
"""

from datetime import datetime, tzinfo

import msgspec

from archivist.records import Reader, Role


class SearchRequest(msgspec.Struct, frozen=True):
    """A question to the stored conversations.

    Attributes:
        text: As the person or the model wrote it; any string is valid, the empty one lists the range newest
            first.
        now: The moment that "yesterday" is counted from; aware.
        zone: The owner's zone, in which days begin and end.
        reader: Whose memory may be shown.
        limit: Hits on the page.
        roles: Only these roles; empty for all.
        sources: Only these programs; empty for all.
        since: Nothing said before it; aware.
        until: Nothing said at or after it; aware. For a whole day pass the beginning of the next one.
        conversation: Only this conversation, by its id.
        asking_session: The session that asks; what its model sees already is left out.
        hidden: Also rows on a path that was left, and undone ones.
        per_conversation: Hits of one conversation before others come first; None for no cap.
        chars_per_hit: The longest stretch shown of one message, in characters.
        explain: Give the parts of each score.
        seconds: What the whole search may take before it answers with what it has.
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
