"""Which finds make up a page: no text twice, and no conversation filling it while others have something to say.

Two texts are the same if nearly all their pairs of words are, but never when a number or a negation differs.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from archivist.recall.levelling import level
from archivist.recall.ranking import Scored
from archivist.records.patterns import late_pattern

SAME_SHARE: Final = 0.85
SLACK_CHARS: Final = 8
COMPARED_CHARS: Final = 4_000
COMPARED_FINDS: Final = 50
NOTES: Final = -1
"""The conversation that notes stand for: they were said in none."""
FITTING_SHARE: Final = 0.4
"""Messages worth less than this share of the best find leave their place to notes that are worth more."""
NEGATIONS: Final = frozenset(
    "not no never none neither nor without cannot don doesn didn isn aren wasn weren won wouldn shouldn couldn dont doesnt didnt"
    " isnt arent wasnt wont 不 没 無 无 未 别 非 勿".split()
)
_WORD: Final = late_pattern(r"[^\W_]+")
_FIRST_WIDE: Final = "\u0e00"
"""Words with characters from here on are compared by their characters."""


class Packed(msgspec.Struct):
    """A find on the page, and how many of its conversation were folded behind it."""

    scored: Scored
    others: int = 0


class _Most(msgspec.Struct, frozen=True):
    """How many finds of one conversation, and how many notes, come before what else there is."""

    per_conversation: int | None
    notes: int

    def has_enough(self, conversation: int, count: int) -> bool:
        """Whether what is on the page of a conversation is as much."""
        if conversation == NOTES:
            return count >= self.notes
        return self.per_conversation is not None and count >= self.per_conversation


class _Print:
    """A text as it is compared; the comparison is only made ready when there is another text of about its length."""

    __slots__ = ("_ready", "packed", "text")

    def __init__(self, text: str, packed: Packed) -> None:
        self.text, self.packed = text, packed
        self._ready: tuple[str, frozenset[tuple[str, str]], tuple[str, ...]] | None = None

    def is_same(self, other: "_Print") -> bool:
        """Whether a reader would learn nothing from the second text."""
        short, long = sorted((len(self.text), len(other.text)))
        if short < SAME_SHARE * long - SLACK_CHARS:
            return False
        text, pairs, telling = self.compared()
        other_text, other_pairs, other_telling = other.compared()
        if text == other_text:
            return True
        if telling != other_telling or not pairs or not other_pairs:
            return False
        common = len(pairs & other_pairs)
        return common >= SAME_SHARE * (len(pairs) + len(other_pairs) - common)

    def compared(self) -> tuple[str, frozenset[tuple[str, str]], tuple[str, ...]]:
        """Its words, their pairs, and its numbers and negations."""
        if self._ready is None:
            text, half = self.text, COMPARED_CHARS // 2
            words: list[str] = []
            for word in _WORD.findall(
                level(text if len(text) <= COMPARED_CHARS else f"{text[:half]} {len(text)} {text[-half:]}")
            ):
                words.extend(word) if max(word) >= _FIRST_WIDE else words.append(word)
            telling = tuple(word for word in words if word in NEGATIONS or not word.isalpha())
            self._ready = " ".join(words), frozenset(pairwise(words)), telling
        return self._ready


def pack(*ranked: Sequence[Scored], limit: int, per_conversation: int | None) -> list[Packed]:
    """Choose the finds of a page, best first; of notes at most half of it, while messages fit as well.

    Args:
        ranked: All finds, best first; of several groups each comes whole before the next.
        limit: How many at most.
        per_conversation: More of one conversation come only when nothing else of the group is left; None for
            no such bound.
    """
    page: list[Packed] = []
    prints: list[_Print] = []
    by_conversation: dict[int, list[Packed]] = {}
    for group in ranked:
        most = _Most(per_conversation, _most_notes(group, limit, per_conversation))
        _add(group, page, by_conversation, prints, limit, most)
    return page


def _most_notes(ranked: Sequence[Scored], limit: int, per_conversation: int | None) -> int:
    """How many of a page's finds may be notes: half, and what messages leave that do not fit nearly as well."""
    least = FITTING_SHARE * max((each.score for each in ranked), default=0.0)
    by_conversation = Counter(
        each.document.conversation
        for each in ranked
        if each.score >= least and each.document.conversation != NOTES
    )
    most = limit if per_conversation is None else per_conversation
    return max(1, limit // 2, limit - sum(min(count, most) for count in by_conversation.values()))


def _add(
    ranked: Iterable[Scored],
    page: list[Packed],
    by_conversation: dict[int, list[Packed]],
    prints: list[_Print],
    limit: int,
    most: _Most,
) -> None:
    """One group onto the page."""
    overflow: list[Scored] = []
    for scored in ranked:
        conversation = scored.document.conversation
        mine = by_conversation.setdefault(conversation, [])
        if len(page) >= limit or most.has_enough(conversation, len(mine)):
            if mine:
                mine[0].others += 1
            if len(page) < limit:
                overflow.append(scored)
            continue
        if len(page) < COMPARED_FINDS and (twin := _twin(scored, prints)) is not None:
            if conversation == NOTES != twin.scored.document.conversation:
                _put_for(scored, twin, by_conversation)
            elif twin.scored.document.conversation == conversation:
                twin.others += 1
            continue
        packed = Packed(scored)
        page.append(packed)
        mine.append(packed)
        if len(prints) < COMPARED_FINDS:
            prints.append(_Print(scored.document.text, packed))
    _fill(page, overflow, by_conversation, prints, limit)


def _put_for(note: Scored, twin: Packed, by_conversation: dict[int, list[Packed]]) -> None:
    """A note in the place of a message that says the same."""
    of_twin = by_conversation[twin.scored.document.conversation]
    of_twin[:] = [packed for packed in of_twin if packed is not twin]
    if of_twin:
        of_twin[0].others += twin.others
    by_conversation[NOTES].append(twin)
    twin.scored, twin.others = Scored(note.document, twin.scored.score, note.has, note.parts), 0


def _fill(
    page: list[Packed],
    overflow: Sequence[Scored],
    by_conversation: dict[int, list[Packed]],
    prints: list[_Print],
    limit: int,
) -> None:
    """What was held back, where there is room."""
    for scored in overflow:
        if len(page) >= limit:
            break
        mine = by_conversation[scored.document.conversation]
        if len(page) >= COMPARED_FINDS or _twin(scored, prints) is None:
            packed = Packed(scored)
            page.append(packed)
            if mine:
                mine[0].others -= 1
            else:
                mine.append(packed)


def _twin(scored: Scored, prints: Sequence[_Print]) -> Packed | None:
    """A find on the page with the same text."""
    mine = _Print(scored.document.text, Packed(scored))
    return next((known.packed for known in prints if known.is_same(mine)), None)
