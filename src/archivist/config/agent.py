"""The table `[agent]`: what the agent of `archivist chat` may do unasked, and how much it may use."""

from typing import Final, Literal, get_args

import msgspec

from archivist.config.values import Table, set_values

RecallMode = Literal["off", "cue", "on"]
ActMode = Literal["ask", "edits", "all"]
"""`ask`: what writes or runs is asked about; `edits`: files of the workspace are written unasked; `all`: nothing is asked."""

_MOST_REQUESTS: Final = 10_000
_MOST_SECONDS: Final = 1_000_000.0
_MOST_DOLLARS: Final = 1_000_000.0


class AgentSettings(msgspec.Struct, frozen=True):
    """What holds for every conversation where nothing else is asked for.

    Attributes:
        recall: Whether what the user's words ask about is recalled beside them.
        approval: What is asked about before it is done.
        max_requests: Of a turn.
        max_turn_seconds: Of a turn; 0 for as many as it takes.
        max_turn_usd: Dollars of a turn; 0 for as many as it takes.
        max_conversation_usd: Dollars of a conversation; likewise.
    """

    recall: RecallMode = "cue"
    approval: ActMode = "ask"
    max_requests: int = 90
    max_turn_seconds: float = 0.0
    max_turn_usd: float = 0.0
    max_conversation_usd: float = 0.0


def agent_settings(values: object) -> AgentSettings:
    """The table, checked.

    Raises:
        Mistake: It says something that cannot be followed; the text says what.
    """
    table = Table("agent", values, AgentSettings.__struct_fields__)
    found = {
        "recall": table.word("recall", get_args(RecallMode)),
        "approval": table.word("approval", get_args(ActMode)),
        "max_requests": table.whole("max_requests", 1, _MOST_REQUESTS),
        "max_turn_seconds": table.amount("max_turn_seconds", _MOST_SECONDS, "seconds"),
        "max_turn_usd": table.amount("max_turn_usd", _MOST_DOLLARS),
        "max_conversation_usd": table.amount("max_conversation_usd", _MOST_DOLLARS),
    }
    return AgentSettings(**set_values(found))


__all__ = ["ActMode", "AgentSettings", "RecallMode", "agent_settings"]
