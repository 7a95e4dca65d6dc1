"""What `doctor` looks at: each part's state in one line, and what to do about what is wrong.

A check never repairs; it reads, and it reports what it could not read.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING

import msgspec

from archivist.app.findings import Finding, Verdict
from archivist.config import Home
from archivist.records.counts import counted
from archivist.store import DiskFailed, StateStore, StoreDamaged, Surroundings
from archivist.store.beginning import begun_anew
from archivist.store.connection import file_system_of, is_remote
from archivist.store.index.checking import NOT_OF_THIS_STORE, lasting
from archivist.store.index.search_index import SearchIndex
from archivist.store.known_damage import KnownDamage, known_damage

if TYPE_CHECKING:
    from archivist.store.verifying import Verification

MANY_MESSAGES, OLD_DAYS = 1000, 30
LITTLE_ROOM, NO_ROOM = 100_000_000, 1_000_000
"""Bytes that are free: from which on it is told, and that a message and what goes with it may need."""
MANY_WAITING = 1000
"""A search indexes so many by itself without being slow for it."""


class Checkup(msgspec.Struct, frozen=True):
    """Everything that was looked at, in a fixed order."""

    findings: tuple[Finding, ...]

    @property
    def is_healthy(self) -> bool:
        """Whether nothing failed."""
        return all(finding.verdict != "failure" for finding in self.findings)


def check_up(
    home: Home,
    store: StateStore,
    index: SearchIndex,
    *,
    environ: Mapping[str, str],
    zone: tzinfo,
    world: Surroundings,
    folder: Path | None = None,
) -> Checkup:
    """Look at every part of a home, and at the programs that are to use it, in a folder too where one is named."""
    from archivist.app.hosts.claude_code.checkup import look_at_claude_code  # noqa: PLC0415 - as below
    from archivist.app.model_checkup import look_at_model  # noqa: PLC0415 - as below
    from archivist.app.notes_checkup import look_at_notes  # noqa: PLC0415 - `doctor` alone looks at all of them
    from archivist.app.sizes import look_at_room  # noqa: PLC0415 - as above
    from archivist.app.transcripts_checkup import look_at_transcripts  # noqa: PLC0415 - as above

    now = world.now()
    return Checkup(
        (
            _home(home),
            Finding("time zone", "ok", str(zone)),
            _file_system(home),
            *_disk(home),
            *_state(store),
            _spool(store),
            *_index(store, index),
            *look_at_notes(home, now),
            *look_at_transcripts(store, environ, now, zone),
            *_review(store, now),
            *look_at_model(home, environ, world),
            _backup(home, store, now),
            *look_at_room(home, store),
            *look_at_claude_code(home, environ, zone, folder),
        )
    )


def prove(
    store: StateStore, index: SearchIndex, on_progress: Callable[[int], None] | None = None
) -> "Verification":
    """Prove that everything stored is as it was stored; and where it is, that the whole index says the same."""
    found = store.verify(on_progress=on_progress)
    faults = [] if found.problems else store.trying(index.check)
    return msgspec.structs.replace(found, index_faults=lasting(faults))


def _home(home: Home) -> Finding:
    if home.path.stat().st_mode & 0o077:
        text = (
            f"{home.path} can be entered by others (its files cannot be read by them): chmod 700 {home.path}"
        )
        return Finding("home", "warning", text)
    return Finding("home", "ok", str(home.path))


def _file_system(home: Home) -> Finding:
    kind = file_system_of(home.state_file)
    if is_remote(kind):
        return Finding("file system", "warning", f"{kind}: a network disk; writes are safe but wait longer")
    return Finding("file system", "ok", kind or "unknown")


def _disk(home: Home) -> list[Finding]:
    """How much room is left, where it is little."""
    free = disk_usage(home.path).free
    if free >= LITTLE_ROOM:
        return []
    text = f"{free / 1e6:,.1f} MB are free on the disk of {home.path}: free some space, or nothing can be stored soon"
    return [Finding("disk", "failure" if free < NO_ROOM else "warning", text)]


def _state(store: StateStore) -> list[Finding]:
    from archivist.store.verifying import quick_problems  # noqa: PLC0415 - seldom asked

    begun, known = "", KnownDamage()
    try:
        counts = ", ".join(counted(count, name.removesuffix("s")) for name, count in store.counts().items())
        version, damage, begun, known = (
            store.schema_version(),
            store.read(quick_problems),
            store.read(begun_anew),
            store.read(known_damage),
        )
    except (StoreDamaged, DiskFailed) as error:
        return [Finding("state.db", "failure", str(error)), *_told(store, begun)]
    if damage:
        text = " ".join(damage[0].split())
        return [
            Finding("state.db", "failure", f"damaged ({text}); run `archivist salvage`"),
            *_told(store, begun),
        ]
    megabytes = sum(path.stat().st_size for path in store.path.parent.glob(f"{store.path.name}*")) / 1e6
    text = f"{counts}; {megabytes:,.1f} MB, schema {version}"
    return [Finding("state.db", "ok", text), *_known(known), *_told(store, begun)]


def _known(known: KnownDamage) -> list[Finding]:
    """What a salvage had to keep damaged."""
    text = f"{known.told_with_names}; importing its source again may mend it"
    return [Finding("state.db", "warning", text)] if known else []


def _told(store: StateStore, begun: str) -> list[Finding]:
    """What was found since the store was opened, this very look included; that it was damaged is a failure, once."""
    told = [
        Finding("state.db", "failure" if notice.code == "salvaged" else "warning", notice.text)
        for notice in store.notices
        if notice.code != "begun-anew"
    ]
    return [*told, Finding("state.db", "warning", begun)] if begun else told


def _spool(store: StateStore) -> Finding:
    waiting, unreadable = store.spool.files(), store.spool.unreadable()
    if unreadable:
        return Finding("spool", "failure", f"{unreadable[0]} cannot be read: look at it, then move it away")
    if waiting:
        return Finding(
            "spool",
            "warning",
            f"{counted(len(waiting), 'payload waits', 'payloads wait')} to be taken in at the next open",
        )
    return Finding("spool", "ok", "empty")


def _index(store: StateStore, index: SearchIndex) -> list[Finding]:
    try:
        with store.naming_trouble():
            checked = index.spot_check()
            with index.reading() as reader:
                waiting, documents = reader.waiting, reader.documents
    except (StoreDamaged, DiskFailed):
        return [Finding("index.db", "failure", "not looked at: state.db, which it is made from, is damaged")]
    problems = checked.faults
    if problems and problems[0].startswith(NOT_OF_THIS_STORE):
        text = "made from an earlier state, as after a restore or a salvage: the next search makes it anew"
        return [Finding("index.db", "warning", text)]
    if problems:
        return [
            Finding(
                "index.db", "failure", f"{problem}; run `archivist verify`, then `archivist index --rebuild`"
            )
            for problem in problems
        ]
    waiting = min(waiting, _messages(store))  # ids that were never given count as waiting
    behind = f"{counted(waiting, 'message waits', 'messages wait')} to be indexed"
    if waiting > MANY_WAITING:
        return [Finding("index.db", "warning", f"{behind}; run `archivist index`")]
    left = f"; {behind}, which a search does" if waiting else ""
    sample = (
        "" if checked.messages is None else f"; {checked.messages:,} checked, `archivist verify` checks all"
    )
    return [Finding("index.db", "ok", f"{counted(documents, 'message')}{left}{sample}")]


def _review(store: StateStore, now: datetime) -> list[Finding]:
    """How many proposals wait for their owner, and what has expired unseen; nothing where there is neither."""
    from archivist.store.proposals import waiting  # noqa: PLC0415 - as above

    try:
        found = store.read(lambda db: waiting(db, now))
    except (StoreDamaged, DiskFailed):
        return []  # said of state.db already
    if not found.text:
        return []
    counts = {"waiting": found.open, "soon": found.soon, "expired": found.expired}
    verdict: Verdict = "warning" if found.expired or found.soon or found.full else "ok"
    return [Finding("review", verdict, found.text, counts)]


def _backup(home: Home, store: StateStore, now: datetime) -> Finding:
    """The newest backup, sound as far as the sizes of its files tell, or where one was made that is not to be reached now."""
    from archivist.app.backups import known_backups, remembered  # noqa: PLC0415 - only here, of what every start loads

    known = known_backups(home)
    damaged = sum(not backup.is_sound for backup in known)
    hint = f"; {damaged} damaged: see `archivist backup --list`" if damaged else ""
    places = [(backup.made_at, f"{backup.path} (sound when made)") for backup in known if backup.is_sound]
    places += [(one.made_at, f"{one.path}, which is not there now") for one in reversed(remembered(home))]
    for made_at, place in places:
        if made_at is not None:
            days = max(0, (now - made_at).days)
            late = "; run `archivist backup`" if days > OLD_DAYS else ""
            verdict: Verdict = "warning" if late or damaged else "ok"
            return Finding("backup", verdict, f"{counted(days, 'day')} ago at {place}{late}{hint}")
    verdict = "warning" if damaged or _messages(store) > MANY_MESSAGES else "ok"
    return Finding("backup", verdict, f"none yet; run `archivist backup`{hint}")


def _messages(store: StateStore) -> int:
    try:
        return store.counts()["messages"]
    except (StoreDamaged, DiskFailed):
        return 0
