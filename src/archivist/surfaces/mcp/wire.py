"""The process's standard input and output, taken out of everybody else's reach before anything is loaded that might print."""

import os
from typing import Final

import msgspec

STDIN, STDOUT, STDERR = 0, 1, 2
NOWHERE: Final = os.devnull


class Wire(msgspec.Struct, frozen=True):
    """Where requests are read from and answers are written to: descriptors that nobody else knows.

    Attributes:
        source: For reading.
        sink: For writing.
    """

    source: int
    sink: int


def claim_wire() -> Wire:
    """Take both; from then on standard input is empty, and what is printed goes to standard error.

    Raises:
        OSError: One of them is closed.
    """
    wire = Wire(os.dup(STDIN), os.dup(STDOUT))
    _put(STDIN, os.open(NOWHERE, os.O_RDONLY))
    try:
        os.dup2(STDERR, STDOUT)
    except OSError:  # there is no standard error
        _put(STDOUT, os.open(NOWHERE, os.O_WRONLY))
    return wire


def _put(place: int, descriptor: int) -> None:
    os.dup2(descriptor, place)
    os.close(descriptor)
