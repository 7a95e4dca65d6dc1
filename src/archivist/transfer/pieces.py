"""Messages out of pieces: texts and other parts in order."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from archivist.records import Part
from archivist.records.compactions import COMPACTIONS
from archivist.transfer.json_text import without_surrogates
from archivist.transfer.reasons import BY, BY_AGENT, INFERRED, IS_ERROR, SOURCE_IDS, TIME

REASONING: Final = frozenset({"thinking", "redacted_thinking"}) | COMPACTIONS
"""Blocks that are nobody's words and that their provider wants back to the letter."""


def text_piece(text: object) -> list[Part]:
    """A text as a piece; none where it is empty, or no text."""
    return [Part("text", without_surrogates(text))] if isinstance(text, str) and text else []


def text_of(pieces: Iterable[Part], between: str = "\n") -> str:
    """The plain text: what the text pieces say, one below the other."""
    return between.join(piece.text for piece in pieces if piece.kind == "text")


def parts_of(pieces: Sequence[Part]) -> tuple[Part, ...]:
    """The structured form: empty where the text is all there is."""
    return tuple(pieces) if any(piece.kind != "text" for piece in pieces) else ()


def reasoning_of(blocks: Sequence[str]) -> str | None:
    """Blocks of JSON text as one: a list."""
    return f"[{','.join(blocks)}]" if blocks else None


def facts(
    source_ids: Sequence[str], *, is_inferred: bool = False, is_error: bool = False, by_agent: bool = False
) -> dict[str, Any]:
    """What a message's metadata says in every format.

    Args:
        source_ids: The source's own ids of the records that the message is made of.
        is_inferred: Whether its time is not its own.
        is_error: Whether it is the result of a call that failed.
        by_agent: Whether an agent wrote what stands in a person's place.
    """
    told: dict[str, Any] = {SOURCE_IDS: list(source_ids)}
    if is_inferred:
        told[TIME] = INFERRED
    if is_error:
        told[IS_ERROR] = True
    if by_agent:
        told[BY] = BY_AGENT
    return told
