"""Whether what the host was asked for waits until memory is well again, as its owner has set it."""

import os

from archivist.config import find_home, read_settings
from archivist.records import ArchivistError
from archivist.surfaces.hooks.event import Answer, Event


def declined(event: Event, home: str | None, profile: str | None, trouble: Answer) -> Answer:
    """The answer about some trouble: a refusal where the owner has asked for a compaction, and wants none of what is not stored.

    Args:
        event: What happened.
        home: The home's folder; found as everywhere where unset.
        profile: A home of its own below it.
        trouble: What is said about it.
    """
    if event.name != "PreCompact" or event.trigger != "manual" or not _is_wanted(event.host, home, profile):
        return trouble
    refusal = f"{trouble.message}; set block_compaction = false to compact all the same"
    return Answer(refusal=refusal, is_trouble=True)


def _is_wanted(host: str, home: str | None, profile: str | None) -> bool:
    try:
        place = find_home(home, profile, environ=os.environ)
        return read_settings(place.config_file).host(host).block_compaction
    except (ArchivistError, OSError):
        return False  # nobody knows what is wanted, and a host is never stopped without being told to


__all__ = ["declined"]
