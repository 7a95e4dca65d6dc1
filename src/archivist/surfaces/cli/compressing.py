"""`archivist sessions compress`, `restore`, `context`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from archivist.records import EVERYTHING
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.calling import Call, command_on, json_option, print_json, tell
from archivist.surfaces.cli.conversations import MOST
from archivist.surfaces.cli.heeding import heeded_compression
from archivist.surfaces.cli.printing import INDENT, one_line

if TYPE_CHECKING:
    from archivist.app.shortened import Compression, Restored, Window
    from archivist.compress.lines import Line
    from archivist.compress.shares import Share

NAMES: Final = {
    "prompt": "system prompt",
    "notes": "notes in it",
    "tools": "tools",
    "host": "its program",
    "summary": "summaries",
    "owner": "you",
    "others": "others",
    "agent": "the agent",
    "outputs": "tool outputs",
    "background": "told beside",
}
"""The parts of a window, for people."""
WHO: Final = {"owner": "you", "agent": "agent", "tool": "tool"}
MOST_KEPT, LINE_CHARS = 12, 100


@click.command()
@click.argument("conversation")
@click.option(
    "--window", type=click.IntRange(1, MOST), metavar="TOKENS", help="The model's; 128,000 where not given."
)
@click.option(
    "--target",
    type=click.IntRange(1, MOST),
    metavar="TOKENS",
    help="What is aimed at; else the window tells.",
)
@click.option("--focus", default="", help="What should be paid attention to.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option(
    "--force", is_flag=True, help="Do it although it is short, or the passes before saved nearly nothing."
)
@json_option
@click.pass_obj
def compress(
    call: Call,
    conversation: str,
    window: int | None,
    target: int | None,
    focus: str,
    *,
    dry_run: bool,
    force: bool,
) -> None:
    """Make what a conversation's model sees shorter; all of it stays readable."""
    with call.opened() as archivist:
        done = archivist.sessions.compress(
            conversation,
            window=window,
            target_tokens=target,
            focus=focus,
            dry_run=dry_run,
            force=force,
            scope=EVERYTHING,
        )
        if call.as_json:
            print_json(_compression(heeded_compression(done)))
            return
        for line in _told(heeded_compression(done), call.program):
            click.echo(line)
        tell(done.notices)


@click.command()
@click.argument("conversation")
@click.option(
    "--summary", type=click.IntRange(1, MOST), metavar="MESSAGE", help="The summary that stands for it."
)
@click.option("--compression", metavar="SESSION", help="The session that the compression began.")
@json_option
@click.pass_obj
def restore(call: Call, conversation: str, summary: int | None, compression: str | None) -> None:
    """Let a conversation's model see again what the latest compression left out."""
    if summary is not None and compression is not None:
        raise click.UsageError("give --summary or --compression, not both")
    with call.opened() as archivist:
        done = archivist.sessions.restore(
            conversation, summary=summary, compaction=compression, scope=EVERYTHING
        )
        if call.as_json:
            print_json(_shape(done) | _sizes(done))
            return
        click.echo(
            f"{counted(len(done.back), 'message is', 'messages are')} seen again in their own words:"
            f" {_tokens(done)}; it goes on in {plain(done.child_id)}"
        )
        tell(done.notices)


@command_on("conversation")
def context(call: Call, conversation: str) -> None:
    """Show what makes up the window of a conversation's model, by tokens."""
    with call.opened() as archivist:
        found = archivist.sessions.context(conversation, scope=EVERYTHING)
        if call.as_json:
            print_json(_shape(found) | {"tokens": found.tokens})
            return
        for line in _window(found):
            click.echo(line)
        tell(found.notices)


def _told(done: "Compression", program: str) -> Iterator[str]:
    """What was done, or would be: in all, by who said it, and the lines that are kept."""
    if (done.child_id is None and not done.dry_run) or done.after == done.before:
        yield f"{plain(done.session_id)} stays as it is: {done.tokens_before:,} tokens"
        return
    would = " would be" if done.dry_run else ""
    yield (
        f"{plain(done.session_id)}{would or ' is'} compressed: {_tokens(done)};"
        f" {counted(len(done.left), 'message leaves', 'messages leave')} the window"
        f"{f' and {len(done.shortened):,} are shortened' if done.shortened else ''}"
    )
    yield from _compared(done.before, done.after)
    yield from _kept(done.kept)
    if done.child_id is not None:
        yield f"It goes on in {plain(done.child_id)}; `{program} sessions restore {plain(done.child_id)}` brings them back."


def _tokens(done: "Compression | Restored") -> str:
    return f"{done.tokens_before:,} → {done.tokens_after:,} tokens"


def _compared(before: "Sequence[Share]", after: "Sequence[Share]") -> Iterator[str]:
    """The parts of the window, before and after."""
    old, new = ({share.what: share for share in shares} for shares in (before, after))
    yield click.style(f"{INDENT}{'':<14}{'before':>9}{'after':>9}", dim=True)
    for what, name in NAMES.items():
        was, now = old.get(what), new.get(what)  # type: ignore[call-overload]  # the names of all of them
        if was or now:
            yield f"{INDENT}{name:<14}{was.tokens if was else 0:>9,}{now.tokens if now else 0:>9,}"


def _kept(lines: "Sequence[Line]") -> Iterator[str]:
    if not lines:
        return
    yield "Kept word for word:"
    for line in lines[:MOST_KEPT]:
        who, key = one_line(line.speaker, 12) or WHO[line.who], click.style(f"#{plain(line.key)}", dim=True)
        yield f"{INDENT}{who:<6}{key} {one_line(line.text, LINE_CHARS)}"
    if len(lines) > MOST_KEPT:
        yield f"{INDENT}… {counted(len(lines) - MOST_KEPT, 'more line')} (--json names all)"


def _window(found: "Window") -> Iterator[str]:
    counted_too = "" if found.counted is None else f", of which the last request counted {found.counted:,}"
    yield f"{plain(found.session_id)}: about {found.tokens:,} tokens{counted_too}"
    for share in found.shares:
        messages = f"   {counted(share.messages, 'message')}" if share.messages else ""
        percent = 100 * share.tokens // max(1, found.tokens)
        yield f"{INDENT}{NAMES[share.what]:<14}{share.tokens:>9,}{percent:>5} %{messages}"
    if found.passes:
        yield f"{INDENT}compressed {counted(found.passes, 'time')} so far"


def _compression(done: "Compression") -> dict[str, Any]:
    kept = [
        {"id": line.key, "who": line.who, "speaker": line.speaker, "text": line.text} for line in done.kept
    ]
    return _shape(done) | {"kept": kept} | _sizes(done)


def _sizes(done: "Compression | Restored") -> dict[str, int]:
    return {"tokens_before": done.tokens_before, "tokens_after": done.tokens_after}


def _shape(value: object) -> dict[str, Any]:
    import msgspec  # noqa: PLC0415 - only where it is asked for

    shape: dict[str, Any] = msgspec.to_builtins(value)
    return shape
