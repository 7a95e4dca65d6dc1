"""Statements of another program become entries: one change, which nothing that is there has to make room for.

What was noted here before, in these words or others, is not doubled. What was removed, edited or undone here since does not come back:
the journal knows every wording that ever stood in a file.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from archivist.guard import mask
from archivist.notes.document import DELIMITER, Document, carries_delimiter, joined_length
from archivist.notes.drafting import Draft, Plan
from archivist.notes.folding import State
from archivist.notes.holding import Holding
from archivist.notes.journal import Step
from archivist.notes.kinds import kind_of
from archivist.notes.ledger import Ledger
from archivist.notes.limits import NEARLY_FULL, Limits
from archivist.notes.places import archive_file, core_file, level_for, place_of, scope_key
from archivist.notes.planning import ARCHIVE_BYTES, ID_CHARS
from archivist.notes.sieving import IMPORT, CoreOf, Sieve, TwinOf
from archivist.notes.statements import BroughtIn, Statement
from archivist.notes.waiting import Resolved
from archivist.records import Scope
from archivist.records.notes import HOME_SCOPE, Quote, Target
from archivist.records.proposals import ProposedOperation

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class _Newcomer(msgspec.Struct):
    """A statement that is new here."""

    text: str
    told: Statement


class Planned(msgspec.Struct):
    """What would become of statements.

    Attributes:
        told: As it would be reported.
        taken: Those that are not left out.
        resolved: The entries that would come, as the owner is shown them.
    """

    draft: Draft
    told: BroughtIn
    taken: tuple[Statement, ...]
    resolved: Resolved


def planned(
    holding: Holding,
    statements: Sequence[Statement],
    *,
    limits: Limits,
    twin_of: Callable[[State, str, Target, str], str | None],
    new_id: Callable[[], str],
    brings_back: bool = False,
) -> Planned:
    """Plan to make entries of statements; nothing is changed.

    Args:
        holding: What is there.
        statements: They.
        limits: Of the core.
        twin_of: Names the entry that says the same as a text, or None.
        new_id: Makes ids.
        brings_back: Also what was removed here since: the owner has asked for it.
    """
    draft = Draft(holding.state, holding.document)
    bringing = _Import(
        holding.state,
        draft,
        limits=limits,
        twin_of=partial(twin_of, holding.state),
        now=holding.now(),
        new_id=new_id,
        brings_back=brings_back,
    )
    told = bringing.plan(statements)
    return Planned(draft, told, tuple(bringing.taken), _resolved(draft, bringing.taken))


def commit(ledger: Ledger, plan: Planned, *, accepts: str | None = None) -> str:
    """Do what was planned, as one change; its id. Under `ledger.writing` only.

    Raises:
        ArchivistError: Nothing was changed.
    """
    keys = _keys_of(plan.taken)
    return ledger.commit(Plan(IMPORT, plan.draft, keys=keys, accepts=accepts)).id


def _resolved(draft: Draft, taken: Iterable[Statement]) -> Resolved:
    """The entries that a draft would begin; what only the history would have is none."""
    whose = {level_for(one.target, one.scope): _scope_of(one) for one in taken}
    operations, buried = [], {step.entry for step in draft.steps if step.op == "gone"}
    for step in draft.steps:
        place = place_of(step.file)
        if step.op == "add" and place is not None and step.entry not in buried:
            scope = whose.get(place.level, HOME_SCOPE)
            told = None if scope == HOME_SCOPE else scope
            add = ProposedOperation("add", content=step.text, target=place.target, scope=told)
            operations.append(add)
    scopes = dict.fromkeys(one.scope or HOME_SCOPE for one in operations)
    return Resolved(tuple(operations), (), tuple(scopes))


def _scope_of(told: Statement) -> Scope:
    """Whose notes a statement goes to."""
    kind = level_for(told.target, told.scope).partition("/")[0]
    field = {"projects": "project", "chats": "chat", "users": "user"}.get(kind)
    return HOME_SCOPE if field is None else Scope(**{field: getattr(told.scope, field)})


class _Import:
    """One import in the making.

    Args:
        state: What is known.
        draft: Takes the steps.
        limits: Of the core.
        twin_of: Names the entry of a level and target that says the same as a text, or None.
        now: The time, for what of nobody knows when it was noted.
        new_id: Makes the ids of entries.
        brings_back: Also what was removed here.

    Attributes:
        taken: The statements that are not left out.
    """

    def __init__(
        self,
        state: State,
        draft: Draft,
        *,
        limits: Limits,
        twin_of: TwinOf,
        now: datetime,
        new_id: Callable[[], str],
        brings_back: bool = False,
    ) -> None:
        self.taken: list[Statement] = []
        self._brings_back = brings_back
        self._state, self._draft, self._limits, self._now, self._new_id = state, draft, limits, now, new_id
        self._twin_of, self._given = twin_of, set[str]()

    def plan(self, statements: Iterable[Statement]) -> BroughtIn:
        """Make entries of statements, in the order of their sources: of two that say the same the first one counts."""
        whole, split = _divided(statements)
        sieve = Sieve(self._state, self._twin_of, brings_back=self._brings_back)
        newcomers: dict[CoreOf, list[_Newcomer]] = defaultdict(list)
        for told in whole:
            whose = (level_for(told.target, told.scope), told.target)
            text = sieve.passed(whose, told)
            self.taken += [told] if text is not None else []
            if text is not None and told.is_superseded:
                self._bury(core_file(*whose), text, told)
            elif text is not None:
                newcomers[whose].append(_Newcomer(text, told))
        core = archived = 0
        for (level, target), found in newcomers.items():
            chosen = self._for_core(level, target, found)
            rest = [one for number, one in enumerate(found) if number not in chosen]
            self._write(core_file(level, target), [found[number] for number in sorted(chosen)])
            for name, part in self._files_for(level, target, rest):
                self._write(name, part)
            core, archived = core + len(chosen), archived + len(rest)
        return BroughtIn("", len(whole), core, archived, dict(sieve.skipped), tuple(sieve.twins), split)

    def _for_core(self, level: str, target: Target, found: Sequence[_Newcomer]) -> set[int]:
        """The numbers of those that the core has room for.

        Where it has none for all of them a fifth stays free, for newcomers make no room: else the next thing to be noted found no place.
        """
        able = [n for n, one in enumerate(found) if one.told.in_prompt]
        there = self._draft.sheet(core_file(level, target)).document.texts
        used = joined_length(there) + (len(DELIMITER) if there else 0)
        limit = self._limits.of(target)
        if used + joined_length(found[n].text for n in able) <= limit:
            return set(able)
        room = limit * NEARLY_FULL // 100 - used + len(DELIMITER)
        chosen: set[int] = set()
        for number in sorted(able, key=lambda n: -found[n].told.importance):
            needed = len(found[number].text) + len(DELIMITER)
            if needed <= room:
                chosen.add(number)
                room -= needed
        return chosen

    def _files_for(
        self, level: str, target: Target, found: Iterable[_Newcomer]
    ) -> Iterator[tuple[str, list[_Newcomer]]]:
        """The archive's files that newcomers go to, none of them larger than it may be."""
        month, number, part = f"{self._now:%Y-%m}", 1, list[_Newcomer]()
        size = self._size(name := archive_file(level, target, month, number))
        for one in found:
            more = len(one.text.encode()) + len(DELIMITER.encode())
            while size and size + more > ARCHIVE_BYTES:
                yield name, part
                number, part = number + 1, []
                size = self._size(name := archive_file(level, target, month, number))
            part.append(one)
            size += more
        yield name, part

    def _size(self, name: str) -> int:
        return len(self._draft.sheet(name).document.render())

    def _write(self, name: str, found: Sequence[_Newcomer]) -> None:
        """Put newcomers at the end of a file, in one go."""
        if not found:
            return
        sheet = self._draft.sheet(name)
        sheet.document = _extended(sheet.document, [one.text for one in found])
        for one, text in zip(found, sheet.document.texts[-len(found) :], strict=True):
            key = self._fresh_id()
            sheet.order.append(key)
            self._draft.steps.append(_beginning(key, name, text, one.told, self._now))

    def _bury(self, name: str, text: str, told: Statement) -> None:
        """Remember what holds no more in the history alone: in a file it would be recalled as if it held."""
        key = self._fresh_id()
        gone = Step("gone", key, name, was=text)
        self._draft.steps += [_beginning(key, name, text, told, self._now), gone]

    def _fresh_id(self) -> str:
        while self._draft.knows(key := f"e{self._new_id()[:ID_CHARS]}") or key in self._given:
            pass
        self._given.add(key)
        return key


def _keys_of(statements: Iterable[Statement]) -> Mapping[str, str]:
    """By level, the keys that the names of the statements' folders do not tell whole."""
    scopes = dict.fromkeys(told.scope for told in statements)
    return {level: key for scope in scopes for level, key in scope_key(scope).items()}


def _divided(statements: Iterable[Statement]) -> tuple[list[Statement], int]:
    """The statements, each of which can stand in a file as one entry, and how many had to be divided for that."""
    whole: list[Statement] = []
    split = 0
    for told in map(_presentable, statements):
        if not carries_delimiter(told.text):
            whole.append(told)
            continue
        parts = Document.parse(told.text.encode()).texts
        split += len(parts) > 1
        whole += [
            msgspec.structs.replace(told, text=part, place=f"{told.place}.{number}")
            for number, part in enumerate(parts, 1)
        ]
    return whole, split


def _presentable(told: Statement) -> Statement:
    """Without the halves of characters that some sources have, for no file holds them, and without secrets in the names of places."""
    scope = told.scope
    if scope.project is not None:
        scope = replace(scope, project=mask(scope.project).text)
    text = _SURROGATE.sub("\ufffd", told.text)
    while (bare := text.strip().strip("\ufeff")) != text:
        text = bare
    place = mask(_SURROGATE.sub("\ufffd", told.place)).text
    return msgspec.structs.replace(told, text=text, place=place, scope=scope)


def _beginning(key: str, name: str, text: str, told: Statement, now: datetime) -> Step:
    quote = Quote(text, place=told.place)
    return Step(
        "add",
        key,
        name,
        text=text,
        origin="import",
        kind=told.kind or kind_of(text, told.target),
        sources=(quote,),
        observed_at=told.observed_at or now,
    )


def _extended(document: Document, texts: Sequence[str]) -> Document:
    """A file with more entries at its end; the same as adding one after the other, without reading it again for each."""
    first = document.added(texts[0])
    ends = "\r\n" if 2 * first.body.count("\r\n") > first.body.count("\n") else "\n"
    more = "".join(DELIMITER + text for text in texts[1:]).replace("\n", ends)
    at = first.spans[-1][1]
    body = first.body[:at] + more + first.body[at:]
    whole = Document.parse(body.encode("utf-8", "surrogateescape"))
    if len(whole.texts) == len(document.texts) + len(texts):
        return whole
    for text in texts[1:]:  # something about one of them is odd: let each be looked at
        first = first.added(text)
    return first


__all__ = ["Planned", "commit", "planned"]
