"""Time expressions of a text, put together from what the rules of every language find in it.

The leftmost and longest of overlapping expressions wins; the words beside it narrow it to a time of day, join
two into a range or make it a bound. Each step only turns a reading into another one or drops it.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta

import msgspec
from msgspec.structs import replace

from archivist.recall.when import chinese, english
from archivist.recall.when.readings import (
    Bound,
    Clock,
    Grammar,
    Grip,
    Reading,
    Rule,
    bounded,
    measured,
    read_rule,
)

_GRAMMARS = (english.GRAMMAR, chinese.GRAMMAR)
_BOUNDS_BEFORE = tuple(each for grammar in _GRAMMARS for each in grammar.bounds_before)
_BOUNDS_AFTER = tuple(each for grammar in _GRAMMARS for each in grammar.bounds_after)
_AROUND_CHARS = 32
"""How far back the words that bound an expression are looked for."""


class Phrase(msgspec.Struct, frozen=True):
    """An expression on its way to a period."""

    start: int
    end: int
    reading: Reading
    grammar: Grammar
    rule: Rule
    match: re.Match[str]
    named: bool = False
    """It belongs to the name of a thing."""


def find_phrases(text: str, clock: Clock, *, end: int) -> list[Phrase]:
    """The time expressions of a folded text that end by `end`, in their order, none inside another."""
    phrases = _join(
        text, [_narrow(text, phrase) for phrase in _leftmost_longest(_candidates(text, clock, end))], clock
    )
    placed = (_bound(text, phrase, clock) for phrase in _standing(text, phrases))
    return _leftmost_longest(phrase for phrase in placed if phrase is not None)


def _candidates(text: str, clock: Clock, end: int) -> Iterator[Phrase]:
    for grammar in (each for each in _GRAMMARS if each.clue.search(text)):
        for rule in grammar.rules:
            for match in rule.pattern.finditer(text):
                reading = read_rule(rule, match, clock) if match.end() <= end else None
                if reading is not None:
                    yield Phrase(match.start(), match.end(), reading, grammar, rule, match)


def _leftmost_longest(phrases: Iterable[Phrase]) -> list[Phrase]:
    kept: list[Phrase] = []
    for phrase in sorted(phrases, key=lambda each: (each.start, -each.end)):
        if not kept or phrase.start >= kept[-1].end:
            kept.append(phrase)
    return kept


def _narrow(text: str, phrase: Phrase) -> Phrase:
    for _ in range(2):  # "yesterday afternoon at 3pm"
        narrowed = phrase.grammar.narrow(text, phrase.start, phrase.end, phrase.reading)
        if narrowed is None:
            break
        weak = phrase.reading.weak and narrowed.start == phrase.start
        reading = replace(narrowed.reading, weak=weak)
        phrase = replace(phrase, start=narrowed.start, end=narrowed.end, reading=reading)
    return phrase


def _join(text: str, phrases: list[Phrase], clock: Clock) -> list[Phrase]:
    joined: list[Phrase] = []
    for phrase in phrases:
        both = _range(text, joined[-1], phrase, clock) if joined else None
        if both is None:
            joined.append(phrase)
        else:
            joined[-1] = both
    return joined


def _range(text: str, left: Phrase, right: Phrase, clock: Clock) -> Phrase | None:
    grammar = left.grammar
    opening = grammar.range_before.search(text[max(0, left.start - _AROUND_CHARS) : left.start])
    between = text[left.end : right.start]
    joiner = grammar.range_joiner if opening else grammar.bare_joiner
    if not joiner.fullmatch(between) or not (opening or _names_range(text, left, right)):
        return None
    first = _beside(left, right, clock)
    if first.since > right.reading.since:
        return None
    grips = {first.grip, right.reading.grip}
    grip = next(grip for grip in (Grip.VAGUE, Grip.PAST, Grip.DATED, Grip.OPEN) if grip in grips)
    closing = grammar.range_after.match(text, right.end)
    return replace(
        left,
        start=left.start - len(opening[0]) if opening else left.start,
        end=closing.end() if closing else right.end,
        reading=Reading(first.since, right.reading.until, grip, floating=grip is Grip.OPEN),
        named=False,
    )


def _beside(left: Phrase, right: Phrase, clock: Clock) -> Reading:
    """The left end of a range, read by the right one where it is only the nearest past one: Nov to Feb."""
    if not left.reading.floating:
        return left.reading
    again = read_rule(left.rule, left.match, clock.on(right.reading.since.date()))
    narrowed = left.reading.until - left.reading.since
    return again if again and again.until - again.since == narrowed else left.reading


def _names_range(text: str, left: Phrase, right: Phrase) -> bool:
    """Whether two expressions make a range without "from": neither may be a plain word by itself."""
    return all(not phrase.reading.weak or text[phrase.start].isupper() for phrase in (left, right))


def _standing(text: str, phrases: list[Phrase]) -> list[Phrase]:
    """The phrases without the weak ones that nothing makes a time."""
    kept: list[Phrase] = []
    for phrase in phrases:
        stands = not phrase.reading.weak or phrase.grammar.stands(text, phrase.start, phrase.end)
        if stands or (kept and phrase.grammar.also.fullmatch(text, kept[-1].end, phrase.start)):
            kept.append(phrase)
    return kept


def _bound(text: str, phrase: Phrase, clock: Clock) -> Phrase | None:
    """The phrase with "since", "two days before" and the like applied, or None when nothing past is left."""
    grammar = phrase.grammar
    before = text[max(0, phrase.start - _AROUND_CHARS) : phrase.start]
    owner = grammar.possessive.match(text, phrase.end)
    end = owner.end() if owner else phrase.end
    for pattern, bound in _BOUNDS_BEFORE:
        found = pattern.search(before)
        if found:
            lead = before[: found.start()]
            measure = grammar.measure_before(lead) if bound in {Bound.BEFORE, Bound.AFTER} else None
            if measure:
                phrase, lead = _measured(phrase, bound, measure[1]), lead[: measure[0]]
                return replace(phrase, start=phrase.start - len(before) + len(lead), end=end)
            start = phrase.start - len(before) + len(lead)
            end = _said_again(text, end, bound)
            return _bounded(phrase, bound, clock, start=start, end=end, loose=owner is not None)
    behind = _bound_behind(text, phrase, clock)
    return behind or replace(phrase, end=end, named=_is_named(before, phrase))


def _said_again(text: str, end: int, bound: Bound) -> int:
    """The end with a word that bounds the other side alike: 自 3 月以来."""
    again = (pattern.match(text, end) for pattern, other in _BOUNDS_AFTER if other is bound)
    return max((found.end() for found in again if found), default=end)


def _bound_behind(text: str, phrase: Phrase, clock: Clock) -> Phrase | None:
    """The same for words behind it, or None when there are none."""
    measure = phrase.grammar.measure_after(text, phrase.end)
    if measure:
        return replace(_measured(phrase, measure[1], measure[2]), end=measure[0])
    for pattern, bound in _BOUNDS_AFTER:
        found = pattern.match(text, phrase.end)
        if found:
            return _bounded(phrase, bound, clock, start=phrase.start, end=found.end(), loose=False)
    return None


def _bounded(
    phrase: Phrase, bound: Bound, clock: Clock, *, start: int, end: int, loose: bool
) -> Phrase | None:
    reading = bounded(phrase.reading, bound, clock, loose=loose)
    return None if reading is None else replace(phrase, start=start, end=end, reading=reading)


def _measured(phrase: Phrase, bound: Bound, length: timedelta) -> Phrase:
    return replace(phrase, reading=measured(phrase.reading, bound, length))


def _is_named(before: str, phrase: Phrase) -> bool:
    return phrase.reading.grip is Grip.DATED and phrase.grammar.naming_before.search(before) is not None
