"""What is shown of a text with findings: every block but those that have one.

This is the one meaning of a finding that blocks, wherever text reaches a model or a page: its block is left out, a line in its place says
why and how to see it, every other byte stays, and what is on disk is not touched. A block is a paragraph, an item of a list, a heading,
a row of a table or a fenced piece of code. Pure: what the owner has allowed is passed in.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache

import msgspec

from archivist.guard.scanning.findings import Finding
from archivist.guard.scanning.scanning import scan
from archivist.records.digest import text_digest
from archivist.records.patterns import late_pattern

_FENCE = late_pattern(r"[ \t>]*(`{3,}|~{3,})")
_ITEM = late_pattern(r"[ \t>]*(?:[-*+•]|\d{1,9}[.)])[ \t]+")
_ALONE = late_pattern(r"[ \t>]*(?:#{1,6}[ \t]|\|)")
_SENTENCE_END = late_pattern(r"[.!?][\"')\]]{0,3}(?=\s)|[。！？][”」』)）]?")
_SPACES = late_pattern(r"\s{0,100}")
_LONG_LINE_CHARS = 2_000
_STRETCH_CHARS = 400
_APART = frozenset({"", "§"})
ID_CHARS = 32
"""128 bits: nobody finds a harmless block and another with the same id."""
_REMEMBERED_CHARS = 2_100
"""Of texts as they stand in a page of hits; of longer ones nothing is remembered."""


class Block(msgspec.Struct, frozen=True):
    """A block that is not shown.

    Attributes:
        id: What it is known by, made of its words alone: the same block has the same id everywhere.
        start: Where it begins in the text, in characters.
        end: Where it ends, exclusive.
        findings: What blocks it.
    """

    id: str
    start: int
    end: int
    findings: tuple[Finding, ...]


class Shown(msgspec.Struct, frozen=True):
    """What is shown of a text, and which blocks are not; `text` is the very same string where all of it is."""

    text: str
    withheld: tuple[Block, ...] = ()


def shown(
    text: str, how: str, *, allowed: Container[str] = (), whole: Callable[[], str] | None = None
) -> Shown:
    """What of a text may be shown.

    Args:
        text: Any text.
        how: How a person sees and allows a block, with `{id}` for its id; see `how_to_see`.
        allowed: The ids of blocks that the owner has allowed.
        whole: Gives the text of which this is a stretch: where something is found, the blocks of that one are meant, so that what is
            allowed is allowed however it is cut.
    """
    blocking = _remembered(text) if len(text) <= _REMEMBERED_CHARS else _blocking(text)
    if not blocking:
        return Shown(text)
    source = None if whole is None else _Whole(whole())
    withheld = [
        left
        for block in _blocked(text, blocking)
        if (left := _left(block, source.ids(block, text) if source else (), allowed)) is not None
    ]
    parts: list[str] = []
    done = 0
    for block in withheld:
        parts += [text[done : block.start], _mark(text[block.start : block.end], block, how)]
        done = block.end
    return Shown("".join([*parts, text[done:]]) if withheld else text, tuple(withheld))


def _blocking(text: str) -> tuple[Finding, ...]:
    return tuple(found for found in scan(text) if found.severity == "block")


_remembered = lru_cache(maxsize=512)(_blocking)
"""A server is asked for the same titles, names and messages again and again."""


def how_to_see(command: str) -> str:
    """How a person sees what is withheld, and allows it.

    Args:
        command: Of the command line, that shows it: "memory show e01j2k".
    """
    return f"archivist {command} shows it, archivist guard allow {{id}} allows it"


def block_id(words: str) -> str:
    """The id of a block of these words: of 32 hexadecimal digits; white space around it makes no difference."""
    return text_digest(words.strip())[:ID_CHARS]


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Where the blocks of a text begin and end, without the line end that closes them; what stands between is white space and `§`.

    A line of more than 2,000 characters, which may be a whole page, is divided further, after sentences.
    """
    for start, end in _whole_blocks(text):
        if end - start <= _LONG_LINE_CHARS or "\n" in text[start:end]:
            yield start, end
        else:
            yield from _sentences(text, start, end)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A long line in stretches of whole sentences, each of at least 400 characters where there are as many."""
    for found in _SENTENCE_END.finditer(text, start, end):
        if found.end() - start >= _STRETCH_CHARS:
            yield start, found.end()
            spaces = _SPACES.match(text, found.end(), end)
            start = spaces.end() if spaces else found.end()
    if end > start:
        yield start, end


def _whole_blocks(text: str) -> Iterator[tuple[int, int]]:
    start = end = at = 0
    fence = ""
    for line in text.splitlines(keepends=True):
        words = line.strip()
        opening = _FENCE.match(line)
        if not fence and (words in _APART or opening or _ITEM.match(line) or _ALONE.match(line)):
            if end > start:
                yield start, end
            start = end = at
        if fence or words not in _APART:
            end = at + len(line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"))
        at += len(line)
        closes = bool(fence and opening and opening[1].startswith(fence) and words.strip("`~> \t") == "")
        if closes or (not fence and (words in _APART or _ALONE.match(line))):
            if end > start:
                yield start, end
            start = end = at
        fence = "" if closes else fence or (opening[1] if opening else "")
    if end > start:
        yield start, end


def _left(block: Block, ids: Sequence[str], allowed: Container[str]) -> Block | None:
    """A block as it is still to be allowed, under the first of these ids that is not, or its own; None where nothing is left to allow."""
    left = next((one for one in ids or (block.id,) if one not in allowed), None)
    return None if left is None else msgspec.structs.replace(block, id=left)


class _Whole:
    """The text of which another is a stretch, and its blocks."""

    def __init__(self, text: str) -> None:
        self._text, self._blocks = text, list(blocks(text))

    def ids(self, block: Block, text: str) -> list[str]:
        """The blocks of the whole in which the very words stand that were found in a block of the stretch."""
        found = dict.fromkeys(
            key
            for one in block.findings
            for key in self._around(text[max(one.start, block.start) : min(one.end, block.end)])
        )
        return list(found)

    def _around(self, words: str) -> Iterator[str]:
        at = self._text.find(words) if words else -1
        while at >= 0:
            end = at + len(words)
            inside = [(low, high) for low, high in self._blocks if low < end and high > at]
            yield from (block_id(self._text[low:high]) for low, high in inside)
            at = self._text.find(words, max(end, *(high for _, high in inside), at + 1))


def _blocked(text: str, blocking: Sequence[Finding]) -> Iterator[Block]:
    """The blocks in which something blocks; a finding over several blocks is in each of them."""
    open_ones: list[Finding] = []
    coming = iter([*blocking, None])
    following = next(coming)
    for start, end in blocks(text):
        while following is not None and following.start < end:
            open_ones.append(following)
            following = next(coming)
        open_ones = [found for found in open_ones if found.end > start]
        if open_ones:
            yield Block(block_id(text[start:end]), start, end, tuple(open_ones))


def _mark(words: str, block: Block, how: str) -> str:
    """The line in place of a block; an item of a list stays one."""
    item = _ITEM.match(words)
    kinds = ", ".join(dict.fromkeys(found.kind for found in block.findings))
    reason = block.findings[0].reason
    return f"{item.group() if item else ''}[withheld ({kinds}): it {reason}; {how.replace('{id}', block.id)}]"
