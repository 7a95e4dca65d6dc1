"""Where in a sentence the words stand that say that it corrects something, and whether it says so without doubt."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from archivist.notes import correction_words as cues
from archivist.notes.correction_words import Cue
from archivist.notes.frame_words import NO_PART_OF_A_VALUE
from archivist.notes.frames import Terms, bare, terms
from archivist.notes.single_valued import MOST_CHARACTERS, MOST_IN_A_VALUE
from archivist.notes.wordings import NEGATIONS
from archivist.records.patterns import late_pattern

MOST_TERMS: Final = 60
"""Longer sentences say too much to be one correction."""
ENDS: Final = frozenset({".", "(!)"})
_BEFORE_A_DATE: Final = frozenset("in on since im am seit en le depuis el desde nel dal em с в".split())
GLANCE: Final = late_pattern(
    r"(?i)\b(?:not|no longer|instead|rather|place of|formerly|previously|used to|from|correction|wrong|misspoke|mistake|correct"
    r"|scratch|actually|in fact|nicht|nie|kein\w*|statt|anstatt|anstelle|früher|von|korrektur|geirrt|eigentlich|tatsächlich"
    r"|pas|plus|non|da|au lieu|plutôt|place|de|d['’]\w+|rectification|trompé|en fait|en réalité|vez|lugar|no|corrección|equivoqué"
    r"|en realidad|invece|posto|anziché|correzione|rettifica|sbagliato|in realtà|não|ao invés|correção|errei|na verdade|na realidade"
    r"|вместо|не|с|из|поправка|исправление|на самом деле|ошибся)\b|n['’]t\b"
    r"|[不非替改换變变迁搬切升调推提]|更正|纠正|勘误|我说错|我记错|我弄错|其实|实际|ではなく|じゃな|代わりに|かわりに|から|もう|訂正|実|正しく"
    r"|아니|대신|말고|더 ?이상|에서|정정|사실|실제"
)
"""A text without any of these corrects nothing."""


def plainly(text: str) -> Terms:
    """The words of a text that may say that it corrects something; none where it says nothing of that, or leaves doubt."""
    if not GLANCE.search(text):
        return ()
    said = terms(text)
    if len(said) > 3 * MOST_TERMS or "?" in said or _is_unsure(text, said):
        return ()
    return said


def sentences(said: Terms) -> Iterator[Terms]:
    """The sentences among some words, of more than one word and not too long."""
    start = 0
    for at, word in enumerate((*said, ".")):
        if word in ENDS:
            if 1 < at - start <= MOST_TERMS:
                yield said[start:at]
            start = at + 1


def without_opening(said: Terms) -> Terms:
    """Without "Correction:" or "actually" at the beginning; the same where nothing of the kind stands there."""
    start, end = next(spans(said, cues.SETTING_RIGHT), (1, 1))
    if start or end >= len(said):
        return said
    rest = said[end:]
    return rest[1:] if rest[0] in {",", ":"} else rest


def find(said: Sequence[str], cue: Cue, start: int = 0) -> Iterator[int]:
    """Where a cue begins, from a place on."""
    low = [word.lower() for word in said]
    for at in range(start, len(said) - len(cue) + 1):
        if low[at] == cue[0] and tuple(low[at : at + len(cue)]) == cue:
            yield at


def spans(said: Terms, among: Sequence[Cue]) -> Iterator[tuple[int, int]]:
    """Where one of some cues stands, the longest of those that begin at a place."""
    low, taken = [word.lower() for word in said], -1
    for at, word in enumerate(low):
        if at < taken:
            continue
        for cue in among:
            if cue[0] == word and tuple(low[at : at + len(cue)]) == cue:
                yield at, at + len(cue)
                taken = at + len(cue)
                break


def may_follow(said: Sequence[str]) -> bool:
    """Whether what stands behind a denial denies it whole."""
    return bool(said) and said[0].lower() not in cues.NOT_BEHIND


class Denial(NamedTuple):
    """What stands around “not X but Y”.

    Attributes:
        before: What it is said of.
        value: X, what holds no more.
        last: Y with all that follows, what holds.
        is_of_being: Whether the denial says "is not" in one word, as 不是 does.
    """

    before: Terms
    value: Terms
    last: Terms
    is_of_being: bool


def denials(said: Terms) -> Iterator[Denial]:
    """Each “not X but Y” of a sentence."""
    for among, contrasts in cues.DENIALS:
        for start, end in spans(said, among):
            rest = said[end:]
            found = next(spans(rest, contrasts), None)
            if found is None or not may_follow(rest) or "," in rest[: found[0]]:
                continue
            value, last = rest[: found[0]], rest[found[1] :]
            if value and may_follow(last):
                is_of_being = said[start] == "不" or said[end - 1] == "非"
                yield Denial(without_do(said[:start]), value, last, is_of_being)


def to_the_end(said: Terms) -> Iterator[Terms]:
    """A stretch to its end, and without what may follow a correction and changes nothing about it."""
    yield said
    for at in range(1, len(said)):
        behind = said[at + 1 :] if said[at] == "," else said[at:]
        if (said[at] == "," and not behind) or (behind and behind[0].lower() in cues.SINCE):
            if _adds_nothing(behind):
                yield said[:at]
            return


def is_all_of_a_value(said: Terms) -> bool:
    """Whether a stretch is a value and no more than that, beside since when it is so."""
    dated = next((at for at, word in enumerate(said) if at and word.lower() in _BEFORE_A_DATE), len(said))
    tail = said[dated:]
    value = said[:dated] if any(any(map(str.isdigit, word)) for word in tail) else said
    value = min(to_the_end(value), key=len) if value else value
    longest = MOST_CHARACTERS if any(not word.isascii() for word in value) else MOST_IN_A_VALUE
    low = {word.lower() for word in value}
    return (
        0 < len(value) <= longest
        and "," not in value
        and low.isdisjoint(NO_PART_OF_A_VALUE | cues.TAKEN_BACK)
    )


def takes_back(said: Terms) -> bool:
    """Whether a sentence beside one that corrects something may say that it does not."""
    return any(word.lower() in NEGATIONS | cues.TAKEN_BACK for word in said)


def _adds_nothing(said: Terms) -> bool:
    """Whether what follows a correction says only since when or why."""
    low = [word.lower() for word in said]
    if low[:1] == ["any"] and low[1:2] not in ([], ["more"]):
        return False
    return cues.TAKEN_BACK.isdisjoint(low) and cues.NOT_BEHIND.isdisjoint(low[1:])


def without_do(said: Terms) -> Terms:
    """Without what English and French put before a denial."""
    if said and said[-1].lower() in cues.DOING:
        return said[:-1]
    return tuple(word for word in said if word != "ne")


def end_of_clause(said: Terms, start: int) -> int:
    """Where the clause that stands at a place ends."""
    return next((at for at in range(start, len(said)) if said[at].lower() in cues.BUT), len(said))


def timeless(words: Sequence[str]) -> Terms:
    """As `bare`, and without what says only that it is so by now."""
    kept: list[str] = []
    for word in words:
        if word == "在" and kept[-1:] == ["现"]:
            kept.pop()
        elif word.lower() not in cues.BY_NOW:
            kept.append(word)
    return bare(kept)


def _is_unsure(text: str, said: Terms) -> bool:
    if not cues.NOT_SO_PLAIN.isdisjoint(said):  # as they are: May is a month
        return True
    return not text.isascii() and any(one in text for one in cues.NOT_SO_PLAIN_IN_CHARACTERS)


__all__ = [
    "ENDS",
    "GLANCE",
    "MOST_TERMS",
    "Denial",
    "denials",
    "end_of_clause",
    "find",
    "is_all_of_a_value",
    "may_follow",
    "plainly",
    "sentences",
    "spans",
    "takes_back",
    "timeless",
    "to_the_end",
    "without_do",
    "without_opening",
]
