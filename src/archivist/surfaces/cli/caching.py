"""`archivist cache`: what requests shared with those before them, what broke it, and what that cost."""

import shutil
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

import click

from archivist.records import EVERYTHING
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, json_option, print_json, tell
from archivist.surfaces.cli.conversations import MOST
from archivist.surfaces.cli.printing import INDENT, one_line, when

if TYPE_CHECKING:
    from archivist.app.cache_report import CacheUse, RequestUse

WIDE: Final = 110
"""Columns of a terminal in which a table fits."""
LONGEST_TITLE: Final = 32
UNKNOWN: Final = "?"
BEGAN: Final = {
    "start": "the conversation begins",
    "compaction": "it was made shorter",
    "model": "another model answers",
    "expired": "it was resumed when its cache was gone",
    "fork": "it was forked from an earlier point",
    "masked": "it was resumed, and a secret is masked in it",
}
BLOCKS: Final = {"tools": "tool", "system": "the prompt", "message": "message"}
HOW: Final = {
    "added": "something came in there",
    "removed": "something went out there",
    "changed": "it was changed",
    "reordered": "the order was changed",
    "rewound": "all from there on is other",
    "undone": "something was taken back",
}


@click.command()
@click.argument("conversation", required=False)
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1, MOST),
    default=20,
    show_default=True,
    help="How many conversations.",
)
@json_option
@click.pass_obj
def cache(call: Call, conversation: str | None, limit: int) -> None:
    """Show what requests shared with those before, and what it cost where they did not.

    With a conversation, by its id or its title: each of its requests.
    """
    with call.opened() as archivist:
        if conversation is None:
            found = archivist.sessions.caches(limit=limit, scope=EVERYTHING)
            if call.as_json:
                print_json({"conversations": found})
            else:
                _print(_listed(found, archivist.zone, call.program))
            return
        one = archivist.sessions.cache(conversation, scope=EVERYTHING)
        if call.as_json:
            print_json(one)
            return
        _print(_detailed(one, archivist.zone))
        tell(one.notices)


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        click.echo(line)


# ---- conversations ----


def _listed(found: "Sequence[CacheUse]", zone: tzinfo, program: str) -> Iterator[str]:
    if not found:
        yield f"no request is known yet: an agent of ours counts its own, `{program} import` those of others"
        return
    is_wide = _columns() >= WIDE
    if is_wide:
        yield click.style(
            f"{'last active':<16} {'requests':>8} {'tokens':>12} {'stable':>7} {'read':>6} {'cost':>9}"
            f" {'paid':>11} {'frozen':>11} {'over':>7}  conversation",
            dim=True,
        )
    for one in found:
        if is_wide:
            yield _row(one, zone)
        else:
            yield f"{when(one.active, zone)}  {one_line(one.title or '(no title)', LONGEST_TITLE)}"
            yield from _folded(f"{_sum(one)} · {plain(one.conversation_id)}", INDENT)
    legend = (
        "stable: what stood still; paid: tokens at the full price; frozen: had nothing moved; each request:"
    )
    yield from _folded(f"{legend} `{program} cache ID`", dim=True)


def _columns() -> int:
    return shutil.get_terminal_size().columns


def _folded(text: str, indent: str = "", **style: Any) -> Iterator[str]:  # noqa: ANN401 - as click takes it
    """A text on as many lines as the terminal asks for."""
    for line in wrap(text, max(_columns(), 20), initial_indent=indent, subsequent_indent=indent):
        yield click.style(line, **style)


def _row(one: "CacheUse", zone: tzinfo) -> str:
    over = UNKNOWN if one.over is None else f"+{one.over:.0f} %"
    return (
        f"{when(one.active, zone):<16} {one.requests:>8,} {one.tokens:>12,} {_percent(one.shared):>7} {_percent(one.read):>6}"
        f" {_dollars(one.cost_usd):>9} {_tokens(one.paid):>11} {_tokens(one.frozen):>11} {over:>7}"
        f"  {one_line(one.title or '(no title)', LONGEST_TITLE)}  {click.style(plain(one.conversation_id), dim=True)}"
    )


def _sum(one: "CacheUse") -> str:
    """A conversation's numbers in a sentence, as far as they are known."""
    told = [f"{counted(one.requests, 'request')}, {one.tokens:,} tokens: {_percent(one.shared)} stable"]
    told.append(f"{_percent(one.read)} read from a cache")
    if one.cost_usd:
        told.append(_dollars(one.cost_usd))
    if one.over is not None:
        told.append(f"paid {_tokens(one.paid)}, frozen {_tokens(one.frozen)} (+{one.over:.0f} %)")
    if one.breaks:
        told.append(counted(one.breaks, "break"))
    return ", ".join(told)


# ---- one conversation ----


def _detailed(one: "CacheUse", zone: tzinfo) -> Iterator[str]:
    yield click.style(one_line(one.title or "(no title)"), bold=True)
    yield click.style(
        " · ".join(plain(fact) for fact in (one.source, one.model, one.conversation_id) if fact), dim=True
    )
    yield from _folded(_sum(one))
    if one.lost_usd is not None:
        yield f"more than a perfect freeze: {_dollars(one.lost_usd)}"
    for number, request in enumerate(one.each, 1):
        yield _request(number, request, zone)
        yield from _told(request)


def _request(number: int, one: "RequestUse", zone: tzinfo) -> str:
    stable = "first" if one.began == "start" else f"{_percent(one.shared)} stable"
    paid = "" if one.paid is None else f", paid {_tokens(one.paid)}"
    about = "about " if one.used is None else ""
    return f"{number:>3}. {when(one.at, zone)}  {about}{one.tokens:,} tokens: {stable}, {_percent(one.read)} read{paid}"


def _told(one: "RequestUse") -> Iterator[str]:
    """Why an epoch begins with a request, what broke, and what that cost."""
    if one.began is not None and one.began != "start":
        why = BEGAN.get(one.began, plain(one.began))
        yield from _folded(f"epoch {one.epoch}: {why}; {_stayed(one)}{_lost(one)}", INDENT * 2, fg="cyan")
    elif one.is_break:
        told = f"broke at {_place(one)}: {_how(one)}; {_stayed(one)}{_lost(one)}"
        yield from _folded(told, INDENT * 2, fg="yellow")


def _place(one: "RequestUse") -> str:
    name = BLOCKS.get(one.broke or "", plain(one.broke or ""))
    return name if one.broke == "system" else f"{name} {one.broke_at}"


def _how(one: "RequestUse") -> str:
    return HOW.get(one.broke_why or "", plain(one.broke_why or UNKNOWN))


def _stayed(one: "RequestUse") -> str:
    if not one.before_blocks:
        return "what went before is not known"
    return f"{one.shared_blocks:,} of {counted(one.before_blocks, 'block')} stayed"


def _lost(one: "RequestUse") -> str:
    if one.lost is None:
        return ""
    money = "" if one.lost_usd is None else f" ({_dollars(one.lost_usd)})"
    return f"; cost {_tokens(one.lost)} tokens at the full price{money}"


def _percent(share: float | None) -> str:
    """A share, rounded so that all is all and nothing nothing."""
    if share is None:
        return UNKNOWN
    rounded = round(100 * share)
    return f"{min(rounded, 99) if share < 1 else 100} %" if rounded else ("0 %" if not share else "<1 %")


def _tokens(number: float | None) -> str:
    return UNKNOWN if number is None else f"{number:,.0f}"


def _dollars(amount: float) -> str:
    if not amount:
        return "-"
    return f"${amount:,.2f}" if amount >= 0.1 else f"${amount:.4f}"


__all__ = ["cache"]
