"""What a statement that corrects another says itself: “the port is 9090, not 8080” says that the port is 9090.

So a correction can be corrected in its turn. Only what it plainly says counts: where the words for the former value may tell more than
that, nothing is made out.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from archivist.notes import correction_words as cues
from archivist.notes.cue_places import (
    ENDS,
    denials,
    end_of_clause,
    find,
    may_follow,
    plainly,
    spans,
    timeless,
    to_the_end,
    without_do,
    without_opening,
)
from archivist.notes.frame_words import NO_PART_OF_A_VALUE
from archivist.notes.frames import Terms, agree
from archivist.notes.single_valued import MOST_CHARACTERS, MOST_IN_A_VALUE

_MOST_IN_A_CLAUSE: Final = 12


@lru_cache(maxsize=1_024)
def said_anew(text: str) -> tuple[Terms, ...]:
    """The ways to say, in `timeless` words, what a text that corrects something says itself; none for any other text."""
    whole = plainly(text)
    if not whole or not ENDS.isdisjoint(whole):
        return ()
    said = without_opening(whole)
    found = [timeless(one) for read in _READERS for one in read(said)]
    if not found and said != whole:
        found = [timeless(said)]
    return tuple(dict.fromkeys(found))


def _before_the_cue(said: Terms) -> Iterator[Terms]:
    """Of “at Kern, not Birk”."""
    for start, end in spans(said, cues.behind(said)):
        first, rest = said[:start], said[end:]
        if not first or not may_follow(rest):
            continue
        comma = rest.index(",") if "," in rest else 0
        if comma and len(first) <= MOST_IN_A_VALUE:
            yield (*first, *rest[comma + 1 :])
        former = min(to_the_end(rest), key=len)
        if _is_a_value(former, first):
            yield first


def _is_a_value(former: Terms, first: Terms) -> bool:
    """Whether the former value is no more than that: of “tabs in Makefiles” nobody knows whether the rest belongs to both values."""
    most = MOST_IN_A_VALUE if former[-1].isascii() else MOST_CHARACTERS
    if former[0] in first:  # “for Moss, not for Lund”
        former = former[1:]
    return 0 < len(former) <= most and "," not in former and NO_PART_OF_A_VALUE.isdisjoint(former)


def _behind_the_contrast(said: Terms) -> Iterator[Terms]:
    """Of “not at Birk but at Kern”."""
    for before, value, last, is_of_being in denials(said):
        if "," in last or len(last) > _MOST_IN_A_CLAUSE:
            continue
        yield (*before, *last)
        yield from _with_the_head(before, value, last)
        if is_of_being:
            yield (*before, "是", *last)


def _with_the_head(before: Terms, value: Terms, last: Terms) -> Iterator[Terms]:
    """Of “does not work at Lund but at Kern”: with what leads to both values."""
    if last[0] in value[1:]:
        yield (*before, *value[: value.index(last[0], 1)], *last)


def _in_its_place(said: Terms) -> Iterator[Terms]:
    """Of X ではなく Y: behind the cue, with the subject that stands before X."""
    for start, end in spans(said, cues.IN_PLACE_OF):
        rest = said[end:]
        if start and may_follow(rest):
            yield from ((*said[: at + 1], *rest) for at in range(1, start) if said[at] in cues.PARTICLES)


def _after_what_ended(said: Terms) -> Iterator[Terms]:
    """Of “no longer use npm, we use pnpm”."""
    for first, _ in (*cues.NO_LONGER, (("used", "to"), ())):
        for start in find(said, first):
            before, rest = without_do(said[:start]), said[start + len(first) :]
            end = end_of_clause(rest, 0)
            ended, then = rest[:end], _begun(rest[end:])
            if before and "," not in before and ended and then and len(then) <= _MOST_IN_A_CLAUSE:
                yield from _what_follows(before, ended, then)


def _begun(said: Terms) -> Terms:
    """Without the words that join it to what has ended."""
    at = next((at for at, word in enumerate(said) if word.lower() not in cues.THEN), len(said))
    then = said[at:]
    return then if "," not in then else ()


def _what_follows(before: Terms, ended: Terms, then: Terms) -> Iterator[Terms]:
    if then[0].lower() in cues.PRONOUNS or agree(then[0], before[0], 0):
        yield (*before, *(then[len(before) :] if then[: len(before)] == before else then[1:]))
        return
    for start, end in spans(then, cues.ANEW_IN_CHINESE):
        if not start:
            yield (*before, *ended[: 2 if ended[:2] == ("使", "用") else 1], *then[end:])
            return
    if agree(then[0], ended[0]) or before[-1] >= "\u3000":
        yield (*before, *_without_change(then))
    yield from _with_the_head(before, ended, then)


def _without_change(then: Terms) -> Terms:
    """Of 改为在Kern工作."""
    start, end = next(spans(then, cues.TURNED_INTO), (1, 1))
    return then[end:] if start == 0 and end < len(then) else then


def _moved_to(said: Terms) -> Iterator[Terms]:
    """Of “moved from Berlin to Munich”: with each word that may have stood between the subject and the former value."""
    verbs = {word.lower() for word in said if word.lower() in cues.CHANGED}
    for first, seconds in cues.FROM_TO if verbs else ():
        for start in find(said, (first,)):
            places = range(start + 2, min(len(said), start + 8))
            at = next((at for at in places if said[at].lower() in seconds), len(said))
            before = tuple(word for word in said[:start] if word.lower() not in cues.CHANGED | cues.HELPING)
            value = said[at + 1 :]
            if before and value and len(value) <= MOST_IN_A_VALUE and NO_PART_OF_A_VALUE.isdisjoint(value):
                between = {one for kind, words in cues.BETWEEN if verbs & kind for one in words}
                ways = (*((one,) for one in sorted(between)), *cues.BY_THEN)
                yield from ((*before, *way, *value) for way in ways if between.issuperset(way))


def _turned_into(said: Terms) -> Iterator[Terms]:
    """Of X 改为 Y."""
    for start, end in spans(said, cues.TURNED_INTO):
        first, value = said[:start], said[end:]
        out = next((at for at, word in enumerate(first) if word in cues.OUT_OF), start)
        if first[:out] and value and "," not in value and len(value) <= MOST_CHARACTERS:
            yield from ((*first[:out], *between, *value) for between in cues.BETWEEN_IN_CHINESE)


_READERS: Final = (
    _before_the_cue,
    _behind_the_contrast,
    _in_its_place,
    _after_what_ended,
    _moved_to,
    _turned_into,
)

__all__ = ["said_anew"]
