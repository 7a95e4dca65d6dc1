"""What Claude has noted of its user: a summary that it writes anew, and one for each project."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

from archivist.notes.kinds import belongs_to
from archivist.notes.statements import Statement
from archivist.records import Scope
from archivist.transfer.containers import Listing, Member, opened
from archivist.transfer.curated import MOST_BYTES, Curated, statements_in
from archivist.transfer.exports import Standing
from archivist.transfer.foreign import SourceUnreadable, TransferError
from archivist.transfer.json_text import NotJson, as_utf8, decode_leniently
from archivist.transfer.reasons import DAMAGED

MEMORIES: Final = re.compile(r"memories\.json", re.IGNORECASE)
KNOWN_BY: Final = frozenset({"conversations_memory", "project_memories"})
BOLD_LINE: Final = re.compile(r"^\*\*([^*\n]+)\*\*:?[ \t]*$", re.MULTILINE)


def curated_in(listing: Listing, _: Standing) -> Iterable[Curated]:
    """The newest memory of an export: an older one says what it said before."""
    for member in listing.named(MEMORIES)[-1:]:
        try:
            yield _read(member)
        except TransferError as error:
            yield Curated(path=member.path, problem=error)


def is_noted(listing: Listing) -> bool:
    """Whether an export holds a memory, known by its name and what is in it."""
    for member in listing.named(MEMORIES)[-1:]:
        try:
            accounts = _accounts_in(member)
        except TransferError:
            return False
        return any(isinstance(one, dict) and not KNOWN_BY.isdisjoint(one) for one in accounts)
    return False


def _read(member: Member) -> Curated:
    accounts = _accounts_in(member)
    at = datetime.fromtimestamp(member.time, UTC) if member.time > 0 else None
    whole = [account for account in accounts if isinstance(account, dict)]
    statements = [one for account in whole for one in _of(account, at)]
    damaged = len(accounts) - len(whole)
    return Curated(path=member.path, statements=statements, skipped={DAMAGED: damaged} if damaged else {})


def _accounts_in(member: Member) -> list[Any]:
    if member.bytes > MOST_BYTES:
        raise SourceUnreadable(member.path, "it is no file of a size that somebody curates")
    with opened(member) as file:
        raw, _ = as_utf8(file.read(MOST_BYTES))
    try:
        told = decode_leniently(raw)
    except NotJson as error:
        raise SourceUnreadable(member.path, "it is no JSON", "get the export again") from error
    return told if isinstance(told, list) else [told]


def _of(account: dict[str, Any], at: datetime | None) -> Iterator[Statement]:
    """What is noted is about the person, but for what is plainly about something else; what is noted in a project stays there."""
    general, projects = account.get("conversations_memory"), account.get("project_memories")
    if isinstance(general, str):
        for one in statements_in(_headed(general), "user", "claude:memories.json", observed_at=at):
            target = belongs_to(one.text.rpartition(": ")[2]) or "user"
            yield Statement(target, one.text, one.place, at)
    for key, text in projects.items() if isinstance(projects, dict) else ():
        if isinstance(text, str):
            name, scope = f"claude:memories.json/{key}", Scope(project=f"claude:{key}")
            yield from statements_in(_headed(text), "memory", name, observed_at=at, scope=scope)


def _headed(text: str) -> str:
    """Lines of nothing but bold words are headings."""
    return BOLD_LINE.sub(r"## \1", text)
