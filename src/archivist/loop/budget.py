"""How much a turn may use before it ends."""

from typing import Final

import msgspec

from archivist.records import Usage

LOW: Final = 0.9
"""The share of its time at which a turn should come to its end."""


class Used(msgspec.Struct, frozen=True):
    """What a turn has used so far.

    Attributes:
        requests: That it has made.
        turn_usd: What they cost.
        conversation_usd: What the conversation has cost, this turn's among it.
        last_usd: What the newest of them cost.
        seconds: Since it began.
    """

    requests: int = 0
    turn_usd: float = 0.0
    conversation_usd: float = 0.0
    last_usd: float = 0.0
    seconds: float = 0.0


class Budget(msgspec.Struct, frozen=True):
    """What a turn and a conversation may use; 0 for as much as it takes.

    Attributes:
        requests: Of a turn.
        turn_usd: Dollars of a turn.
        conversation_usd: Dollars of the conversation.
        seconds: Of a turn.
    """

    requests: int = 90
    turn_usd: float = 0.0
    conversation_usd: float = 0.0
    seconds: float = 0.0

    def spent(self, used: Used) -> str:
        """Why nothing more may be used; empty where it may."""
        return self._over(used)

    def low(self, used: Used) -> str:
        """Why a turn that goes on should come to its end with its next request, or before it; empty where there is enough for more."""
        if not used.requests:
            return self._over(used)
        ahead = msgspec.structs.replace(
            used,
            requests=used.requests + 1,
            turn_usd=used.turn_usd + used.last_usd,
            conversation_usd=used.conversation_usd + used.last_usd,
            seconds=used.seconds / LOW,
        )
        return self._over(ahead)

    def has_one_left(self, used: Used) -> bool:
        """Whether a turn may make a last request to say how far it came; whatever it has overdrawn, that is worth it."""
        return used.requests > 0 and not 0 < self.requests <= used.requests

    def _over(self, used: Used) -> str:
        if 0 < self.requests <= used.requests:
            return f"the {self.requests:,} requests of a turn are used up: say what to do next to go on"
        if 0 < self.seconds <= used.seconds:
            return f"the {self.seconds:,.0f} seconds of a turn are used up: say what to do next to go on"
        if 0 < self.turn_usd <= used.turn_usd:
            return f"the ${self.turn_usd:.2f} of a turn are used up: say what to do next to go on"
        if 0 < self.conversation_usd <= used.conversation_usd:
            return f"the ${self.conversation_usd:.2f} of this conversation are used up: begin a new one, or allow more"
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


__all__ = ["Budget", "Used", "added"]
