"""What a caller gives as a number of tokens, looked at before anything is done with it."""


def some_tokens(name: str, value: object) -> None:
    """Refuse what is no number of tokens; None leaves it open.

    Args:
        name: What the caller knows it by.
        value: What was given.

    Raises:
        TypeError: It is no whole number.
        ValueError: It is less than one.
    """
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is {value!r}: give a number of tokens")
    if value < 1:
        raise ValueError(f"{name} is {value}: give a number of tokens, at least 1")


__all__ = ["some_tokens"]
