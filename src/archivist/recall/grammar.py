"""The operators of a query: quotes, `prefix*`, AND, OR, NOT, a leading minus, parentheses.

Any string has a reading: what is not clearly an operator is text, and an operator without something to work
on is passed over. Words that only stand side by side ask for nothing; what stands under an operator must be
there.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from archivist.records.patterns import late_pattern

AtomKind = Literal["bare", "quoted", "prefix"]


class Atom(msgspec.Struct, frozen=True):
    """A word or a quoted phrase as it was written."""

    kind: AtomKind
    text: str


class AllOf(msgspec.Struct, frozen=True):
    """Every part must be there."""

    parts: "tuple[Node, ...]"


class AnyOf(msgspec.Struct, frozen=True):
    """At least one part must be there."""

    parts: "tuple[Node, ...]"


Node = Atom | AllOf | AnyOf


class Reading(msgspec.Struct, frozen=True):
    """A query taken apart.

    Attributes:
        atoms: All words and phrases that are looked for, in order, needed or not.
        needed: What must be there.
        without: What must not.
    """

    atoms: tuple[Atom, ...]
    needed: tuple[Node, ...]
    without: tuple[Atom, ...]


_LEXEMES: Final = late_pattern(
    r"""(?P<minus>(?<!\S)-(?=[“"「]|[^\W\d_]))?
        (?: "(?P<straight>[^"]*)" | “(?P<curly>[^”]*)” | 「(?P<corner>[^」]*)」 | (?P<bare>[^\s"“”「」]+) )""",
    re.VERBOSE,
)
_PREFIX: Final = late_pattern(r"[^\W_]+\*")
_LEFT_OUT_WORD: Final = late_pattern(
    r"(?=[^\W\d_]*[aeiouyAEIOUY\u0080-\U0010ffff])[^\W\d_]{3,}|[\u3040-\U0010ffff]{1,}"
)
_OPERATORS: Final = frozenset({"AND", "OR", "NOT"})
_SHOUTED_WORDS: Final = 6  # a text all in capitals of this many words is a text, not a formula
_DEEPEST: Final = 20


def read_operators(text: str) -> Reading:
    """Take a query apart; never fails."""
    parser = _Parser(list(_tokens(text)))
    needed = tuple(parser.top())
    return Reading(tuple(parser.atoms), needed, tuple(parser.without))


Token = Atom | str
"""An atom, or one of "AND", "OR", "NOT", "-", "(" and ")"."""


def _tokens(text: str) -> Iterator[Token]:
    """The words, phrases and operators in order."""
    words = text.split()
    has_operators = bool(_OPERATORS.intersection(words)) and not _is_shouted(words)
    for found in _LEXEMES.finditer(text):
        quoted = found["straight"] or found["curly"] or found["corner"]
        bare = found["bare"]
        if bare is None:
            if quoted and quoted.strip():
                yield from ("-",) * bool(found["minus"])
                yield Atom("quoted", quoted)
        elif found["minus"] and _LEFT_OUT_WORD.fullmatch(bare):
            yield "-"
            yield Atom("bare", bare)
        elif has_operators:
            yield from _bare_tokens(("-" if found["minus"] else "") + bare)
        else:
            yield _bare_atom(("-" if found["minus"] else "") + bare)


def _is_shouted(words: Sequence[str]) -> bool:
    """Whether the text is written in capitals altogether, so that they mean nothing."""
    written = [word for word in words if word.isalpha() and word.isascii()]
    return len(written) >= _SHOUTED_WORDS and all(word.isupper() for word in written)


def _bare_tokens(bare: str) -> Iterator[Token]:
    """A word of a query with operators: those, and parentheses around it."""
    inner = bare.lstrip("(")
    yield from "(" * (len(bare) - len(inner))
    closing = inner.count(")") - inner.count("(")  # f(x) keeps its own
    core = inner[: len(inner) - closing] if closing > 0 and inner.endswith(")" * closing) else inner
    if core in _OPERATORS:
        yield core
    elif core:
        yield _bare_atom(core)
    yield from ")" * (len(inner) - len(core))


def _bare_atom(bare: str) -> Atom:
    return Atom("prefix", bare[:-1]) if _PREFIX.fullmatch(bare) else Atom("bare", bare)


def _is_mark(token: Token | None, mark: str) -> bool:
    return token == mark


class _Parser(msgspec.Struct):
    """Recursive descent over the tokens; AND binds tighter than OR, as in FTS5."""

    tokens: list[Token]
    place: int = 0
    atoms: list[Atom] = msgspec.field(default_factory=list)
    without: list[Atom] = msgspec.field(default_factory=list)

    def top(self) -> Iterator[Node]:
        """What is needed of the whole query."""
        while self.place < len(self.tokens):
            before = self.place
            node = self._alternatives(0)
            if node is not None and not (isinstance(node, Atom) and node.kind == "bare"):
                yield node
            if self.place == before:
                self.place += 1  # an operator with nothing to work on, or a stray parenthesis

    def _next(self) -> Token | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def _alternatives(self, depth: int) -> Node | None:
        return self._joined("OR", depth)

    def _joined(self, operator: str, depth: int) -> Node | None:
        """Operands of one operator in a row; one alone is itself, but `a AND NOT b` needs a."""
        parts = [self._operand(operator, depth)]
        while self._next() == operator:
            self.place += 1
            parts.append(self._operand(operator, depth))
        found = tuple(part for part in parts if part is not None)
        if operator == "AND" and found and len(parts) > 1:
            return AllOf(found)
        if len(found) < 2:
            return found[0] if found else None
        return AnyOf(found)

    def _operand(self, operator: str, depth: int) -> Node | None:
        return self._joined("AND", depth) if operator == "OR" else self._factor(depth)

    def _factor(self, depth: int) -> Node | None:
        token = self._next()
        if isinstance(token, Atom):
            self.place += 1
            self.atoms.append(token)
            return token
        if token in {"NOT", "-"}:
            self._leave_out(depth)
            return None
        if _is_mark(token, "(") and depth < _DEEPEST:
            self.place += 1
            return self._group(depth + 1)
        return None

    def _leave_out(self, depth: int) -> None:
        """NOT and what it stands before: a word, or all words of a group."""
        self.place += 1
        if isinstance(token := self._next(), Atom):
            self.place += 1
            self.without.append(token)
        elif _is_mark(token, "(") and depth < _DEEPEST:
            kept = len(self.atoms)
            self.place += 1
            self._group(depth + 1)
            self.without.extend(self.atoms[kept:])
            del self.atoms[kept:]

    def _group(self, depth: int) -> Node | None:
        """What stands in parentheses: operators as they say, mere words as alternatives."""
        parts = []
        while (token := self._next()) is not None and not _is_mark(token, ")"):
            before = self.place
            if (node := self._alternatives(depth)) is not None:
                parts.append(node)
            if self.place == before:
                self.place += 1
        self.place += 1
        return AnyOf(tuple(parts)) if len(parts) > 1 else parts[0] if parts else None
