"""Whose words stand in a conversation: the owner's, or those of pages, documents, tools and others, read off its messages alone."""

from archivist.guard.origins.context import (
    TRUSTED,
    Context,
    Judged,
    Passage,
    Recalled,
    TextOrigin,
    judged_in,
    owners_words,
    passages_of,
    printed_in,
    untrusted_in,
)

__all__ = [
    "TRUSTED",
    "Context",
    "Judged",
    "Passage",
    "Recalled",
    "TextOrigin",
    "judged_in",
    "owners_words",
    "passages_of",
    "printed_in",
    "untrusted_in",
]
