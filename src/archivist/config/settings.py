"""`config.toml`: few keys, each with a default, unknown ones refused.

A misspelt key that is silently ignored is a setting that does not hold, so reading is strict.
"""

from datetime import tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec.structs import fields

from archivist.records import ArchivistError


class SettingsUnreadable(ArchivistError):
    """The file of settings is not what it should be."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(f"{path}: {reason}; correct the line or remove it")


class Settings(msgspec.Struct, frozen=True):
    """What the owner may set.

    Attributes:
        timezone: The owner's zone, such as "Asia/Shanghai"; the machine's where unset.
        patience_seconds: How long a write waits for a busy database before it is spooled.
    """

    timezone: str | None = None
    patience_seconds: float = 30.0

    def zone(self) -> tzinfo | None:
        """The owner's time zone, where it is set."""
        return ZoneInfo(self.timezone) if self.timezone else None


def read_settings(path: Path) -> Settings:
    """The settings of a home; defaults where there is no file.

    Raises:
        SettingsUnreadable: Not TOML, an unknown key, or a value of the wrong kind.
    """
    if not path.exists():
        return Settings()
    import tomllib  # noqa: PLC0415 - most homes have no such file

    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsUnreadable(path, " ".join(str(error).split())) from error
    return _checked(path, values)


def _checked(path: Path, values: dict[str, object]) -> Settings:
    known = [field.name for field in fields(Settings)]
    for key in values:
        if key not in known:
            raise SettingsUnreadable(path, f"unknown key {key!r} (known: {', '.join(known)})")
    timezone, patience = values.get("timezone"), values.get("patience_seconds", 30.0)
    if not isinstance(patience, int | float) or isinstance(patience, bool) or not 0 <= patience <= 3600:
        raise SettingsUnreadable(path, "patience_seconds must be a number of seconds from 0 to 3600")
    if timezone is None:
        return Settings(None, float(patience))
    if not isinstance(timezone, str) or not _is_zone(timezone):
        raise SettingsUnreadable(path, f"timezone {timezone!r} is no zone such as 'Europe/Berlin'")
    return Settings(timezone, float(patience))


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
