"""A folded text as tokens, and the tokens as a string of signs."""

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from archivist.guard.scanning.classes import END, LINE, NONE, QUOTE, SOFT, Vocabulary, vocabulary

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_APART = r"\s!-/:-@\[-`{-\u00bf\u2000-\u206f\u3000-\u3004\u3008-\u303f"
_FIRST_UNSPACED = "\u0e00"
_GROUP = 16
_LONGEST = 8
_BETWEEN = frozenset({",", "\n", "...", "…"})
"""What may stand between the words of a phrase."""


@cache
def _words() -> re.Pattern[str]:
    """Words, unspaced runs, and the marks that matter: the end of a sentence, of a line, a quotation mark, any other pause."""
    return re.compile(
        rf"[^{_APART}{UNSPACED}]+|[{UNSPACED}]+|[.!?…]+(?=[\s\"')\]]|$)|\n[\s>#*|-]*|[\"`]|[,:;()\[\]{{}}<>]|(?<=\s)-(?=\s)|(?<!\w)'|'(?!\w)|(?<=\w)@(?=\w)"
    )


@cache
def _pieces() -> re.Pattern[str]:
    """Known words within an unspaced run, and what stands between them in pieces of at most three characters.

    The words are tried in groups by their first letters, so that few are tried at each place.
    """
    known = vocabulary().unspaced
    firsts = sorted({word[0] for word in known})
    groups = [firsts[at : at + _GROUP] for at in range(0, len(firsts), _GROUP)]
    tried = [f"(?=[{''.join(group)}])(?:{'|'.join(w for w in known if w[0] in group)})" for group in groups]
    return re.compile(f"[^{''.join(firsts)}]{{1,3}}|{'|'.join(tried)}|.", re.DOTALL)


class Tokens(msgspec.Struct, frozen=True):
    """The tokens of a folded text.

    Attributes:
        words: The tokens, in order.
        signs: One for each; nothing where the token is the rest of a phrase.
        present: The bits of all classes that occur.
        different: The tokens, each once.
    """

    words: list[str]
    signs: list[str]
    present: int
    different: set[str]


def tokenize(text: str) -> Tokens:
    """The tokens of a folded text."""
    words = _words().findall(text)
    if not text.isascii():
        words = _apart(words)
    known = vocabulary()
    different = set(words)
    table = {word: _mark(word) or known.sign(word) for word in different}
    signs = [table[word] for word in words]
    heads = different & known.phrases.keys()
    if heads:
        _join_phrases(words, signs, heads, known)
    present = 0
    for sign in set(signs):
        present |= known.masks.get(sign, 0)
    return Tokens(words, signs, present, different)


def _mark(token: str) -> str:
    """The sign of a mark of punctuation; nothing for a word."""
    first = token[0]
    if first in ".!?…":
        return SOFT if token.startswith(("...", "…")) else END
    if first == "\n":
        return END if token.count("\n") > 1 else LINE
    if first in "\"'`":
        return QUOTE
    if first == "@":
        return vocabulary().words["http"]
    return SOFT if first in ",:;()[]{}<>-" else ""


def _apart(words: list[str]) -> list[str]:
    """The words, with unspaced runs in pieces."""
    apart: list[str] = []
    pieces = _pieces().findall
    for word in words:
        if word[0] >= _FIRST_UNSPACED and not "가" <= word[0] <= "힣":
            apart += pieces(word)
        else:
            apart.append(word)
    return apart


def _join_phrases(words: list[str], signs: list[str], heads: set[str], known: Vocabulary) -> None:
    """Give phrases one sign, at their first word."""
    last = len(words) - 1
    for at in [at for at, word in enumerate(words[:last]) if word in heads]:
        following = known.phrases[words[at]]
        second = words[at + 1]
        if second in following or "" in following or second in _BETWEEN:
            _join_phrase(words, signs, at, following)


def _join_phrase(
    words: list[str], signs: list[str], at: int, following: dict[str, list[tuple[tuple[str, ...], str]]]
) -> None:
    """Give the longest phrase that begins here one sign, if one does."""
    after = [
        (place, word)
        for place, word in enumerate(words[at + 1 : at + _LONGEST], at + 1)
        if word not in _BETWEEN
    ]
    second = after[0][1] if after else ""
    for rest, sign in following.get(second) or following.get("") or ():
        if len(after) >= len(rest) and all(
            _is(word, part) for (_, word), part in zip(after, rest, strict=False)
        ):
            end = after[len(rest) - 1][0] + 1
            signs[at:end] = [sign, *[""] * (end - at - 1)]
            return


def _is(word: str, pattern: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


def places(text: str) -> Iterator[int]:
    """Where each token of a folded text begins in it, in order."""
    for found in _words().finditer(text):
        at = found.start()
        if text[at] < _FIRST_UNSPACED:
            yield at
        else:
            for piece in _apart([found.group()]):
                yield at
                at += len(piece)


__all__ = ["END", "LINE", "NONE", "QUOTE", "SOFT", "Tokens", "places", "tokenize"]
