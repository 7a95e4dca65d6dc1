"""A transcript read stretch by stretch: of each what it tells, and what to keep so that the next one is read as if all were.

Messages are grouped and their states found by the same functions that an import uses, over all lines of the file; only the lines of the
stretch are parsed, and only new messages are made.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, pairwise
from pathlib import Path
from zlib import crc32

import msgspec

from archivist.records import State
from archivist.records.digest import blake2b
from archivist.store.following import Followed, Following, Step, Telling, Vanished
from archivist.store.glance import look
from archivist.store.imported import Mark
from archivist.transfer.claude_code.files import is_agent, session_id, source_name
from archivist.transfer.claude_code.index import MAIN, add_line, new_index
from archivist.transfer.claude_code.kept import Growth, Head, read_head, restored, sessions_in, written
from archivist.transfer.claude_code.lines import Line
from archivist.transfer.claude_code.messages import SOURCE
from archivist.transfer.claude_code.sessions import Division, SessionFile, StreamTurns, is_left_alone
from archivist.transfer.claude_code.turns import Turn
from archivist.transfer.fingerprints import Fingerprint, edge_digest, look_of
from archivist.transfer.foreign import Reading, SourceChanged
from archivist.transfer.json_lines import READ_BYTES, RawLine, lines_in
from archivist.transfer.json_text import NotJson, decode_leniently
from archivist.transfer.own_tools import without_own_answers
from archivist.transfer.reasons import FLAWS

STRETCH_BYTES = 4 * 1024 * 1024
"""What is stored in one transaction."""
REVISION = 1


class Borrowed(msgspec.Struct, frozen=True):
    """What a file repeats.

    Attributes:
        lines: The sessions that its lines belong to, by the ids of those that are another's.
        origin: The session that it is a fork of.
        away: Those of the sessions that were deleted here: nothing of them is told again.
    """

    lines: Mapping[str, str] = {}
    origin: str | None = None
    away: frozenset[str] = frozenset()


class Stretches:
    """One transcript while it is read."""

    def __init__(
        self,
        path: Path,
        followed: Followed,
        following: Following,
        reading: Reading,
        *,
        status: os.stat_result,
    ) -> None:
        """Nothing of it is read yet.

        Args:
            path: The file.
            followed: What is known of it; without `state` it is read from its beginning.
            following: The files of this home.
            reading: How to read.
            status: As it is now; what is written later waits for the next time.

        Raises:
            KeptUnreadable: What is known of it cannot be gone on from.
        """
        self._path, self._following, self._reading = path, following, reading
        self._looks, self._size, self._written_at = look(status), status.st_size, status.st_mtime
        self._number = status.st_dev, status.st_ino
        self.followed, self.is_at_end = followed, False
        self._is_anew = followed.state is None
        self._head = read_head(followed.state)
        if self._is_anew:
            self._growth = Growth(new_index(path, reading.key))
        else:
            self._growth = restored(path, reading.key, self._head, following.parts(followed))
        self._known = {kept.key: (kept.known, kept.branches) for kept in self._head.streams}
        self._borrowed = Borrowed(origin=self._head.origin)
        self._is_mixed, self._has_own = self._head.is_mixed, self._head.has_own
        self._is_at_home = True

    def after_rewriting(self, earlier: Followed) -> None:
        """The file was changed where it had been read: what it no longer has is to be found at its end."""
        self._head = Head(sessions=sessions_in(earlier.state), is_rewritten=True)

    @property
    def has_own_lines(self) -> bool:
        """Whether any line of it was told as its own, so that whose its first lines are is settled."""
        return self._head.has_own

    @property
    def flaws(self) -> Counter[str]:
        """Lines that could not be read, by what is wrong with them, of all stretches so far."""
        skipped = self._growth.index.streams[MAIN].skipped
        return Counter({reason: count for reason, count in skipped.items() if reason in FLAWS})

    def borrow(self, borrowed: Borrowed) -> None:
        """Let lines belong to other sessions."""
        origin = self._head.origin or borrowed.origin
        self._borrowed = msgspec.structs.replace(borrowed, origin=origin)
        self._is_at_home = self._head.origin is not None or is_agent(self._path)

    def next(self) -> Step:
        """The next stretch.

        Raises:
            OSError, SourceChanged, SourceUnreadable: It cannot be read.
        """
        begin = self.followed.offset
        offset = self._read_on(begin)
        self.is_at_end = offset == begin or self._is_all_read(offset)
        file = SessionFile(self._path, self._growth.index, self._borrowed.origin, self._reading)
        division = self._divide(file)
        file = self._at_home(file, division)
        tellings = [self._telling(file, told) for told in division.streams]
        vanished = list(self._vanished(file, division)) if self.is_at_end and self._head.is_rewritten else []
        head = self._new_head(file, division)
        self.followed = self._read_to(offset, head, is_complete=division.is_complete)
        mark = self._mark(division)
        wordless = written(Head(sessions=head.sessions, cuts=head.cuts))
        part = self._growth.part()
        step = Step(self.followed, tellings, part, self._is_anew, vanished, mark, wordless)
        self._is_anew, self._head = False, head
        self._known = {kept.key: (kept.known, kept.branches) for kept in head.streams}
        return step

    def _read_to(self, offset: int, head: Head, *, is_complete: bool) -> Followed:
        """The file's row when it is read so far.

        Raises:
            SourceChanged: It is another file than was read.
        """
        begin = self.followed.offset
        edges = edge_digest(self._path, offset)
        summed = checksum(self._path, begin, offset, self._seed(begin))
        self._insist_on_the_same_file()
        return msgspec.structs.replace(
            self.followed,
            look=self._looks if self.is_at_end else f"{UNFINISHED}{self._looks}",
            offset=offset,
            edges=edges,
            checksum=summed,
            root=self._root(),
            session=session_id(self._path, self._growth.index.session_id),
            state=written(head),
            is_open=int(self.is_at_end and not is_complete),
            problem=None,
        )

    def _mark(self, division: Division) -> Mark:
        """How an import finds the file: as one that it need not read where all of it is stored."""
        offset = self.followed.offset
        is_whole = self.is_at_end and division.is_complete and offset == self._size
        look = look_of(REVISION, offset, self.followed.edges) if is_whole else UNFINISHED
        told = sum(bool(stream.read) for stream in self._growth.index.streams.values())
        return Mark(SOURCE, source_name(self._path), Fingerprint(look, told, division.cuts).text())

    # ---- reading ----

    def _read_on(self, begin: int) -> int:
        """Take in whole lines until the stretch is full; gives where they end."""
        index, agent = self._growth.index, is_agent(self._path)
        offset = begin
        with self._path.open("rb", buffering=READ_BYTES) as file:
            file.seek(begin)
            for raw in lines_in(file, self._size - begin):
                if not _is_whole(raw):
                    break
                place = RawLine(begin + raw.offset, raw.length, raw.raw)
                add_line(index, place, self._is_anothers, is_agent=agent)
                offset = place.offset + place.length
                if offset - begin >= STRETCH_BYTES:
                    break
        return offset

    def _is_anothers(self, line: Line) -> bool:
        """Whether a line is not to be told. What a fork repeats is told: it is known, or stored where nobody else has stored it."""
        if line.origin is not None and self._following.is_away(line.origin):
            return True  # whether the file that it was copied from is there or not
        owner = self._borrowed.lines.get(line.uuid or "")
        if owner is None:
            return False
        return is_agent(self._path) or bool(line.is_sidechain) or owner in self._borrowed.away

    def _insist_on_the_same_file(self) -> None:
        """What was read and what was summed up must be of one file, which may only have grown meanwhile.

        Raises:
            SourceChanged: It was cut or exchanged.
        """
        status = self._path.stat()
        if status.st_size < self._size or (status.st_dev, status.st_ino) != self._number:
            raise SourceChanged(self._path)

    def _is_all_read(self, offset: int) -> bool:
        """Whether nothing but a line that is still being written follows."""
        if offset >= self._size:
            return True
        with self._path.open("rb") as file:
            file.seek(offset)
            return not any(map(_is_whole, lines_in(file, self._size - offset)))

    def _divide(self, file: SessionFile) -> Division:
        kept = Fingerprint.of(self._following.fingerprint(source_name(self._path)))
        cuts = {*self._head.cuts, *(kept.kept if kept else ())}
        quiet = is_left_alone(self._written_at, self._reading.now)  # its lines may tell another clock's time
        return file.divide(tuple(sorted(cuts)), is_quiet=quiet, is_end=self.is_at_end)

    def _seed(self, begin: int) -> int:
        """Where the checksum goes on; it begins with a number that depends on the key, so that it tells nothing by itself."""
        if begin:
            return self.followed.checksum
        return seed_of(self._reading.key)

    def _root(self) -> str | None:
        return self.followed.root or next(iter(self._growth.index.parents), None)

    # ---- telling ----

    def _at_home(self, file: SessionFile, division: Division) -> SessionFile:
        """The file, as the fork that it is: of what it was found to come from when it was stored, else of what it repeats."""
        main = division.streams[0]
        if self._is_at_home or not main.taken:
            return file
        self._is_at_home = True
        ids, prints = file.beginnings()
        origin = self._following.origin_of(file.telling(main.stream, prints), ids)
        self._is_mixed |= origin is not None
        self._borrowed = msgspec.structs.replace(self._borrowed, origin=origin)
        return msgspec.structs.replace(file, origin=origin)

    def _telling(self, file: SessionFile, told: StreamTurns) -> Telling:
        known, branches = self._known.get(told.stream.key, (0, ()))
        was_branch = frozenset(branches)
        changed = [
            turn
            for place, turn in enumerate(told.taken[:known])
            if (turn.state == "branch") is not (place in was_branch)
        ]
        new = [turn for turn in told.taken[known:] if not turn.is_empty]
        prefix = file.prefix(told.stream)
        asked = file.telling(told.stream, prints=file.prints(told.stream, [*changed, *new]))
        here = self._following.known(asked, chain.from_iterable(turn.client_ids(prefix) for turn in new))
        is_here = [here.told.issuperset(turn.client_ids(prefix)) for turn in new]
        unknown = [turn for turn, is_known in zip(new, is_here, strict=True) if not is_known]
        changed += [turn for turn, is_known in zip(new, is_here, strict=True) if is_known]
        self._is_mixed |= here.others
        self._has_own |= bool(unknown)
        session = file.session(told, unknown)
        is_moved = bool(changed) or bool(unknown and not self._head.has_own)
        is_between = any(later and not before for before, later in pairwise(is_here))
        is_whole = self._is_out_of_order(told, is_moved=is_moved, is_between=is_between)
        return msgspec.structs.replace(
            asked,
            messages=[foreign.message for foreign in without_own_answers(session.messages)],
            restated=list(_restated(changed, prefix)),
            usage=session.usage,
            order=file.order(told) if is_whole else None,
            prints=file.order_prints(told) if is_whole else asked.prints,
        )

    def _is_out_of_order(self, told: StreamTurns, *, is_moved: bool, is_between: bool) -> bool:
        """Whether it is to be told anew in which order the messages of a session stand, and which of them are on its path.

        Args:
            told: The session.
            is_moved: Whether one that is known has come to be on the path, or off it.
            is_between: Whether a new one stands before one that is known.
        """
        if self._head.is_rewritten:
            return self.is_at_end
        if is_between:
            return True
        return self._is_mixed and is_moved and told.stream.key == MAIN and not is_agent(self._path)

    def _new_head(self, file: SessionFile, division: Division) -> Head:
        known = {
            told.stream.key: (
                len(told.taken),
                tuple(place for place, turn in enumerate(told.taken) if turn.state == "branch"),
            )
            for told in division.streams
        }
        sessions = dict.fromkeys([*self._head.sessions, *map(file.external_id, file.index.streams.values())])
        return self._growth.head(
            self._head,
            known,
            cuts=division.cuts,
            origin=self._borrowed.origin,
            sessions=tuple(sessions),
            is_rewritten=self._head.is_rewritten and not self.is_at_end,
            is_mixed=self._is_mixed,
            has_own=self._has_own,
        )

    # ---- what is gone ----

    def _vanished(self, file: SessionFile, division: Division) -> Iterable[Vanished]:
        """What the sessions that the file has ever told have here, and no longer there."""
        others = self._following.others_of(self.followed)
        sessions = {file.external_id(told.stream): told for told in division.streams}
        for name in dict.fromkeys([*self._head.sessions, *sessions]):
            if name not in others:
                yield Vanished(name, self._is_told(file, sessions.get(name)))

    def _is_told(self, file: SessionFile, told: StreamTurns | None) -> Callable[[str, bytes | None], bool]:
        if told is None:
            return lambda client_id, _: not client_id.startswith(f"{SOURCE}:")
        prefix = file.prefix(told.stream)
        prints = file.prints(told.stream, [*told.taken, *told.held])

        def is_told(client_id: str, print_: bytes | None) -> bool:
            looks = prints.get(client_id)
            if looks is not None:
                return not print_ or any(print_ == look.print for look in looks)
            return not client_id.startswith(f"{prefix}:")

        return is_told


UNFINISHED = "…"
"""Before the look of a file of which more was there than was read."""


def _restated(turns: Iterable[Turn], prefix: str) -> Iterable[tuple[str, State]]:
    for turn in turns:
        for client_id in turn.client_ids(prefix):
            yield client_id, turn.state


def _is_whole(raw: RawLine) -> bool:
    """Whether a line has been written to its end: a JSON object that is cut off is none."""
    if raw.raw is None or raw.raw.endswith(b"\n"):
        return True
    try:
        return isinstance(decode_leniently(raw.raw), dict)
    except NotJson:
        return False


def seed_of(key: bytes) -> int:
    """Where a checksum begins."""
    return int.from_bytes(blake2b(b"checksum", digest_size=4, key=key).digest())


def checksum(path: Path, begin: int, end: int, seed: int) -> int:
    """A checksum over a stretch of a file, going on from what came before it."""
    found = seed
    with path.open("rb") as file:
        file.seek(begin)
        while begin < end and (piece := file.read(min(READ_BYTES, end - begin))):
            found = crc32(piece, found)
            begin += len(piece)
    return found
