"""Conversations made shorter for their model: compressed, brought back, looked at. Nothing that was said goes from them.

What leaves the window stays the owner's: it is read, searched and recalled as before, and each line of a summary opens what it is about.
"""

from typing import TYPE_CHECKING, Any

from archivist.app.around import After, Around, Before, Prompt
from archivist.app.held import Held
from archivist.records import Reader

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from archivist.app.shortened import Compression, Restored, Window
    from archivist.app.window import Windows
    from archivist.compress.asking_a_model import Summarise
    from archivist.compress.timing import Verdict
    from archivist.store import StateStore, Surroundings
    from archivist.store.index.search_index import SearchIndex

_DEADLINE_SECONDS = 120.0


class Compressing(Held):
    """Conversations made shorter for their model."""

    def __init__(
        self,
        store: "StateStore",
        index: "SearchIndex",
        *,
        zone: "tzinfo",
        world: "Surroundings",
        around: Around,
    ) -> None:
        super().__init__(store, index, zone=zone, world=world)
        self._around = around

    def compress(
        self,
        conversation: str,
        *,
        target_tokens: int | None = None,
        window: int | None = None,
        summarise: "Summarise | None" = None,
        focus: str = "",
        deadline: float | None = _DEADLINE_SECONDS,
        prompt: Prompt | None = None,
        dry_run: bool = False,
        force: bool = False,
        scope: Reader | None = None,
    ) -> "Compression":
        """Make what a conversation's model sees shorter; it goes on in a session of its own, and nothing that was said is lost.

        Args:
            conversation: Its id, its title or the beginning of an id.
            target_tokens: What is aimed at; half of the threshold of the window where unset.
            window: Of the model, in tokens; 128,000 where unset.
            summarise: A model that tells what happened: a prompt and the most tokens to its answer. Without one rules tell it.
            focus: What should be paid attention to.
            deadline: Seconds that each of its calls is waited for; None for as long as it takes.
            prompt: The system prompt of the session that follows, or what makes it of the text of the notes that it is given; else
                this one's, with the notes in it as they are now.
            dry_run: Only say what would be done, without the model.
            force: Do it although the passes before saved nearly nothing, or it is short enough.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            ValueError: A number of tokens is none.
            HeldElsewhere: Another program holds it and makes it shorter itself: fork it first.
            StopCompression: A hook stopped it.
            BeingCompacted: Another process or thread is at it; the message says which.
            ContextChanged: Something was taken back or compressed meanwhile; nothing was written.
            UnknownSession, AmbiguousSession: There is none for this reader, or there are several.
            ArchivistError: It could not be written; the message says why.
        """
        from archivist.app.compression import Wanted, run  # noqa: PLC0415 - most starts compress nothing

        wanted = Wanted(target_tokens, window, summarise, focus, deadline, prompt, dry_run, force)
        return run(self._store, self._around, self._world, self._id(conversation, scope), wanted)

    def restore(
        self,
        conversation: str,
        *,
        summary: int | None = None,
        compaction: str | None = None,
        prompt: Prompt | None = None,
        scope: Reader | None = None,
    ) -> "Restored":
        """Let a conversation's model see again, in their own words, the messages that a compression left out or shortened.

        It goes on in a session of its own, with everything that was said since. Compressions and their summaries stay as they were.

        Args:
            conversation: Its id, its title or the beginning of an id.
            summary: The id of the message that stands for what is wanted back.
            compaction: The id of the session that the compression began; the newest that still has an effect where neither is given.
            prompt: As for `compress`.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            NothingToRestore: There is no such compression, or its model sees all of it.
            HeldElsewhere: Another program holds it.
            BeingCompacted: See `compress`.
            UnknownSession, AmbiguousSession: There is none for this reader, or there are several.
        """
        session_id = self._id(conversation, scope)
        return self._windows().restore(session_id, summary, compaction, prompt)

    def context(
        self,
        conversation: str,
        *,
        tools: "Sequence[Mapping[str, Any]] | None" = None,
        scope: Reader | None = None,
    ) -> "Window":
        """What makes up a conversation's window now, by tokens.

        Args:
            conversation: Its id, its title or the beginning of an id.
            tools: The schemas that are sent beside, to be counted too; what nobody tells is left out.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            UnknownSession, AmbiguousSession: There is none for this reader, or there are several.
        """
        return self._windows().window(self._id(conversation, scope), tools)

    def verdict(
        self,
        conversation: str,
        window: int,
        *,
        reply: int | None = None,
        learned: int | None = None,
        scope: Reader | None = None,
    ) -> "Verdict":
        """Whether to compress before the next request: `.state` is "wait", "compress" or "new-session".

        What the provider counted for the last request goes before the estimate, where the assistant's message names it by `request_id`
        in its metadata and its usage was added. How much the passes so far have saved is kept with the conversation.

        Args:
            conversation: Its id, its title or the beginning of an id.
            window: Of the model, in tokens.
            reply: Tokens that an answer may take.
            learned: A smaller size that a server has shown.
            scope: Who asks; the owner in all projects where unset.

        Raises:
            UnknownSession, AmbiguousSession: There is none for this reader, or there are several.
        """
        return self._windows().verdict(self._id(conversation, scope), window, reply, learned)

    def before_compression(self, hook: Before) -> Before:
        """Let a function have the messages that are about to leave a window, before anything is written; it may be used as a decorator.

        What it raises is told in a notice and stops nothing, but for `StopCompression`.
        """
        self._around.hooks.before.append(hook)
        return hook

    def after_compression(self, hook: After) -> After:
        """Let a function have the result of each compression that was written; it may be used as a decorator.

        Whatever it raises is told in a notice: it is written already.
        """
        self._around.hooks.after.append(hook)
        return hook

    def _windows(self) -> "Windows":
        from archivist.app.window import Windows  # noqa: PLC0415 - as above

        return Windows(self._store, self._around, self._world)

    def _id(self, conversation: str, scope: Reader | None) -> str:
        from archivist.store.conversations import read_sessions  # noqa: PLC0415 - as above

        key = self._key(conversation, scope)
        return self._store.read(lambda db: read_sessions(db, [key], None))[0].id
