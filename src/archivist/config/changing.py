"""Changing `config.toml` for its owner: the lines in question, and no other byte.

A file that cannot be followed as it is, is refused with the line, and never overwritten.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from archivist.config.settings import SettingsUnreadable, parse_settings, read_config
from archivist.records import ArchivistError

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

LOCK_SECONDS: Final = 10.0


class SettingsNotChanged(ArchivistError):
    """The file of settings is written in a way in which no line of it can be changed alone; it is as it was."""

    def __init__(self, path: Path, table: str) -> None:
        self.path = path
        super().__init__(
            f"{path} was not changed: [{table}] is written there in an unusual way; change it by hand"
        )


def change_table(path: Path, table: str, values: Mapping[str, Any]) -> bool:
    """Set keys of a table of the settings; whether that changed anything.

    Args:
        path: Of the file, which may be missing.
        table: Its name.
        values: By key; None removes one. A table without keys goes.

    Raises:
        SettingsUnreadable: The file cannot be followed, or could not be with these values; nothing was changed.
        SettingsNotChanged, FileNotWritten, FileLocked: Nothing was changed.
    """
    from archivist.files.atomic import make_folder, write_atomically  # noqa: PLC0415 - who only reads writes nothing
    from archivist.files.locks import locked  # noqa: PLC0415 - as above

    make_folder(path.parent)
    with locked(path.with_name(f"{path.name}.lock"), seconds=LOCK_SECONDS):
        before = read_config(path) if os.path.lexists(path) else b""
        parse_settings(path, before)
        after = _changed(path, before.decode(), table, values).encode()
        if after == before:
            return False
        parse_settings(path, after)
        write_atomically(Path(os.path.realpath(path)), after)
        return True


def _changed(path: Path, text: str, table: str, values: Mapping[str, Any]) -> str:
    import tomlkit  # noqa: PLC0415 - as above
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - as above

    wanted = _as_read(text)
    found = {**wanted.get(table, {}), **values}
    wanted[table] = {key: value for key, value in found.items() if value is not None}
    if not wanted[table]:
        del wanted[table]
    try:
        document = tomlkit.parse(text)
        _put(document, table, values)
        made = tomlkit.dumps(document)
    except (TOMLKitError, ValueError, KeyError, TypeError) as error:
        raise SettingsNotChanged(path, table) from error
    if text.count("\r\n") == text.count("\n") > 0:
        made = made.replace("\r\n", "\n").replace("\n", "\r\n")
    if _as_read(made) != wanted:
        raise SettingsNotChanged(path, table)
    return made


def _put(document: "TOMLDocument", table: str, values: Mapping[str, Any]) -> None:
    import tomlkit  # noqa: PLC0415 - as above

    given = {key: value for key, value in values.items() if value is not None}
    if table not in document:
        if given:
            if document.body:
                document.add(tomlkit.nl())
            document[table] = made = tomlkit.table()
            made.update(given)
        return
    found: Any = document[table]
    for key, value in values.items():
        if value is None:
            found.pop(key, None)
        elif found.get(key) != value:
            found[key] = value
    if not found:
        del document[table]


def _as_read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError:
        return {"": None}


__all__ = ["SettingsNotChanged", "SettingsUnreadable", "change_table"]
