"""The heads of the blocks in which a prompt carries the notes: whose they are and which of the two files."""

from collections.abc import Mapping
from typing import Final

from archivist.prompt.wording import RULE_CHARACTER, wording_of
from archivist.records import OWNER, Scope
from archivist.records.notes import Target

RULE: Final = RULE_CHARACTER * 46
OVER_BUDGET: Final = "over the budget"
"""Why an entry is left out of which the prompt says only that there is more."""
LONGEST_LABEL: Final = 120

_HOME_TITLES: Final[Mapping[Target, str]] = {
    "memory": "MEMORY (your personal notes)",
    "user": "USER PROFILE (who the user is)",
}
_TARGETS: Final[tuple[Target, ...]] = ("memory", "user")
_KINDS: Final = ("", "project", "chat", "user")


def title_of(target: Target, scope: Scope) -> str:
    """What a block is called, on one line."""
    kind, key = _whose(scope)
    if not kind:
        return _HOME_TITLES[target]
    label = " ".join(wording_of(key).text.split())[:LONGEST_LABEL]
    if target == "memory":
        return f"{kind.upper()} MEMORY ({label})"
    return f"USER PROFILE ({label})" if kind == "user" else f"{kind.upper()} USER PROFILE ({label})"


def short_title(target: Target, scope: Scope) -> str:
    """What a block is called within a sentence."""
    kind, _ = _whose(scope)
    name = "memory" if target == "memory" else "user profile"
    return name if not kind or (kind, target) == ("user", "user") else f"{kind} {name}"


def place_in_order(target: Target, scope: Scope) -> tuple[int, str, int]:
    """By which blocks stand in a prompt: the home's first."""
    kind, key = _whose(scope)
    return _KINDS.index(kind), key, _TARGETS.index(target)


def _whose(scope: Scope) -> tuple[str, str]:
    """What kind of level it is and its key; the home's own, which is the owner's, has neither."""
    for kind in _KINDS[1:]:
        key: str | None = getattr(scope, kind)
        if key is not None and (kind, key) != ("user", OWNER.user):
            return kind, key
    return "", ""


__all__ = ["OVER_BUDGET", "RULE", "place_in_order", "short_title", "title_of"]
