"""Where a reply is read, and how it should look for that: one entry for each place."""

from collections.abc import Mapping
from typing import Final

from archivist.prompt.layers import Layer

HINTS: Final[Mapping[str, str]] = {
    "terminal": (
        "Your replies are read in a terminal. Simple Markdown is fine: short paragraphs, lists, code in fences. No images, no HTML, no "
        "wide tables. Name a place in a file as path:line."
    ),
}
"""By platform."""


def platform_layer(platform: str) -> Layer:
    """How replies should look where they are read; nothing for a place that nobody knows."""
    hint = HINTS.get(platform, "")
    return Layer("platform", hint, why="" if hint else f"nothing is known of {platform!r}")


__all__ = ["HINTS", "platform_layer"]
