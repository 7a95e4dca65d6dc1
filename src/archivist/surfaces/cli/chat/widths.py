"""How wide words are in a terminal, and words cut to a width."""

import unicodedata

_WIDE = frozenset("WF")
_NOTHING = frozenset({"Mn", "Me", "Cf"})


def width_of(text: str) -> int:
    """Columns that a line takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def within(text: str, columns: int) -> str:
    """A line, cut where it is wider."""
    if width_of(text) <= columns:
        return text
    taken, kept = 1, []
    for char in text:
        taken += _columns(char)
        if taken > columns:
            break
        kept.append(char)
    return f"{''.join(kept)}…"


def _columns(char: str) -> int:
    if unicodedata.category(char) in _NOTHING:
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1


__all__ = ["width_of", "within"]
