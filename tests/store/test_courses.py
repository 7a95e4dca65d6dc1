"""Any course of turns, compactions, restores, undos and forks: what a model sees is what was said, or a summary that stands for it."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.lines import ids
from tests.store.test_forking import begin_fork
from tests.store.test_undoing import give_back, new_store, say, states, take_back

from archivist.records import Message, SessionStart
from archivist.store.compacting import Compaction, Sent
from archivist.store.compactions import Compactions
from archivist.store.deleting import delete_sessions
from archivist.store.restoring import NothingToRestore
from archivist.store.undoing import NothingToRedo

WHAT = [*3 * ["say"], *3 * ["compact"], *2 * ["restore"], *2 * ["undo"], "shorten", "redo", "fork"]
STEPS = st.lists(
    st.tuples(st.sampled_from(WHAT), st.integers(0, 7), st.integers(0, 7)), min_size=10, max_size=20
)


class Seen(msgspec.Struct, frozen=True):
    """What a model sees, as ids and texts, and the states of the line's own messages."""

    context: tuple[tuple[int, str], ...]
    states: dict[int, str]


class Line:
    """A line, by the name of any of its sessions."""

    def __init__(self, world, name, *, fork=False):
        self.world, self.store, self.names, self.is_fork = world, world.store, [name], fork
        self.before, self.taken = {}, []
        self.shared = {one.id for one in self.store.lineage(name)}

    def name(self, number):
        return self.names[number % len(self.names)]

    def own(self):
        return {one.id: one for one in self.store.lineage(self.names[0]) if one.id not in self.shared}

    def seen(self):
        context = tuple((one.id, one.text) for one in self.store.context(self.names[0]))
        return Seen(context, {key: one.state for key, one in self.own().items()})

    def turns(self):
        return [key for key in self.before if self.own()[key].state in {"active", "compacted"}]

    def say(self, number, many):
        for each in range(1 + many % 3):
            then = self.seen()
            (key,) = say(self.store, self.name(number), f"{'ua'[each % 2]}{len(states(self.store))}")
            if each % 2 == 0:
                self.before[key] = then
        self.taken.clear()

    def compact(self, number, many):
        tip, seen = self.world.compactions.context(self.name(number))
        head = number % 3
        tail = max(head, len(seen) - many)
        if tail == head:
            return
        self.go_on(self.world.compactions.compact(tip, Compaction(
            tuple(ids(seen)),
            tuple(map(Sent, ids(seen[:head]))),
            Message("assistant", f"summary {many}"),
            tuple(map(Sent, ids(seen[tail:]))),
        )))  # fmt: skip
        now = [key for key, _ in self.seen().context]
        assert now[:head] == ids(seen[:head])
        assert now[head + 1 :] == ids(seen[tail:])
        assert self.world.compactions.stands_for(now[head])

    def shorten(self, number, many):
        tip, seen = self.world.compactions.context(self.name(number))
        tail = [Sent(one.id, f"{one.text[:2]}…" if one.id % (many + 2) == 0 else None) for one in seen]
        self.go_on(self.world.compactions.compact(tip, Compaction(tuple(ids(seen)), tail=tuple(tail))))

    def restore(self, number, many):
        sums = [one.id for one in self.store.lineage(self.names[0]) if one.metadata.get("summary")]
        chosen = {} if number % 2 or not sums else {"summary": sums[many % len(sums)]}
        before = self.seen()
        try:
            again = self.world.compactions.restore(self.name(number), **chosen)
        except NothingToRestore:
            assert self.seen() == before
            if not chosen:
                assert not any(one.metadata.get("summary") for one in self.store.context(self.names[0]))
            return
        self.go_on(again)
        assert self.seen().context != before.context
        if chosen:
            self.is_there(chosen["summary"])

    def is_there(self, summary):
        """All that a summary stood for is seen, in its own words or through a summary of before."""
        seen = {one.id: one for one in self.store.context(self.names[0])}
        told = set(seen).union(*(self.world.compactions.stands_for(key) for key in seen))
        rows = {one.id: one for one in self.store.lineage(self.names[0])}
        wanted = self.world.compactions.stands_for(summary)
        assert told.issuperset(
            key for key in wanted if key in self.shared or rows[key].state in {"active", "compacted"}
        )
        assert summary not in seen

    def undo(self, number, many):
        turns = self.turns()
        if turns:
            key = turns[many % len(turns)]
            then, now = self.before[key], self.seen()
            take_back(self.store, self.name(number), to=key)
            self.taken.append(now)
            gone = {
                one: "undone"
                for one, state in now.states.items()
                if one >= key and state in {"active", "compacted"}
            }
            assert self.seen() == Seen(then.context, now.states | then.states | gone)

    def redo(self, number, _many):
        if self.taken:
            give_back(self.store, self.name(number))
            assert self.seen() == self.taken.pop()
        else:
            try:
                give_back(self.store, self.name(number))
            except NothingToRedo:
                return
            raise AssertionError("there was nothing to redo")

    def fork(self, number, many):
        said = [key for key, one in self.own().items() if one.state in {"active", "compacted"}]
        at = said[many % len(said)] if said and number % 2 else None
        fork = begin_fork(self.store, self.name(number), at=at)
        if at is None:
            assert [one.text for one in self.store.context(fork)] == [text for _, text in self.seen().context]
        self.world.lines.append(Line(self.world, fork, fork=True))

    def go_on(self, child):
        self.names.append(child)
        self.taken.clear()

    def check(self):
        """Each message stands once, in the order in which it was said; what is not seen is told by a summary that is."""
        context = self.store.context(self.names[0])
        assert all(ids(self.store.context(name)) == ids(context) for name in self.names)
        said = [one.id for one in context if not one.metadata.get("summary")]
        assert said == sorted(set(said))
        rows = {one.id: one for one in self.store.lineage(self.names[0])}
        assert list(rows) == sorted(rows) or self.is_fork
        whole = {one.id for one in context if one.text == rows[one.id].text}
        told = set(ids(context)).union(*(self.world.compactions.stands_for(key) for key in ids(context)))
        for key, one in self.own().items():
            if one.state in {"active", "compacted"}:
                assert (one.state == "active") == (key in whole)
                assert key in told or one.metadata.get("summary")
            else:
                assert key not in told


class World:
    def __init__(self, store):
        self.store, self.compactions = store, Compactions(store, store._world)
        self.lines = [Line(self, store.start(SessionStart("cli")))]
        self.lines[0].say(0, 2)
        self.lines[0].say(0, 1)
        self.digests = {}

    def check(self):
        for line in self.lines:
            line.check()
        now = dict(self.store.reader().execute("SELECT id, digest FROM messages").fetchall())
        assert now.items() >= self.digests.items()
        self.digests = now
        assert self.store.verify().is_clean


@settings(max_examples=50, deadline=None)
@given(steps=STEPS)
def test_nothing_is_lost_and_an_undo_gives_back_what_was(steps):
    with new_store() as store:
        world = World(store)
        for place, (what, number, many) in enumerate(steps):
            others = [(line, line.seen()) for line in world.lines]
            line = world.lines[(place + many) % len(world.lines)]
            getattr(line, what)(number, many)
            world.check()
            assert all(one.seen().context == seen.context for one, seen in others if one is not line)
        store.write(
            lambda db: delete_sessions(db, [key for (key,) in db.execute("SELECT key FROM sessions")])
        )
        for table in ("sessions", "messages", "context", "undos", "undone"):
            assert store.reader().execute(f"SELECT count(*) FROM {table}").get == 0
