"""Whether a transcript has anything new, found out without opening a home; see `store.glance`."""

import os
from glob import glob

from archivist.config.place import chosen_folder
from archivist.store.glance import has_nothing_new

STATE = "state.db"


def files_as_they_were(
    home: "str | None", profile: str | None, host: str, transcript: "str | os.PathLike[str]", now: float
) -> int:
    """How many files a transcript and those of its sub-agents are, if all were read to their end and are as they were; else 0.

    Args:
        home: The home's folder; found as everywhere where unset.
        profile: A home of its own below it.
        host: The program that writes it.
        transcript: The file.
        now: Seconds since 1970.
    """
    stem, _ = os.path.splitext(transcript)  # noqa: PTH122 - pathlib takes as long to load as all of this
    found = glob(os.path.join(_plainly(stem), "subagents", "agent-*.jsonl"))  # noqa: PTH118, PTH207 - as above
    paths = [os.path.realpath(path) for path in (transcript, *found)]
    database = os.path.join(chosen_folder(home, profile, environ=os.environ), STATE)  # noqa: PTH118 - as above
    return len(paths) if has_nothing_new(database, host, paths, now) else 0


def _plainly(path: str) -> str:
    """A path in which no character stands for others."""
    return "".join(f"[{one}]" if one in "*?[" else one for one in path)
