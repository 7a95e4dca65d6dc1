"""A request with too many bytes: bytes are a limit of their own, and text made shorter does not help against pictures.

The oldest pictures, sounds and files become lines that describe them, until what is left fits. Those of the owner's newest message stay.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from archivist.compress.pictures import described, is_carried
from archivist.compress.reading import read_all
from archivist.compress.repairing import repair
from archivist.compress.violations import Form


class Shed(msgspec.Struct, frozen=True):
    """The messages, and what was done to them.

    Attributes:
        shed: How many pictures, sounds and files became lines.
        bytes: About how many the messages have now, as JSON.
    """

    messages: list[dict[str, Any]]
    shed: int
    bytes: int


def shed_pictures(messages: Iterable[Form], most_bytes: int) -> Shed:
    """The messages with the oldest of what they carry described instead, as far as it must be.

    Args:
        messages: In the form of OpenAI's chat completions; they are left as they are.
        most_bytes: As many as a request may have.
    """
    sound = [dict(message) for message in repair(messages)]
    newest = max((at for at, message in enumerate(sound) if message["role"] == "user"), default=-1)
    keys = [one.key for one in read_all(sound)]
    size, shed = _bytes(sound), 0
    for at, message in enumerate(sound):
        content = message.get("content")
        if at == newest or size <= most_bytes or not isinstance(content, list):
            continue
        message["content"] = parts = list(content)
        for number, part in enumerate(content):
            if size > most_bytes and is_carried(part):
                parts[number] = described(part, keys[at])
                size -= _bytes(part) - _bytes(parts[number])
                shed += 1
    return Shed(sound, shed, size)


def _bytes(value: Sequence[Form] | Mapping[str, Any]) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace"))


__all__ = ["Shed", "shed_pictures"]
