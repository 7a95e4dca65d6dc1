"""Which project a folder belongs to: its git remote where there is one, else the folder itself.

The remote is written the same way however it was cloned, so that two checkouts of one project share their memory.
"""

import re
from pathlib import Path

REMOTE_URL = re.compile(r'^\s*\[remote "origin"\](?:\n(?!\s*\[).*)*?\n\s*url\s*=\s*(\S+)', re.MULTILINE)
SCP_FORM = re.compile(r"^(?:[^@/]+@)?([^:/]+):(?!//)(.+)$")
URL_FORM = re.compile(r"^[a-z+]+://(?:[^@/]*@)?([^/:]+)(?::\d+)?/(.+)$", re.IGNORECASE)


def project_of(folder: str | Path) -> str:
    """The key of the project that a folder belongs to; a name that no folder can have is its own key."""
    try:
        return _project_of(Path(folder))
    except (OSError, ValueError):
        return str(folder)


def _project_of(path: Path) -> str:
    for parent in (path, *path.parents):
        if (remote := _remote_of(parent / ".git")) is not None:
            return normalise_remote(remote)
        if (parent / ".git").exists():
            return str(parent.resolve())
    return str(path.resolve()) if path.exists() else str(path)


def normalise_remote(url: str) -> str:
    """`host/path` of a git remote, without user, port and `.git`; a local path as it is.

    >>> normalise_remote("git@GitHub.com:owner/name.git"), normalise_remote("https://me@github.com/owner/name/")
    ('github.com/owner/name', 'github.com/owner/name')
    """
    found = URL_FORM.match(url) or SCP_FORM.match(url)
    if found is None:
        return url
    return f"{found[1].lower()}/{found[2].strip('/').removesuffix('.git')}"


def _remote_of(git: Path) -> str | None:
    try:
        found = REMOTE_URL.search((git / "config").read_text("utf-8", "replace"))
    except OSError:
        return None
    return found[1] if found else None
