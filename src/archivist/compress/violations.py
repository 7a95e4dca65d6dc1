"""What is wrong with a list of messages: the place, the rule, a sentence for a person."""

from collections.abc import Mapping
from typing import Any

import msgspec

Form = Mapping[str, Any]
"""A message as a provider is sent it."""


class Violation(msgspec.Struct, frozen=True):
    """One broken rule.

    Attributes:
        place: The number of the message, from 0; -1 where it is the list itself.
        rule: A code for programs, such as `orphan-result`.
        text: A sentence for a person.
    """

    place: int
    rule: str
    text: str

    def __str__(self) -> str:
        return self.text if self.place < 0 else f"message {self.place}: {self.text}"
