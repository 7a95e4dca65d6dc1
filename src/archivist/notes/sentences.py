"""Sentences of an entry, to say which of them a replacement drops."""

import re
from typing import Final

from archivist.notes.likeness import normal

_END: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, in order; lines end sentences."""
    return [found for piece in _END.split(text) if (found := piece.strip())]


def lost_sentences(before: str, after: str) -> tuple[str, ...]:
    """The sentences that stood in a text and stand in its replacement no more, as they were."""
    kept = {normal(sentence) for sentence in sentences_of(after)}
    whole = normal(after)
    return tuple(
        sentence
        for sentence in sentences_of(before)
        if normal(sentence) not in kept and normal(sentence) not in whole
    )
