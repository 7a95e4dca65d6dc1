"""The steps of an agent told by rules: a line for each output, the newest first to stay, each with the id that reads it back."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from archivist.compress.pruning import line_for
from archivist.compress.reading import Read
from archivist.compress.summary_form import body_of, is_summary, section_of
from archivist.compress.weighing import tokens

HEADING: Final = "## Steps"


def steps(read: Sequence[Read], budget: int) -> str:
    """A section with the newest steps that fit, those of an earlier summary among them; empty where none does.

    Args:
        read: The messages that are compressed.
        budget: In tokens.
    """
    kept: list[str] = []
    spent = tokens(HEADING)
    for line in _newest_first(read):
        spent += tokens(line)
        if spent > budget:
            break
        kept.append(f"- {line}")
    return "\n".join((HEADING, *reversed(kept))) if kept else ""


def _newest_first(read: Sequence[Read]) -> Iterator[str]:
    said: set[str] = set()
    for one in reversed(read):
        if is_summary(one.message):
            yield from _told_before(section_of(body_of(one.text), HEADING).splitlines())
        elif one.role == "tool" and one.text not in said:
            said.add(one.text)
            yield line_for(one)


def _told_before(rows: Iterable[str]) -> Iterator[str]:
    yield from (row.removeprefix("- ") for row in reversed([*rows]) if row.startswith("- "))


__all__ = ["HEADING", "steps"]
