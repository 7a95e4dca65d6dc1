"""Claude Code's histories as sessions.

The lines of a file are counted in the first pass and read again in the second; what is held back because it
may still grow is counted as skipped, and its file is read again the next time even if nothing was written.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from archivist.records import OWNER, Link, Scope, SessionStart, Usage
from archivist.transfer.claude_code.families import Family, families_of, settle
from archivist.transfer.claude_code.files import (
    HOME,
    agent_parent,
    is_agent,
    is_session_file,
    projects_folder,
    session_id,
    session_paths,
    source_name,
)
from archivist.transfer.claude_code.index import MAIN, FileIndex, Stream, index_file
from archivist.transfer.claude_code.memories import curated_in, memory_files
from archivist.transfer.claude_code.messages import SOURCE, read_messages
from archivist.transfer.claude_code.turns import Turn, Turns, group, is_finished, set_states
from archivist.transfer.curated import Curated
from archivist.transfer.file_format import FileFormat
from archivist.transfer.fingerprints import Fingerprint, source_file
from archivist.transfer.foreign import (
    QUIET_SECONDS,
    Content,
    ForeignSession,
    Reading,
    Replay,
    SourceFile,
    SourceUnreadable,
)
from archivist.transfer.reasons import HELD_BACK, NOTHING_LEFT, Skipped
from archivist.transfer.times import UNKNOWN


class ClaudeCode(FileFormat):
    """The codec."""

    name = SOURCE

    def folders(self, home: Path, environ: Mapping[str, str]) -> list[Path]:
        """The projects of this machine's owner."""
        return [projects_folder(home, environ)]

    def paths(self, path: Path) -> list[Path]:
        """Session files, those of sub-agents last."""
        return session_paths(path)

    def recognises(self, path: Path) -> bool:
        """A session, a folder with some, or one that has nothing yet but the memory of projects."""
        return super().recognises(path) or bool(memory_files(path))

    def owned(self, path: Path) -> Sequence[Path]:
        """The program's home, by its name."""
        return [path] if path.name.startswith(HOME) else []

    def is_one(self, path: Path) -> bool:
        """Whether a file is a session."""
        return is_session_file(path)

    def counted(self, paths: Sequence[Path]) -> int | None:
        """Sessions without their sub-agents."""
        return sum(not is_agent(path) for path in paths)

    def source_file(self, path: Path) -> SourceFile:
        """A session file as it is now."""
        return source_file(path, source_name(path), self.revision)

    def open(self, path: Path, reading: Reading) -> "Projects":
        """Open a file or a folder of sessions."""
        return Projects([self.source_file(found) for found in session_paths(path)], reading, path)


class Projects:
    """Session files, opened."""

    def __init__(self, files: Sequence[SourceFile], reading: Reading, path: Path) -> None:
        self.files = files
        self._reading, self._path = reading, path
        self._families: dict[Path, Family] = {}

    def curated(self) -> Iterator[Curated]:
        """What the program has noted of its projects."""
        return curated_in(self._path, self._reading)

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Sessions before their forks, and both before their sub-agents."""
        wanted = {file.path: file for file in changed}
        ordered: list[SourceFile] = []
        for members in families_of(self.files if changed else ()):
            paths = [file.path for file in members]
            if len(members) > 1 and not wanted.keys().isdisjoint(paths):
                family = settle(members)
                self._families |= dict.fromkeys(paths, family)
                paths = family.files
            ordered += [wanted[path] for path in paths if path in wanted]
        return sorted(ordered, key=lambda file: is_agent(file.path))

    def read(self, file: SourceFile, earlier: str | None) -> Content:
        """Open one session file.

        Raises:
            SourceUnreadable: It cannot be read.
        """
        kept = Fingerprint.of(earlier)
        family = self._families.get(file.path)
        shared = family.borrowed[file.path] if family else {}
        try:
            index = index_file(file.path, file.bytes, shared=shared, is_agent=is_agent(file.path))
            is_quiet = self._is_quiet(index, file.path.stat().st_mtime)
        except OSError as error:
            raise SourceUnreadable(file.path, str(error)) from error
        told = SessionFile(file.path, index, family, self._reading)
        return told.content(file.print, kept.kept if kept else (), is_quiet=is_quiet)

    def _is_quiet(self, index: FileIndex, written_at: float) -> bool:
        """Whether nobody is writing now: somebody is when both the disk and the last line say so.

        A time that lies ahead is no sign of it either: another clock wrote it.
        """
        if self._reading.now is None:
            return True
        now = self._reading.now.timestamp()
        said_at = index.last_time.timestamp() if index.last_time else now
        return any(abs(now - time) > QUIET_SECONDS for time in (written_at, said_at))


@dataclass(frozen=True, slots=True)
class SessionFile:
    """A session file after the first pass: the session, and those of the sub-agents inside it."""

    path: Path
    index: FileIndex
    family: Family | None
    reading: Reading

    def content(self, print_: str, cuts: Sequence[str], *, is_quiet: bool) -> Content:
        """Its sessions, and what to remember of it.

        Args:
            print_: What the file looked like.
            cuts: Where an earlier import took a response as finished.
            is_quiet: Whether what is open can be taken as it stands.
        """
        sessions: list[ForeignSession] = []
        new_cuts: list[str] = []
        is_complete = True
        waits = not is_quiet and self.index.first_time is None
        for stream in self.index.streams.values():
            turns = group(stream.entries, cuts)
            new_cuts += turns.cuts
            taken, held = _take(turns, is_quiet=is_quiet, waits=waits)
            if turns.open and not held:
                new_cuts.append(turns.open[0].entries[-1].uuid)
            is_complete &= not held
            sessions.append(self._session(stream, taken, held))
            waits |= not is_quiet and stream.key == MAIN and not taken
        fingerprint = Fingerprint(
            print_, sum(session.read > 0 for session in sessions), tuple(new_cuts)
        ).text()
        return Content(iter(sessions), fingerprint if is_complete else None)

    def _session(self, stream: Stream, taken: Sequence[Turn], held: Sequence[Turn]) -> ForeignSession:
        set_states([*taken, *held], stream, self.index)
        told = [turn for turn in taken if not turn.is_empty]
        skipped = Skipped(stream.skipped)
        skipped.add(NOTHING_LEFT, sum(len(turn.entries) for turn in taken if turn.is_empty))
        skipped.add(HELD_BACK, sum(len(turn.entries) for turn in held))
        parent, link = self._parent(stream)
        default_time = self.index.first_time or UNKNOWN
        by_agent = link == "subagent"
        prefix = f"{SOURCE}:{self._external_id(stream)}" if by_agent else SOURCE
        begin = partial(read_messages, self.path, told, stream.names, prefix, default_time, by_agent=by_agent)
        notices = self.index.notices if stream.key == MAIN else {}
        return ForeignSession(
            start=self._start(stream, link),
            parent_external_id=parent,
            messages=Replay(begin),
            usage=tuple(_usage(stream, told)),
            read=stream.read,
            skipped=skipped,
            notices=+Counter(notices),
        )

    def _start(self, stream: Stream, link: Link | None) -> SessionStart:
        index = self.index
        known = {
            "git_branch": index.branch,
            "version": index.version,
            "path": str(self.path),
            "agent_id": self.path.stem.removeprefix("agent-") if is_agent(self.path) else stream.agent_id,
        }
        project = self.reading.project_of(index.cwd) if index.cwd else None
        return SessionStart(
            source=SOURCE,
            model=stream.model,
            scope=Scope(user=OWNER.user, project=project),
            cwd=index.cwd,
            title=index.title if stream.key == MAIN else None,
            external_id=self._external_id(stream),
            link=link,
            started_at=stream.first_time or index.first_time or UNKNOWN,
            metadata={name: value for name, value in known.items() if value},
        )

    def _external_id(self, stream: Stream) -> str:
        own = session_id(self.path, self.index.session_id)
        return own if stream.key == MAIN else f"{own}/agent-{stream.key}"

    def _parent(self, stream: Stream) -> tuple[str | None, Link | None]:
        if stream.key != MAIN:
            return session_id(self.path, self.index.session_id), "subagent"
        if is_agent(self.path):
            return agent_parent(self.path, self.index.session_id), "subagent"
        origin = self.family.origin_of(self.path) if self.family else None
        return (origin, "fork") if origin else (None, None)


def _take(turns: Turns, *, is_quiet: bool, waits: bool) -> tuple[list[Turn], list[Turn]]:
    """What is stored now, and what waits.

    Args:
        turns: The messages of one session.
        is_quiet: Whether all of it can be taken as it stands.
        waits: Whether all of it waits: no time is known yet, or a sub-agent's session has no message to come
            from.
    """
    if waits:
        return [], turns.closed + turns.open
    if is_quiet or is_finished(turns):
        return turns.closed + turns.open, []
    return turns.closed, turns.open


def _usage(stream: Stream, told: Sequence[Turn]) -> Iterator[Usage]:
    requests = dict.fromkeys(
        entry.request for turn in told for entry in turn.entries if entry.kind == "assistant"
    )
    for request in requests:
        if request not in stream.usage:
            continue
        model, tokens = stream.usage[request]
        yield Usage(
            model=model,
            request_id=request,
            input=tokens.input_tokens or 0,
            output=tokens.output_tokens or 0,
            cache_read=tokens.cache_read_input_tokens or 0,
            cache_write=tokens.cache_creation_input_tokens or 0,
        )
