"""A change in the making: files as they would be, and the steps that lead there."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from archivist.notes.document import Document, shown
from archivist.notes.folding import Known, State, orders_after, position_of
from archivist.notes.journal import Step
from archivist.notes.likeness import normal
from archivist.records.notes import EntryKind

FEW: Final = 200
"""Of more steps the order that they lead to is written down, not worked out."""


class Sheet(msgspec.Struct):
    """A file as it would be: its entries in order, and its bytes."""

    order: list[str]
    document: Document


class Draft:
    """Steps over the present state; nothing is written.

    Args:
        state: What is known now.
        document_of: The file of a name as it is now.
    """

    def __init__(self, state: State, document_of: Callable[[str], Document]) -> None:
        self._state, self._document_of = state, document_of
        self._texts: dict[str, str] = {}
        self._files: dict[str, str] = {}
        self.sheets: dict[str, Sheet] = {}
        self.steps: list[Step] = []
        self.orders: dict[str, tuple[str, ...]] = {}

    def sheet(self, name: str) -> Sheet:
        """A file as it would be."""
        if name not in self.sheets:
            order = list(self._state.file(name).order)
            self.sheets[name] = Sheet(order, self._document_of(name))
        return self.sheets[name]

    def text(self, key: str) -> str:
        """The words that an entry would have."""
        return self._texts.get(key, self._state.entries[key].text if key in self._state.entries else "")

    def words(self, key: str) -> str:
        """The same as they stand in the file, bytes that are no UTF-8 included; see `Document.words`."""
        sheet = self.sheet(self.file(key))
        return sheet.document.words(sheet.order.index(key))

    def file(self, key: str) -> str:
        """The file in which an entry would stand."""
        return self._files.get(key) or self._state.entries[key].file

    def known(self, key: str, now: datetime) -> Known:
        """What is known of an entry, one that is new in the draft included."""
        known = self._state.entries.get(key)
        if known is not None:
            return known
        step = next(step for step in self.steps if step.entry == key)
        at = step.observed_at or now
        return Known(
            key,
            step.file,
            step.text or "",
            at,
            at,
            at,
            origin=step.origin or "user",
            kind=step.kind or "fact",
        )

    def knows(self, key: str) -> bool:
        """Whether there ever was an entry of this id."""
        return key in self._state.entries or key in self._files

    def order(self, name: str) -> Sequence[str]:
        """The ids of a file's entries, in order; it need not be parsed for that."""
        sheet = self.sheets.get(name)
        return sheet.order if sheet is not None else self._state.file(name).order

    def is_former(self, key: str) -> bool:
        """Whether an entry was there before this draft."""
        return key in self._state.entries

    def holds(self, key: str) -> bool:
        """Whether an entry would stand anywhere."""
        known = self._state.entries.get(key)
        return key in self.sheet(self.file(key)).order if known or key in self._files else False

    def add(self, key: str, name: str, text: str, *, after: str | None = None, **facts: Any) -> None:  # noqa: ANN401 - fields of a step
        """Begin an entry, or give one back; `facts` are fields of the step."""
        self._put_in(key, name, text, after)
        self.steps.append(Step("add", key, name, text=shown(text), after=after, **facts))

    def revise(self, key: str, text: str, *, kind: EntryKind | None = None) -> None:
        """Give an entry other words, and another kind with them."""
        name, was = self.file(key), self.text(key)
        sheet = self.sheet(name)
        sheet.document = sheet.document.replaced(sheet.order.index(key), text)
        self._texts[key] = shown(text)
        self.steps.append(Step("text", key, name, text=shown(text), was=was, kind=kind))

    def remove(self, key: str) -> None:
        """Take an entry out."""
        name, was = self.file(key), self.text(key)
        behind = self._take_out(key, name)
        self.steps.append(Step("gone", key, name, was=was, behind=behind))

    def move(self, key: str, name: str, *, after: str | None = None, by: str | None = None) -> None:
        """Give an entry a place in another file; `by` is the entry that takes its own."""
        source, text, words = self.file(key), self.text(key), self.words(key)
        behind = self._take_out(key, source)
        self._put_in(key, name, words, after)
        self.steps.append(
            Step("move", key, name, text=text, source=source, after=after, behind=behind, by=by)
        )

    def mark(self, key: str, **values: Any) -> None:  # noqa: ANN401 - fields of a step
        """Change something about an entry: pinned, shared, kind."""
        known = self._state.entries[key]
        marks = {name: (getattr(known, name), value) for name, value in values.items()}
        marks = {name: pair for name, pair in marks.items() if pair[0] != pair[1]}
        if marks:
            self.steps.append(Step("mark", key, self.file(key), marks=marks))

    def put_back(self, sheets: Mapping[str, Sheet], steps: Sequence[Step]) -> None:
        """Take files for this that were there before, and the steps that lead to them; nothing else may stand in the draft yet."""
        self.sheets, self.steps = dict(sheets), list(steps)
        for name, sheet in sheets.items():
            for key, text in zip(sheet.order, sheet.document.texts, strict=True):
                self._texts[key], self._files[key] = text, name
        left = orders_after(self._state, steps, sheets) if len(steps) <= FEW else {}
        self.orders = {
            name: tuple(sheet.order)
            for name, sheet in sheets.items()
            if not steps or left.get(name) != sheet.order
        }

    def _put_in(self, key: str, name: str, text: str, after: str | None) -> None:
        sheet = self.sheet(name)
        at = position_of(sheet.order, after)
        sheet.document = sheet.document.added(text, at)
        sheet.order.insert(at, key)
        self._texts[key], self._files[key] = shown(text), name

    def _take_out(self, key: str, name: str) -> str:
        """Returns the entry behind which it stood."""
        sheet = self.sheet(name)
        at = sheet.order.index(key)
        sheet.document = sheet.document.removed(at)
        del sheet.order[at]
        return sheet.order[at - 1] if at else ""


class Plan(msgspec.Struct, frozen=True):
    """What is wanted of a change.

    Attributes:
        keys: By level, the key of one whose folder's name is too short for it.
        stale: As in `Change`.
        accepts: As in `Change`.
    """

    action: str
    draft: Draft
    undoes: str | None = None
    session: str | None = None
    keys: Mapping[str, str] = {}
    stale: tuple[str, ...] = ()
    accepts: str | None = None


def replayed(
    steps: Sequence[Step], name: str, document: Document, order: Sequence[str]
) -> tuple[Document, tuple[int, ...]]:
    """A file with those of the steps that concern it, on what a hand has made of it meanwhile.

    Args:
        order: The ids of the document's entries.

    Returns:
        The file, and the numbers of the steps that were not taken: a hand had touched their entries.
    """
    keys, skipped = list(order), []
    for number, step in enumerate(steps):
        taken, document = _replay(step, name, document, keys)
        if not taken:
            skipped.append(number)
    return document, tuple(skipped)


def _replay(step: Step, name: str, document: Document, keys: list[str]) -> tuple[bool, Document]:
    """Whether a step is taken in a file, or has nothing to do there, and the file after it."""
    at = keys.index(step.entry) if step.entry in keys else None
    if step.file == name and step.op in {"add", "move"}:
        return _arrive(step, document, keys, at)
    if step.file == name and step.op == "text":
        if at is None or document.texts[at] not in {step.was, step.text}:
            return False, document
        return True, document.replaced(at, step.text or "")
    if name == (step.file if step.op == "gone" else step.source):
        return _depart(step, document, keys, at)
    return True, document


def _arrive(step: Step, document: Document, keys: list[str], at: int | None) -> tuple[bool, Document]:
    text = step.text or ""
    if at is not None:
        return normal(document.texts[at]) == normal(text), document
    place = position_of(keys, step.after)
    keys.insert(place, step.entry)
    return True, document.added(text, place)


def _depart(step: Step, document: Document, keys: list[str], at: int | None) -> tuple[bool, Document]:
    if at is None:
        return True, document
    if document.texts[at] != (step.was if step.op == "gone" else step.text):
        return False, document
    del keys[at]
    return True, document.removed(at)
