"""What ChatGPT is told in every conversation: its user's standing instructions, and what it has noted of them.

Each conversation repeats them as they were then, so the newest telling counts. They come with the conversations that are read.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from archivist.notes.statements import Statement
from archivist.transfer.chatgpt.content import fields_of
from archivist.transfer.chatgpt.thread import PROPOSALS, SOURCE
from archivist.transfer.containers import Listing
from archivist.transfer.curated import Curated, statements_in
from archivist.transfer.exports import Standing
from archivist.transfer.times import UNKNOWN, parse_time

FENCED: Final = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
ITEM: Final = re.compile(r"\s*\d{1,5}[.)][ \t]+(?:\[(\d{4}-\d{2}-\d{2})\][.:]?[ \t]*)?(.*)")
FIELDS: Final = (
    ("about_user_message", "user_profile"),
    ("about_model_message", "user_instructions"),
)
"""What a person says of themselves and how they want to be answered: as typed, and as the model was told it."""
MEMORY: Final = "model_set_context"


def standing_in(conversation: dict[str, Any]) -> Standing:
    """What one conversation repeats, with the time at which it was last spoken."""
    told: dict[str, tuple[datetime, object]] = {}
    for node in fields_of(conversation, "mapping").values():
        message = node.get("message") if isinstance(node, dict) else None
        content = fields_of(message, "content") if isinstance(message, dict) else {}
        if isinstance(message, dict) and _is_standing(message, content):
            at = (
                parse_time(message.get("create_time"))
                or parse_time(conversation.get("update_time"))
                or parse_time(conversation.get("create_time"))
                or UNKNOWN
            )
            told |= {name: (at, text) for name, text in _texts(message, content)}
    return told


def curated_of(_: Listing, standing: Standing) -> Iterable[Curated]:
    """What stands now, as statements."""
    for name, (at, told) in sorted(standing.items()):
        place, text, known = f"{SOURCE}:{name}", str(told), None if at == UNKNOWN else at
        statements = _noted if name == MEMORY else _said
        yield Curated(path=Path(name), statements=list(statements(text, place, known)))


def _is_standing(message: dict[str, Any], content: dict[str, Any]) -> bool:
    is_typed = fields_of(message, "metadata").get("is_user_system_message") is True
    return is_typed or str(content.get("content_type")) in PROPOSALS


def _texts(message: dict[str, Any], content: dict[str, Any]) -> Iterator[tuple[str, str]]:
    typed = fields_of(fields_of(message, "metadata"), "user_context_message_data")
    for plain, told in FIELDS:
        text = typed.get(plain) or content.get(told)
        if isinstance(text, str) and text.strip():
            fenced = FENCED.search(text) if not typed.get(plain) else None
            yield told, fenced.group(1) if fenced else text
    noted = content.get(MEMORY)
    if isinstance(noted, str) and noted.strip():
        yield MEMORY, noted


def _said(text: str, place: str, at: datetime | None) -> Iterable[Statement]:
    return statements_in(text, "user", place, observed_at=at)


def _noted(text: str, place: str, at: datetime | None) -> Iterator[Statement]:
    """Numbered and dated lines; what is written otherwise is taken as any text."""
    lines = [line for line in text.splitlines() if line.strip()]
    found = [ITEM.fullmatch(line) for line in lines]
    if not all(found):
        yield from _said(text, place, at)
        return
    for number, item in enumerate(found, 1):
        if item is not None:
            yield Statement("user", item[2], f"{place}#{number}", parse_time(item[1]) or at)
