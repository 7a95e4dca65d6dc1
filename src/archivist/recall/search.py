"""A search over all conversations, from the request to the page.

Question, filters, index, candidates, texts, order, page: each is a module of its own, and this one only leads
from one to the next. What could not be done in time, or at all, is said in a notice; an empty page says why
it is empty.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

import apsw
import msgspec
from msgspec.structs import replace

from archivist.recall.candidates import Candidates, gather
from archivist.recall.filters import Filters
from archivist.recall.listing import list_range
from archivist.recall.matching import Matcher
from archivist.recall.packing import Packed, pack
from archivist.recall.pages import Sheet, build_hits
from archivist.recall.query import Every, Query, read_query
from archivist.recall.question import Question, read_question
from archivist.recall.ranking import Scored, Statistics, raise_tiers, score_documents, word_count
from archivist.recall.request import SearchRequest
from archivist.recall.sampling import has_short_prefix, sample_prefix
from archivist.recall.scanning import Scan, scan
from archivist.recall.surroundings import add_surroundings
from archivist.recall.terms import Term
from archivist.recall.titles import add_titles
from archivist.records import Hit, Notice, Page
from archivist.store.conversations import (
    conversation_of,
    count_messages,
    find_sessions,
    newest_id,
    read_cards,
    seen_by_model,
    visible_scopes,
)
from archivist.store.documents import Document, read_documents
from archivist.store.index.reader import IndexDamaged
from archivist.store.index.search_index import SearchIndex

CATCH_UP_SECONDS: Final = 0.2
TAIL_READ: Final = 20_000
FEWEST_READ: Final = 100
"""Texts that are read and scored for a page of few hits."""
READ_PER_HIT: Final = 8
ASIDE_SHARE: Final = 0.85
"""What a find in a sub-agent's session or in a scheduled run counts beside others."""
ASIDE_SOURCES: Final = frozenset({"cron", "scheduled", "heartbeat"})
AGE_SHARE: Final = 0.02
AGE_HALVED_DAYS: Final = 90.0
POOR_SHARE: Final = 0.6
"""Finds of a named time that are worth less than this share of the best of other times do not simply come first."""
TIMELY_FACTOR: Final = 1.5
_DAY_MS: Final = 86_400_000


def search(
    state: apsw.Connection,
    index: SearchIndex,
    request: SearchRequest,
    *,
    monotonic: Callable[[], float] = time.monotonic,
) -> Page:
    """The messages that answer a request, best first, and what to know about them.

    Args:
        state: A reading connection to `state.db`.
        index: The full-text index; it may be behind, broken or missing.
        request: What is asked, by whom and when.
        monotonic: Seconds that only go forward, for the time budget.
    """
    return _Search(state, index, request, monotonic).run()


class _Found(msgspec.Struct):
    """Scored finds, and whether the words stand anywhere."""

    scored: list[Scored] = msgspec.field(default_factory=list)
    weights: tuple[float, ...] = ()


class _Search:
    def __init__(
        self,
        state: apsw.Connection,
        index: SearchIndex,
        request: SearchRequest,
        monotonic: Callable[[], float],
    ) -> None:
        self.state, self.index, self.request = state, index, request
        deadline = monotonic() + request.seconds
        self.is_late = lambda: monotonic() >= deadline
        self.notices: list[Notice] = []
        self.average_words = 0.0

    def run(self) -> Page:
        question = read_question(self.request)
        filters = self._filters(question)
        if filters is None:
            return Page((), tuple(self.notices))
        self.notices += question.query.notices
        if question.query.is_empty:
            return self._listed(question, filters)
        hits = self._answers(question, filters)
        if not hits:
            self._say_why(question, filters)
        return Page(tuple(hits), tuple(dict.fromkeys(self.notices)))

    # ---- what may be found ----

    def _filters(self, question: Question) -> Filters | None:
        request, conversation = self.request, None
        scopes = visible_scopes(self.state, request.reader)
        if request.conversation is not None:
            found = find_sessions(self.state, request.conversation, scopes)
            if not found:
                text = f"No conversation {request.conversation!r} can be seen here; browse shows the ids."
                self.notices.append(Notice("unknown-conversation", text))
                return None
            conversation = conversation_of(self.state, found[0])
        asking = request.asking_session
        return Filters(
            scopes=scopes,
            conversation=conversation,
            roles=frozenset(request.roles),
            sources=frozenset(request.sources),
            spans=question.spans,
            hidden=request.hidden,
            excluded=seen_by_model(self.state, asking) if asking else frozenset(),
        )

    def _listed(self, question: Question, filters: Filters) -> Page:
        """All of a time, or the newest of all, without any words; where there is nothing, whoever named the time."""
        hits, notices = list_range(self.state, filters, self.request)
        self.notices += notices
        if not hits and question.times:
            hits = self._answers(Question(read_query(self.request.text)), replace(filters, spans=()))
            if hits:
                text = (
                    f"Nothing was said in “{'”, “'.join(question.times)}”; these messages have those words."
                )
                self.notices.append(Notice("widened-time", text))
        if not hits:
            self._say_why(question, filters)
        return Page(tuple(hits), tuple(dict.fromkeys(self.notices)))

    # ---- finding ----

    def _answers(self, question: Question, filters: Filters) -> list[Hit]:
        query = question.query
        found = self._timely(question, filters)
        if not found.scored and query.need is not None and query.free:
            query = query.relaxed()
            found = self._timely(replace(question, query=query), filters)
            if found.scored:
                text = "No message has all that was demanded with quotes or operators; these have some of the words."
                self.notices.append(Notice("relaxed", text))
        share = None if filters.conversation is not None else self.request.per_conversation
        packed = pack(found.scored, limit=self.request.limit, per_conversation=share)
        if question.times:
            self._say_other_times(question, packed)
        hits = build_hits(self.state, packed, Sheet(query, Matcher(query.terms), found.weights, self.request))
        return add_titles(self.state, hits, filters, self.request, self._by_document)

    def _timely(self, question: Question, filters: Filters) -> _Found:
        """Finds of the times that the question names, then those of other times; mixed where the former are poor."""
        found = self._find(question.query, filters)
        if not question.times:
            return found
        anytime = self._find(question.query, replace(filters, spans=()))
        inside = {each.document.id for each in found.scored}
        others = [each for each in anytime.scored if each.document.id not in inside]
        if not found.scored or not others:
            return _Found(found.scored or others, anytime.weights)
        best, best_other = found.scored[0].score, others[0].score
        if best < POOR_SHARE * best_other:
            for each in found.scored:
                each.score *= TIMELY_FACTOR
            return _Found(sorted([*found.scored, *others], key=_order), anytime.weights)
        lowered = min(1.0, 0.9 * found.scored[-1].score / best_other)
        for each in others:
            each.score *= lowered
        return _Found([*found.scored, *others], anytime.weights)

    def _say_other_times(self, question: Question, packed: Sequence[Packed]) -> None:
        named = Filters(spans=question.spans, hidden=True)
        inside = sum(named.admits(each.scored.document) for each in packed)
        if inside < len(packed):
            text = f"{len(packed) - inside} of these hits are not from “{'”, “'.join(question.times)}”; their dates tell which."
            self.notices.append(Notice("widened-time", text))

    def _by_document(self, documents: Sequence[Document]) -> list[Hit]:
        """Hits of documents that no words were sought in."""
        packed = [Packed(Scored(document, 0.0, 0)) for document in documents]
        return build_hits(self.state, packed, Sheet(Query(), Matcher(()), (), self.request))

    def _find(self, query: Query, filters: Filters) -> _Found:
        limit = self.request.limit
        room = max(FEWEST_READ, READ_PER_HIT * limit)
        candidates, indexed, fresh = self._candidates(query, filters, room)
        documents = {document.id: document for document in indexed if filters.admits(document)}
        documents.update({document.id: document for document in fresh.documents})
        known = {**candidates.known, **fresh.known}
        statistics = self._statistics(candidates, list(documents.values()))
        scored = score_documents(query, list(documents.values()), known, statistics)
        scored = (
            [each for each in scored if each.score > 0 or each.has]
            if query.need is None
            else _with_prefixes(query, scored)
        )
        add_surroundings(scored)
        raise_tiers(query, scored)
        self._weigh(query, scored)
        scored.sort(key=_order)
        weights = tuple(
            term.weight * statistics.rarity(statistics.found.get(n, 1)) for n, term in enumerate(query.terms)
        )
        return _Found(scored, weights)

    def _candidates(
        self, query: Query, filters: Filters, room: int
    ) -> tuple[Candidates, list[Document], Scan]:
        """From the index, and from the messages that it does not know yet."""
        if has_short_prefix(query):
            sampled = sample_prefix(
                self.state, query, filters, newest=newest_id(self.state), wanted=room, is_late=self.is_late
            )
            if sampled:
                text = "So many words begin so that only some of the messages were read; give more letters."
                self.notices.append(Notice("prefix-sampled", text))
                return Candidates({}, {}, float(sampled.read), ()), [], sampled
        try:
            coverage = self.index.catch_up(CATCH_UP_SECONDS)
            self.notices += coverage.notices
            with self.index.reading() as reader:
                tail = reader.tail(TAIL_READ)
                self.average_words = reader.average_words
                wanted = max(40, room // 3)
                candidates = gather(
                    query,
                    reader,
                    filters,
                    wanted=wanted if self.request.limit < room else room,
                    is_late=self.is_late,
                )
        except IndexDamaged as error:
            return self._without_index(query, filters, error)
        fresh = scan(self.state, tail.ids, query, filters, self.is_late) if tail.ids else Scan()
        self._say_unread(len(tail.ids) - fresh.read + tail.more)
        chosen = candidates.best(room)
        return candidates, read_documents(self.state, chosen) if chosen else [], fresh

    def _without_index(
        self, query: Query, filters: Filters, error: IndexDamaged
    ) -> tuple[Candidates, list[Document], Scan]:
        newest = newest_id(self.state)
        fresh = scan(self.state, range(newest, 0, -1), query, filters, self.is_late)
        left = max(0, newest - fresh.read)
        text = (
            f"The search index is being rebuilt; the newest {fresh.read:,} messages were read instead,"
            f" {left:,} were not ({error})."
        )
        self.notices.append(Notice("index-damaged", text))
        return Candidates({}, {}, float(max(1, fresh.read)), ()), [], fresh

    def _say_unread(self, count: int) -> None:
        if count > 0:
            text = (
                f"{count:,} of the newest messages are not searched yet; ask again, or run `archivist index`."
            )
            self.notices.append(Notice("index-behind", text))

    def _statistics(self, candidates: Candidates, documents: Sequence[Document]) -> Statistics:
        average = self.average_words
        if not average and documents:
            average = sum(word_count(document.text) for document in documents) / len(documents)
        return Statistics(max(candidates.documents, float(len(documents))), average, candidates.found)

    # ---- ordering ----

    def _weigh(self, query: Query, scored: Sequence[Scored]) -> None:
        """What is aside counts a little less, and of equals the younger comes first, unless an identifier is sought."""
        cards = read_cards(self.state, {each.document.session for each in scored})
        now_ms = self.request.now.timestamp() * 1000
        has_identifier = any(term.kind == "whole" or term.literal for term in query.terms)
        for each in scored:
            card = cards[each.document.session]
            if card.link == "subagent" or card.source in ASIDE_SOURCES:
                each.score *= ASIDE_SHARE
                each.parts["aside"] = ASIDE_SHARE
            if not has_identifier:
                days = max(0.0, now_ms - each.document.created_at) / _DAY_MS
                each.parts["age"] = 1 + AGE_SHARE * AGE_HALVED_DAYS / (AGE_HALVED_DAYS + days)
                each.score *= each.parts["age"]

    # ---- an empty page ----

    def _say_why(self, question: Question, filters: Filters) -> None:
        """Why nothing was found; never anything about what the reader may not see."""
        if not count_messages(self.state, filters.scopes):
            self.notices.append(
                Notice(
                    "nothing-stored", "No messages are stored here yet; import a history or begin a session."
                )
            )
            return
        if question.query.is_empty:
            self.notices.append(
                Notice("empty-range", "No message was said in that range within these filters; widen it.")
            )
            return
        if filters.is_narrow or filters.excluded:
            wide = Filters(scopes=filters.scopes, hidden=filters.hidden)
            if self._find(question.query, wide).scored:
                text = (
                    "These words occur, but not within the given filters, or only in what this session shows"
                    " already; widen the filters."
                )
                self.notices.append(Notice("filtered-away", text))
                return
        if (
            question.query.without
            and self._find(replace(question.query, without=()), replace(filters, excluded=frozenset())).scored
        ):
            text = "Every message with these words also has one that was left out with NOT or a minus; ask without that."
            self.notices.append(Notice("left-out", text))
            return
        if (
            question.query.need is not None
            and self._find(question.query.relaxed(), replace(filters, excluded=frozenset())).scored
        ):
            text = (
                "No message has all that was demanded with quotes or operators, though some have words of it;"
                " ask without them."
            )
            self.notices.append(Notice("too-strict", text))
            return
        self.notices.append(Notice("no-such-words", "No stored message has any of these words; try others."))


def _order(each: Scored) -> tuple[float, int]:
    return -each.score, -each.document.id


def _with_prefixes(query: Query, scored: Sequence[Scored]) -> list[Scored]:
    """Only finds that have a needed prefix indeed: the index also gave words of the same stem."""
    parts = query.need.parts if isinstance(query.need, Every) else (query.need,)
    wanted = {part.match for part in parts if isinstance(part, Term) and part.kind == "prefix"}
    bits = sum(1 << number for number, term in enumerate(query.terms) if term.match in wanted)
    return [each for each in scored if each.has & bits == bits]
