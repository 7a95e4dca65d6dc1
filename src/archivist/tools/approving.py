"""Who says yes: a mode, what a person has said yes to for the whole session, and else the person."""

from collections.abc import Collection
from typing import Final

from archivist.config.agent import ActMode
from archivist.records.approvals import Answer, Approve, Ask, Risk

YES: Final = Answer("once")
NOBODY: Final = Answer(
    "no", "nobody is here who could say yes: go on without it, and tell the user what you would do"
)
Group = tuple[str, Risk, str]


def answered(ask: Ask, mode: ActMode, groups: Collection[Group]) -> Answer | None:
    """The answer that needs nobody; None where a person must be asked.

    Args:
        ask: What a tool would do.
        mode: What is asked about at all.
        groups: What was said yes to for the session.
    """
    if mode == "all" or (mode == "edits" and ask.risk == "write"):
        return YES
    return YES if ask.group and group_of(ask) in groups else None


def group_of(ask: Ask) -> Group:
    """What a yes for the session covers: of the same tool, with the same risk."""
    return ask.tool, ask.risk, ask.group


class Approving:
    """Answers tools for one session, in the place of a person where they need not be asked.

    Args:
        person: Asks the person; None where nobody is there.
        mode: Can be changed at any time.
    """

    def __init__(self, person: Approve | None, mode: ActMode = "ask") -> None:
        self.mode: ActMode = mode
        self._person = person
        self._groups = set[Group]()

    def __call__(self, ask: Ask) -> Answer:
        """The answer; a yes for the session is remembered, unless there is nothing that it could cover."""
        known = answered(ask, self.mode, self._groups)
        if known is not None:
            return known
        if self._person is None:
            return NOBODY
        answer = self._person(ask)
        if answer.verdict == "session" and ask.group:
            self._groups.add(group_of(ask))
        return answer


__all__ = ["NOBODY", "Approving", "answered", "group_of"]
