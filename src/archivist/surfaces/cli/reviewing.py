"""`archivist review list`, `show`, `accept`, `edit`, `reject` and `undo`."""

from collections.abc import Callable, Iterator, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

import click

from archivist.records import EVERYTHING
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json
from archivist.surfaces.cli.notes_told import tell_notes
from archivist.surfaces.cli.printing import INDENT, one_line, when
from archivist.surfaces.cli.texts import TextCommand
from archivist.surfaces.cli.whose import whose

if TYPE_CHECKING:
    from archivist.curate.review import Decision, Review, Shown
    from archivist.records.proposals import Proposal

STANDING = {
    "as-shown": "",
    "changed": "what it is about has changed since: it can only be rejected",
    "settled": "nothing is to be done for it any more",
}


@click.command("list")
@click.option("--all", "everything", is_flag=True, help="Also what was decided on, or has expired.")
@json_option
@click.pass_obj
def list_(call: Call, *, everything: bool) -> None:
    """Show what waits for you, the oldest first."""
    with call.opened() as archivist:
        found = archivist.review_for(EVERYTHING).list(None if everything else "open")
        if call.as_json:
            print_json(found)
            return
        for proposal in found:
            for line in _proposal_lines(proposal, archivist.zone):
                click.echo(line)
        hint = f"{call.program} review show ID, accept ID, edit ID TEXT or reject ID"
        click.echo(click.style(hint, dim=True) if found else "nothing waits for you")


@click.command()
@click.argument("proposal")
@json_option
@click.pass_obj
def show(call: Call, proposal: str) -> None:
    """Show what a proposal would do, what it rests on, and whether that is still so."""
    with call.opened() as archivist:
        found = archivist.review_for(EVERYTHING).show(proposal)
        if call.as_json:
            print_json(found)
            return
        for line in _shown_lines(found, archivist.zone, call.program):
            click.echo(line)


@click.command()
@click.argument("proposals", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All that wait, instead of PROPOSALS.")
@json_option
@click.pass_obj
def accept(call: Call, proposals: Sequence[str], *, everything: bool) -> None:
    """Do what is proposed, exactly as it is shown."""
    _decide(call, proposals, lambda review, name: review.accept(name), everything=everything)


@click.command(cls=TextCommand)
@click.argument("proposal")
@click.argument("text")
@json_option
@click.pass_obj
def edit(call: Call, proposal: str, text: str) -> None:
    """Do what is proposed with other words.

    TEXT is what the entry says that stays.
    """
    _decide(call, [proposal], lambda review, name: review.edit(name, text))


@click.command()
@click.argument("proposals", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All that wait, instead of PROPOSALS.")
@json_option
@click.pass_obj
def reject(call: Call, proposals: Sequence[str], *, everything: bool) -> None:
    """Leave everything as it is; the same is not proposed again."""
    _decide(call, proposals, lambda review, name: review.reject(name), everything=everything)


@click.command()
@click.argument("proposal")
@json_option
@click.pass_obj
def undo(call: Call, proposal: str) -> None:
    """Take a decision back, with what was done by it; the proposal waits again."""
    _decide(call, [proposal], lambda review, name: review.undo(name))


def _decide(
    call: Call,
    names: Sequence[str],
    decide: "Callable[[Review, str], Decision]",
    *,
    everything: bool = False,
) -> None:
    """Decide on some proposals one after the other, or on all that wait and still fit."""
    if bool(names) == everything:
        raise click.UsageError("name the proposals, or give --all")
    with call.opened() as archivist:
        review = archivist.review_for(EVERYTHING)
        done, left = (
            _all_that_fit(review, decide) if everything else ([decide(review, one) for one in names], 0)
        )
        if call.as_json:
            print_json(done)
            return
        for decision in done:
            tell_notes(call, decision.notices)
            for line in _decision_lines(decision, call.program):
                click.echo(line)
        if everything and not done:
            click.echo("nothing waits for you" if not left else "nothing was done")
        if left:
            click.echo(
                f"{counted(left, 'proposal was', 'proposals were')} left: what they are about has changed since"
            )


def _all_that_fit(
    review: "Review", decide: "Callable[[Review, str], Decision]"
) -> "tuple[list[Decision], int]":
    from archivist.curate.review import ProposalOutdated  # noqa: PLC0415 - `--help` loads nothing

    done, left = [], 0
    for proposal in review.list():
        try:
            done.append(decide(review, proposal.id))
        except ProposalOutdated:
            left += 1
    return done, left


def _proposal_lines(proposal: "Proposal", zone: tzinfo) -> Iterator[str]:
    state = "" if proposal.state == "open" else f"  ({proposal.state})"
    of = f" of {whose(proposal.scope)}" if whose(proposal.scope) else ""
    facts = f"{proposal.kind}, {proposal.target}{of}, {when(proposal.made_at, zone)}"
    yield f"{click.style(proposal.id, fg='cyan')}{state}  {click.style(facts, dim=True)}"
    closing = {one.entry for one in proposal.operations if one.action == "close"}
    for seen in proposal.evidence.entries:
        sign = "-" if seen.id in closing else " "
        yield f"{INDENT}{sign} {when(seen.observed_at, zone)}  {one_line(seen.text)}"


def _shown_lines(found: "Shown", zone: tzinfo, program: str) -> Iterator[str]:
    proposal = found.proposal
    yield f"{click.style(proposal.id, fg='cyan')}  {proposal.kind}, {proposal.state}, {when(proposal.made_at, zone)}"
    yield plain(proposal.reason)
    for line in found.lines:
        since = f"  (noted {when(line.at, zone)})" if line.at is not None else ""
        yield f"{line.sign} {line.entry}{since}"
        yield from (f"{line.sign}{INDENT}{text}" for text in plain(line.text).splitlines())
    for quote in proposal.evidence.quotes:
        place = ""
        if quote.message_id:
            place = f"  {program} sessions show {plain(quote.session_id or '')} --around {quote.message_id}"
        yield f"rests on “{one_line(quote.text)}”{place}"
    if proposal.state == "open" and STANDING[found.standing]:
        yield STANDING[found.standing]
    if proposal.expires_at is not None and proposal.state == "open":
        yield click.style(f"waits until {when(proposal.expires_at, zone)}", dim=True)
    if proposal.change is not None:
        yield f"done by change {proposal.change}"


def _decision_lines(decision: "Decision", program: str) -> Iterator[str]:
    proposal = decision.proposal
    state = "waits again" if proposal.state == "open" else proposal.state
    yield f"{proposal.id} {state}: {one_line(proposal.reason)}"
    if proposal.state != "open":
        yield click.style(f"{INDENT}undo with: {program} review undo {proposal.id}", dim=True)
