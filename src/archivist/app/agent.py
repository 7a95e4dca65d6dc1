"""An agent of a home, put together: what its loop works with is the home's own store, notes, tools and settings."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from archivist.app.allowing import allowed_in
from archivist.app.around import StopCompression
from archivist.app.freezing import AT_A_BEGINNING, Made, freeze_prompt, make_snapshot
from archivist.app.holding import Hold
from archivist.app.prompting import build_prompt
from archivist.app.seeing import CACHE_SECONDS, Asked, Seeing, begin_frozen, frozen_tools, keep_tools
from archivist.app.standing import HeldElsewhere
from archivist.app.summarising import Summary
from archivist.app.tail import tail_for
from archivist.compress.timing import limits
from archivist.config.agent import AgentSettings
from archivist.loop.budget import Budget
from archivist.loop.outputs import Outputs
from archivist.loop.work import Opened, Room, Stored, Why
from archivist.models.responder import Interrupt, Responder
from archivist.prompt.layers import Prompt
from archivist.recall.reading import resolve_session
from archivist.records import (
    EVERYTHING,
    ArchivistError,
    Message,
    Notice,
    Part,
    Reader,
    Scope,
    Session,
    SessionStart,
    Usage,
)
from archivist.records.approvals import Approve
from archivist.records.requests import Reply, Request, ToolSpec
from archivist.store import StateStore, Surroundings
from archivist.store.compacting import read_tip
from archivist.store.connection import Connection
from archivist.store.conversations import read_sessions
from archivist.store.lines import tip_of
from archivist.store.print_key import ready_key
from archivist.store.requests import sessions_of
from archivist.store.scopes import visible_scopes
from archivist.store.sessions import read_usage, require_session
from archivist.tools.agent_tools import AGENT_TOOLS
from archivist.tools.approving import Approving
from archivist.tools.context import Context, Workspace
from archivist.tools.registry import call_tool
from archivist.tools.tool import Tool

if TYPE_CHECKING:
    from archivist.app.calling import Calling
    from archivist.notes.showing import NotesShow

Recall = Literal["off", "cue", "on"]
SOURCE: Final = "chat"
"""The source of the sessions in which an agent of ours speaks."""


class Wanted(msgspec.Struct, frozen=True):
    """What is asked of an agent.

    Attributes:
        scope: Where it works, of a new conversation; one that is resumed has its own.
        reader: Who asks for a conversation that is to be resumed.
        place: In which folder its tools work, and whose project's guidance it is given; that of a conversation that is resumed, or else
            the process's own, where unset.
        resume: A conversation to go on in, as a person names it; a new one where unset.
        recall: Whether what the user's words ask about is recalled beside them.
        tools: What it is offered.
        approve: Says whether something is done; asks a person where that is needed.
        platform: Where it is shown.
        finds: Whose memories its tools find; those visible in its scope where unset.
        hidden: Names of variables that no command of its is given.
    """

    scope: Scope
    reader: Reader
    place: Path | None
    resume: str | None = None
    recall: Recall = "cue"
    tools: Sequence[Tool] = AGENT_TOOLS
    approve: Approve = Approving(None)
    platform: str = "terminal"
    finds: Reader | None = None
    hidden: Collection[str] = frozenset()


class AgentHome:
    """What a home does for one agent; see `archivist.loop.work.Backing`.

    Args:
        archivist: The home.
        wanted: What is asked of the agent.
        store: The home's.
        world: The time, and ids.
        notes: Gives the notes, for who only looks.
    """

    def __init__(
        self,
        archivist: "Calling",
        wanted: Wanted,
        *,
        store: StateStore,
        world: Surroundings,
        notes: Callable[[], "NotesShow"],
    ) -> None:
        self._archivist, self._wanted = archivist, wanted
        self._store, self._world, self._notes = store, world, notes
        self._seeing = self._new_seeing()
        self._specs = tuple(ToolSpec(tool.name, tool.description, tool.schema) for tool in wanted.tools)
        self._seen: dict[str, str] = {}
        self._folder = wanted.place or Path.cwd()
        self._held: Hold | None = None
        self._resume = wanted.resume

    def _new_seeing(self) -> Seeing:
        store, world, path = self._store, self._world, self._archivist.home.print_key_file
        return Seeing(store, lambda: ready_key(store, path, world.new_id), world.now)

    # ---- sessions ----

    def begin(self, responder: Responder) -> Opened:
        """Begin a session, or take up the one that was asked for.

        Raises:
            ConversationHeld: Another agent speaks in it.
            HeldElsewhere: Another program holds it.
            UnknownSession, AmbiguousSession: There is none of that name, or there are several.
        """
        self._seeing = self._new_seeing()  # others may have spoken here since it was let go
        try:
            if self._resume is not None:
                return self._resumed(self._resume, responder)
            return self._begun(self._world.new_session_id(), responder)
        except BaseException:
            self.let_go()  # else nobody could try again
            raise

    def _begun(self, key: str, responder: Responder) -> Opened:
        """A new session, with all that is frozen in it: whole, or none."""
        scope = self._wanted.scope
        self._hold(key)
        made, prompt = self._made(key, responder)
        start = SessionStart(
            SOURCE, model=responder.name, scope=scope, cwd=str(self._folder), prompt=prompt.text
        )
        begin_frozen(self._store, start, made, self._specs, session_id=key, now=self._world.now())
        self._resume, self._wanted = key, msgspec.structs.replace(self._wanted, reader=scope)
        session = self._archivist.sessions.get(key, scope=scope)
        return Opened(
            session, session.record().prompt or "", self._specs, "began", notices=prompt.report.notices
        )

    def _made(self, conversation_id: str, responder: Responder) -> tuple[Made, Prompt]:
        """What is given of the notes now, and the prompt in which it stands."""
        self._archivist.take_in_uses(AT_A_BEGINNING)
        made = make_snapshot(self._store, self._notes(), self._wanted.scope, self._world)
        return made, self._prompt(made.snapshot.text, responder, conversation_id)

    def _resumed(self, name: str, responder: Responder) -> Opened:
        found = self._store.read(partial(_tip, name, self._wanted.reader))
        if found.external_id is not None:
            raise HeldElsewhere(found)
        self._hold(found.conversation_id)
        self._wanted = msgspec.structs.replace(self._wanted, scope=found.scope, reader=found.scope)
        if self._wanted.place is None and found.cwd and Path(found.cwd).is_dir():
            self._folder = Path(found.cwd).resolve()
        if found.prompt is None:  # a program began it, or it is a fork of another agent's
            made, prompt = self._made(found.conversation_id, responder)
            freeze_prompt(self._store, made, found.id, found.scope, prompt.text, self._world.now())
        return self._opened(found.id, "resumed")

    def _hold(self, conversation_id: str) -> None:
        self._held = Hold(self._store.path.parent, conversation_id, self._world.now())

    def _opened(self, key: str, why: Why) -> Opened:
        """A session that is there already, with the tools that it was begun with where its cache may be warm."""
        session = self._archivist.sessions.get(key, scope=self._wanted.scope)
        record = session.record()
        idle = max(0.0, (self._world.now() - record.last_active_at).total_seconds())
        is_warm = why != "compacted" and idle <= CACHE_SECONDS
        frozen = frozen_tools(self._store, key) if is_warm else None
        notices = () if frozen else self._keep_tools(key, self._specs)
        return Opened(session, record.prompt or "", frozen or self._specs, why, idle, notices)

    def _keep_tools(self, key: str, tools: tuple[ToolSpec, ...]) -> tuple[Notice, ...]:
        try:
            keep_tools(self._store, key, tools, self._world.now())
        except ArchivistError as error:
            return (Notice("tools-not-kept", f"whoever resumes this session may offer other tools: {error}"),)
        return ()

    def gone_on(self, opened: Opened) -> Opened | None:
        """Where a conversation goes on since somebody else compressed it, brought something back or took it back; None for here."""
        here = opened.session.id
        _, tip = self._store.read(lambda db: read_tip(db, here))
        if tip == here:
            return None
        is_child = self._store.session(tip).parent_id == here
        return self._opened(tip, "compacted" if is_child else "going-on")

    def let_go(self) -> None:
        """Let others have the conversation."""
        if self._held is not None:
            self._held.let_go()
            self._held = None

    def _prompt(self, notes: str, responder: Responder, conversation_id: str) -> Prompt:
        wanted = self._wanted
        return build_prompt(
            self._archivist.home,
            notes,
            folder=self._folder,
            scope=wanted.scope,
            model=responder.name,
            zone=self._archivist.zone,
            now=self._world.now(),
            conversation_id=conversation_id,
            window=responder.window,
            platform=wanted.platform,
            tools=[spec.name for spec in self._specs],
            allowed=frozenset(allowed_in(self._archivist.home)),
        )

    # ---- turns ----

    def used(self, session: Stored) -> list[Usage]:
        """What all sessions of a conversation have used so far, per model."""
        return self._store.read(partial(_used, session.id))

    def tail(self, session: Stored, text: str, seen: Sequence[Message], responder: Responder) -> str:
        """What belongs beside the user's next words."""
        recall = self._wanted.recall if responder.is_model else "off"  # rules recall by themselves
        return tail_for(self._archivist, session, text, recall=recall, now=self._world.now(), seen=seen)

    def make_room(
        self,
        opened: Opened,
        responder: Responder,
        interrupt: Interrupt,
        *,
        focus: str = "",
        force: bool = False,
    ) -> Room:
        """Compress the conversation where it is time to, or at once; what stands against it is said."""
        session = opened.session
        if not force:
            verdict = self._archivist.sessions.verdict(session.id, responder.window, scope=EVERYTHING)
            if verdict.state != "compress":
                return Room(left=limits(responder.window).threshold - verdict.tokens, notices=verdict.notices)
        summary = Summary(responder, interrupt, self._world.new_id)
        room = self._compressed(session, responder, interrupt, summary, focus=focus, force=force)
        return self._counted(session, summary, room)

    def _compressed(
        self,
        session: Stored,
        responder: Responder,
        interrupt: Interrupt,
        summary: Summary,
        *,
        focus: str,
        force: bool,
    ) -> Room:
        """What came of a compression; where it was not made, why."""

        def prompt(notes: str) -> str:
            if interrupt.is_set:
                raise StopCompression("the user stopped it")
            return self._prompt(notes, responder, session.conversation_id).text

        try:
            done = self._archivist.sessions.compress(
                session.id,
                window=responder.window,
                summarise=summary.ask if responder.is_model else None,
                focus=focus,
                prompt=prompt,
                force=force,
                scope=EVERYTHING,
            )
        except ArchivistError as error:
            return Room(notices=(Notice("not-compressed", str(error)),))
        child = None if done.child_id is None else self._opened(done.child_id, "compacted")
        return Room(child, done.tokens_before, done.tokens_after, notices=done.notices)

    def _counted(self, session: Stored, summary: Summary, room: Room) -> Room:
        """What came of a look, with what was used for it counted."""
        usage = tuple(summary.usage)
        if not usage:
            return room
        try:
            self._store.add_usage(session.id, usage)
        except ArchivistError as error:
            told = Notice("usage-not-counted", f"what a summary used is not counted: {error}")
            return msgspec.structs.replace(room, usage=usage, notices=(*room.notices, told))
        return msgspec.structs.replace(room, usage=usage)

    def outputs(self, session: Stored) -> Outputs:
        """Where tools keep what is too long to be told whole."""

        def kept() -> Iterator[Part]:
            return (part for message in session.messages("all") for part in message.parts)

        return Outputs(kept, self.blob)

    def tool_context(self, session: Stored, outputs: Outputs, interrupt: Interrupt) -> Context:
        """What the calls of a turn are given."""
        context = self._archivist.tool_context(
            self._wanted.scope, reader=self._wanted.finds, session=session.id
        )
        workspace = Workspace(
            self._folder,
            self._wanted.approve,
            lambda: interrupt.is_set,
            outputs.keep,
            outputs.read,
            self._archivist.home.path,
            self._wanted.hidden,
            self._seen,
        )
        return msgspec.structs.replace(context, workspace=workspace)

    def call(self, name: str, arguments: str, context: Context) -> Mapping[str, Any]:
        """Call a tool."""
        return call_tool(name, arguments, context, self._wanted.tools)

    def asked(
        self, opened: Opened, responder: Responder, request: Request, reply: Reply, *, masked: bool
    ) -> Notice | None:
        """Remember what a request had in common with the one before; why it could not be."""
        if not responder.is_model:
            return None  # rules have no cache
        asked = Asked(opened.session.id, responder.name, opened.why, opened.idle, masked)
        return self._seeing.record_request(asked, request, reply)

    def blob(self, name: str) -> bytes | None:
        """The bytes of a blob."""
        return self._store.blobs.read(name)

    def new_id(self) -> str:
        """An id that nobody has."""
        return self._world.new_id()

    def monotonic(self) -> float:
        """Seconds."""
        return self._world.monotonic()


def _tip(name: str, reader: Reader, db: Connection) -> Session:
    """The session in which the conversation goes on that a name means."""
    scopes = visible_scopes(db, reader)
    named = resolve_session(db, name, scopes)
    return read_sessions(db, [tip_of(db, named)], scopes)[0]


def _used(session_id: str, db: Connection) -> list[Usage]:
    return read_usage(db, *sessions_of(db, require_session(db, session_id).key, None))


def budget_of(settings: AgentSettings) -> Budget:
    """What a turn and a conversation may use, as it is set."""
    return Budget(
        settings.max_requests,
        settings.max_turn_usd,
        settings.max_conversation_usd,
        settings.max_turn_seconds,
    )


__all__ = ["AgentHome", "Recall", "Wanted", "budget_of"]
