"""Which project a folder belongs to: its git remote where there is one, else the folder itself.

The remote is written the same way however it was cloned, so that two checkouts of one project share their memory.
"""

import re
from collections.abc import Mapping
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


def project_named(named: str) -> str:
    """The key of a project that somebody names by a folder of it, or by the key itself."""
    try:
        return project_of(named) if Path(named).is_dir() else named
    except OSError:  # longer than a folder's name can be
        return named


def project_worked_on(folder: Path, *, environ: Mapping[str, str]) -> str | None:
    """The key of the project that is worked on in a folder; None in the root and in a home folder, which are no projects."""
    homes = {environ.get("HOME"), environ.get("USERPROFILE"), str(Path.home())}
    try:
        folder = folder.resolve()
        is_nobodys = folder == folder.parent or any(home and folder == Path(home).resolve() for home in homes)
    except (OSError, ValueError, RuntimeError):
        return project_of(folder)
    return None if is_nobodys else project_of(folder)


def _project_of(path: Path) -> str:
    if path.exists():
        path = path.resolve()
    for parent in (path, *path.parents):
        if (parent / ".git").exists():
            settings, root = _repository(parent / ".git")
            remote = _remote_of(settings)
            return str(root.resolve()) if remote is None else normalise_remote(remote)
    return str(path)


def _repository(git: Path) -> tuple[Path, Path]:
    """The folder with a repository's settings, and the one that it is checked out in: of a worktree the main one."""
    if git.is_dir():
        return git, git.parent
    try:
        own = git.parent / git.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
        common = own / "commondir"
        if not common.exists():  # a submodule
            return own, git.parent
        settings = (own / common.read_text("utf-8", "replace").strip()).resolve()
    except OSError:
        return git, git.parent
    return settings, settings.parent


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
