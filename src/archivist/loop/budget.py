"""How much a turn may use before it ends."""

import msgspec

from archivist.records import Usage


class Budget(msgspec.Struct, frozen=True):
    """What a turn and a conversation may use.

    Attributes:
        requests: Of a turn.
        turn_usd: Dollars of a turn; 0 for as many as it takes.
        conversation_usd: Dollars of the conversation; likewise.
    """

    requests: int = 90
    turn_usd: float = 0.0
    conversation_usd: float = 0.0

    def spent(self, requests: int, turn: Usage, before_usd: float) -> str:
        """Why a turn must end before its next request; empty where it need not.

        Args:
            requests: It has made.
            turn: It has used.
            before_usd: What the conversation had cost before it.
        """
        if requests >= self.requests:
            return f"{requests} requests are used up in this turn: say what to do next to go on"
        if 0 < self.turn_usd <= turn.cost_usd:
            return f"${turn.cost_usd:.2f} are used up in this turn, of ${self.turn_usd:.2f}: say what to do next to go on"
        total = before_usd + turn.cost_usd
        if 0 < self.conversation_usd <= total:
            return f"${total:.2f} are used up in this conversation, of ${self.conversation_usd:.2f}: begin a new one, or allow more"
        return ""


def added(first: Usage, second: Usage | None) -> Usage:
    """Two usages as one."""
    if second is None:
        return first
    return Usage(
        second.model or first.model,
        requests=first.requests + second.requests,
        input=first.input + second.input,
        output=first.output + second.output,
        cache_read=first.cache_read + second.cache_read,
        cache_write=first.cache_write + second.cache_write,
        reasoning=first.reasoning + second.reasoning,
        cost_usd=first.cost_usd + second.cost_usd,
    )


__all__ = ["Budget", "added"]
