"""What a command of a shell would do, as far as its text says: which programs it runs, whether it only looks, what is dangerous in it.

Nothing of it is a wall; the yes of a person is. It keeps those from being asked who only look, and tells what should be read twice.
"""

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Final

from archivist.records.patterns import late_pattern

_PLAIN: Final = late_pattern(r"[\w./,:=@%+ \t\"'-]+\Z")
"""Nothing that a shell would expand, redirect, join or run beside it."""
_JOINED: Final = late_pattern(r"[;&|<>()`$\n{}\\!#*?\[\]~]")
_ASSIGNED: Final = late_pattern(r"[A-Za-z_]\w*=")
_SHELLS: Final = frozenset(
    "bash sh zsh dash fish ksh eval exec source . env sudo doas su xargs nohup time timeout nice ssh command builtin".split()
)
"""A yes to one run of these says nothing of the next, nor one to what looks at a thing that is guarded."""
_LOOKS: Final = frozenset("pwd ls cat head tail wc date whoami uname true".split())
_WITH_VERBS: Final = frozenset(
    "git npm pnpm yarn cargo uv pip docker podman kubectl go gh systemctl poetry apt brew".split()
)
"""Of these the next word says what they do."""
_GIT: Final = frozenset("status diff log show".split())
_GIT_REFUSED: Final = ("--ou", "--ex", "--te", "--no-in", "--op", "-O")
_DANGERS: Final = tuple(
    (late_pattern(pattern), what)
    for pattern, what in (
        (r"\brm\b[^|;&\n]{0,300}\s-(?:\w*[rR]|-recursive)", "removes whole folders"),
        (r"\bfind\b[^|;&]{0,300}\s-(?:delete|exec)", "changes whatever it finds"),
        (r"\b(?:mkfs(?:\.\w+)?|fdisk|parted|wipefs)\b", "changes a disk"),
        (r"\bdd\b[^|;&]{0,300}\bof=", "writes to a device or over a file"),
        (r">\s*/dev/(?:sd|nvme|hd|mmcblk|disk)", "writes to a disk"),
        (
            r"\b(?:curl|wget|fetch)\b[^;&]{0,300}\|\s*(?:sudo\s+)?(?:\w*/)*(?:ba|z|da)?sh\b",
            "runs what it downloads",
        ),
        (
            r"\b(?:curl|wget|fetch)\b[^;&]{0,300}\|\s*(?:sudo\s+)?(?:python|perl|ruby|node)",
            "runs what it downloads",
        ),
        (r"(?:\bba|\bz)?sh\s+(?:-c\s+)?[\"']?(?:<\(|\$\()\s*(?:curl|wget)", "runs what it downloads"),
        (r"\b(?:sudo|doas|su)\b", "runs with another's rights"),
        (
            r"\bgit\b[^|;&\n]{0,200}\spush\b[^|;&]{0,300}\s(?:-f\b|--force|--mirror|--delete|\+\w)",
            "rewrites what others have of a branch",
        ),
        (
            r"\bgit\b[^|;&\n]{0,200}\s(?:reset\s+--hard|clean\s+-\w*f|checkout\s+(?:--\s+)?\.|restore\s|stash\s+(?:drop|clear))",
            "throws changes away",
        ),
        (r"\bchmod\s+(?:-\S{1,100}\s+){0,9}(?:777|a\+\S*w|o\+\S*w)", "lets everybody write"),
        (r"\bch(?:mod|own)\s+-\w*R", "changes the rights of whole folders"),
        (r":\s*\(\s*\)\s*\{.{0,300}\}\s*;\s*:", "starts itself without end"),
        (r"\b(?:shutdown|reboot|halt|poweroff)\b", "stops the machine"),
        (r"\b(?:kill|pkill|killall)\b", "ends programs"),
        (r"\b(?:npm|cargo|twine|gem|poetry|uv)\s+(?:publish|upload)\b", "publishes something"),
        (
            r"\barchivist\s+(?!recall\b|doctor\b|verify\b|--help|--version)\w",
            "changes or shows Archivist's own data",
        ),
        (r"\.archivist\b|\bARCHIVIST_HOME\b", "touches Archivist's own data"),
        (r"(?i)\bdrop\s+(?:table|database)\b", "removes data of a database"),
    )
)


def dangers_of(command: str) -> list[str]:
    """What should be read twice before it is allowed: as far as its parts stand near each other, so that it takes a moment."""
    joined = command.replace("\\\n", " ")
    return list(dict.fromkeys(what for pattern, what in _DANGERS if pattern.search(joined)))


def group_of(command: str) -> str:
    """What a yes for the session covers: every plain command of the same program, of anything else that command alone.

    Of what is dangerous it covers nothing.
    """
    if dangers_of(command):
        return ""
    words = words_of(command)
    if words is None or _JOINED.search(command) or _ASSIGNED.match(words[0]) or words[0] in _SHELLS | _LOOKS:
        return command
    return " ".join(words[:2]) if words[0] in _WITH_VERBS else words[0]


def words_of(command: str) -> list[str] | None:
    """The words of a command; None where it has none, or cannot be read."""
    try:
        return shlex.split(command) or None
    except ValueError:
        return None


def only_looks(command: str, root: Path, may_be_shown: Callable[[str], bool]) -> bool:
    """Whether a command does nothing but show what is in the workspace.

    Args:
        command: Of a shell.
        root: Where it runs.
        may_be_shown: Whether a path leads to something that nobody need be asked about.
    """
    words = words_of(command)
    if words is None or not _PLAIN.match(command):
        return False
    program, given = words[0], words[1:]
    if program == "git":
        return _git_looks(given, root, may_be_shown)
    if program not in _LOOKS or (program in {"date", "true"} and given):
        return False
    if program == "tail" and any(word.startswith(("-f", "-F", "--f", "--retry")) for word in given):
        return False
    return all(may_be_shown(word) for word in given if not word.startswith("-")) and not _names_files(given)


def _names_files(given: list[str]) -> bool:
    """Whether an option takes a path: `wc --files0-from=F`."""
    return any(word.startswith("-") and ("=" in word or "/" in word) for word in given)


def _git_looks(given: list[str], root: Path, may_be_shown: Callable[[str], bool]) -> bool:
    if not given or given[0] not in _GIT or any(word.startswith(_GIT_REFUSED) for word in given[1:]):
        return False
    paths = [part for word in given[1:] if not word.startswith("-") for part in word.split(":")]
    return all(map(may_be_shown, paths)) and _is_tame(root)


_WILD: Final = late_pattern(
    r"(?i)fsmonitor|external|textconv|include|filter|command|program|process|worktree|sshcommand|pager|gpg"
)


def _is_tame(root: Path) -> bool:
    """Whether the settings of a repository let git run no program of somebody else's when it only looks."""
    for folder in (root, *root.parents):
        place = folder / ".git"
        if os.path.lexists(place):
            try:
                return place.is_dir() and not _WILD.search((place / "config").read_text(errors="replace"))
            except OSError:
                return False
    return True


__all__ = ["dangers_of", "group_of", "only_looks", "words_of"]
