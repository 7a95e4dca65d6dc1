"""Going back to a backup: shown first, then done whole.

What is there now is never lost by it: it is set aside as a state that can be restored itself.
"""

from pathlib import Path

import msgspec

from archivist.app.alone import alone
from archivist.app.backups import (
    PARTIAL,
    Backup,
    OnProgress,
    described,
    find_backups,
    first_id_of,
    folders_of,
    history_meant,
    known_backups,
    newest_sound,
    remembered,
)
from archivist.app.belongings import belongings, is_text
from archivist.app.manifests import MANIFEST, Manifest, NoBackup, digest_of, prove, read_manifest
from archivist.app.swapping import settle, swap_in
from archivist.config import Home, SettingsUnreadable, read_settings
from archivist.config.home import STATE
from archivist.files import digest_of_file
from archivist.records import ArchivistError, Patience
from archivist.store import Surroundings
from archivist.store.comparing import Difference, changed_conversations, difference
from archivist.store.erased import Erased


class Restoration(msgspec.Struct, frozen=True):
    """What a restore changes, or has changed.

    Attributes:
        backup: What is gone back to.
        is_done: Whether it was done; else it was only looked at.
        of_another_home: Whether the backup holds another history than the home does now.
        comes_back: What the backup has that the present state has not, but for what was deleted and stays so; None where the present
            state cannot be read.
        goes: What the present state has that the backup has not; None likewise.
        reverts: Conversations of both whose title, pin, archive or undo goes back to what it was.
        present_problem: Why the present state cannot be read; empty where it can.
        texts_back: Text files that are only in the backup.
        texts_changed: Text files that are another in the backup.
        texts_gone: Text files that the backup has not.
        damaged: Backups that were passed over, with what is wrong with them.
        set_aside: Where the present state was kept; None where there was none.
        payloads_set_aside: Payloads of the spool whose sessions are not there any more.
        texts_not_placed: Text files that the system did not let into their places, where they are kept, and those that it did not let go.
        erased_again: Sessions of the backup that had been deleted since, and stay so.
    """

    backup: Backup
    is_done: bool = False
    of_another_home: bool = False
    comes_back: Difference | None = None
    goes: Difference | None = None
    reverts: int = 0
    present_problem: str = ""
    texts_back: tuple[str, ...] = ()
    texts_changed: tuple[str, ...] = ()
    texts_gone: tuple[str, ...] = ()
    damaged: tuple[Backup, ...] = ()
    set_aside: Path | None = None
    payloads_set_aside: tuple[Path, ...] = ()
    texts_not_placed: tuple[Path, ...] = ()
    erased_again: int = 0


def restore(
    home: Home,
    path: Path | Restoration | None,
    *,
    world: Surroundings,
    patience: Patience | None = None,
    on_progress: OnProgress | None = None,
) -> Restoration:
    """Go back to a backup.

    Args:
        home: Closed by the caller; other processes may have it open, and go on with what was restored.
        path: As with `plan_restore`; or what that gave, whose backup is not proven again.
        world: Clock, ids and chance.
        patience: How long to wait for writers; as the settings say where unset.
        on_progress: Told how far the check of the backup is, in bytes.

    Raises:
        NoBackup, SeveralHomes, PlaceTaken, SchemaTooNew, NotOurs, StoreBusy, FileLocked, FileNotCopied, FileNotWritten, DiskFull,
        DiskFailed, StoreReadOnly:
            The present state is as it was.
    """
    with alone(home):
        settle(home)
        plan = path if isinstance(path, Restoration) else plan_restore(home, path, on_progress=on_progress)
        manifest = read_manifest(plan.backup.path)
        if digest_of(manifest) != plan.backup.digest:
            raise NoBackup(plan.backup.path, "it was changed since it was looked at")
        wait = patience or _patience_of(home)
        done = swap_in(home, plan.backup.path, manifest, world=world, patience=wait)
    return msgspec.structs.replace(
        plan,
        is_done=True,
        set_aside=done.set_aside,
        payloads_set_aside=done.payloads_set_aside,
        texts_not_placed=done.texts_not_placed,
        erased_again=done.erased_again,
    )


def plan_restore(home: Home, path: Path | None, *, on_progress: OnProgress | None = None) -> Restoration:
    """What going back to a backup would change; nothing is changed.

    Args:
        home: May be damaged, or not there.
        path: A backup, or a folder of backups, of which the newest sound one is taken; all known ones of the home where unset.
        on_progress: Told how far the check of the backup is, in bytes.

    Raises:
        NoBackup: There is none, or none that is sound.
        SeveralHomes: They are of several homes, and which is meant cannot be told.
        SchemaTooNew: A later version of Archivist made it.
    """
    backup, manifest, damaged = _choose(home, path, on_progress)
    plan = Restoration(backup, damaged=tuple(damaged), of_another_home=_is_of_another(home, backup))
    plan = _with_texts(plan, home, manifest)
    if not home.state_file.is_file():
        found = "is a folder" if home.state_file.is_dir() else "is not there"
        return msgspec.structs.replace(plan, present_problem=f"{home.state_file} {found}")
    try:
        return msgspec.structs.replace(
            plan,
            comes_back=difference(
                backup.path / STATE, home.state_file, away=Erased(home.erased_file).names()
            ),
            goes=difference(home.state_file, backup.path / STATE),
            reverts=changed_conversations(home.state_file, backup.path / STATE),
        )
    except ArchivistError as error:
        return msgspec.structs.replace(plan, present_problem=str(error))


def _is_of_another(home: Home, backup: Backup) -> bool:
    """Whether it holds another history, and was not made here before the present one was begun."""
    own = {Path(one.path) for one in remembered(home)}
    is_own = backup.path.absolute() in own or backup.path.absolute().parent == home.backups_folder.absolute()
    return not is_own and first_id_of(home) not in (None, backup.lineage)


def _patience_of(home: Home) -> Patience:
    try:
        return Patience(read_settings(home.config_file).patience_seconds)
    except SettingsUnreadable:  # it may be what is to be restored
        return Patience()


def _choose(
    home: Home, path: Path | None, on_progress: OnProgress | None
) -> tuple[Backup, Manifest, list[Backup]]:
    """The backup, proven, and the damaged ones that were passed over."""
    if path is not None and (path.name.endswith(PARTIAL) or not path.is_dir()):
        raise NoBackup(path, "it was never finished" if path.is_dir() else "there is no such folder")
    if path is not None and ((path / MANIFEST).exists() or not folders_of(path)):
        backup, manifest = _proven(home, path, on_progress)
        if backup.problems:
            raise NoBackup(path, backup.problems[0])
        return backup, manifest, []
    backups = known_backups(home) if path is None else find_backups(path, home)
    while True:
        chosen, unsound = newest_sound(backups, history_meant(home, backups), path or home.backups_folder)
        backup, manifest = _proven(home, chosen.path, on_progress)
        if backup.is_sound:
            return backup, manifest, unsound
        backups = [backup if one.path == backup.path else one for one in backups]


def _proven(home: Home, path: Path, on_progress: OnProgress | None) -> tuple[Backup, Manifest]:
    manifest, done = read_manifest(path), 0
    if manifest.state is None:
        raise NoBackup(path, "it holds no conversations that could be read when it was made")

    def show(count: int) -> None:
        nonlocal done
        done += count
        if on_progress:
            on_progress(done, 2 * manifest.bytes)

    proof = prove(path, manifest, home=home, on_bytes=show)
    return described(path, manifest, proof.problems), manifest


def _with_texts(plan: Restoration, home: Home, manifest: Manifest) -> Restoration:
    """The plan with the text files that are not as in the backup."""
    ours = set(belongings(home, secrets=manifest.secrets).texts)
    theirs = {file.path: file for file in manifest.files if is_text(file.path)}
    changed = [
        name
        for name in sorted(ours & set(theirs))
        if digest_of_file(home.path / name).sha256 != theirs[name].sha256
    ]
    return msgspec.structs.replace(
        plan,
        texts_back=tuple(sorted(set(theirs) - ours)),
        texts_changed=tuple(changed),
        texts_gone=tuple(sorted(ours - set(theirs))),
    )
