"""What a backup says about itself, and whether it is true.

A backup is a folder with a `manifest.json` that names every file with its size and SHA-256, and is itself hashed. What has none, or one
that does not agree with what is there, is not offered for anything.
"""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any

import msgspec

from archivist.config import Home
from archivist.config.home import MEDIA, STATE
from archivist.files import digest_of_file, write_atomically
from archivist.records import ArchivistError
from archivist.records.counts import counted
from archivist.store.identity import Identity, identify
from archivist.store.soundness import problems_of_copy

MANIFEST = "manifest.json"
FORMAT = 1
MOST_PROBLEMS = 20

OnBytes = Callable[[int], None]
"""Takes how many bytes more are done."""


class NoBackup(ArchivistError):
    """There is no backup at a path, or none that is sound."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(
            f"{path} is no backup that can be used ({reason}): see what there is with `archivist backup --list`"
        )


class Kept(msgspec.Struct, frozen=True):
    """A file of a backup: its place in the home, its bytes."""

    path: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says about itself.

    Attributes:
        made_at: When.
        program: The version that made it.
        state: Which history it holds; None of one that could not be read, as a restore may set it aside.
        counts: Conversations, sessions, messages, blobs.
        secrets: Whether files with credentials are in it.
        media_in_home: Whether blobs stayed in the home's own media/, as with a state that a restore has set aside.
        left_out: What is not in it, each with the reason.
        damaged: Messages and sessions that are damaged, as a salvage kept and wrote them down; nothing else in it may be.
        lost_blobs: Names of blobs that its messages name and that were lost, or damaged, before it was made.
        files: Everything in it.
    """

    made_at: datetime
    program: str
    state: Identity | None
    counts: dict[str, int]
    files: tuple[Kept, ...]
    secrets: bool = False
    media_in_home: bool = False
    left_out: tuple[str, ...] = ()
    lost_blobs: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    format: int = FORMAT

    @property
    def bytes(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self.files)

    @property
    def lineage(self) -> str | None:
        """Which home's history it is."""
        return self.state.first_id if self.state else None


class Proof(msgspec.Struct, frozen=True):
    """What is wrong with a backup; nothing where it is sound.

    Attributes:
        files: Files that are missing or are not what was copied.
        content: What was copied whole and is wrong in itself: in its database, its rows, the blobs that they name.
    """

    files: tuple[str, ...] = ()
    content: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """All of it, a few dozen at most."""
        return (*self.files, *self.content)[:MOST_PROBLEMS]


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Put the manifest into a backup's folder, synced.

    Raises:
        FileNotWritten: It could not be.
    """
    values = msgspec.to_builtins(manifest)
    write_atomically(folder / MANIFEST, json.dumps({**values, "digest": _digest(values)}, indent=1).encode())


def digest_of(manifest: Manifest) -> str:
    """The SHA-256 by which a manifest proves itself, and every file that it names."""
    return _digest(msgspec.to_builtins(manifest))


def read_manifest(folder: Path) -> Manifest:
    """What a backup says about itself.

    Raises:
        NoBackup: It has no manifest, or one that is damaged or of a later version.
    """
    try:
        values: Any = json.loads((folder / MANIFEST).read_bytes())
        digest = values.pop("digest")
        if values.get("format", 0) > FORMAT:
            raise NoBackup(folder, f"a later version of Archivist made it ({values.get('program')})")
        if digest != _digest(values):
            raise NoBackup(folder, "its manifest is not as it was written")
        manifest = msgspec.convert(values, Manifest)
    except FileNotFoundError as error:
        raise NoBackup(folder, "it has no manifest.json") from error
    except OSError as error:
        raise NoBackup(folder, f"its manifest cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise NoBackup(folder, "its manifest is damaged") from error
    for kept in manifest.files:
        if not _is_inside(kept.path):
            raise NoBackup(folder, f"its manifest names a file outside of it: {kept.path[:100]!r}")
    return manifest


def look_quickly(folder: Path, manifest: Manifest) -> Proof:
    """What a look at every file's size finds wrong, and whether the database opens as the one that it should be."""
    wrong = tuple(problem for kept in manifest.files for problem in _wrong_size(folder, kept))
    if wrong or manifest.state is None:
        return Proof(wrong)
    try:
        if identify(folder / STATE) != manifest.state:
            return Proof(content=(f"{STATE} is another one than the manifest says",))
    except ArchivistError as error:
        return Proof(content=(str(error),))
    return Proof()


def prove(
    folder: Path, manifest: Manifest, *, home: Home | None = None, on_bytes: OnBytes = lambda _count: None
) -> Proof:
    """Everything that is wrong with a backup: each file read and hashed, each row of the database proven.

    Args:
        folder: The backup.
        manifest: What it says.
        home: Whose media/ holds the blobs, where the manifest says that they stayed there.
        on_bytes: Called on the way; in all with twice the bytes of the backup.

    Raises:
        SchemaTooNew: A later program wrote its database.
    """
    quick = look_quickly(folder, manifest)
    if quick.problems:
        return quick
    wrong = tuple(_wrong_bytes(folder, manifest, on_bytes))
    if wrong or manifest.state is None:
        return Proof(wrong)
    media = home.media_folder if home and manifest.media_in_home else folder / MEDIA
    messages, size, told = max(1, manifest.counts.get("messages", 1)), manifest.bytes, 0

    def show(done: int) -> None:
        nonlocal told
        on_bytes(size * min(done, messages) // messages - told)
        told = size * min(done, messages) // messages

    lost = None if manifest.media_in_home else manifest.lost_blobs  # a restore leaves those as they are
    found = problems_of_copy(folder / STATE, media, lost=lost, on_progress=show)
    show(messages)
    return Proof(content=tuple(found))


def _wrong_size(folder: Path, kept: Kept) -> Iterator[str]:
    try:
        found = (folder / kept.path).stat().st_size
    except OSError:
        yield f"{kept.path} is missing"
        return
    if found != kept.size:
        yield f"{kept.path} has {counted(found, 'byte')} instead of {kept.size:,}"


def _wrong_bytes(folder: Path, manifest: Manifest, on_bytes: OnBytes) -> Iterator[str]:
    for kept in manifest.files:
        try:
            found = digest_of_file(folder / kept.path)
        except OSError as error:
            yield f"{kept.path} cannot be read: {error.strerror}"
            continue
        on_bytes(found.size)
        if found.sha256 != kept.sha256:
            yield f"{kept.path} is not what was copied"


def _is_inside(path: str) -> bool:
    """Whether a place is below the folder that it is counted from."""
    return bool(path) and not PurePath(path).is_absolute() and ".." not in PurePath(path).parts


def _digest(values: dict[str, Any]) -> str:
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL: 4 ms that most runs do not need

    return sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
