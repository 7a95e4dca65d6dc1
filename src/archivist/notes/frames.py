"""A statement as the words by which it is compared with others, in their order: who, what of it, and the value.

Two statements have the same frame where all their words agree, each in its place, but for one stretch. Who does what is told by the order,
so that nothing is compared as a bag of words. Words agree that differ in an ending of the same verb; a name never does.
"""

from collections.abc import Sequence
from typing import Final

from archivist.notes.frame_words import APOSTROPHES, ARTICLES, ENDINGS, LEADING, MINE, SPEAKER
from archivist.notes.spelling import in_letters, words_of
from archivist.records.patterns import late_pattern

_ELIDED: Final = late_pattern(r"(?i)\b(qu|[dljmnstc])['’](?=[^\W\d_])")
_IN_BRACKETS: Final = late_pattern(
    r"\s*[（(]\s*((?:(?:not|nicht|pas|non?|não|не|formerly|previously|früher)\b|不是|而不是)[^()（）]*)[)）]"
)
_LEAST_STEM: Final = 3
_MARKS: Final = {"(:)": ":", "(-)": "-", "(,)": ","}
_SAME_PARTICLE: Final = {"을": "를", "은": "는"}
"""Korean, by the sound before it."""

Terms = tuple[str, ...]


def terms(text: str) -> Terms:
    """The words of a text and the marks between them; of scripts without spaces the characters."""
    text = _IN_BRACKETS.sub(r", \1", text)
    if "'" in text or "’" in text:
        text = _ELIDED.sub(lambda found: f"{APOSTROPHES[found[1].lower()]} ", text)
    words = [_MARKS.get(word, word) for word in in_letters(words_of(text))]
    while words and words[-1] in {".", ",", "(.)"}:
        del words[-1]
    return tuple(words)


def bare(words: Sequence[str]) -> Terms:
    """Without articles and marks, and with one word for whoever speaks: the user."""
    found = [_meant(word) for word in words if word not in ARTICLES and word not in {",", "."}]
    if (
        words and words[0].lower() in ARTICLES and words[0] not in ARTICLES
    ):  # behind "Correction:" a sentence begins
        del found[0]
    for name in LEADING:
        if tuple(found[: len(name)]) == name:
            return ("user", *found[len(name) :])
    return tuple(found)


def is_same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two sequences of `bare` words say the same."""
    if len(one) != len(other):
        one, other = _without_user(one), _without_user(other)
    return len(one) == len(other) and all(map(agree, one, other, range(len(one))))


def agree(one: str, other: str, place: int = 1) -> bool:
    """Whether two words are the same, or forms of one; the first word of a statement may be a name, of which there are no forms."""
    if one == other or one.casefold() == other.casefold():
        return True
    if not place or not (one.isalpha() and other.isalpha()):
        return False
    if one[0].isupper() and not "а" <= one[0].lower() <= "я":
        return False
    short, long = sorted((one.lower(), other.lower()), key=len)
    if len(short) >= _LEAST_STEM and long in {f"{short}s", f"{short}es"}:
        return True
    stem = _stem(one.lower())
    return len(stem) >= _LEAST_STEM and stem == _stem(other.lower())


def _meant(word: str) -> str:
    if word == "I" or (low := word.lower()) in SPEAKER:
        return "user"
    return "user's" if low in MINE else _SAME_PARTICLE.get(word, word)


def _without_user(words: Sequence[str]) -> Sequence[str]:
    return words[1:] if words[:1] and words[0] == "user" else words


def _stem(word: str) -> str:
    ending = next((one for one in ENDINGS if word.endswith(one)), "")
    return word[: len(word) - len(ending)]
