"""What a write that waits would do: resolved to entries and whole texts, so that it is done as it was shown or not at all.

A plan is read off its draft: what was asked for, and what follows from it, such as an entry that is closed since a new one says that it
holds no more. Asked again of the present state, it must come to the very same; else something has changed.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple

import msgspec

from archivist.guard import mask
from archivist.notes.admitting import Asked, Waits
from archivist.notes.asking import Author, Outcome
from archivist.notes.places import place_of
from archivist.notes.planning import Planner
from archivist.notes.saying import saying
from archivist.records import Scope
from archivist.records.digest import text_digest
from archivist.records.notes import HOME_SCOPE, Quote, Target
from archivist.records.proposals import (
    ASKED_FOR,
    Asker,
    Evidence,
    Proposal,
    ProposalTarget,
    ProposedOperation,
    SeenEntry,
)
from archivist.records.statements import Statement

ID_CHARS: Final = 10
_REWORDS: Final = frozenset({"replace", "edit"})
"""What is told once of an entry, with the words that it has in the end."""


class Resolved(NamedTuple):
    """What a plan would do.

    Attributes:
        seen: The entries that it touches, as they are.
        scopes: Whose notes they are, and those to which something comes.
    """

    operations: tuple[ProposedOperation, ...]
    seen: tuple[SeenEntry, ...]
    scopes: tuple[Scope, ...]


def resolved(planner: Planner, outcomes: Sequence[Outcome]) -> Resolved:
    """Read off a draft what it would do, in the order of what was asked for; what a batch does and takes back again is left out."""
    operations: dict[ProposedOperation, None] = {}
    reworded = set[str]()
    for outcome in outcomes:
        one = _operation(planner, outcome)
        if one is not None and one.entry not in reworded:
            operations.setdefault(msgspec.structs.replace(one, scope=_scope_told(planner, outcome.key)))
            reworded |= {one.entry} if one.action in _REWORDS else set()
        for key in outcome.superseded:
            by = outcome.key if planner.draft.is_former(outcome.key) else ""
            close = ProposedOperation("close", key, by=by, target=_target(planner, key))
            operations.setdefault(msgspec.structs.replace(close, scope=_scope_told(planner, key)))
    former = dict.fromkeys(one.entry for one in operations if one.entry)
    seen = tuple(found for key in former if (found := _seen(planner, key)) is not None)
    touched = [outcome.key for outcome in outcomes if outcome.key] + [*former]
    scopes = dict.fromkeys(_scope(planner, key) for key in touched)
    return Resolved(tuple(operations), seen, tuple(scopes))


def asked_of(action: str, author: Author, plan: Resolved) -> Asked:
    """What a rule is told of a plan."""
    texts = {one.id: one.text for one in plan.seen}
    return Asked(
        action=action,
        target=_first_target(plan),
        comes=tuple(one.content for one in plan.operations if one.content is not None),
        goes=tuple(texts[one.entry] for one in plan.operations if one.action != "add" and one.entry in texts),
        author=author,
        scopes=plan.scopes,
        changed=tuple(
            dict.fromkeys(
                (one.target or "memory", one.scope or HOME_SCOPE)
                for one in plan.operations
                if one.action != "add"
            )
        ),
        is_batch=action in {"batch", "import"},
    )


def waiting_write(
    plan: Resolved,
    author: Author,
    waits: Waits,
    *,
    now: datetime,
    new_id: Callable[[], str],
    statements: tuple[Statement, ...] = (),
) -> Proposal:
    """A plan as it waits for the owner.

    Secrets in entries, which a hand has put there, and in quotes are masked: they are stored nowhere else.
    """
    seen = tuple(msgspec.structs.replace(one, text=mask(one.text).text) for one in plan.seen)
    return Proposal(
        id=f"p{new_id()[:ID_CHARS]}",
        kind="write",
        target=_first_target(plan),
        operations=plan.operations,
        evidence=msgspec.structs.replace(_evidence(author, waits, seen), statements=statements),
        reason=mask(waits.reason).text,
        made_at=now,
        same=_same(plan, seen, author),
        scope=next((scope for scope in plan.scopes if scope != HOME_SCOPE), HOME_SCOPE),
        expires_at=now + ASKED_FOR,
    )


def waiting_day(
    text: str, author: Author, waits: Waits, *, whose: Scope, at: datetime, new_id: Callable[[], str]
) -> Proposal:
    """What would be written down for a day, as it waits: for that day and minute, whenever it is accepted."""
    add = ProposedOperation("add", content=text, target="daily")
    day = Resolved((add,), (), (whose,))
    return Proposal(
        id=f"p{new_id()[:ID_CHARS]}",
        kind="write",
        target="daily",
        operations=(add,),
        evidence=_evidence(author, waits, ()),
        reason=mask(waits.reason).text,
        made_at=at,
        same=f"{at:%Y-%m-%d} {_same(day, (), author)}",
        scope=whose,
        expires_at=at + ASKED_FOR,
    )


def _evidence(author: Author, waits: Waits, seen: tuple[SeenEntry, ...]) -> Evidence:
    asker = Asker(author.origin, author.scope, author.session, _masked(author.sources))
    return Evidence(seen, _masked(waits.evidence), asker, waits.kind, after=waits.after)


def _operation(planner: Planner, outcome: Outcome) -> ProposedOperation | None:
    """What becomes of the entry of one outcome when all of them are done."""
    draft, key = planner.draft, outcome.key
    is_former = draft.is_former(key)
    stands = bool(key) and draft.holds(key)
    if not is_former:
        if not stands or outcome.action == "remove":
            return None
        return ProposedOperation("add", content=draft.text(key), target=_target(planner, key))
    target = _target(planner, key)
    if outcome.action == "promote" or (outcome.action == "supersede" and stands):
        return ProposedOperation("add", key, content=draft.text(key), target=target)
    if not stands:
        return ProposedOperation("remove", key, target=target)
    own = planner.desk.own(key)
    if outcome.action in {"replace", "edit"} and own is not None and draft.text(key) != own.text:
        action: Literal["edit", "replace"] = "edit" if outcome.action == "edit" else "replace"
        return ProposedOperation(action, key, content=draft.text(key), target=target)
    return None


def _seen(planner: Planner, key: str) -> SeenEntry | None:
    own = planner.desk.own(key)
    return None if own is None else SeenEntry(key, own.text, own.observed_at)


def _target(planner: Planner, key: str) -> Target:
    place = place_of(planner.draft.file(key))
    return place.target if place is not None else "memory"


def _scope(planner: Planner, key: str) -> Scope:
    place = place_of(planner.draft.file(key))
    return planner.desk.scope(place.level) if place is not None else HOME_SCOPE


def _scope_told(planner: Planner, key: str) -> Scope | None:
    scope = _scope(planner, key)
    return None if scope == HOME_SCOPE else scope


def _first_target(plan: Resolved) -> ProposalTarget:
    return next((one.target for one in plan.operations if one.target is not None), "memory")


def _masked(quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    return tuple(msgspec.structs.replace(one, text=mask(one.text).text) for one in quotes)


def _same(plan: Resolved, seen: Sequence[SeenEntry], author: Author) -> str:
    """The same is asked for where the same origin would do the same to the same words of the same owner's."""
    texts = {one.id: one.text for one in seen}
    return f"write {text_digest(chr(0).join(_parts(plan, texts, author)))}"


def _parts(plan: Resolved, texts: dict[str, str], author: Author) -> Iterator[str]:
    yield author.origin
    yield from sorted(f"{scope.user}\1{scope.chat}\1{scope.project}" for scope in plan.scopes)
    for one in plan.operations:
        yield "\1".join(
            (one.action, one.entry, texts.get(one.entry, ""), _what_is_said(one), one.target or "")
        )


def _what_is_said(one: ProposedOperation) -> str:
    """Of what would be noted anew what it says, as the notes take two texts for one; of all else its letters."""
    text = one.content or ""
    return saying(text) if one.action == "add" and one.target != "daily" else text


__all__ = ["Resolved", "asked_of", "resolved", "waiting_day", "waiting_write"]
