"""What `doctor` says of the notes: how full they are, what is odd about their files, and what was lost or may have been.

It only reads: what a hand did to a file is not taken in here.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from archivist.app.findings import Finding
from archivist.config import Home, read_settings
from archivist.files.regular import read_regular
from archivist.records.counts import counted

if TYPE_CHECKING:
    from archivist.notes.document import Document
    from archivist.notes.folding import State
    from archivist.notes.journal import Change
    from archivist.notes.limits import Limits

STALE_DAYS: Final = 7
"""For so long a hand's save that dropped newer entries is named."""
LOST_DAYS: Final = 30
"""For so long it is said that a journal was begun anew."""
MOST_NAMED: Final = 5
_FLAWS: Final[Mapping[str, str]] = {
    "bad-bytes": "has bytes that are no UTF-8, shown as U+FFFD: save it as UTF-8",
    "utf-16": "is in UTF-16, which is read as something else: save it as UTF-8",
    "nul": "has zero bytes: look at it in an editor",
    "no-delimiter": "is Markdown without a delimiter and counts as one entry: `archivist memory split` makes several",
    "conflict": "has the marks of a merge of git's that is not finished, which count as words: keep what holds and delete the lines"
    " with <<<<<<<, ======= and >>>>>>>",
    "loose-delimiter": "has a § that divides entries here and not in Hermes: put it alone on a line between two entries",
}
"""By their codes, the flaws that somebody should do something about."""


def look_at_notes(home: Home, now: datetime) -> list[Finding]:
    """The state of the notes' files and of their journal."""
    from archivist.notes.limits import Limits  # noqa: PLC0415 - who looks at nothing does not pay for the notes

    chosen = read_settings(home.config_file).notes
    limits = Limits(chosen.memory_limit, chosen.user_limit, chosen.on_full)
    unreadable: list[Finding] = []
    levels = list(_levels_there(home.notes_folder, unreadable))
    documents = dict(_documents(home.notes_folder, levels, unreadable))
    return [
        *_usage(documents, limits, is_blind=bool(unreadable)),
        *unreadable,
        *_levels(home.notes_folder, levels),
        *_flaws(home.notes_folder, documents),
        *_journal(home, documents, now),
        *_dropped_days(home, now),
        *_withheld(home),
    ]


# ---- the files ----


def _levels_there(folder: Path, unreadable: list[Finding]) -> Iterator[str]:
    """The folders that may have notes, as far as they can be told; for the others a finding."""
    from archivist.notes.folders import NotesUnreadable  # noqa: PLC0415 - as above
    from archivist.notes.places import levels_in  # noqa: PLC0415 - as above

    try:
        yield from levels_in(folder)
    except NotesUnreadable as error:
        unreadable.append(Finding("notes", "failure", f"{error}; nothing is noted until then"))


def _documents(
    folder: Path, levels: Iterable[str], unreadable: list[Finding]
) -> "Iterator[tuple[str, Document]]":
    """Every file of entries that can be read; for the others a finding."""
    from archivist.notes.document import Document  # noqa: PLC0415 - as above

    for name in _names(folder, levels, unreadable):
        try:
            yield name, Document.parse(read_regular(folder / name))
        except FileNotFoundError:
            continue
        except OSError as error:
            reason = error.strerror or error
            text = (
                f"{folder / name} cannot be read ({reason}): nothing is noted until it can; make it readable"
            )
            unreadable.append(Finding("notes", "failure", text))


def _names(folder: Path, levels: Iterable[str], unreadable: list[Finding]) -> Iterator[str]:
    from archivist.notes.folders import NotesUnreadable, is_there, names_in  # noqa: PLC0415 - as above
    from archivist.notes.places import ARCHIVE, CORE_FILES, place_of  # noqa: PLC0415 - as above

    for level in levels:
        prefix = f"{level}/" if level else ""
        core = [f"{prefix}{name}" for name in CORE_FILES.values()]
        try:
            yield from [name for name in core if is_there(f"{folder}/{name}")]
            inside = sorted(names_in(f"{folder}/{prefix}{ARCHIVE}"))
        except NotesUnreadable as error:
            unreadable.append(Finding("notes", "failure", f"{error}; nothing is noted until then"))
            continue
        yield from (name for one in inside if place_of(name := f"{prefix}{ARCHIVE}/{one}") is not None)


def _usage(documents: "Mapping[str, Document]", limits: "Limits", *, is_blind: bool) -> Iterator[Finding]:
    """The home's two files on one line; of the others only those that are nearly full.

    Args:
        is_blind: Whether there are files that could not be read: then nobody knows that there are no notes.
    """
    from archivist.notes.limits import NEARLY_FULL  # noqa: PLC0415 - as above
    from archivist.notes.places import place_of  # noqa: PLC0415 - as above

    told, others = [], 0
    for name, document in documents.items():
        place = place_of(name)
        if place is None or place.tier != "core":
            continue
        usage = limits.usage(place.target, document.texts)
        line = f"{name} {usage}"
        if usage.chars > usage.limit:
            over = "is over its budget, and prompts carry only a part: merge or remove entries"
            yield Finding("notes", "warning", f"{line} {over}")
        elif usage.chars * 100 >= usage.limit * NEARLY_FULL:
            yield Finding("notes", "warning", f"{line} is nearly full: merge entries that belong together")
        elif not place.level:
            told.append(f"{line}, {counted(usage.entries, 'entry', 'entries')}")
        else:
            others += 1
    if others:
        told.append(f"{counted(others, 'file')} of projects, users and chats")
    if told or not (documents or is_blind):
        yield Finding("notes", "ok", "; ".join(told) or "none yet")


def _levels(folder: Path, levels: Iterable[str]) -> Iterator[Finding]:
    """Folders of which nobody knows whose they are, and those that a hand made under another name than theirs."""
    from archivist.notes.places import key_file, proper_level  # noqa: PLC0415 - as above

    for level in levels:
        proper = proper_level(level, folder)
        if proper is None:
            text = (
                f"{folder / key_file(level)} is missing, or is that of another folder: its notes are shown to nobody who does not say"
                " whose they are; noting something from there once writes it again"
            )
            yield Finding("notes", "warning", text)
        elif proper != level:
            text = f"{folder / level} was made by hand and is read; what is noted there goes to {folder / proper}: move its files there"
            yield Finding("notes", "warning", text)


def _flaws(folder: Path, documents: "Mapping[str, Document]") -> Iterator[Finding]:
    for name, document in documents.items():
        for flaw in document.flaws:
            if flaw in _FLAWS:
                yield Finding("notes", "warning", f"{folder / name} {_FLAWS[flaw]}")


# ---- the journal ----


def _journal(home: Home, documents: "Mapping[str, Document]", now: datetime) -> Iterator[Finding]:
    from archivist.notes.folding import State, has_odd_marks  # noqa: PLC0415 - as above
    from archivist.notes.journal import JOURNAL, Change, Journal, Position  # noqa: PLC0415 - as above

    path = home.notes_folder / JOURNAL
    try:
        lines = Journal(path).read(Position())[0]
    except OSError as error:
        reason = error.strerror or error
        text = f"{path} cannot be read ({reason}): nothing is noted until it can; make it readable"
        yield Finding("notes", "failure", text)
        return
    state = State()
    state.fold(lines)
    yield from _damaged(path, len(lines))
    if odd := sum(isinstance(line, Change) and has_odd_marks(line) for line in lines):
        text = f"{counted(odd, 'line')} of {path} marks entries with what this version knows nothing of: that is left out"
        yield Finding("notes", "warning", text)
    yield from _lost(home, state, documents, now)
    if state.open is not None and not _is_in_place(home.notes_folder, state.open):
        text = f"a change ({state.open.id}, {state.open.action}) was interrupted: the next use of the notes finishes it"
        yield Finding("notes", "warning", text)
    yield from _stale(state, now)


def _damaged(path: Path, readable: int) -> Iterator[Finding]:
    """Lines that say nothing any more; one that is only torn was never a change."""
    from archivist.notes.document import has_conflict  # noqa: PLC0415 - as above

    raw = path.read_bytes() if path.exists() else b""
    whole = [line for line in raw.split(b"\n")[:-1] if line.rstrip().endswith(b"}")]
    if (lost := len(whole) - readable) > 0:
        text = f"{counted(lost, 'line')} of {path} cannot be read: of the history what they told is lost, no text"
        yield Finding("notes", "warning", text)
    if has_conflict(raw.decode("utf-8", "replace")):
        text = (
            f"{path} has the marks of a merge of git's that is not finished: keep the lines of both sides and delete those with"
            " <<<<<<<, ======= and >>>>>>>"
        )
        yield Finding("notes", "warning", text)


def _is_in_place(folder: Path, change: "Change") -> bool:
    """Whether its files are as it wanted them: then only the line that says so is missing."""
    from archivist.notes.digests import digest_of  # noqa: PLC0415 - as above

    def digest(name: str) -> str:
        try:
            return digest_of(read_regular(folder / name))
        except OSError:
            return ""

    return all(digest(name) == after for name, (_, after) in change.files.items())


def _lost(
    home: Home, state: "State", documents: "Mapping[str, Document]", now: datetime
) -> Iterator[Finding]:
    """Whether a journal is gone, or was and has been begun anew: there are versions from before its first line."""
    earliest = _earliest(home.history_folder / home.notes_folder.name)
    gone = "history and ids of the entries are lost, no text"
    if earliest is None:
        return
    if not state.changes and state.open is None:
        if any(document.texts for document in documents.values()):
            text = f"the journal is missing or empty: {gone}; the next use of the notes begins another"
            yield Finding("notes", "warning", text)
        return
    first = state.changes[0] if state.changes else state.open
    assert first is not None
    if first.is_by_hand and earliest < first.at and now - first.at < timedelta(days=LOST_DAYS):
        text = f"the journal was begun anew on {first.at:%Y-%m-%d}: of before, {gone}"
        yield Finding("notes", "warning", text)


def _earliest(folder: Path) -> datetime | None:
    """When the oldest version was displaced, as its name says; None where there is none, or nobody can tell."""
    try:
        names = [file.name for file in folder.glob("**/*-*-*-*.md")]
    except OSError:
        return None
    return min((stamp for name in names if (stamp := _stamp(name)) is not None), default=None)


def _stamp(name: str) -> datetime | None:
    try:
        return datetime.strptime(name.partition("-")[0], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)
    except ValueError:
        return None


def _stale(state: "State", now: datetime) -> Iterator[Finding]:
    """Saves by hand that took back newer changes, as long as nobody has undone them and they still hold."""
    from archivist.notes.untold import stale_steps  # noqa: PLC0415 - as above

    undone = {change.undoes for change in state.changes}
    for change in state.changes:
        if change.id in undone or now - change.at > timedelta(days=STALE_DAYS):
            continue
        steps = stale_steps(state, change)
        if steps:
            files = ", ".join(sorted({step.file for step in steps}))
            keys = list(dict.fromkeys(step.entry for step in steps))
            yield Finding(
                "notes",
                "warning",
                f"a save of {files} by hand took back newer changes of {counted(len(keys), 'entry', 'entries')} ({_named(keys)}):"
                f" if that was not meant, `archivist memory undo {change.id}` brings them back",
            )


def _dropped_days(home: Home, now: datetime) -> Iterator[Finding]:
    """Saves by hand that took entries out of daily notes, as long as they are not there again."""
    from archivist.notes.daily import drops  # noqa: PLC0415 - as above
    from archivist.notes.folders import NotesUnreadable  # noqa: PLC0415 - as above
    from archivist.notes.places import daily_folder, levels_in  # noqa: PLC0415 - as above

    history, since = home.history_folder / home.notes_folder.name, now - timedelta(days=STALE_DAYS)
    try:
        for name in map(daily_folder, levels_in(history)):
            dropped = drops(home.notes_folder / name, history / name, since)
            yield from (Finding("notes", "warning", text) for text in dropped)
    except (NotesUnreadable, OSError) as error:
        yield Finding(
            "notes", "warning", f"whether saves took anything out of daily notes is not known: {error}"
        )


def _withheld(home: Home) -> Iterator[Finding]:
    """What stands in the notes and is not shown to models as it stands, and whether it can be read what the owner allows."""
    from archivist.app.allowing import AllowancesUnreadable, allowances_of  # noqa: PLC0415 - as above
    from archivist.app.withheld import withheld_in  # noqa: PLC0415 - as above
    from archivist.notes.secrets import TAKEN_OUT  # noqa: PLC0415 - as above

    try:
        allowances_of(home)
    except AllowancesUnreadable as error:
        yield Finding("notes", "warning", str(error))
    found = list(withheld_in(home))
    for one in found:
        if one.secrets:
            what = "a secret" if one.where == one.file else f"a secret in {one.where}"
            told = f"{one.file} holds {what} ({', '.join(one.secrets)}), which is masked in what is shown"
            yield Finding("notes", "warning", f"{told}: {TAKEN_OUT}")
    if steering := list(dict.fromkeys(one.where for one in found if one.blocks)):
        told = f"{counted(len(steering), 'text tries', 'texts try')} to steer a model and {'is' if len(steering) == 1 else 'are'} withheld"
        how = "`archivist guard list` shows what, and how it is allowed"
        yield Finding("notes", "warning", f"{told} from models ({_named(steering)}): {how}")


def _named(keys: Iterable[str]) -> str:
    keys = list(keys)
    more = f" and {len(keys) - MOST_NAMED} more" if len(keys) > MOST_NAMED else ""
    return f"{', '.join(keys[:MOST_NAMED])}{more}"
