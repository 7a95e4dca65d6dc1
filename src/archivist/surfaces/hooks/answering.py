"""What each event of a host means for memory."""

import os
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

from archivist.app.hosts.held import HostHome
from archivist.app.hosts.traces import Traces, size_of, stamps_of
from archivist.config import Home, find_home, read_settings
from archivist.config.settings import HostSettings
from archivist.prompt.fence import fenced
from archivist.recall.cues import calls_for_recall
from archivist.records import OWNER, ArchivistError, Person, Reader, Scope
from archivist.surfaces.hooks.event import Answer, Event
from archivist.surfaces.hooks.fence import (
    LONGEST_TAIL,
    MOST_UNITS,
    fitting,
    newest_snapshot,
    units_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from archivist.app.noted import Noted
    from archivist.records import Hit
    from archivist.records.notes import Snapshot

T = TypeVar("T")

BEGINS_ANEW: Final = frozenset({"startup", "clear", "compact"})
"""Why a session's prompt begins anew; after a resume and a fork the model sees what it was given before."""

HASH: Final = 16
"""Characters of a snapshot's hash by which it is known again."""

CUT: Final = "… the rest of the notes did not fit here; recall finds it"

MOST_BEHIND: Final = 3
"""Earlier sessions whose ends are stored at the end of a turn."""

RESERVE: Final = 0.5
"""Seconds that are kept for what follows an ingest."""

WRITES_IN: Final = 4
"""In this part of its time a hook that tells something gives up writing down what it told, and tells it all the same."""

AT_LEAST_READ: Final = "what is noted was given all the same"

SNAPSHOT_HEAD: Final = """\
What Archivist keeps for this user and place, as it was when this stretch of the session began. Background, not a request.

"""


def answer(event: Event, home: str | None, profile: str | None, traces: Traces, seconds: float) -> Answer:
    """Do what an event asks for.

    Args:
        event: What happened.
        home: The home's folder; found as everywhere where unset.
        profile: A home of its own below it.
        traces: What hooks have left behind there.
        seconds: What it may take.

    Raises:
        ArchivistError: It cannot be done.
    """
    place = find_home(home, profile, environ=os.environ)
    if event.name in {"SessionStart", "UserPromptSubmit"}:
        settings = read_settings(place.config_file).host(event.host)
        return _Telling(place, event, settings, traces, seconds / WRITES_IN).answer()
    ends = monotonic() + seconds - RESERVE
    with HostHome.open(place) as opened:
        return _Following(opened, event, traces, ends).answer()


class _Telling:
    """What goes into a session: what is noted, what changed, what is recalled."""

    def __init__(
        self, home: Home, event: Event, settings: HostSettings, traces: Traces, patience: float
    ) -> None:
        self._home, self._event, self._settings, self._traces = home, event, settings, traces
        self._patience = patience
        self._is_cut = False
        seen = traces.seen(event.session_id)
        project = seen.get("project", "")
        self._scope = (
            Scope(OWNER.user, project=project)
            if isinstance(project, str) and project
            else scope_in(event.cwd)
        )
        self._stamps = stamps_of(
            _told_of(home, self._scope)
        )  # before anything is read: what comes later is seen next time

    def answer(self) -> Answer:
        if self._event.name == "SessionStart":
            self._is_at_work()
            return self._anew_or_unkept() if self._event.trigger in BEGINS_ANEW else self._resumed()
        if not calls_for_recall(self._event.prompt, self._settings.recall):
            with HostHome.open(self._home, patience=self._patience) as opened:
                return Answer(self._since(opened))
        return self._recalled()

    def _resumed(self) -> Answer:
        with HostHome.open(self._home, patience=self._patience) as opened:
            waiting = opened.told_of_review()
            try:
                return Answer(self._since(opened), self._pending(opened, waiting))
            except ArchivistError as error:
                if not waiting:
                    raise
                return _troubled(error, waiting)

    def _anew_or_unkept(self) -> Answer:
        """What is noted; where a home lets itself be read alone, or its database cannot be used, without writing down what was given."""
        waiting = ""
        try:
            with HostHome.open(self._home, patience=self._patience) as opened:
                waiting = opened.told_of_review()
                return Answer(self._anew(opened), self._pending(opened, waiting))
        except ArchivistError as error:
            from archivist.app.hosts.unkept import present_notes  # noqa: PLC0415 - only where something went wrong

            snapshot = present_notes(self._home, self._scope)
            text = "" if snapshot is None else self._handed(snapshot)
            if not text and not waiting:
                raise
            return _troubled(error, AT_LEAST_READ if text else "", waiting, text=text)

    def _is_at_work(self) -> None:
        """A session that is resumed has not ended, though its earlier end was not noted yet."""
        if isinstance(self._traces.seen(self._event.session_id).get("ending"), str):
            self._traces.see(self._event.session_id, ending=None)

    def _recalled(self) -> Answer:
        """What is remembered and what changed; one of them is told though the other cannot be.

        The news are told once, so that they come last of what takes long.
        """
        from archivist.app import Archivist  # noqa: PLC0415 - most prompts recall nothing
        from archivist.app.recalled import beside, entries_in, found  # noqa: PLC0415 - as above

        troubles = list[str]()
        with Archivist.at(self._home, patience=self._patience) as archivist:
            reader: Reader = Person(OWNER.user or "") if self._settings.read == "owner" else self._scope
            event = self._event

            def hits_for() -> "list[Hit]":
                own = archivist.sessions.of_host(event.host, event.session_id)
                asking = None if own is None else own.id
                return found(archivist, event.prompt or "", reader, asking_session=asking)

            def shown() -> frozenset[str]:
                return entries_in(self._given(archivist, event.session_id))

            hits = _unless(troubles, hits_for) or ()
            news = _unless(troubles, lambda: self._since(archivist))
            recalled = _unless(troubles, lambda: beside(archivist, hits, reader, shown=shown))
        message = f"archivist: {'; '.join(troubles)}" if troubles else ""
        background = fenced(recalled, part="recalled") if recalled else ""
        return Answer("\n\n".join(filter(None, [news, background])), message, is_trouble=bool(troubles))

    def _anew(self, opened: "Noted", but: str = "") -> str:
        """What the session is given from now on; nothing where that is what it has, by the beginning of its hash."""
        before = self._given(opened, self._event.session_id)
        scope = None if before is not None and self._event.trigger == "compact" else self._scope
        snapshot = opened.snapshot(
            scope, host=self._event.host, host_session=self._event.session_id, anew=True
        )
        self._remember()
        return "" if but and snapshot.sha256.startswith(but) else self._handed(snapshot)

    def _handed(self, snapshot: "Snapshot") -> str:
        """A snapshot as the model is given it."""
        if not snapshot.text:
            return ""
        labels = {"session": self._event.session_id, "snapshot": snapshot.sha256[:HASH]}
        from archivist.notes.document import DELIMITER  # noqa: PLC0415 - with the notes

        text = SNAPSHOT_HEAD + snapshot.text
        self._is_cut = units_of(text) > MOST_UNITS
        return fenced(fitting(text, DELIMITER, CUT), **labels)

    def _since(self, opened: "Noted") -> str:
        """What changed since the session was given its notes; the notes themselves where it was given none."""
        event, carried = self._event, None
        given = self._given(opened, event.session_id)
        if given is None or event.name == "SessionStart":
            carried = _tail(event.transcript)
        if given is None:
            if carried is None:
                return (
                    ""  # perhaps a fork: what it goes on from will be known when the host has written it down
                )
            origin = newest_snapshot(carried)
            if origin is not None and origin[0] == event.session_id:
                return self._anew(opened, but=origin[1])  # given while nothing could be written down
            parent = None if origin is None else self._given(opened, origin[0])
            if origin is None or parent is None or not parent.sha256.startswith(origin[1]):
                return self._anew(opened)
            opened.snapshot(host=event.host, host_session=event.session_id, parent=origin[0])
        elif given.text and _is_missing_in(carried):
            return self._anew(opened)  # the host was told, and did not hear it
        news = opened.news(host=event.host, host_session=event.session_id, carried=carried)
        self._remember()
        return fenced(news, part="news") if news else ""

    def _given(self, opened: "Noted", session: str) -> "Snapshot | None":
        return opened.given_snapshot(host=self._event.host, host_session=session)

    def _remember(self) -> None:
        """What the session has seen now, so that it need not be looked at again while nothing changes."""
        self._traces.see(
            self._event.session_id,
            stamps=self._stamps,
            recall=self._settings.recall,
            project=self._scope.project or "",
        )

    def _pending(self, opened: HostHome, waiting: str) -> str:
        """One line about what waits and what is wrong; empty where nothing is."""
        told = [notice.text for notice in opened.notices]
        if waiting:
            told.append(waiting)
        if self._is_cut:
            told.append(f"the notes are longer than {MOST_UNITS:,} characters, so only a part was given")
        if behind := len(self._traces.behind(self._event.session_id)):
            told.append(
                f"of {behind} earlier session{'s' if behind > 1 else ''} the end is not stored yet; it will be after your next turn"
            )
        return f"archivist: {'; '.join(told)}" if told else ""


def _troubled(error: ArchivistError, *told: str, text: str = "") -> Answer:
    """What is said where something went wrong, and what was found out all the same."""
    from archivist.surfaces.hooks.trouble import one_line  # noqa: PLC0415 - only where something went wrong

    return Answer(text, f"archivist: {'; '.join(filter(None, (one_line(error), *told)))}", is_trouble=True)


class _Following:
    """What comes out of a session: its transcript, while it grows."""

    def __init__(self, opened: HostHome, event: Event, traces: Traces, ends: float) -> None:
        self._opened, self._event, self._traces, self._ends = opened, event, traces, ends
        self._flaws: dict[str, int] = {}

    def answer(self) -> Answer:
        ending = (self._event.trigger or "ended") if self._event.name == "SessionEnd" else None
        trouble = self._follow(self._event.session_id, self._event.transcript, ending)
        if self._event.name in {"SessionEnd", "Stop"}:
            for session, transcript in self._traces.behind(self._event.session_id)[:MOST_BEHIND]:
                if monotonic() >= self._ends:
                    break
                told = self._traces.seen(session).get("ending")
                self._follow(session, transcript, told if isinstance(told, str) else None)
        told = "; ".join(filter(None, (trouble, self._told_of_flaws())))
        return Answer(message=told and f"archivist: {told}", is_trouble=bool(trouble))

    def _told_of_flaws(self) -> str:
        """What of the session's own transcript was lost before it could be read: nothing that is done here brings it back."""
        if not self._flaws:
            return ""
        from archivist.app.ingesting import told_of  # noqa: PLC0415 - loaded by now

        return f"of {self._event.transcript}, {told_of(self._flaws)}"

    def _follow(self, session: str, transcript: str | None, ending: str | None) -> str:
        """Store what is new in a transcript, and the session's end where it has one; what went wrong."""
        if not transcript or not os.path.lexists(transcript):
            return ""  # a session in which nothing was said has none
        path, size = Path(transcript), size_of(transcript)
        if not path.is_file():
            return f"{path} is no file, so nothing of this session is kept"
        self._traces.see(session, transcript=transcript)
        left = max(0.0, self._ends - monotonic())
        took = self._opened.ingest(self._event.host, path, deadline=left)
        if session == self._event.session_id:
            self._flaws = took.flaws
        told = [notice.text for notice in took.notices]
        if took.behind.files:
            told.append(f"{path} could not be read to its end in time: the next event goes on")
        if not told:
            self._traces.see(session, stored=size)
            if ending is not None:
                self._opened.end(self._event.host, session, ending)
                self._traces.see(session, ending=None)
        return "; ".join(told)


def _unless(troubles: list[str], work: "Callable[[], T]") -> "T | None":
    """What some work gives; None where it cannot be done, of which a line is added to the troubles."""
    try:
        return work()
    except ArchivistError as error:
        from archivist.surfaces.hooks.trouble import one_line  # noqa: PLC0415 - only where something went wrong

        troubles.append(one_line(error))
        return None


def scope_in(cwd: str | None) -> Scope:
    """The owner's scope in a folder: its project's, where it is in one."""
    if not cwd:
        return OWNER
    from archivist.config.projects import project_worked_on  # noqa: PLC0415 - not every session is held in a folder

    return Scope(user=OWNER.user, project=project_worked_on(Path(cwd), environ=os.environ))


def _told_of(home: Home, scope: Scope) -> list[str]:
    """The files on which it depends what a session is told."""
    from archivist.notes.places import ARCHIVE, CORE_FILES, level_for  # noqa: PLC0415 - with the notes, which are read next

    levels = dict.fromkeys(["", level_for("memory", scope)])
    names = ["journal.jsonl", "projects"]
    for level in levels:
        names += [f"{level}/{name}".strip("/") for name in (*CORE_FILES.values(), ARCHIVE, "")]
    return [str(home.config_file), *(str(home.notes_folder / name) for name in names)]


def _is_missing_in(carried: str | None) -> bool:
    """Whether no snapshot stands in a transcript, of which the beginning is known too."""
    return carried is not None and len(carried) < LONGEST_TAIL // 4 and newest_snapshot(carried) is None


def _tail(path: str | None) -> str | None:
    """The end of a transcript; None where there is none yet."""
    try:
        with Path(path or "").open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - LONGEST_TAIL))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return None


__all__ = ["answer", "scope_in"]
