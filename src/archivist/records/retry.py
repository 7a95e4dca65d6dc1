"""How long to wait for something that is busy, and in what steps.

The pauses are drawn at random within fixed bounds, so that many waiting processes do not meet again at every step and none is
starved; the random source is passed in.
"""

from collections.abc import Callable, Iterator

import msgspec


class Patience(msgspec.Struct, frozen=True):
    """Total seconds to go on trying, and the bounds of one pause in seconds."""

    seconds: float = 30.0
    shortest_pause: float = 0.020
    longest_pause: float = 0.150

    def pauses(self, now: Callable[[], float], draw: Callable[[float, float], float]) -> Iterator[float]:
        """Pauses to make between attempts, until the patience is used up.

        Args:
            now: A monotonic clock in seconds.
            draw: A uniform random number between two bounds.
        """
        deadline = now() + self.seconds
        while (left := deadline - now()) > 0:
            yield min(left, draw(self.shortest_pause, self.longest_pause))
