"""Whether what a model tells stands in what it was given: numbers, paths, identifiers and names of no source go, with their line.

A line that cites messages is checked against these; one that cites none, or messages that are not there, against all.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from archivist.compress.sections import Sections
from archivist.compress.weighing import is_coded, telling_words
from archivist.records.patterns import late_pattern

_CITED: Final = re.compile(r"\[([^\]\s]{1,64})\]")
_NAME: Final = late_pattern(r"(?<=[a-z,;] )[A-Z][a-z]{2,}\b")
"""A capital in the midst of a sentence."""
_MOST_NAMES: Final = 0.15
"""Of the words of a source: where more begin with a capital, the language writes all nouns so."""
_LEAST_SHARED: Final = 1 / 3
"""Of the telling words of a line, so many stand in the sources, in whatever words it is told."""


class Grounded(NamedTuple):
    """What stands in the sources, and the lines that do not."""

    told: dict[str, tuple[str, ...]]
    removed: tuple[str, ...]


class Sources:
    """What a model was given.

    Args:
        texts: By id of a message, what it says.
        more: Texts without an id, such as what was told before.
    """

    def __init__(self, texts: Mapping[str, str], more: Iterable[str] = ()) -> None:
        self._texts = {key: text.casefold() for key, text in texts.items()}
        self._all = "\n".join((*self._texts.values(), *(text.casefold() for text in more)))
        whole = "\n".join(texts.values())
        words = len(whole.split()) or 1
        self._names_tell = len(_NAME.findall(whole)) / words < _MOST_NAMES
        self._words = set(map(str.casefold, telling_words(self._all)))

    def holds(self, line: str) -> bool:
        """Whether a line says nothing that is in no source."""
        said = _CITED.sub(" ", line)
        source = self._cited(line)
        facts = [word.casefold() for word in telling_words(said) if is_coded(word)]
        names = [name.casefold() for name in _NAME.findall(said)] if self._names_tell else []
        if any(one.strip(".:-/") not in source for one in (*facts, *names)):
            return False
        words = {word.casefold() for word in telling_words(said)}
        return not words or len(words & self._words) >= _LEAST_SHARED * len(words)

    def _cited(self, line: str) -> str:
        cited = [self._texts[key] for key in _CITED.findall(line) if key in self._texts]
        return "\n".join(cited) if cited else self._all


def grounded(told: Sections, sources: Sources, *, known: Iterable[str] = ()) -> Grounded:
    """The lines that stand in the sources.

    Args:
        told: As the model told it.
        sources: What it was given.
        known: Lines of the instructions: what repeats them was not said by anybody.
    """
    instructions = {" ".join(line.split()).casefold() for line in known if line.strip()}
    removed: list[str] = []
    kept = {title: tuple(_holding(lines, sources, instructions, removed)) for title, lines in told.items()}
    return Grounded({title: lines for title, lines in kept.items() if lines}, tuple(removed))


def _holding(
    lines: Iterable[str], sources: Sources, instructions: set[str], removed: list[str]
) -> Iterator[str]:
    for line in lines:
        flat = " ".join(line.split()).casefold()
        if any(flat in one or one in flat for one in instructions):
            continue
        if sources.holds(line):
            yield line
        else:
            removed.append(line)


__all__ = ["Grounded", "Sources", "grounded"]
