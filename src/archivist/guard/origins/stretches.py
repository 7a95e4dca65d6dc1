"""Whether a stretch of a message that is shown has some of what stands in it: told by letters and digits, whatever stands between them."""

from typing import Final

_STEP, _RUN = 12, 24
"""Of a stretch, every so many letters so many are looked for: what both have in a row is found from three steps on."""
_LEAST: Final = 10
"""Fewer letters are everybody's."""


def is_some_of(passage: str, stretch: str) -> bool:
    """Whether a stretch has some of a passage, or stands in it."""
    shown, held = _letters(stretch), _letters(passage)
    if len(held) <= _RUN:
        return len(held) >= _LEAST and held in shown
    if len(shown) <= _RUN:
        return len(shown) >= _LEAST and shown in held
    return any(shown[at : at + _RUN] in held for at in range(0, len(shown) - _RUN + 1, _STEP))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


__all__ = ["is_some_of"]
