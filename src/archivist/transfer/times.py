"""Times of foreign records: ISO 8601 or seconds or milliseconds since 1970, aware, or not known.

A missing time is taken from the record before it, else from the first one known in its file. It never comes
from the import.
"""

from datetime import UTC, datetime
from typing import Final

from archivist.store.receiving import TOLD_AT

UNKNOWN: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands where a whole history holds no time."""

MILLISECONDS_FROM = 1e11
"""A larger number is milliseconds: as seconds it would lie beyond the year 5138."""


def told_at(*times: datetime | None) -> dict[str, str]:
    """The metadata that says how new a source's telling of a session is: the latest of the times that it names."""
    known = [time for time in times if time]
    return {TOLD_AT: max(known).astimezone(UTC).isoformat(timespec="microseconds")} if known else {}


def parse_time(value: object) -> datetime | None:
    """An aware time, or None where the value is none; zero and negative numbers are none."""
    try:
        if isinstance(value, str):
            parsed = datetime.fromisoformat(value)
            return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return datetime.fromtimestamp(value / 1000 if value > MILLISECONDS_FROM else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
