"""The real world: clock, chance and ids, as the rooms below ask for them."""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final

from archivist.store import Surroundings

ID_BYTES, SUFFIX_BYTES, DRAW_BYTES = 8, 3, 4
LOCAL_ZONE: Final = Path("/etc/localtime")
UTC_NAMES: Final = frozenset({"UTC", "Etc/UTC"})


def real_world(clock: Callable[[], datetime] | None = None) -> Surroundings:
    """The machine's clock and random source; `clock` replaces the time of day."""
    now = clock or utc_now
    return Surroundings(
        now=now,
        monotonic=time.monotonic,
        nanoseconds=time.time_ns,
        sleep=time.sleep,
        draw=_draw,
        new_id=lambda: os.urandom(ID_BYTES).hex(),
        new_session_id=lambda: f"{now():%Y%m%d-%H%M%S}-{os.urandom(SUFFIX_BYTES).hex()}",
    )


def _draw(low: float, high: float) -> float:
    return low + (high - low) * int.from_bytes(os.urandom(DRAW_BYTES)) / (1 << 8 * DRAW_BYTES)


def utc_now() -> datetime:
    """The time of day, aware."""
    return datetime.now(UTC)


def local_zone() -> tzinfo:
    """The machine's time zone, with its rules for summer time where they can be found; else its offset of today."""
    try:
        return _linked_zone() or _sought_zone()
    except (LookupError, ValueError, OSError):  # a TZ that names no zone
        return datetime.now().astimezone().tzinfo or UTC


def _linked_zone() -> tzinfo | None:
    """The zone to which nearly every system but Windows links its own; None where TZ says another, or it is no link."""
    if os.environ.get("TZ"):
        return None
    try:
        name = LOCAL_ZONE.readlink().as_posix().rpartition("/zoneinfo/")[2]
    except OSError:
        return None
    if name in UTC_NAMES:
        return UTC
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - a few milliseconds, and not where the owner has set a zone

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return None


def _sought_zone() -> tzinfo:
    """The zone, sought in every other place where one may be named."""
    from tzlocal import reload_localzone  # noqa: PLC0415 - as above

    return reload_localzone()
