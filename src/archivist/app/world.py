"""The real world: clock, chance and ids, as the rooms below ask for them."""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo

from archivist.store import Surroundings

ID_BYTES, SUFFIX_BYTES = 8, 3


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
    from random import uniform  # noqa: PLC0415 - only who has to wait draws a pause

    return uniform(low, high)  # noqa: S311 - no secret depends on it


def utc_now() -> datetime:
    """The time of day, aware."""
    return datetime.now(UTC)


def local_zone() -> tzinfo:
    """The machine's time zone, with its rules for summer time where they can be found; else its offset of today."""
    from tzlocal import get_localzone  # noqa: PLC0415 - a few milliseconds, and not where the owner has set a zone

    try:
        return get_localzone()
    except (LookupError, ValueError, OSError):  # a TZ that names no zone
        return datetime.now().astimezone().tzinfo or UTC
