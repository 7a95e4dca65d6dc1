"""Characters that cannot be seen, where they have no business.

What a script, an emoji or a line break needs stays: joiners in Persian, Arabic and Indic words and in emoji families, variation
selectors after what they vary, flags spelled in tag characters, direction marks and isolates, a byte order mark at the start, soft
hyphens, the breaks of scripts without spaces.
"""

from collections.abc import Iterator

from archivist.guard.scanning.findings import Finding, Severity
from archivist.records.patterns import late_pattern

_RUNS = late_pattern(
    "[\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff\u115f\u1160\u3164\uffa0\U000e0000-\U000e0fff]+"
)
_FLAG = late_pattern("\U0001f3f4\ufe0f?(?:[\U000e0061-\U000e007a\U000e0030-\U000e0039]{3,7})\U000e007f")
_TAGS = late_pattern("[\U000e0020-\U000e007e]")
_OVERRIDES = frozenset("\u202d\u202e")
_SELECTORS = late_pattern("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_ZERO_WIDTH = late_pattern("[\u180e\u200b-\u200d\u2060-\u2064\ufeff]")
_LONG_RUN = 6


def find_invisible(text: str) -> Iterator[Finding]:
    """Findings of the kind `hidden`."""
    if text.isascii():
        return
    flags = _flag_places(text)
    for found in _RUNS.finditer(text):
        run = found.group()
        judged = _judged(run) if found.start() not in flags or len(run) > _LONG_RUN + 2 else None
        if judged is not None:
            severity, reason = judged
            yield Finding("hidden", *found.span(), severity, reason)


def _flag_places(text: str) -> set[int]:
    """Where the tag characters of a flag may begin, which a variation selector may precede."""
    if "\U0001f3f4" not in text:
        return set()
    return {found.start() + step for found in _FLAG.finditer(text) for step in (1, 2)}


def _judged(run: str) -> tuple[Severity, str] | None:
    """What is wrong with one run of them, if anything."""
    tags = _TAGS.findall(run)
    if tags:
        return ("block" if len(tags) > 1 else "warn"), "carries words that cannot be seen"
    if _OVERRIDES.intersection(run):
        return "block", "turns the direction of its letters, so that it reads otherwise than it looks"
    if len(_SELECTORS.findall(run)) > 2:
        return "block", "carries bytes in variation selectors that cannot be seen"
    if len(_ZERO_WIDTH.findall(run)) >= _LONG_RUN:
        return "block", "carries a run of characters without width"
    return None
