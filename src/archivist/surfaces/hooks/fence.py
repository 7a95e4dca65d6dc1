"""How much a host is given at once within a fence, and what its transcripts tell of what it was given before."""

from archivist.records.patterns import late_pattern

MOST_UNITS = 9_500
"""What is given at once, in units of UTF-16: of more than 10,000 Claude Code shows its model the beginning alone, and names a file."""
LONGEST_TAIL = 64 << 20
"""Bytes of a transcript that are looked through for the newest snapshot."""

_SNAPSHOT = late_pattern(
    r'<memory-context source=\\"archivist\\" session=\\"([^"\\<>]{1,200})\\" snapshot=\\"([0-9a-f]{16})\\">'
)


def fitting(text: str, delimiter: str, rest: str) -> str:
    """As much of a text as a model may be given at once, cut between two parts, with a line about the rest where there is one.

    Args:
        text: What it is told.
        delimiter: Stands between two parts.
        rest: The line.
    """
    if units_of(text) <= MOST_UNITS:
        return text
    room, kept = MOST_UNITS - units_of(rest) - len(delimiter), list[str]()
    for part in text.split(delimiter):
        room -= units_of(part) + len(delimiter)
        if room < 0:
            break
        kept.append(part)
    return delimiter.join([*kept, rest])


def units_of(text: str) -> int:
    """How long a text is where characters are counted in units of UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def newest_snapshot(transcript: str) -> tuple[str, str] | None:
    """The session and the hash of the last snapshot that a transcript carries, as the first characters of it; None where it has none."""
    found = None
    for found in _SNAPSHOT.finditer(transcript):  # noqa: B007 - the last one is meant
        pass
    return None if found is None else (found[1], found[2])
