"""Which session goes on from which."""

from collections.abc import Mapping

from archivist.records import Link
from archivist.transfer.openclaw.ledger import Ledger, Noted
from archivist.transfer.openclaw.people import made_by


def parent_of(
    session: str, header_parent: str | None, ledger: Ledger, agent: str
) -> tuple[Noted | None, Link | None]:
    """The session that one goes on from, as the ledger or its own first line says."""
    noted = ledger.sessions.get(session)
    if noted is not None and noted.parent:
        return ledger.sessions.get(noted.parent) or Noted(noted.parent, agent), noted.link
    if noted is not None and (maker := made_by(noted, ledger)):
        return maker, "subagent"
    if header_parent and header_parent != session:
        return ledger.sessions.get(header_parent) or Noted(header_parent, agent), "fork"
    return None, None


def parents_first(parents: Mapping[str, str | None]) -> list[str]:
    """The keys, each behind its parent; where they form a circle, one lets its parent go."""
    placed: dict[str, None] = {}
    for key in parents:
        chain: list[str] = []
        at: str | None = key
        while at is not None and at in parents and at not in placed and at not in chain:
            chain.append(at)
            at = parents[at]
        placed |= dict.fromkeys(reversed(chain))
    return list(placed)
