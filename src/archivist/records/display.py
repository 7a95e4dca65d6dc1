"""Text that is safe to show: stored words must not be able to steer a terminal."""

from archivist.records.patterns import late_pattern

_CONTROLS = late_pattern(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)?|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)
"""Escape sequences (ECMA-48) and control characters but newline and tab, and the marks that turn the direction of writing."""


def plain(text: str) -> str:
    """The text without escape sequences and control characters."""
    return _CONTROLS.sub("", text)
