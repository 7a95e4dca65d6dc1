"""A query as values: what is looked for, what must be there, what must not.

Every string is a valid query. What is not under an operator only adds to the score, so that a question asked
in a whole sentence finds the message that answers it although no message holds all its words.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from archivist.recall.grammar import AllOf, Atom, Node, Reading, read_operators
from archivist.recall.levelling import level
from archivist.recall.terms import SHORTEST_PREFIX, Term, phrase_term, prefix_term, word_terms
from archivist.records import Notice
from archivist.records.patterns import late_pattern
from archivist.store.index.words import phrase, split_words

READ_CHARS: Final = 4_000
MOST_TERMS: Final = 48
LONGEST_VERBATIM: Final = 3
"""Words of a query that are also sought in a row though nobody quoted them."""
VERBATIM_WEIGHT: Final = 1.0
INNER_SHARE: Final = 0.5
"""What the words of a quoted phrase count beside the phrase."""
ASIDE_SHARE: Final = 0.4
"""What the words around a question count beside those in it."""
SHORTEST_NEAR: Final = 5
"""Letters that a word must share with another to be near it."""
NEAR_LETTERS: Final = 3
"""Letters at the end of a longer word in which one near it may differ."""
_SENTENCE_ENDS: Final = late_pattern(r"(?<=[。！？!?\n])|(?<=\.)\s")


class Every(msgspec.Struct, frozen=True):
    """All of the parts."""

    parts: "tuple[Need, ...]"


class Either(msgspec.Struct, frozen=True):
    """At least one of the parts."""

    parts: "tuple[Need, ...]"


Need = Term | Every | Either


class Query(msgspec.Struct, frozen=True):
    """What is looked for.

    Attributes:
        terms: Each adds to the score of a text that has it, in the order in which they were written.
        need: What a text must have to be found at all; None for any of the terms.
        without: What it must not have.
        free: Whether there are terms beside what is needed.
        notices: What was not read.
        times: The terms, by their match, that only name a time.
    """

    terms: tuple[Term, ...] = ()
    need: Need | None = None
    without: tuple[Term, ...] = ()
    free: bool = False
    notices: tuple[Notice, ...] = ()
    times: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for, so that the range is listed, but for what is left out."""
        return not self.terms

    def relaxed(self) -> "Query":
        """The same words with nothing needed."""
        return replace(self, need=None)

    def near(self) -> "Query":
        """Words that begin like the plain ones that are sought, for a word that was misspelled near its end."""
        starts = (
            prefix_term(term.text[: max(SHORTEST_NEAR, len(term.text) - NEAR_LETTERS)])
            for term in self.terms
            if term.kind == "word"
            and len(term.text) >= SHORTEST_NEAR
            and term.text.isascii()
            and term.text.isalpha()
        )
        return Query(tuple(term for term in starts if term is not None), without=self.without)

    def listing(self) -> "Query":
        """No words, only what is left out."""
        return Query(without=self.without)


def read_query(text: str) -> Query:
    """Read a query; never fails."""
    notices = []
    if len(text) > READ_CHARS:
        notices.append(
            Notice(
                "query-cut",
                f"Only the first {READ_CHARS:,} of {len(text):,} characters were read as the query.",
            )
        )
        text = text[:READ_CHARS]
    reading = read_operators(text)
    if not reading.atoms and not reading.without:  # nothing but operators: those are the words then
        reading = Reading(tuple(Atom("bare", word) for word in text.split()), (), ())
    terms = _asked_first(text, [*_verbatim(text, reading), *_atom_terms(reading.atoms)])
    kept = _bounded(terms)
    if len(kept) < (asked := len({term.match for term in terms})):
        notices.append(
            Notice("terms-cut", f"The query has {asked} terms; the {MOST_TERMS} longest were sought.")
        )
    for atom in reading.atoms:
        if atom.kind == "prefix" and prefix_term(atom.text) is None:
            text = f"“{atom.text}*” is too short for a prefix and was sought as a word; give at least {SHORTEST_PREFIX} letters."
            notices.append(Notice("prefix-short", text))
    strict = {id(atom) for node in reading.needed for atom in _atoms(node)}
    is_free = any(id(atom) not in strict for atom in reading.atoms)
    nodes = () if is_free and _only_quotes_in_question(text, reading) else reading.needed
    needed = [need for node in nodes if (need := _need(node)) is not None]
    need = Every(tuple(needed)) if len(needed) > 1 else needed[0] if needed else None
    return Query(
        terms=tuple(kept),
        need=need,
        without=tuple(term for atom in reading.without if (term := _one_term(atom)) is not None),
        free=is_free,
        notices=tuple(notices),
    )


def _atom_terms(atoms: Iterable[Atom]) -> list[Term]:
    """The terms of all atoms; words that only carry the question are left out unless they are all there is."""
    telling: list[Term] = []
    asking: list[Term] = []
    for atom in atoms:
        if atom.kind == "bare":
            found, is_asking = word_terms(atom.text)
            (asking if is_asking else telling).extend(found)
        elif (term := _one_term(atom)) is not None:
            telling.append(term)
            telling.extend(
                replace(part, weight=part.weight * INNER_SHARE) for part in _atom_terms(_inner_words(atom))
            )
    return telling or asking


def _asked_first(text: str, terms: list[Term]) -> list[Term]:
    """The terms, those outside the last question of a longer text with less weight: what leads up to it is not what is asked."""
    sentences = [sentence for sentence in _SENTENCE_ENDS.split(text) if sentence.strip()]
    asking = [sentence for sentence in sentences if sentence.rstrip().endswith(("?", "？"))]
    if len(sentences) < 2 or not asking:
        return terms
    asked = {term.match for term in _atom_terms(read_operators(asking[-1]).atoms)}
    return [
        term if term.match in asked else replace(term, weight=term.weight * ASIDE_SHARE) for term in terms
    ]


def _only_quotes_in_question(text: str, reading: Reading) -> bool:
    """Whether the quotes quote something that is asked about, rather than demand it."""
    are_quotes = all(isinstance(node, Atom) and node.kind == "quoted" for node in reading.needed)
    return are_quotes and text.rstrip().endswith(("?", "？"))


def _inner_words(atom: Atom) -> list[Atom]:
    """The words of a quoted phrase, for their weight beside the phrase itself."""
    words = atom.text.split() if atom.kind == "quoted" else []
    return [Atom("bare", word) for word in words] if len(words) > 1 else []


def _one_term(atom: Atom) -> Term | None:
    """An atom under an operator as one term."""
    if atom.kind == "quoted":
        return phrase_term(atom.text)
    if atom.kind == "prefix" and (term := prefix_term(atom.text)) is not None:
        return term
    found = word_terms(atom.text)[0]
    if len(found) > 1 and found[0].kind == "piece":
        return phrase_term(atom.text)
    return found[0] if found else None


def _verbatim(text: str, reading: Reading) -> Iterator[Term]:
    """The whole query as a phrase, where it is short and has no operators."""
    if reading.needed or reading.without or len(reading.atoms) > LONGEST_VERBATIM:
        return
    words = split_words(text)
    if 1 < len(words) <= 2 * LONGEST_VERBATIM:
        yield Term("verbatim", level(text.strip()), phrase(text), VERBATIM_WEIGHT)


def _bounded(terms: Iterable[Term]) -> list[Term]:
    """Without repeats and no more than can be sought in time: the longest first, in the order of the query."""
    unique: dict[str, Term] = {}
    for term in terms:
        known = unique.get(term.match)
        if known is None or known.weight < term.weight or known.kind == "verbatim":
            unique[term.match] = term
    longest = sorted(unique.values(), key=lambda term: (term.weight, len(term.match)), reverse=True)[
        :MOST_TERMS
    ]
    kept = {term.match for term in longest}
    return [term for match, term in unique.items() if match in kept]


def _need(node: Node) -> Need | None:
    """What the operators ask for; a part without any word asks for nothing."""
    if isinstance(node, Atom):
        return _one_term(node)
    parts = tuple(need for part in node.parts if (need := _need(part)) is not None)
    if len(parts) < 2:
        return parts[0] if parts else None
    return Every(parts) if isinstance(node, AllOf) else Either(parts)


def _atoms(node: Node) -> Iterator[Atom]:
    if isinstance(node, Atom):
        yield node
    else:
        for part in node.parts:
            yield from _atoms(part)
