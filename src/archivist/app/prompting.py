"""The prompt of a session, put together: its files are read here, and all else is values."""

import shlex
from collections.abc import Collection
from datetime import datetime, tzinfo
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from archivist.app.project_context import MOST_BYTES, project_guidance
from archivist.config import Home
from archivist.files.regular import read_regular
from archivist.guard import mask
from archivist.prompt.facts import Facts, facts_layer
from archivist.prompt.guidance import LINES, guidance_layer
from archivist.prompt.identity import identity_layer
from archivist.prompt.layers import Layer, Prompt, prompt_of
from archivist.prompt.platforms import platform_layer
from archivist.prompt.project import project_layer, room_in
from archivist.records import Notice, Scope

MEMORY_TOOLS: Final = tuple(LINES)
WINDOW: Final = 128_000
"""Tokens of a model of which nobody knows."""
NEXT: Final = "(given when it begins)"
"""In the place of a conversation's id that there is not yet."""


def build_prompt(
    home: Home,
    notes: str,
    *,
    folder: Path,
    scope: Scope,
    model: str,
    zone: tzinfo,
    now: datetime,
    conversation_id: str,
    window: int = WINDOW,
    platform: str = "terminal",
    tools: Collection[str] = MEMORY_TOOLS,
    allowed: frozenset[str] = frozenset(),
) -> Prompt:
    """The whole prompt of a session that begins now.

    Each layer is masked as what is stored is, so that the bytes that are sent are those that are kept.

    Args:
        home: Whose.
        notes: The text of the snapshot that the session is given; it stands in the prompt to the letter.
        folder: In which its tools work.
        scope: Where it is held.
        model: Who answers, as a person knows it.
        zone: The owner's.
        now: The time.
        conversation_id: By which it is continued.
        window: Tokens that the model's requests may have.
        platform: Where its replies are read.
        tools: The names of those that it is offered.
        allowed: The ids of blocks that are shown whatever is found in them.
    """
    guidance = project_guidance(folder, users_home=_users_home())
    facts = Facts(now.astimezone(zone), conversation_id, str(folder), scope.project or "", model)
    layers = [
        _identity(home, allowed),
        guidance_layer(tools),
        Layer("memory", notes, why="" if notes else "nothing is noted"),
        Layer("conclusions", why="no external provider is asked"),
        Layer("skills", why="there are no skills"),
        project_layer(guidance.files, dict(guidance.left_out), room=room_in(window), allowed=allowed),
        platform_layer(platform),
        facts_layer(facts),
    ]
    return prompt_of(msgspec.structs.replace(layer, text=_masked(layer.text)) for layer in layers)


@lru_cache(maxsize=32)
def _masked(text: str) -> str:
    """A layer as it is stored; most are what they were for the last prompt."""
    return mask(text).text


def _identity(home: Home, allowed: frozenset[str]) -> Layer:
    path = home.identity_file
    command = f"guard scan {shlex.quote(str(path))}"
    try:
        written = read_regular(path, MOST_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        return identity_layer(None, str(path), command, allowed=allowed)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror or "it cannot be read" if isinstance(error, OSError) else "it is not UTF-8"
        layer = identity_layer(None, str(path), command, allowed=allowed)
        told = Notice(
            "identity-unreadable", f"{path} is not in the prompt, which has words of ours: {reason}"
        )
        return msgspec.structs.replace(layer, left_out={path.name: reason}, notices=(told,))
    return identity_layer(written, str(path), command, allowed=allowed)


def _users_home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:  # nobody knows whose process this is
        return None


__all__ = ["MEMORY_TOOLS", "NEXT", "WINDOW", "build_prompt"]
