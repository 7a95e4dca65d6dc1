"""Which line replaces an earlier one, and which tells what became of a request: told by what two lines share and where they differ.

A later line replaces an earlier one if it names its value beside another, or is the same but for a value. If it says something else of the
same subject, or that something is so again or by now, the earlier one may still hold, and is told beside it. What was ruled is only
replaced by what names it. Both are kept in one place, so that no old value ever stands alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from archivist.compress.asking import asks, is_request
from archivist.compress.frames import Found, said_again
from archivist.compress.lines import Earlier, Line
from archivist.compress.weighing import (
    Weights,
    answers_no,
    commonplace,
    is_coded,
    is_negated,
    is_ruled,
    is_short,
)
from archivist.notes.sentences import sentences_of
from archivist.recall.stopwords import LIGHT
from archivist.records.patterns import late_pattern

_MOST_SHARING: Final = 12
"""A word that more lines have links none of them."""
_FEW: Final = 4
"""So many lines speak of a subject."""
_LEAST_OWN: Final = 3
"""A request that has fewer words of its own is known by all of them."""
_MOST_COMPARED: Final = 8
_QUOTED_CHARS: Final = 40
_MOST_EARLIER: Final = 2
_LONGEST_WORDS: Final = 28
_SUBJECT_TOKENS: Final = 5
"""A subject stands among so many words at the beginning."""
_BY_NOW: Final = late_pattern(
    r"\b(?:again|now|since|any ?more|no longer|finally|meanwhile|wieder|jetzt|inzwischen|nicht mehr|désormais|maintenant|de nouveau"
    r"|ahora|de nuevo|otra vez|agora|novamente|снова|теперь|больше не)\b|又|再(?!说|见|讲)|已|恢复|重新|现在|如今|もう|また|다시|이제"
)
_CLAUSES: Final = late_pattern(r"[;，。；]\s*|[,.!]\s+")
_BUT: Final = late_pattern(
    r"(?i)(?:but|however|though|although|except|aber|jedoch|allerdings|nur|mais|sauf|pero|salvo|mas|ma|но)\b|但|不过|只是|でも|ただ|하지만"
)
_AHEAD: Final = late_pattern(
    r"\b(?:will|shall|going to|yet|still|later|next|remain\w*|to[ -]?do|pending|only|partly|half\w*|so far"
    r"|wird|werde|noch|encore|todavía|aún|ainda|ещё|еще|erst|teilweise|bisher|bislang|solo|seulement|parcialmente)\b"
    r"|['’]ll\b|将|只|一半|部分|尚|待|稍后|还(?!原)|まだ|아직|\[ \]"
)
"""Looked for in small letters, like `_BY_NOW`."""


def linked(lines: Sequence[Line], weights: Weights) -> list[Line]:
    """The lines, in order, with what was said before of the same and what became of it; what is told beside another is no line any more."""
    linking = _Linking(lines, weights)
    is_fresh = False
    for at, line in enumerate(lines):
        if line.who != "tool":
            is_fresh = is_fresh or line.message >= 0
            if is_fresh:  # what an earlier pass linked is linked
                linking.look_back(at)
            linking.add(at)
    return [line for at, line in enumerate(linking.lines) if at not in linking.gone]


class _Linking:
    """The lines that were gone through, by their words and subjects."""

    def __init__(self, lines: Sequence[Line], weights: Weights) -> None:
        self.lines, self.gone, self._weights = list(lines), set[int](), weights
        self._words: dict[str, list[int]] = defaultdict(list)
        self._subjects: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self._requested: dict[str, list[int]] = defaultdict(list)
        self._requests: dict[int, set[str]] = {}
        self._begun: dict[str, tuple[str, ...]] = {}

    def add(self, at: int) -> None:
        """Take a line in, and what it says was said before."""
        line = self.lines[at]
        if line.who == "owner" and is_request(line.text):
            self._requests[at] = self._asked_for(line.text)
            for word in self._requests[at]:
                self._requested[word].append(at)
        for text in (line.text, *(one.text for one in line.earlier)):
            for word in self._weights.shared(text):
                self._words[word].append(at)
            self._subjects[self._subject(text)].append(at)

    def _asked_for(self, text: str) -> set[str]:
        """The words that tell one request from another, of the sentence that asks."""
        asking = next(filter(is_request, sentences_of(text)), text)
        words = self._weights.words(asking)
        own = {word for word in words if not (commonplace(word) or is_short(word))}
        return own if len(own) >= _LEAST_OWN else set(words)

    def look_back(self, at: int) -> None:
        """Link a line to those that it speaks of."""
        text = self.lines[at].text
        if asks(text):
            return
        words = self._weights.words(text)
        if len(words) > _LONGEST_WORDS:
            return
        among = self._words if self.lines[at].who == "owner" else self._requested
        for place in self._related(text, words, among)[:_MOST_COMPARED]:
            if place not in self.gone and self.lines[place].message != self.lines[at].message:
                self._link(place, at)

    def _link(self, place: int, at: int) -> None:
        one, later = self.lines[place], self.lines[at]
        if later.who == "agent" and one.who == "owner":
            self._report(place, at)
        elif later.who == "owner" or one.who == "agent":
            if self._replaces(one.text, later.text):
                self._tell_beside(at, (*one.earlier, Earlier(one.key, one.text, is_replaced=True)))
                self.gone.add(place)
            elif any(self._replaces(before.text, later.text) for before in one.earlier):
                self._take_over(place, at)
            elif (
                not one.earlier
                and not later.earlier
                and self._continues(one.text, later.text, is_agents=later.who == "agent")
            ):
                self._tell_beside(at, (Earlier(one.key, one.text, is_replaced=False),))
                self.gone.add(place)

    def _tell_beside(self, at: int, earlier: Sequence[Earlier]) -> None:
        line = self.lines[at]
        told = (*earlier, *line.earlier)
        still = [one for one in told if not one.is_replaced]
        kept = [one for one in told if one.is_replaced][-_MOST_EARLIER:]
        self.lines[at] = msgspec.structs.replace(line, earlier=(*still, *kept))

    def _take_over(self, place: int, at: int) -> None:
        """What is replaced moves from beside a line to beside what replaces it."""
        one, later = self.lines[place], self.lines[at]
        moved = [before for before in one.earlier if self._replaces(before.text, later.text)]
        rest = tuple(before for before in one.earlier if before not in moved)
        self.lines[place] = msgspec.structs.replace(one, earlier=rest)
        self._tell_beside(at, [msgspec.structs.replace(before, is_replaced=True) for before in moved])

    def _report(self, place: int, at: int) -> None:
        """What an agent said of a request goes with it."""
        request, later, words = self.lines[place], self.lines[at], self._requests.get(place, set())
        both = words.intersection(self._weights.words(later.text))
        rare = sum(len(self._words[word]) <= _FEW for word in both)
        if len(both) < 2 or (2 * len(both) < len(words) and rare < 2) or _quotes(later.text, request.text):
            return
        is_done = self._tells_of_the_end(later.text, both)
        self.lines[place] = msgspec.structs.replace(
            request, report=(later.key, later.text), is_done=is_done, is_asked=not is_done
        )
        self.gone.add(at)

    def _tells_of_the_end(self, text: str, both: set[str]) -> bool:
        """Whether a report says that all is done; what it says behind the words of the request counts where it restricts them."""
        clauses = [*filter(None, _CLAUSES.split(text))]
        shared = [at for at, clause in enumerate(clauses) if not both.isdisjoint(self._weights.words(clause))]
        last = shared[-1] if shared else len(clauses)
        telling = [clause for at, clause in enumerate(clauses) if at <= last or _BUT.match(clause)]
        return not any(is_negated(clause) or _AHEAD.search(clause.lower()) for clause in telling)

    def _related(self, text: str, words: Sequence[str], among: Mapping[str, list[int]]) -> list[int]:
        """Of some earlier lines those that share two telling words or a rare one, and of all those of the subject; the newest first."""
        counts: dict[int, int] = defaultdict(int)
        for places in [among[word] for word in words if word in among]:
            if len(places) <= _MOST_SHARING:
                for place in places:
                    counts[place] += 2 if len(places) <= _FEW else 1
        found = {place for place, count in counts.items() if count > 1}
        return sorted(found.union(self._of_subject(self._subject(text))), reverse=True)

    def _subject(self, text: str) -> tuple[str, ...]:
        found = self._begun.get(text)
        if found is None:
            found = self._begun[text] = _subject(text, self._weights.words(text))
        return found

    def _of_subject(self, subject: tuple[str, ...]) -> list[int]:
        places = self._subjects.get(subject, [])
        return places if len(subject) > 1 and len(places) <= _FEW else []

    def _replaces(self, one: str, later: str) -> bool:
        """Whether a later line says otherwise what an earlier one said."""
        return self._names_another_value(one, later) or self._again(one, later) == "otherwise"

    def _again(self, one: str, later: str) -> Found:
        """What a later line is to an earlier one of the same frame; what was forbidden is not undone by that."""
        mine, its = self._weights.words(one), self._weights.words(later)
        if len(mine) > _LONGEST_WORDS or asks(one) or is_negated(one):
            return ""
        is_aware = _BY_NOW.search(later.lower()) is not None or answers_no(later)
        return said_again(one, mine, later, its, is_aware=is_aware)

    def _names_another_value(self, one: str, later: str) -> bool:
        mine, its = self._weights.words(one), self._weights.words(later)
        others = _values(its)
        values = _values(mine) if others and len(mine) <= _LONGEST_WORDS else None
        if not values:
            return False
        plain, plainly = set(mine) - values, set(its) - others
        if not plain & plainly or asks(one):
            return False
        if values & others:
            return bool(others - values)
        is_same = plain <= plainly or plainly <= plain
        return is_same and not (is_ruled(one) or is_request(one) or is_request(later))

    def _continues(self, one: str, later: str, *, is_agents: bool) -> bool:
        """Whether a later line speaks of what has become of what an earlier one is about; an agent's must say so."""
        mine, its = self._weights.words(one), self._weights.words(later)
        if not (is_agents or is_ruled(one) or is_request(one)) and self._again(one, later):
            return True
        subject, is_by_now = self._subject(later), _BY_NOW.search(later.lower()) is not None
        is_of_subject = self._subject(one) == subject and bool(self._of_subject(subject))
        if is_agents and not (is_of_subject and is_by_now):
            return False
        if not is_of_subject and not (is_by_now and self._share_a_topic(mine, its)):
            return False
        return not (asks(one) or is_ruled(one) or is_request(one) or is_request(later))

    def _share_a_topic(self, mine: Sequence[str], its: Sequence[str]) -> bool:
        """Whether both name a word near their beginning that few others name."""
        return any(
            len(self._words[word]) <= _MOST_SHARING and word not in LIGHT for word in {*mine[:3]} & {*its[:3]}
        )


def _quotes(one: str, other: str) -> bool:
    """Whether one line repeats the other, or a good part of it."""
    return one[:_QUOTED_CHARS] in other or other[:_QUOTED_CHARS] in one


def _values(words: Iterable[str]) -> set[str]:
    return {word for word in words if is_coded(word)}


def _subject(text: str, words: Sequence[str]) -> tuple[str, ...]:
    """The two telling words with which a line begins; of one that begins otherwise, nothing."""
    telling = tuple(
        word for word in words[:4] if word not in LIGHT and (len(word) > 3 or not word.isascii())
    )[:2]
    if not text.isascii():
        return telling
    begun = " ".join(text.lower().split(None, _SUBJECT_TOKENS)[:_SUBJECT_TOKENS])
    return telling if all(word.lower() in begun for word in telling) else ()


__all__ = ["linked"]
