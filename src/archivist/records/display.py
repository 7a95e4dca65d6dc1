"""Text that is safe to show: stored words must not be able to steer a terminal, nor hide from whoever decides on them."""

import unicodedata
from typing import Final

from archivist.records.patterns import late_pattern

_CONTROLS = late_pattern(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)?|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)
"""Escape sequences (ECMA-48) and control characters but newline and tab, and the marks that turn the direction of writing."""
_UNSEEN = late_pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What shows nothing, but newline and tab: control characters, marks of direction and joining, fillers, selectors, tags."""
_NON_JOINER, _JOINER, _TEXT_STYLE, _EMOJI_STYLE = "\u200c", "\u200d", "\ufe0e", "\ufe0f"
_JOINED_SCRIPTS: Final = ("\u0600", "\u1cff")
"""From Arabic to the scripts of India and their neighbours: their letters take other forms beside these marks."""


def plain(text: str) -> str:
    """The text without escape sequences and control characters."""
    return text if text.isprintable() else _CONTROLS.sub("", text)


def visible(text: str) -> str:
    """The text with what nobody would see in it written out, as ⟨U+202E⟩; what emoji and Arabic or Indian letters need stays."""
    return _UNSEEN.sub(lambda found: _written_out(text, found.start()), text)


def _written_out(text: str, at: int) -> str:
    char = text[at]
    before, behind = text[at - 1 : at], text[at + 1 : at + 2]
    if char in {_TEXT_STYLE, _EMOJI_STYLE} and _is_symbol(before):
        return char
    if char in {_NON_JOINER, _JOINER} and _is_joined(before) and _is_joined(behind):
        return char
    if char == _JOINER and _is_symbol(before) and _is_symbol(behind):
        return char
    return f"⟨U+{ord(char):04X}⟩"


def _is_symbol(char: str) -> bool:
    """Whether it may be a part of an emoji."""
    return bool(char) and (
        char in "#*0123456789" or char == _EMOJI_STYLE or unicodedata.category(char) in {"So", "Sk", "Sm"}
    )


def _is_joined(char: str) -> bool:
    first, last = _JOINED_SCRIPTS
    return bool(char) and first <= char <= last and unicodedata.category(char)[0] in "LM"
