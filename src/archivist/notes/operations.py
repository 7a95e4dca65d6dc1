"""The operations of a batch, as a model writes them."""

from collections.abc import Mapping
from typing import Any, Final, Literal, cast

import msgspec

from archivist.notes.matching import preview
from archivist.records import ArchivistError
from archivist.records.notes import Target

ACTIONS: Final = ("add", "replace", "edit", "remove")
NEEDS: Final = {
    "add": ("content",),
    "replace": ("old_text", "content"),
    "edit": ("old_text", "content"),
    "remove": ("old_text",),
}


class OperationFailed(ArchivistError):
    """One operation of a batch cannot be done; none was.

    Attributes:
        number: Which one, from 1.
        reason: Why.
    """

    def __init__(self, number: int, action: str, reason: Exception | str) -> None:
        self.number, self.action, self.reason = number, action, reason
        super().__init__(
            f"operation {number} ({action}) cannot be done, and nothing was changed, all or none: {reason}"
        )


class Operation(msgspec.Struct, frozen=True):
    """One thing to do."""

    action: Literal["add", "replace", "edit", "remove"]
    target: Target
    content: str = ""
    old_text: str = ""


def read_operation(number: int, raw: Mapping[str, Any], target: Target) -> Operation:
    """One operation, checked.

    Args:
        number: Which one, from 1.
        raw: As it was written; `new_text` is another word for `content`.
        target: Where it stands if it does not say so.

    Raises:
        OperationFailed: Something is missing or is no text.
    """
    if not isinstance(raw, Mapping):
        raise OperationFailed(number, "?", "it is no object with an action")
    action = raw.get("action")
    if action not in ACTIONS:
        raise OperationFailed(number, preview(str(action)), f"the action is none of {', '.join(ACTIONS)}")
    values = {"content": raw.get("content", raw.get("new_text")), "old_text": raw.get("old_text")}
    for name in NEEDS[str(action)]:
        value = values[name]
        if not isinstance(value, str) or not value.strip():
            raise OperationFailed(
                number,
                str(action),
                f"it needs {name}; given were {preview(', '.join(sorted(map(str, raw))))}",
            )
    where = raw.get("target") or target
    if not isinstance(where, str) or where not in {"memory", "user"}:
        raise OperationFailed(
            number, str(action), f"target {preview(str(where))!r} is neither memory nor user"
        )
    return Operation(
        cast("Any", action),
        cast("Target", where),
        str(values["content"] or ""),
        str(values["old_text"] or ""),
    )
