"""What changed in the notes since a session was given them, as one part of its next message: the snapshot itself holds still.

The text names the change up to which it tells. A message that has it carries the news, for as long as it stands.
"""

import re
from collections.abc import Container, Iterator, Sequence
from typing import Final

from archivist.notes.withholding import sight_of
from archivist.prompt.fence import NEWS_OPENING
from archivist.prompt.heads import short_title
from archivist.prompt.known import Knowledge, in_other_ids, is_same
from archivist.prompt.wording import cut, cut_marker, wording_of
from archivist.records.notes import Entry, EntryOrigin
from archivist.records.patterns import late_pattern

OPENING: Final = NEWS_OPENING
"""What every news begins with, followed by the id of a change."""

LONGEST_LINE: Final = 300
LONGEST: Final = 2_000

_RESERVE: Final = len("\n… 99,999 more changes; recall finds them")
_CARRIED: Final = late_pattern(rf"{re.escape(OPENING)}(\w+)\):")


def news_since(
    known: Knowledge,
    now: Sequence[Entry],
    change: str,
    *,
    longest: int = LONGEST,
    allowed: Container[str] = (),
) -> str:
    """The changes as one text; empty where there are none.

    What moved to the archive is no news: it still holds. What came back is news where the session does not know it.

    Args:
        known: What the session knows.
        now: The entries that there are in the same levels, the archive's included.
        change: The newest change that they show.
        longest: Characters at most. What does not fit is counted; what no longer holds is told before what is new.
        allowed: The ids of blocks that are told whatever is found in them.
    """
    changes = list(_changes(known, now, allowed))
    if not changes:
        return ""
    heading = f"{OPENING}{change}):"
    room = longest - len(heading) - _RESERVE
    told: set[int] = set()
    for number, (_, line) in sorted(enumerate(changes), key=lambda change: change[1][0] == "+"):
        if len(line) + 1 <= room:
            told.add(number)
            room -= len(line) + 1
    lines = [heading, *(line for number, (_, line) in enumerate(changes) if number in told)]
    if more := len(changes) - len(told):
        lines.append(
            f"… {more:,} more changes; recall finds them" if more > 1 else "… 1 more change; recall finds it"
        )
    return "\n".join(lines)


def carried_in(text: str) -> list[str]:
    """The changes up to which the news in a text tell."""
    return _CARRIED.findall(text)


def _changes(known: Knowledge, now: Sequence[Entry], allowed: Container[str]) -> Iterator[tuple[str, str]]:
    """The sign and the line of each, what was added first, then what was changed and what is gone."""
    present = {entry.id: entry for entry in now if entry.status == "active"}
    renamed = dict(in_other_ids(known, present))
    again = set(renamed.values())
    for key, entry in present.items():
        if key not in known and key not in again and entry.tier == "core":
            line = _line(key, entry.text, entry.origin, allowed)
            yield "+", f"+ added to {short_title(entry.target, entry.scope)}: {line}"
    for key, entry in present.items():
        if key in known and not _is_known(entry, words := known[key].words, allowed):
            line, was = (_line(key, text, entry.origin, allowed) for text in (entry.text, words or ""))
            yield "~", f"~ changed in {short_title(entry.target, entry.scope)}: {line} (was: {was})"
    for key, one in known.items():
        if key not in present and key not in renamed and one.is_seen:
            line = _line(key, one.words or key, None, allowed)
            yield "-", f"- removed from {short_title(one.target, one.scope)}: {line}"


def _is_known(entry: Entry, words: str | None, allowed: Container[str]) -> bool:
    """Whether a session knows an entry as it is, or as it is shown while a part of it is withheld."""
    return is_same(words, entry.text) or is_same(words, _shown(entry.id, entry.text, entry.origin, allowed))


def _shown(key: str, words: str, origin: EntryOrigin | None, allowed: Container[str]) -> str:
    return sight_of(wording_of(words).text, key, origin, allowed).text


def _line(key: str, words: str, origin: EntryOrigin | None, allowed: Container[str]) -> str:
    """An entry's words on one line, the end of long ones cut."""
    text = " ".join(_shown(key, words, origin, allowed).split())
    if len(text) <= LONGEST_LINE:
        return text
    return cut(text, LONGEST_LINE, key, anywhere=True) or cut_marker(len(text), key).strip()


__all__ = ["OPENING", "carried_in", "news_since"]
