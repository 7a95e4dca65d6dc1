"""Text in which the words of a query are looked for: small letters, without accents, full width as half width.

Each character becomes exactly one, so that a place in the levelled text is the same place in the stored one: a
snippet is cut and words beside each other are told by it. The index, whose `fold` decides what is the same word,
needs no places: it lengthens (ß is ss), takes apart, and drops.
"""

import re
import unicodedata
from functools import cache


def level(text: str) -> str:
    """The text in small letters, accents and widths levelled, as long as it was."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    if len(lowered) != len(text):  # a few capitals have a longer small form; places matter more than those
        lowered = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    bases = _single_bases()
    return _uneven().sub(lambda found: bases[found[0]], lowered)


@cache
def _uneven() -> re.Pattern[str]:
    """What has another base than itself."""
    return re.compile("[" + "".join(map(re.escape, sorted(_single_bases()))) + "]")


@cache
def _single_bases() -> dict[str, str]:
    """Letters and digits whose compatibility form without marks is one other character."""
    found = {}
    for code in (*range(0xA0, 0x500), *range(0x1E00, 0x2000), *range(0xFB00, 0xFB07), *range(0xFF01, 0xFFEF)):
        character = chr(code)
        plain = "".join(
            c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c)
        ).lower()
        small = character.lower()
        if len(plain) == len(small) == 1 and plain != small and plain.isalnum():
            found[small] = plain
    return found
