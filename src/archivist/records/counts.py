"""Numbers of things, as people read them."""


def counted(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 message", "2,000 messages".

    Args:
        number: How many.
        one: What one of them is called, a verb included where one follows.
        many: What several are called; with an "s" where unset.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
