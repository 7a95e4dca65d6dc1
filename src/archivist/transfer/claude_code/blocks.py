"""What the content of a message holds.

The first pass judges a line by it, the second builds messages of it; both see the same.
"""

import msgspec

from archivist.guard.wrappers import person_words
from archivist.records import Part, ToolCall
from archivist.transfer.claude_code.lines import Block, parse_block, raw_text
from archivist.transfer.json_text import unescaped
from archivist.transfer.pieces import REASONING, text_piece

Content = str | list[msgspec.Raw] | None

MEDIA = ("image", "document")
INTERRUPTIONS = ("[Request interrupted by user]", "[Request interrupted by user for tool use]")
"""What the program writes in a person's name when they press Escape."""


class Answer(msgspec.Struct, frozen=True):
    """What an assistant line adds to its response; `pieces` are texts and other parts in order."""

    pieces: list[Part]
    calls: list[ToolCall]
    reasoning: list[str]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said, thought or called."""
        return not (self.pieces or self.calls or self.reasoning)


class Result(msgspec.Struct, frozen=True):
    """One tool result of a user line."""

    call_id: str
    pieces: list[Part]
    is_error: bool


Speech = tuple[list[Result], list[Part]]
"""What a user line says: tool results, and what the person said beside them."""


def read_answer(content: Content) -> Answer:
    """An assistant line's content."""
    answer = Answer([], [], [])
    if isinstance(content, str):
        answer.pieces.extend(text_piece(content))
        return answer
    for raw in content or ():
        block = parse_block(raw)
        if block and block.type in REASONING:
            answer.reasoning.append(raw_text(raw))
        elif block and block.type == "tool_use":
            answer.calls.append(tool_call(block))
        elif block and block.type == "text":
            answer.pieces.extend(text_piece(block.text))
        else:
            answer.pieces.append(_other_part(block, raw))
    return answer


def read_speech(content: Content) -> Speech:
    """A user line's content."""
    results: list[Result] = []
    pieces: list[Part] = []
    if isinstance(content, str):
        _add_words(pieces, content)
        return results, pieces
    for raw in content or ():
        block = parse_block(raw)
        if block and block.type == "tool_result":
            told = _result_pieces(block.content)
            results.append(Result(block.tool_use_id or "", told, block.is_error is True))
        elif block and block.type == "text":
            _add_words(pieces, block.text or "")
        else:
            pieces.append(_other_part(block, raw))
    return results, pieces


def tool_call(block: Block) -> ToolCall:
    """A call, its arguments as JSON text."""
    return ToolCall(block.id or "", block.name or "", unescaped(bytes(block.input)) if block.input else "{}")


def _result_pieces(content: Content) -> list[Part]:
    pieces: list[Part] = []
    if isinstance(content, str):
        return text_piece(content)
    for raw in content or ():
        block = parse_block(raw)
        if block and block.type == "text":
            pieces += text_piece(block.text)
        else:
            pieces.append(_other_part(block, raw))
    return pieces


def _other_part(block: Block | None, raw: msgspec.Raw) -> Part:
    """An image, a document, or a block of a kind that is not known here, kept as JSON."""
    if block and block.type in MEDIA:
        from archivist.transfer.media import source_part  # noqa: PLC0415 - most transcripts are words alone

        return source_part(block.type, block.source or {}, block.title or "")
    return Part(block.type if block and block.type else "unreadable", text=unescaped(bytes(raw)))


def _add_words(pieces: list[Part], text: str) -> None:
    words = person_words(text)
    if words.strip() and words not in INTERRUPTIONS:
        pieces += text_piece(words)
