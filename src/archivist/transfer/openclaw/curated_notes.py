"""A curated text of OpenClaw's as statements, and what the program's marks in it say of them.

A mark is a comment that only the program reads: behind a statement, or on a line of its own above it; an indented one belongs to what
stands above. Marks become facts of the statement and are no part of its words. Any other comment is text and stays.
"""

import re
from collections import Counter
from datetime import datetime
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from archivist.config.projects import normalise_remote
from archivist.notes.blocks import blocks_of
from archivist.notes.statements import MIDDLING, Statement
from archivist.records import Scope
from archivist.records.notes import HOME_SCOPE, Target
from archivist.transfer.curated import Curated, TextFile, curated_file
from archivist.transfer.note_reasons import COPY_OF_SESSION, DREAMS
from archivist.transfer.openclaw.daily_notes import (
    CODE,
    HEADING,
    RULE,
    is_copy_of_session,
    without_dreams,
    zone_named,
)
from archivist.transfer.openclaw.places import CuratedNote
from archivist.transfer.times import parse_time

MARK: Final = re.compile(
    r"<!--[ \t]*((?:trigger|importance|project|observed|status)[ \t]*:[^\n]*?|openclaw[-:][^\n]*?)[ \t]*-->",
    re.IGNORECASE,
)
SCORED: Final = re.compile(r"[ \t]*\[score=[^\]\n]{0,300}\][ \t]*$")
PROMOTED: Final = re.compile(r"( {0,3}#{1,6})[ \t]+Promoted From Short-Term Memory\b.*", re.IGNORECASE)
DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?")
TOKEN: Final = re.compile("\ue0f0(\\d+)\ue0f1")
"""Stands for the marks of a line while the text is taken apart."""


class Marks(msgspec.Struct, frozen=True):
    """What marks say of a statement."""

    observed: str | None = None
    is_superseded: bool = False
    importance: int = MIDDLING
    project: str | None = None


def curated_note(note: CuratedNote, name: str, zone: str | None) -> Curated:
    """The statements of a curated text.

    Args:
        note: Where it lies.
        name: What it is called: `FORMAT:FILE`.
        zone: The time zone in which its days are meant.
    """
    return curated_file(note.path, partial(_read, note, name, zone))


def _read(note: CuratedNote, name: str, zone: str | None, file: TextFile) -> Curated:
    if is_copy_of_session(file.text):
        return Curated(path=note.path, skipped={COPY_OF_SESSION: 1})
    told, skipped = marked_statements(file.text)
    statements = [
        Statement(
            note.target,
            words,
            f"{name}#{number}",
            _time(marks.observed, zone) or file.at,
            _scope(marks.project, note.target),
            is_superseded=marks.is_superseded,
            in_prompt=note.in_prompt,
            importance=marks.importance,
        )
        for number, (words, marks) in enumerate(told, 1)
    ]
    return Curated(path=note.path, statements=statements, skipped=+skipped)


def marked_statements(text: str) -> tuple[list[tuple[str, Marks]], Counter[str]]:
    """The statements of a text with what is marked of them, and why other pieces are none."""
    skipped: Counter[str] = Counter()
    marking = _Marking()
    for line in without_dreams(text.split("\n")):
        if line is None:
            skipped[DREAMS] += 1
            marking.pass_over()
        else:
            marking.add(line)
    told = [marking.told(block) for block in blocks_of("\n".join(marking.lines))]
    return [(words, marks) for words, marks in told if words], skipped


class _Marking:
    """Lines with tokens in the place of their marks."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._marks: list[list[str]] = []
        self._above: list[str] = []
        self._in_code = False

    def add(self, line: str) -> None:
        """The next line."""
        is_fence = CODE.match(line) is not None
        if self._in_code and not is_fence:
            self.lines.append(line)
            return
        marks, bare = MARK.findall(line), MARK.sub("", line)
        if marks and not bare.strip():
            self._alone(line, marks)
        elif not line.strip() or RULE.fullmatch(line) or self._in_code:
            self.lines.append(line)
        elif HEADING.fullmatch(bare):
            self.lines.append(PROMOTED.sub(r"\1 Notes", bare).rstrip() + self._token(marks))
        else:
            self.lines.append(SCORED.sub("", bare).rstrip() + self._token(self._above + marks))
            self._above = []
        self._in_code ^= is_fence

    def pass_over(self) -> None:
        """Something that is not taken; the heading above it is about that alone."""
        at = self._last()
        if at is not None and (heading := HEADING.fullmatch(self.lines[at])):
            self.lines[at] = f"{self.lines[at][: heading.start(1)].rstrip()} Notes"
        self.lines.append("")

    def told(self, block: str) -> tuple[str, Marks]:
        """The words of a statement, and what is marked of it."""
        found = [mark for number in TOKEN.findall(block) for mark in self._of(int(number))]
        return TOKEN.sub("", block).strip(), read_marks(found)

    def _alone(self, line: str, marks: list[str]) -> None:
        """Marks on a line of their own."""
        at = self._last()
        if line.startswith((" ", "\t")) and at is not None:
            self.lines[at] += self._token(marks)
        else:
            self._above += marks
            self.lines.append("")

    def _last(self) -> int | None:
        """The last line that says something."""
        return next((n for n in range(len(self.lines) - 1, -1, -1) if self.lines[n].strip()), None)

    def _token(self, marks: list[str]) -> str:
        if not marks:
            return ""
        self._marks.append(marks)
        return f"\ue0f0{len(self._marks) - 1}\ue0f1"

    def _of(self, number: int) -> list[str]:
        return self._marks[number] if number < len(self._marks) else []


def read_marks(marks: list[str]) -> Marks:
    """What marks say, a later one over an earlier."""
    found = Marks()
    for mark in marks:
        if mark.lower().startswith("openclaw"):
            dated = DATE.search(mark)
            found = replace(found, observed=found.observed or (dated.group() if dated else None))
            continue
        for piece in mark.split("|"):
            name, _, value = piece.partition(":")
            found = _with(found, name.strip().lower(), value.strip())
    return found


def _with(marks: Marks, name: str, value: str) -> Marks:
    if name == "observed" and (dated := DATE.search(value)):
        return replace(marks, observed=dated.group())
    if name == "status":
        return replace(marks, is_superseded=value.lower() == "superseded")
    if name == "importance" and value.isdecimal():
        return replace(marks, importance=min(10, max(1, int(value[:3]))))
    if name == "project":
        return replace(marks, project=value)
    return marks


def _time(observed: str | None, zone: str | None) -> datetime | None:
    time = parse_time(observed) if observed else None
    if time is None or observed is None or "T" in observed:
        return time
    return time.replace(tzinfo=zone_named(zone))


def _scope(project: str | None, target: Target) -> Scope:
    """The project that a mark names by its git remote; what is marked with several, or with a name of another kind, is for all."""
    if not project or target == "user":
        return HOME_SCOPE
    key = normalise_remote(project)
    host, _, path = key.partition("/")
    is_remote = "." in host and bool(path) and not re.search(r"[\s,;]", key)
    return Scope(project=key) if is_remote else HOME_SCOPE
