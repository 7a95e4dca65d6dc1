"""What a session file tells: its own session and those of the sub-agents inside it, each from its lines."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

import msgspec

from archivist.records import OWNER, Link, Scope, SessionStart, Usage
from archivist.store.following import Telling
from archivist.store.places import Order
from archivist.store.raw_prints import Prints
from archivist.transfer.claude_code.files import agent_parent, is_agent, session_id
from archivist.transfer.claude_code.index import MAIN, FileIndex, Stream
from archivist.transfer.claude_code.messages import SOURCE, read_messages
from archivist.transfer.claude_code.turns import Turn, Turns, group, is_finished, set_states
from archivist.transfer.fingerprints import Fingerprint
from archivist.transfer.foreign import QUIET_SECONDS, Content, ForeignSession, Reading, Replay
from archivist.transfer.reasons import HELD_BACK, NOTHING_LEFT, Skipped
from archivist.transfer.times import UNKNOWN


def is_left_alone(written_at: float, now: datetime | None) -> bool:
    """Whether nobody has written to a file for so long that what is open is taken as it stands; without the time nobody has."""
    return now is None or abs(now.timestamp() - written_at) > QUIET_SECONDS


def is_quiet(index: FileIndex, written_at: float, now: datetime | None) -> bool:
    """Whether nobody is writing now: somebody is when both the disk and the last line say so.

    A time that lies ahead is no sign of it either: another clock wrote it.

    Args:
        index: The file's.
        written_at: When it was last written to.
        now: The time; without it nobody is.
    """
    said_at = index.last_time.timestamp() if index.last_time else written_at
    return is_left_alone(written_at, now) or is_left_alone(said_at, now)


class StreamTurns(msgspec.Struct):
    """The messages of a stream, each in one of three heaps.

    Attributes:
        taken: What is stored now, or is already.
        held: What waits.
        shared: What another session tells.
    """

    stream: Stream
    taken: list[Turn]
    held: list[Turn]
    shared: list[Turn] = []

    @property
    def in_order(self) -> list[Turn]:
        """All that its file holds of it, and may be here, in order."""
        told = [turn for turn in (*self.taken, *self.held, *self.shared) if not turn.is_empty]
        return sorted(told, key=lambda turn: turn.first.place.offset)


class Division(msgspec.Struct, frozen=True):
    """The streams of a file, divided into what is taken and what waits.

    Attributes:
        cuts: Where a response was taken as finished, now or before.
    """

    streams: list[StreamTurns]
    cuts: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether nothing waits."""
        return not any(stream.held for stream in self.streams)


class SessionFile(msgspec.Struct, frozen=True):
    """A session file after the first pass.

    Attributes:
        origin: The session that it is a fork of.
    """

    path: Path
    index: FileIndex
    origin: str | None
    reading: Reading

    def content(self, print_: str, cuts: Sequence[str], *, is_quiet: bool) -> Content:
        """Its sessions, and what to remember of it.

        Args:
            print_: What the file looked like.
            cuts: Where an earlier import took a response as finished.
            is_quiet: Whether what is open can be taken as it stands.
        """
        division = self.divide(cuts, is_quiet=is_quiet)
        sessions = [self.session(told, told.taken, is_whole=True) for told in division.streams]
        fingerprint = Fingerprint(print_, sum(session.read > 0 for session in sessions), division.cuts)
        return Content(iter(sessions), fingerprint.text() if division.is_complete else None)

    def divide(self, cuts: Sequence[str], *, is_quiet: bool, is_end: bool = True) -> Division:
        """Which lines make a message, and which of these are taken.

        Args:
            cuts: Where a response was taken as finished before.
            is_quiet: Whether what is open can be taken as it stands.
            is_end: Whether the file has been read to its end; else whatever is open waits.
        """
        found: list[StreamTurns] = []
        new_cuts: list[str] = []
        waits = not is_quiet and self.index.first_time is None
        for stream in self.index.streams.values():
            turns = group(stream.entries, cuts)
            new_cuts += turns.cuts
            shared = group(stream.shared, ())
            taken, held = _take(turns, is_quiet=is_quiet, waits=waits, is_end=is_end)
            told = StreamTurns(stream, taken, held, [*shared.closed, *shared.open])
            if turns.open and not told.held:
                new_cuts.append(turns.open[0].entries[-1].uuid)
            set_states([*told.taken, *told.held, *told.shared], stream, self.index)
            found.append(told)
            waits |= not is_quiet and stream.key == MAIN and not told.taken
        return Division(found, tuple(new_cuts))

    def session(self, told: StreamTurns, new: Sequence[Turn], *, is_whole: bool = False) -> ForeignSession:
        """The session of a stream, with the messages of some of its turns; where `is_whole` with their order too."""
        stream = told.stream
        telling = [turn for turn in new if not turn.is_empty]
        skipped = Skipped(stream.skipped)
        skipped.add(NOTHING_LEFT, sum(len(turn.entries) for turn in told.taken if turn.is_empty))
        skipped.add(HELD_BACK, sum(len(turn.entries) for turn in told.held))
        parent, link = self._parent(stream)
        default_time = self.index.first_time or UNKNOWN
        prefix, by_agent = self.prefix(stream), link == "subagent"
        begin = partial(
            read_messages, self.path, telling, stream.names, prefix, default_time, by_agent=by_agent
        )
        notices = self.index.notices if stream.key == MAIN else {}
        is_known = bool(self.reading.key)
        return ForeignSession(
            start=self.start_of(stream),
            parent_external_id=parent,
            messages=Replay(begin),
            usage=tuple(_usage(stream, telling)),
            read=stream.read,
            skipped=skipped,
            notices=+Counter(notices),
            prints=(self.order_prints(told) if is_whole else self.prints(stream, telling))
            if is_known
            else {},
            order=self.order(told) if is_whole and is_known else None,
        )

    def beginnings(self) -> tuple[list[str], dict[str, Prints]]:
        """The client ids of the messages of the file's own session as far as it is read, and how they look."""
        main = self.index.streams[MAIN]
        turns = group(main.entries, ())
        told = [turn for turn in (*turns.closed, *turns.open) if not turn.is_empty]
        prints = self.prints(main, told)
        return list(prints), prints

    def telling(self, stream: Stream, prints: dict[str, Prints]) -> Telling:
        """What is told of a stream's session, without a message yet."""
        return Telling(self.start_of(stream), self._parent(stream)[0], prints=prints)

    def prefix(self, stream: Stream) -> str:
        """What stands before the id of a line in its message's: a sub-agent's lines are in its parent's conversation."""
        _, link = self._parent(stream)
        return f"{SOURCE}:{self.external_id(stream)}" if link == "subagent" else SOURCE

    def prints(self, stream: Stream, turns: Sequence[Turn]) -> dict[str, Prints]:
        """By client id, how messages look at their source."""
        prefix = self.prefix(stream)
        return {
            client_id: prints
            for turn in turns
            for prints in [turn.prints(prefix, self.reading.key)]
            for client_id in turn.client_ids(prefix)
        }

    def order(self, told: StreamTurns) -> Order:
        """The messages of a stream in order; whether each is on the path that the person sees."""
        prefix = self.prefix(told.stream)
        return [
            (client_id, turn.state == "active")
            for turn in told.in_order
            for client_id in turn.client_ids(prefix)
        ]

    def order_prints(self, told: StreamTurns) -> dict[str, Prints]:
        """By client id, how those look at their source."""
        prefix, found = self.prefix(told.stream), self.prints(told.stream, told.in_order)
        for turn in told.in_order:
            found |= turn.rests(prefix, self.reading.key)
        return found

    def start_of(self, stream: Stream) -> SessionStart:
        """How a stream's session begins."""
        _, link = self._parent(stream)
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
            external_id=self.external_id(stream),
            link=link,
            started_at=stream.first_time or index.first_time or UNKNOWN,
            metadata={name: value for name, value in known.items() if value},
        )

    def external_id(self, stream: Stream) -> str:
        """The source's own id of a stream's session."""
        own = session_id(self.path, self.index.session_id)
        return own if stream.key == MAIN else f"{own}/agent-{stream.key}"

    def _parent(self, stream: Stream) -> tuple[str | None, Link | None]:
        if stream.key != MAIN:
            return session_id(self.path, self.index.session_id), "subagent"
        if is_agent(self.path):
            return agent_parent(self.path, self.index.session_id), "subagent"
        return (self.origin, "fork") if self.origin else (None, None)


def _take(turns: Turns, *, is_quiet: bool, waits: bool, is_end: bool) -> tuple[list[Turn], list[Turn]]:
    """What is stored now, and what waits.

    Args:
        turns: The messages of one session.
        is_quiet: Whether all of it can be taken as it stands.
        waits: Whether all of it waits: no time is known yet, or a sub-agent's session has no message to come
            from.
        is_end: Whether no line can follow that stands in the file already.
    """
    if waits:
        return [], turns.closed + turns.open
    if is_end and (is_quiet or is_finished(turns)):
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
