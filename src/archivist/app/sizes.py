"""What the bytes of a home are spent on, for `doctor`."""

from collections.abc import Iterable
from typing import Final

import msgspec

from archivist.app.findings import Finding
from archivist.config import Home
from archivist.config.home import ASIDE
from archivist.files import files_below
from archivist.store import DiskFailed, StateStore, StoreDamaged
from archivist.store.deleting import read_pending
from archivist.store.sizes import read_sizes
from archivist.store.space import can_give_back

WORTH_GIVING_BACK: Final = 0.2
"""The share of free pages in the file from which on `doctor` says what to do about them."""
SMALLEST_WORTH: Final = 16 << 20


class Sizes(msgspec.Struct, frozen=True):
    """Bytes by kind. The first six are `state.db` itself.

    Attributes:
        text: What was said.
        tools: What tools were called with and returned.
        reasoning: What models thought.
        other: Everything else in rows: parts, metadata, ids, prompts, titles.
        structure: Indexes of `state.db`, page heads, the room that is left in pages.
        free: Pages of `state.db` that hold nothing.
        log: Its write-ahead log, but for the pages in it that are not yet in the file.
        index: `index.db` and its log.
        media: Blobs.
        media_files: How many there are.
        spool: What waits to be taken in.
        backups: What stands in `backups/`.
        set_aside: Files that were moved out of the way.
        notes: Their text files and journal.
        history: Earlier versions of text files.
        rest: Everything else in the home.
        total: All files of the home.
    """

    text: int
    tools: int
    reasoning: int
    other: int
    structure: int
    free: int
    log: int
    index: int
    media: int
    media_files: int
    spool: int
    backups: int
    set_aside: int
    notes: int
    history: int
    rest: int
    total: int


_LABELS: Final = {
    "text": "message text", "tools": "tool output", "reasoning": "reasoning", "other": "other columns",
    "structure": "indexes and structure", "free": "free pages", "log": "log", "index": "index.db", "media": "media",
    "spool": "spool", "backups": "backups", "set_aside": "set-aside files", "notes": "notes",
    "history": "earlier versions of notes", "rest": "other files",
}  # fmt: skip


def look_at_room(home: Home, store: StateStore) -> list[Finding]:
    """What the home's bytes are spent on, as a finding with all the numbers, and whether a deletion is still to be finished."""
    try:
        sizes = measure(home, store)
        is_stepped, pending = store.read(lambda db: (can_give_back(db), read_pending(db)))
    except (StoreDamaged, DiskFailed):
        return []  # what was said of `state.db` is enough
    advice = _advice(sizes, is_stepped=is_stepped)
    text = "; ".join(filter(None, (_summary(sizes), advice)))
    found = [Finding("size", "warning" if advice else "ok", text, msgspec.structs.asdict(sizes))]
    if pending is not None:
        text = "a deletion is not yet cleared from every file: `archivist index` finishes it"
        found.append(Finding("erasure", "warning", text))
    return found


def measure(home: Home, store: StateStore) -> Sizes:
    """Measure a home.

    Raises:
        StoreDamaged, DiskFailed: `state.db` cannot be read.
    """
    files = [(entry.parts, entry.size) for entry in files_below(home.path, skips_unreadable=True)]
    total = sum(size for _, size in files)
    state = store.read(read_sizes)
    media = _below(files, home.media_folder.name)
    known = {
        **msgspec.structs.asdict(state),
        "log": max(0, sum(_beside(files, home.state_file.name)) - sum(msgspec.structs.astuple(state))),
        "index": sum(_beside(files, home.index_file.name)),
        "media": sum(media),
        "spool": sum(_below(files, home.spool_folder.name)),
        "backups": sum(_below(files, home.backups_folder.name)),
        "set_aside": sum(size for parts, size in files if _is_aside(parts)),
        "notes": sum(_below(files, home.notes_folder.name)),
        "history": sum(_below(files, home.history_folder.name)),
    }
    return Sizes(**known, media_files=len(media), rest=max(0, total - sum(known.values())), total=total)


def _summary(sizes: Sizes) -> str:
    """The largest kinds on one line."""
    numbers = msgspec.structs.asdict(sizes)
    kinds = sorted(_LABELS, key=lambda name: -numbers[name])
    largest = ", ".join(f"{_LABELS[name]} {megabytes(numbers[name])}" for name in kinds[:4] if numbers[name])
    return f"{megabytes(sizes.total)}: {largest}"


def megabytes(size: int) -> str:
    """A size for a person."""
    return f"{size / 1e6:,.1f} MB"


def _advice(sizes: Sizes, *, is_stepped: bool) -> str:
    pages = sizes.text + sizes.tools + sizes.reasoning + sizes.other + sizes.structure + sizes.free
    if sizes.free < SMALLEST_WORTH or sizes.free < pages * WORTH_GIVING_BACK:
        return ""
    command = "archivist index" if is_stepped else "archivist sessions compact"
    return f"{megabytes(sizes.free)} are free pages: `{command}` gives them back"


def _beside(files: Iterable[tuple[tuple[str, ...], int]], beginning: str) -> list[int]:
    """Sizes of the files in the home itself whose names begin so."""
    return [
        size
        for parts, size in files
        if len(parts) == 1 and parts[0].startswith(beginning) and not _is_aside(parts)
    ]


def _below(files: Iterable[tuple[tuple[str, ...], int]], folder: str) -> list[int]:
    return [size for parts, size in files if len(parts) > 1 and parts[0] == folder]


def _is_aside(parts: tuple[str, ...]) -> bool:
    return parts[0] == ASIDE or "-aside-" in parts[0]
