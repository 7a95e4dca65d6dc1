"""Where a text that a model quotes stands in a file: to the letter, or, in one place only, but for what models get wrong.

What they get wrong is quotation marks and dashes, blanks at the ends of lines, and how far a block is indented.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

import msgspec

_TYPED: Final = str.maketrans(
    dict.fromkeys("‘’‚‛′", "'")
    | dict.fromkeys("“”„‟″«»", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys("\u00a0\u2007\u202f\u2009\u200a\u3000", " ")
)
"""One character for one, so that places stay."""
_MOST_FITS: Final = 1_000
MOST_NAMED: Final = 20
_MOST_NEAR: Final = 3
_NEAR_RATIO: Final = 0.6
_MOST_COMPARED: Final = 20_000
_COMPARED_CHARS: Final = 200
_MOST_LIKELY: Final = 50
"""Lines that are looked at closely."""
_MOST_GUESSED: Final = 2_000_000
"""Characters of a text in which a place is looked for that is not there to the letter."""


class Edit(msgspec.Struct, frozen=True):
    """One change: what stands there, what comes in its place, and whether everywhere."""

    old: str
    new: str
    everywhere: bool = False


class Fit(msgspec.Struct, frozen=True):
    """A place in a text.

    Attributes:
        begin, end: Characters.
        indents: What stands before lines as they were quoted, and as the file has them; none where they are the same.
    """

    begin: int
    end: int
    indents: Mapping[str, str] = {}


class Unfit(Exception):
    """An edit fits nowhere, or in several places; `str()` says so.

    Attributes:
        lines: Of the places that could be meant, from 1.
        what: What they are.
    """

    def __init__(self, reason: str, lines: tuple[int, ...], what: str) -> None:
        self.lines, self.what = lines, what
        super().__init__(reason)


def applied(text: str, edit: Edit) -> str:
    """A text after an edit.

    Raises:
        Unfit: It is nowhere to be made, or in several places.
    """
    if edit.everywhere and edit.old in text:
        return text.replace(edit.old, edit.new)
    fits, is_exact = places_of(text, edit.old)
    if not fits:
        near = nearest(text, edit.old)
        raise Unfit("old_text is not in the file", near, "most like it: line")
    if len(fits) > 1:
        lines = tuple(line_at(text, fit.begin) for fit in fits[:MOST_NAMED])
        how = "" if is_exact else ", but for blanks, indentation and quotation marks,"
        number = f"{len(fits)}" if len(fits) <= _MOST_FITS else f"more than {_MOST_FITS:,}"
        raise Unfit(
            f"old_text{how} stands in {number} places: quote more of what is around the one that is meant"
            + (", or set replace_all" if is_exact else ""),
            lines,
            "line",
        )
    fit = fits[0]
    return f"{text[: fit.begin]}{_indented(edit.new, fit)}{text[fit.end :]}"


def places_of(text: str, old: str) -> tuple[list[Fit], bool]:
    """The first places of a text, which may overlap, and whether they have it to the letter."""
    if found := list(islice(_exact(text, old), _MOST_FITS + 1)):
        return found, True
    if len(text) > _MOST_GUESSED:
        return [], False
    if found := list(islice(_exact(text.translate(_TYPED), old.translate(_TYPED)), _MOST_FITS + 1)):
        return found, False
    for form in (str.rstrip, _typed_end, str.strip, _typed):
        if found := list(islice(_by_lines(text, old, form), _MOST_FITS + 1)):
            return found, False
    return [], False


def _exact(text: str, old: str) -> Iterator[Fit]:
    at = text.find(old)
    while at >= 0:
        yield Fit(at, at + len(old))
        at = text.find(old, at + 1)


def _typed(line: str) -> str:
    return line.translate(_TYPED).strip()


def _typed_end(line: str) -> str:
    return line.translate(_TYPED).rstrip()


def _by_lines(text: str, old: str, form: Callable[[str], str]) -> Iterator[Fit]:
    """Whole lines that are the quoted ones in a form that leaves out what may differ."""
    ends = old.endswith("\n")
    quoted = old.removesuffix("\n").split("\n")
    wanted = [form(line) for line in quoted]
    if not any(wanted):
        return
    lines = text.split("\n")
    starts = _starts(lines)
    for at in _runs("\n".join(form(line) for line in lines), "\n".join(wanted)):
        last = at + len(wanted) - 1
        end = starts[last] + len(lines[last])
        indents = _indents(quoted, lines[at : last + 1])
        yield Fit(starts[at], end + (ends and last + 1 < len(lines)), indents)


def _runs(text: str, lines: str) -> Iterator[int]:
    """The lines, from 0, at which some lines stand in a text, one behind the other; in time that grows with both and no faster."""
    text, lines = f"\n{text}\n", f"\n{lines}\n"
    at, number, counted = text.find(lines), 0, 0
    while at >= 0:
        number += text.count("\n", counted, at)
        counted = at
        yield number
        at = text.find(lines, at + len(lines) - 1)


def _starts(lines: list[str]) -> list[int]:
    starts, at = list[int](), 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    return starts


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _indents(quoted: list[str], lines: list[str]) -> dict[str, str]:
    pairs = [(_indent(one), _indent(other)) for one, other in zip(quoted, lines, strict=True) if one.strip()]
    if all(one == other for one, other in pairs):
        return {}
    return dict(reversed(pairs))  # the first line that has an indentation says what becomes of it


def _indented(new: str, fit: Fit) -> str:
    """The new text as far to the right as the file has the old one."""
    if not fit.indents:
        return new
    return "\n".join(_moved(line, fit.indents) if line.strip() else line for line in new.split("\n"))


def _moved(line: str, indents: Mapping[str, str]) -> str:
    known = max((one for one in indents if line.startswith(one)), key=len, default=None)
    return line if known is None else f"{indents[known]}{line[len(known) :]}"


def nearest(text: str, old: str) -> tuple[int, ...]:
    """The lines, from 1, where something stands that is most like a text: by its longest line."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - for an edit that fits nowhere
    from heapq import nsmallest  # noqa: PLC0415 - as above

    quoted = old.split("\n")
    wanted = max(quoted, key=lambda line: len(line.strip()))
    ahead = quoted.index(wanted)
    matcher = SequenceMatcher(None, "", wanted.strip()[:_COMPARED_CHARS], autojunk=False)
    likely = list[tuple[float, int, str]]()
    for number, line in enumerate(text.split("\n")[:_MOST_COMPARED], 1):
        stripped = line.strip()[:_COMPARED_CHARS]
        matcher.set_seq1(stripped)
        if matcher.real_quick_ratio() > _NEAR_RATIO and (quick := matcher.quick_ratio()) > _NEAR_RATIO:
            likely.append((-quick, number, stripped))
    found = list[tuple[float, int]]()
    for _, number, stripped in nsmallest(_MOST_LIKELY, likely):
        matcher.set_seq1(stripped)
        if (ratio := matcher.ratio()) > _NEAR_RATIO:
            found.append((-ratio, max(1, number - ahead)))
    return tuple(sorted(line for _, line in sorted(found)[:_MOST_NEAR]))


def line_at(text: str, at: int) -> int:
    """The line of a character, from 1."""
    return text.count("\n", 0, at) + 1


__all__ = ["Edit", "Fit", "Unfit", "applied", "line_at", "nearest", "places_of"]
