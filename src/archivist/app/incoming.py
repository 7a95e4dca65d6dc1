"""Making ready what a restore puts in place: on the home's own disk, migrated, without what was deleted since.

Nothing that is there now is touched, but for blobs, which are only added.
"""

from datetime import datetime
from pathlib import Path

from archivist import __version__
from archivist.app.belongings import is_payload, is_text
from archivist.app.manifests import Kept, Manifest, NoBackup
from archivist.config import Home
from archivist.config.home import ERASED, MEDIA, STATE
from archivist.files import copy_file, digest_of_file, make_folder, move_durably
from archivist.store.blobs import Blobs
from archivist.store.deleting import all_blobs
from archivist.store.erased import Erased
from archivist.store.exchanging import prepare_copy
from archivist.store.identity import opened_copy
from archivist.store.numbering import last_numbers
from archivist.store.schema import MIGRATIONS
from archivist.store.soundness import problems_of_copy

INCOMING, TEXTS = "incoming", "texts"


def prepare(home: Home, backup: Path, manifest: Manifest, *, store_id: str, now: datetime) -> int:
    """Copy a backup to `aside/incoming/` and make it ready.

    Args:
        home: Where it will be put in place.
        backup: Proven; it is only read.
        manifest: The backup's.
        store_id: The id that its database gets.
        now: The time of day.

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
    Erased(incoming / ERASED).join(Erased(home.erased_file))
    gone = prepare_copy(
        incoming / STATE,
        program=__version__,
        store_id=store_id,
        erased=incoming / ERASED,
        given=last_numbers(home.state_file),
        now=now,
    )
    _add_blobs(home, backup, incoming)
    if manifest.state is not None and manifest.state.schema < len(MIGRATIONS):
        lost = None if manifest.media_in_home else manifest.lost_blobs
        problems = problems_of_copy(incoming / STATE, home.media_folder, lost=lost)
        if problems:
            raise NoBackup(backup, problems[0])
    return gone


def _place(name: str) -> str | None:
    """Where a file of the backup waits; None for blobs, which go into place at once."""
    if name in (STATE, ERASED) or is_payload(name):
        return name
    return f"{TEXTS}/{name}" if is_text(name) else None


def _copy(backup: Path, kept: Kept, target: Path) -> None:
    if copy_file(backup / kept.path, target).sha256 != kept.sha256:
        raise NoBackup(backup, f"{kept.path} was changed while it was copied")


def _add_blobs(home: Home, backup: Path, incoming: Path) -> None:
    """The blobs that the rows name and the home lacks, or has damaged."""
    with opened_copy(incoming / STATE) as db:
        names = all_blobs(db)
    ours, theirs = Blobs(home.media_folder), Blobs(backup / MEDIA)
    for name in sorted(names):
        there, source = ours.find(name), theirs.find(name)
        if source is None or (there is not None and digest_of_file(there).sha256 == name):
            continue
        target = there or home.media_folder / name[:2] / source.name
        make_folder(target.parent)
        waiting = target.with_name(f".{target.name}.tmp")
        waiting.unlink(missing_ok=True)
        copy_file(source, waiting)
        move_durably(waiting, target)
