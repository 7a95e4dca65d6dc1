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
