"""How much a model has room for, as its provider says it where a request was too long."""

import re
from typing import Final

_LEAST: Final = 1_000
_NUMBER: Final = r"(\d{3,}|\d{1,3}(?:,\d{3})+)"
_TOLD: Final = tuple(
    re.compile(pattern.replace("#", _NUMBER))
    for pattern in (
        r"\d(?: tokens)? > #",
        r"\[1, ?#\]",
        r"maximum context length (?:is|of) #",
        r"(?:context|input|prompt) (?:size|length|window|limit)(?: (?:is|of))?:? ?\(?#",
        r"tokens allowed \(#",
        r"maximum of #",
        r"token limit:? ?#",
        r"\blimit:? ?#",
        r"with # maximum",
    )
)


def told_window(words: str) -> int | None:
    """Tokens that a request and its reply may have; None where it is not said.

    Args:
        words: What the provider says, in small letters.
    """
    for pattern in _TOLD:
        if found := pattern.search(words):
            tokens = int(found[1].replace(",", ""))
            return tokens if tokens >= _LEAST else None
    return None


__all__ = ["told_window"]
