"""The backups that there are: found, told sound from damaged, remembered where they lie outside the home.

A folder whose name ends in `.partial` is no backup yet, or no longer.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from archivist.app.manifests import (
    MANIFEST,
    Manifest,
    NoBackup,
    digest_of,
    look_quickly,
    prove,
    read_manifest,
)
from archivist.config import Home
from archivist.config.home import STATE
from archivist.files import write_atomically
from archivist.records import ArchivistError, Notice
from archivist.store.beginning import begun_anew
from archivist.store.identity import first_id_of as first_id_in
from archivist.store.identity import opened_copy

MOST_NAMES = 20
PREFIX, PARTIAL = "archivist-", ".partial"
OnProgress = Callable[[float, float], None]
"""Takes bytes done and bytes in all; what is read back counts a second time."""
LONG_AGO = datetime.fromtimestamp(0, UTC)


class Backup(msgspec.Struct, frozen=True):
    """One backup, or what is left of one.

    Attributes:
        path: Its folder.
        made_at: When; None where its manifest cannot be read.
        counts: Conversations, sessions, messages, blobs.
        bytes: Of all its files.
        program: The version that made it.
        store_id: The id of its database.
        lineage: Which home's history it is: the first store id that it had.
        secrets: Whether files with credentials are in it.
        left_out: What is not in it, each with the reason.
        notices: What a person should know of what is in it.
        digest: The SHA-256 of its manifest, which names those of all its files.
        problems: What is wrong with it; empty means that it is sound as far as it was looked at.
        removed: Older backups that were removed when this one was made.
    """

    path: Path
    made_at: datetime | None
    counts: dict[str, int]
    bytes: int = 0
    program: str = ""
    store_id: str = ""
    lineage: str | None = None
    secrets: bool = False
    left_out: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    digest: str = ""
    problems: tuple[str, ...] = ()
    removed: tuple[Path, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong with it, as far as it was looked at."""
        return not self.problems


class SeveralHomes(ArchivistError):
    """A folder has backups of several homes, and nothing says which of them is meant.

    Attributes:
        path: The folder.
        newest: The newest sound backup of each home, the newest of all first.
    """

    def __init__(self, path: Path, newest: Sequence[Backup]) -> None:
        self.path, self.newest = path, tuple(newest)
        shown = "; ".join(f"{one.path} of {_day(one)} (home {one.lineage})" for one in newest[:MOST_NAMES])
        more = f"; and {len(newest) - MOST_NAMES:,} more" if len(newest) > MOST_NAMES else ""
        super().__init__(
            f"{path} has backups of {len(newest):,} homes, and which is meant cannot be told: name one with"
            f" `archivist restore PATH`; the newest of each: {shown}{more}"
        )


class Remembered(msgspec.Struct, frozen=True):
    """A backup outside the home: a line of `backups.jsonl`."""

    path: str
    made_at: datetime
    store_id: str
    counts: dict[str, int]


def described(path: Path, manifest: Manifest, problems: Iterable[str] = ()) -> Backup:
    """A backup by its manifest."""
    return Backup(
        path=path,
        made_at=manifest.made_at,
        counts=manifest.counts,
        bytes=manifest.bytes,
        program=manifest.program,
        store_id=manifest.state.store_id if manifest.state else "",
        lineage=manifest.lineage,
        secrets=manifest.secrets,
        left_out=manifest.left_out,
        notices=_notices(manifest),
        digest=digest_of(manifest),
        problems=tuple(problems),
    )


def _notices(manifest: Manifest) -> tuple[Notice, ...]:
    if not manifest.damaged:
        return ()
    shown = ", ".join(manifest.damaged[:MOST_NAMES])
    more = f" and {len(manifest.damaged) - MOST_NAMES:,} more" if len(manifest.damaged) > MOST_NAMES else ""
    text = f"what is damaged and known is in it as it is: {shown}{more}"
    return (Notice("damaged-kept", text),)


def look_at(path: Path, home: Home, *, check: bool = False) -> Backup:
    """One backup, looked at quickly or, with `check`, read whole; what is wrong stands in its problems."""
    try:
        manifest = read_manifest(path)
        proof = prove(path, manifest, home=home) if check else look_quickly(path, manifest)
    except (ArchivistError, OSError) as error:
        return Backup(path, None, {}, problems=(str(error),))
    return described(path, manifest, proof.problems)


def find_backups(folder: Path, home: Home, *, check: bool = False) -> list[Backup]:
    """The backups in a folder, newest first; damaged ones too, as such."""
    return sorted((look_at(path, home, check=check) for path in folders_of(folder)), key=age, reverse=True)


def known_backups(home: Home, *, check: bool = False) -> list[Backup]:
    """All backups of a home that are there now, newest first: in its own folder and wherever else they were made."""
    places = {path.absolute() for path in folders_of(home.backups_folder)}
    places |= {Path(one.path) for one in remembered(home) if Path(one.path).is_dir()}
    return sorted((look_at(path, home, check=check) for path in places), key=age, reverse=True)


def age(backup: Backup) -> tuple[datetime, str]:
    """Sorts backups by when they were made."""
    return backup.made_at or LONG_AGO, backup.path.name


def folders_of(folder: Path) -> list[Path]:
    """The folders in a folder that are, or should be, backups."""
    try:
        return [path for path in folder.iterdir() if _looks_like_one(path)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _looks_like_one(path: Path) -> bool:
    if path.name.endswith(PARTIAL) or path.is_symlink() or not path.is_dir():
        return False
    return path.name.startswith(PREFIX) or (path / MANIFEST).is_file()


def sound_backups(home: Home) -> Iterator[Path]:
    """The copies of `state.db` in this home's backups, newest first, each looked at quickly.

    Where the home's own database can still say which history it holds, backups of other histories are passed over.
    """
    first_id = first_id_of(home)
    for backup in known_backups(home):
        if backup.is_sound and backup.lineage is not None and first_id in (None, backup.lineage):
            yield backup.path / STATE


def first_id_of(home: Home) -> str | None:
    """Which history a home holds; None where its database cannot say."""
    return first_id_in(home.state_file)


def history_meant(home: Home, listed: Iterable[Backup] = ()) -> str | None:
    """Which history a restore goes back to: the home's own; where its database is gone or was begun anew, that of its backups before.

    Args:
        home: The home.
        listed: Backups that may have been made here, though they lie elsewhere now.
    """
    own = first_id_of(home)
    if own is not None and not _was_begun_anew(home):
        return own
    made_here = {one.store_id for one in remembered(home)}
    known = [*known_backups(home), *(backup for backup in listed if backup.store_id in made_here)]
    return next(
        (backup.lineage for backup in known if backup.is_sound and backup.lineage not in (None, own)), own
    )


def _was_begun_anew(home: Home) -> bool:
    with suppress(ArchivistError, OSError), opened_copy(home.state_file) as db:
        return bool(begun_anew(db))
    return False


def newest_sound(
    backups: Iterable[Backup], first_id: str | None, folder: Path
) -> tuple[Backup, list[Backup]]:
    """The backup to go back to, and the damaged ones that were passed over.

    Args:
        backups: Newest first.
        first_id: That of the history that is meant; one of another is taken only where there is none of this, and all are of one.
        folder: Where they were looked for, for the message.

    Raises:
        NoBackup: None is sound.
        SeveralHomes: None is of the history that is meant, and they are of several.
    """
    listed = list(backups)
    damaged = [backup for backup in listed if not backup.is_sound]
    sound = [backup for backup in listed if backup.is_sound]
    own = [backup for backup in sound if backup.lineage == first_id]
    if not sound:
        reason = f"{damaged[0].path.name}: {damaged[0].problems[0]}" if damaged else "there is none in it"
        raise NoBackup(folder, reason)
    homes = {backup.lineage: backup for backup in reversed(sound) if backup.lineage is not None}
    if not own and len(homes) > 1:
        raise SeveralHomes(folder, sorted(homes.values(), key=age, reverse=True))
    return (own or sound)[0], damaged


def _day(backup: Backup) -> str:
    return f"{backup.made_at:%Y-%m-%d %H:%M} UTC" if backup.made_at else "an unknown day"


# ---- what lies outside the home ----


def remembered(home: Home) -> list[Remembered]:
    """What `backups.jsonl` says, oldest first; a line that cannot be read is passed over."""
    try:
        lines = home.known_backups_file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        with suppress(ValueError, TypeError, RecursionError):
            found.append(msgspec.convert(json.loads(line), Remembered))
    return found


def remember(home: Home, made: Remembered, forgotten: Iterable[Path] = ()) -> None:
    """Add a backup outside the home, and forget those that were removed.

    Raises:
        FileNotWritten: The file is as it was.
    """
    gone = {str(path) for path in forgotten} | {made.path}
    lines = [_line(one) for one in remembered(home) if one.path not in gone] + [_line(made)]
    write_atomically(home.known_backups_file, "".join(lines).encode())


def _line(one: Remembered) -> str:
    values: Any = msgspec.to_builtins(one)
    return f"{json.dumps(values)}\n"
