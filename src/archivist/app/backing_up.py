"""Making a backup: one moment of everything, proven before it is called one.

It is written under a name that ends in `.partial`, read back and checked, and only then renamed. So whatever goes wrong on the way,
no backup that is not whole is ever called one, and none is removed for it.
"""

import shutil
from collections.abc import Iterable
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from archivist import __version__
from archivist.app.alone import PATIENCE_SECONDS, alone, notes_still
from archivist.app.backups import (
    PARTIAL,
    PREFIX,
    Backup,
    OnProgress,
    Remembered,
    described,
    find_backups,
    first_id_of,
    remember,
)
from archivist.app.belongings import belongings
from archivist.app.manifests import Kept, Manifest, NoBackup, prove, read_manifest, write_manifest
from archivist.app.snapshots import CopiedState, copy_files, copy_state, sizes
from archivist.config import Home
from archivist.config.home import ERASED, MEDIA, NOTES, STATE
from archivist.files import (
    FileNotWritten,
    free_name,
    locked,
    make_folder,
    move_durably,
    sync_folder,
    write_atomically,
)
from archivist.records import ArchivistError
from archivist.store.connection import open_reader
from archivist.store.copying import shrink_log
from archivist.store.deleting import all_blobs
from archivist.store.identity import opened_copy
from archivist.store.known_damage import known_damage
from archivist.store.migrating import NotOurs
from archivist.store.trouble import StoreDamaged, naming_trouble

OWNER_FILE = ".of"
"""In an unfinished backup: which home's it is."""
FOLDER_LOCK = ".archivist-backup.lock"


class BackupNotMade(ArchivistError):
    """No backup was made; those that were there are as they were."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(
            f"no backup was made in {path} ({reason}): put this right or name another folder, then try again"
        )


class StateNotSound(ArchivistError):
    """What should be backed up is damaged: a copy of it would only take the place of a good one."""

    def __init__(self, path: Path, problem: str) -> None:
        self.path = path
        super().__init__(
            f"no backup was made, because {path} is damaged ({problem}): run `archivist salvage`,"
            " then try again, or go back to the newest sound backup with `archivist restore`"
        )


def back_up(
    home: Home,
    *,
    now: datetime,
    into: Path | None = None,
    secrets: bool = False,
    keep: int | None = None,
    on_progress: OnProgress | None = None,
) -> Backup:
    """Make a backup of a home and prove it.

    Args:
        home: Others may write to it meanwhile.
        now: When it is made.
        into: The folder to make it in; the home's own `backups/` where unset.
        secrets: Also the files in which credentials are kept.
        keep: Remove older backups of this home in that folder, all but this many sound ones.
        on_progress: Told how far it is.

    Raises:
        BackupNotMade, StateNotSound, FileNotCopied, FileNotWritten, FileLocked, DiskFull, DiskFailed: None was made.
    """
    folder = (into or home.backups_folder).expanduser().absolute()
    _refuse_unfit(home, folder)
    with ExitStack() as held:
        try:
            make_folder(folder)
            held.enter_context(locked(folder / FOLDER_LOCK, seconds=PATIENCE_SECONDS))
        except (OSError, FileNotWritten) as error:
            reason = error.reason if isinstance(error, FileNotWritten) else error
            raise BackupNotMade(folder, _reason(reason)) from error
        held.enter_context(alone(home, even_unwritable=True))
        _clear_leftovers(folder, first_id_of(home))
        made = _make(home, folder, now=now, secrets=secrets, on_progress=on_progress)
        removed = _remove_older(home, folder, made, keep) if keep else []
        _remember(home, made, removed)
    return replace(made, removed=tuple(removed))


def _refuse_unfit(home: Home, folder: Path) -> None:
    place, own = folder.resolve(), home.path.resolve()
    if folder.exists() and not folder.is_dir():
        raise BackupNotMade(folder, "it is not a folder")
    if place.is_relative_to(own) and not place.is_relative_to(home.backups_folder.resolve()):
        raise BackupNotMade(folder, f"it is a part of the home itself; in the home use {home.backups_folder}")
    for own_folder in (home.media_folder, home.spool_folder):
        if own_folder.is_symlink():
            raise BackupNotMade(
                folder, f"{own_folder} is a link, which is not followed: put the folder itself there"
            )


def _make(
    home: Home, folder: Path, *, now: datetime, secrets: bool, on_progress: OnProgress | None
) -> Backup:
    path = free_name(folder / f"{PREFIX}{now.astimezone(UTC):%Y%m%d-%H%M%S}")
    partial = path.with_name(f"{path.name}{PARTIAL}")
    try:
        make_folder(partial)
        manifest = _fill(home, partial, now=now, secrets=secrets, on_progress=on_progress)
        (partial / OWNER_FILE).unlink()
        sync_folder(partial)
        move_durably(partial, path)
    except OSError as error:
        raise BackupNotMade(folder, _reason(error)) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return described(path, manifest)


def _fill(
    home: Home, partial: Path, *, now: datetime, secrets: bool, on_progress: OnProgress | None
) -> Manifest:
    """Copy everything, say what it is, and prove it.

    Raises:
        StateNotSound, BackupNotMade: It is not as it should be.
    """
    write_atomically(partial / OWNER_FILE, (first_id_of(home) or "").encode())
    found = belongings(home, secrets=secrets)
    show = _Progress(2 * _sizes(home, found.files), on_progress)
    with notes_still(home):
        notes = [name for name in belongings(home, secrets=secrets).texts if name.startswith(f"{NOTES}/")]
        kept = list(copy_files(home, partial, notes, show))
    others = [name for name in found.texts if not name.startswith(f"{NOTES}/")]
    kept += copy_files(home, partial, [*others, *found.payloads], show)
    # blobs before the database's moment, lest one be removed after it; then those that came until it
    kept += copy_files(home, partial, found.blobs, show)
    state = _copy_state(home, partial, show)
    there = {file.path for file in kept}
    later = belongings(home, secrets=secrets)
    kept += copy_files(home, partial, [name for name in later.blobs if name not in there], show)
    kept += copy_files(home, partial, [name for name in later.files if name == ERASED], show)
    lost = _lost_blobs(partial, kept)
    manifest = Manifest(
        made_at=now.astimezone(UTC),
        program=__version__,
        state=state.identity,
        counts={**state.counts, "blobs": sum(file.path.startswith("media/") for file in kept)},
        files=(state.kept, *kept),
        secrets=secrets,
        left_out=(*found.left_out, *_told_as_lost(lost)),
        lost_blobs=lost,
        damaged=_damaged(partial),
    )
    write_manifest(partial, manifest)
    _prove(home, partial, show)
    return manifest


def _lost_blobs(partial: Path, kept: Iterable[Kept]) -> tuple[str, ...]:
    """The blobs that the copied messages name and whose bytes are not among the copied files."""
    with opened_copy(partial / STATE) as db:
        names = all_blobs(db)
    return tuple(sorted(names - {file.sha256 for file in kept if file.path.startswith(f"{MEDIA}/")}))


def _damaged(partial: Path) -> tuple[str, ...]:
    """What is damaged and known in the copied database; any other damage is found when the copy is proven."""
    with opened_copy(partial / STATE) as db:
        return known_damage(db).names


def _told_as_lost(lost: tuple[str, ...]) -> tuple[str, ...]:
    if not lost:
        return ()
    told = (
        "the bytes of one attachment are" if len(lost) == 1 else f"the bytes of {len(lost):,} attachments are"
    )
    return (f"{MEDIA}: {told} lost or damaged: importing their source again brings them back",)


def _sizes(home: Home, names: Iterable[str]) -> int:
    try:
        return sizes(home, names)
    except StoreDamaged as error:
        raise StateNotSound(home.state_file, _reason(error)) from error


def _copy_state(home: Home, partial: Path, show: "_Progress") -> CopiedState:
    try:
        with naming_trouble(home.state_file), closing(open_reader(home.state_file)) as db:
            state = copy_state(db, partial, show)
    except (StoreDamaged, NotOurs) as error:
        raise StateNotSound(home.state_file, _reason(error)) from error
    shrink_log(home.state_file)
    return state


def _prove(home: Home, partial: Path, show: "_Progress") -> None:
    proof = prove(partial, read_manifest(partial), on_bytes=show)
    if proof.files:
        raise BackupNotMade(partial.parent, proof.files[0])
    if proof.content:
        raise StateNotSound(home.state_file, proof.content[0].replace(str(partial), str(home.path)))


def _clear_leftovers(folder: Path, first_id: str | None) -> None:
    """Remove what a backup of this home left when it was killed, or one that had not got so far as to say whose it is.

    The lock says that none is at work.
    """
    for path in folder.glob(f"{PREFIX}*{PARTIAL}"):
        if first_id is not None and _first_id_of_leftover(path) in {first_id, None}:
            shutil.rmtree(path, ignore_errors=True)


def _first_id_of_leftover(path: Path) -> str | None:
    try:
        return (path / OWNER_FILE).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        with suppress(NoBackup):
            return read_manifest(path).lineage
    return None


def _remove_older(home: Home, folder: Path, made: Backup, keep: int) -> list[Path]:
    """Remove this home's backups that are older than the last that is kept; each loses its name first, so that none is ever half there."""
    own = [backup for backup in find_backups(folder, home) if backup.lineage == made.lineage]
    sound = [backup for backup in own if backup.is_sound]
    kept = {backup.path for backup in sound[:keep]} | {made.path}
    last = sound[:keep][-1].made_at if sound else None
    removed = []
    for backup in own:
        if backup.path in kept or last is None or backup.made_at is None or backup.made_at > last:
            continue
        nameless = backup.path.with_name(f"{backup.path.name}{PARTIAL}")
        with suppress(OSError):
            move_durably(backup.path, nameless)
            removed.append(backup.path)
            shutil.rmtree(nameless, ignore_errors=True)
    return removed


def _remember(home: Home, made: Backup, removed: list[Path]) -> None:
    """Where it lies outside the home; that it cannot be remembered makes it no worse."""
    if made.path.resolve().is_relative_to(home.path.resolve()) or made.made_at is None:
        return
    with suppress(FileNotWritten, OSError):
        remember(home, Remembered(str(made.path), made.made_at, made.store_id, made.counts), removed)


def _reason(error: Exception) -> str:
    if isinstance(error, StoreDamaged):
        return error.reason  # the whole sentence would be one within another
    return (error.strerror if isinstance(error, OSError) else None) or " ".join(str(error).split())


class _Progress:
    """Adds up bytes and tells how many of all are done."""

    def __init__(self, total: int, tell: OnProgress | None) -> None:
        self._total, self._tell, self._done = total, tell, 0

    def __call__(self, count: int) -> None:
        self._done += count
        if self._tell:
            self._tell(min(self._done, self._total), self._total)
