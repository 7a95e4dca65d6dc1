"""Text made comparable, character for character: lower case, without accents, full width as half width.

Each character is replaced by exactly one, so that a place in the folded text is the same place in the stored
one.
"""

import re
import unicodedata
from typing import Final

from archivist.records.patterns import late_pattern


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


_BASES: Final = _single_bases()
_FOLDABLE: Final = late_pattern("[" + "".join(map(re.escape, sorted(_BASES))) + "]")


def fold(text: str) -> str:
    """The text in lower case, accents and widths levelled, of the same length wherever Unicode allows."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    if len(lowered) != len(text):  # a few capitals have a longer small form; places matter more than those
        lowered = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    return _FOLDABLE.sub(lambda found: _BASES[found[0]], lowered)
