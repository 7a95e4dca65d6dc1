"""A folder for an agent to work in, and somebody who answers what it asks."""

from datetime import UTC

import jsonschema

from archivist.records import Scope
from archivist.records.approvals import Answer
from archivist.tools.agent_tools import AGENT_TOOLS
from archivist.tools.approving import Approving
from archivist.tools.context import Context, Turn, Workspace
from archivist.tools.registry import call_tool, tool_named


class Workplace:
    """Calls tools in a folder; `asked` has what was asked for, and `answer` what is said to it."""

    def __init__(self, root, *, home=None, mode="ask", person=True):
        self.root = root.resolve()
        self.root.mkdir(exist_ok=True)
        self.asked, self.outputs, self.answer, self.is_stopped = [], {}, Answer("once"), False
        self.meanwhile = lambda: None
        self.workspace = Workspace(
            self.root,
            Approving(self._person if person else None, mode),
            lambda: self.is_stopped,
            self._keep,
            self.outputs.get,
            home=home,
        )
        self.context = Context(Turn(Scope()), UTC, *[None] * 8, workspace=self.workspace)

    def _person(self, ask):
        self.asked.append(ask)
        self.meanwhile()
        return self.answer

    def _keep(self, text):
        key = f"{len(self.outputs):016x}"
        self.outputs[key] = text
        return key

    def call(self, name, **arguments):
        result = call_tool(name, arguments, self.context, AGENT_TOOLS)
        jsonschema.validate(result, tool_named(name, AGENT_TOOLS).output)
        return result

    def titles(self):
        return [ask.title for ask in self.asked]
