"""Where tokens of published formats may stand: in a long unbroken stretch of letters, digits, `_` and `-`.

Such stretches are rare in prose, and are found by one search over a copy in which those characters are all the same. Only for a text that
has one, or what marks the few formats that may do without, are the formats loaded at all.
"""

SHORTEST_STRETCH = 18
"""Length in characters of the shortest unbroken stretch that any format of `token_formats` contains."""
NEEDLE = b"a" * SHORTEST_STRETCH
WORD_CODES = bytes(i for i in range(128) if chr(i).isalnum() or i in b"_-")
_STRETCH = bytes(97 if i in WORD_CODES else 32 for i in range(256))
AZURE_MARK = b"Q~"
SHORT_PREFIXES = (b"LTAI", b"whsec_")
"""Of the formats that may be shorter than a stretch, or be broken by a slash."""


def stretches_in(codes: bytes) -> bytes | None:
    """A text, as ASCII bytes, with every character of a stretch made the same one, and every other a blank.

    None where no token of any format can stand in it.
    """
    marks = codes.translate(_STRETCH)
    return marks if NEEDLE in marks or any(sign in codes for sign in (AZURE_MARK, *SHORT_PREFIXES)) else None
