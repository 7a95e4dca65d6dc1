"""What holds of one session alone: its first day, conversation, folder and model. It changes most, so it stands last."""

import re
from datetime import date, datetime
from typing import Final

import msgspec

from archivist.prompt.layers import Layer
from archivist.prompt.wording import wording_of
from archivist.records.patterns import late_pattern

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
LONGEST: Final = 400
"""Characters of a value."""
HEAD: Final = "# This session"
_DAY: Final = late_pattern(
    rf"^(?:- Today is|It is now) (?:{'|'.join(WEEKDAYS)}), (\d{{4}}-\d{{2}}-\d{{2}})\b", re.MULTILINE
)


class Facts(msgspec.Struct, frozen=True):
    """What is told of a session; what is empty is not told.

    Attributes:
        now: When it begins, in the owner's zone.
        conversation: The id by which it is continued.
        folder: In which its tools work.
        project: The key of the project that is worked on.
        model: Who answers.
    """

    now: datetime
    conversation: str = ""
    folder: str = ""
    project: str = ""
    model: str = ""


def facts_layer(facts: Facts) -> Layer:
    """What holds of one session alone."""
    told = [
        ("Conversation", facts.conversation),
        ("Working folder", facts.folder),
        ("Project", facts.project),
        ("Model", facts.model),
    ]
    lines = [f"- {name}: {_one_line(value)}" for name, value in told if value]
    today = f"- Today is {day_of(facts.now.date())}{_zone(facts.now)}."
    return Layer("facts", "\n".join([HEAD, "", today, *lines]))


def later_day(today: date) -> str:
    """What a session is told that has gone on into another day."""
    return f"It is now {day_of(today)}."


def day_of(day: date) -> str:
    """A day as models are told it: "Tuesday, 2026-12-01"."""
    return f"{WEEKDAYS[day.weekday()]}, {day.isoformat()}"


def day_told_in(text: str) -> date | None:
    """The day that a text told last, a prompt or what stood beside a message; None where it told none."""
    found = _DAY.findall(text)
    return date.fromisoformat(found[-1]) if found else None


def _zone(now: datetime) -> str:
    """The owner's zone as it is called, or what its clocks show."""
    name = getattr(now.tzinfo, "key", None) or now.tzname()
    return f" ({_one_line(str(name))})" if name else ""


def _one_line(value: str) -> str:
    return " ".join(wording_of(value).text.split())[:LONGEST]


__all__ = ["Facts", "day_of", "day_told_in", "facts_layer", "later_day"]
