"""`archivist review list`, `show`, `accept`, `edit`, `reject` and `undo`."""

import os
from collections.abc import Callable, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from archivist.records import EVERYTHING, ArchivistError, Notice
from archivist.records.counts import counted
from archivist.records.notes import EntryOrigin
from archivist.records.proposals import ProposalKind, ProposalState
from archivist.surfaces.cli.agents import is_agents, refuse_agents
from archivist.surfaces.cli.calling import Call, command_on, json_option, print_json, tell
from archivist.surfaces.cli.notes_told import tell_notes
from archivist.surfaces.cli.removing import make_sure
from archivist.surfaces.cli.review_told import (
    decision_lines,
    facts_line,
    facts_of,
    is_listed_whole,
    proposal_lines,
    shown_lines,
    steering_lines,
)
from archivist.surfaces.cli.texts import TextCommand

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.curate.review import Decision, Review
    from archivist.records.proposals import Proposal

Deciding = Callable[["Review", str], "Decision"]
F = TypeVar("F", bound=Callable[..., Any])
MOST_FAILED = 10
"""Of what could not be done, told one by one."""


def _chosen(command: F) -> F:
    """`--kind` and `--origin`: which of those that wait are meant."""
    kind = click.option("--kind", type=click.Choice(get_args(ProposalKind)), help="Only of this kind.")
    origin = click.option(
        "--origin", type=click.Choice(get_args(EntryOrigin)), help="Only what this origin asked for."
    )
    return kind(origin(command))


def _on_some(run: Callable[..., None]) -> click.Command:
    """A command on the proposals that are named, or on all that wait."""
    everything = click.option(
        "--all", "everything", is_flag=True, help="All that wait, instead of PROPOSALS."
    )
    command = everything(_chosen(json_option(click.pass_obj(run))))
    return click.command()(click.argument("proposals", nargs=-1)(command))


@click.command("list")
@click.option("--all", "everything", is_flag=True, help="Also what was decided on, or has expired.")
@click.option("--expired", is_flag=True, help="Only what has expired; it can still be accepted.")
@_chosen
@json_option
@click.pass_obj
def list_(call: Call, *, everything: bool, expired: bool, kind: str | None, origin: str | None) -> None:
    """Show what waits for you, the oldest first."""
    if everything and expired:
        raise click.UsageError("give --all or --expired, not both")
    with call.opened() as archivist:
        review = archivist.review_for(EVERYTHING)
        state: ProposalState | None = None if everything else "expired" if expired else "open"
        found = review.list(state, kind=kind, origin=origin)
        if is_agents(os.environ):
            _tell_facts(call, found, archivist.zone)
            return
        if call.as_json:
            print_json(found)
        for proposal in () if call.as_json else found:
            for line in proposal_lines(proposal, archivist.zone, call.program):
                click.echo(line)
        if not call.as_json:
            hint = f"{call.program} review show ID, accept ID, edit ID TEXT or reject ID"
            nothing = "nothing has expired" if expired else _nothing(review, is_narrowed=bool(kind or origin))
            click.echo(click.style(hint, dim=True) if found else nothing)
        _tell_expired(call, review)  # these two come last: what was not shown, or not yet, was not seen
        _see(review, [one.id for one in found if call.as_json or is_listed_whole(one)])


@command_on("proposal")
def show(call: Call, proposal: str) -> None:
    """Show what a proposal would do, what it rests on, and whether that is still so."""
    with call.opened() as archivist:
        found = archivist.review_for(EVERYTHING).show(proposal)
        if is_agents(os.environ):
            _tell_facts(call, [found.proposal], archivist.zone)
            return
        if call.as_json:
            print_json(found)
        for line in () if call.as_json else shown_lines(found, archivist.zone, call.program):
            click.echo(line)
        if not call.as_json and found.proposal.state in {"open", "expired"}:
            _tell_steering(call, archivist, found.proposal)
        _see(archivist.review_for(EVERYTHING), [found.proposal.id])


@_on_some
def accept(
    call: Call, proposals: Sequence[str], *, everything: bool, kind: str | None, origin: str | None
) -> None:
    """Do what is proposed, exactly as it is shown.

    --all does what `list` or `show` has shown you whole, and nothing that came since.
    """
    _check_names(proposals, everything=everything, is_narrowed=bool(kind or origin))
    _decide(
        call, lambda review, name: review.accept(name), proposals, kind=kind, origin=origin, is_only_seen=True
    )


@click.command(cls=TextCommand)
@click.argument("proposal")
@click.argument("text")
@json_option
@click.pass_obj
def edit(call: Call, proposal: str, text: str) -> None:
    """Do what is proposed with other words.

    TEXT is what the entry says that stays, or that would be noted.
    """
    _decide(call, lambda review, name: review.edit(name, text), [proposal])


@_on_some
def reject(
    call: Call, proposals: Sequence[str], *, everything: bool, kind: str | None, origin: str | None
) -> None:
    """Leave everything as it is; the same is not proposed again."""
    _check_names(proposals, everything=everything, is_narrowed=bool(kind or origin))
    _decide(call, lambda review, name: review.reject(name), proposals, kind=kind, origin=origin)


@command_on("proposal")
def undo(call: Call, proposal: str) -> None:
    """Take a decision back, with what was done by it; the proposal waits again."""
    _decide(call, lambda review, name: review.undo(name), [proposal])


@click.command()
@click.argument("proposals", nargs=-1, required=True)
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@json_option
@click.pass_obj
def erase(call: Call, proposals: Sequence[str], *, yes: bool) -> None:
    """Erase proposals with every word of them, for good, decided or not.

    What waited is not done, what was accepted stays noted, and no decision is taken back any more.
    """
    refuse_agents(os.environ, "to erase what waits")
    with call.opened() as archivist:
        review = archivist.review_for(EVERYTHING)
        lines = [facts_line(review.show(name).proposal, archivist.zone) for name in proposals]
        question = "Erase it for good?" if len(lines) == 1 else "Erase them for good?"
        make_sure("\n".join(lines), question, yes=yes, look="`archivist review show`")
        found = review.erase(*proposals)
        if call.as_json:
            print_json(found)
            return
        tell(found.notices)
        for name in found.proposals:
            click.echo(f"{name} erased")


def _tell_facts(call: Call, found: "Sequence[Proposal]", zone: tzinfo) -> None:
    """What an agent's shell is told: how much waits, of whom, since when. The words may be those that are doubted, and would teach them."""
    if call.as_json:
        print_json([facts_of(one) for one in found])
    elif not found:
        click.echo("nothing waits for the owner")
    for one in [] if call.as_json else found:
        click.echo(facts_line(one, zone))
    tell([Notice("facts-alone", "what waits is shown to the owner alone, in a terminal of their own")])


def _see(review: "Review", names: Sequence[str]) -> None:
    """Remember what the owner is shown whole."""
    try:
        review.saw(names)
    except ArchivistError as error:  # it is shown all the same
        tell([Notice("look-not-kept", f"that you have seen it is not remembered: {error}")])


def _tell_expired(call: Call, review: "Review") -> None:
    """Say once what has expired since the owner last looked; a program that asks for JSON is nobody who looks."""
    try:
        expired = 0 if call.as_json else review.look().expired
    except ArchivistError as error:  # the list is shown all the same, and this is said again next time
        tell([Notice("look-not-kept", f"that you looked is not remembered: {error}")])
        return
    if expired:
        told = counted(expired, "proposal has", "proposals have")
        text = f"{told} expired since you last looked, and can still be accepted: `{call.program} review list --expired`"
        tell([Notice("expired", text)])


def _nothing(review: "Review", *, is_narrowed: bool) -> str:
    """That nothing waits, or nothing of what was asked for."""
    others = len(review.list()) if is_narrowed else 0
    if not others:
        return "nothing waits for you"
    return f"nothing of that waits for you; {counted(others, 'other proposal does', 'other proposals do')}"


def _check_names(names: Sequence[str], *, everything: bool, is_narrowed: bool) -> None:
    if bool(names) == everything:
        raise click.UsageError("name the proposals, or give --all")
    if names and is_narrowed:
        raise click.UsageError("--kind and --origin go with --all")


def _decide(
    call: Call,
    decide: Deciding,
    names: Sequence[str],
    *,
    kind: str | None = None,
    origin: str | None = None,
    is_only_seen: bool = False,
) -> None:
    """Decide on some proposals one after the other, or on all that wait; what could not be done stops no other and is told last."""
    refuse_agents(os.environ, "to decide on what waits")
    with call.opened() as archivist:
        review = archivist.review_for(EVERYTHING)
        wanted = names or [one.id for one in review.list(kind=kind, origin=origin)]
        unseen = set(wanted) - review.seen() if is_only_seen and not names else set()
        wanted = [name for name in wanted if name not in unseen]
        done, failed = _each(review, decide, wanted)
        _tell(call, archivist, done)
        left = [] if names else _outdated([error for _, error in failed])
        if not call.as_json and not wanted and not unseen:
            click.echo(_nothing(review, is_narrowed=bool(kind or origin)))
        if unseen:
            told = counted(len(unseen), "proposal was", "proposals were")
            how = f"`{call.program} review list`, and of a long one `show ID`"
            click.echo(f"{told} left: you have not been shown all of it yet; {how}", err=call.as_json)
        if left:
            told = counted(len(left), "proposal was", "proposals were")
            click.echo(f"{told} left: what they are about has changed since", err=call.as_json)
        _tell_failed([one for one in failed if one[1] not in left])


def _tell_failed(failed: "Sequence[tuple[str, ArchivistError]]") -> None:
    """What could not be done, a line each, the last as the failure of the command; of very many some, and how many more.

    Raises:
        click.ClickException: There is any.
    """
    lines = [str(error) if name in str(error) else f"{name}: {error}" for name, error in failed]
    if len(lines) > MOST_FAILED:
        others = counted(len(lines) - MOST_FAILED + 1, "other")
        lines[MOST_FAILED - 2 : -1] = [
            f"{others} could not be done either: `archivist review list` shows what waits"
        ]
    for line in lines[:-1]:
        click.echo(f"archivist: {line}", err=True)
    if lines:
        raise click.ClickException(lines[-1])


def _each(
    review: "Review", decide: Deciding, names: Sequence[str]
) -> "tuple[list[Decision], list[tuple[str, ArchivistError]]]":
    done: list[Decision] = []
    failed: list[tuple[str, ArchivistError]] = []
    for name in names:
        try:
            done.append(decide(review, name))
        except ArchivistError as error:  # told when the others are done
            failed.append((name, error))
    return done, failed


def _outdated(errors: Sequence[ArchivistError]) -> list[ArchivistError]:
    from archivist.curate.refusals import ProposalOutdated  # noqa: PLC0415 - `--help` loads nothing

    return [error for error in errors if isinstance(error, ProposalOutdated)]


def _tell(call: Call, archivist: "Archivist", done: "Sequence[Decision]") -> None:
    if call.as_json:
        print_json(done)
        return
    for decision in done:
        tell_notes(call, decision.notices)
        if decision.change is not None:
            _tell_steering(call, archivist, decision.proposal)
        for line in decision_lines(decision, call.program):
            click.echo(line)


def _tell_steering(call: Call, archivist: "Archivist", proposal: "Proposal") -> None:
    """Say what of it models will not be shown, be it accepted."""
    from archivist.app.allowing import allowed_in  # noqa: PLC0415 - `--help` opens nothing

    lines = steering_lines(proposal, allowed_in(archivist.home), call.program)
    tell([Notice("steers", line) for line in lines])
