"""How a text differs from another, as a unified diff."""

import difflib
from itertools import islice
from typing import Final, NamedTuple

_MOST_LINES: Final = 6_000
"""Of both texts together, as far as they differ at all; to compare more would take seconds."""
_AROUND: Final = 3


class Difference(NamedTuple):
    """A diff, and how many lines it adds and removes."""

    text: str
    added: int
    removed: int


def difference(old: str, new: str, name: str) -> Difference:
    """How a file changes from one text to another."""
    before, after = _lines(old), _lines(new)
    begin = _common(before, after)
    end = _common(before[begin:][::-1], after[begin:][::-1])
    gone, come = before[begin : len(before) - end], after[begin : len(after) - end]
    first = max(0, begin - _AROUND)
    around = before[first:begin], before[len(before) - end :][:_AROUND]
    if len(gone) + len(come) > _MOST_LINES:
        body = [
            *(f" {line}" for line in around[0]),
            *(f"-{line}" for line in gone),
            *(f"+{line}" for line in come),
        ]
        body += [f" {line}" for line in around[1]]
        head = f"@@ -{first + 1},{len(body) - len(come)} +{first + 1},{len(body) - len(gone)} @@"
        return Difference("\n".join([f"--- {name}", f"+++ {name}", head, *body]), len(come), len(gone))
    made = difflib.unified_diff(
        [*around[0], *gone, *around[1]], [*around[0], *come, *around[1]], n=_AROUND, lineterm=""
    )
    body = [_moved(line, first) for line in islice(made, 2, None)]
    added = sum(line.startswith("+") for line in body)
    removed = sum(line.startswith("-") for line in body)
    return Difference("\n".join([f"--- {name}", f"+++ {name}", *body]), added, removed)


def _lines(text: str) -> list[str]:
    return text.split("\n")[:-1] if text.endswith("\n") else [*text.split("\n")[:-1], *_last(text)]


def _last(text: str) -> list[str]:
    """The last line, of which a diff says that no newline ends it."""
    last = text.rsplit("\n", 1)[-1]
    return [f"{last}\n\\ No newline at end of file"] if last else []


def _common(one: list[str], other: list[str]) -> int:
    """How many lines two lists share from their beginning."""
    for at, (here, there) in enumerate(zip(one, other, strict=False)):
        if here != there:
            return at
    return min(len(one), len(other))


def _moved(line: str, by: int) -> str:
    """A head of a hunk with the numbers of the whole file."""
    if not by or not line.startswith("@@ "):
        return line
    old, new = line[3:-3].split(" ")
    return f"@@ {_shifted(old, by)} {_shifted(new, by)} @@"


def _shifted(span: str, by: int) -> str:
    start, comma, count = span[1:].partition(",")
    return f"{span[0]}{int(start) + by}{comma}{count}"


__all__ = ["Difference", "difference"]
