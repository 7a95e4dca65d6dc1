"""What was asked for on the command line of a conversation."""

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archivist.config.agent import ActMode, RecallMode

if TYPE_CHECKING:
    from archivist.models.responder import Responder


class Wanted(msgspec.Struct, frozen=True):
    """How a conversation is held.

    Attributes:
        folder: In which the agent's tools work.
        is_placed: Whether they do so in a conversation that goes on, too, wherever it was held.
        question: What is said once; None where lines are read.
        is_whole: Whether all of standard input is one question.
        goes_on: Whether the newest conversation goes on.
        resume: The conversation that goes on, as a person names it.
        model: Who answers, where another does than is set.
        recall: Whether what is said is answered with what it recalls; as is set where unset.
        approval: What is asked about before it is done; likewise.
        tools: Whether the model is offered any.
        coloured: Whether there may be colours.
    """

    folder: Path
    question: str | None = None
    is_placed: bool = False
    is_whole: bool = False
    goes_on: bool = False
    resume: str | None = None
    model: "str | Responder | None" = None
    recall: RecallMode | None = None
    approval: ActMode | None = None
    tools: bool = True
    coloured: bool = True


__all__ = ["Wanted"]
