"""What a model is told at the tail where it would else end without a word: that it said nothing, or that its budget is used up.

Each is a message of its own, as background: nobody said it. It is stored like any other, so that later requests begin with it too.
"""

from typing import Final

from archivist.records import Message, Part
from archivist.records.messages import BACKGROUND

EMPTY: Final = "Your last reply had no words and called nothing. Go on with what the user asked for, or say in a sentence why you cannot."
GRACE: Final = (
    "This is the last request of this turn, for {reason}. Nothing that you call in it is done. Say in a few sentences what is done,"
    " what is not, and what should be done next."
)


def beside(text: str) -> Message:
    """A message that only tells the model something, in the words of nobody."""
    return Message("user", "", (Part(BACKGROUND, text),))


__all__ = ["EMPTY", "GRACE", "beside"]
