"""Salvage: what a damaged `state.db` still holds becomes a new one; the damaged files are set aside, untouched."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Final

import apsw
import msgspec

from archivist.config.home import ASIDE, ERASED
from archivist.files import free_name, make_folder, write_atomically
from archivist.records import Notice
from archivist.records.counts import counted
from archivist.store.deleting import apply_erased
from archivist.store.erased import Erased
from archivist.store.known_damage import note_damage
from archivist.store.losses import record_losses
from archivist.store.replacing import DAMAGED, replace_file, writers_held
from archivist.store.rows import COLUMNS, Row, digest_of
from archivist.store.salvage.building import (
    Tally,
    bring_up_to_date,
    create,
    drop_implausible_changes,
    fill,
)
from archivist.store.salvage.filling import fill_from
from archivist.store.salvage.harvest import Harvest
from archivist.store.salvage.image import Image
from archivist.store.salvage.legible import make_legible
from archivist.store.salvage.mending import announce, mend
from archivist.store.salvage.report import SalvageReport
from archivist.store.salvage.waiting import IDS, PROPOSALS, fill_proposals, lost_proposals
from archivist.store.spool import Spool
from archivist.store.trouble import StoreDamaged

Backups = Callable[[], Iterable[Path]]
"""Verified copies of `state.db`, newest first."""
WRITERS_SECONDS: Final = 10.0
NOT_OURS: Final = "no page of it can be read as Archivist's"
MADE: Final = "-salvaging"
"""How the name of a database ends that is being made."""


class NothingToSalvage(StoreDamaged):
    """Of a damaged database nothing can be read; a backup may have everything."""

    def __init__(self, path: Path, backup: Path | None) -> None:
        super().__init__(path, NOT_OURS)
        self.backup = backup and backup.parent
        way = (
            f"`archivist restore` goes back to {self.backup}"
            if backup
            else "no backup of it is known here: if there is one elsewhere, `archivist restore PATH`, else move the file away"
        )
        self.args = (f"{path} is damaged ({NOT_OURS}) and nothing of it can be salvaged: {way}",)


class Plan(msgspec.Struct, frozen=True):
    """What a salvage works with.

    Attributes:
        path: The damaged `state.db`.
        spool: Where messages may wait.
        backups: Where copies are.
        program: This program's version.
        new_id: Makes the id of the new database.
        now: The time of day.
    """

    path: Path
    spool: Spool
    backups: Backups
    program: str
    new_id: Callable[[], str]
    now: Callable[[], datetime]


def salvage(plan: Plan, *, is_trial: bool = False) -> SalvageReport:
    """Make a new database of what can be read and put it in the place of the damaged one; only while `replacing`.

    Args:
        plan: What to work with.
        is_trial: Only say what would come back.

    Raises:
        NothingToSalvage, StoreDamaged: Nothing of ours could be read, or the new database is not right; the file is as it was.
        StoreBusy: Another program writes to it.
        apsw.Error, OSError: The new database could not be written; the file is as it was.
    """
    fresh = plan.path.with_name(plan.path.name + MADE)
    with ExitStack() as undo:
        undo.callback(fresh.unlink, missing_ok=True)
        undo.enter_context(writers_held(plan.path, WRITERS_SECONDS))
        image = Image(plan.path)
        undo.callback(image.close)
        aside = None if is_trial else _make_aside(plan.path, plan.now())
        if aside:
            undo.callback(_remove_if_empty, aside)
        db = create(fresh, (harvest := Harvest(image)).version)
        undo.callback(db.close)
        report = _rebuild(db, harvest, image, plan, aside)
        db.close()
        if aside:
            write_atomically(aside / "report.json", report.to_json())
            replace_file(plan.path, fresh, aside)
    return report


def _rebuild(
    db: apsw.Connection, harvest: Harvest, image: Image, plan: Plan, aside: Path | None
) -> SalvageReport:
    tally = fill(db, harvest)
    if not _is_ours(db, tally):
        raise NothingToSalvage(plan.path, next(iter(plan.backups()), None))
    bring_up_to_date(db, plan.path, program=plan.program, store_id=plan.new_id())
    drop_implausible_changes(db)
    mend(db, tally)
    announce(db, is_whole=harvest.is_whole.get("changes", False) and not image.log.is_cut)
    copied, sessions = fill_from(db, plan.backups(), tally.wrong)
    stand_ins = _count(db, "sessions WHERE source = 'salvaged'") if not sessions else mend(db, tally)
    is_review_whole = PROPOSALS not in harvest.shapes or (
        harvest.is_whole.get(PROPOSALS, False) and not image.log.is_cut
    )
    proposals = fill_proposals(db, plan.backups, is_whole=is_review_whole)
    apply_erased(db, erased := Erased(plan.path.with_name(ERASED)))
    lost = record_losses(db)
    make_legible(db, tally.wrong)
    kept = note_damage(db, tally.wrong, plan.now().date())
    db.execute("COMMIT")
    _prove(db, plan.path, tally)
    report = SalvageReport(
        messages_from_file=_count(db, "messages") - copied - tally.from_log,
        messages_from_log=tally.from_log,
        messages_from_spool=sum(len(payload.rows) for payload in plan.spool.waiting(None)),
        messages_from_backup=copied,
        messages_damaged=len(tally.wrong),
        messages_lost=lost,
        sessions=_count(db, "sessions"),
        sessions_from_backup=len(sessions),
        stand_ins=stand_ins,
        rows_unreadable=harvest.unreadable,
        damaged_pages=len(harvest.damaged) + image.log.broken,
        set_aside=aside,
        is_trial=aside is None,
        known_damage=kept,
        proposals_from_backup=proposals,
        proposals_lost=lost_proposals(db, tally.proposals, erased.names().proposals),
        is_review_whole=is_review_whole or harvest.is_whole.get(IDS, False),
    )
    return msgspec.structs.replace(report, notices=tuple(_notices(report, plan.path)))


def _is_ours(db: apsw.Connection, tally: Tally) -> bool:
    """Whether anything proves that the database was Archivist's."""
    return (
        tally.from_file + tally.from_log > len(tally.wrong)
        or bool(db.execute("SELECT 1 FROM meta WHERE key = 'store_id'").get)
        or bool(_count(db, "changes WHERE kind = 'added'"))
    )


def _prove(db: apsw.Connection, path: Path, tally: Tally) -> None:
    """Read the new database as a stranger would.

    Raises:
        StoreDamaged: It is not what was put into it.
    """
    found = [str(row[0]) for row in db.execute("PRAGMA integrity_check(1)")]
    if found != ["ok"]:
        raise StoreDamaged(path, f"what was salvaged does not hold together: {found[0]}")
    for key, *values in db.execute(f"SELECT id, {COLUMNS} FROM messages"):
        row = Row(*values)
        if digest_of(row) != row.digest and key not in tally.wrong:
            raise StoreDamaged(path, f"message {key} was not salvaged as it was read")


def _notices(report: SalvageReport, path: Path) -> Iterable[Notice]:
    done = "would come back" if report.is_trial else "came back"
    counts = ", ".join(
        f"{count:,} {what}"
        for count, what in (
            (report.messages_lost, "lost"),
            (report.messages_damaged, "damaged"),
            (report.proposals_lost, "of what waits for you or was decided lost"),
            (
                report.stand_ins,
                "without a known owner, shown only on the owner's command line",
            ),
        )
        if count
    )
    text = f"{path} was damaged: {counted(report.messages, 'message')} {done}, {counts or 'none lost'}"
    if not report.is_review_whole:
        text += "; what waited for you may be missing (`archivist review list --all` shows what is there)"
    if report.set_aside:
        text += f"; the damaged files and a report are in {report.set_aside}"
    yield Notice("salvaged", text)


def _count(db: apsw.Connection, what: str) -> int:
    return int(db.execute(f"SELECT count(*) FROM {what}").get)


def _make_aside(path: Path, now: datetime) -> Path:
    """A new folder for damaged files."""
    folder = free_name(path.parent / ASIDE / f"{path.name}{DAMAGED}{now:%Y%m%d-%H%M%S}")
    make_folder(folder)
    return folder


def _remove_if_empty(folder: Path) -> None:
    """A folder into which nothing was set aside."""
    if folder.is_dir() and not any(file.name != "report.json" for file in folder.iterdir()):
        (folder / "report.json").unlink(missing_ok=True)
        folder.rmdir()
