"""Finds of a query within filters, the best first, as the index and the newest messages have them at one moment.

All that one request asks goes to one finder: it holds one snapshot of the index, and looks once at the messages that
the index does not know yet.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from archivist.recall.candidates import Candidates, gather
from archivist.recall.currency import asks_for_present, prefer_present, put_newest_first
from archivist.recall.filters import Filters
from archivist.recall.packing import NOTES
from archivist.recall.query import Every, Query
from archivist.recall.ranking import Scored, Statistics, raise_tiers, score_documents, word_count
from archivist.recall.request import SearchRequest
from archivist.recall.sampling import has_short_prefix, sample_prefix
from archivist.recall.scanning import Scan, Scanner
from archivist.recall.surroundings import add_surroundings, raise_noted
from archivist.recall.telling import read_telling
from archivist.recall.terms import Term
from archivist.records import Notice
from archivist.records.counts import counted
from archivist.store.connection import Connection
from archivist.store.conversations import Card, is_any_visible, newest_id, read_cards
from archivist.store.documents import Document, read_documents
from archivist.store.index.reader import IndexReader
from archivist.store.scopes import Scopes

if TYPE_CHECKING:
    from archivist.recall.noted import Leaves, Looking, Shelf

TAIL_READ: Final = 20_000
FEWEST_READ: Final = 100
"""Texts that are read and scored for a page of few hits, of a hundred thousand messages or fewer.

Of a million twice as many are: by then so many messages share a query's rarer words that their count alone no longer tells the best
hundred (known messages in the top 5 of a million: 57 % with 100 texts, 61 % with 200, exact BM25 61 %).
"""
READ_ALL_OF: Final = 100_000
READ_PER_HIT: Final = 8
FEWEST_LEAVES: Final = 50
"""Notes that are read and scored for a page of few hits."""
SEEN_OF: Final = 20
"""Messages with a word that are read to see whether the reader may see one of them."""
ASIDE_SHARE: Final = 0.85
"""What a find in a sub-agent's session or in a scheduled run counts beside others."""
WORK_ALONE_SHARE: Final = 0.8
"""What a text counts that nobody said, such as the result of a search, beside what people and models said."""
RECOLLECTION_SHARE: Final = 0.5
"""What a question to a memory counts, and what the memory answered: copies of what was said elsewhere, and perhaps of what held then."""
RECOLLECTING_TOOLS: Final = frozenset(
    "memory memory_search memory_get sessions_search sessions_history session_search recall search_memory search_memories search_nodes"
    " archival_memory_search conversation_search".split()
)
"""By these names memories are asked and written, ours and those of other programs."""
ASIDE_SOURCES: Final = frozenset({"cron", "scheduled", "heartbeat"})
AGE_SHARE: Final = 0.02
AGE_HALVED_DAYS: Final = 90.0
_DAY_MS: Final = 86_400_000


class Found(msgspec.Struct):
    """Scored finds, the best first, and what each term counts."""

    scored: list[Scored] = msgspec.field(default_factory=list)
    weights: tuple[float, ...] = ()
    first: int = 0
    """How many of them come before all others, whatever their worth: those of the time that was named."""


class Finder:
    """What one request finds.

    Args:
        state: A reading connection to `state.db`.
        request: The request.
        reader: The index at one moment; None where it cannot be used, so that messages are read one by one.
        is_late: Whether the time of the request is used up.
        shelf: What is noted and may be seen.
    """

    def __init__(
        self,
        state: Connection,
        request: SearchRequest,
        reader: IndexReader | None,
        is_late: Callable[[], bool],
        shelf: "Shelf | None" = None,
    ) -> None:
        self._state, self._request, self._reader, self._is_late = state, request, reader, is_late
        self._shelf = shelf
        self._looking: Looking | None = None
        self._seeks_messages = "message" in request.kinds
        self._scanner: Scanner | None = None
        self._notices: list[Notice] = []
        self._beyond = self._seen = 0
        self._ids: Sequence[int]
        if not self._seeks_messages:
            self._ids = ()
        elif reader is None:
            self._ids = range(newest_id(state), 0, -1)
        else:
            tail = reader.tail(TAIL_READ)
            self._ids, self._beyond = tail.ids, tail.more

    def find(self, query: Query, filters: Filters) -> Found:
        """What answers a query; all queries of a request have the same terms.

        Raises:
            IndexDamaged: See there.
        """
        limit = self._request.limit
        room = max(self._fewest_read(), READ_PER_HIT * limit)
        candidates, indexed, fresh = self._candidates(query, filters, room)
        documents = {document.id: document for document in indexed if filters.admits(document)}
        documents.update({document.id: document for document in fresh.documents})
        known = {**candidates.known, **fresh.known}
        statistics = self._statistics(candidates, list(documents.values()))
        leaves = self._noted(query, filters, max(FEWEST_LEAVES, READ_PER_HIT * limit))
        if leaves is not None:
            statistics = _with_leaves(statistics, leaves)
            documents.update({document.id: document for document in leaves.documents})
            known.update(leaves.known)
        scored = score_documents(query, list(documents.values()), known, statistics)
        self._note_seen(scored, {} if filters.hidden else candidates.found)
        scored = (
            [each for each in scored if each.score > 0 or each.has]
            if query.need is None
            else _with_prefixes(query, scored)
        )
        add_surroundings(scored)
        raise_tiers(query, scored)
        if leaves is not None and self._shelf:
            telling = read_telling(query, statistics)
            scored = telling.kept(scored) if query.need is None else scored
            raise_noted(scored, telling)
        scored = self._weigh(query, scored, filters.scopes)
        if asks_for_present(self._request.text):
            prefer_present(scored)
        scored.sort(key=order)
        if not _seeks_identifier(query):
            put_newest_first(scored)
        weights = tuple(
            term.weight * statistics.rarity(statistics.found.get(n, 1)) for n, term in enumerate(query.terms)
        )
        return Found(scored, weights)

    def afresh(self) -> "Finder":
        """A finder for other terms at the same moment, of what the index knows alone."""
        finder = Finder(self._state, self._request, self._reader, self._is_late, self._shelf)
        finder._ids, finder._beyond = (), 0
        return finder

    def unknown(self, query: Query, filters: Filters) -> int:
        """The terms, as bits, that stand in nothing that the reader may see, whenever and wherever; none while not all was searched.

        Args:
            query: Whose terms were sought before.
            filters: Of which it counts whose memory it is.
        """
        missing = sum(1 << n for n, term in enumerate(query.terms) if term.kind != "verbatim") & ~self._seen
        if not missing:
            return 0
        widened = msgspec.structs.replace(filters.widened(), hidden=True)
        if self._seeks_messages:
            anything = msgspec.structs.replace(query.relaxed(), without=())
            for bits in self._fresh(anything, widened).known.values():
                missing &= ~bits
            for number, term in enumerate(query.terms):
                if missing >> number & 1 and self._is_indexed(term, widened):
                    missing &= ~(1 << number)
        if missing and self._looking is not None:
            missing &= ~self._looking.present(missing)
        return 0 if self.is_partial(filters.scopes) else missing

    def _note_seen(self, scored: Sequence[Scored], found: Mapping[int, float]) -> None:
        """Which terms stand in something that may be found: that was read, or counted where nothing hidden was."""
        for each in scored:
            self._seen |= each.has
        for number, count in found.items():
            self._seen |= (count > 0) << number

    def _is_indexed(self, term: Term, filters: Filters) -> bool:
        """Whether the index knows a message with a term that may be found."""
        if self._reader is None:
            return False
        expression = " AND ".join(f"({part})" for part in (f"text : ({term.match})", filters.match()) if part)
        return any(map(filters.admits, read_documents(self._state, self._reader.newest(expression, SEEN_OF))))

    def is_partial(self, scopes: Scopes) -> bool:
        """Whether anything that the reader may see was neither in the index nor read."""
        if self._scanner is None:
            return False
        return self._beyond > 0 or is_any_visible(self._state, self._scanner.left, scopes)

    def notices(self, scopes: Scopes) -> list[Notice]:
        """What was not looked at; how many messages that is only where the reader may see them all."""
        if self._scanner is None:
            return self._notices
        left = self._scanner.left
        if self._reader is None:
            read = counted(self._scanner.read, "message") if scopes is None else "messages"
            rest = f", {len(left):,} were not" if scopes is None else ""
            text = f"The search index is being rebuilt; the newest {read} were read instead{rest}."
            return [*self._notices, Notice("index-damaged", text)]
        if not self.is_partial(scopes):
            return self._notices
        some = f"{len(left) + self._beyond:,}" if scopes is None else "Some"
        text = f"{some} of the newest messages are not searched yet; ask again, or run `archivist index`."
        return [*self._notices, Notice("index-behind", text)]

    def _candidates(
        self, query: Query, filters: Filters, room: int
    ) -> tuple[Candidates, list[Document], Scan]:
        """From the index, and from the messages that it does not know yet."""
        if not self._seeks_messages:
            return Candidates({}, dict.fromkeys(range(len(query.terms)), 0.0), 0.0, ()), [], Scan()
        if has_short_prefix(query):
            newest = newest_id(self._state)
            sampled = sample_prefix(
                self._state, query, filters, newest=newest, wanted=room, is_late=self._is_late
            )
            if sampled:
                text = "So many words begin so that only some of the messages were read; give more letters."
                self._notices = [Notice("prefix-sampled", text)]
                return Candidates({}, {}, float(sampled.read), ()), [], sampled
        if self._reader is None:
            fresh = self._fresh(query, filters)
            return Candidates({}, {}, float(max(1, fresh.read)), ()), [], fresh
        wanted = max(40, room // 3) if self._request.limit < room else room
        candidates = gather(query, self._reader, filters, wanted=wanted, is_late=self._is_late)
        fresh = self._fresh(query, filters)
        return candidates, read_documents(self._state, candidates.best(room)), fresh

    def _fresh(self, query: Query, filters: Filters) -> Scan:
        """From the messages that are read one by one."""
        if self._scanner is None:
            self._scanner = Scanner(self._state, self._ids, query, self._is_late)
        return self._scanner.find(query, filters)

    def _noted(self, query: Query, filters: Filters, room: int) -> "Leaves | None":
        """From what is noted."""
        if self._shelf is None:
            return None
        if self._looking is None:
            self._looking = self._shelf.looking(query)
        return self._looking.find(query, filters, room)

    def _fewest_read(self) -> int:
        documents = 0 if self._reader is None else self._reader.documents
        growth = max(1.0, documents / READ_ALL_OF)
        return round(FEWEST_READ * min(2.0, float(growth**0.301)))  # 10 ** 0.301 = 2

    def _statistics(self, candidates: Candidates, documents: Sequence[Document]) -> Statistics:
        average = 0.0 if self._reader is None else self._reader.average_words
        if not average and documents:
            average = sum(word_count(document.text) for document in documents) / len(documents)
        return Statistics(max(candidates.documents, float(len(documents))), average, candidates.found)

    def _weigh(self, query: Query, scored: Sequence[Scored], scopes: Scopes) -> list[Scored]:
        """What is aside counts a little less, and of equals the younger comes first, unless an identifier is sought.

        What is of a session that has gone since it was found is left out: a restore may come at any moment.
        """
        cards = read_cards(self._state, {each.document.session for each in scored}, scopes)
        now_ms = self._request.now.timestamp() * 1000
        has_identifier = _seeks_identifier(query)
        there = [
            each for each in scored if each.document.session in cards or each.document.conversation == NOTES
        ]
        for each in there:
            if each.document.conversation != NOTES:
                _weigh_place(each, cards[each.document.session])
            if not has_identifier:
                days = max(0.0, now_ms - each.document.created_at) / _DAY_MS
                each.parts["age"] = 1 + AGE_SHARE * AGE_HALVED_DAYS / (AGE_HALVED_DAYS + days)
                each.score *= each.parts["age"]
        return there


def _weigh_place(each: Scored, card: Card) -> None:
    """What it counts where a message stands, and who said it."""
    if not each.document.speech:
        share = RECOLLECTION_SHARE if _is_recollection(each.document) else WORK_ALONE_SHARE
        each.score *= share
        each.parts["work alone"] = share
    if card.link == "subagent" or card.is_unattended or card.source in ASIDE_SOURCES:
        each.score *= ASIDE_SHARE
        each.parts["aside"] = ASIDE_SHARE


def order(each: Scored) -> tuple[float, int]:
    """The best first; of equals the newest."""
    return -each.score, -each.document.id


def _with_leaves(statistics: Statistics, leaves: "Leaves") -> Statistics:
    """Of messages and of what is noted together."""
    average = statistics.average_words
    if not average and leaves.documents:
        average = sum(word_count(document.text) for document in leaves.documents) / len(leaves.documents)
    found = {number: count + leaves.found.get(number, 0.0) for number, count in statistics.found.items()}
    return Statistics(statistics.documents + leaves.total, average, found)


def _seeks_identifier(query: Query) -> bool:
    return any(term.kind == "whole" or term.literal for term in query.terms)


def _is_recollection(document: Document) -> bool:
    """Whether a text without speech is a memory asked or answering; the tool's name stands on its first line."""
    name = document.work.partition("\n")[0].strip()
    return name.rpartition("__")[2] in RECOLLECTING_TOOLS


def _with_prefixes(query: Query, scored: Sequence[Scored]) -> list[Scored]:
    """Only finds that have a needed prefix indeed: the index also gave words of the same stem."""
    parts = query.need.parts if isinstance(query.need, Every) else (query.need,)
    wanted = {part.match for part in parts if isinstance(part, Term) and part.kind == "prefix"}
    bits = sum(1 << number for number, term in enumerate(query.terms) if term.match in wanted)
    return [each for each in scored if each.has & bits == bits]
