"""Whether what a model tells stands in what it was given: numbers, paths, identifiers and names of no source go, with their line.

A line that cites messages is checked against these; one that cites none, or messages that are not there, against all. What it says must not
deny what they affirm, nor affirm what they deny. What the owner wants is told by people alone: a page, a mail or a file that asks for
something is no source of a goal, a constraint or a request.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from archivist.compress.figures import are_said, settled
from archivist.compress.polarity import Clauses
from archivist.compress.sections import Sections, written
from archivist.compress.weighing import is_coded, telling_words
from archivist.records.patterns import late_pattern

_CITED: Final = re.compile(r"\s?\[([^\]\s]{1,64})\]")
_NAME: Final = late_pattern(r"(?<=[a-z,;] )[A-Z][a-z]{2,}\b")
"""A capital in the midst of a sentence."""
_MOST_NAMES: Final = 0.15
"""Of the words of a source: where more begin with a capital, the language writes all nouns so."""
_LEAST_SHARED: Final = 1 / 3
"""Of the telling words of a line, so many stand in the sources, in whatever words it is told."""
_OF_PEOPLE: Final = frozenset(("Goal", "Constraints", "Open asks"))
"""The sections that say what the owner wants."""


class Grounded(NamedTuple):
    """What stands in the sources, and the lines that do not."""

    told: dict[str, tuple[str, ...]]
    removed: tuple[str, ...]


class Sources:
    """What a model was given.

    Args:
        texts: By id of a message, what it says.
        before: What was told before, which was checked then.
        outputs: The ids of messages in which nobody speaks: what tools returned.
    """

    def __init__(
        self, texts: Mapping[str, str], before: Sections | None = None, *, outputs: Collection[str] = ()
    ) -> None:
        told = before or {}
        self._outputs = frozenset(outputs)
        self._account = written(told)
        self._texts = {key: settled(text) for key, text in texts.items()}
        self._all = "\n".join((*self._texts.values(), settled(self._account)))
        whole = "\n".join(texts.values())
        self._names_tell = len(_NAME.findall(whole)) / (len(whole.split()) or 1) < _MOST_NAMES
        self._words = _words(self._all)
        said = [text for key, text in self._texts.items() if key not in self._outputs]
        wanted = written({title: lines for title, lines in told.items() if title in _OF_PEOPLE})
        self._peoples = _words("\n".join((*said, settled(wanted))))
        self._clauses = Clauses([*self._texts.values()])
        self._own_clauses = {key: Clauses([text]) for key, text in self._texts.items()}

    def holds(self, line: str, title: str = "") -> bool:
        """Whether a line of a section says nothing that is in no source."""
        keys = [key for key in _CITED.findall(line) if key in self._texts]
        source = "\n".join(map(self._texts.__getitem__, keys)) if keys else self._all
        said = _CITED.sub(" ", line)
        words = _words(settled(said))
        return (
            self._has_facts(said, source)
            and len(words & self._words) >= _LEAST_SHARED * len(words)
            and (title not in _OF_PEOPLE or self._is_of_people(words, keys))
            and not self._is_turned_round(said, keys)
        )

    def without_strange_ids(self, line: str) -> str:
        """A line without the ids of messages that nobody was given."""

        def known(found: re.Match[str]) -> str:
            is_strange = found[1].startswith("#") and found[1] not in self._texts
            return "" if is_strange and f"[{found[1]}]" not in self._account else found[0]

        return _CITED.sub(known, line).strip()

    def _has_facts(self, said: str, source: str) -> bool:
        facts = [word for word in telling_words(settled(said)) if is_coded(word) or word.isdigit()]
        names = [settled(name) for name in _NAME.findall(said)] if self._names_tell else []
        return are_said(settled(said), (*facts, *names), source)

    def _is_of_people(self, words: Collection[str], keys: Collection[str]) -> bool:
        if keys and self._outputs.issuperset(keys):
            return False
        return 2 * len(self._peoples.intersection(words)) >= len(words)

    def _is_turned_round(self, said: str, keys: Collection[str]) -> bool:
        """Whether the sources say a clause of it with a "not", or without the one that it has, and none says it as the line does."""
        sources = [self._own_clauses[key] for key in keys] or [self._clauses]
        clauses = Clauses([said]).all
        return any(source.turn_round(words, denials) for source in sources for words, denials in clauses)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in telling_words(text)}


def grounded(told: Sections, sources: Sources, *, known: Iterable[str] = ()) -> Grounded:
    """The lines that stand in the sources.

    Args:
        told: As the model told it.
        sources: What it was given.
        known: Lines of the instructions: what repeats them was not said by anybody.
    """
    instructions = {" ".join(line.split()).casefold() for line in known if line.strip()}
    removed: list[str] = []
    kept = {
        title: tuple(_holding(title, lines, sources, instructions, removed)) for title, lines in told.items()
    }
    return Grounded({title: lines for title, lines in kept.items() if lines}, tuple(removed))


def _holding(
    title: str, lines: Iterable[str], sources: Sources, instructions: set[str], removed: list[str]
) -> Iterator[str]:
    for line in lines:
        flat = " ".join(line.split()).casefold()
        if any(flat in one or one in flat for one in instructions):
            continue
        if sources.holds(line, title):
            yield sources.without_strange_ids(line)
        else:
            removed.append(line)


__all__ = ["Grounded", "Sources", "grounded"]
