"""What somebody did to the files with an editor, as a change like any other.

Never refused and never lost: an entry that is gone was retracted, one that is new is an entry from now on, one that is back has its
old id, and one that was moved from one file to another is still the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final

import msgspec

from archivist.notes.alignment import align
from archivist.notes.digests import id_of
from archivist.notes.folding import State, orders_after
from archivist.notes.journal import HAND, MERGE, Change, Step
from archivist.notes.kinds import kind_of
from archivist.notes.likeness import normal, similarity
from archivist.notes.places import place_of
from archivist.records.notes import EntryKind

RECENT: Final = timedelta(minutes=10)
"""What is so young and goes is named in any case: several editors with older copies can hide from each other what they have not seen."""
OF_HANDS: Final = frozenset({HAND, MERGE})
"""Changes that take in what a hand wrote."""
LEAST_EXTENDED: Final = 8
"""Characters of an entry that another text may begin or end with by chance."""

SAME_WORDS: Final = 0.8
"""Less alike than this are two statements, of which one may stand where the other stood by chance."""

MOST_COMPARED: Final = 100_000


class Seen(msgspec.Struct, frozen=True):
    """A file as it is now, beside what is known of it.

    Attributes:
        digest: Of its bytes.
        texts: Of its entries, in order.
        at: When it was saved.
    """

    name: str
    digest: str
    texts: tuple[str, ...]
    at: datetime


def change_by_hand(state: State, seen: Sequence[Seen], *, change_id: str) -> Change | None:
    """What a hand did to these files since the program last saw them; None if only their bytes differ and nothing was.

    Args:
        seen: Files whose bytes are others than the known ones.
    """
    drifts = [_Drift(state, one) for one in seen]
    lost = {key: drift for drift in drifts for key in drift.gone}
    former = _Former(state, lost)
    steps: list[Step] = []
    for drift in drifts:
        steps += drift.arrivals(former, lost)
    arrived = {step.entry for step in steps}
    steps = [*(drift.departure(key) for key, drift in lost.items() if key not in arrived), *steps]
    at = max(one.at for one in seen)
    files = {one.name: (state.file(one.name).digest, one.digest) for one in seen}
    orders = _orders(state, steps, drifts)
    seen_until = {drift.seen.name: drift.seen_until() for drift in drifts}
    stale = tuple(dict.fromkeys(step.entry for step in steps if _is_stale(state, step, seen_until, at)))
    return Change(change_id, at, HAND, tuple(steps), files, orders, stale=stale)


class _Former:
    """The entries that a new text may be: gone, going, or about to come; each at most once."""

    def __init__(self, state: State, lost: Mapping[str, object]) -> None:
        self._state = state
        self._said = _awaited(state)
        self._said |= {normal(state.entries[key].text): key for key in lost}
        self._lost, self._taken = lost, set[str]()

    def take(self, text: str) -> str | None:
        """The entry that a text is; by the words that it had last, or had before."""
        for key in (self._said.get(normal(text)), self._earlier.get(text)):
            if key is not None and key not in self._taken and not self._stands(key):
                self._taken.add(key)
                return key
        return None

    def _stands(self, key: str) -> bool:
        known = self._state.entries.get(key)
        return known is not None and known.status == "active" and key not in self._lost

    @cached_property
    def _earlier(self) -> dict[str, str]:
        return {
            step.was: step.entry
            for change in self._state.changes
            for step in change.steps
            if step.op == "text" and step.was is not None
        }


def _awaited(state: State) -> dict[str, str]:
    """By their words: entries that are gone, and those that somebody is about to write."""
    said = {normal(known.text): known.id for known in state.gone()}
    if state.open is not None:
        said |= {normal(step.text): step.entry for step in state.open.steps if step.text is not None}
    return said


class _Drift:
    """One file, aligned with what is known of it."""

    def __init__(self, state: State, seen: Seen) -> None:
        self.state, self.seen = state, seen
        self.known = dict(state.known(seen.name))
        aligned = align(list(self.known.items()), seen.texts)
        self.ids: list[str | None] = list(aligned.ids)
        self._made: set[str] = set()
        self.gone = self._without_extended(aligned.gone) + self._others_again()

    def _without_extended(self, gone: Iterable[str]) -> tuple[str, ...]:
        """Those that are gone; one that something was written before or behind is not, however much that is."""
        left = list(gone)
        if len(left) * self.ids.count(None) > MOST_COMPARED:
            return tuple(left)  # another file altogether
        for number, text in enumerate(self.seen.texts):
            if self.ids[number] is None:
                key = next((one for one in left if _extends(text, self.known[one])), None)
                if key is not None:
                    self.ids[number] = key
                    left.remove(key)
        return tuple(left)

    def _others_again(self) -> tuple[str, ...]:
        """Entries whose new words are those of another: that is back, and they are gone.

        What a half written save had left of an entry is all of it again; or what an entry had taken the place of stands there again.
        """
        reworded = [
            (number, key, normal(text))
            for number, (key, text) in enumerate(zip(self.ids, self.seen.texts, strict=True))
            if key is not None and text != self.known[key]
        ]
        awaited = _awaited(self.state) if reworded else {}
        found = []
        for number, key, said in reworded:
            known = self.state.entries[key]
            former = self.state.entries.get(known.supersedes or "")
            if (known.origin == HAND and said in awaited) or (
                former is not None and said == normal(former.text)
            ):
                self.ids[number] = None
                found.append(key)
        return tuple(found)

    def arrivals(self, former: _Former, lost: Mapping[str, object]) -> list[Step]:
        """Steps for the texts that are new here, or others than they were."""
        steps = []
        for number, text in enumerate(self.seen.texts):
            key = self.ids[number]
            if key is None:
                key, step = self._arrival(number, text, former, lost)
                self.ids[number] = key
                steps.append(step)
            elif text != self.known[key]:
                steps.append(self._reworded(key, text))
        return steps

    def _reworded(self, key: str, text: str) -> Step:
        return Step(
            "text", key, self.seen.name, text=text, was=self.known[key], kind=self._new_kind(key, text)
        )

    def _new_kind(self, key: str, text: str) -> EntryKind | None:
        """The kind that other words make of an entry, if its own had been told by its words."""
        place, known = place_of(self.seen.name), self.state.entries[key]
        if place is None or kind_of(known.text, place.target) != known.kind:
            return None
        kind = kind_of(text, place.target)
        return kind if kind != known.kind else None

    def seen_until(self) -> int:
        """The number of the youngest change of the program's of which this save shows that whoever made it has seen it.

        What a hand wrote itself shows nothing: it may stand in a buffer that is older than all around it. Nor does what an undo put back.
        """
        changes, entries = self.state.changes, self.state.entries
        kept = (
            entries[key]
            for key, text in zip(self.ids, self.seen.texts, strict=True)
            if key in self.known and self.known[key] == text
        )
        numbers = (number for known in kept for number in (known.born, known.worded))
        shown = (
            number
            for number in numbers
            if changes[number].action not in OF_HANDS and not changes[number].undoes
        )
        return max(shown, default=-1)

    def departure(self, key: str) -> Step:
        """The step for an entry that is nowhere any more."""
        return Step("gone", key, self.seen.name, was=self.known[key], behind=self._behind[key])

    @cached_property
    def _behind(self) -> dict[str, str]:
        """By entry that goes, the one behind which it stands when those before it have gone: so they come back in their order."""
        behind, last, going = dict[str, str](), "", set(self.gone)
        for key in self.known:
            if key in going:
                behind[key] = last
            else:
                last = key
        return behind

    def _arrival(
        self, number: int, text: str, former: _Former, lost: Mapping[str, object]
    ) -> tuple[str, Step]:
        name = self.seen.name
        after = (self.ids[number - 1] or "") if number else ""
        key = former.take(text)
        known = self.state.entries[key] if key is not None and key in lost else None
        if known is not None and known.file == name:
            return known.id, self._reworded(known.id, text)
        if known is not None and normal(known.text) == normal(text):
            return known.id, Step("move", known.id, name, text=text, source=known.file, after=after)
        if (
            key is None or known is not None
        ):  # by words that it had once what stood in another file is not known again
            key = self._new_id(text)
        place = place_of(name)
        kind = kind_of(text, place.target) if place is not None else "fact"
        known = self.state.entries.get(key)
        origin = known.origin if known is not None else HAND
        return key, Step(
            "add", key, name, text=text, after=after, origin=origin, kind=kind, observed_at=self.seen.at
        )

    def _new_id(self, text: str) -> str:
        number = 0
        while (
            key := id_of(self.seen.name, normal(text), str(number))
        ) in self.state.entries or key in self._made:
            number += 1
        self._made.add(key)
        return key


def _extends(text: str, former: str) -> bool:
    return len(former) >= LEAST_EXTENDED and (text.startswith(former) or text.endswith(former))


def is_cut(text: str | None, former: str | None) -> bool:
    """Whether a text is the beginning of what it was before, as a save that was not written to its end leaves it."""
    return bool(text and former) and text != former and str(former).startswith(str(text))


def _orders(state: State, steps: Sequence[Step], drifts: Sequence[_Drift]) -> dict[str, tuple[str, ...]]:
    """The order of each file in which the steps alone would leave another."""
    left = orders_after(state, steps, [drift.seen.name for drift in drifts])
    wanted = {drift.seen.name: [key for key in drift.ids if key is not None] for drift in drifts}
    return {name: tuple(order) for name, order in wanted.items() if order != left[name]}


def _is_stale(state: State, step: Step, seen_until: Mapping[str, int], at: datetime) -> bool:
    """Whether a hand took back what it may never have seen: what the program did since, or lately, or nothing in its save is younger."""
    name, known = step.source or step.file, state.entries.get(step.entry)
    if known is None:
        return False
    since = min(state.file(name).hand, seen_until.get(name, -1))
    if step.op == "gone":
        if known.origin == HAND and all(
            state.changes[one].is_by_hand for one in (known.placed, known.worded)
        ):
            return False
        return max(known.placed, known.worded) > since or abs(at - known.placed_at) < RECENT
    if step.op == "text":
        return _hides(state, step, since, at)
    return known.status != "active" and any(_done_since(state, since, "gone", known.id))


def _hides(state: State, step: Step, since: int, at: datetime) -> bool:
    """Whether other words of an entry take back those that the program gave it: they are nearer to earlier ones, or to none."""
    known = state.entries[step.entry]
    worded, text, was = state.changes[known.worded], step.text or "", step.was or ""
    if worded.is_by_hand or was in text or not (known.worded > since or abs(at - worded.at) < RECENT):
        return False
    if is_cut(text, was):
        return True
    near = similarity(text, was)
    former = [one.was or "" for one in _done_since(state, -1, "text", known.id)]
    if any(similarity(text, one) >= near for one in former):
        return True
    return not former and near < SAME_WORDS


def _done_since(state: State, since: int, op: str, key: str) -> Iterator[Step]:
    for change in state.changes[since + 1 :]:
        if not change.is_by_hand:
            yield from (step for step in change.steps if step.op == op and step.entry == key)
