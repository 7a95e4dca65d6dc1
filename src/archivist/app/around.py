"""What is done around a compression: what is kept before anything leaves the window, and what the next session is given of the notes.

A program that takes part registers a hook. One that fails stops nothing: it is told in a notice; only `StopCompression` stops a pass.
"""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from archivist.app.arguments import a_text
from archivist.records import ArchivistError, Notice, Scope, Session
from archivist.store import StateStore, StoreBusy, Surroundings

if TYPE_CHECKING:
    from archivist.app.freezing import Made
    from archivist.app.shortened import Compression, Leaving
    from archivist.app.using import BringBack
    from archivist.notes.showing import NotesShow
    from archivist.records.notes import Snapshot


class StopCompression(ArchivistError):
    """A hook does not want a conversation to be compressed now; raise it there, with the reason."""

    def __init__(self, reason: str = "a hook stopped it") -> None:
        self.reason = reason
        super().__init__(f"nothing was compressed: {reason}")


_OUTSIDE: Final = Notice(
    "prompt-without-notes",
    "the notes have changed, and the system prompt does not hold those that the session was given: give the next one's as prompt=",
)
Before = Callable[["Leaving"], Any]
After = Callable[["Compression"], Any]
Prompt = str | Callable[[str], str]
"""A prompt, or what makes one of the text of the notes that its session is given."""


class Hooks:
    """Who takes part in the compressions of a home, in the order in which they came; they stay when the home is restored."""

    __slots__ = ("after", "before")

    def __init__(self) -> None:
        self.before: list[Before] = []
        self.after: list[After] = []


class Renewed(msgspec.Struct, frozen=True):
    """What a session that follows another begins with.

    Attributes:
        prompt: Its prompt; None where that stays as it was.
        notes: What it is given of the notes; None where it is given nothing.
        made: That, to be kept; None where it is what the other had.
        notices: What a person should know.
    """

    prompt: str | None = None
    notes: str | None = None
    made: "Made | None" = None
    notices: tuple[Notice, ...] = ()


class Around:
    """The hooks and the notes of an open home.

    Args:
        hooks: Who takes part.
        store: Where conversations are.
        world: The time.
        notes: Gives the notes; they are opened when they are first asked for.
        bring_back: Brings entries back from the archive.
        allowed: Gives the ids of the blocks that models are shown whatever is found in them.
    """

    def __init__(
        self,
        hooks: Hooks,
        store: StateStore,
        world: Surroundings,
        notes: "Callable[[], NotesShow]",
        bring_back: "BringBack",
        allowed: "Callable[[], Collection[str]]",
    ) -> None:
        self.hooks, self.allowed = hooks, allowed
        self._store, self._world, self._notes, self._bring_back = store, world, notes, bring_back

    def about_to_leave(self, leaving: "Leaving") -> tuple[Notice, ...]:
        """Let everybody keep what they want of it, and take in what was used of the notes so far; what failed.

        Raises:
            StopCompression: Somebody does not want it to leave.
            StoreBusy: Others hold the database: what is made of it could not be written either.
        """
        told = _failed([partial(hook, leaving) for hook in self.hooks.before], but=StopCompression)
        return (*told, *self._take_in(leaving.session_id))

    def done(self, compression: "Compression") -> tuple[Notice, ...]:
        """Tell everybody; what failed. It is written already: nothing that is raised here stops it."""
        return tuple(_failed([partial(hook, compression) for hook in self.hooks.after]))

    def renewed(self, session: Session, prompt: Prompt | None = None) -> "Renewed":
        """What the session that follows one begins with: its prompt as it is given, or that one's with the notes in it as they are now.

        What makes a prompt of the notes is given those that the session is given, of the same moment. Where the notes cannot be read
        now they stay as they were.
        """
        given = self.given(session.id)
        if given is None and not callable(prompt):
            return Renewed(prompt)
        try:
            made = self.rendered(session.scope)
        except ArchivistError as error:
            told = Notice("notes-not-renewed", f"the next session keeps its notes as they were: {error}")
            text = "" if given is None else given.text
            return Renewed(_made(prompt, text), None if given is None else text, notices=(told,))
        return self._with(made, _made(prompt, made.snapshot.text), given, session.prompt or "")

    def _with(self, made: "Made", prompt: str | None, given: "Snapshot | None", before: str) -> "Renewed":
        """A prompt with fresh notes: as it was given, or the earlier one with them in the place of those that it had."""
        text = made.snapshot.text
        if given is None or prompt is not None or not before or text == given.text:
            return Renewed(prompt, text, made)
        if given.text and given.text in before:
            return Renewed(before.replace(given.text, text), text, made)
        return Renewed(None, text, made, (_OUTSIDE,))

    def given(self, session_id: str) -> "Snapshot | None":
        """What a session was given of the notes; None where it was given nothing."""
        from archivist.app.receiver import Receiver, frozen_for  # noqa: PLC0415 - only what compresses asks for it

        frozen = frozen_for(self._store, Receiver(session_id))
        return None if frozen is None else frozen.snapshot

    def rendered(self, scope: Scope) -> "Made":
        """What a session that begins now is given of the notes."""
        from archivist.app.freezing import make_snapshot  # noqa: PLC0415 - as above

        return make_snapshot(self._store, self._notes(), scope, self._world)

    def hand_over(self, session_id: str, renewed: "Renewed", scope: Scope) -> tuple[Notice, ...]:
        """Keep what a session that is written already is given; told where that could not be kept."""
        from archivist.app.freezing import keep_snapshot  # noqa: PLC0415 - as above

        if renewed.made is None:
            return ()
        try:
            keep_snapshot(self._store, renewed.made, session_id, scope, self._world.now())
        except ArchivistError as error:
            told = f"{session_id} is written, and not what it is given of the notes: it is given them anew ({error})"
            return (Notice("notes-not-kept", told),)
        return ()

    def _take_in(self, session_id: str) -> Iterator[Notice]:
        from archivist.app.using import take_in_uses_of  # noqa: PLC0415 - as above

        try:
            take_in_uses_of(self._store, self._notes(), self._world, self._bring_back, session_id)
        except StoreBusy:
            raise
        except (ArchivistError, OSError) as error:
            yield Notice("uses-not-counted", f"what was used of the notes was not counted: {error}")


def _made(prompt: Prompt | None, notes: str) -> str | None:
    """A prompt, made where it is still to be made.

    Raises:
        TypeError: What was made is no text.
    """
    if not callable(prompt):
        return prompt
    made = prompt(notes)
    a_text("what prompt() gives", made)
    return made


def _failed(hooks: list[Callable[[], Any]], but: type[Exception] | tuple[()] = ()) -> Iterator[Notice]:
    """What hooks raised; one kind of it goes through."""
    for hook in hooks:
        try:
            hook()
        except but:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a program's hook raises: the conversation must become shorter, and the notice names it
            told = error.reason if isinstance(error, StopCompression) else error
            yield Notice("hook-failed", f"a hook failed: {type(error).__name__}: {told}"[:300])


__all__ = ["After", "Around", "Before", "Hooks", "Prompt", "StopCompression"]
