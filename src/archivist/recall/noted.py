"""What is noted, as recall searches it: entries of the core and of the archive, and daily notes.

There is no index: these are some thousand short texts. They are kept levelled, and looked through for how the words of a query begin; only
the texts that have the most of these are then read as a message would be, by the same rules.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from functools import cached_property
from operator import mul, or_
from typing import Final, Literal

import msgspec

from archivist.guard import Masked, mask
from archivist.recall.candidates import sample
from archivist.recall.filters import Filters
from archivist.recall.levelling import level
from archivist.recall.matching import Matcher, is_met, needed_beside, needles
from archivist.recall.packing import NOTES
from archivist.recall.query import Query
from archivist.recall.ranking import rarity
from archivist.recall.scanning import terms_in
from archivist.recall.terms import Term
from archivist.records import Notice
from archivist.records.notes import Entry, EntryKind, Target, Tier
from archivist.store.documents import Document
from archivist.store.index.folding import fold
from archivist.store.rows import milliseconds

LONGEST_BEGINNING: Final = 80
STRICT_ROOM: Final = 4
"""So many times as many texts are read at most where something is demanded or left out: that is only known once they are."""


class NoteText(msgspec.Struct, frozen=True):
    """Something that is noted.

    Attributes:
        id: Of the entry; of a daily note its place in the file, counted from 1.
        at: When it was first noted; of a daily note, the time that stands with it, or the beginning of its day.
        file: Where it stands, relative to `memories/`; empty where the shelf has to look it up.
        came_from: The files of another program that it was brought in from, as `file:PATH`.
        origin: Of an entry, who put it there.
    """

    id: str
    kind: Literal["note", "daily"]
    text: str
    at: datetime
    file: str = ""
    tier: Tier | None = None
    target: Target | None = None
    entry_kind: EntryKind | None = None
    came_from: tuple[str, ...] = ()
    origin: str | None = None


class Leaves(msgspec.Struct, frozen=True):
    """What was found on a shelf.

    Attributes:
        known: By document, the terms that it has, as bits.
        found: By term, in how many texts it stands, estimated where not all were read.
        total: How many texts were looked through.
    """

    documents: list[Document] = []
    known: dict[int, int] = {}
    found: dict[int, float] = {}
    total: int = 0


class Shelf:
    """What one reader may see of what is noted, ready to be searched; not changed once it is made.

    Args:
        texts: In any order.
        file_of: Where an entry stands whose text does not say it.
        pairs: Those of the entries that cannot both hold; asked for at the first hit that may be one.
    """

    def __init__(
        self,
        texts: Iterable[NoteText],
        file_of: Callable[[str], str] = lambda _: "",
        pairs: Callable[[], Iterable[tuple[Entry, Entry]]] = tuple,
    ) -> None:
        dated = [(milliseconds(text.at), text) for text in texts]
        dated.sort(key=lambda each: each[0])
        self.texts: Sequence[NoteText] = [text for _, text in dated]
        self.times: Sequence[int] = [time for time, _ in dated]
        self._file_of, self._pairs_of = file_of, pairs
        self._shown: dict[int, Masked] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def looking(self, query: Query) -> "Looking":
        """What answers queries of the same terms."""
        return Looking(self, query)

    def listed(self, filters: Filters, without: Sequence[Term], limit: int) -> list[Document]:
        """What was noted within the filters, the last first."""
        matcher = Matcher(without)
        found: list[Document] = []
        for number in range(len(self.texts) - 1, -1, -1):
            if len(found) > limit:
                break
            if filters.admits_time(self.times[number]) and not (
                without and terms_in(matcher, self.shown(number).text)
            ):
                found.append(self.document(number))
        return found

    def named(self, name: str) -> Document | None:
        """The entry that has this id."""
        number = self._by_id.get(name)
        return None if number is None else self.document(number)

    def document(self, number: int) -> Document:
        """A text as search sees it: its id is below those of all messages."""
        key = number - len(self.texts)
        text = self.shown(number).text
        return Document(key, "user", "active", self.times[number], text, "", key, NOTES, 0, "notes")

    def text_of(self, document: Document) -> NoteText:
        """What a document was made of."""
        return self.texts[document.id + len(self.texts)]

    def shown(self, number: int) -> Masked:
        """A text as it is found and given out: an editor may have put a secret into a file, which nobody shall find either."""
        if (masked := self._shown.get(number)) is None:
            masked = self._shown[number] = mask(self.texts[number].text)
        return masked

    def has_secret(self, document: Document) -> bool:
        """Whether anything in a text is not shown."""
        return bool(self.shown(document.id + len(self.texts)).secrets)

    def contradictions(self, found: Collection[str], zone: tzinfo) -> tuple[Notice, ...]:
        """What stands against some entries that were found: both, with the days on which they were noted."""
        return tuple(
            Notice(
                "contradicted",
                " and ".join(self._dated(one, zone) for one in pair) + " contradict each other",
            )
            for pair in self._pairs
            if not {one.id for one in pair}.isdisjoint(found)
        )

    def _dated(self, entry: Entry, zone: tzinfo) -> str:
        text = " ".join(mask(entry.text).text.split())[:LONGEST_BEGINNING]
        return f"{entry.id} “{text}” (noted {entry.observed_at.astimezone(zone).date().isoformat()})"

    @cached_property
    def _pairs(self) -> Sequence[tuple[Entry, Entry]]:
        return list(self._pairs_of())

    def file_of(self, text: NoteText) -> str:
        """Where a text stands."""
        return text.file or self._file_of(text.id)

    @cached_property
    def levelled(self) -> Sequence[str]:
        """The texts for looking through; folding lengthens and drops, so that both forms are needed."""
        levelled = [level(text.text) for text in self.texts]
        return [each if each.isascii() else f"{each}\n{level(fold(each))}" for each in levelled]

    @cached_property
    def _by_id(self) -> Mapping[str, int]:
        return {text.id: number for number, text in enumerate(self.texts) if text.kind == "note"}


class Looking:
    """Texts that are looked through for the terms of one query; what was read for one filter is not read again."""

    def __init__(self, shelf: Shelf, query: Query) -> None:
        self._shelf, self._own = shelf, ~(-1 << len(query.terms))
        self._terms = (*query.terms, *needed_beside(query))
        self._matcher = Matcher((*self._terms, *query.without))
        self._perhaps = self._may_have()
        self._has: dict[int, int] = {}
        self._wholes: dict[int, frozenset[int]] = {}

    def find(self, query: Query, filters: Filters, room: int) -> Leaves:
        """What answers the query, which has the terms that were given at first, within the filters.

        Args:
            query: Its demands may differ.
            filters: Of which the times count.
            room: How many finds are enough.
        """
        perhaps, total = self._within(filters)
        groups = Counter(perhaps)
        groups.pop(0, None)
        counted = [sum(n for bits, n in groups.items() if bits >> t & 1) for t in range(len(self._terms))]
        wanted = [bits for bits in groups if self._meets(query, bits)]
        is_strict = query.need is not None or bool(query.without)
        read = self._best(perhaps, wanted, counted, total, room * STRICT_ROOM if is_strict else room)
        has: dict[int, int] = {}
        answers: dict[int, int] = {}
        for number in read:
            has[number] = bits = self._terms_of(number)
            if self._answers(query, bits):
                answers[number] = bits
                if len(answers) >= room:
                    break
        return self._leaves(answers, self._exact(counted, perhaps, has), total)

    def present(self, terms: int) -> int:
        """Those of the terms, as bits, that stand in any of the texts."""
        found = 0
        for number, bits in enumerate(self._perhaps):
            if bits & terms & ~found:
                found |= self._terms_of(number) & terms
        return found

    def _may_have(self) -> list[int]:
        """By text, the terms that it has as far as can be told without reading it, as bits."""
        found = [0] * len(self._shelf)
        for number, term in enumerate(self._terms):
            first, *others = needles(term) or ("\0",)
            bit, texts = 1 << number, self._shelf.levelled
            marks = [bit if first in text else 0 for text in texts]
            for other in others:
                marks = [
                    mark if mark and other in text else 0 for mark, text in zip(marks, texts, strict=True)
                ]
            found = list(map(or_, found, marks))
        return found

    def _within(self, filters: Filters) -> tuple[list[int], int]:
        """The same for the texts of the filters' times alone, and how many these are."""
        if not filters.spans and filters.latest is None:
            return self._perhaps, len(self._perhaps)
        admitted = [filters.admits_time(time) for time in self._shelf.times]
        return list(map(mul, self._perhaps, admitted)), sum(admitted)

    def _best(
        self, perhaps: Sequence[int], wanted: Sequence[int], counted: Sequence[int], total: int, room: int
    ) -> list[int]:
        """The texts that are worth most, as far as can be told; of equals some of all ages."""
        weights = [
            term.weight * rarity(total, count) for term, count in zip(self._terms, counted, strict=True)
        ]
        worth = {
            bits: sum(weight for number, weight in enumerate(weights) if bits >> number & 1)
            for bits in wanted
        }
        chosen: list[int] = []
        for bits in sorted(worth, key=lambda bits: (-worth[bits], bits)):
            of_these = [number for number, each in enumerate(perhaps) if each == bits]
            if len(of_these) > room - len(chosen):
                whole = [number for number in of_these if self._has_whole_words(number, bits)]
                chosen += sample(whole, room - len(chosen))
                of_these = sorted(set(of_these).difference(whole))
            chosen += sample(of_these, room - len(chosen))
            if len(chosen) >= room:
                break
        return chosen

    def _has_whole_words(self, number: int, bits: int) -> bool:
        """Whether the terms that a text may have stand in it as words of their own: "go" may also begin "google"."""
        return all(number in self._whole(term) for term in range(len(self._terms)) if bits >> term & 1)

    def _whole(self, term: int) -> Collection[int]:
        """The texts in which a term stands as a word of its own; all that may have it, where its script has no words."""
        if term not in self._wholes:
            pattern, texts = self._alone[term], self._shelf.levelled
            may = [number for number, bits in enumerate(self._perhaps) if bits >> term & 1]
            found = may if pattern is None else [number for number in may if pattern.search(texts[number])]
            self._wholes[term] = frozenset(found)
        return self._wholes[term]

    @cached_property
    def _alone(self) -> list[re.Pattern[str] | None]:
        """For each term, what finds it as a word of its own; None where its script has no words."""
        return [
            re.compile(rf"(?<![^\W_]){re.escape(first)}(?![^\W_])") if first.isascii() else None
            for first in ((needles(term) or ("\0",))[0] for term in self._terms)
        ]

    def _exact(
        self, counted: Sequence[int], perhaps: Sequence[int], has: Mapping[int, int]
    ) -> dict[int, float]:
        """By term, how many texts have it: of those that may, the share of those read that do."""
        found = {}
        for term, count in enumerate(counted):
            if count <= len(has):
                whole: Collection[int] = ()
            else:
                whole = [number for number in self._whole(term) if perhaps[number]]
            others = [
                bits for number, bits in has.items() if perhaps[number] >> term & 1 and number not in whole
            ]
            true = sum(bits >> term & 1 for bits in others)
            rest = count - len(whole)
            found[term] = len(whole) + (
                rest * true / len(others) if others else float(rest if not whole else 0)
            )
        return found

    def _leaves(self, answers: Mapping[int, int], found: dict[int, float], total: int) -> Leaves:
        documents = {number: self._shelf.document(number) for number in answers}
        known = {documents[number].id: bits & self._own for number, bits in answers.items()}
        return Leaves(list(documents.values()), known, found, total)

    def _terms_of(self, number: int) -> int:
        if number not in self._has:
            self._has[number] = terms_in(self._matcher, self._shelf.shown(number).text)
        return self._has[number]

    def _answers(self, query: Query, bits: int) -> bool:
        """Whether a text with just these terms is a find."""
        if not bits & self._own or (query.without and bits >> len(self._terms)):
            return False
        return self._meets(query, bits)

    def _meets(self, query: Query, bits: int) -> bool:
        """Whether a text with these terms has what is needed."""
        if query.need is None:
            return True
        has = frozenset(term.match for number, term in enumerate(self._terms) if bits >> number & 1)
        return is_met(query.need, has)


__all__ = ["Leaves", "Looking", "NoteText", "Shelf"]
