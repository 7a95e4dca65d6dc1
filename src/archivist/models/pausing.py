"""A wait that ends at once when the user wants whatever runs to stop."""

import threading
import time
from typing import Final

from archivist.models.responder import Interrupt

_LOOK_SECONDS: Final = 0.5


def pause(seconds: float, interrupt: Interrupt) -> None:
    """Wait. It is looked again and again whether to stop, as a signal wakes no waiting thread on every system."""
    woken = threading.Event()
    forget = interrupt.wakes(woken.set)
    until = time.monotonic() + seconds
    try:
        while not interrupt.is_set and (left := until - time.monotonic()) > 0:
            woken.wait(min(left, _LOOK_SECONDS))
    finally:
        forget()


__all__ = ["pause"]
