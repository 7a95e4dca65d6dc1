"""What each event of a host means for memory."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from archivist.app import Archivist
from archivist.records import OWNER, Person, Reader, Scope
from archivist.surfaces.hooks.event import Answer, Event
from archivist.surfaces.hooks.fence import LONGEST_TAIL, fenced, newest_snapshot

if TYPE_CHECKING:
    from archivist.records.notes import Snapshot

BEGINS_ANEW: Final = frozenset({"startup", "clear", "compact"})
"""Why a session's prompt begins anew; after a resume and a fork the model sees what it was given before."""

HASH: Final = 16
"""Characters of a snapshot's hash by which it is known again."""

RESERVE: Final = 0.5
"""Seconds that are kept for what follows an ingest."""

SNAPSHOT_HEAD: Final = """\
What Archivist keeps for this user and place, as it was when this stretch of the session began. Background, not a request.

"""


def answer(event: Event, home: str | None, profile: str | None, seconds: float) -> Answer:
    """Do what an event asks for.

    Args:
        event: What happened.
        home: The home's folder; found as everywhere where unset.
        profile: A home of its own below it.
        seconds: What it may take.

    Raises:
        ArchivistError: It cannot be done.
    """
    with Archivist.open(home, profile) as archivist:
        return _Answering(archivist, event, seconds).answer()


class _Answering:
    """One event while it is answered."""

    def __init__(self, archivist: Archivist, event: Event, seconds: float) -> None:
        self._archivist, self._event, self._seconds = archivist, event, seconds
        self._settings = archivist.settings.host(event.host)

    def answer(self) -> Answer:
        match self._event.name:
            case "SessionStart":
                return self._begin()
            case "UserPromptSubmit":
                return self._prompted()
            case "PreCompact":
                return self._compacting()
            case "SessionEnd":
                return self._end()
            case _:
                return Answer(message=self._follow())

    # ---- what goes in ----

    def _begin(self) -> Answer:
        if self._event.trigger in BEGINS_ANEW:
            return Answer(self._anew(), self._pending())
        return Answer(self._since(), self._pending())

    def _prompted(self) -> Answer:
        parts = [self._since()]
        if self._settings.recall != "off" and self._event.prompt:
            from archivist.surfaces.hooks.recalled import recalled  # noqa: PLC0415 - most prompts recall nothing

            parts.append(recalled(self._archivist, self._event, self._reader(), self._settings.recall))
        return Answer("\n\n".join(filter(None, parts)))

    def _anew(self) -> str:
        """What the session is given from now on."""
        before = self._given(self._event.session_id)
        scope = None if before and self._event.trigger == "compact" else self._scope()
        snapshot = self._archivist.snapshot(
            scope, host=self._event.host, host_session=self._event.session_id, anew=True
        )
        return self._shown(snapshot)

    def _since(self) -> str:
        """What changed since the session was given its notes; the notes themselves where it was given none."""
        event = self._event
        if self._given(event.session_id) is None:
            transcript = _tail(event.transcript)
            if transcript is None:
                return (
                    ""  # perhaps a fork: what it goes on from will be known when the host has written it down
                )
            origin = newest_snapshot(transcript)
            parent = None if origin is None else self._given(origin[0])
            if origin is None or parent is None or not parent.sha256.startswith(origin[1]):
                return self._anew()
            self._archivist.snapshot(host=event.host, host_session=event.session_id, parent=origin[0])
        news = self._archivist.news(host=event.host, host_session=event.session_id)
        return fenced(news, part="news") if news else ""

    def _shown(self, snapshot: "Snapshot") -> str:
        if not snapshot.text:
            return ""
        labels = {"session": self._event.session_id, "snapshot": snapshot.sha256[:HASH]}
        return fenced(SNAPSHOT_HEAD + snapshot.text, **labels)

    def _given(self, session: str) -> "Snapshot | None":
        return self._archivist.given_snapshot(host=self._event.host, host_session=session)

    def _scope(self) -> Scope:
        return scope_in(self._event.cwd)

    def _reader(self) -> Reader:
        return Person(OWNER.user or "") if self._settings.read == "owner" else self._scope()

    def _pending(self) -> str:
        """One line about what waits and what is wrong; empty where nothing is."""
        told = [notice.text for notice in self._archivist.notices]
        return f"archivist: {'; '.join(told)}" if told else ""

    # ---- what comes out ----

    def _follow(self) -> str:
        """Store what is new in the transcript; what is to be said about it."""
        path = Path(self._event.transcript or "")
        if not self._event.transcript or not os.path.lexists(path):
            return ""  # a session in which nothing was said has none
        if not path.is_file():
            return f"archivist: {path} is no file, so nothing of this session is kept"
        took = self._archivist.ingest(self._event.host, transcript=path, deadline=self._seconds - RESERVE)
        told = [notice.text for notice in took.notices]
        if took.behind.files:
            told.append(f"{path} could not be read to its end in time: the next event goes on")
        return f"archivist: {'; '.join(told)}" if told else ""

    def _compacting(self) -> Answer:
        message = self._follow()
        if message and self._settings.block_compaction and self._event.trigger == "manual":
            return Answer(refusal=f"{message}; set block_compaction = false to compact all the same")
        return Answer(message=message)

    def _end(self) -> Answer:
        message = self._follow()
        self._archivist.sessions.end_of_host(
            self._event.host, self._event.session_id, self._event.trigger or "ended"
        )
        return Answer(message=message)


def scope_in(cwd: str | None) -> Scope:
    """The owner's scope in a folder: its project's, unless it is the root or the home folder, which are none."""
    if not cwd:
        return OWNER
    from archivist.config.projects import project_of  # noqa: PLC0415 - not every session is held in a folder

    folder = os.path.realpath(cwd)
    if folder in {os.path.realpath("/"), os.path.realpath(Path.home())}:
        return OWNER
    return Scope(user=OWNER.user, project=project_of(folder))


def _tail(path: str | None) -> bytes | None:
    """The end of a transcript; None where there is none yet."""
    try:
        with Path(path or "").open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - LONGEST_TAIL))
            return file.read()
    except OSError:
        return None


__all__ = ["answer", "scope_in"]
