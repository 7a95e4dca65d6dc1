"""Proposals as text for a terminal: what the owner accepts they must have seen, what is invisible in it included."""

from collections.abc import Container, Iterator
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

import click

from archivist.records.counts import counted
from archivist.records.display import plain, visible
from archivist.records.patterns import late_pattern
from archivist.surfaces.cli.printing import INDENT, one_line, when
from archivist.surfaces.cli.whose import whose

if TYPE_CHECKING:
    from archivist.curate.appliers import Line
    from archivist.curate.review import Decision, Shown
    from archivist.records.notes import Quote
    from archivist.records.proposals import Evidence, Proposal

STANDING = {
    "as-shown": "",
    "changed": "what it is about has changed since: it can only be rejected",
    "settled": "nothing is to be done for it any more",
}
LONGEST_QUOTE = 600
"""Of words that a proposal rests on; they are those by which it is judged."""
MOST_NAMED, LONGEST_NAMED = 2, 60
MOST_LISTED, LISTED_CHARS = 5, 2_400
"""Of one proposal in a list, so many characters are shown whole; of a longer one so many lines begin there, and `show` has all."""
AFTER = {
    "web": "a web page",
    "document": "a document",
    "tool": "what a tool brought",
    "agent": "another agent's words",
    "member": "another person's words",
    "unknown": "words of unknown origin",
}
_GAP = late_pattern(r"[^\S\n]{40,}")
_EMPTY_LINES = late_pattern(r"\n(?:[^\S\n]*\n){5,}")
SIGNS = {"add": "+", "replace": "~", "edit": "~", "remove": "-", "close": "-"}


def facts_line(proposal: "Proposal", zone: tzinfo) -> str:
    """What one is, whose and since when, without a word of it: all that an agent is told of what waits."""
    state = "" if proposal.state == "open" else f"  ({proposal.state})"
    expires = proposal.expires_at if proposal.state == "open" else None
    until = f", until {_day(expires, zone)}" if expires is not None else ""
    facts = click.style(f"{_facts(proposal, zone)}{until}", dim=True)
    return f"{click.style(proposal.id, fg='cyan')}{state}  {facts}"


def facts_of(proposal: "Proposal") -> dict[str, object]:
    """The same, as a value."""
    asker, evidence = proposal.evidence.asker, proposal.evidence
    return {
        "id": proposal.id,
        "kind": proposal.kind,
        "target": proposal.target,
        "scope": proposal.scope,
        "state": proposal.state,
        "origin": None if asker is None else asker.origin,
        "waits": evidence.waits,
        "after": evidence.after,
        "made_at": proposal.made_at,
        "expires_at": proposal.expires_at,
    }


def proposal_lines(proposal: "Proposal", zone: tzinfo, program: str) -> Iterator[str]:
    """One of a list: what it is, whose and when, and what would go and come; of a long one the beginning."""
    yield facts_line(proposal, zone)
    changes = list(_changes(proposal, zone))
    if is_listed_whole(proposal):
        for sign, text in changes:
            yield from (f"{INDENT}{sign} {line}" for line in visible(text).split("\n"))
        return
    for sign, text in changes[:MOST_LISTED]:
        yield f"{INDENT}{sign} {one_line(visible(text))}"
    yield click.style(f"{INDENT}… not all of it: {program} review show {proposal.id}", dim=True)


def is_listed_whole(proposal: "Proposal") -> bool:
    """Whether a list shows all that a proposal would do."""
    return sum(len(text) for _, text in _changes(proposal)) <= LISTED_CHARS


def shown_lines(found: "Shown", zone: tzinfo, program: str) -> Iterator[str]:
    """A proposal whole: why it waits, what it would do, what it rests on, how long it waits."""
    proposal = found.proposal
    yield f"{click.style(proposal.id, fg='cyan')}  {proposal.state}, {_facts(proposal, zone)}"
    yield visible(proposal.reason)
    for line in found.lines:
        yield from _diff_lines(line, zone)
    yield from _rests_on(proposal.evidence, program)
    if proposal.state in {"open", "expired"} and STANDING[found.standing]:
        yield STANDING[found.standing]
    if proposal.expires_at is not None and proposal.state in {"open", "expired"}:
        until = _day(proposal.expires_at, zone)
        told = (
            f"waits until {until}"
            if proposal.state == "open"
            else f"waited until {until}; it can still be accepted"
        )
        yield click.style(told, dim=True)
    if proposal.change is not None:
        yield f"done by change {proposal.change}"
    if proposal.state in {"open", "expired"}:
        yield click.style(_next(found, program), dim=True)


def steering_lines(proposal: "Proposal", allowed: Container[str], program: str) -> Iterator[str]:
    """That models will not be shown what a write notes, where something in it tries to steer them.

    Args:
        proposal: What would be done, or was.
        allowed: The ids of the blocks that the owner has allowed.
        program: How the program was called.
    """
    from archivist.guard.withholding import shown  # noqa: PLC0415 - `--help` loads no scanner
    from archivist.notes.withholding import sight_of, what_was_found  # noqa: PLC0415 - as above

    asker = proposal.evidence.asker
    for one in proposal.operations:
        if one.content is None:
            continue
        origin = asker.origin if asker is not None and one.proposed is None else "user"
        is_daily = one.target == "daily"
        seen = (
            shown(one.content, "", allowed=allowed)
            if is_daily
            else sight_of(one.content, "", origin, allowed)
        )
        if seen.withheld:
            ids = " ".join(block.id for block in seen.withheld)
            yield (
                f"it tries to steer a model ({what_was_found(seen.withheld)}): noted, it is withheld from models until"
                f" `{program} guard allow {ids}`"
            )


def decision_lines(decision: "Decision", program: str) -> Iterator[str]:
    """What became of one, and how that is taken back."""
    proposal = decision.proposal
    state = "waits again" if proposal.state == "open" else proposal.state
    yield f"{proposal.id} {state}: {one_line(visible(_named(proposal)))}"
    if proposal.state != "open":
        yield click.style(f"{INDENT}undo with: {program} review undo {proposal.id}", dim=True)


def _facts(proposal: "Proposal", zone: tzinfo) -> str:
    asker = proposal.evidence.asker
    of = f" of {whose(proposal.scope)}" if whose(proposal.scope) else ""
    by = f", by {asker.origin}" if asker is not None else ""
    if proposal.evidence.after is not None:
        by += f" after {AFTER.get(proposal.evidence.after, proposal.evidence.after)}"
    kind = proposal.evidence.waits or proposal.kind
    return f"{kind}, {proposal.target}{of}{by}, {when(proposal.made_at, zone)}"


def _rests_on(evidence: "Evidence", program: str) -> Iterator[str]:
    """The words by which it is judged, those that it rests on, and where it was asked for."""
    asker = evidence.asker
    for quote in evidence.quotes:
        yield _quoted("because of" if asker is not None else "rests on", quote, program)
    for quote in asker.sources if asker is not None else ():
        if quote not in evidence.quotes:
            yield _quoted("rests on", quote, program)
    if asker is not None and asker.session is not None:
        yield f"asked for in {program} sessions show {plain(asker.session)}"


def _next(found: "Shown", program: str) -> str:
    """What can be decided on it."""
    one = found.proposal
    if found.standing == "changed":
        return f"{program} review reject {one.id}"
    edit = f", edit {one.id} TEXT" if found.standing == "as-shown" and one.is_editable else ""
    return f"{program} review accept {one.id}{edit} or reject {one.id}"


def _day(at: datetime, zone: tzinfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%d}"


def _changes(proposal: "Proposal", zone: tzinfo | None = None) -> Iterator[tuple[str, str]]:
    """What would go and come, each with its sign: of other words for an entry both."""
    if proposal.kind != "write":
        closing = {one.entry for one in proposal.operations if one.action == "close"}
        for seen in proposal.evidence.entries:
            since = f"{when(seen.observed_at, zone)}  " if zone is not None else ""
            yield "-" if seen.id in closing else " ", f"{since}{seen.text}"
        return
    words = {seen.id: seen.text for seen in proposal.evidence.entries}
    for one in proposal.operations:
        if one.action != "add" and one.entry in words:
            yield "-", words[one.entry]
        if one.content is not None:
            yield "+", one.content


def _diff_lines(line: "Line", zone: tzinfo) -> Iterator[str]:
    since = f"  (noted {when(line.at, zone)})" if line.at is not None else ""
    of = f" of {whose(line.scope)}" if line.scope is not None else ""
    where = f"  {line.target}{of}" if line.target is not None else ""
    goes = "  goes to the archive to make room" if line.sign == ">" else ""
    yield f"{line.sign} {line.entry or 'a new entry'}{where}{since}{goes}"
    yield from (f"{line.sign}{INDENT}{text}" for text in _without_gaps(visible(line.text)).split("\n"))


def _without_gaps(text: str) -> str:
    """A text in which what follows a wide gap, or many empty lines, is not pushed out of sight: the gap is told by its size."""
    text = _GAP.sub(lambda found: f" ⟨{counted(len(found[0]), 'space')}⟩ ", text)
    return _EMPTY_LINES.sub(lambda found: f"\n⟨{counted(found[0].count(chr(10)) - 1, 'empty line')}⟩\n", text)


def _quoted(how: str, quote: "Quote", program: str) -> str:
    place = f"  {one_line(visible(quote.place), LONGEST_QUOTE)}" if quote.place else ""
    if quote.message_id:
        place = f"  {program} sessions show {plain(quote.session_id or '')} --around {quote.message_id}"
    return f"{how} “{one_line(visible(quote.text), LONGEST_QUOTE)}”{place}"


def _named(proposal: "Proposal") -> str:
    """What a decision was about, in one line: what would go, and what would come; of many, the first and how many more."""
    words = {seen.id: seen.text for seen in proposal.evidence.entries}
    parts = [
        f"{SIGNS[one.action]} {one.content if one.content is not None else words.get(one.entry, '')}"
        for one in proposal.operations
    ]
    if len(parts) <= MOST_NAMED:
        return "; ".join(parts)
    return f"{one_line(parts[0], LONGEST_NAMED)} and {len(parts) - 1:,} more"


__all__ = [
    "decision_lines",
    "facts_line",
    "facts_of",
    "is_listed_whole",
    "proposal_lines",
    "shown_lines",
    "steering_lines",
]
