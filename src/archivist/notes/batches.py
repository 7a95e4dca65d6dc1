"""One operation after another of a batch, each put where it belongs."""

import msgspec

from archivist.notes.asking import Author, Outcome
from archivist.notes.kinds import belongs_to
from archivist.notes.operations import Operation, OperationFailed
from archivist.notes.places import level_for
from archivist.notes.planning import Planner
from archivist.records import ArchivistError, Notice
from archivist.records.notes import Target


def righted(target: Target, content: str, author: Author) -> tuple[Target, list[Notice]]:
    """The file that a text belongs to: the one that was said, but where an agent is plainly mistaken."""
    right = belongs_to(content) if author.origin == "agent" else None
    if right is None or right == target:
        return target, []
    text = f"this is about {'the person' if right == 'user' else 'the environment'}: it went to {right}, not to {target}"
    return right, [Notice("other-target", text)]


def operate(planner: Planner, number: int, one: Operation) -> Outcome:
    """Do one operation of a batch.

    Raises:
        OperationFailed: It cannot be done.
    """
    try:
        if one.action == "add":
            right, notices = righted(one.target, one.content, planner.author)
            outcome = planner.add(level_for(right, planner.author.place), right, one.content)
            return msgspec.structs.replace(outcome, notices=(*notices, *outcome.notices))
        if one.action == "replace":
            return planner.replace(one.target, one.old_text, one.content)
        if one.action == "edit":
            return planner.edit(one.target, one.old_text, one.content)
        return planner.remove(one.target, one.old_text)
    except ArchivistError as error:
        raise OperationFailed(number, one.action, error) from error
