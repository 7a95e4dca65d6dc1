"""Which lines make one message, and which of the messages lie on the path that the person sees.

The program writes a response in several lines, as its blocks are completed; a tool may answer before the
response has ended. So lines of one request are one message, with the answers behind it, until something that
cannot be part of the response follows. Grouping looks only backwards. Therefore a file that has grown gives
the same messages again, and then the new ones.
"""

from collections.abc import Collection, Iterable

import msgspec

from archivist.records import State
from archivist.records.digest import blake2b
from archivist.store.raw_prints import Look, Prints
from archivist.transfer.claude_code.index import Entry, FileIndex, Stream
from archivist.transfer.claude_code.line_prints import PRINT_BYTES


class Turn(msgspec.Struct):
    """Lines that become one message, or one line that becomes several.

    Attributes:
        is_cut: Whether an earlier import has taken the response as it stood after its last line.
    """

    entries: list[Entry]
    is_cut: bool = False
    state: State = "active"

    @property
    def first(self) -> Entry:
        """The line that gives the message its id and time."""
        return self.entries[0]

    def client_ids(self, prefix: str) -> list[str]:
        """The client ids of the messages that it is made into."""
        own = f"{prefix}:{self.first.uuid}"
        if self.first.kind == "assistant":
            return [own]
        return [own, *(f"{own}#{number}" for number in range(1, self.first.messages))]

    def prints(self, prefix: str, key: bytes) -> Prints:
        """How the message looks at its source, as its lines were added one after the other."""
        rests: list[str | None] = [f"{prefix}:{entry.uuid}" for entry in self.entries[1:]]
        hashed, looks = blake2b(digest_size=PRINT_BYTES, key=key), []
        for place, (entry, rest) in enumerate(zip(self.entries, [*rests, None], strict=True)):
            hashed.update(entry.said)
            looks.append(Look(hashed.digest() if place else entry.said, rest))
        return tuple(looks)

    def rests(self, prefix: str, key: bytes) -> dict[str, Prints]:
        """How what follows each of its first lines would look, by client id: it may have been stored by itself."""
        places = range(1, len(self.entries))
        return {
            f"{prefix}:{self.entries[place].uuid}": Turn(self.entries[place:]).prints(prefix, key)
            for place in places
        }

    @property
    def is_empty(self) -> bool:
        """Whether a response holds nothing."""
        return self.entries[0].is_empty and all(entry.is_empty for entry in self.entries)


class Turns(msgspec.Struct):
    """A stream in messages.

    Attributes:
        closed: Those that nothing can be added to.
        open: The last response while lines of it may still come, and what its tools have answered.
        cuts: Cuts of earlier imports that lines of the same response did follow.
    """

    closed: list[Turn] = []
    open: list[Turn] = []
    cuts: list[str] = []


def group(entries: Iterable[Entry], cuts: Collection[str]) -> Turns:
    """Lines as messages, in the order in which they are stored."""
    turns = Turns()
    for entry in entries:
        response = turns.open[0] if turns.open else None
        if entry.kind == "results":
            (turns.open if response else turns.closed).append(Turn([entry]))
        elif entry.kind == "person":
            _close(turns)
            turns.closed.append(Turn([entry]))
        elif response and response.first.request == entry.request and not response.is_cut:
            response.entries.append(entry)
            response.is_cut = entry.uuid in cuts
        else:
            if response and response.first.request == entry.request:
                turns.cuts.append(response.entries[-1].uuid)
            _close(turns)
            turns.open = [Turn([entry], is_cut=entry.uuid in cuts)]
    return turns


def _close(turns: Turns) -> None:
    if turns.open:
        turns.closed += turns.open
        turns.open = []


def is_finished(turns: Turns) -> bool:
    """Whether the last response has ended, as far as its lines can tell."""
    return not turns.open or turns.open[0].entries[-1].is_final


def path_to(leaf: str | None, index: FileIndex) -> set[str]:
    """Ids of the lines from the leaf back to the beginning, across compactions and damaged lines."""
    path: set[str] = set()
    at, parents = leaf, index.parents
    while at is not None and at not in path:
        path.add(at)
        parent = parents.get(at)
        at = parent if parent in parents else index.detours.get(at)
    return path


def set_states(turns: Iterable[Turn], stream: Stream, index: FileIndex) -> None:
    """Put each message on the path or on a branch.

    A response is on the path when one of its lines is: its tool calls stand beside each other in the tree,
    and so do their answers.
    """
    path = path_to(stream.leaf, index)
    told = list(turns)
    if all(turn.entries[0].uuid in path for turn in told):  # as where nothing was taken back or edited
        for turn in told:
            turn.state = "active"
        return
    requests = {e.request for t in told for e in t.entries if e.kind == "assistant" and e.uuid in path}
    calls = {
        c for t in told for e in t.entries if e.request in requests and e.kind == "assistant" for c in e.calls
    }
    answered = {c for t in told for e in t.entries if e.kind == "results" and e.uuid in path for c in e.calls}
    for turn in told:
        first = turn.first
        on_path = (
            first.uuid in path
            or (first.kind == "assistant" and first.request in requests)
            or (first.kind == "results" and any(c in calls and c not in answered for c in first.calls))
        )
        turn.state = "active" if on_path else "branch"
