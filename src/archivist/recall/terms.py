"""One written word or phrase as the terms under which it is looked for.

An identifier, a path or an address is sought whole, its words in a row, and in parts, which count less. A
stretch of Chinese is sought as its pairs of characters; pairs that touch a character of grammar count little,
since they mostly tell nothing.
"""

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from archivist.recall.levelling import level
from archivist.recall.stopwords import CHINESE_ASKING, CHINESE_GRAMMAR, CONTRACTION, ENGLISH
from archivist.records.patterns import late_pattern
from archivist.store.index.folding import UNSEGMENTED
from archivist.store.index.words import identifier_parts, phrase, split_words, stem

TermKind = Literal["word", "piece", "whole", "phrase", "verbatim", "prefix"]


class Term(msgspec.Struct, frozen=True):
    """One thing to look for in a text.

    Attributes:
        kind: "word": one word or a form of it; "piece": characters of an unsegmented script; "whole": an
            identifier's words in a row;
            "phrase": quoted words in a row; "verbatim": the whole query, though nobody quoted it; "prefix":
            words that begin so.
        text: What was asked, levelled.
        match: The same as an FTS5 expression.
        weight: How much it counts beside the others; 1 for an ordinary word.
        literal: The text with its marks where those matter ("$9", "c++"), else "".
    """

    kind: TermKind
    text: str
    match: str
    weight: float = 1.0
    literal: str = ""


PART_WEIGHT: Final = 0.4
GRAMMAR_PAIR_WEIGHT: Final = 0.25
KANA_PAIR_WEIGHT: Final = 0.5
LONE_CHARACTER_WEIGHT: Final = 0.6
MOST_PARTS: Final = 12
SHORTEST_PREFIX: Final = 3
"""Letters; a shorter prefix makes FTS5 read most of its vocabulary."""

_SENTENCE_MARKS: Final = " \t\r\n,;:!?\"'‘’`()[]{}<>…，。！？、；：（）【】《》〈〉·—–"
_RUN: Final = late_pattern(f"[{UNSEGMENTED}]+")
_HIRAGANA: Final = late_pattern("[\u3041-\u309f]+")
_ENDINGS: Final = (
    "",
    *"""
    e s es y ies ed ing er ers ion ions ation ations ity ities al ally ly ment ments ness ive able ible ful
    ous ance ence ize izes ization ate ated
    """.split(),
)


def word_terms(written: str) -> tuple[list[Term], bool]:
    """The terms of a word as it was written, and whether it only carries the question.

    A word without any letter, digit or symbol has no terms.
    """
    written = written.strip(_SENTENCE_MARKS)
    core = written.rstrip(".") or written
    if not (levelled := level(core)).isascii() and _RUN.search(levelled):
        return _mixed_terms(core, levelled), False
    if contracted := CONTRACTION.fullmatch(core):
        base = contracted["base"]
        if core.lower().endswith(("n't", "n’t")) or base.lower() in ENGLISH:
            return _plain_terms(core), True
        core = base
    is_name = core.isupper() and len(core) > 1  # IT, US
    return _plain_terms(core), core.lower() in ENGLISH and not is_name


def phrase_term(quoted: str) -> Term | None:
    """Quoted words in a row, None without words."""
    match = phrase(quoted)
    return Term("phrase", level(quoted.strip()), match) if match else None


def prefix_term(beginning: str) -> Term | None:
    """Words that begin so, None where no index can find them.

    The index holds stems, and a stem may be shorter than the prefix ("universit" begins "university", whose
    stem is "univers"): such stems are asked for under a full word. What does not begin so after all is
    dropped when the text is read.
    """
    words = split_words(beginning)
    if len(words) != 1 or len(words[0]) < SHORTEST_PREFIX:
        return None
    word = words[0]
    longer = (word + ending for ending in _ENDINGS)
    shorter = (
        {found: full for full in longer if not (found := stem(full)).startswith(word)}
        if word.isascii()
        else {}
    )
    return Term(
        "prefix", level(word), " OR ".join([f'"{word}" *', *(f'"{full}"' for full in shorter.values())])
    )


def _plain_terms(written: str) -> list[Term]:
    """The terms of a word in a script with spaces: itself, or whole and in parts."""
    words = split_words(written)
    if not words:
        return []
    levelled = level(written)
    literal = "" if levelled.isalnum() else levelled
    if len(words) > 1:
        return [Term("whole", levelled, phrase(written), literal=literal), *_parts(words)]
    parts = (
        [part.lower() for part in identifier_parts(written) if part.isascii()] if written.isascii() else []
    )
    return [Term("word", words[0], phrase(words[0]), literal=literal), *_parts(parts)]


def _parts(words: list[str]) -> Iterator[Term]:
    """The words of an identifier that mean something alone."""
    telling = [word for word in dict.fromkeys(words) if len(word) > 1 and word not in ENGLISH]
    for word in telling[:MOST_PARTS]:
        yield Term("word", word, phrase(word), PART_WEIGHT)


def _mixed_terms(written: str, levelled: str) -> list[Term]:
    """The terms of a stretch with an unsegmented script in it, divided where the script changes."""
    found, end = [], 0
    for run in _RUN.finditer(levelled):
        found += word_terms(levelled[end : run.start()])[0]
        found += _run_terms(run[0])
        end = run.end()
    found += word_terms(levelled[end:])[0]
    if len(words := split_words(written)) > 1 and not _RUN.fullmatch(levelled):
        found.insert(0, Term("whole", levelled, f'"{" ".join(words)}"', literal=levelled))
    return found


def _run_terms(run: str) -> Iterator[Term]:
    """The pairs of a run, without what only asks; the only asking ones when there is nothing else."""
    asked = [piece for piece in CHINESE_ASKING.split(run) if piece]
    pieces = [piece for piece in asked if not CHINESE_GRAMMAR.issuperset(piece)] or [run]
    for piece in pieces:
        yield from _piece_terms(piece)


def _piece_terms(piece: str) -> Iterator[Term]:
    if len(piece) == 1:
        yield Term("piece", piece, phrase(piece))
        return
    for place, first in enumerate(piece[:-1]):
        pair = first + piece[place + 1]
        yield Term("piece", pair, phrase(pair), _pair_weight(pair))
    for place, character in enumerate(piece):
        beside = piece[max(0, place - 1) : place] + piece[place + 1 : place + 2]
        if character not in CHINESE_GRAMMAR and CHINESE_GRAMMAR.issuperset(beside):
            yield Term("piece", character, phrase(character), LONE_CHARACTER_WEIGHT)


def _pair_weight(pair: str) -> float:
    if not CHINESE_GRAMMAR.isdisjoint(pair):
        return GRAMMAR_PAIR_WEIGHT
    return KANA_PAIR_WEIGHT if _HIRAGANA.fullmatch(pair) else 1.0
