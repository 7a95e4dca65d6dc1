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
from archivist.notes.anew import said_anew
from archivist.notes.correction_words import Cue
from archivist.notes.cue_places import (
    ENDS,
    MOST_TERMS,
    denials,
    end_of_clause,
    find,
    is_all_of_a_value,
    may_follow,
    plainly,
    sentences,
    spans,
    takes_back,
    timeless,
    to_the_end,
    without_do,
    without_opening,
)
from archivist.notes.frames import Terms, agree, bare, is_same, terms
from archivist.notes.single_valued import differ_in_a_number, differ_in_a_value

_FARTHEST: Final = 6
"""So many words from what says that it corrects something a value begins, or ends."""
_MOST_BETWEEN: Final = 3


class Former(msgspec.Struct, frozen=True):
    """A statement that holds no more.

    Attributes:
        before: Its words up to where its relation may stand in other words.
        after: Its words from there on.
        between: What may stand between; where it is None, nothing does.
        endings: What may follow at the end; where there are none, nothing does.
        instead: Where the former value is not named, that by now: the former is the same but for a number.
    """

    before: Terms
    after: Terms = ()
    between: frozenset[str] | None = None
    endings: tuple[Terms, ...] = ()
    instead: Terms = ()

    def is_said_by(self, said: Terms) -> bool:
        """Whether a statement, given by its `bare` words, says this and no more."""
        for ending in self.endings or ((),):
            if not ending or said[-len(ending) :] == ending:
                rest = said[: len(said) - len(ending)]
                if self._is(rest):
                    return True
        return False

    def _is(self, said: Terms) -> bool:
        if self.instead:
            first = len(self.before)
            is_about_it = len(said) > first and all(map(agree, self.before, said[:first], range(first)))
            return is_about_it and differ_in_a_number(said[first:], self.instead)
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
        is_plain: Whether it means nothing else: "use spaces rather than tabs" may correct nothing.
    """

    formers: tuple[Former, ...] = ()
    anew: tuple[Terms, ...] = ()
    is_change: bool = False
    is_plain: bool = False

    def corrects(self, text: str) -> bool:
        """Whether another text is what it corrects; of one that corrects something itself, what that says by now."""
        said = terms(text)
        if len(said) > MOST_TERMS or not ENDS.isdisjoint(said) or "?" in said:
            return False
        return self._says_otherwise(timeless(said)) or any(map(self._says_otherwise, said_anew(text)))

    def _says_otherwise(self, plain: Terms) -> bool:
        if any(former.is_said_by(plain) for former in self.formers):
            return True
        return any(differ_in_a_value(words, plain) for words in self.anew)


def correction_in(text: str) -> Correction | None:
    """What a text says that it corrects; None where it says nothing of that."""
    formers: list[Former] = []
    anew: list[Terms] = []
    is_change = is_plain = False
    for whole in sentences(plainly(text)):
        sentence = without_opening(whole)
        found = [(former, change) for read, change in _READERS for former in read(sentence)]
        formers += (former for former, _ in found)
        is_change = is_change or any(change for _, change in found)
        if not found:
            anew += (own := list(_set_right(whole, sentence)))
            if not own and takes_back(sentence):
                return None
        anew += _changed_to(sentence)
        is_plain = is_plain or _is_plain(whole, sentence, is_told=bool(found))
    if not formers and not anew:
        return None
    return Correction(tuple(formers), tuple(anew), is_change, is_change or is_plain)


def _set_right(whole: Terms, sentence: Terms) -> Iterator[Terms]:
    """Of “Correction: the port is 8081”."""
    if sentence != whole:
        yield timeless(sentence)


def _is_plain(whole: Terms, sentence: Terms, *, is_told: bool) -> bool:
    """Whether a sentence corrects something beyond doubt, and is no instruction of what to do rather than something else."""
    if sentence != whole and next(spans(whole, cues.SOFTENING), (1, 1))[0]:
        return True
    return (
        is_told and sentence[0].lower() not in cues.TO_DO and next(spans(sentence, cues.RATHER), None) is None
    )


def _told(words: Sequence[str]) -> Former:
    return Former(timeless(words))


# ---- each way of saying it ----


def _behind(said: Terms) -> Iterator[Former]:
    """Of “at Kern, not Birk”: before the cue stands what is said by now, so that some words of it lead to the former value too."""
    for start, end in spans(said, cues.behind(said)):
        first, rest = said[:start], said[end:]
        if not first or not may_follow(rest):
            continue
        for former in to_the_end(rest):
            if "," not in former:
                for at in range(max(1, start - _FARTHEST), start):
                    yield _told((*first[:at], *former))
        comma = rest.index(",") if "," in rest else 0
        if comma and len(first) <= _FARTHEST:  # "Ana, not Bob, leads the team"
            yield _told((*rest[:comma], *rest[comma + 1 :]))


def _denied(said: Terms) -> Iterator[Former]:
    """Of “not at Birk but at Kern”."""
    for before, value, last, is_of_being in denials(said):
        yield _told((*before, *value))
        if is_of_being:
            yield _told((*before, "是", *value))
        for at in range(1, min(len(last), _FARTHEST) + 1):
            yield _told((*before, *value, *last[at:]))


def _in_place_of(said: Terms) -> Iterator[Former]:
    """Of X ではなく Y: behind the cue stands what is said by now, whose end is that of the former too."""
    for start, end in spans(said, cues.IN_PLACE_OF):
        rest = said[end:]
        if start and may_follow(rest):
            for at in range(1, len(rest)):
                yield _told((*said[:start], *rest[at:]))


def _ended(said: Terms) -> Iterator[Former]:
    """Of “no longer works at Birk”."""
    for first, second in cues.NO_LONGER:
        for start in find(said, first):
            end = start + len(first)
            yield from _what_ended(said, start, end, second)
    yield from _used_to(said)
    yield from _ended_in_other_forms(said)


def _what_ended(said: Terms, start: int, end: int, second: Cue) -> Iterator[Former]:
    before, rest = without_do(said[:start]), said[end:]
    if second:
        at = next(find(rest, second), None)
        if at is None or "," in rest[:at] or not may_follow(rest[at + len(second) :] or ("",)):
            return
        rest = (*rest[:at], *rest[at + len(second) :])
    clause = rest[: end_of_clause(rest, 0)]
    if "," in before:
        return
    if not clause:  # the German stands at the end
        yield _told(before)
    elif may_follow(clause):
        for one in to_the_end(clause):
            yield _told((*before, *one))


def _used_to(said: Terms) -> Iterator[Former]:
    """Of “used to work at Birk, now …”."""
    for at in find(said, ("used", "to")):
        before, clause = said[:at], said[at + 2 : end_of_clause(said, at)]
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
        and (at := next(find(said, ("も", "う")), None)) is not None
    ):
        for no, yes in _NOT_ANY_MORE:
            if joined.endswith(no):
                yield _told((*said[:at], *said[at + 2 : len(said) - len(no)], *yes))
    at = next(find(said, ("더", "이", "상")), None)
    ending = next((one for one in _KOREAN_DENIALS if joined.endswith(one)), None)
    if at is not None and ending is not None:
        rest = (*said[:at], *said[at + 3 : len(said) - len(ending)])
        if rest[-1:] == ("하",):
            yield Former(bare(rest[:-1]), endings=_KOREAN_PRESENT)


def _moved(said: Terms) -> Iterator[Former]:
    """Of “moved from Berlin to Munich”: between the subject and the former value stood words of the relation."""
    verbs = [at for at, word in enumerate(said) if word.lower() in cues.CHANGED]
    for first, seconds in cues.FROM_TO if verbs else ():
        for start in find(said, (first,)):
            end = next(
                (at for at in range(start + 2, min(len(said), start + 8)) if said[at].lower() in seconds),
                None,
            )
            if end is None or not is_all_of_a_value(said[end + 1 :]):
                continue
            before = tuple(word for word in said[:start] if word.lower() not in cues.CHANGED | cues.HELPING)
            for verb in (said[at].lower() for at in verbs):
                for kind, between in cues.BETWEEN:
                    if before and verb in kind:
                        yield Former(bare(before), bare(said[start + 1 : end]), between)
                        yield Former(bare(before), bare(said[start + 1 : end]), None)


def _turned_into(said: Terms) -> Iterator[Former]:
    """Of X 改为 Y and X から Y に変更."""
    for start, end in spans(said, cues.TURNED_INTO):
        first = said[:start]
        if end < len(said) and not is_all_of_a_value(said[end:]):
            continue
        out = next((at for at, word in enumerate(first) if word in cues.OUT_OF), None)
        splits = range(1, len(first)) if out is None else (out,)
        for at in splits:
            value = first[at:] if out is None else first[at + 1 :]
            value = value[:-1] if value[-1:] == (",",) else value
            if at and value and "," not in value:
                yield from (_told((*first[:at], *between, *value)) for between in cues.BETWEEN_IN_CHINESE)
    for start, _ in spans(said, cues.INTO):
        for at, _ in spans(said[:start], cues.FROM):
            yield Former(bare(_marked_as_topic(said[:at])), endings=cues.AFTER_A_VALUE)


def _changed_to(said: Terms) -> Iterator[Terms]:
    """Of 端口改为 9090, which does not name what it was."""
    for start, end in spans(said, cues.SET_TO):
        if start and end < len(said) and cues.OUT_OF.isdisjoint(said[:start]):
            yield timeless((*said[:start], "是", *said[end:]))


def _numbered_anew(said: Terms) -> Iterator[Former]:
    """Of 会议室改为五楼: what was said with another number."""
    for start, end in spans(said, cues.SET_TO):
        if start and end < len(said) and cues.OUT_OF.isdisjoint(said[:start]):
            for between in cues.BETWEEN_IN_CHINESE:
                yield Former(timeless((*said[:start], *between)), instead=timeless(said[end:]))


def _marked_as_topic(said: Terms) -> Terms:
    """What is changed, as what something is told of."""
    return tuple("は" if word == "を" else word for word in said)


_READERS: Final[tuple[tuple[Callable[[Terms], Iterator[Former]], bool], ...]] = (
    (_behind, False),
    (_denied, False),
    (_in_place_of, False),
    (_ended, True),
    (_moved, True),
    (_turned_into, True),
    (_numbered_anew, True),
)

__all__ = ["Correction", "correction_in"]
