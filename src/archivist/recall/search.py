"""A search over all conversations, from the request to the page.

Question, filters, finds, page: each is a module of its own, and this one only leads from one to the next. What could
not be done in time, or at all, is said in a notice; an empty page says why it is empty.
"""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from archivist.recall.filters import Filters
from archivist.recall.finding import Finder, Found, order
from archivist.recall.listing import list_range
from archivist.recall.matching import Matcher
from archivist.recall.packing import Packed, pack
from archivist.recall.pages import MASKED, Sheet, build_hits
from archivist.recall.query import ASIDE_SHARE, Query, read_query
from archivist.recall.question import Question, read_question
from archivist.recall.request import SearchRequest
from archivist.recall.telling import ONLY_HERE, has_more, named, told
from archivist.recall.titles import add_entries, add_titles
from archivist.records import Hit, Notice, Page
from archivist.store.connection import Connection
from archivist.store.conversations import (
    conversation_of,
    find_sessions,
    has_messages,
    list_sources,
    names_session,
    seen_by_model,
)
from archivist.store.index.reader import IndexDamaged
from archivist.store.index.search_index import SearchIndex
from archivist.store.rows import milliseconds
from archivist.store.scopes import are_all_scopes, visible_scopes

if TYPE_CHECKING:
    from archivist.recall.noted import Shelf

CATCH_UP_SECONDS: Final = 0.2


def search(
    state: Connection,
    index: SearchIndex,
    request: SearchRequest,
    *,
    shelf: "Shelf | None" = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Page:
    """What answers a request, best first, and what to know about it.

    Args:
        state: A reading connection to `state.db`.
        index: The full-text index; it may be behind, broken or missing.
        request: What is asked, by whom and when.
        shelf: What is noted, as far as the reader may see it and asks for it.
        monotonic: Seconds that only go forward, for the time budget.
    """
    return _Search(state, index, request, shelf, monotonic).run()


class _Search:
    def __init__(
        self,
        state: Connection,
        index: SearchIndex,
        request: SearchRequest,
        shelf: "Shelf | None",
        monotonic: Callable[[], float],
    ) -> None:
        self.state, self.index, self.request = state, index, request.bounded()
        self.shelf, self.seeks_messages = shelf, "message" in request.kinds
        deadline = monotonic() + request.seconds
        self.is_late = lambda: monotonic() >= deadline
        self.notices: list[Notice] = []

    def run(self) -> Page:
        if not self._can_be_answered():
            return Page((), tuple(self.notices))
        question = read_question(self.request)
        filters = self._filters(question)
        if filters is None:
            return Page((), tuple(self.notices))
        self.notices += question.query.notices
        if question.query.is_empty:
            hits = self._listed(question, filters)
        else:
            hits = self._at_one_moment(filters, lambda finder: self._found(finder, question, filters))
        if not hits:
            self._say_unknown_sources(filters)
        if any(hit.kind != "message" and MASKED in hit.why for hit in hits):
            text = "Something in these notes looks like a secret and is shown masked; `archivist doctor` says where, and what to do."
            self.notices.append(Notice("notes-masked", text))
        return Page(tuple(hits), tuple(dict.fromkeys(self.notices)))

    # ---- what may be found ----

    def _can_be_answered(self) -> bool:
        """Whether the bounds leave anything to answer."""
        request = self.request
        if request.limit == 0:
            self.notices.append(Notice("empty-limit", "A limit below 1 shows nothing; give at least 1."))
        if request.since is not None and request.until is not None and request.since >= request.until:
            since, until = (
                moment.astimezone(request.zone).isoformat(" ", "minutes")
                for moment in (request.since, request.until)
            )
            text = f"No time lies between since ({since}) and until ({until}); since must be the earlier one."
            self.notices.append(Notice("empty-time", text))
        return not self.notices

    def _say_unknown_sources(self, filters: Filters) -> None:
        """Which programs there are, where none of those that were asked for is one."""
        if not filters.sources or not self.seeks_messages:
            return
        known = list_sources(self.state, filters.scopes)
        if known and filters.sources.isdisjoint(known):
            asked, listed = ", ".join(sorted(filters.sources)), ", ".join(known)
            text = f"No conversation was held in {asked}; the sources are: {listed}."
            self.notices.append(Notice("unknown-source", text))

    def _filters(self, question: Question) -> Filters | None:
        request, conversation = self.request, None
        scopes = visible_scopes(self.state, request.reader)
        if request.conversation is not None:
            found = find_sessions(self.state, request.conversation, scopes)
            if not found:
                text = f"No conversation {request.conversation!r} can be seen here; browse shows the ids."
                self.notices.append(Notice("unknown-conversation", text))
                return None
            conversations = {conversation_of(self.state, key) for key in found}
            if len(conversations) > 1 and not names_session(self.state, request.conversation, found[0]):
                text = f"{request.conversation!r} begins the ids of {len(conversations)} conversations; give more of it."
                self.notices.append(Notice("ambiguous-conversation", text))
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
            latest=None if request.as_of is None else milliseconds(request.as_of),
        )

    def _listed(self, question: Question, filters: Filters) -> list[Hit]:
        """All of a time, or the newest of all, without any words; where there is nothing, whoever named the time."""
        hits, notices = list_range(
            self.state, filters, self.request, question.query.without, self.is_late, self.shelf
        )
        self.notices += notices
        if not hits and question.times:
            words, anytime = Question(read_query(self.request.text)), replace(filters, spans=())
            hits = self._at_one_moment(filters, lambda finder: self._answers(finder, words, anytime))
            if hits:
                these = "these messages" if self.shelf is None else "these"
                text = f"Nothing was said in “{'”, “'.join(question.times)}”; {these} have those words."
                self.notices.append(Notice("widened-time", text))
        if not hits:
            verb = "said" if self.shelf is None else "written down"
            text = f"No {self._sought()} was {verb} in that range within these filters; widen it."
            self.notices.append(self._none_stored(filters) or Notice("empty-range", text))
        return hits

    # ---- finding ----

    def _at_one_moment(self, filters: Filters, ask: Callable[[Finder], list[Hit]]) -> list[Hit]:
        """Ask while the index stands still; where it turns out to be damaged, ask again without it."""
        if not self.seeks_messages:
            return ask(Finder(self.state, self.request, None, self.is_late, self.shelf))
        self.notices += self.index.catch_up(CATCH_UP_SECONDS).notices
        said = len(self.notices)
        try:
            with self.index.reading() as reader:
                finder = Finder(self.state, self.request, reader, self.is_late, self.shelf)
                hits = ask(finder)
        except IndexDamaged:
            del self.notices[said:]
            finder = Finder(self.state, self.request, None, self.is_late, self.shelf)
            hits = ask(finder)
        self.notices += finder.notices(filters.scopes)
        return hits

    def _found(self, finder: Finder, question: Question, filters: Filters) -> list[Hit]:
        hits = self._answers(finder, question, filters)
        if hits:
            self._say_unknown_words(finder, question.query, filters, hits)
            return hits
        reason = self._none_stored(filters) or _why_none(finder, question.query, filters, self._sought())
        near = question.query.near()
        if reason.code == "no-such-words" and near.terms and question.query.need is None:
            hits = self._answers(finder.afresh(), replace(question, query=near), filters)
            if hits:
                starts = ", ".join(f"{term.text}…" for term in near.terms)
                text = f"No stored {self._sought()} has any of these words; these have words that begin so: {starts}."
                reason = Notice("near-words", text)
        self.notices.append(reason)
        return hits

    def _say_unknown_words(self, finder: Finder, query: Query, filters: Filters, hits: Sequence[Hit]) -> None:
        """Which words of the question stand nowhere, though others do; not where a name was asked for."""
        unknown = finder.unknown(query, filters)
        if (words := named(query, unknown)) and not any(
            reason in ("id", "title") for hit in hits for reason in hit.why
        ):
            text = f"No stored {self._sought()} has {told(words)}; these have other words of the question."
            self.notices.append(Notice("unknown-words", text))

    def _answers(self, finder: Finder, question: Question, filters: Filters) -> list[Hit]:
        query = question.query
        found = _timely(finder, question, filters)
        if not found.scored and query.need is not None and query.free:
            query = query.relaxed()
            found = _timely(finder, replace(question, query=query), filters)
            if found.scored:
                text = f"No {self._sought()} has all that was demanded with quotes or operators; these have some of the words."
                self.notices.append(Notice("relaxed", text))
        share = None if filters.conversation is not None else self.request.per_conversation
        first, rest = found.scored[: found.first], found.scored[found.first :]
        packed = pack(first, rest, limit=self.request.limit, per_conversation=share)
        if question.times:
            self._say_other_times(question, packed)
        sheet = Sheet(query, Matcher(query.terms), found.weights, self.request, filters.scopes, self.shelf)
        hits = build_hits(self.state, packed, sheet)
        if self.shelf is not None:
            hits = add_entries(self.state, self.shelf, hits, filters, self.request)
        return add_titles(self.state, hits, filters, self.request) if self.seeks_messages else hits

    def _say_other_times(self, question: Question, packed: Sequence[Packed]) -> None:
        named = Filters(spans=question.spans, hidden=True)
        inside = sum(named.admits(each.scored.document) for each in packed)
        if inside < len(packed):
            text = f"{len(packed) - inside} of these hits are not from “{'”, “'.join(question.times)}”; their dates tell which."
            self.notices.append(Notice("widened-time", text))

    def _none_stored(self, filters: Filters) -> Notice | None:
        if self.shelf or (self.seeks_messages and has_messages(self.state, filters.scopes)):
            return None
        text = "No messages are stored here yet; import a history or begin a session."
        if not self.seeks_messages:
            text = "Nothing is noted here yet; `archivist memory add` and `archivist daily` note something."
        return Notice("nothing-stored", text)

    def _sought(self) -> str:
        """What was looked through, in a word for one of it."""
        if self.shelf is None:
            return "message" if self.seeks_messages else "note"
        return "message or note" if self.seeks_messages else "note"


def _timely(finder: Finder, question: Question, filters: Filters) -> Found:
    """Finds of the times that the question names which have any telling word of it, then all others, best first."""
    found = finder.find(question.query, filters)
    if not question.times:
        return found
    anytime = finder.find(question.query, replace(filters, spans=()))
    telling = _telling(question.query)
    first = [each for each in found.scored if each.has & telling]
    inside = {each.document.id for each in first}
    poor = {each.document.id: each for each in found.scored if each.document.id not in inside}
    others = [each for each in anytime.scored if each.document.id not in inside | poor.keys()]
    others = sorted([*poor.values(), *others], key=order)
    if first and others and others[0].score > 0:
        lowered = min(1.0, 0.9 * first[-1].score / others[0].score)
        for each in others:
            each.score *= lowered
    return Found([*first, *others], anytime.weights, len(first))


def _telling(query: Query) -> int:
    """The terms, as bits, that say what is asked about: not the words of time, nor those around the question."""
    return sum(
        1 << number
        for number, term in enumerate(query.terms)
        if term.kind != "verbatim" and term.weight > ASIDE_SHARE
    )


def _why_none(finder: Finder, query: Query, filters: Filters, sought: str) -> Notice:
    """Why nothing was found; never anything about what the reader may not see."""
    if not filters.hidden and finder.find(query, replace(filters, hidden=True)).scored:
        text = (
            "These words stand only on paths that were left; ask for those too (--branches, branches=True)."
        )
        return Notice("on-branch", text)
    if reason := _beside(finder, query, filters):
        return reason
    filters = replace(filters, excluded=frozenset())
    if query.without and finder.find(replace(query, without=()), filters).scored:
        text = f"Every {sought} with these words also has one that was left out with NOT or a minus; ask without that."
        return Notice("left-out", text)
    if query.need is not None and finder.find(query.relaxed(), filters).scored:
        text = (
            f"No {sought} has all that was demanded with quotes or operators, though some have words of it;"
            " ask without them."
        )
        return Notice("too-strict", text)
    if finder.is_partial(filters.scopes):
        text = "None of the messages searched so far has any of these words, and some are not searched yet; ask again."
        return Notice("not-found-yet", text)
    return _unknown_words(finder, query, filters, sought)


def _beside(finder: Finder, query: Query, filters: Filters) -> Notice | None:
    """Where the words stand that no message within the filters has."""
    widened = filters.widened()
    if filters.is_narrow and finder.find(query, replace(widened, excluded=filters.excluded)).scored:
        return Notice(
            "filtered-away", "These words occur, but not within the given filters; widen the filters."
        )
    if filters.excluded and finder.find(query, widened).scored:
        return Notice("only-here", ONLY_HERE)
    return None


def _unknown_words(finder: Finder, query: Query, filters: Filters, sought: str) -> Notice:
    """That all words of a query stand nowhere, or those that tell what it is about."""
    unknown = finder.unknown(query, filters)
    if (words := named(query, unknown)) and has_more(query, unknown):
        text = f"No stored {sought} has {told(words)}, and the other words say too little alone; try others."
        return Notice("unknown-words", text)
    return Notice("no-such-words", f"No stored {sought} has any of these words; try others.")
