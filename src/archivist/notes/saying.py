"""What a text says, in one form for all ways of writing it that mean the same.

Two texts say the same only if their forms are equal. The form keeps numbers, dates, negations, names, paths, capitals, and the order of
the words; it gives up width, the capital of a sentence, marks between words, articles, "is using" for "uses", 使用 for 用, and the order of
what a list only names. To take two texts for the same loses one of them; to miss it costs a line: whatever might change the meaning stays.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from archivist.notes.spelling import in_letters, may_follow_an_article, words_of
from archivist.notes.wordings import (
    ARTICLES_BEFORE,
    BEFORE_AN_ARTICLE,
    BEING,
    CHINESE_HEADS,
    CHINESE_ORDER,
    DROPPED,
    ENGLISH,
    GERMAN_ARTICLES,
    LIKING,
    LIST_HEADS,
    LIST_LABELS,
    NEGATIONS,
    NO_NOUN,
    NOT_IN_A_LIST,
    PROGRESSIVE,
    TELLS_AN_ORDER,
)
from archivist.records.patterns import late_pattern

_FILLERS: Final = frozenset({"a", "an", "the"}) | DROPPED
_MARKS: Final = frozenset(",.:-")
_ENDS: Final = frozenset(".?")
_MORE_THAN_A_NAME: Final = late_pattern(r"[\d(`¶]|(?:'s|s')(?![^ ])")
_MOST_IN_AN_ITEM: Final = 3
_MOST_CHARACTERS_IN_AN_ITEM: Final = 8


@lru_cache(maxsize=64)
def saying(text: str) -> str:
    """What a text says; two texts say the same exactly if this is equal.

    Whoever notes one asks several times.
    """
    words = words_of(text)
    if not BEING.isdisjoint(words):
        words = list(_without_progressive(words))
    if ("and" in words or "," in words or "or" in words) and "的" not in text:
        words = _with_list_sorted(words)
    words = _without_fillers(words)
    if len(words) > 1 and (noun := _noun_behind_an_article(words[0], words[1])):
        words[:2] = [noun]
    if words[:1] == ["user"] and _tells_liking(words):
        del words[0]
    return " ".join(words if _MARKS.isdisjoint(words) else _meant(words)) or text


def _without_progressive(words: list[str]) -> Iterator[str]:
    """What says "is using" as "uses", and "is not using" as "does not use"."""
    at = 0
    while at < len(words):
        word, following = words[at], words[at + 1 : at + 3]
        if word in BEING and following and (verb := PROGRESSIVE.get(following[0])):
            yield verb
            at += 2
        elif word in BEING and following[:1] == ["not"] and (verb := PROGRESSIVE.get(following[-1])):
            yield from ("do", "not", verb)
            at += 3
        else:
            yield word
            at += 1


def _without_fillers(words: list[str]) -> list[str]:
    """Without articles, "please" and "also", where they cannot be a name or part of one."""
    if _FILLERS.isdisjoint(words):
        return words
    articles = _FILLERS if not ENGLISH.isdisjoint(words) else _FILLERS - {"a", "an"}
    return [word for at, word in enumerate(words) if word not in articles or not _is_filler(words, at)]


def _is_filler(words: list[str], at: int) -> bool:
    before, word, after = words[at - 1] if at else "", words[at], "".join(words[at + 1 : at + 2])
    if word == "the":
        return may_follow_an_article(after) or (len(after) > 1 and after.isalpha() and after.isupper())
    if word in DROPPED:
        return after.islower() and after.isalpha() and (before == "I" or before == before.lower())
    return (not before or before in BEFORE_AN_ARTICLE) and may_follow_an_article(after)


def _noun_behind_an_article(article: str, noun: str) -> str:
    """The noun of another language as it is without its article; none where that may be part of a name."""
    low = article.lower()
    if low in GERMAN_ARTICLES:
        noun = noun[0].lower() + noun[1:]  # as the first word of a statement
    return noun if noun in ARTICLES_BEFORE.get(low, ()) else ""


def _tells_liking(words: list[str]) -> bool:
    rest = words[3:4] if words[1:3] == ["do", "not"] else words[1:2]
    return bool(rest) and rest[0] in LIKING


def _with_list_sorted(words: list[str]) -> list[str]:
    """With what a list only names in the order of the alphabet."""
    if not TELLS_AN_ORDER.isdisjoint(map(str.lower, words)) or CHINESE_ORDER.search("".join(words)):
        return words
    given, words = words, in_letters(words)
    start = _start_of_list(words)
    if start is None:
        return given
    end = next((at for at in range(start, len(words)) if words[at] in _ENDS), len(words))
    items, joint = _items(words[start:end])
    items = [_without_article(item) for item in items]
    if len(items) < 2 or not all(map(_only_names, items)) or not _are_alike(items):
        return given
    named = sorted(map(" ".join, items))
    return [*words[:start], f"{{{joint}", *(f"{name};" for name in named), "}", *words[end:]]


def _without_article(item: list[str]) -> list[str]:
    is_article = len(item) > 1 and item[0] in {"a", "an", "the"} and may_follow_an_article(item[1])
    return item[1:] if is_article else item


def _are_alike(items: list[list[str]]) -> bool:
    """Whether no word of one part may belong to all of them, as in "production database and cache"."""
    return len({len(item) for item in items if any(map(str.isascii, item))}) < 2


def _start_of_list(words: list[str]) -> int | None:
    """Behind the first word that a list of things may follow."""
    for before, at, word, after in zip(
        ["", *words], range(len(words)), words, [*words[1:], ""], strict=False
    ):
        is_chinese = word in CHINESE_HEADS and CHINESE_HEADS[word](before, after)
        if is_chinese or word in LIST_HEADS or (word == ":" and before in LIST_LABELS):
            return at + 1
    return None


def _items(words: list[str]) -> tuple[list[list[str]], str]:
    """The parts of a list, and whether "and" or "or" joins them; none where they may be more than parts.

    Of "Ana, a doctor, and Bob, a lawyer" and "German, native, French, basic" the order tells who is what.
    """
    joints = [word for word in words if word in {",", "and", "or"}]
    commas, rest = joints.count(","), set(joints[-1:])
    if ("and" in joints and "or" in joints) or (commas and len(joints) - commas > 1):
        return [], ""
    if commas and (rest == {","} and (len(joints) > commas or commas > 2)):
        return [], ""
    items: list[list[str]] = [[]]
    for word in words:
        if word in {",", "and", "or"}:
            items.append([])
        else:
            items[-1].append(word)
    items = [item for item in items if item]
    if commas and any(item[0] in {"a", "an", "the"} for item in items[1:]):
        return [], ""
    return items, "or" if "or" in joints else "and"


def _only_names(item: list[str]) -> bool:
    """Whether a part only names something: no number, no mark, nobody whose it is, no word that joins it to others."""
    said = " ".join(item)
    longest = _MOST_CHARACTERS_IN_AN_ITEM if not said.isascii() else _MOST_IN_AN_ITEM
    if len(item) > longest or _MORE_THAN_A_NAME.search(said):
        return False
    return NOT_IN_A_LIST.isdisjoint(said.lower().split())


def _meant(words: list[str]) -> Iterator[str]:
    """The words without the marks that mean nothing."""
    for at, word in enumerate(words):
        if word not in _MARKS or (0 < at < len(words) - 1 and _counts(words[at - 1], word, words[at + 1])):
            yield word


def _counts(before: str, mark: str, after: str) -> bool:
    """Whether a mark between two words may mean something: an end between sentences, a comma after "no", 10 - 5, "is - and"."""
    if mark == "." or before.lower() in NEGATIONS or before[-1] in NEGATIONS:
        return True
    is_said = before[-1].isdigit() or after[0].isdigit() or before in BEFORE_AN_ARTICLE or after in NO_NOUN
    return mark == "-" and is_said
