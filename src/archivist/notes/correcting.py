"""What a text says that it corrects: the statements that hold no more if it does, told from its own words, without a model.

Only plain words count: "at Kern, not Birk", "no longer", "moved from Berlin to Munich", 不是X而是Y. From such words the former statement is
made up again, and an entry is what is corrected only if it says just that: same subject, same relation, the former value and nothing
else. Where the words leave doubt - a question, a "maybe", an "except" - nothing is corrected. To close a statement that holds loses it
for its owner; to miss one that does not costs a question to them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from archivist.notes import correction_words as cues
from archivist.notes.correction_words import Cue
from archivist.notes.frames import Terms, agree, bare, is_same, terms
from archivist.notes.single_valued import differ_in_a_value
from archivist.records.patterns import late_pattern

_MOST_TERMS: Final = 60
"""Longer sentences say too much to be one correction."""
_MOST_IN_A_VALUE: Final = 6
_MOST_BETWEEN: Final = 3
_ENDS: Final = frozenset({".", "(!)"})
_GLANCE: Final = late_pattern(
    r"(?i)\b(?:not|no longer|instead|rather|place of|formerly|previously|used to|from|correction|wrong|misspoke|mistake|correct"
    r"|scratch|actually|in fact|nicht|nie|kein\w*|statt|anstatt|anstelle|früher|von|korrektur|geirrt|eigentlich|tatsächlich"
    r"|pas|plus|non|da|au lieu|plutôt|place|de|d['’]\w+|rectification|trompé|en fait|en réalité|vez|lugar|no|corrección|equivoqué"
    r"|en realidad|invece|posto|anziché|correzione|rettifica|sbagliato|in realtà|não|ao invés|correção|errei|na verdade|na realidade"
    r"|вместо|не|с|из|поправка|исправление|на самом деле|ошибся)\b|n['’]t\b"
    r"|[不非替改换變变迁搬切升调推提]|更正|纠正|勘误|我说错|我记错|我弄错|其实|实际|ではなく|じゃな|代わりに|かわりに|から|もう|訂正|実|正しく"
    r"|아니|대신|말고|더 ?이상|에서|정정|사실|실제"
)
"""A text without any of these corrects nothing."""


class Former(msgspec.Struct, frozen=True):
    """A statement that holds no more.

    Attributes:
        before: Its words up to where its relation may stand in other words.
        after: Its words from there on.
        between: What may stand between; where it is None, nothing does.
        endings: What may follow at the end; where there are none, nothing does.
    """

    before: Terms
    after: Terms = ()
    between: frozenset[str] | None = None
    endings: tuple[Terms, ...] = ()

    def is_said_by(self, said: Terms) -> bool:
        """Whether a statement, given by its `bare` words, says this and no more."""
        for ending in self.endings or ((),):
            if not ending or said[-len(ending) :] == ending:
                rest = said[: len(said) - len(ending)]
                if self._is(rest):
                    return True
        return False

    def _is(self, said: Terms) -> bool:
        if self.between is None:
            return is_same((*self.before, *self.after), said)
        inside = len(said) - len(self.before) - len(self.after)
        if not 0 < inside <= _MOST_BETWEEN:
            return False
        first, last = len(self.before), len(said) - len(self.after)
        return (
            all(map(agree, self.before, said[:first], range(first)))
            and all(map(agree, self.after, said[last:]))
            and all(word.lower() in self.between for word in said[first:last])
        )


class Correction(msgspec.Struct, frozen=True):
    """What a text corrects.

    Attributes:
        formers: Each is a way to have said what holds no more.
        anew: The text without the words that say that it corrects something, where those name nothing.
        is_change: Whether it tells of a change: what it corrects was right until now.
    """

    formers: tuple[Former, ...] = ()
    anew: tuple[Terms, ...] = ()
    is_change: bool = False

    def corrects(self, text: str) -> bool:
        """Whether another text is what it corrects."""
        said = terms(text)
        if len(said) > _MOST_TERMS or not _ENDS.isdisjoint(said) or "?" in said:
            return False
        plain = bare(said)
        if any(former.is_said_by(plain) for former in self.formers):
            return True
        return any(differ_in_a_value(words, plain) for words in self.anew)


def correction_in(text: str) -> Correction | None:
    """What a text says that it corrects; None where it says nothing of that."""
    if not _GLANCE.search(text):
        return None
    said = terms(text)
    if len(said) > 3 * _MOST_TERMS or "?" in said or _is_unsure(text, said):
        return None
    formers: list[Former] = []
    anew: list[Terms] = []
    is_change = False
    for sentence in _sentences(said):
        for read, tells_change in _READERS:
            found = list(read(sentence))
            formers += found
            is_change = is_change or (tells_change and bool(found))
        anew += _set_right(sentence)
    if not formers and not anew:
        return None
    return Correction(tuple(formers), tuple(anew), is_change)


def _is_unsure(text: str, said: Terms) -> bool:
    if not cues.NOT_SO_PLAIN.isdisjoint(said):  # as they are: May is a month
        return True
    return not text.isascii() and any(one in text for one in cues.NOT_SO_PLAIN_IN_CHARACTERS)


def _sentences(said: Terms) -> Iterator[Terms]:
    start = 0
    for at, word in enumerate((*said, ".")):
        if word in _ENDS:
            if 1 < at - start <= _MOST_TERMS:
                yield said[start:at]
            start = at + 1


def _find(said: Sequence[str], cue: Cue, start: int = 0) -> Iterator[int]:
    low = [word.lower() for word in said]
    for at in range(start, len(said) - len(cue) + 1):
        if tuple(low[at : at + len(cue)]) == cue:
            yield at


def _spans(said: Terms, among: Sequence[Cue]) -> Iterator[tuple[int, int]]:
    """Where one of some cues stands, the longest of those that begin at a place."""
    taken = -1
    for at in range(len(said)):
        if at < taken:
            continue
        for cue in among:
            if next(_find(said[at : at + len(cue)], cue), None) == 0:
                yield at, at + len(cue)
                taken = at + len(cue)
                break


def _may_follow(said: Sequence[str]) -> bool:
    """Whether what stands behind a denial denies it whole."""
    return bool(said) and said[0].lower() not in cues.NOT_BEHIND


def _to_the_end(said: Terms) -> Iterator[Terms]:
    """A stretch to its end, and without what may follow a correction and changes nothing about it."""
    yield said
    for at in range(1, len(said)):
        if said[at] == "," and (at + 1 == len(said) or said[at + 1].lower() in cues.SINCE):
            yield said[:at]
            return
        if said[at].lower() in cues.SINCE:
            yield said[:at]
            return


def _told(words: Sequence[str]) -> Former:
    return Former(bare(words))


# ---- each way of saying it ----


def _behind(said: Terms) -> Iterator[Former]:
    """Of “at Kern, not Birk”: before the cue stands what is said by now, so that some words of it lead to the former value too."""
    among = cues.BEHIND
    if not cues.SPANISH.isdisjoint(said):
        among = (*among, cues.IN_SPANISH)
    for start, end in _spans(said, among):
        first, rest = said[:start], said[end:]
        if not first or not _may_follow(rest):
            continue
        for former in _to_the_end(rest):
            if "," not in former:
                for at in range(max(1, start - _MOST_IN_A_VALUE), start):
                    yield _told((*first[:at], *former))
        comma = rest.index(",") if "," in rest else 0
        if comma and len(first) <= _MOST_IN_A_VALUE:  # "Ana, not Bob, leads the team"
            yield _told((*rest[:comma], *rest[comma + 1 :]))


def _denied(said: Terms) -> Iterator[Former]:
    """Of “not at Birk but at Kern”."""
    for denials, contrasts in cues.DENIALS:
        for start, end in _spans(said, denials):
            rest = said[end:]
            found = next(_spans(rest, contrasts), None)
            if found is None or not _may_follow(rest) or "," in rest[: found[0]]:
                continue
            before, value, last = _without_do(said[:start]), rest[: found[0]], rest[found[1] :]
            if not value or not _may_follow(last):
                continue
            yield _told((*before, *value))
            if said[start] == "不" or said[end - 1] == "非":
                yield _told((*before, "是", *value))
            for at in range(1, min(len(last), _MOST_IN_A_VALUE) + 1):
                yield _told((*before, *value, *last[at:]))


def _without_do(said: Terms) -> Terms:
    """Without what English and French put before a denial."""
    if said and said[-1].lower() in cues.DOING:
        return said[:-1]
    return tuple(word for word in said if word != "ne")


def _in_place_of(said: Terms) -> Iterator[Former]:
    """Of X ではなく Y: behind the cue stands what is said by now, whose end is that of the former too."""
    for start, end in _spans(said, cues.IN_PLACE_OF):
        rest = said[end:]
        if start and _may_follow(rest):
            for at in range(1, len(rest)):
                yield _told((*said[:start], *rest[at:]))


def _ended(said: Terms) -> Iterator[Former]:
    """Of “no longer works at Birk”."""
    for first, second in cues.NO_LONGER:
        for start in _find(said, first):
            end = start + len(first)
            yield from _what_ended(said, start, end, second)
    yield from _used_to(said)
    yield from _ended_in_other_forms(said)


def _what_ended(said: Terms, start: int, end: int, second: Cue) -> Iterator[Former]:
    before, rest = _without_do(said[:start]), said[end:]
    if second:
        at = next(_find(rest, second), None)
        if at is None or "," in rest[:at] or not _may_follow(rest[at + len(second) :] or ("",)):
            return
        rest = (*rest[:at], *rest[at + len(second) :])
    clause = rest[: _end_of_clause(rest, 0)]
    if "," in before:
        return
    if not clause:  # the German stands at the end
        yield _told(before)
    elif _may_follow(clause):
        for one in _to_the_end(clause):
            yield _told((*before, *one))


def _end_of_clause(said: Terms, start: int) -> int:
    return next((at for at in range(start, len(said)) if said[at].lower() in cues.BUT), len(said))


def _used_to(said: Terms) -> Iterator[Former]:
    """Of “used to work at Birk, now …”."""
    for at in _find(said, ("used", "to")):
        before, clause = said[:at], said[at + 2 : _end_of_clause(said, at)]
        rest = said[at + 2 + len(clause) :]
        is_over = any(word.lower() in {"now", "but"} for word in rest)
        if (
            clause
            and is_over
            and before
            and before[-1].lower() not in {"is", "are", "was", "were", "get", "got"}
        ):
            yield _told((*before, *clause))


_NOT_ANY_MORE: Final = (
    *(
        ("使っていない", "使う"),
        ("使っていません", "使う"),
        ("使用していない", "使う"),
        ("使用していません", "使う"),
    ),
    *(("ていない", "ている"), ("ていません", "ています"), ("でいない", "でいる"), ("でいません", "でいます")),
)
_KOREAN_DENIALS: Final = ("지않는다", "지않습니다", "지않아요", "지않음", "지않는")
_KOREAN_PRESENT: Final = tuple(map(tuple, ("한다", "합니다", "해요", "함", "하고있다", "하고있습니다")))


def _ended_in_other_forms(said: Terms) -> Iterator[Former]:
    """Of もう…ていない and 더 이상 …지 않는다: the verb itself has another form."""
    joined = "".join(said)
    if (
        joined.endswith(tuple(no for no, _ in _NOT_ANY_MORE))
        and (at := next(_find(said, ("も", "う")), None)) is not None
    ):
        for no, yes in _NOT_ANY_MORE:
            if joined.endswith(no):
                yield _told((*said[:at], *said[at + 2 : len(said) - len(no)], *yes))
    at = next(_find(said, ("더", "이", "상")), None)
    ending = next((one for one in _KOREAN_DENIALS if joined.endswith(one)), None)
    if at is not None and ending is not None:
        rest = (*said[:at], *said[at + 3 : len(said) - len(ending)])
        if rest[-1:] == ("하",):
            yield Former(bare(rest[:-1]), endings=_KOREAN_PRESENT)


def _moved(said: Terms) -> Iterator[Former]:
    """Of “moved from Berlin to Munich”: between the subject and the former value stood words of the relation."""
    verbs = [at for at, word in enumerate(said) if word.lower() in cues.CHANGED]
    for first, seconds in cues.FROM_TO if verbs else ():
        for start in _find(said, (first,)):
            end = next(
                (at for at in range(start + 2, min(len(said), start + 8)) if said[at].lower() in seconds),
                None,
            )
            if end is None:
                continue
            before = tuple(word for word in said[:start] if word.lower() not in cues.CHANGED | cues.HELPING)
            for verb in (said[at].lower() for at in verbs):
                for kind, between in cues.BETWEEN:
                    if before and verb in kind:
                        yield Former(bare(before), bare(said[start + 1 : end]), between)
                        yield Former(bare(before), bare(said[start + 1 : end]), None)


def _turned_into(said: Terms) -> Iterator[Former]:
    """Of X 改为 Y and X から Y に変更."""
    for start, _ in _spans(said, cues.TURNED_INTO):
        first = said[:start]
        out = next((at for at, word in enumerate(first) if word in cues.OUT_OF), None)
        splits = range(1, len(first)) if out is None else (out,)
        for at in splits:
            value = first[at:] if out is None else first[at + 1 :]
            value = value[:-1] if value[-1:] == (",",) else value
            if at and value and "," not in value:
                yield from (_told((*first[:at], *between, *value)) for between in cues.BETWEEN_IN_CHINESE)
    for start, _ in _spans(said, cues.INTO):
        for at, _ in _spans(said[:start], cues.FROM):
            yield Former(bare(_marked_as_topic(said[:at])), endings=cues.AFTER_A_VALUE)


def _marked_as_topic(said: Terms) -> Terms:
    """What is changed, as what something is told of."""
    return tuple("は" if word == "を" else word for word in said)


def _set_right(said: Terms) -> Iterator[Terms]:
    """Of “Correction: the port is 8081”."""
    start, end = next(_spans(said, cues.SETTING_RIGHT), (1, 1))
    if start == 0 and end < len(said):
        rest = said[end:]
        yield bare(rest[1:] if rest[0] in {",", ":"} else rest)


_READERS: Final[tuple[tuple[Callable[[Terms], Iterator[Former]], bool], ...]] = (
    (_behind, False),
    (_denied, False),
    (_in_place_of, False),
    (_ended, True),
    (_moved, True),
    (_turned_into, True),
)

__all__ = ["Correction", "correction_in"]
