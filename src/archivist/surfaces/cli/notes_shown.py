"""`archivist memory show`: the files, how full they are and where they stand, and the entries in them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from archivist.records import Reader, Scope
from archivist.records.display import plain
from archivist.records.notes import HOME_SCOPE, Entry, NoteUsage, Target
from archivist.surfaces.cli.calling import Call, json_option, print_json
from archivist.surfaces.cli.heeding import heeded_entries
from archivist.surfaces.cli.notes_told import TARGETS, keep_opened, tell_notes
from archivist.surfaces.cli.printing import INDENT, one_line, when
from archivist.surfaces.cli.texts import TextCommand
from archivist.surfaces.cli.whose import reader_in, whose, whose_options

if TYPE_CHECKING:
    from archivist.app import Archivist

Heading = tuple[str, Target, Scope]


class NotesFile(msgspec.Struct, frozen=True):
    """One of the files that every prompt carries.

    Attributes:
        percent: Of its budget.
    """

    target: Target
    scope: Scope
    path: str
    usage: NoteUsage
    percent: int


class Asked(msgspec.Struct, frozen=True):
    """What is to be shown.

    Attributes:
        words: Only entries that have all of them; or one id.
        tier: `core`, `archive` or `all`.
        as_of: When, in words; now where unset.
    """

    words: tuple[str, ...]
    target: Target | None
    tier: str
    as_of: str | None
    reader: Reader


@click.command(cls=TextCommand)
@click.argument("words", nargs=-1)
@click.option("--target", type=TARGETS, help="Only one of the two files.")
@click.option("--archive", "tier", flag_value="archive", help="What left the core.")
@click.option("--all", "tier", flag_value="all", help="The core, the archive, and what holds no more.")
@click.option("--as-of", metavar="TIME", help="As it was then: 2026-03-01, 'last week', 三天前.")
@whose_options
@json_option
@click.pass_obj
def show(
    call: Call,
    words: tuple[str, ...],
    target: Target | None,
    tier: str | None,
    as_of: str | None,
    *,
    scope: Scope,
) -> None:
    """Show what is noted, how near the budget it is, and where the files are.

    WORDS: only entries that have all of them; or an entry's id, wherever it stands.
    """
    asked = Asked(words, target, tier or "core", as_of, reader_in(scope))
    with call.opened() as archivist:
        entries = heeded_entries(archivist, _entries(archivist, asked))
        files = _files(archivist, asked, scope)
        notices = archivist.notes.take_notices()
        if call.as_json:
            print_json({"entries": entries, "files": files, "notices": notices})
        else:
            tell_notes(call, notices)
            for line in _lines(archivist, asked, entries, files):
                click.echo(line)
            if not entries:
                click.echo(_nothing(call, asked))
        if asked.as_of is None and len(entries) == 1 and words == (entries[0].id,):
            keep_opened(archivist, entries[0])


def _entries(archivist: "Archivist", asked: Asked) -> Sequence[Entry]:
    if asked.as_of is not None:
        then = archivist.notes.as_of(archivist.read_time(asked.as_of, end=True), scope=asked.reader)
        found = [
            one for one in then if asked.tier in {"all", one.tier} and asked.target in {None, one.target}
        ]
        return [entry for entry in found if _has(entry, asked.words)]
    if len(asked.words) == 1 and (named := _named(archivist, asked.words[0], asked.reader)) is not None:
        return [named]
    everything = asked.tier == "all"
    present = archivist.notes.entries(asked.target, asked.tier, asked.reader, superseded=everything)
    return [entry for entry in present if _has(entry, asked.words)]


def _named(archivist: "Archivist", key: str, reader: Reader) -> Entry | None:
    """The entry of an id; None where it is none."""
    from archivist.notes.telling import UnknownEntry  # noqa: PLC0415 - `--help` loads no notes

    try:
        return archivist.notes.entry(key, scope=reader)
    except UnknownEntry:
        return None


def _has(entry: Entry, words: tuple[str, ...]) -> bool:
    text = entry.text.casefold()
    return entry.id in words or all(word.casefold() in text for word in words)


# ---- the files ----


def _files(archivist: "Archivist", asked: Asked, scope: Scope) -> list[NotesFile]:
    """The core files that the reader may see whole; those of the home and of the named scope also where they hold nothing."""
    from archivist.notes.places import core_file, is_visible, level_of  # noqa: PLC0415 - as above

    if asked.as_of is not None or asked.tier == "archive":
        return []
    inside: dict[tuple[str, Target], tuple[Scope, list[str]]] = {}
    for one, target in _always(scope):
        if is_visible(one, asked.reader):
            inside.setdefault((level_of(one), target), (one, []))
    for entry in archivist.notes.entries(scope=asked.reader):
        if is_visible(entry.scope, asked.reader):  # else it is one that is shared, of a file that is not
            place = (level_of(entry.scope), entry.target)
            inside.setdefault(place, (entry.scope, []))[1].append(entry.text)
    found = []
    for (level, target), (one, texts) in inside.items():
        if asked.target in {None, target}:
            usage = archivist.notes.limits.usage(target, texts)
            path = str(archivist.home.notes_folder / core_file(level, target))
            found.append(NotesFile(target, one, path, usage, usage.percent))
    return found


def _always(scope: Scope) -> Iterator[tuple[Scope, Target]]:
    """The files that what is noted from a scope may go to."""
    yield from ((HOME_SCOPE, "memory"), (HOME_SCOPE, "user"), (scope, "memory"))
    if scope.project is None:
        yield scope, "user"


# ---- as text ----


def _lines(
    archivist: "Archivist", asked: Asked, entries: Sequence[Entry], files: Sequence[NotesFile]
) -> Iterator[str]:
    """The entries below a head line for each file; without words, also the files that hold nothing."""
    below: dict[Heading, list[Entry]] = {}
    if not asked.words:
        below = {("core", file.target, file.scope): [] for file in files}
    for entry in entries:
        below.setdefault((_shelf(entry), entry.target, entry.scope), []).append(entry)
    known = {("core", file.target, file.scope): file for file in files}
    against = _contradictions(archivist, asked, entries)
    is_first = True
    for heading, inside in below.items():
        if not is_first:
            yield ""
        is_first = False
        yield _head(heading, known.get(heading))
        for entry in inside:
            yield from _entry_lines(archivist, entry)
            yield from _against(archivist, entry, against.get(entry.id, ()))


def _shelf(entry: Entry) -> str:
    if entry.status == "superseded":
        return "superseded"
    return entry.tier if entry.status == "active" else "taken out"


def _head(heading: Heading, file: NotesFile | None) -> str:
    shelf, target, scope = heading
    name = f"{target} of {whose(scope)}" if whose(scope) else target
    if file is None:
        return click.style(f"{name} ({shelf})", bold=True)
    return f"{click.style(f'{name} [{file.usage}]', bold=True)}  {click.style(plain(file.path), dim=True)}"


def _entry_lines(archivist: "Archivist", entry: Entry) -> Iterator[str]:
    marks = ["pinned"] * entry.pinned + ["shared"] * entry.shared
    facts = ", ".join(
        [
            entry.kind,
            *marks,
            *_origin(entry),
            when(entry.observed_at, archivist.zone),
            *_replaced(archivist, entry),
        ]
    )
    yield f"{click.style(entry.id, fg='cyan')}  {click.style(facts, dim=True)}"
    yield from (f"{INDENT}{line}" for line in plain(entry.text).splitlines())


def _origin(entry: Entry) -> Iterator[str]:
    """Who put it there, where that was neither its owner nor a hand of theirs."""
    if entry.origin not in {"user", "hand"}:
        yield f"by {entry.origin}"


def _contradictions(
    archivist: "Archivist", asked: Asked, entries: Sequence[Entry]
) -> Mapping[str, Sequence[Entry]]:
    """By entry, those that say otherwise, of all that stand beside it."""
    from archivist.notes.contradicting import standing  # noqa: PLC0415 - as above

    if asked.as_of is not None or not any(entry.status == "active" for entry in entries):
        return {}
    is_all = asked.tier == "all" and not asked.words
    found: dict[str, list[Entry]] = {}
    for pair in standing(entries if is_all else archivist.notes.entries(asked.target, "all", asked.reader)):
        found.setdefault(pair.first.id, []).append(pair.second)
        found.setdefault(pair.second.id, []).append(pair.first)
    return found


def _against(archivist: "Archivist", entry: Entry, others: Sequence[Entry]) -> Iterator[str]:
    """A line for each that says otherwise."""
    for other in heeded_entries(archivist, others):
        order = "earlier" if other.observed_at < entry.observed_at else "later"
        text = f"otherwise {order}, {when(other.observed_at, archivist.zone)}: {other.id} “{one_line(other.text)}”"
        yield click.style(f"{INDENT}{text}", fg="yellow")


def _replaced(archivist: "Archivist", entry: Entry) -> Iterator[str]:
    """What took an entry's place, and since when, or whose place it took."""
    if entry.valid_to is not None:
        by = f" by {entry.superseded_by}" if entry.superseded_by else ""
        yield f"superseded{by} on {when(entry.valid_to, archivist.zone)}"
    if entry.supersedes is not None:
        yield f"in place of {entry.supersedes}"


def _nothing(call: Call, asked: Asked) -> str:
    if asked.as_of is not None:
        return "nothing of that was noted then"
    if asked.words:
        where = "" if asked.tier == "all" else "; --all looks in the archive too"
        return f"no entry has that{where}"
    if asked.tier == "archive":
        return "nothing has left the core"
    return f"nothing is noted here; `{call.program} memory add TEXT` notes something"
