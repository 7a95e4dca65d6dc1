"""The part of `Archivist` that lets a model call tools: it reads as one reader and notes in one scope."""

from functools import partial
from typing import TYPE_CHECKING, Final

from archivist.app.allowing import allowed_in
from archivist.app.recalling import Recalling
from archivist.app.sessions import Sessions
from archivist.records import OWNER, Reader, Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from archivist.app.hosts.host_call import HostCall
    from archivist.guard.origins import Context as Heard
    from archivist.tools.context import Context

NOT_TOLD: Final = "the program that offers this tool does not say in which session it is called"


class Calling(Recalling):
    """What a model's tools are given."""

    sessions: Sessions

    def _hears(
        self, scope: Scope, session: str | None, call: "HostCall | None", *, trusted: bool
    ) -> "Callable[[], Heard] | None":
        """Reads what led to a call, where the session of ours does not tell it."""

        def heard() -> "Heard":
            from archivist.guard.origins import TRUSTED, Context  # noqa: PLC0415 - only what notes something asks for it

            if trusted:
                return TRUSTED
            if call is None:
                return Context.unknown(NOT_TOLD)
            from archivist.app.hearing import Hearing  # noqa: PLC0415 - as above
            from archivist.app.hosts.hearing import heard_before  # noqa: PLC0415 - as above

            return heard_before(call, self._world, scope, Hearing(self._store).origin_of)

        return None if session is not None and call is None and not trusted else heard

    def tool_context(
        self,
        scope: Scope | None = None,
        *,
        reader: Reader | None = None,
        session: str | None = None,
        call: "HostCall | None" = None,
        trusted: bool = False,
    ) -> "Context":
        """What a call of `archivist.tools.registry` is given beside its arguments, with a new turn.

        Args:
            scope: Where the model works: there it reads, and there it notes. The owner's own, outside any project, where unset.
            reader: Who reads, where that is another.
            session: The session of ours in which it works: what it notes waits for the owner where something untrusted led to it.
            call: The call as another program makes it, whose transcript is read in the place of the session.
            trusted: Whether nothing that it notes waits for that. Without it, and without a session or a call, all of it does.
        """
        from archivist.tools.context import Context, Turn  # noqa: PLC0415 - who offers no tools does not pay for them

        where = scope or OWNER
        asking = reader or where
        hears = self._hears(where, session, call, trusted=trusted)
        return Context(
            turn=Turn(
                where,
                session,
                None if session is None else partial(self.quotes, session),
                hears=hears,
            ),
            zone=self.zone,
            notes=lambda: self.notes,
            write_down=lambda text, whose: self.daily.add(
                text, scope=whose, origin="agent", session=session, heard=hears() if hears else None
            ),
            recall=partial(self.recall, scope=asking, asking_session=session),
            entry=lambda key: self.notes.entry(key, scope=asking),
            day=lambda day: {entry.place: entry.text for entry in self.daily.read(day, scope=asking)},
            search=partial(self.sessions.search, scope=asking, asking_session=session),
            read=partial(self.sessions.read, scope=asking),
            browse=partial(self.sessions.browse, scope=asking),
            allowed=partial(allowed_in, self.home),
        )
