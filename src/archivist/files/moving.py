"""Renames that stay after a crash, and names that nothing has."""

from pathlib import Path

from archivist.files.atomic import sync_folder


def move_durably(source: Path, target: Path) -> None:
    """Give a file or folder another place on the same disk, in place of the file that may stand there.

    Raises:
        OSError: It is where it was.
    """
    source.replace(target)
    sync_folder(target.parent)
    if source.parent != target.parent:
        sync_folder(source.parent)


def free_name(path: Path) -> Path:
    """This path, or where something stands there the same with a number at its end."""
    number, name = 1, path
    while name.exists() or name.is_symlink():
        number += 1
        name = path.with_name(f"{path.name}-{number}")
    return name
