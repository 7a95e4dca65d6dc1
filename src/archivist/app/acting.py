"""The part of `Archivist` that lets an agent live on it."""

from pathlib import Path
from typing import TYPE_CHECKING

from archivist.app.calling import Calling
from archivist.config import read_settings
from archivist.records import OWNER, OWNER_EVERYWHERE, Notice, Reader, Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archivist.app.agent import Recall
    from archivist.loop.agent import Agent
    from archivist.loop.budget import Budget
    from archivist.loop.events import OnEvent
    from archivist.models.responder import Responder
    from archivist.prompt.layers import Prompt
    from archivist.records.approvals import Approve
    from archivist.tools.tool import Tool


class Acting(Calling):
    """Agents that live on a home."""

    _environ: "Mapping[str, str]"

    def agent(
        self,
        model: "str | Responder | None" = None,
        *,
        session: str | None = None,
        cwd: str | Path | None = None,
        scope: Scope | None = None,
        finds: Reader | None = None,
        tools: "Sequence[Tool] | None" = None,
        approve: "Approve | None" = None,
        on_event: "OnEvent | None" = None,
        recall: "Recall | None" = None,
        budget: "Budget | None" = None,
    ) -> "Agent":
        """An agent in a conversation of its own, or in one that is here already.

        Its session begins with its first turn; it is closed with `close`.

        Args:
            model: "provider/name", or whoever answers; what is set where unset, and rules that quote where nothing is.
            session: A conversation to go on in, by its id, its title or the beginning of an id.
            cwd: The folder that its tools work in; where unset that of the conversation that is gone on in, or else the process's own.
            scope: Whose conversation it is; the owner's, outside any project, where unset. One that is gone on in keeps its own, and
                must be visible from there.
            finds: Whose memories its tools find; those visible from the conversation where unset.
            tools: What it is offered; all of `archivist.tools.agent_tools` where unset.
            approve: Asks a person before something is written or run, as far as `[agent]` wants it; without it, nothing is that must be
                asked about. An `archivist.tools.approving.Approving` decides itself what it asks.
            on_event: Is told what happens, in the thread in which a turn runs.
            recall: Whether what is said is answered with what it recalls beside it: `on`, `off`, or `cue` for words that point to the past;
                as `[agent]` says where unset.
            budget: What a turn may use; likewise.

        Raises:
            ArchivistError: No such model can be asked; the message says what to do.
        """
        from archivist.app.agent import AgentHome, Wanted, budget_of  # noqa: PLC0415 - who only asks has no agent
        from archivist.loop.agent import Agent  # noqa: PLC0415 - as above
        from archivist.tools.agent_tools import AGENT_TOOLS  # noqa: PLC0415 - as above
        from archivist.tools.approving import Approving  # noqa: PLC0415 - as above

        settings = read_settings(self.home.config_file)
        usual = settings.agent
        wanted = Wanted(
            scope or OWNER,
            scope or OWNER_EVERYWHERE,
            None if cwd is None else Path(cwd).expanduser().resolve(),
            session,
            recall or usual.recall,
            finds=finds,
            tools=AGENT_TOOLS if tools is None else tuple(tools),
            approve=approve if isinstance(approve, Approving) else Approving(approve, usual.approval),
            hidden=frozenset(filter(None, [settings.model.key_env])),
        )
        home = AgentHome(self, wanted, store=self._store, world=self._world, notes=lambda: self._shown)
        who = self.responder(model, on_event=on_event) if model is None or isinstance(model, str) else model
        return Agent(home, who, budget=budget or budget_of(usual), on_event=on_event)

    def prompt(
        self,
        scope: Scope | None = None,
        *,
        folder: Path | str | None = None,
        model: str | None = None,
        window: int | None = None,
        platform: str = "terminal",
    ) -> "Prompt":
        """The whole prompt that an agent's session would begin with now; in the place of its id stands that it has none yet.

        Args:
            scope: Where the session is held; the owner's own, outside any project, where unset.
            folder: In which its tools work; the process's own where unset.
            model: Who answers, as a person knows it; as for `agent` where unset.
            window: Tokens that its requests may have; the model's where neither is given.
            platform: Where its replies are read.

        Raises:
            ArchivistError: The notes or the settings cannot be read.
        """
        from archivist.app.allowing import allowed_in  # noqa: PLC0415 - as above
        from archivist.app.prompting import NEXT, WINDOW, build_prompt  # noqa: PLC0415 - as above

        if model is None:
            model, usual = self._usual()
            window = window or usual
        whose = scope or OWNER
        return build_prompt(
            self.home,
            self.snapshot(whose).text,
            folder=Path.cwd() if folder is None else Path(folder).expanduser(),
            scope=whose,
            model=model,
            zone=self.zone,
            now=self._world.now(),
            conversation_id=NEXT,
            window=window or WINDOW,
            platform=platform,
            allowed=allowed_in(self.home),
        )

    def responder(self, model: str | None = None, *, on_event: "OnEvent | None" = None) -> "Responder":
        """Who answers: a model, for `Agent.switch` among others; rules that quote where none is named anywhere.

        Args:
            model: "provider/name"; what the environment or the settings say where unset.
            on_event: Is told what a person should know of it, such as that its price is not known, and what is done where it fails.

        Raises:
            ArchivistError: It cannot be asked; the message says what to do.
        """
        from archivist.app.standing_by import open_steady  # noqa: PLC0415 - as above
        from archivist.loop.events import Told  # noqa: PLC0415 - as above
        from archivist.loop.quoting import Quoting  # noqa: PLC0415 - as above

        def tell(notice: Notice) -> None:
            if on_event is not None:
                on_event(Told(notice))

        opened = open_steady(self.home, self._environ, model, self._world, tell=tell)
        return Quoting() if opened is None else opened

    def _usual(self) -> tuple[str, int]:
        """The name of who answers where nothing is asked for, and its window, as far as it is known without asking it."""
        from archivist.app.choosing import chosen_model, prices_of, settled_model  # noqa: PLC0415 - as above
        from archivist.loop.quoting import Quoting  # noqa: PLC0415 - as above

        choice = chosen_model(self.home, self._environ, needs_key=False)
        if choice is None:
            return Quoting().name, Quoting().window
        prices = prices_of(self.home, choice, self._world.now)
        settled = settled_model(choice, prices, asks=False)
        return choice.name, settled.choice.endpoint.window
