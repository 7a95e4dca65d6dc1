"""What a scan finds."""

from typing import Literal

import msgspec

Severity = Literal["block", "warn"]


class Finding(msgspec.Struct, frozen=True):
    """One suspicious stretch of a text.

    Attributes:
        kind: `override`, `role`, `exfiltration`, `persistence`, `reader`, `hidden` or `encoded`.
        start: Where it begins in the text as it was given, in characters.
        end: Where it ends, exclusive.
        severity: `block` for what must not be shown or stored as it is; `warn` for what is odd or only reported.
        reason: What it does, to follow "this text".
    """

    kind: str
    start: int
    end: int
    severity: Severity
    reason: str


def settled(findings: list[Finding]) -> tuple[Finding, ...]:
    """In the order of the text, blocking ones first, each place once for each kind."""
    kept: list[Finding] = []
    reach: dict[str, int] = {}
    for found in sorted(findings, key=lambda f: (f.kind, f.severity, f.start, -f.end)):
        key = found.kind + found.severity
        if found.start >= reach.get(key, 0):
            kept.append(found)
            reach[key] = max(found.end, found.start + 1)
    return tuple(sorted(kept, key=lambda f: (f.start, f.severity, f.end, f.kind)))
