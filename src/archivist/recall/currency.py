"""Which of several statements holds now: what was said later, where nothing else tells them apart.

Words alone do not know that "2 degrees" replaced "4 degrees". Of two statements by the same side that differ in a number and in little
else, and are worth about the same, the later comes first. A question that asks how things are now goes further: what is newer counts
more, and what says that something changed.
"""

from collections.abc import Sequence
from typing import Final

from archivist.recall.levelling import level
from archivist.recall.ranking import NOTED, Scored
from archivist.recall.surroundings import NOTED_SHARE
from archivist.records.patterns import late_pattern

TIE_SHARE: Final = 0.92
"""Finds of the same words whose worth differs by less are as good as each other; BM25 tells such texts apart by their length alone."""
VARIANT_SHARE: Final = 0.5
"""Of the words of two statements that say the same of a thing with another value, at least so many are common to both."""
LONGEST_STATEMENT: Final = 400
"""Characters; longer texts say many things."""
NEWNESS_SHARE: Final = 0.5
"""What the newest find gains over the oldest where the present is asked for."""
CHANGE_FACTOR: Final = 1.5
"""For a text that says that something changed, where the present is asked for."""
COMPARED_SHARE: Final = 0.15
"""Finds worth less than this share of the best are left as they are."""

COMPARED_FINDS: Final = 20
"""Places of the ranking in which a newer statement is looked for."""

_WORD: Final = late_pattern(r"[^\W_]+")
_PRESENT: Final = late_pattern(
    r"(?i)\b(?:now|currently|nowadays|these days|at present|at the moment|any ?more)\b|现在|目前|如今|眼下|当前"
)
_CHANGE: Final = late_pattern(
    r"(?i)\b(?:now|moved|changed|switched|updated?|replaced|corrected|correction|instead|no longer|from now on)\b"
    r"|现在|改为|改成|换成|改到|更新|更正|不再"
)


def asks_for_present(text: str) -> bool:
    """Whether a question asks how things are now: "which port does it listen on now?", 现在用哪个端口."""
    return _PRESENT.search(text) is not None


def prefer_present(scored: Sequence[Scored]) -> None:
    """Raise what is newer and what tells of a change, among finds that are worth comparing."""
    best = max((each.score for each in scored), default=0.0)
    compared = [each for each in scored if each.score >= COMPARED_SHARE * best]
    compared.sort(key=lambda each: (each.document.created_at, each.document.id))
    for place, each in enumerate(compared):
        factor = 1 + NEWNESS_SHARE * place / max(1, len(compared) - 1)
        if _CHANGE.search(each.document.speech):
            factor *= CHANGE_FACTOR
        each.score *= factor
        each.parts["present"] = factor


def put_newest_first(ranked: list[Scored]) -> None:
    """Reorder finds, best first, so that of statements which give a thing another value the newest leads; worths stay in their places."""
    for place, each in enumerate(ranked[:COMPARED_FINDS]):
        later = place + 1
        while later < len(ranked) and ranked[later].score >= TIE_SHARE * _fit(each):
            if _is_newer(ranked[later], ranked[place]) and _are_variants(ranked[later], ranked[place]):
                _swap(ranked, place, later)
            later += 1


def _fit(each: Scored) -> float:
    """What a find is worth by its words: that it was noted does not make it hold longer."""
    return each.score / NOTED_SHARE if NOTED in each.parts else each.score


def _swap(ranked: list[Scored], one: int, other: int) -> None:
    ranked[one], ranked[other] = ranked[other], ranked[one]
    ranked[one].score, ranked[other].score = ranked[other].score, ranked[one].score


def _is_newer(one: Scored, other: Scored) -> bool:
    return (one.document.created_at, one.document.id) > (other.document.created_at, other.document.id)


def _are_variants(one: Scored, other: Scored) -> bool:
    """Whether two finds are one side's statements of the same thing with different numbers."""
    if one.has != other.has:
        return False
    if one.document.role != other.document.role and not (NOTED in one.parts or NOTED in other.parts):
        return False
    if not 0 < max(len(one.document.speech), len(other.document.speech)) <= LONGEST_STATEMENT:
        return False
    mine, others = (set(_WORD.findall(level(each.document.speech))) for each in (one, other))
    are_alike = len(mine & others) >= VARIANT_SHARE * len(mine | others)
    return are_alike and any(word.isdigit() for word in mine ^ others)
