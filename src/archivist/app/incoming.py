"""Making ready what a restore puts in place: on the home's own disk, migrated, without what was deleted since.

Nothing that is there now is touched, but for blobs, which are only added.
"""

from pathlib import Path

from archivist import __version__
from archivist.app.belongings import is_payload, is_text
from archivist.app.manifests import STATE, Kept, Manifest, NoBackup
from archivist.config import Home
from archivist.files import copy_file, digest_of_file, make_folder, sync_folder, write_atomically
from archivist.store.blobs import Blobs
from archivist.store.copying import blobs_named_in, opened_copy, problems_of_copy
from archivist.store.exchanging import prepare_copy
from archivist.store.schema import MIGRATIONS

INCOMING, TEXTS, ERASED = "incoming", "texts", "erased.jsonl"


def prepare(home: Home, backup: Path, manifest: Manifest, *, store_id: str) -> int:
    """Copy a backup to `aside/incoming/` and make it ready.

    Args:
        home: Where it will be put in place.
        backup: Proven; it is only read.
        manifest: The backup's.
        store_id: The id that its database gets.

    Returns:
        How many sessions were deleted from it, because they had been deleted since it was made.

    Raises:
        NoBackup: It is not what it was when it was proven.
        SchemaTooNew, FileNotCopied, FileNotWritten, DiskFull, DiskFailed: See there.
    """
    incoming = home.aside_folder / INCOMING
    for kept in manifest.files:
        if (target := _place(kept.path)) is not None:
            _copy(backup, kept, incoming / target)
    erased = _all_erased(home, incoming)
    gone = prepare_copy(incoming / STATE, program=__version__, store_id=store_id, erased=erased)
    _add_blobs(home, backup, incoming)
    if manifest.state is not None and manifest.state.schema < len(MIGRATIONS):
        problems = problems_of_copy(incoming / STATE, home.media_folder)
        if problems:
            raise NoBackup(backup, problems[0])
    return gone


def files_below(folder: Path) -> list[str]:
    """The files in a folder and in those below it, by their places in it."""
    if not folder.is_dir():
        return []
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def free_name(folder: Path, name: str) -> Path:
    """A path in a folder that nothing has."""
    path, number = folder / name, 1
    while path.exists() or path.is_symlink():
        number += 1
        path = folder / f"{name}-{number}"
    return path


def _place(name: str) -> str | None:
    """Where a file of the backup waits; None for blobs, which go into place at once."""
    if name in (STATE, ERASED) or is_payload(name):
        return name
    return f"{TEXTS}/{name}" if is_text(name) else None


def _copy(backup: Path, kept: Kept, target: Path) -> None:
    if copy_file(backup / kept.path, target).sha256 != kept.sha256:
        raise NoBackup(backup, f"{kept.path} was changed while it was copied")


def _all_erased(home: Home, incoming: Path) -> Path:
    """What was deleted by the home's account and by the backup's, in one file."""
    path, lines = incoming / ERASED, []
    for source in (home.erased_file, path):
        if source.is_file():
            lines += [line for line in source.read_bytes().split(b"\n") if line]
    if lines:
        write_atomically(path, b"".join(b"%s\n" % line for line in dict.fromkeys(lines)))
    return path


def _add_blobs(home: Home, backup: Path, incoming: Path) -> None:
    """The blobs that the rows name and the home lacks, or has damaged."""
    with opened_copy(incoming / STATE) as db:
        names = blobs_named_in(db)
    ours, theirs = Blobs(home.media_folder), Blobs(backup / "media")
    for name in sorted(names):
        there, source = ours.find(name), theirs.find(name)
        if source is None or (there is not None and digest_of_file(there).sha256 == name):
            continue
        target = there or home.media_folder / name[:2] / source.name
        make_folder(target.parent)
        waiting = target.with_name(f".{target.name}.tmp")
        waiting.unlink(missing_ok=True)
        copy_file(source, waiting)
        waiting.replace(target)
        sync_folder(target.parent)
