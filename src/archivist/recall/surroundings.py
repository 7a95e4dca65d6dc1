"""What stands around a find: the messages beside it, and the sitting that it belongs to.

An answer often holds few words of the question, which stand in the message before it. So a find gains from
finds beside it, the more the better those are, and from the best finds of the same sitting: messages of one
session without a long pause.

Around what is noted stands nothing, and somebody distilled it: it comes before every message that fits no better by its own words.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from math import inf
from typing import Final

from archivist.recall.packing import NOTES
from archivist.recall.ranking import NOTED, Scored
from archivist.recall.telling import Telling

PAUSE_MS: Final = 3 * 3_600_000
"""A longer silence ends a sitting."""
REACH: Final = 3
"""Messages before and after that count as beside; ids of one session are nearly without gaps."""
BESIDE_SHARES: Final = (0.3, 0.15, 0.15)
"""What a find gains from one that is 1, 2 or 3 messages away and as good as the best."""
TELLING_COVERAGE: Final = 0.4
"""A find that has less than this share of the question says little about what stands beside it."""
SITTING_SHARE: Final = 0.2
SITTING_FINDS: Final = 3
NOTED_SHARE: Final = 1.1
"""By so much a message must fit better to stand before something that is noted."""
SAME_TERMS_SHARE: Final = 1.5
"""The same for a message with no term that the note has not: it is only shorter, or says them more often."""

MUCH_MORE: Final = 1.5
"""By so much more of the question's weight a message must have for a note never to stand above the best of such messages."""


def add_surroundings(found: Sequence[Scored]) -> None:
    """Raise each score by what stands around it."""
    best = max((each.score for each in found), default=0.0)
    if best <= 0:
        return
    for sitting in _sittings(found):
        gains = [_gain(sitting, place, best) for place in range(len(sitting))]
        top = sorted((each.score for each in sitting), reverse=True)[:SITTING_FINDS]
        prior = SITTING_SHARE * sum(top) / SITTING_FINDS
        for each, gain in zip(sitting, gains, strict=True):
            each.parts["beside it"], each.parts["sitting"] = gain, prior
            each.score += gain + prior


def raise_noted(found: Sequence[Scored], telling: Telling) -> None:
    """Raise what is noted above the messages that fit no better, whatever these gained from what stands around them.

    A message fits better that has words of the question which weigh more; of those that have much more of it the best stands above.
    """
    by_terms: dict[int, list[tuple[float, float]]] = {}
    for each in found:
        if each.document.conversation != NOTES:
            by_terms.setdefault(each.has, []).append((_own_worth(each), each.score))
    ranks = [_Ranks(terms, telling.fit(terms), said) for terms, said in by_terms.items()]
    for each in found:
        if each.document.conversation == NOTES:
            own, fit = _own_worth(each), telling.fit(each.has)
            below = (
                rank.best(own * _share(each.has, rank.terms))
                for rank in ranks
                if rank.fit <= NOTED_SHARE * fit
            )
            above = (rank.highest for rank in ranks if rank.fit > MUCH_MORE * fit)
            raised = NOTED_SHARE * max(each.score, max(below, default=0.0))
            raised = min(raised, max(above, default=inf) / NOTED_SHARE)
            each.parts[NOTED] = raised / each.score if each.score else 1.0
            each.score = raised


class _Ranks:
    """Messages with the same terms, by their own worth."""

    def __init__(self, terms: int, fit: float, said: list[tuple[float, float]]) -> None:
        self.terms, self.fit = terms, fit
        said.sort()
        self._own = [own for own, _ in said]
        self._best = list(accumulate((score for _, score in said), max, initial=0.0))
        self.highest = self._best[-1]

    def best(self, own: float) -> float:
        """The highest score of those that are worth no more by themselves."""
        return self._best[bisect_right(self._own, own)]


def _share(noted: int, said: int) -> float:
    """By how much a message must fit better than a note, given the terms that both have."""
    return SAME_TERMS_SHARE if said & ~noted == 0 else NOTED_SHARE


def _own_worth(each: Scored) -> float:
    """What a find is worth without what stands around it."""
    around = each.parts.get("beside it", 0.0) + each.parts.get("sitting", 0.0)
    return each.score - around * each.parts.get("tier", 1.0)


def _sittings(found: Iterable[Scored]) -> Iterable[list[Scored]]:
    """The finds of each sitting, in their order."""
    ordered = sorted(found, key=lambda each: (each.document.session, each.document.id))
    for _, session in groupby(ordered, key=lambda each: each.document.session):
        sitting: list[Scored] = []
        for each in session:
            if sitting and abs(each.document.created_at - sitting[-1].document.created_at) > PAUSE_MS:
                yield sitting
                sitting = []
            sitting.append(each)
        yield sitting


def _gain(sitting: Sequence[Scored], place: int, best: float) -> float:
    """What the finds beside one add to it; weak ones add much less."""
    here, gain = sitting[place].document.id, 0.0
    for step in (-1, 1):
        other = place + step
        while 0 <= other < len(sitting) and (away := abs(sitting[other].document.id - here)) <= REACH:
            score, coverage = sitting[other].score, sitting[other].parts.get("coverage", 0.0)
            gain += (
                BESIDE_SHARES[away - 1]
                * score
                * (score / best) ** 0.5
                * min(1.0, coverage / TELLING_COVERAGE)
            )
            other += step
    return gain
