"""Statements that differ only in a value of which there is one at a time: where somebody lives, on which port something listens.

Of a thing that may have several values at once - what somebody likes, which languages they speak - two statements do not exclude each
other. So the relation must be one of those known, or the value a number; and both values must be of one kind.
"""

from collections.abc import Sequence
from typing import Final

from archivist.notes.frame_words import (
    ATTRIBUTES,
    ATTRIBUTES_IN_CHARACTERS,
    BEING,
    NO_PART_OF_A_VALUE,
    RELATIONS,
    RELATIONS_IN_CHARACTERS,
    SEVERAL,
)
from archivist.notes.frames import Terms, agree
from archivist.records.patterns import late_pattern
from archivist.store.index.folding import UNSEGMENTED

MOST_IN_A_VALUE: Final = 4
"""Words."""
MOST_CHARACTERS: Final = 10
"""In a script without spaces."""
_NUMBER: Final = late_pattern(r"\d(?:[\d.:]*\d)?|[零〇一二三四五六七八九十百两]+")
_UNSEGMENTED: Final = late_pattern(f"[{UNSEGMENTED}]")


def differ_in_a_value(one: Terms, other: Terms) -> bool:
    """Whether two statements, by their `bare` words, are the same but for such a value."""
    parts = slots(one, other)
    if parts is None or not parts[0]:
        return False
    before, mine, its, _ = parts
    if not _are_alike(mine, its):
        return False
    if not SEVERAL.isdisjoint(word.lower() for word in before) or _has_several_in_characters(before):
        return False
    if any(word.lower() in NO_PART_OF_A_VALUE for word in (*mine, *its)):
        return False
    return is_single(before, mine, its)


def differ_in_a_number(one: Terms, other: Terms) -> bool:
    """Whether two values are the same but for a number: 三楼 and 五楼, 8080 and 9090."""
    mine, its = "".join(one), "".join(other)
    shape = _NUMBER.sub("#", mine)
    return mine != its and "#" in shape and shape == _NUMBER.sub("#", its)


def slots(one: Terms, other: Terms) -> tuple[Terms, Terms, Terms, Terms] | None:
    """What two statements have in common before and behind the one stretch in which they differ, and that of each."""
    if one[:1] == ("user",) and other[:1] != ("user",):
        one = one[1:]
    elif other[:1] == ("user",) and one[:1] != ("user",):
        other = other[1:]
    first, shorter = 0, min(len(one), len(other))
    while first < shorter and agree(one[first], other[first], first):
        first += 1
    last = 0
    while last < shorter - first and agree(one[-1 - last], other[-1 - last]):
        last += 1
    mine, its = one[first : len(one) - last], other[first : len(other) - last]
    longest = MOST_CHARACTERS if _is_unsegmented(mine) or _is_unsegmented(its) else MOST_IN_A_VALUE
    if not mine or not its or max(len(mine), len(its)) > longest:
        return None
    return one[:first], mine, its, one[len(one) - last :]


def is_single(before: Terms, mine: Terms, its: Terms) -> bool:
    """Whether what stands before a value tells of a thing that has one at a time."""
    low = tuple(word.lower() for word in before)
    if any(low[-len(relation) :] == relation for relation in RELATIONS):
        return True
    joined = "".join(before)
    if joined.endswith(RELATIONS_IN_CHARACTERS) or (
        joined.endswith(ATTRIBUTES_IN_CHARACTERS) and len(joined) >= 2
    ):
        return True
    if low[-1] in BEING and not ATTRIBUTES.isdisjoint(low[:-1]):
        return True
    numbers = all(len(value) == 1 and value[0][0].isdigit() for value in (mine, its))
    return numbers and (not BEING.isdisjoint(low) or low[-1] in ATTRIBUTES)


def _are_alike(mine: Terms, its: Terms) -> bool:
    return _kind(mine) == _kind(its)


def _kind(value: Terms) -> str:
    """A number, a name or a word; of scripts without spaces whatever it is."""
    head = value[-1]
    if any(any(map(str.isdigit, part)) for part in value):
        return "number"
    if _UNSEGMENTED.match(head):
        return "characters"
    return "name" if any(part[:1].isupper() for part in value) else "word"


def _is_unsegmented(value: Sequence[str]) -> bool:
    return any(_UNSEGMENTED.match(word) for word in value)


def _has_several_in_characters(before: Terms) -> bool:
    joined = "".join(before)
    return any(one in joined for one in ("喜欢", "爱", "会说", "讨厌", "支持", "好き", "좋아"))
