"""`archivist guard list`, `allow`, `forbid` and `scan`."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.surfaces.cli.agents import is_agents, refuse_agents
from archivist.surfaces.cli.calling import Call, json_option, print_json
from archivist.surfaces.cli.printing import one_line

if TYPE_CHECKING:
    from archivist.app.allowing import Allowance
    from archivist.app.withheld import Withheld
    from archivist.guard.withholding import Block

WHAT: Final = "to decide on what models are shown"
STANDARD_INPUT: Final = "-"


class Found(msgspec.Struct, frozen=True):
    """A finding in a file.

    Attributes:
        line: Where it begins, counted from 1.
        block: The id of the block in which it stands.
        text: The stretch itself.
    """

    file: str
    line: int
    kind: str
    severity: str
    reason: str
    start: int
    end: int
    block: str
    text: str


class Kept(msgspec.Struct, frozen=True):
    """A block of the notes that models are not shown.

    Attributes:
        where: The entry, or the file.
        command: Shows all around it.
        text: Its words; None in the shell of an agent, which is a model's.
    """

    block: str
    where: str
    kinds: tuple[str, ...]
    command: str
    text: str | None


@click.command("list")
@json_option
@click.pass_obj
def list_(call: Call) -> None:
    """Show what of the notes is withheld, and which blocks are allowed.

    What is withheld of conversations is told where they are shown.
    """
    from archivist.app.withheld import withheld_in  # noqa: PLC0415 - `--help` loads no scanner

    is_owner = not is_agents(os.environ)
    with call.opened() as archivist:
        allowed = archivist.allowances.list()
        found = [
            Kept(block.id, one.where, _kinds(block), one.command, _words(one, block) if is_owner else None)
            for one in withheld_in(archivist.home)
            for block in one.blocks
        ]
    if call.as_json:
        print_json({"withheld": found, "allowed": allowed})
        return
    for line in _listed(found, allowed, call.program):
        click.echo(line)


@click.command()
@click.argument("blocks", nargs=-1, required=True)
@json_option
@click.pass_obj
def allow(call: Call, blocks: Sequence[str]) -> None:
    """Let blocks be shown to models whatever is found in them.

    BLOCKS are the ids that stand where something is withheld. A block is allowed wherever its words stand, until they change.
    """
    refuse_agents(os.environ, WHAT)
    with call.opened() as archivist:
        _tell(
            call,
            [(block, archivist.allowances.allow(block)) for block in blocks],
            "allowed",
            "was allowed already",
        )
        if not call.as_json:
            click.echo(
                click.style(
                    "what a session was given already stays as it is; the next one is shown it", dim=True
                )
            )


@click.command()
@click.argument("blocks", nargs=-1, required=True)
@json_option
@click.pass_obj
def forbid(call: Call, blocks: Sequence[str]) -> None:
    """Withhold blocks again that were allowed."""
    refuse_agents(os.environ, WHAT)
    with call.opened() as archivist:
        _tell(
            call,
            [(block, archivist.allowances.forbid(block)) for block in blocks],
            "withheld",
            "was not allowed",
        )


@click.command()
@click.argument("files", nargs=-1, required=True)
@json_option
@click.pass_obj
def scan(call: Call, files: Sequence[str]) -> None:
    """Show what in files tries to steer the model that reads them; nothing is changed.

    FILES are of any kind of text; - is what stands on standard input.
    """
    texts: dict[str, str] = {}
    failed: list[click.ClickException] = []
    for name in files:
        try:
            texts[name] = _text_of(name)
        except click.ClickException as error:  # told when the others are
            failed.append(error)
    found = [one for name, text in texts.items() for one in _found_in(name, text)]
    _tell_found(call, found, len(texts))
    for one in failed[:-1]:
        click.echo(f"archivist: {one.message}", err=True)
    if failed:
        raise failed[-1]


def _tell_found(call: Call, found: Sequence[Found], files: int) -> None:
    if call.as_json:
        print_json(found)
        return
    for one in found:
        color = "red" if one.severity == "block" else "yellow"
        head = f"{plain(one.file)}:{one.line}: {click.style(f'{one.kind} ({one.severity})', fg=color)} it {one.reason}"
        click.echo(f"{head}  {click.style(one.block, dim=True)}")
        click.echo(f"   {one_line(one.text)}")
    if not found and files:
        click.echo(f"nothing is found in {counted(files, 'file')}")


def _listed(found: Sequence[Kept], allowed: "Sequence[Allowance]", program: str) -> Iterator[str]:
    for kept in found:
        yield f"{kept.block}  withheld ({', '.join(kept.kinds)})  {plain(kept.where)}"
        if kept.text is not None:
            yield f"   {one_line(kept.text)}"
        yield click.style(f"   {plain(f'{program} {kept.command}')}", dim=True)
    for one in allowed:
        yield f"{one.id}  allowed{f' since {one.since.isoformat()}' if one.since else ''}"
    if found:
        yield click.style(f"{program} guard allow BLOCK shows one to models", dim=True)
    elif not allowed:
        yield "nothing of the notes is withheld, and nothing is allowed"


def _words(one: "Withheld", block: "Block") -> str:
    return one.text[block.start : block.end]


def _kinds(block: "Block") -> tuple[str, ...]:
    return tuple(dict.fromkeys(found.kind for found in block.findings))


def _tell(call: Call, done: Sequence[tuple[str, bool]], changed: str, unchanged: str) -> None:
    if call.as_json:
        print_json([{"block": block, "changed": is_changed} for block, is_changed in done])
        return
    for block, is_changed in done:
        click.echo(f"{plain(block)} {changed if is_changed else unchanged}")


def _text_of(name: str) -> str:
    """A file's text; bytes that are no UTF-8 are shown as U+FFFD."""
    if name == STANDARD_INPUT:
        raw = sys.stdin.buffer.read()
    else:
        try:
            raw = Path(name).read_bytes()
        except IsADirectoryError as error:
            raise click.ClickException(f"{name} is a folder: name the files in it") from error
        except OSError as error:
            raise click.ClickException(f"{name} cannot be read: {error.strerror or error}") from error
    is_wide = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    return raw.decode("utf-16" if is_wide else "utf-8", "replace")


def _found_in(name: str, text: str) -> Iterator[Found]:
    from archivist.guard.scanning import scan as scanned  # noqa: PLC0415 - `--help` loads no scanner
    from archivist.guard.withholding import block_id, blocks  # noqa: PLC0415 - as above

    around = iter(list(blocks(text)))
    start = end = line = at = 0
    for one in scanned(text):
        line, at = line + text.count("\n", at, one.start), one.start
        while end <= one.start and (following := next(around, None)) is not None:
            start, end = following
        words = text[start:end] if start <= one.start < end else text[one.start : one.end]
        excerpt = text[one.start : one.end]
        yield Found(
            name, line + 1, one.kind, one.severity, one.reason, one.start, one.end, block_id(words), excerpt
        )
