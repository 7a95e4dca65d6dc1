"""From a text to what is suspicious in it: pure, in linear time, for any text of any length."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from archivist.guard.scanning.commands import find_commands, gives_back, runs_download
from archivist.guard.scanning.disguises import DISGUISES
from archivist.guard.scanning.findings import Finding, Severity, settled
from archivist.guard.scanning.invisible import find_invisible
from archivist.guard.scanning.markup import Hidden, find_beacons, hidden_stretches
from archivist.guard.scanning.payloads import Payload, payloads
from archivist.guard.scanning.reading import Reading

_NEIGHBOURHOOD_CHARS = 200
_DEPTH = 2
"""How many codes within codes are undone."""
_ADDRESSED = ("recommend", "covert", "drop", "utter")


def scan(text: str) -> tuple[Finding, ...]:
    """What is suspicious in a text, in its order; empty for almost every text.

    A finding whose severity is `block` says that the text is not to be shown to a model or stored as it is; `warn` marks what is odd, or
    only reported. The text is read through look-alike letters, invisible characters, markup and codes, in more than thirty languages.

    Args:
        text: Any text, of any length; lone surrogates too.
    """
    return settled(list(_found(text, _DEPTH)))


def _found(text: str, depth: int) -> Iterator[Finding]:
    reading = Reading(text)
    said = (found for found in reading.findings() if not gives_back(text, found.start))
    plain = [*said, *find_commands(text), *find_beacons(text)]
    yield from plain
    disguised = [found for found in _disguised(reading, plain) if not gives_back(text, found.start)]
    yield from disguised
    yield from find_invisible(text)
    yield from _hidden(text, sorted([*plain, *disguised], key=lambda found: found.start))
    if depth:
        for payload in payloads(text, reading.tokens.different):
            yield from _encoded(payload, depth - 1)


def _disguised(reading: Reading, plain: list[Finding]) -> Iterator[Finding]:
    """What is found only where a disguise is taken off."""
    folded, words = reading.folded, reading.tokens.different
    seen = _Seen(plain)
    for disguise in DISGUISES:
        for low, high in _stretches(disguise.places(folded.text, words), len(folded.text)):
            anew = disguise.undone(folded.text[low:high])
            for found in Reading(anew.text).findings():
                start, end = anew.span(found.start, found.end)
                start, end = folded.original(low + start), folded.original(low + end - 1) + 1
                if not seen.overlaps(found.kind, start, end):
                    yield Finding(
                        found.kind, start, end, found.severity, f"{found.reason}, in {disguise.name}"
                    )


class _Seen:
    """Where something of a kind has been found already."""

    def __init__(self, findings: list[Finding]) -> None:
        self._spans: dict[str, list[tuple[int, int]]] = {}
        for found in sorted(findings, key=lambda found: (found.start, found.end)):
            self._spans.setdefault(found.kind, []).append((found.start, found.end))

    def overlaps(self, kind: str, start: int, end: int) -> bool:
        """Whether one of this kind has a part of the stretch."""
        spans = self._spans.get(kind, [])
        at = bisect_left(spans, (end, 0))
        return any(place > start for _, place in spans[max(0, at - 3) : at])


def _stretches(places: Iterable[tuple[int, int]], size: int) -> Iterator[tuple[int, int]]:
    """The neighbourhoods of these places, joined where they touch."""
    low = high = 0
    for start, end in sorted(places):
        if start - _NEIGHBOURHOOD_CHARS > high:
            if high:
                yield low, high
            low = max(0, start - _NEIGHBOURHOOD_CHARS)
        high = min(size, end + _NEIGHBOURHOOD_CHARS)
    if high:
        yield low, high


def _hidden(text: str, found: list[Finding]) -> Iterator[Finding]:
    """Stretches that are not shown and have a finding, or speak to a model."""
    starts = [finding.start for finding in found]
    for hidden in hidden_stretches(text):
        first, last = bisect_left(starts, hidden.inner_start), bisect_left(starts, hidden.inner_end)
        judged = _judged(text, hidden, found[first:last])
        if judged is not None:
            severity, what = judged
            reason = f"{what} where no reader of the page sees it"
            yield Finding("hidden", hidden.start, hidden.end, severity, reason)


def _judged(text: str, hidden: Hidden, inner: list[Finding]) -> tuple[Severity, str] | None:
    """How bad it is what stands there, and what it does."""
    blocking = next((finding for finding in inner if finding.severity == "block"), None)
    if blocking is not None:
        return "block", f"{blocking.reason},"
    if inner and runs_download(text[hidden.inner_start : hidden.inner_end]):
        return "block", f"has a download run and {inner[0].reason},"
    return ("warn", "speaks to a model") if _speaks_to_models(text, hidden) else None


def _speaks_to_models(text: str, hidden: Hidden) -> bool:
    reading = Reading(text[hidden.inner_start : hidden.inner_end])
    return reading.has("machine") and any(reading.has(name) for name in _ADDRESSED)


def _encoded(payload: Payload, depth: int) -> Iterator[Finding]:
    """A payload whose text has a finding."""
    inner = [found for found in _found(payload.text, depth) if found.severity == "block"]
    if inner:
        reason = f"is written in {payload.form}, and decoded {inner[0].reason}"
        yield Finding("encoded", payload.start, payload.end, "block", reason)
