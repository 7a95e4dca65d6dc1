"""Which messages are worth reading, found in bounded time however frequent the words are.

A rare term's list is read whole. A frequent term's is not: the lists that have it together with rarer terms
are read instead, first all terms, then all but one. What must be cut is taken from the newest, the oldest and
evenly between, so that age decides nothing. After Fagin's threshold idea: a document without any of the rare
terms cannot overtake the ones that have them.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from archivist.recall.filters import Filters
from archivist.recall.query import Either, Every, Need, Query
from archivist.recall.ranking import rarity
from archivist.store.index.reader import IndexReader
from archivist.store.index.tags import visible

WHOLE_LIST: Final = 1_000
"""Messages; a list not longer than this is read whole."""
JOINED_LIST: Final = 150
"""Messages read of several terms together."""
NEEDED_LIST: Final = 5_000
"""Messages read of what has all that is needed: once, since each new look at a prefix costs as much as the first."""
ESTIMATED_FROM: Final = 60
SLICES: Final = 4
TELLING_WEIGHT: Final = 0.5
"""Terms of less weight are not asked to stand together with others."""
MOST_FREQUENT: Final = 6
"""Frequent terms that are looked up among the finds of rare ones."""
MOST_POSTINGS: Final = 24_000


class Candidates(msgspec.Struct, frozen=True):
    """Messages that may answer.

    Attributes:
        known: By id, the terms that it is known to have, as bits.
        found: By term, in how many messages it stands, estimated for frequent ones; what is not there was not
            counted.
        documents: In how many was searched, estimated where a filter makes it unknown.
        weights: What each term counts, its rarity included.
    """

    known: dict[int, int]
    found: dict[int, float]
    documents: float
    weights: tuple[float, ...]

    def best(self, limit: int) -> list[int]:
        """The ids with most weight; among equals some of the newest, some of the oldest, some between."""
        if len(self.known) <= limit:
            return list(self.known)
        by_weight: dict[int, list[int]] = {}
        for key, bits in self.known.items():
            by_weight.setdefault(bits, []).append(key)
        chosen: list[int] = []
        for bits in sorted(by_weight, key=lambda bits: (-self._weight(bits), bits)):
            chosen += sample(by_weight[bits], limit - len(chosen))
            if len(chosen) >= limit:
                break
        return chosen

    def _weight(self, bits: int) -> float:
        return sum(weight for number, weight in enumerate(self.weights) if bits >> number & 1)


def sample(ids: Sequence[int], limit: int) -> list[int]:
    """So many of the ids: half the newest, a quarter the oldest, the rest evenly between."""
    if len(ids) <= limit:
        return list(ids)
    ordered = sorted(ids, reverse=True)
    newest, oldest = (limit + 1) // 2, limit // 4
    between = limit - newest - oldest
    middle = ordered[newest : len(ordered) - oldest]
    evenly = [middle[(2 * step + 1) * len(middle) // (2 * between)] for step in range(between)]
    return [*ordered[:newest], *evenly, *ordered[len(ordered) - oldest :]]


def gather(
    query: Query, lists: IndexReader, filters: Filters, *, wanted: int, is_late: Callable[[], bool]
) -> Candidates:
    """Find candidates for a query.

    Args:
        query: Its terms, what they need and leave out.
        lists: The index.
        filters: What may be found; what may not is left out before anything is counted.
        wanted: How many candidates are wanted where there are that many.
        is_late: Whether the time is used up; then what was found so far is returned.
    """
    return _Gathering(query, lists, filters, wanted, is_late).run()


class _Gathering:
    """One run; its lists all go through `_newest`, so that filters and exclusion cannot be forgotten."""

    def __init__(
        self, query: Query, lists: IndexReader, filters: Filters, wanted: int, is_late: Callable[[], bool]
    ) -> None:
        self.query, self.lists, self.excluded, self.is_late = query, lists, filters.excluded, is_late
        self.terms = query.terms
        self.within, self.hidden = _within(query, filters.match()), filters.hidden
        self.whole = max(min(WHOLE_LIST, MOST_POSTINGS // max(1, len(query.terms))), wanted)
        self.joined = max(JOINED_LIST, wanted)
        self.wanted = wanted
        self.known: dict[int, int] = {}
        self.found: dict[int, float] = {}
        self.heads: dict[int, list[int]] = {}

    def run(self) -> Candidates:
        documents, newest = self._universe()
        if self.query.need is not None and (documents <= self.wanted or not self.query.free):
            return Candidates(self.known, {}, documents, ())
        rare, frequent = self._read_terms(documents, newest)
        documents = max(documents, *self.found.values(), 1.0) if self.found else documents
        weights = [
            term.weight * rarity(documents, self.found[number]) if number in self.found else 0.0
            for number, term in enumerate(self.terms)
        ]
        if frequent:
            self._narrow(rare, sorted(frequent, key=lambda number: (-weights[number], number)))
        return Candidates(self.known, self.found, documents, tuple(weights))

    def _universe(self) -> tuple[float, int]:
        """How many messages there are within the filters, and the newest id."""
        if not self.within:
            return float(self.lists.documents), self.lists.documents
        ids = self._newest("", self.whole if self.query.need is None else NEEDED_LIST)
        newest = max(ids[0] if ids else 0, self.lists.documents)
        if self.query.need is not None:
            self._add(ids, 0)
        if len(ids) < self.whole:
            return float(len(ids)), newest
        if self.query.need is not None:
            self._add(
                self._kept(self.lists.oldest(self.within, self.joined + len(self.excluded)), self.joined), 0
            )
        return _estimate(ids, newest), newest

    def _read_terms(self, documents: float, newest: int) -> tuple[list[int], list[int]]:
        """Read the list of each term; which of them are rare and so were read whole, and which frequent."""
        rare, frequent = [], []
        for number, term in enumerate(self.terms):
            if term.kind == "verbatim":
                continue
            ids = self._newest(term.match, self.whole)
            if len(ids) < self.whole:
                self._add(ids, 1 << number)
                self.found[number] = len(ids)
                rare += [number] * bool(ids)
            else:
                self.found[number] = min(documents, self._estimated(term.match, ids, newest))
                self.heads[number] = ids[: self.joined]
                frequent.append(number)
        return rare, frequent

    def _estimated(self, match: str, ids: Sequence[int], newest: int) -> float:
        """In how many messages a frequent term stands, from how densely its newest and its oldest ones lie."""
        oldest = self._kept(
            self.lists.oldest(self._filtered(match), ESTIMATED_FROM + len(self.excluded)), ESTIMATED_FROM
        )
        late, early = _estimate(ids, newest), len(oldest) * newest / max(1, oldest[-1]) if oldest else 0.0
        return max((late + early) / 2, float(len(ids)))

    def _narrow(self, rare: Sequence[int], frequent: Sequence[int]) -> None:
        """Find what has frequent terms, without reading their lists.

        Args:
            rare: Terms whose lists were read whole.
            frequent: The others, the rarest first.
        """
        telling = [number for number in (*rare, *frequent) if self.terms[number].weight >= TELLING_WEIGHT]
        if len(telling) > 1 and not self.is_late():
            self._add_sampled(telling)
        if rare:
            rare_ones = " OR ".join(f"({self.terms[number].match})" for number in rare)
            for number in frequent[:MOST_FREQUENT]:
                if self.is_late():
                    break
                self._add(self._newest(_all(rare_ones, self.terms[number].match), self.whole), 1 << number)
        else:
            self._leave_one_out(telling)
        for number in frequent:
            if len(self.known) >= self.wanted or self.is_late():
                break
            if number in telling or not self.known:
                self._add_sampled((number,))

    def _leave_one_out(self, telling: Sequence[int]) -> None:
        """All terms but one, the least telling one first, while there are too few."""
        for left_out in reversed(telling) if len(telling) > 2 else ():
            if len(self.known) >= self.wanted or self.is_late():
                return
            self._add_sampled([number for number in telling if number != left_out])

    def _add_sampled(self, numbers: Sequence[int]) -> None:
        """Messages with all of these terms: the newest, and where there are more, old ones and some between.

        The whole query as a phrase is only asked for here: where a list is not cut, what has the phrase is in
        it.
        """
        bits = sum(1 << number for number in numbers)
        matches = [self.terms[number].match for number in numbers]
        ids = self.heads[numbers[0]] if len(numbers) == 1 else self._newest(_all(*matches), self.joined)
        self._add(ids, bits)
        if len(ids) < self.joined or self.is_late():
            return
        narrowed, room = self._filtered(_all(*matches)), len(self.excluded)
        self._add(self._kept(self.lists.oldest(narrowed, self.joined // 2 + room), self.joined // 2), bits)
        self._add(self._kept(self.lists.spread(narrowed, self.joined // 2, SLICES), self.joined), bits)
        for number, term in enumerate(self.terms):
            if term.kind == "verbatim" and len(numbers) > 1 and not self.known_has(number):
                self._add(self._newest(term.match, self.joined), bits | 1 << number)

    def known_has(self, number: int) -> bool:
        """Whether some candidate is known to have a term."""
        return any(bits >> number & 1 for bits in self.known.values())

    def _newest(self, match: str, limit: int) -> list[int]:
        return self._kept(self.lists.newest(self._filtered(match), limit + len(self.excluded)), limit)

    def _kept(self, ids: list[int], limit: int) -> list[int]:
        if not self.excluded:
            return ids[:limit]
        return [key for key in ids if key not in self.excluded][:limit]

    def _filtered(self, match: str) -> str:
        parts = [f"text : ({match})"] if match else []
        parts += [self.within] if self.within else []
        expression = " AND ".join(f"({part})" for part in parts)
        return expression if self.hidden else visible(expression)

    def _add(self, ids: Iterable[int], bits: int) -> None:
        known, get = self.known, self.known.get
        for key in ids:
            known[key] = get(key, 0) | bits


def _estimate(ids: Sequence[int], newest: int) -> float:
    """In how many messages a term stands, from how densely the newest ones lie."""
    return len(ids) * newest / max(1, newest - ids[-1] + 1)


def _within(query: Query, filters: str) -> str:
    """The filters together with what the query needs and leaves out."""
    parts = [f"text : ({need_match(query.need)})"] if query.need is not None else []
    parts += [filters] if filters else []
    expression = " AND ".join(f"({part})" for part in parts)
    if not query.without:
        return expression
    left_out = f"text : ({' OR '.join(f'({term.match})' for term in query.without)})"
    if not expression:
        expression = f"text : ({' OR '.join(f'({term.match})' for term in query.terms)})"
    return f"({expression}) NOT ({left_out})"


def need_match(need: Need) -> str:
    """What is needed as a match expression for the column `text`."""
    if isinstance(need, Every | Either):
        joint = " AND " if isinstance(need, Every) else " OR "
        return joint.join(f"({need_match(part)})" for part in need.parts)
    return f"({need.match})"


def _all(*matches: str) -> str:
    return " AND ".join(f"({match})" for match in matches)
