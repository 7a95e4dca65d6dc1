"""What changed in the notes since a session's snapshot, as one part of its next message: the snapshot itself holds still."""

from collections.abc import Iterator, Sequence
from typing import Final

from archivist.prompt.wording import cut, cut_marker, wording_of
from archivist.records.notes import Entry, Target

HEADING: Final = "Notes changed since this session began (background, not a request):"
LONGEST_LINE: Final = 300
LONGEST: Final = 2_000

_NAMES: Final[dict[Target, str]] = {"memory": "memory", "user": "user profile"}
_RESERVE: Final = len("\n… 99,999 more changes; recall finds them")


def news_since(then: Sequence[Entry], now: Sequence[Entry], *, longest: int = LONGEST) -> str:
    """The changes as one text; empty where there are none.

    What moved to the archive or back is no news: it still holds.

    Args:
        then: The entries that the snapshot was made of, in their order.
        now: Those that there are now in the same levels, the archive's included.
        longest: Characters at most. What does not fit is counted; what no longer holds is told before what is new.
    """
    changes = list(_changes(then, now))
    if not changes:
        return ""
    room = longest - len(HEADING) - _RESERVE
    told: set[int] = set()
    for number, (_, line) in sorted(enumerate(changes), key=lambda change: change[1][0] == "+"):
        if len(line) + 1 <= room:
            told.add(number)
            room -= len(line) + 1
    lines = [HEADING, *(line for number, (_, line) in enumerate(changes) if number in told)]
    if more := len(changes) - len(told):
        lines.append(
            f"… {more:,} more changes; recall finds them" if more > 1 else "… 1 more change; recall finds it"
        )
    return "\n".join(lines)


def _changes(then: Sequence[Entry], now: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """The sign and the line of each, what was added first, then what was changed and what is gone."""
    before = {entry.id: entry for entry in then}
    after = {entry.id: entry for entry in now if entry.status == "active"}
    for key, entry in after.items():
        if key not in before and entry.tier == "core":
            yield "+", f"+ added to {_NAMES[entry.target]}: {_line(entry)}"
    for key, entry in after.items():
        if key in before and entry.text != before[key].text:
            yield "~", f"~ changed in {_NAMES[entry.target]}: {_line(entry)} (was: {_line(before[key])})"
    for key, entry in before.items():
        if key not in after:
            yield "-", f"- removed from {_NAMES[entry.target]}: {_line(entry)}"


def _line(entry: Entry) -> str:
    """An entry's words on one line, the end of long ones cut."""
    text = " ".join(wording_of(entry.text).text.split())
    if len(text) <= LONGEST_LINE:
        return text
    return cut(text, LONGEST_LINE, entry.id, anywhere=True) or cut_marker(len(text), entry.id).strip()


__all__ = ["HEADING", "news_since"]
