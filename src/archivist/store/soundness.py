"""What is wrong with a copy of `state.db`."""

from collections.abc import Callable, Collection
from pathlib import Path

from archivist.store.blobs import Blobs
from archivist.store.identity import opened_copy
from archivist.store.migrating import check_version, schema_version
from archivist.store.schema import MIGRATIONS
from archivist.store.trouble import StoreDamaged, one_line
from archivist.store.verifying import MOST_PROBLEMS, Verification, verify


def problems_of_copy(
    path: Path,
    media: Path,
    *,
    lost: Collection[str] | None = (),
    on_progress: Callable[[int], None] | None = None,
) -> list[str]:
    """Everything that is wrong with a copy: its structure, its rows' hashes, its references, the blobs that it names.

    An older schema is only checked for its structure; its rows are proven once it is migrated.

    Args:
        path: The copy.
        media: The folder of its blobs.
        lost: Names of blobs that are known to be lost, which is then no problem; None for any.
        on_progress: Called with the number of messages checked so far, every thousand.

    Raises:
        SchemaTooNew: A later program wrote it.
        StoreNotOpened, NotOurs, DiskFailed: It cannot be looked at.
    """
    try:
        with opened_copy(path) as db:
            check_version(db, path)
            if schema_version(db) == len(MIGRATIONS):
                return _problems(verify(db, Blobs(media), on_progress=on_progress), lost)
            found = [str(row[0]) for row in db.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})")]
            return [] if found == ["ok"] else list(map(one_line, found))
    except StoreDamaged as error:
        return [error.reason]


def _problems(found: Verification, lost: Collection[str] | None) -> list[str]:
    known = {
        problem for problem in found.blobs_damaged if lost is None or any(name in problem for name in lost)
    }
    return [problem for problem in found.problems if problem not in known]
