"""Putting a backup in the place of the present state, so that a kill at any instant leaves one of the two.

Everything that will be put in place lies ready in `aside/incoming/`, on the home's own disk. Then, with the write lock held, the present
state is copied to `aside/restored-…/`, what is about to happen is written to `aside/restoring.json`, and the content of `state.db` is
exchanged. That commit decides: a restore that was killed before it is taken back, one that was killed after it is finished, by whoever
opens the home next. All that comes after it can be done again: each text file is moved into its place, what it displaces being in the
set-aside state already, or put there.
"""

import json
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from archivist import __version__
from archivist.app.alone import alone, nobody_decides, notes_still
from archivist.app.backups import PARTIAL
from archivist.app.belongings import belongings, is_text
from archivist.app.incoming import INCOMING, TEXTS, prepare
from archivist.app.manifests import MANIFEST, Kept, Manifest, write_manifest
from archivist.app.obstacles import check_places, clear_way
from archivist.app.snapshots import CopiedState, copy_files, copy_state, state_of
from archivist.config import Home
from archivist.config.home import ERASED, SPOOL, STATE
from archivist.files import (
    FileNotCopied,
    copy_file,
    digest_of_file,
    files_below,
    free_name,
    make_folder,
    move_durably,
    remove_durably,
    write_atomically,
)
from archivist.records import ArchivistError, Patience
from archivist.store import Surroundings
from archivist.store.connection import Connection
from archivist.store.erased import Erased
from archivist.store.exchanging import can_exchange_content, exchange_content
from archivist.store.identity import identify, opened_copy
from archivist.store.replacing import exchange, is_being_replaced, replace_file, replacing, writers_held
from archivist.store.sessions import find_session
from archivist.store.spool import Spool
from archivist.store.trouble import naming_trouble

NOT_PLACED = "not-placed"
"""The folder, in the state that was set aside, of text files that could not be put in place."""


class RestoreUnfinished(ArchivistError):
    """A restore was killed, and what it was about to do can be neither finished nor taken back."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(
            f"{path} cannot be followed ({reason}): a restore was killed; the state that it set aside is beside that file:"
            " copy it elsewhere, move the file away, then restore again"
        )


class Intent(msgspec.Struct, frozen=True):
    """What a restore is about to do: `aside/restoring.json`.

    Attributes:
        aside: The folder below `aside/` with the state that goes.
        store_id: The id that `state.db` has once it is exchanged.
        files_move: Whether the files of the database are moved, because its content cannot be exchanged.
        secrets: Whether files with credentials are exchanged too.
        texts: The text files that there are afterwards.
        made_at: When it was begun.
    """

    aside: str
    store_id: str
    files_move: bool
    secrets: bool
    texts: tuple[str, ...]
    made_at: datetime


class Swapped(msgspec.Struct, frozen=True):
    """What a restore did: where the present state is now, what of the spool was set aside, what stays deleted.

    `set_aside` is None where nothing was there.
    `texts_not_placed` are text files of the backup that the system did not let into their places, where they are kept, and those that it
    did not let go.
    """

    set_aside: Path | None
    payloads_set_aside: tuple[Path, ...]
    texts_not_placed: tuple[Path, ...] = ()
    erased_again: int = 0


def swap_in(
    home: Home, backup: Path, manifest: Manifest, *, world: Surroundings, patience: Patience
) -> Swapped:
    """Put a proven backup in the place of a home's present state; only while `alone`.

    Raises:
        PlaceTaken: Something stands where a file of the backup belongs; the present state is as it was.
        ArchivistError, OSError: The present state is as it was.
    """
    check_places(home, (file.path for file in manifest.files if is_text(file.path)))
    with nobody_decides(home), notes_still(home), replacing(home.state_file):
        return _swap_in(home, backup, manifest, world, patience)


def _swap_in(
    home: Home, backup: Path, manifest: Manifest, world: Surroundings, patience: Patience
) -> Swapped:
    name = free_name(home.aside_folder / f"restored-{world.now().astimezone(UTC):%Y%m%d-%H%M%S}")
    intent = Intent(
        aside=name.name,
        store_id=world.new_id(),
        files_move=not can_exchange_content(home.state_file),
        secrets=manifest.secrets,
        texts=tuple(file.path for file in manifest.files if is_text(file.path)),
        made_at=world.now().astimezone(UTC),
    )
    try:
        _clear(home)
        # of a restore that was killed before it changed anything
        for leftover in home.aside_folder.glob(f"*{PARTIAL}"):
            shutil.rmtree(leftover)
        make_folder(_partial(home, intent))
        erased_again = prepare(home, backup, manifest, store_id=intent.store_id, now=intent.made_at)
        _exchange(home, intent, world, patience)
    except BaseException:
        if not _settle(home):
            _clear(home)
            shutil.rmtree(_partial(home, intent), ignore_errors=True)
        raise
    return msgspec.structs.replace(_finish(home, intent), erased_again=erased_again)


def settle(home: Home) -> bool:
    """Finish a restore that was killed after its commit, or take back one that was killed before; only while `alone`.

    Returns:
        Whether there was one.

    Raises:
        RestoreUnfinished: It can be neither finished nor taken back.
    """
    if not home.unfinished_restore_file.exists():
        return False
    with nobody_decides(home), notes_still(home), replacing(home.state_file):
        return _settle(home)


def _settle(home: Home) -> bool:
    intent = _read_intent(home)
    if intent is None:
        return False
    if is_being_replaced(home.state_file):  # by this very process, which failed on the way
        exchange(home.state_file)
    found = _store_id_of(home)
    if found == intent.store_id:
        _finish(home, intent)
    elif (_partial(home, intent) / STATE).exists() or (found is None and not intent.files_move):
        raise RestoreUnfinished(home.unfinished_restore_file, "its state.db cannot be read any more")
    else:
        remove_durably(home.unfinished_restore_file)
        for folder in (home.aside_folder / intent.aside, _partial(home, intent)):
            shutil.rmtree(folder, ignore_errors=True)  # a copy of what is there
        _clear(home)
    return True


def finish_restore(home: Home) -> None:
    """What an opening does where a restore was killed; one stat where none was.

    Raises:
        RestoreUnfinished, FileLocked, FileNotWritten: It could not be settled.
    """
    if home.unfinished_restore_file.exists():
        with alone(home):
            settle(home)


# ---- the exchange ----


def _exchange(home: Home, intent: Intent, world: Surroundings, patience: Patience) -> None:
    partial, content = _partial(home, intent), _incoming(home) / STATE
    if intent.files_move:
        with naming_trouble(home.state_file), writers_held(home.state_file, patience.seconds):
            _copy_texts_aside(home, intent)
            _declare(home, intent)
            replace_file(home.state_file, content, partial)
        return

    def set_aside(db: Connection) -> None:
        state = copy_state(db, partial, _unseen)
        _name_aside(home, intent, state, [state.kept, *_copy_texts_aside(home, intent)])
        _declare(home, intent)

    exchange_content(home.state_file, content, set_aside=set_aside, world=world, patience=patience)


def _copy_texts_aside(home: Home, intent: Intent) -> list[Kept]:
    names = [*belongings(home, secrets=intent.secrets).texts, ERASED]
    return list(copy_files(home, _partial(home, intent), names, _unseen))


def _name_aside(home: Home, intent: Intent, state: CopiedState | None, kept: list[Kept]) -> None:
    """Make the set-aside state a backup by its manifest, and give it its name."""
    manifest = Manifest(
        made_at=intent.made_at,
        program=__version__,
        state=state.identity if state else None,
        counts=state.counts if state else {},
        files=tuple(kept),
        secrets=intent.secrets,
        media_in_home=True,
        left_out=("media: blobs stay where they are", "spool: payloads stay where they are"),
    )
    write_manifest(_partial(home, intent), manifest)
    move_durably(_partial(home, intent), home.aside_folder / intent.aside)


def _declare(home: Home, intent: Intent) -> None:
    content = json.dumps(msgspec.to_builtins(intent))  # which can also write names that are no text
    write_atomically(home.unfinished_restore_file, content.encode())


def _read_intent(home: Home) -> Intent | None:
    try:
        return msgspec.convert(json.loads(home.unfinished_restore_file.read_bytes()), Intent)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise RestoreUnfinished(home.unfinished_restore_file, " ".join(str(error).split())) from error


# ---- after the commit: all of it can be done again ----


def _finish(home: Home, intent: Intent) -> Swapped:
    if _store_id_of(home) != intent.store_id:
        raise RestoreUnfinished(
            home.unfinished_restore_file, "another state.db than the restored one is in place"
        )
    aside = home.aside_folder / intent.aside
    if _partial(home, intent).is_dir():
        _name_moved_files(home, intent)
    not_placed = _place_texts(home, intent, aside)
    Erased(home.erased_file).join(Erased(_incoming(home) / ERASED))
    payloads = _sort_payloads(home, aside)
    _clear(home)
    remove_durably(home.unfinished_restore_file)
    return Swapped(None if _drop_if_empty(aside) else aside, payloads, not_placed)


def _drop_if_empty(aside: Path) -> bool:
    """Remove the folder of a state that was none: it holds nothing but its manifest."""
    if [file.name for file in aside.iterdir()] != [MANIFEST]:
        return False
    shutil.rmtree(aside)
    return True


def _name_moved_files(home: Home, intent: Intent) -> None:
    """The database was moved, not copied, and only now is nobody at work on it."""
    partial, state = _partial(home, intent), None
    with suppress(ArchivistError):
        state = state_of(partial)
    kept = [Kept(name, *digest_of_file(partial / name)) for name in _names_below(partial)]
    _name_aside(home, intent, state, kept)


def _place_texts(home: Home, intent: Intent, aside: Path) -> tuple[Path, ...]:
    """Exchange the text files; the restore is done already, so one that cannot be exchanged is named and stops nothing."""
    texts, left = _incoming(home) / TEXTS, []
    for name in _names_below(texts):
        try:
            clear_way(home, name, aside)
            _make_room(home.path / name, aside / name)
            make_folder((home.path / name).parent)
            move_durably(texts / name, home.path / name)
        except (OSError, FileNotCopied):
            left.append(free_name(aside / NOT_PLACED / name))
            make_folder(left[-1].parent)
            move_durably(texts / name, left[-1])
    for name in belongings(home, secrets=intent.secrets).texts:
        if name in intent.texts:
            continue
        try:
            _make_room(home.path / name, aside / name)
            remove_durably(home.path / name)
        except (OSError, FileNotCopied):
            left.append(home.path / name)
    return tuple(left)


def _make_room(path: Path, aside: Path) -> None:
    """Keep what stands at a path unless it is set aside already: it may be a folder or a link, or have been edited since."""
    if path.is_symlink() or path.is_dir():
        make_folder(aside.parent)
        move_durably(path, free_name(aside))
    elif path.is_file() and not (aside.is_file() and digest_of_file(aside) == digest_of_file(path)):
        copy_file(path, free_name(aside))


def _sort_payloads(home: Home, aside: Path) -> tuple[Path, ...]:
    """The backup's payloads join the home's; those of sessions that are not there are set aside."""
    for name in _names_below(_incoming(home) / SPOOL):
        if not (home.spool_folder / name).exists():
            make_folder(home.spool_folder)
            move_durably(_incoming(home) / SPOOL / name, home.spool_folder / name)
    spool, moved = Spool(home.spool_folder, nanoseconds=lambda: 0), []
    with opened_copy(home.state_file) as db:
        strangers = [
            payload.path for payload in spool.waiting() if find_session(db, payload.session_id) is None
        ]
    for path in strangers:
        make_folder(aside / SPOOL)
        moved.append(free_name(aside / SPOOL / path.name))
        move_durably(path, moved[-1])
    return tuple(moved)


# ---- places ----


def _incoming(home: Home) -> Path:
    return home.aside_folder / INCOMING


def _partial(home: Home, intent: Intent) -> Path:
    return home.aside_folder / f"{intent.aside}{PARTIAL}"


def _clear(home: Home) -> None:
    shutil.rmtree(_incoming(home), ignore_errors=True)


def _store_id_of(home: Home) -> str | None:
    try:
        return identify(home.state_file).store_id
    except ArchivistError:
        return None


def _names_below(folder: Path) -> list[str]:
    return [entry.name for entry in files_below(folder)]


def _unseen(_bytes: int) -> None:
    """Nobody is shown how far this is: others wait for it."""
