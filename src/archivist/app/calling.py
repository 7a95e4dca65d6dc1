"""The part of `Archivist` that lets a model call tools: it reads as one reader and notes in one scope."""

from functools import partial
from typing import TYPE_CHECKING

from archivist.app.recalling import Recalling
from archivist.app.sessions import Sessions
from archivist.records import OWNER, Reader, Scope

if TYPE_CHECKING:
    from archivist.tools.context import Context


class Calling(Recalling):
    """What a model's tools are given."""

    sessions: Sessions

    def tool_context(
        self, scope: Scope | None = None, *, reader: Reader | None = None, session: str | None = None
    ) -> "Context":
        """What a call of `archivist.tools.registry` is given beside its arguments, with a new turn.

        Args:
            scope: Where the model works: there it reads, and there it notes. The owner's own, outside any project, where unset.
            reader: Who reads, where that is another.
            session: The session of ours in which it works.
        """
        from archivist.tools.context import Context, Turn  # noqa: PLC0415 - who offers no tools does not pay for them

        where = scope or OWNER
        asking = reader or where
        return Context(
            turn=Turn(where, session, None if session is None else partial(self.quotes, session)),
            zone=self.zone,
            notes=lambda: self.notes,
            write_down=lambda text, whose: self.daily.add(text, scope=whose, origin="agent", session=session),
            recall=partial(self.recall, scope=asking, asking_session=session),
            entry=lambda key: self.notes.entry(key, scope=asking),
            day=lambda day: [entry.text for entry in self.daily.read(day, scope=asking)],
            search=partial(self.sessions.search, scope=asking, asking_session=session),
            read=partial(self.sessions.read, scope=asking),
            browse=partial(self.sessions.browse, scope=asking),
        )
