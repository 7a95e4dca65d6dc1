"""What of a text a file has already: whoever is asked twice what happened today often tells everything again.

A text is cut into statements: a list item with what is below it, a paragraph, a fence. One is known if the file has the same, letter for
letter, below the same headings; only white space may differ, and not between lines that are indented otherwise. One of which the file
has a part is new, unless it is the whole file and more. A heading, and a line that ends in a colon, stays with what stays below it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]|\Z)")
_ITEM: Final = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+(?=\S)")
_BULLET: Final = re.compile(r"[ \t]*[-*+•][ \t]+(?=\S)")
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")

_COLONS: Final = (":", "：")
_LEAD: Final = 7
"""The level of a line that leads to a list, below all headings."""


class Piece(msgspec.Struct, frozen=True):
    """Some lines that belong together, and the blank ones above them.

    Attributes:
        key: The headings above it and what it says, whatever bullet is before it.
        heading: Of which level it is one; 0 for anything else.
    """

    lines: tuple[str, ...]
    blanks: int
    key: tuple[str, ...]
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
    return list(_placed(found))


def fresh(text: str, known: Sequence[Piece], otherwise: Sequence[Piece] = ()) -> str:
    """What of a text is not known; all of it, as it is, where nothing is.

    Args:
        known: The pieces of a file.
        otherwise: Some of them as they may be told too.
    """
    keys = {piece.key for piece in (*known, *otherwise)}
    pieces = pieces_of(text)
    stays = [piece.key not in keys for piece in pieces]
    for number, piece in enumerate(pieces):
        if piece.heading and (below := _below(pieces, number)):
            stays[number] = any(stays[at] for at in below)
    if len(known) == 1 and pieces and (grown := _grown(pieces[0], known[0])):
        pieces[0] = grown
    elif all(stays):
        return text
    lines: list[str] = []
    leads = False
    for piece, is_fresh in zip(pieces, stays, strict=True):
        if is_fresh:
            lines += [""] * max(piece.blanks, leads) + list(piece.lines)
            leads = piece.heading == _LEAD
    return "\n".join(lines).strip("\n")


def _grown(piece: Piece, file: Piece) -> Piece | None:
    """What follows all of a file of several lines, unless it may go on with the last of them."""
    count = len(file.lines)
    begins = count > 1 and count < len(piece.lines) and piece.lines[:count] == file.lines
    if not begins or _FENCE.match(file.lines[0]) or not _begins_anew(piece.lines[count]):
        return None
    return Piece(piece.lines[count:], piece.blanks, piece.key)


def _begins_anew(line: str) -> bool:
    return not line[0].isspace() and not line[0].islower()


def _below(pieces: Sequence[Piece], number: int) -> list[int]:
    """What stands below a heading, or is listed below a line that leads to it, and is neither."""
    above = pieces[number].key
    found = []
    for at in range(number + 1, len(pieces)):
        if pieces[at].key[: len(above)] != above or pieces[at].key == above:
            break
        if not pieces[at].heading:
            found.append(at)
    return found


def _placed(found: Iterable[tuple[int, list[str]]]) -> Iterator[Piece]:
    """Lines as pieces that know what stands above them."""
    above: list[tuple[int, str]] = []
    for blanks, lines in found:
        heading = _HEADING.match(lines[0])
        is_item = _ITEM.match(lines[0]) is not None
        level = len(heading[1]) if heading else 0
        if not is_item and lines[-1].rstrip().endswith(_COLONS) and not level:
            level = _LEAD
        if not is_item:
            while above and above[-1][0] >= (level or _LEAD):
                above.pop()
        said = _said(lines)
        yield Piece(tuple(lines), blanks, (*(words for _, words in above), said), level)
        if level:
            above.append((level, said))


def _said(lines: Sequence[str]) -> str:
    """What lines say, in one way for all ways to wrap them; with their indentation where that may mean something."""
    item = _ITEM.match(lines[0])
    bullet = _BULLET.match(lines[0])
    own = "" if item else lines[0][: _indent(lines[0])]
    first = own + lines[0][bullet.end() if bullet else _indent(lines[0]) :]
    rest = lines[1:] if item else [first, *lines[1:]]
    indents = {_indent(line) for line in rest if line.strip()}
    if len(indents) < 2 and not _FENCE.match(lines[0]) and not any(map(_ITEM.match, lines[1:])):
        return " ".join(" ".join([first, *lines[1:]]).split())
    least = min(indents, default=0)
    bare = [line[least:].rstrip() for line in rest]
    return "\n".join([first.rstrip(), *bare] if item else bare)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


__all__ = ["Piece", "fresh", "pieces_of"]
