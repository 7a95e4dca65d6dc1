"""What the store takes from the world outside: clock, chance and ids."""

from collections.abc import Callable
from datetime import datetime

import msgspec


class Surroundings(msgspec.Struct, frozen=True):
    """What the store takes from the world, so that tests can give it another one.

    Attributes:
        now: The time of day, aware.
        monotonic: Seconds that only go forward.
        nanoseconds: Time of day in nanoseconds, for names that sort.
        sleep: Waits seconds.
        draw: A uniform random number between two bounds.
        new_id: A new random id, unique for all practical purposes.
        new_session_id: The same for a session, in a form that a person can read out and that sorts by time.
    """

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    nanoseconds: Callable[[], int]
    sleep: Callable[[float], None]
    draw: Callable[[float, float], float]
    new_id: Callable[[], str]
    new_session_id: Callable[[], str]


class Waiting(msgspec.Struct, frozen=True):
    """How to wait for others: for so many seconds, by which clock, and how to sleep."""

    seconds: float
    monotonic: Callable[[], float]
    sleep: Callable[[float], None]
    pause: float = 0.02

    def until(self, attempt: Callable[[], bool]) -> bool:
        """Try at least once, then again and again while there is time; whether an attempt succeeded."""
        deadline = self.monotonic() + self.seconds
        while not attempt():
            if self.monotonic() >= deadline:
                return False
            self.sleep(self.pause)
        return True
