"""Which project a folder belongs to: its git remote where there is one, else the folder itself.

The remote is written the same way however it was cloned, so that two checkouts of one project share their memory.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from archivist.files.regular import read_regular
from archivist.records.patterns import late_pattern

MOST_BYTES: Final = 1_000_000
"""Of a file of git's that is looked into; no real one comes near it."""
ORIGIN: Final = '[remote "origin"]'
URL_LINE = late_pattern(r"url[ \t]*=[ \t]*(\S.*)")
SCP_FORM = late_pattern(r"^(?:[^@/]+@)?([^:/]+):(?!//)(.+)$")
ODD_FORM = late_pattern(
    r"^(?:[a-z0-9+.-]+::|file:(?!//)|(?:[a-z+]+://)?(?:[^@/]*@)?\.{1,2}[:/])", re.IGNORECASE
)
"""What another program is to make sense of, and a host that is a relative folder."""
URL_FORM = late_pattern(r"^[a-z+]+://(?:[^@/]*@)?([^/:]+)(?::\d+)?/(.+)$", re.IGNORECASE)


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


def project_worked_on(folder: str | Path, *, environ: Mapping[str, str]) -> str | None:
    """The key of the project that is worked on in a folder; None in the root and in a home folder, which are no projects."""
    homes = {environ.get("HOME"), environ.get("USERPROFILE"), str(Path.home())}
    try:
        place = Path(folder).resolve()
        is_nobodys = place == place.parent or any(home and place == Path(home).resolve() for home in homes)
    except (OSError, ValueError, RuntimeError):
        return project_of(folder)
    return None if is_nobodys else project_of(folder)


def _project_of(path: Path) -> str:
    if path.exists():
        path = path.resolve()
    elif not path.is_absolute():
        return str(
            path
        )  # of another machine: the folder that this process works in has nothing to do with it
    for parent in (path, *path.parents):
        if (parent / ".git").exists():
            settings, root = _repository(parent / ".git")
            remote = _remote_of(settings)
            return (_key_of(remote, root) if remote else None) or str(root.resolve())
    return str(path)


def _repository(git: Path) -> tuple[Path, Path]:
    """The folder with a repository's settings, and the one that it is checked out in: of a worktree the main one."""
    if git.is_dir():
        return git, git.parent
    try:
        own = git.parent / _text_of(git).removeprefix("gitdir:").strip()
        common = own / "commondir"
        if not common.exists():  # a submodule
            return own, git.parent
        settings = (own / _text_of(common).strip()).resolve()
    except OSError:
        return git, git.parent
    is_beside = settings.name == ".git" or (settings.parent / ".git").exists()
    return settings, settings.parent if is_beside else settings


def _text_of(file: Path) -> str:
    """What a file of git's says.

    Raises:
        OSError: It is none, or no file of git's is as large.
    """
    return read_regular(file, MOST_BYTES).decode("utf-8", "replace")


def _remote_of(git: Path) -> str | None:
    """The remote that a repository's settings name, as it stands there."""
    try:
        lines = _text_of(git / "config").splitlines()
    except OSError:
        return None
    is_origin = False
    for line in map(str.strip, lines):
        if line.startswith("["):
            is_origin = line == ORIGIN
        elif is_origin and (found := URL_LINE.match(line)):
            return found[1]
    return None


def _key_of(remote: str, root: Path) -> str | None:
    """The key that a remote stands for in a checkout; None where it names nothing that another checkout would mean by it, too."""
    url = remote.split(maxsplit=1)[0]
    if URL_FORM.match(url) or SCP_FORM.match(url) or "://" in url:
        return None if ODD_FORM.match(url) else normalise_remote(url)
    folder = remote.strip('"')
    return folder if folder.startswith("/") else str((root / folder).resolve())


def normalise_remote(url: str) -> str:
    """`host/path` of a git remote, without user, port and `.git`; a local path as it is.

    >>> normalise_remote("git@GitHub.com:owner/name.git"), normalise_remote("https://me@github.com/owner/name/")
    ('github.com/owner/name', 'github.com/owner/name')
    """
    found = URL_FORM.match(url) or SCP_FORM.match(url)
    if found is None:
        return url
    return f"{found[1].lower()}/{found[2].strip('/').removesuffix('.git')}"
