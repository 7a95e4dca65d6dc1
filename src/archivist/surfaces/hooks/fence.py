"""The fence around what a model is given beside the user's words: what it is, whose, and that it asks for nothing."""

import re

OPENING = '<memory-context source="archivist"'
CLOSING = "</memory-context>"
LONGEST_TAIL = 64 << 20
"""Bytes of a transcript that are looked through for the newest snapshot."""

_MARK = re.compile(r"</?\s*memory-context", re.IGNORECASE)
_SNAPSHOT = re.compile(
    rb'<memory-context source=\\"archivist\\" session=\\"([^"\\<>]{1,200})\\" snapshot=\\"([0-9a-f]{16})\\">'
)


def fenced(text: str, **labels: str) -> str:
    """A text within a fence that nothing in it can end.

    Args:
        text: What a model is told.
        labels: What stands in the fence's head, in this order.
    """
    told = "".join(f' {name}="{_label(value)}"' for name, value in labels.items())
    return f"{OPENING}{told}>\n{_MARK.sub(_shown, text)}\n{CLOSING}"


def newest_snapshot(transcript: bytes) -> tuple[str, str] | None:
    """The session and the hash of the last snapshot that a transcript carries, as the first characters of it; None where it has none."""
    found = None
    for found in _SNAPSHOT.finditer(transcript):  # noqa: B007 - the last one is meant
        pass
    return None if found is None else (found[1].decode(), found[2].decode())


def _label(value: str) -> str:
    return re.sub(r"[^\w.:/ @+-]", "_", value)[:200]


def _shown(mark: re.Match[str]) -> str:
    return f"‹{mark.group()[1:]}"
