"""`config.toml`: few keys, each with a default, unknown ones refused.

A misspelt key that is silently ignored is a setting that does not hold, so reading is strict.
"""

from collections.abc import Mapping
from datetime import tzinfo
from pathlib import Path
from typing import Any, Final, Literal, cast

import msgspec
from msgspec.structs import fields

from archivist.config.agent import AgentSettings, agent_settings
from archivist.config.approval import ApprovalSettings, approval_settings
from archivist.config.model import ModelSettings, model_settings
from archivist.config.values import Mistake
from archivist.records import ArchivistError

MOST_BYTES: Final = 1_000_000
"""Of a file of settings."""


class SettingsUnreadable(ArchivistError):
    """The file of settings is not what it should be."""

    def __init__(self, path: Path, reason: str, advice: str = "correct the line or remove it") -> None:
        self.path = path
        super().__init__(f"{path}: {reason}; {advice}")


class NoteSettings(msgspec.Struct, frozen=True):
    """The table `[notes]`.

    Attributes:
        memory_limit: Characters that MEMORY.md may have.
        user_limit: Characters that USER.md may have.
        on_full: `demote`: what is remembered least moves to the archive; `reject`: what is new is refused.
        in_prompt: Whether prompts carry notes at all.
    """

    memory_limit: int = 2200
    user_limit: int = 1375
    on_full: Literal["demote", "reject"] = "demote"
    in_prompt: bool = True


class HostSettings(msgspec.Struct, frozen=True):
    """A table `[hosts.NAME]`, about one program that has its memory here.

    Attributes:
        read: `scope`: it reads what is visible where it works; `owner`: everything of the owner's, in every project, of no group.
        recall: Whether what a prompt asks about is recalled beside it: `on`, `off`, or `cue` for prompts that point to the past.
        block_compaction: Whether a compaction that was asked for by hand waits until the transcript could be stored.
        trusted: Whether what its models note never waits for its conversation's sake.
    """

    read: Literal["scope", "owner"] = "scope"
    recall: Literal["off", "cue", "on"] = "cue"
    block_compaction: bool = False
    trusted: bool = False


class Settings(msgspec.Struct, frozen=True):
    """What the owner may set.

    Attributes:
        timezone: The owner's zone, such as "Asia/Shanghai"; the machine's where unset.
        patience_seconds: How long a write waits for a busy database before it is spooled.
        notes: About MEMORY.md and USER.md.
        hosts: By name, about programs that have their memory here.
        approval: Which writes of notes wait for the owner.
        model: Which model is asked.
        agent: What an agent may do unasked, and how much it may use.
    """

    timezone: str | None = None
    patience_seconds: float = 30.0
    notes: NoteSettings = NoteSettings()
    hosts: Mapping[str, HostSettings] = msgspec.field(default_factory=dict)
    approval: ApprovalSettings = ApprovalSettings()
    model: ModelSettings = ModelSettings()
    agent: AgentSettings = AgentSettings()

    def host(self, name: str) -> HostSettings:
        """What is set about a program; the defaults where nothing is."""
        return self.hosts.get(name, HostSettings())

    def zone(self) -> tzinfo | None:
        """The owner's time zone, where it is set."""
        if not self.timezone:
            return None
        from zoneinfo import ZoneInfo  # noqa: PLC0415 - most homes set none

        return ZoneInfo(self.timezone)


def read_settings(path: Path) -> Settings:
    """The settings of a home; defaults where there is no file.

    Raises:
        SettingsUnreadable: Not TOML, an unknown key, or a value of the wrong kind.
    """
    try:
        if not path.exists():
            return Settings()
    except OSError as error:  # a folder that may not be looked into
        advice = "let its folder be read, or set ARCHIVIST_HOME"
        raise SettingsUnreadable(path, error.strerror or "it cannot be read", advice) from error
    return parse_settings(path, read_config(path))


def read_config(path: Path) -> bytes:
    """The bytes of a file of settings that is there.

    Raises:
        SettingsUnreadable: It is none, or cannot be read.
    """
    from archivist.files.regular import read_regular  # noqa: PLC0415 - most homes have no such file

    try:
        return read_regular(path, MOST_BYTES)
    except OSError as error:
        advice = "put a file of settings in its place, or remove it"
        raise SettingsUnreadable(path, error.strerror or "it cannot be read", advice) from error


def parse_settings(path: Path, content: bytes) -> Settings:
    """What a file of settings says.

    Args:
        path: Of the file, to name it.
        content: Its bytes.

    Raises:
        SettingsUnreadable: See `read_settings`.
    """
    import tomllib  # noqa: PLC0415 - as above

    try:
        values = tomllib.loads(content.decode().replace("\r\n", "\n"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
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
    if timezone is not None and (not isinstance(timezone, str) or not _is_zone(timezone)):
        raise SettingsUnreadable(path, f"timezone {timezone!r} is no zone such as 'Europe/Berlin'")
    notes, hosts = _notes(path, values.get("notes", {})), _hosts(path, values.get("hosts", {}))
    try:
        approval = approval_settings(values.get("approval", {}))
        model, agent = model_settings(values.get("model", {})), agent_settings(values.get("agent", {}))
    except Mistake as error:
        raise SettingsUnreadable(path, str(error)) from error
    return Settings(timezone, float(patience), notes, hosts, approval, model, agent)


def _notes(path: Path, values: object) -> NoteSettings:
    known = [field.name for field in fields(NoteSettings)]
    if not isinstance(values, dict):
        raise SettingsUnreadable(path, "notes must be a table: [notes]")
    for key in values:
        if key not in known:
            raise SettingsUnreadable(path, f"unknown key {key!r} in [notes] (known: {', '.join(known)})")
    on_full = values.get("on_full", "demote")
    if on_full not in ("demote", "reject"):
        raise SettingsUnreadable(path, "on_full in [notes] must be 'demote' or 'reject'")
    in_prompt = values.get("in_prompt", True)
    if not isinstance(in_prompt, bool):
        raise SettingsUnreadable(path, "in_prompt in [notes] must be true or false")
    limits = {key: _limit(path, key, value) for key, value in values.items() if key.endswith("_limit")}
    return NoteSettings(**limits, on_full=cast("Any", on_full), in_prompt=in_prompt)


def _hosts(path: Path, values: object) -> dict[str, HostSettings]:
    if not isinstance(values, dict):
        raise SettingsUnreadable(path, "hosts must be tables: [hosts.NAME]")
    return {name: _host(path, name, table) for name, table in values.items()}


def _host(path: Path, name: str, values: object) -> HostSettings:
    where, known = f"[hosts.{name}]", [field.name for field in fields(HostSettings)]
    if not isinstance(values, dict):
        raise SettingsUnreadable(path, f"hosts.{name} must be a table: {where}")
    for key in values:
        if key not in known:
            raise SettingsUnreadable(path, f"unknown key {key!r} in {where} (known: {', '.join(known)})")
    read = values.get("read", "scope")
    if read not in ("scope", "owner"):
        raise SettingsUnreadable(path, f"read in {where} must be 'scope' or 'owner'")
    recall, blocks = values.get("recall", "cue"), values.get("block_compaction", False)
    if recall not in ("off", "cue", "on"):
        raise SettingsUnreadable(path, f"recall in {where} must be 'off', 'cue' or 'on'")
    trusted = values.get("trusted", False)
    for key, value in (("block_compaction", blocks), ("trusted", trusted)):
        if not isinstance(value, bool):
            raise SettingsUnreadable(path, f"{key} in {where} must be true or false")
    return HostSettings(cast("Any", read), cast("Any", recall), blocks, trusted)


def _limit(path: Path, key: str, value: object) -> int:
    """A number of characters; as text too, as other programs write it."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 100 <= value <= 1_000_000:
        raise SettingsUnreadable(
            path, f"{key} in [notes] must be a number of characters from 100 to 1,000,000"
        )
    return value


def _is_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415 - as above

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
