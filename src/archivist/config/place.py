"""Where the home is meant to be, found out with nothing but the environment, and without looking at a disk."""

import os
from collections.abc import Mapping

USUAL = "~/.archivist"
PROFILES = "profiles"


def chosen_folder(
    path: "str | os.PathLike[str] | None", profile: str | None, *, environ: Mapping[str, str]
) -> str:
    """The folder that is meant: argument, then `ARCHIVIST_HOME`, then `~/.archivist`; then the profile in it."""
    chosen = os.path.expanduser(path or environ.get("ARCHIVIST_HOME") or USUAL)  # noqa: PTH111 - pathlib takes long to load
    name = profile or environ.get("ARCHIVIST_PROFILE")
    return os.path.join(chosen, PROFILES, name) if name else chosen  # noqa: PTH118 - as above


__all__ = ["chosen_folder"]
