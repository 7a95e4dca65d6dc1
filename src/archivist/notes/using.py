"""Which entries a conversation used.

- *used*: what an assistant said or called rests on the entry: it has an identifier or a path of it, or two of its distinctive terms in one
  sentence, that neither a person nor a tool had said before in that session. What was said before needs no memory.
- *restated*: a person said the same again, not as a question.
- *present*: the entry was noted before the session began, and the session ended without a correction of it; once for each day of it.

All of it is judged by words alone, and errs on the side of finding too little: what is missed fades a little sooner, what is found without
cause would keep something in the core for ever.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import cached_property
from typing import Any, Final

import msgspec

from archivist.notes.commonplace import COMMON
from archivist.notes.distinctive import Terms, apart, terms_of
from archivist.notes.likeness import Profile, likeness, normal, profile
from archivist.notes.retention import aware
from archivist.notes.saying import saying
from archivist.notes.sentences import sentences_of
from archivist.notes.wordings import MEANT_AS, PROGRESSIVE
from archivist.records import Message, Role
from archivist.records.notes import Entry, Use
from archivist.records.patterns import late_pattern

SAME: Final = 0.6
"""So alike is a sentence that says the same, if it has the same terms too."""
COVERED: Final = 0.8
"""So much of an entry's distinctive terms such a sentence has."""
CLOSE: Final = 0.7
"""So alike is a sentence that says the same but for a number or a negation, and corrects it."""
ENOUGH: Final = 2
"""So many distinctive words of an entry in one sentence say that it was used."""
COMMAND_CHARS: Final = 200
"""In arguments up to this length every word is chosen, and one is enough."""
MOST_CHARS: Final = 20_000
"""Of one message; what lies behind is not looked at."""
MOST_SENTENCE: Final = 600
"""What a person pastes in longer stretches is no statement about an entry."""

_NEGATION: Final = late_pattern(
    r"\b(?:not|no|never|nor|without|cannot|nicht|kein\w*|nie|niemals|ohne|pas|jamais|sans|nunca|sin|não|sem|не|нет|никогда|без)\b"
    r"|n['’]t\b|不|没|無|别|勿|ない|ません|않|안 |못"
)
_NUMBERS: Final = late_pattern(r"\d+(?:[.,:]\d+)*")
_OTHERWISE: Final = late_pattern(
    r"\A(?:no|nope|nein|non|nee|não|нет)\b[ ,.!]|\b(?:actually|wrong|incorrect|outdated|obsolete|no longer|any ?more|instead of)\b"
    r"|\b(?:falsch|veraltet|nicht mehr|faux|incorrecto|errado|неверно|неправильно|больше не)\b|\bnot\b.{1,60}\bbut\b"
    r"|不对|其实|错|過時|过时|不是.{1,20}是|改成|改为|違い|違う|間違|틀렸|아니"
)

_STAND_INS: Final = COMMON.union(PROGRESSIVE.values(), *MEANT_AS.values())
"""Words that `saying` may have put in the place of others."""


class Said(msgspec.Struct, frozen=True):
    """One message, as far as uses can be told from it.

    Attributes:
        calls: The arguments of the calls that it makes, as text.
    """

    role: Role
    text: str
    at: datetime
    session_id: str | None = None
    calls: tuple[str, ...] = ()

    @classmethod
    def of(cls, message: Message, now: datetime) -> "Said":
        """The same of a message; one that tells no time was said now."""
        calls = tuple("\n".join(_leaves(call.arguments)) for call in message.tool_calls)
        return cls(message.role, message.text, message.created_at or now, message.session_id, calls)


def uses_in(entries: Iterable[Entry], said: Sequence[Said]) -> list[Use]:
    """The uses of entries in what was said, in order of time.

    Args:
        entries: Those that the prompt carried, and those of the archive that were read.
        said: Messages of sessions that have ended, in their order; several sessions may be told at once.
    """
    return Watched(entries).uses_in(said)


class _Statement:
    """A text with what tells it from others, each found when it is first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def normal(self) -> str:
        return normal(self.text)

    @cached_property
    def is_negative(self) -> bool:
        return bool(_NEGATION.search(self.normal))

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBERS.findall(self.normal))

    @cached_property
    def says_otherwise(self) -> bool:
        return bool(_OTHERWISE.search(self.normal))

    @cached_property
    def profile(self) -> Profile:
        return profile(self.text)

    def is_like(self, other: "_Statement", bound: float) -> bool:
        return likeness(self.profile, other.profile, bound) >= bound


class _Known(_Statement):
    """An entry with what it is known by."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.text)
        self.entry, self.terms = entry, terms_of(entry.text)
        self.noted_at = aware(entry.observed_at)

    def use(self, at: datetime, kind: Any, session: str | None) -> Use:  # noqa: ANN401 - a kind of use
        return Use(self.entry.id, at, kind, session)

    def is_corrected_by(self, sentence: _Statement) -> bool:
        """Whether a sentence, which shares a term with it, says otherwise."""
        if sentence.says_otherwise:
            return True
        differs = sentence.is_negative != self.is_negative or sentence.numbers != self.numbers
        return differs and self.is_like(sentence, CLOSE)

    def is_restated_by(self, sentence: _Statement, terms: Terms) -> bool:
        """Whether a sentence says the same in other words."""
        if sentence.is_negative != self.is_negative or sentence.numbers != self.numbers:
            return False
        enough = _shared(self.terms, terms) >= COVERED * self.terms.count > 0
        return enough and self.is_like(sentence, SAME)

    def is_used_by(self, terms: Terms, before: set[str], *, is_command: bool) -> bool:
        if self.terms.names_in(terms) - before:
            return True
        words = (self.terms.words & terms.words) - before
        pairs = [
            place for pair, place in self.terms.pairs.items() if pair in terms.pairs and pair not in before
        ]
        rare = [word for word in words if not word[0].isdigit()]
        count = len(words) + apart(pairs)
        return bool(is_command and rare) or (count >= ENOUGH and 3 * count >= self.terms.count)


class Watched:
    """Entries by what they are known by, so that a sentence is held against those alone that share something with it.

    Args:
        entries: Those that the prompt carried, and those of the archive that were read.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.all = [_Known(entry) for entry in entries]
        self._by_term: dict[str, list[_Known]] = {}
        self._by_saying: dict[str, list[_Known]] = {}
        for one in self.all:
            self._by_saying.setdefault(saying(one.entry.text), []).append(one)
            for term in one.terms.all:
                self._by_term.setdefault(term, []).append(one)
        self._signs = {_sign(one.text) for one in self.all if not one.terms.count}

    def uses_in(self, said: Iterable[Said]) -> list[Use]:
        """As the function of that name; where that is looked for in several conversations, the entries are read once."""
        sessions: dict[str | None, list[Said]] = {}
        for one in said:
            sessions.setdefault(one.session_id, []).append(one)
        found = [use for turns in sessions.values() for use in _uses_in_session(self, turns)]
        unique = {
            (use.entry_id, use.kind, use.session_id, aware(use.at).date()): use for use in reversed(found)
        }
        return sorted(unique.values(), key=lambda use: (aware(use.at), use.entry_id, use.kind))

    def terms_in(self, text: str, among: Iterable[str] | None = None) -> set[str]:
        """Terms that stand somewhere in a text, be it within another word.

        Args:
            text: Of a message, or a sentence of one.
            among: Those that can: the ones of the message that a sentence is of.
        """
        level = _level(text).replace("\\", "/")
        return {term for term in (self._by_term if among is None else among) if term in level}

    def may_say_plainly(self, text: str) -> bool:
        """Whether a text may say what an entry without any term says."""
        level = _level(text) if self._signs else ""
        return any(sign in level for sign in self._signs)

    def near(self, terms: Terms) -> list[_Known]:
        """Those that share a term."""
        found = {id(one): one for term in terms.all for one in self._by_term.get(term, ())}
        return list(found.values())

    def same(self, sentence: str) -> list[_Known]:
        """Those that say the same."""
        return self._by_saying.get(saying(sentence), [])


def _uses_in_session(watched: Watched, turns: Sequence[Said]) -> Iterator[Use]:
    begun = min(aware(turn.at) for turn in turns)
    before, corrected, last = set[str](), set[str](), dict[date, Said]()
    for turn in turns:
        last[aware(turn.at).date()] = turn
        if turn.role == "assistant":
            yield from _used_in(turn, watched, begun, before)
        elif turn.role in {"user", "tool"}:
            there = watched.terms_in(turn.text[:MOST_CHARS])
            if turn.role == "user":
                yield from _restated_in(turn, watched, there, corrected)
            before |= there
    for turn in last.values():
        for one in watched.all:
            if one.entry.tier == "core" and one.noted_at <= begun and one.entry.id not in corrected:
                yield one.use(turn.at, "present", turn.session_id)


def _used_in(turn: Said, watched: Watched, begun: datetime, before: set[str]) -> Iterator[Use]:
    for text, is_command in (
        (turn.text, False),
        *((call, len(call) <= COMMAND_CHARS) for call in turn.calls),
    ):
        there = watched.terms_in(text[:MOST_CHARS])
        if there <= before:
            continue  # no sentence of it rests on a memory
        for sentence in [text] if is_command else sentences_of(text[:MOST_CHARS]):
            if watched.terms_in(sentence, there) <= before:
                continue
            terms = terms_of(sentence)
            for one in watched.near(terms):
                if one.noted_at <= begun and one.is_used_by(terms, before, is_command=is_command):
                    yield one.use(turn.at, "used", turn.session_id)


def _restated_in(turn: Said, watched: Watched, there: set[str], corrected: set[str]) -> Iterator[Use]:
    is_plain = watched.may_say_plainly(turn.text[:MOST_CHARS])
    for sentence in sentences_of(turn.text[:MOST_CHARS]) if there or is_plain else ():
        if len(sentence) > MOST_SENTENCE:
            continue
        if not (watched.terms_in(sentence, there) or (is_plain and watched.may_say_plainly(sentence))):
            continue
        terms, same, statement = terms_of(sentence), watched.same(sentence), _Statement(sentence)
        for one in {id(one): one for one in (*same, *watched.near(terms))}.values():
            if one.noted_at > aware(turn.at):
                continue
            if one in same or one.is_restated_by(statement, terms):
                if not sentence.endswith(("?", "？")):
                    yield one.use(turn.at, "restated", turn.session_id)
            elif one.is_corrected_by(statement):
                corrected.add(one.entry.id)


def _level(text: str) -> str:
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold()


def _sign(text: str) -> str:
    """A word that everything has which says the same as this text; empty where each of its words may stand for another."""
    words = saying(text).split()
    kept = [word for word in words if word.isascii() and word.isalnum() and word.casefold() not in _STAND_INS]
    return max(kept, key=len, default="").casefold()


def _shared(one: Terms, other: Terms) -> int:
    pairs = [place for pair, place in one.pairs.items() if pair in other.pairs]
    return len(one.names_in(other)) + len(one.words & other.words) + apart(pairs)


def _leaves(arguments: str) -> Iterator[str]:
    """The texts in the arguments of a call."""
    try:
        waiting: list[Any] = [msgspec.json.decode(arguments)]
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        waiting = [arguments]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting += reversed(value.values())
        elif isinstance(value, list):
            waiting += reversed(value)
