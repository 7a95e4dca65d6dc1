"""Whose words a machine printed, where they are not its own: a page's, a mail's, a document's, or somebody's who speaks to the reader."""

import re
from typing import Final, Literal

from archivist.guard.origins.addressing import addressing_sentence
from archivist.guard.origins.speech import is_prose
from archivist.guard.origins.tools import lines_of_documents
from archivist.records.digest import text_digest
from archivist.records.patterns import late_pattern

TextOrigin = Literal["web", "document", "tool", "agent", "member", "import", "provider", "unknown"]
"""Whose words a text holds: a page's; a document's; a tool's or what came through one, such as mail; another agent's; a member's of a
group; another program's; nobody knows whose."""

_MARKED_UP: Final = late_pattern(
    r"\A\s*(?:<!doctype html|<html|<\?xml|HTTP/\d)|<(?:body|head|article|main)\b[^>]*>", re.IGNORECASE
)
_MAIL: Final = late_pattern(
    r"^(?:from|to|subject|reply-to|message-id|received|return-path|mime-version): \S",
    re.IGNORECASE | re.MULTILINE,
)
_INVISIBLE: Final = late_pattern("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_LEAST_OF_MAIL: Final = 2
_LEAST_WORDS: Final = 4
"""Of a line of a document that says something."""


def origin_of_print(text: str) -> TextOrigin | None:
    """Whose words a machine printed that are not its own; remembered, for a conversation is asked about again and again."""
    key = text_digest(text)  # nothing may be made to look like what was judged before
    found = _PRINTS.get(key, "")
    if found == "":
        if len(_PRINTS) >= _MOST_REMEMBERED:
            _PRINTS.clear()
        found = _PRINTS[key] = _judged_print(text)
    return found


def _judged_print(text: str) -> TextOrigin | None:
    if not text:
        return None
    head = text[:4_000]
    if _MARKED_UP.search(head):
        return "web"
    if len({found[0].partition(":")[0].lower() for found in _MAIL.finditer(head)}) >= _LEAST_OF_MAIL:
        return "tool"
    if any(len(line.split()) >= _LEAST_WORDS and is_prose(line) for line in lines_of_documents(text)):
        return "document"
    return "tool" if addressing_sentence(text) or _hides_an_order(text) else None


def _hides_an_order(text: str) -> bool:
    """Whether a text has what nobody sees, and in it what steers a model."""
    if text.isascii() or not _INVISIBLE.search(text):
        return False
    from archivist.guard.scanning import scan  # noqa: PLC0415 - hardly any print has what it is asked about

    return any(found.severity == "block" for found in scan(text))


_PRINTS: Final[dict[str, TextOrigin | Literal[""] | None]] = {}
_MOST_REMEMBERED: Final = 65_536

__all__ = ["TextOrigin", "origin_of_print"]
