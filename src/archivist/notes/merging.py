"""What a hand wrote into a file that had just been displaced, on top of what the file is by now."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from archivist.notes.adopting import is_cut
from archivist.notes.alignment import align
from archivist.notes.digests import id_of
from archivist.notes.document import Document
from archivist.notes.drafting import Draft
from archivist.notes.folding import State
from archivist.notes.journal import HAND, MERGE
from archivist.notes.likeness import normal
from archivist.notes.places import place_of
from archivist.notes.saying import saying


class Merged(msgspec.Struct, frozen=True):
    """What merging did.

    Attributes:
        dropped: Entries that the program had put there and the hand's save takes out or takes back.
        withheld: Texts that the hand's save has and the program had removed: they stay away.
    """

    dropped: tuple[str, ...]
    withheld: tuple[str, ...]


def merge(
    draft: Draft, state: State, name: str, base: Sequence[tuple[str, str]], late: Document, *, at: datetime
) -> Merged:
    """Take in what differs between a displaced file and what it became.

    The hand wins where both changed an entry. What the program has removed is not brought back; what a half written save seemed to
    drop is, once it is there again.

    Args:
        base: The entries of the file when it was displaced.
        late: What it became.
        at: When.
    """
    texts, aligned = dict(base), align(list(base), late.texts)
    dropped = []
    for gone in aligned.gone:
        if draft.holds(gone) and draft.file(gone) == name and draft.text(gone) == texts[gone]:
            draft.remove(gone)
            dropped.append(gone)
    going, worded = _last(state, "gone"), _last(state, "text")
    former = {normal(known.text): known.id for known in state.gone() if known.file == name}
    withheld = []
    for key, text in zip(aligned.ids, late.texts, strict=True):
        if key is not None and draft.holds(key):
            is_whole_again = worded.get(key) == MERGE and is_cut(draft.text(key), text)
            is_new = text != texts[key] or is_whole_again
            if is_new and text != draft.text(key):
                if (
                    draft.text(key) != texts[key]
                    or is_cut(text, texts[key])
                    or _was_replaced(state, key, text)
                ):
                    dropped.append(key)
                draft.revise(key, text)
        elif key is None or (going.get(key) == MERGE and not _is_piece(draft, state, name, key)):
            withheld += [] if _add(draft, name, text, former, going, at) else [text]
    return Merged(tuple(dropped), tuple(withheld))


def unite(draft: Draft, state: State) -> list[str]:
    """Entries of the archive that a hand has written into the core of their level again: back there, under their old ids."""
    archived: dict[tuple[str, str], str] = {}
    for name, file in state.files.items():
        place = place_of(name)
        if place is not None and place.tier == "archive":
            archived |= {(place.level, state.entries[key].text): key for key in file.order}
    back = []
    for name, file in state.files.items() if archived else ():
        place = place_of(name)
        if place is None or place.tier != "core":
            continue
        for key in file.order:
            known = state.entries[key]
            former = archived.pop((place.level, known.text), None) if known.origin == HAND else None
            if former is not None:
                at = draft.sheet(name).order.index(key)
                draft.remove(key)
                draft.move(former, name, after=draft.sheet(name).order[at - 1] if at else "")
                back.append(former)
    return back


def _last(state: State, op: str) -> Mapping[str, str]:
    """By entry: the action of the change that did this to it last."""
    return {step.entry: change.action for change in state.changes for step in change.steps if step.op == op}


def _is_piece(draft: Draft, state: State, name: str, key: str) -> bool:
    """Whether an entry was but the beginning, as a half written save had it, of one that is there whole."""
    known = state.entries[key]
    return known.origin == HAND and any(is_cut(known.text, text) for text in draft.sheet(name).document.texts)


def _was_replaced(state: State, key: str, text: str) -> bool:
    """Whether the program had replaced these words of an entry: whoever saves them again had not seen that."""
    said = normal(text)
    return any(
        step.op == "text" and step.entry == key and normal(step.was or "") == said
        for change in state.changes
        if not change.is_by_hand
        for step in change.steps
    )


def _add(
    draft: Draft, name: str, text: str, former: Mapping[str, str], going: Mapping[str, str], at: datetime
) -> bool:
    """Take in a text that is new here; False if the program removed it."""
    said = normal(text)
    if saying(text) in {saying(one) for one in draft.sheet(name).document.texts}:
        return True
    key = former.get(said)
    if key is not None and going.get(key) not in {HAND, MERGE}:
        return False
    if key is None or draft.holds(key):
        key = id_of(name, said, at.isoformat())
        draft.add(key, name, text, origin=HAND, observed_at=at)
    else:
        draft.add(key, name, text)
    return True
