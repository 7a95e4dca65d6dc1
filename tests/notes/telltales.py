"""Reads off patterns which words a text must have to be matched, and writes them down for `archivist.notes.kinds`.

`python -m tests.notes.telltales` writes `archivist/notes/telltales.py` anew; do so after a pattern of `kinds` has changed.
"""

import json
import re._parser as parser
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from re import _constants as sre
from unicodedata import east_asian_width

from archivist.notes import kinds
from archivist.notes.clauses import Clauses, alternatives

FILE = Path(kinds.__file__).with_name("telltales.py")
MOST = 64
"""Words that a stretch of a pattern may stand for before it is taken for any."""

ENOUGH = 4
"""Bytes of a word from which on it is rare enough."""

HEAD = '''"""For each alternative of each pattern of `archivist.notes.kinds`: words of which one stands in whatever it matches.

Made by `python -m tests.notes.telltales`, not by hand. None says that nothing must stand there.
"""

from typing import Final

# fmt: off
'''
WIDTH = 130


def written() -> str:
    """The module as the patterns are now."""
    lines = [HEAD]
    for name, clauses in sorted(patterns()):
        lines.append(f"{name}: Final[tuple[tuple[str, ...] | None, ...]] = (")
        lines += (_shown(telltales(one)) for one in alternatives(clauses.source))
        lines.append(")")
    return "\n".join([*lines, ""])


def _shown(words: list[str] | None) -> str:
    """One alternative's words, in lines that are not too long."""
    if words is None:
        return "    None,"
    lines = ["    ("]
    for word in words:
        literal = json.dumps(word, ensure_ascii=False)
        if sum(1 + (east_asian_width(sign) in "WFA") for sign in lines[-1] + literal) > WIDTH:
            lines.append("     ")
        lines[-1] += f"{literal}, "
    told = "\n".join(map(str.rstrip, lines))
    return f"{told}),".replace(",),", "),") if len(words) > 1 else f"{told}),"


def patterns() -> Iterator[tuple[str, Clauses]]:
    """The patterns of `kinds`, by the names under which their words are written down."""
    for name, value in vars(kinds).items():
        if isinstance(value, Clauses):
            yield name.strip("_"), value


def telltales(source: str) -> list[str] | None:
    """The words of one alternative: each text that it matches has one of them; None where nothing can be said."""
    found = _needed(list(parser.parse(source)))
    return None if found is None else sorted(found)


def _needed(tokens: Iterable) -> set[str] | None:
    """The best set of words of which a sequence needs one."""
    said, sets = {""}, []
    for token in tokens:
        said, done = _read(token, said, sets)
        if done:
            said = {""}
    sets.append(said)
    return max((_shortest(one) for one in sets if "" not in one), key=_worth, default=None)


def _shortest(words: set[str]) -> set[str]:
    """Without the words that have another one in them."""
    return {word for word in words if not any(one in word for one in words - {word})}


def _read(token: tuple, said: set[str], sets: list[set[str]]) -> tuple[set[str], bool]:
    """What is said up to and with a token, and whether nothing is known of what follows; what is found on the way goes into the sets."""
    op, told = token
    if op in {sre.AT, sre.ASSERT, sre.ASSERT_NOT}:
        return said, False
    exact = _exact([token])
    if exact is not None and len(said) * len(exact) <= MOST:
        return {one + other for one, other in product(said, exact)}, False
    sets.append(said)
    if op is sre.SUBPATTERN:
        sets.append(_needed(told[-1]) or {""})
    elif op is sre.BRANCH:
        each = [_needed(branch) for branch in told[1]]
        sets.append(set().union(*each) if None not in each else {""})
    elif op in {sre.MAX_REPEAT, sre.MIN_REPEAT} and told[0]:
        sets.append(_needed(told[2]) or {""})
    return said, True


def _exact(tokens: Iterable) -> set[str] | None:
    """All that a sequence can match, where that is little."""
    said = {""}
    for op, told in tokens:
        one: set[str] | None = None
        if op is sre.LITERAL:
            one = {chr(told)}
        elif op in {sre.AT, sre.ASSERT, sre.ASSERT_NOT}:
            one = {""}
        elif op is sre.IN:
            one = _of_class(told)
        elif op is sre.SUBPATTERN:
            one = _exact(told[-1])
        elif op is sre.BRANCH:
            each = [_exact(branch) for branch in told[1]]
            one = set().union(*each) if None not in each else None
        elif op in {sre.MAX_REPEAT, sre.MIN_REPEAT} and told[:2] == (0, 1):
            inner = _exact(told[2])
            one = inner | {""} if inner is not None else None
        if one is None or len(said) * len(one) > MOST:
            return None
        said = {a + b for a, b in product(said, one)}
    return said


def _of_class(members: list[tuple]) -> set[str] | None:
    found = set[str]()
    for op, told in members:
        if op is sre.LITERAL:
            found.add(chr(told))
        elif op is sre.RANGE and told[1] - told[0] < MOST:
            found |= set(map(chr, range(told[0], told[1] + 1)))
        else:
            return None
    return found


def _worth(words: set[str]) -> tuple[int, int]:
    return min(ENOUGH, *(len(word.encode()) for word in words)), -len(words)


if __name__ == "__main__":
    FILE.write_text(written())
