"""Taking a change back, which is a change itself."""

from collections.abc import Callable, Sequence

import msgspec

from archivist.notes.document import Document
from archivist.notes.drafting import Sheet
from archivist.notes.folding import State
from archivist.notes.journal import MERGE, Change, Step
from archivist.notes.planning import Planner
from archivist.records import ArchivistError


class ChangedSince(ArchivistError):
    """What a change made has been changed again; nothing was taken back.

    Attributes:
        later: The changes that came later, the first of them first.
    """

    def __init__(self, change: str, later: Sequence[str]) -> None:
        self.change, self.later = change, tuple(later)
        names = ", ".join(later) or "by hand"
        super().__init__(
            f"{change} cannot be taken back as it was: later changes touched the same entries ({names});"
            " take those back first, or force it (--force)"
        )


class TakenBackAlready(ArchivistError):
    """A change was taken back before, and that stands; nothing was done.

    Attributes:
        by: The change that took it back.
    """

    def __init__(self, change: str, by: str) -> None:
        self.change, self.by = change, by
        super().__init__(
            f"{change} is taken back already, by {by}: `archivist memory undo {by}` does it again"
        )


class NothingLeft(ArchivistError):
    """Everything that a change made is gone or as it was before."""

    def __init__(self, change: str) -> None:
        super().__init__(
            f"{change} has nothing left to take back: `archivist memory log` shows what came after it"
        )


Former = Callable[[str, str], bytes | None]
"""The bytes of a file that had a digest, where they are kept."""


def undo(state: State, planner: Planner, change: Change, *, force: bool, former: Former) -> None:
    """Take the steps of a change back in a draft, the last first.

    Where the files are still as the change left them they get back the bytes that they had before it.

    Raises:
        ChangedSince: Something else happened to its entries; not with `force`.
        TakenBackAlready: It was taken back, and its entries are as they were then, or are touched no more.
        NothingLeft: There is nothing to take back.
    """
    if _put_back(state, planner, change, former):
        return
    by = taken_back(state.changes).get(change.id)
    if by is not None and (not force or _later(state, change)[-1:] == [by]):
        raise TakenBackAlready(change.id, by)
    united = _united_since(state, change)
    if not force and not all(
        key in united or _is_as_left(planner, key, left) for key, left in _left_by(change).items()
    ):
        raise ChangedSince(change.id, _later(state, change))
    for step in reversed(change.steps):
        _take_back(planner, step, lambda one: _words_before(change, one, former))
    if not planner.draft.steps:
        raise NothingLeft(change.id)


def taken_back(changes: Sequence[Change]) -> dict[str, str]:
    """The changes that are taken back, each with the change that did it; not those whose taking back was taken back."""
    found: dict[str, str] = {}
    for change in reversed(changes):
        if change.undoes is not None and change.id not in found:
            found.setdefault(change.undoes, change.id)
    return found


def _put_back(state: State, planner: Planner, change: Change, former: Former) -> bool:
    """Give the files the bytes that they had before a change, where they still are as it left them; whether that was possible."""
    if not change.files or any(step.op == "mark" for step in change.steps):
        return False
    if any(state.file(name).digest != after for name, (_, after) in change.files.items()):
        return False
    if not _are_the_same(state, change):
        return False
    before, sheets = state.before(change.id), dict[str, Sheet]()
    for name, (digest, _) in change.files.items():
        content = former(name, digest)
        document = Document.parse(content or b"")
        known = before.known(name)
        if content is None or document.texts != tuple(text for _, text in known):
            return False
        sheets[name] = Sheet([key for key, _ in known], document)
    planner.draft.put_back(sheets, [_inverse(step, before) for step in reversed(change.steps)])
    return True


def _are_the_same(state: State, change: Change) -> bool:
    """Whether the entries of the files are those that a change left: the same words may be those of another by now."""
    at = next((number for number, one in enumerate(state.changes) if one.id == change.id), len(state.changes))
    if at + 1 >= len(state.changes):
        return True
    after = state.before(state.changes[at + 1].id)
    return all(
        [key for key, _ in after.known(name)] == [key for key, _ in state.known(name)]
        for name in change.files
    )


def _inverse(step: Step, before: State) -> Step:
    """What takes a step back."""
    if step.op == "add":
        return Step("gone", step.entry, step.file, was=step.text, behind=step.after)
    if step.op == "text":
        kind = before.entries[step.entry].kind if step.kind and step.entry in before.entries else None
        return Step("text", step.entry, step.file, text=step.was, was=step.text, kind=kind)
    if step.op == "gone":
        return Step("add", step.entry, step.file, text=step.was, after=step.behind)
    source, known = step.source or step.file, before.entries.get(step.entry)
    by = known.superseded_by if known is not None else None
    return Step("move", step.entry, source, text=step.text, source=step.file, after=step.behind, by=by)


class _Left(msgspec.Struct):
    """How a change left an entry; None where it did not touch that."""

    stands: bool | None = None
    file: str | None = None
    text: str | None = None
    marks: dict[str, object] = {}


def _left_by(change: Change) -> dict[str, _Left]:
    found: dict[str, _Left] = {}
    for step in change.steps:
        left = found.setdefault(step.entry, _Left())
        if step.op == "mark":
            left.marks |= {name: value for name, (_, value) in step.marks.items()}
        else:
            left.stands = step.op != "gone"
            left.text = step.text if step.op != "gone" else None
            left.file = step.file if step.op in {"add", "move"} else left.file
    return found


def _is_as_left(planner: Planner, key: str, left: _Left) -> bool:
    draft = planner.draft
    if not draft.holds(key):
        return left.stands is False
    return (
        left.stands is not False
        and left.text in {None, draft.text(key)}
        and left.file in {None, draft.file(key)}
        and all(planner.marked(key, name) == value for name, value in left.marks.items())
    )


def _words_before(change: Change, step: Step, former: Former) -> str:
    """The words that an entry had before a step took it out, with bytes that are no UTF-8 where its file is kept."""
    text = step.was or ""
    if "\ufffd" not in text or step.file not in change.files:
        return text
    document = Document.parse(former(step.file, change.files[step.file][0]) or b"")
    return document.words(document.texts.index(text)) if text in document.texts else text


def _take_back(planner: Planner, step: Step, words_before: Callable[[Step], str]) -> None:
    draft, key = planner.draft, step.entry
    stands = draft.holds(key)
    if step.op == "gone":
        if not stands:
            draft.add(key, step.file, words_before(step) or draft.text(key), after=step.behind)
    elif not stands:
        return
    elif step.op == "add":
        draft.remove(key)
    elif step.op == "text":
        if step.was is not None and draft.text(key) != step.was:
            planner.revise(key, words_before(step))
    elif step.op == "move":
        if step.source is not None and draft.file(key) != step.source:
            draft.move(key, step.source, after=step.behind)
    else:
        draft.mark(key, **{name: before for name, (before, _) in step.marks.items()})


def _united_since(state: State, change: Change) -> set[str]:
    """What a hand wrote and went again because it stood in the archive already: nobody has changed that since."""
    at = next((number for number, one in enumerate(state.changes) if one.id == change.id), len(state.changes))
    united = {
        step.entry
        for one in state.changes[at + 1 :]
        if one.action == MERGE
        for step in one.steps
        if step.op == "gone"
    }
    return united if change.is_by_hand else set()


def _later(state: State, change: Change) -> list[str]:
    """The changes after this one that touched any of its entries."""
    keys = {step.entry for step in change.steps}
    at = next((number for number, one in enumerate(state.changes) if one.id == change.id), len(state.changes))
    return [one.id for one in state.changes[at + 1 :] if keys & {step.entry for step in one.steps}]
