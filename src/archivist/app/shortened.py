"""What is told of a model's window: what makes it up, what a compression did to it, what a restore brought back."""

import msgspec

from archivist.compress.lines import Line
from archivist.compress.planning import Plan
from archivist.compress.shares import Share, total_of
from archivist.records import Message, Notice, Scope


class Leaving(msgspec.Struct, frozen=True):
    """What is about to leave a model's window.

    Attributes:
        session_id: In which session.
        messages: In order, in their own words.
        shortened: Of which less is sent from now on, in their own words too.
    """

    session_id: str
    conversation_id: str
    scope: Scope
    messages: tuple[Message, ...]
    shortened: tuple[Message, ...] = ()


class Compression(msgspec.Struct, frozen=True):
    """What a compression did, or would do.

    Attributes:
        session_id: The session whose window it was.
        child_id: The session in which the conversation goes on; None where nothing was written.
        before: What made up the window.
        after: What makes it up now, or would; the same where nothing was saved.
        plan: What stays as it is, what is compressed, and for how many tokens.
        kept: The lines that the summary has word for word, those of earlier passes among them.
        left: The messages that the model sees no longer, by their ids; they stay in the conversation, and searches find them.
        shortened: The messages of which it is sent less than they say.
        removed: Lines of a model's that stand in no message and were left out.
        notices: What a person should know.
        dry_run: Whether it was only asked what would be done.
    """

    conversation_id: str
    session_id: str
    child_id: str | None
    target: int
    before: tuple[Share, ...]
    after: tuple[Share, ...]
    plan: Plan
    kept: tuple[Line, ...] = ()
    left: tuple[int, ...] = ()
    shortened: tuple[int, ...] = ()
    removed: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    dry_run: bool = False

    @property
    def tokens_before(self) -> int:
        """Tokens of the window before, as far as they are estimated."""
        return total_of(self.before)

    @property
    def tokens_after(self) -> int:
        """Tokens of it now."""
        return total_of(self.after)


class Window(msgspec.Struct, frozen=True):
    """What makes up a model's window now.

    Attributes:
        session_id: The session in which the conversation goes on.
        shares: The parts, each with its tokens as far as they are estimated; what there is nothing of is not among them.
        counted: Tokens that the provider counted for the last request, where that is known.
        passes: How many compressions there were.
        notices: What is not told here.
    """

    conversation_id: str
    session_id: str
    shares: tuple[Share, ...]
    counted: int | None = None
    passes: int = 0
    notices: tuple[Notice, ...] = ()

    @property
    def tokens(self) -> int:
        """Of all parts."""
        return total_of(self.shares)


class Restored(msgspec.Struct, frozen=True):
    """What was brought back into a window.

    Attributes:
        session_id: The session that ended.
        child_id: The session in which the conversation goes on.
        back: Ids of the messages that the model sees again, or sees whole again.
        before: What made up the window.
        after: What makes it up now.
    """

    conversation_id: str
    session_id: str
    child_id: str
    back: tuple[int, ...]
    before: tuple[Share, ...]
    after: tuple[Share, ...]
    notices: tuple[Notice, ...] = ()

    @property
    def tokens_before(self) -> int:
        """Tokens of the window before, as far as they are estimated."""
        return total_of(self.before)

    @property
    def tokens_after(self) -> int:
        """Tokens of it now."""
        return total_of(self.after)


__all__ = ["Compression", "Leaving", "Restored", "Window"]
