"""What a session's prompt carries of the notes: rendered from values alone, so that the same notes are the same bytes everywhere.

A block is what Hermes writes, byte for byte, where everything fits: a rule, what it is and how full, a rule, the entries. Where the
files hold more than their budget the best of it is shown, in the order of the file, and the block says how much more there is. Where two
entries cannot both hold it says so, with the days on which they were noted. What was left out, cut or masked is in the report.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from archivist.notes.document import DELIMITER, joined_length
from archivist.notes.limits import tokens_of
from archivist.notes.saying import saying
from archivist.notes.secrets import TAKEN_OUT
from archivist.notes.withholding import how_to_allow, what_was_found
from archivist.prompt.choosing import Candidate, Choice, choose
from archivist.prompt.heads import OVER_BUDGET, RULE, place_in_order, title_of
from archivist.prompt.wording import Wording, entry_wording
from archivist.records import Notice, Scope, text_digest
from archivist.records.notes import (
    Entry,
    EntryKind,
    NoteUsage,
    Snapshot,
    SnapshotReport,
    SnapshotSection,
    Target,
)
from archivist.records.tokens import estimate_tokens

if TYPE_CHECKING:
    from archivist.notes.contradicting import Pair

LASTING_KINDS: Final[frozenset[EntryKind]] = frozenset(
    {"prohibition", "preference", "identity", "correction"}
)
"""What holds until it is contradicted."""

ALL_LEVELS: Final = 1.5
"""Budgets of a file that all levels together may fill."""

MOST_CONTRADICTIONS: Final = 3
LONGEST_BEGINNING: Final = 80

_TARGETS: Final[tuple[Target, ...]] = ("memory", "user")


class Level(msgspec.Struct, frozen=True):
    """One file of notes.

    Attributes:
        entries: Those that stand in it now, in its order.
        limit: Its budget, in characters.
    """

    scope: Scope
    target: Target
    entries: tuple[Entry, ...]
    limit: int


def snapshot_of(
    levels: Iterable[Level],
    *,
    retention: Mapping[str, float],
    family: str | None = None,
    last_change: str | None = None,
    allowed: Container[str] = (),
    tell_odd: bool = True,
) -> Snapshot:
    """The notes for a prompt.

    Args:
        levels: In any order; the home's come first, then those of the project, the chat and the user.
        retention: How well each entry is remembered, by id; 1 where it is not named.
        family: Whose tokens the report counts.
        last_change: The newest change of the notes that the levels show.
        allowed: The ids of blocks that are shown whatever is found in them.
        tell_odd: Say of what the owner typed that it is odd; the text is the same.
    """
    ordered = sorted(levels, key=lambda level: place_in_order(level.target, level.scope))
    found = _Found(ordered, retention, allowed, tell_odd=tell_odd)
    choices = [found.choose(target) for target in _TARGETS]
    shown = _merged(choices)
    blocks = [block for number in range(len(ordered)) if (block := found.block(number, shown.texts))]
    text = "\n\n".join(blocks)
    report = SnapshotReport(
        sections=tuple(found.section(number, shown.texts) for number in range(len(ordered))),
        tokens=estimate_tokens(text, family),
        last_change=last_change,
        notices=tuple(found.notices(shown)),
    )
    return Snapshot(text, text_digest(text), report)


class _Found:
    """What stands in the levels, worded, and what of it says the same as something before it."""

    def __init__(
        self,
        levels: Sequence[Level],
        retention: Mapping[str, float],
        allowed: Container[str],
        *,
        tell_odd: bool,
    ) -> None:
        self._levels, self._retention = levels, retention
        self._allowed, self._tell_odd = allowed, tell_odd
        self._wordings: dict[str, Wording] = {}
        self._left_out: list[dict[str, str]] = [{} for _ in levels]
        self._candidates: list[list[Candidate]] = [[] for _ in levels]
        self._usages = [_usage(level) for level in levels]
        said: dict[str, tuple[int, int]] = {}
        for number, level in enumerate(levels):
            for entry in level.entries:
                if entry.id in self._wordings:  # it is being moved
                    self._left_out[number][entry.id] = "stands in another file too"
                else:
                    self._take(number, entry, said)

    def choose(self, target: Target) -> Choice:
        """What of one target fits."""
        numbers = [number for number, level in enumerate(self._levels) if level.target == target]
        budgets = [level.limit for level in self._levels]
        together = int(ALL_LEVELS * max((budgets[number] for number in numbers), default=0))
        return choose([one for number in numbers for one in self._candidates[number]], budgets, together)

    def block(self, number: int, texts: Mapping[str, str]) -> str:
        """A level as it is rendered; empty where it has nothing to show."""
        candidates = self._candidates[number]
        if not candidates:
            return ""
        parts = [texts[one.id] for one in candidates if one.id in texts]
        if more := len(candidates) - len(parts):
            parts.append(
                f"… {more:,} more entries are in the files; recall finds them"
                if more > 1
                else "… 1 more entry is in the files; recall finds it"
            )
        if pairs := self._pairs(number, texts):
            parts.append("\n".join(map(self._told, pairs)))
        level = self._levels[number]
        title = title_of(level.target, level.scope)
        return "\n".join([RULE, f"{title} [{self._usages[number]}]", RULE, DELIMITER.join(parts)])

    def section(self, number: int, texts: Mapping[str, str]) -> SnapshotSection:
        """What the report says of a level."""
        level, candidates = self._levels[number], self._candidates[number]
        over = {one.id: OVER_BUDGET for one in candidates if one.id not in texts}
        shown = tuple(one.id for one in candidates if one.id in texts)
        return SnapshotSection(
            level.target,
            level.scope,
            self._usages[number],
            shown,
            self._left_out[number] | over,
            tuple((pair.first.id, pair.second.id) for pair in self._pairs(number, texts)),
            {
                key: tuple(block.id for block in blocks)
                for key in shown
                if (blocks := self._wordings[key].withheld)
            },
        )

    def _pairs(self, number: int, texts: Mapping[str, str]) -> "list[Pair]":
        """What of a level is shown and cannot both hold."""
        entries = self._levels[number].entries
        if not any(entry.contradicts for entry in entries):
            return []
        from archivist.notes.contradicting import standing  # noqa: PLC0415 - few notes contradict each other

        pairs = [pair for pair in standing(entries) if pair.first.id in texts and pair.second.id in texts]
        return pairs[:MOST_CONTRADICTIONS]

    def _told(self, pair: "Pair") -> str:
        """Two entries that cannot both hold, in one line, with the days on which they were noted."""
        first, second = (
            f"“{_beginning(self._wordings[one.id].text)}” (noted {one.observed_at.date().isoformat()})"
            for one in (pair.first, pair.second)
        )
        return f"… {first} and {second} contradict each other: ask which holds where it matters"

    def notices(self, shown: Choice) -> Iterator[Notice]:
        """What a person should know about this snapshot."""
        for level, candidates in zip(self._levels, self._candidates, strict=True):
            title = title_of(level.target, level.scope)
            missing = [one.id for one in candidates if one.id not in shown.texts]
            if missing:
                yield Notice(
                    "notes-left-out",
                    f"{title} holds more than its budget: {len(missing):,} of {len(candidates):,} entries are not in the prompt",
                )
            for one in candidates:
                if one.id in shown.cut:
                    yield Notice("notes-cut", f"{title}: {one.id} is cut in the prompt")
                if one.id in shown.texts:
                    yield from _told_of(title, one.id, self._wordings[one.id])

    def _take(self, number: int, entry: Entry, said: dict[str, tuple[int, int]]) -> None:
        worded = self._wordings[entry.id] = entry_wording(entry, self._allowed, tell_odd=self._tell_odd)
        if not worded.text:
            self._left_out[number][entry.id] = "nothing in it can be shown"
            return
        lasting = entry.pinned or entry.kind in LASTING_KINDS
        retention = self._retention.get(entry.id, 1.0)
        one = Candidate(entry.id, number, worded.text, retention, lasting, entry.pinned)
        twin = said.setdefault(saying(worded.text), (number, len(self._candidates[number])))
        if twin == (number, len(self._candidates[number])):
            self._candidates[number].append(one)
            return
        level, place = twin
        first = self._candidates[level][place]
        self._left_out[number][entry.id] = f"says the same as {first.id}"
        self._candidates[level][place] = _strongest(first, one)


def _told_of(title: str, key: str, worded: Wording) -> Iterator[Notice]:
    """What a person should know about the words of an entry."""
    if worded.masked:
        kinds = ", ".join(worded.masked)
        yield Notice(
            "notes-masked",
            f"{title}: {key} holds a secret ({kinds}), which is masked in the prompt: {TAKEN_OUT}",
        )
    if worded.withheld:
        told = f"{title}: {key} tries to steer a model ({what_was_found(worded.withheld)}), and that is left out of the prompt"
        yield Notice(
            "notes-withheld",
            f"{told}: `archivist memory show {key}` shows it, {how_to_allow(worded.withheld)} allows it",
        )
    if worded.odd:
        told = f"{title}: {key} reads like an attempt to steer a model ({what_was_found(worded.odd)})"
        yield Notice(
            "notes-odd",
            f"{told}, and is in the prompt because you typed it; {how_to_allow(worded.odd)} ends this notice",
        )


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_BEGINNING else line[: LONGEST_BEGINNING - 1].rstrip() + "…"


def _usage(level: Level) -> NoteUsage:
    texts = [entry.text for entry in level.entries]
    return NoteUsage(joined_length(texts), level.limit, tokens_of(texts), len(texts))


def _strongest(first: Candidate, other: Candidate) -> Candidate:
    """The first of two that say the same, as well remembered as the better of them."""
    return msgspec.structs.replace(
        first,
        retention=max(first.retention, other.retention),
        lasting=first.lasting or other.lasting,
        pinned=first.pinned or other.pinned,
    )


def _merged(choices: Sequence[Choice]) -> Choice:
    texts = {key: text for choice in choices for key, text in choice.texts.items()}
    return Choice(texts, tuple(key for choice in choices for key in choice.cut))


__all__ = ["ALL_LEVELS", "LASTING_KINDS", "Level", "snapshot_of"]
