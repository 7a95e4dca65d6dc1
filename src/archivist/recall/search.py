"""A search over all conversations, from the request to the page.

Question, filters, finds, page: each is a module of its own, and this one only leads from one to the next. What could
not be done in time, or at all, is said in a notice; an empty page says why it is empty.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from archivist.recall.filters import Filters
from archivist.recall.finding import Finder, Found, order
from archivist.recall.listing import list_range
from archivist.recall.matching import Matcher
from archivist.recall.packing import Packed, pack
from archivist.recall.pages import Sheet, build_hits
from archivist.recall.query import Query, read_query
from archivist.recall.question import Question, read_question
from archivist.recall.request import SearchRequest
from archivist.recall.titles import add_titles
from archivist.records import Hit, Notice, Page
from archivist.store.connection import Connection
from archivist.store.conversations import conversation_of, find_sessions, has_messages, seen_by_model
from archivist.store.index.reader import IndexDamaged
from archivist.store.index.search_index import SearchIndex
from archivist.store.scopes import are_all_scopes, visible_scopes

CATCH_UP_SECONDS: Final = 0.2
POOR_SHARE: Final = 0.6
"""Finds of a named time that are worth less than this share of the best of other times do not simply come first."""
TIMELY_FACTOR: Final = 1.5


def search(
    state: Connection,
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


class _Search:
    def __init__(
        self,
        state: Connection,
        index: SearchIndex,
        request: SearchRequest,
        monotonic: Callable[[], float],
    ) -> None:
        self.state, self.index, self.request = state, index, request
        deadline = monotonic() + request.seconds
        self.is_late = lambda: monotonic() >= deadline
        self.notices: list[Notice] = []

    def run(self) -> Page:
        question = read_question(self.request)
        filters = self._filters(question)
        if filters is None:
            return Page((), tuple(self.notices))
        self.notices += question.query.notices
        if question.query.is_empty:
            hits = self._listed(question, filters)
        else:
            hits = self._at_one_moment(filters, lambda finder: self._found(finder, question, filters))
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
            are_all_scopes=are_all_scopes(self.state, scopes),
            conversation=conversation,
            roles=frozenset(request.roles),
            sources=frozenset(request.sources),
            spans=question.spans,
            hidden=request.hidden,
            excluded=seen_by_model(self.state, asking, scopes) if asking else frozenset(),
        )

    def _listed(self, question: Question, filters: Filters) -> list[Hit]:
        """All of a time, or the newest of all, without any words; where there is nothing, whoever named the time."""
        hits, notices = list_range(self.state, filters, self.request)
        self.notices += notices
        if not hits and question.times:
            words, anytime = Question(read_query(self.request.text)), replace(filters, spans=())
            hits = self._at_one_moment(filters, lambda finder: self._answers(finder, words, anytime))
            if hits:
                text = (
                    f"Nothing was said in “{'”, “'.join(question.times)}”; these messages have those words."
                )
                self.notices.append(Notice("widened-time", text))
        if not hits:
            text = "No message was said in that range within these filters; widen it."
            self.notices.append(self._none_stored(filters) or Notice("empty-range", text))
        return hits

    # ---- finding ----

    def _at_one_moment(self, filters: Filters, ask: Callable[[Finder], list[Hit]]) -> list[Hit]:
        """Ask while the index stands still; where it turns out to be damaged, ask again without it."""
        self.notices += self.index.catch_up(CATCH_UP_SECONDS).notices
        said = len(self.notices)
        try:
            with self.index.reading() as reader:
                finder = Finder(self.state, self.request, reader, self.is_late)
                hits = ask(finder)
        except IndexDamaged:
            del self.notices[said:]
            finder = Finder(self.state, self.request, None, self.is_late)
            hits = ask(finder)
        self.notices += finder.notices(filters.scopes)
        return hits

    def _found(self, finder: Finder, question: Question, filters: Filters) -> list[Hit]:
        hits = self._answers(finder, question, filters)
        if not hits:
            self.notices.append(self._none_stored(filters) or _why_none(finder, question.query, filters))
        return hits

    def _answers(self, finder: Finder, question: Question, filters: Filters) -> list[Hit]:
        query = question.query
        found = _timely(finder, question, filters)
        if not found.scored and query.need is not None and query.free:
            query = query.relaxed()
            found = _timely(finder, replace(question, query=query), filters)
            if found.scored:
                text = "No message has all that was demanded with quotes or operators; these have some of the words."
                self.notices.append(Notice("relaxed", text))
        share = None if filters.conversation is not None else self.request.per_conversation
        packed = pack(found.scored, limit=self.request.limit, per_conversation=share)
        if question.times:
            self._say_other_times(question, packed)
        sheet = Sheet(query, Matcher(query.terms), found.weights, self.request, filters.scopes)
        hits = build_hits(self.state, packed, sheet)
        return add_titles(self.state, hits, filters, self.request)

    def _say_other_times(self, question: Question, packed: Sequence[Packed]) -> None:
        named = Filters(spans=question.spans, hidden=True)
        inside = sum(named.admits(each.scored.document) for each in packed)
        if inside < len(packed):
            text = f"{len(packed) - inside} of these hits are not from “{'”, “'.join(question.times)}”; their dates tell which."
            self.notices.append(Notice("widened-time", text))

    def _none_stored(self, filters: Filters) -> Notice | None:
        if has_messages(self.state, filters.scopes):
            return None
        text = "No messages are stored here yet; import a history or begin a session."
        return Notice("nothing-stored", text)


def _timely(finder: Finder, question: Question, filters: Filters) -> Found:
    """Finds of the times that the question names, then those of other times; mixed where the former are poor."""
    found = finder.find(question.query, filters)
    if not question.times:
        return found
    anytime = finder.find(question.query, replace(filters, spans=()))
    inside = {each.document.id for each in found.scored}
    others = [each for each in anytime.scored if each.document.id not in inside]
    if not found.scored or not others:
        return Found(found.scored or others, anytime.weights)
    best, best_other = found.scored[0].score, others[0].score
    if best < POOR_SHARE * best_other:
        for each in found.scored:
            each.score *= TIMELY_FACTOR
        return Found(sorted([*found.scored, *others], key=order), anytime.weights)
    lowered = min(1.0, 0.9 * found.scored[-1].score / best_other)
    for each in others:
        each.score *= lowered
    return Found([*found.scored, *others], anytime.weights)


def _why_none(finder: Finder, query: Query, filters: Filters) -> Notice:
    """Why nothing was found; never anything about what the reader may not see."""
    if (filters.is_narrow or filters.excluded) and finder.find(query, filters.widened()).scored:
        text = (
            "These words occur, but not within the given filters, or only in what this session shows"
            " already; widen the filters."
        )
        return Notice("filtered-away", text)
    filters = replace(filters, excluded=frozenset())
    if query.without and finder.find(replace(query, without=()), filters).scored:
        text = "Every message with these words also has one that was left out with NOT or a minus; ask without that."
        return Notice("left-out", text)
    if query.need is not None and finder.find(query.relaxed(), filters).scored:
        text = (
            "No message has all that was demanded with quotes or operators, though some have words of it;"
            " ask without them."
        )
        return Notice("too-strict", text)
    return Notice("no-such-words", "No stored message has any of these words; try others.")
