"""A conversation in a terminal: the agent that speaks in it, what it is shown on, and what it has used."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from archivist.config.projects import project_worked_on
from archivist.loop.events import Event, Returned, Turn
from archivist.records import OWNER, OWNER_EVERYWHERE, ArchivistError, Reader, Scope, Session
from archivist.records.approvals import Answer, Ask
from archivist.records.display import plain
from archivist.surfaces.cli.chat.approval import Asking, ReadLine
from archivist.surfaces.cli.chat.finding import SOURCE, named
from archivist.surfaces.cli.chat.screen import Screen
from archivist.surfaces.cli.chat.signals import Signals
from archivist.surfaces.cli.chat.wanted import Wanted
from archivist.tools.approving import NOBODY, Approving

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.loop.agent import Agent
    from archivist.models.responder import Responder
    from archivist.surfaces.cli.calling import Call


class Talk:
    """A conversation that is open.

    Args:
        call: How the program was called.
        archivist: The home.
        wanted: What was asked for.
        screen: Where it is shown.
        signals: How it is stopped.
        read: Asks the person for a line in the middle of a turn; None where nobody is there.
        session: The conversation that goes on; a new one where unset.

    Raises:
        ArchivistError: No such model can be asked, or the conversation is open elsewhere.
    """

    def __init__(
        self,
        call: "Call",
        archivist: "Archivist",
        wanted: Wanted,
        *,
        screen: Screen,
        signals: Signals,
        read: ReadLine | None = None,
        session: Session | None = None,
    ) -> None:
        self.call, self.archivist, self.wanted, self.screen = call, archivist, wanted, screen
        self._signals, self._thought_over = signals, 0.0
        self.turns: list[Turn] = []
        self.events: list[Event] = []
        self.draft = ""
        self.is_over = False
        mode = wanted.approval or archivist.settings.agent.approval
        self.unasked: list[str] = []
        person = self._nobody if read is None else Asking(screen, self._reading(read), self._stop)
        self.approval = Approving(person, mode)
        self._model: str | Responder | None = wanted.model
        self.agent = self._opened(session)

    # ---- which conversation ----

    @property
    def known_as(self) -> str:
        """The id under which it is gone on in: the conversation's, or where a fork began this line of it, one of the fork."""
        conversation, session = self.agent.conversation_id, self.agent.session.id
        return conversation if self.is_line_of(conversation) else session

    def is_line_of(self, session_id: str) -> bool:
        """Whether it is the line in which a session stands."""
        return named(self.archivist, session_id).id == named(self.archivist, self.agent.session.id).id

    def begin(self, session: Session | None = None) -> None:
        """Go over to another conversation, or begin a new one.

        Raises:
            ArchivistError: It cannot be opened; this one goes on.
        """
        agent = self._opened(session)
        before, self.agent, self.turns = self.agent, agent, []
        try:
            before.close()
        except ArchivistError as error:  # whatever became of it: this one goes on
            self.screen.tell(plain(str(error)))

    def reopen(self) -> None:
        """Open the same conversation again, where it goes on in another session than the agent knows."""
        session = self.archivist.sessions.get(self.agent.session.id).record()
        self.agent.close()
        self.agent = self._opened(session)

    def switch(self, name: str) -> None:
        """Let another model answer.

        Raises:
            ArchivistError: No such model can be asked.
        """
        self.agent.switch(self.archivist.responder(name, on_event=self._happened))
        self._model = name

    def close(self) -> None:
        """End it."""
        self.agent.close()

    def _opened(self, session: Session | None) -> "Agent":
        scope, folder = self._scope(), self._place(session)
        agent = self.archivist.agent(
            self._model,
            session=session.id
            if session
            else None,  # of a fork the conversation's id would mean another line
            cwd=folder,
            scope=None if session else scope,
            finds=self._finds(session.scope if session else scope),
            tools=None if self.wanted.tools else (),
            approve=self.approval,
            on_event=self._happened,
            recall=self.wanted.recall,
        )
        if session is not None:
            _ = agent.session  # now rather than with the first words: it may be open elsewhere
        self.folder = folder
        return agent

    def _place(self, session: Session | None) -> Path:
        """Where the tools work: of a conversation that goes on where they did, if that is there still and nothing else is wanted."""
        if session is None or self.wanted.is_placed or not session.cwd:
            return self.wanted.folder
        return Path(session.cwd) if Path(session.cwd).is_dir() else self.wanted.folder

    def _scope(self) -> Scope:
        return Scope(user=OWNER.user, project=project_worked_on(self.wanted.folder, environ=os.environ))

    def _finds(self, scope: Scope) -> Reader | None:
        """Outside any project the owner asks about all of them; in one only where that is set."""
        reads_all = self.archivist.settings.host(SOURCE).read == "owner"
        return OWNER_EVERYWHERE if reads_all or scope == OWNER else None

    # ---- turns ----

    def turn(self, text: str) -> Turn:
        """Say something, and show what comes of it.

        Raises:
            ArchivistError: It could not be stored.
            Ended: The process was told to end.
        """
        self.events = []
        try:
            with self._signals.running(self.agent.interrupt):
                turn = self.agent.turn(text)
        except KeyboardInterrupt:
            self.screen.tell("broken off")
            self._signals.check()
            raise
        self.turns.append(turn)
        self.screen.ended(turn, counts=self.agent.responder.is_model)
        self._tell_unasked()
        self._signals.check()
        return turn

    def _happened(self, event: Event) -> None:
        if isinstance(event, Returned):  # the time that a person took to say yes is none of the call's
            event = replace(event, seconds=max(0.0, event.seconds - self._thought_over))
            self._thought_over = 0.0
        self.events.append(event)
        self.screen.show(event)

    def _nobody(self, ask: Ask) -> Answer:
        self.unasked.append(ask.title)
        return NOBODY

    def _tell_unasked(self) -> None:
        if self.unasked:
            self.screen.tell(
                f"not allowed, since nobody can be asked: {plain('; '.join(dict.fromkeys(self.unasked)))}."
                " --approve edits allows files of the folder, --yes all"
            )
        self.unasked = []

    def _stop(self) -> None:
        self.agent.interrupt()

    def _reading(self, read: ReadLine) -> ReadLine:
        def line(prompt: str) -> str:
            began = time.monotonic()
            try:
                with self._signals.asking():
                    return read(prompt)
            finally:
                self._thought_over += time.monotonic() - began

        return line


__all__ = ["Talk"]
