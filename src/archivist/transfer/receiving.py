"""The door of the store, as far as an import needs it; `StateStore` is one such receiver."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from archivist.records import Message, SessionStart, Usage
from archivist.store.adopting import Adopted
from archivist.store.imported import Mark
from archivist.store.places import Order
from archivist.store.raw_prints import Prints
from archivist.store.receiving import Receipt

__all__ = ["Mark", "Receipt", "Receiver"]


class Receiver(Protocol):
    """Takes in the sessions of a foreign history, so that taking one in again changes nothing."""

    def fingerprint(self, source: str, path: str) -> str | None:
        """What was kept of a file when it was last imported to its end."""
        ...

    def receive(
        self,
        start: SessionStart,
        told: Iterable[Message],
        usage: Iterable[Usage] = (),
        *,
        parent_external_id: str | None = None,
        mark: Mark | None = None,
        adopted: Adopted | None = None,
        prints: Mapping[str, Prints] | None = None,
        order: Order | None = None,
    ) -> Receipt:
        """Store what is new of a session.

        A session is found again by `source` and `external_id`; a message that its conversation holds already,
        by `client_id`, is not stored again, only its state may change; with `prints`, what its source says in other words now is
        a further message; with `order`, what is read as its conversation is as its file holds it. Usage is counted once per request;
        the mark is written last. Of what an export of Archivist's own tells, with `adopted`, only what is not here yet is taken.
        """
        ...
