"""What of a text a file has already: whoever is asked twice what happened today often tells everything again.

A text is cut into pieces: a heading, a list item with what is below it, a paragraph, a fence. A piece is known if the file has the same
words; one that begins with all the lines of a longer piece of the file, or with the whole file, is new from there on. A heading stays
with what stays below it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from archivist.notes.likeness import normal

_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]|\Z)")
_ITEM: Final = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+(?=\S)")
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")

Key = tuple[str, ...]


class Piece(msgspec.Struct, frozen=True):
    """Some lines that belong together, and the blank ones above them.

    Attributes:
        key: What the lines say, whatever marks the item.
        heading: Of which level it is one; 0 for anything else.
    """

    lines: tuple[str, ...]
    blanks: int
    key: Key
    heading: int = 0


def pieces_of(text: str) -> list[Piece]:
    """A text in pieces; together they are all of its lines."""
    found: list[tuple[int, list[str]]] = []
    blanks, indent, is_open, is_fenced = 0, 0, False, False
    for line in text.split("\n"):
        item = None if is_fenced else _ITEM.match(line)
        is_fence = _FENCE.match(line) is not None
        if not line.strip() and not is_fenced:
            blanks, is_open = blanks + 1, False
            continue
        is_heading = not is_fenced and _HEADING.match(line) is not None
        width = len(item[1].expandtabs(4)) if item else None
        is_part = is_open and not is_heading and (width is None or width > indent)
        if is_part or (is_fenced and found):
            found[-1][1].append(line)
        else:
            found.append((blanks, [line]))
            indent = width if width is not None else -1
        blanks, is_open, is_fenced = 0, not is_heading, is_fenced != is_fence
    return [_piece(lines, above) for above, lines in found]


def fresh(text: str, known: Sequence[Piece], otherwise: Sequence[Piece] = ()) -> str:
    """What of a text is not known; all of it, as it is, where nothing is.

    Args:
        known: The pieces of a file.
        otherwise: Some of them as they may be told too.
    """
    keys = {" ".join(piece.key) for piece in (*known, *otherwise)}
    beginnings = {piece.key for piece in (*known, *otherwise) if len(piece.key) > 1 or len(known) == 1}
    pieces = pieces_of(text)
    lengths = sorted({len(key) for key in beginnings}, reverse=True)
    kept = [_rest(piece, keys, beginnings, lengths) for piece in pieces]
    for number, piece in enumerate(pieces):
        if piece.heading:
            below = _below(pieces, number)
            stays = any(kept[at] is not None for at in below) if below else kept[number] is not None
            kept[number] = piece if stays else None
    if kept == pieces:
        return text
    lines: list[str] = []
    for rest in kept:
        if rest is not None:
            lines += [""] * rest.blanks + list(rest.lines)
    return "\n".join(lines).strip("\n")


def _rest(piece: Piece, keys: set[str], beginnings: set[Key], lengths: Iterable[int]) -> Piece | None:
    if " ".join(piece.key) in keys:
        return None
    for count in lengths:
        if count < len(piece.key) and piece.key[:count] in beginnings:
            return Piece(piece.lines[count:], piece.blanks, piece.key[count:])
    return piece


def _below(pieces: Sequence[Piece], number: int) -> list[int]:
    """What stands below a heading and is none."""
    found = []
    for at in range(number + 1, len(pieces)):
        if 0 < pieces[at].heading <= pieces[number].heading:
            break
        if not pieces[at].heading:
            found.append(at)
    return found


def _piece(lines: Iterable[str], blanks: int) -> Piece:
    lines = tuple(lines)
    heading = _HEADING.match(lines[0])
    said = (_ITEM.sub("", line, count=1) if _ITEM.match(line) else line for line in lines)
    return Piece(lines, blanks, tuple(map(normal, said)), len(heading[1]) if heading else 0)


__all__ = ["Piece", "fresh", "pieces_of"]
