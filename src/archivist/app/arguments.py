"""What a caller gives, looked at before anything is done with it: a slip is named where it was made."""

from collections.abc import Sequence
from datetime import timedelta
from math import isnan


def one_of(name: str, value: object, known: Sequence[str]) -> None:
    """Refuse a word that means nothing.

    Raises:
        ValueError: It names the words that mean something.
    """
    if value not in known:
        raise ValueError(f"{name}={value!r} means nothing: give one of {', '.join(map(repr, known))}")


def a_text(name: str, value: object) -> None:
    """Refuse what is no text.

    Raises:
        TypeError: It is something else.
    """
    if not isinstance(value, str):
        raise TypeError(
            f"{name} is {'None' if value is None else f'of type {type(value).__name__}'}: give a text"
        )


def an_age(name: str, value: object) -> None:
    """Refuse what is no length of time.

    Raises:
        TypeError: It is neither a number nor a timedelta.
        ValueError: It is not a number.
    """
    if isinstance(value, timedelta):
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} is {value!r}: give a number of days, or a timedelta")
    if isnan(value):
        raise ValueError(f"{name} is not a number: give a number of days, or a timedelta")
