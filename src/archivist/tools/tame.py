"""Whether a repository lets git, when it only looks, run nothing of somebody else's: read off its files, before git is asked anything."""

import os
from pathlib import Path
from typing import Final

from archivist.records.patterns import late_pattern

_WILD: Final = late_pattern(
    r"(?i)fsmonitor|external|textconv|include|filter|command|program|process|worktree|pager|gpg|driver|helper|hookspath|askpass|proxy"
    r"|uploadpack|promisor|partialclone"
)
"""In settings: what runs a program, takes settings from elsewhere, or lets missing objects be fetched."""
_OTHERS: Final = ("commondir", "config.worktree", "modules")
"""In a repository: what takes its settings from elsewhere, or holds another one."""
_MODULE: Final = b"\x00\x00\xe0\x00"
"""In the index, the mode of a repository in a repository: git asks that one, too, and by its own settings."""
_BARE: Final = ("HEAD", "objects", "refs")
_MOST_BYTES: Final = 64 << 20


def is_tame(root: Path) -> bool:
    """Whether git may look from a folder: at the repository that git would find there, or at none."""
    for folder in (root, *root.parents):
        place = folder / ".git"
        if os.path.lexists(place):
            try:
                return place.is_dir() and _is_plain(place)
            except OSError:
                return False
        if all(os.path.lexists(folder / name) for name in _BARE):
            return False
    return True


def _is_plain(place: Path) -> bool:
    if any(os.path.lexists(place / name) for name in _OTHERS):
        return False
    if _WILD.search((place / "config").read_text(errors="replace")):
        return False
    return not any(_has_modules(index) for index in [place / "index", *place.glob("sharedindex.*")])


def _has_modules(index: Path) -> bool:
    if not index.exists():
        return False
    return index.stat().st_size > _MOST_BYTES or _MODULE in index.read_bytes()


__all__ = ["is_tame"]
