"""Which entries the texts of a file are, after somebody changed it.

What says the same keeps its id wherever it went. Those of them that are still in their old order are anchors; between two anchors a text
that is new and an entry that is missing are the same entry in other words if they are similar enough, paired in order so that the pairs
are as similar as they can be. A text that stood there before is that entry again. Nothing of it depends on chance or hashing.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final

import msgspec

from archivist.notes.likeness import SAME_ENTRY, likeness, normal, profile

_MOST_COMPARED: Final = 1_024
"""Pairs of one gap that are all compared; beyond, each text is compared with those that share its rarest words."""
_CANDIDATES: Final = 4
_RAREST_WORDS: Final = 3
_MOST_SHARING: Final = 64

Pair = tuple[int, int]
"""The place of a known entry, and the place of the text that it became."""


class Alignment(msgspec.Struct, frozen=True):
    """What became of the entries of a file.

    Attributes:
        ids: For every text that was found the entry that it is; None for a new one.
        revised: Of those, which have new words: the text's place and the entry.
        gone: The known entries that no text is any more, in their order.
    """

    ids: tuple[str | None, ...]
    revised: dict[int, str]
    gone: tuple[str, ...]


def align(
    known: Sequence[tuple[str, str]], found: Sequence[str], former: Mapping[str, str] | None = None
) -> Alignment:
    """Tells which entry each text of a file is.

    Args:
        known: The entries that were in the file, as id and text, in its order.
        found: The texts that are in it now, in its order.
        former: Entries that were there once, by their text as `normal` gives it.
    """
    old, new = [text for _, text in known], list(found)
    if old == new:
        return Alignment(tuple(entry for entry, _ in known), {}, ())
    pairs = _equal(old, new)
    missing, fresh = _unpaired(old, new, pairs)
    ids: dict[int, str] = {at: known[place][0] for place, at in pairs}
    revised: dict[int, str] = {}
    if former and fresh:
        back = _back({at: former.get(normal(new[at])) for at in fresh}, set(ids.values()))
        missing_ids = {known[place][0] for place in missing}
        revised = {at: entry for at, entry in back.items() if entry in missing_ids}
        ids |= back
        said_again = set(back.values())
        missing = [place for place in missing if known[place][0] not in said_again]
        fresh = [at for at in fresh if at not in back]
    for place, at in _reworded(old, new, missing, fresh, _increasing(pairs)):
        ids[at] = revised[at] = known[place][0]
    kept = set(ids.values())
    gone = tuple(entry for entry, _ in known if entry not in kept)
    return Alignment(tuple(ids.get(at) for at in range(len(new))), revised, gone)


def _back(said: Mapping[int, str | None], taken: set[str]) -> dict[int, str]:
    """Texts that stood there before: each entry at most once, and none that is still there."""
    back: dict[int, str] = {}
    for at, entry in said.items():
        if entry is not None and entry not in taken:
            taken.add(entry)
            back[at] = entry
    return back


def _equal(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """Pairs of equal texts: first those that are equal to the letter, then those that say the same."""
    pairs: list[Pair] = []
    for key in (str, normal):
        pairs += _equal_by(key, old, new, pairs)
    return pairs


def _equal_by(
    key: Callable[[str], str], old: Sequence[str], new: Sequence[str], pairs: list[Pair]
) -> list[Pair]:
    places, ats = defaultdict(list), defaultdict(list)
    missing, fresh = _unpaired(old, new, pairs)
    for at in fresh:
        ats[key(new[at])].append(at)
    for place in missing if fresh else ():
        if (said := key(old[place])) in ats:
            places[said].append(place)
    even = [
        pair
        for said in places
        if len(places[said]) == len(ats[said])
        for pair in zip(places[said], ats[said], strict=True)
    ]
    uneven = [said for said in places if len(places[said]) != len(ats[said])]
    if not uneven:
        return even
    gaps = _Gaps(_increasing([*pairs, *even]))
    return [*even, *(pair for said in uneven for pair in _nearest(places[said], ats[said], gaps))]


def _nearest(places: list[int], ats: list[int], gaps: "_Gaps") -> Iterator[Pair]:
    """Pairs of several equal texts of which there are more on one side: first within a gap, then in order."""
    here = defaultdict(list)
    for place in reversed(places):
        here[gaps.of_old(place)].append(place)
    taken: set[int] = set()
    left = []
    for at in ats:
        if near := here.get(gaps.of_new(at)):
            taken.add(near[-1])
            yield near.pop(), at
        else:
            left.append(at)
    yield from zip((place for place in places if place not in taken), left, strict=False)


def _unpaired(old: Sequence[str], new: Sequence[str], pairs: Iterable[Pair]) -> tuple[list[int], list[int]]:
    places, ats = set(range(len(old))), set(range(len(new)))
    for place, at in pairs:
        places.discard(place)
        ats.discard(at)
    return sorted(places), sorted(ats)


def _increasing(pairs: Iterable[Pair]) -> list[Pair]:
    """The most pairs that are in order on both sides."""
    ordered = sorted(pairs, key=itemgetter(1))
    ends: list[int] = []  # of the best run of each length, its last known place
    last: list[int] = []  # and that pair's number
    before: list[int] = []
    for number, (place, _) in enumerate(ordered):
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
        before.append(last[length - 1] if length else -1)
    found, number = [], last[-1] if last else -1
    while number >= 0:
        found.append(ordered[number])
        number = before[number]
    return found[::-1]


class _Gaps:
    """The stretches between anchors, on both sides."""

    def __init__(self, anchors: Iterable[Pair]) -> None:
        kept = list(anchors)
        self._old, self._new = [place for place, _ in kept], [at for _, at in kept]

    def of_old(self, place: int) -> int:
        return bisect_left(self._old, place)

    def of_new(self, at: int) -> int:
        return bisect_left(self._new, at)

    def both(self, missing: Iterable[int], fresh: Iterable[int]) -> Iterator[tuple[list[int], list[int]]]:
        """What is missing and what is new in each gap that has both."""
        places, ats = defaultdict(list), defaultdict(list)
        for place in missing:
            places[self.of_old(place)].append(place)
        for at in fresh:
            ats[self.of_new(at)].append(at)
        for gap in places:
            if gap in ats:
                yield places[gap], ats[gap]


def _reworded(
    old: Sequence[str], new: Sequence[str], missing: list[int], fresh: list[int], anchors: list[Pair]
) -> list[Pair]:
    """Pairs of similar texts, each within one gap and in order."""
    found: list[Pair] = []
    for places, ats in _Gaps(anchors).both(missing, fresh):
        if len(places) * len(ats) <= _MOST_COMPARED:
            found += _best(old, new, places, ats)
            continue
        likely = _increasing(_likely(old, new, places, ats))
        found += likely
        still_missing = _left(places, {place for place, _ in likely})
        still_fresh = _left(ats, {at for _, at in likely})
        for some, others in _Gaps(likely).both(still_missing, still_fresh):
            if len(some) * len(others) <= _MOST_COMPARED:
                found += _best(old, new, some, others)
    return found


def _left(places: list[int], taken: set[int]) -> list[int]:
    return [place for place in places if place not in taken]


def _best(old: Sequence[str], new: Sequence[str], places: list[int], ats: list[int]) -> list[Pair]:
    """The pairs in order that are most similar altogether."""
    olds, news = [profile(old[place]) for place in places], [profile(new[at]) for at in ats]
    width = len(news) + 1
    total = [[0.0] * width for _ in range(len(olds) + 1)]
    alike = [[likeness(one, other, SAME_ENTRY) for other in news] for one in olds]
    for row in range(len(olds) - 1, -1, -1):
        for column in range(len(news) - 1, -1, -1):
            skipped = max(total[row + 1][column], total[row][column + 1])
            this = alike[row][column]
            paired = this + total[row + 1][column + 1] if this >= SAME_ENTRY else 0.0
            total[row][column] = max(skipped, paired)
    return list(_path(total, alike, places, ats))


def _path(
    total: list[list[float]], alike: list[list[float]], places: list[int], ats: list[int]
) -> Iterator[Pair]:
    row = column = 0
    while row < len(places) and column < len(ats) and total[row][column]:
        this = alike[row][column]
        if this >= SAME_ENTRY and total[row][column] == this + total[row + 1][column + 1]:
            yield places[row], ats[column]
            row, column = row + 1, column + 1
        elif total[row][column] == total[row + 1][column]:
            row += 1
        else:
            column += 1


def _likely(old: Sequence[str], new: Sequence[str], places: list[int], ats: list[int]) -> Iterator[Pair]:
    """For each text of a huge gap the most similar of the few entries that share its rarest words, and of the next one."""
    olds = {place: profile(old[place]) for place in places}
    having: dict[str, list[int]] = defaultdict(list)
    for place, made in olds.items():
        for word in made.words:
            having[word].append(place)
    following = dict(pairwise([-1, *places]))
    last = -1
    for at in ats:
        made = profile(new[at])
        candidates = [*_sharing(made.words, having), *([following[last]] if last in following else [])]
        alike, place = max(
            ((likeness(olds[place], made, SAME_ENTRY), -place) for place in candidates), default=(0.0, 0)
        )
        if alike >= SAME_ENTRY:
            last = -place
            yield last, at


def _sharing(words: Iterable[str], having: Mapping[str, list[int]]) -> list[int]:
    """The few places that share most of the rarest words."""
    rarest = sorted((len(having[word]), word) for word in words if word in having)[:_RAREST_WORDS]
    shared = Counter(place for _, word in rarest for place in having[word][:_MOST_SHARING])
    return sorted(shared, key=lambda place: (-shared[place], place))[:_CANDIDATES]


__all__ = ["Alignment", "align"]
