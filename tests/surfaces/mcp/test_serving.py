"""A server answers both eras of the protocol with the same memory, and nothing else is on its standard output."""

import pytest
from tests.surfaces.mcp.wire import ERAS, served

from archivist.tools.registry import TOOLS


@pytest.fixture(params=ERAS)
def wire(request, tmp_path):
    with served(tmp_path / "home", era=request.param) as wire:
        yield wire


def test_the_tools_are_those_of_the_registry_in_its_order(wire):
    listed = wire.ask("tools/list")["tools"]
    assert [tool["name"] for tool in listed] == ["memory", "recall", "session_search"]
    for told, tool in zip(listed, TOOLS, strict=True):
        assert told["description"] == tool.description
        assert told["inputSchema"] == tool.schema
        assert told["outputSchema"] == tool.output
        hints = told["annotations"]
        assert hints["readOnlyHint"] is tool.is_read_only
        assert hints["destructiveHint"] is tool.is_destructive
        assert hints["idempotentHint"] is tool.is_idempotent
        assert hints["openWorldHint"] is False


def test_what_is_noted_is_recalled(wire):
    assert wire.call("memory", action="add", content="The staging port is 8443")["success"]
    found = wire.call("recall", query="staging port")
    assert [hit["text"] for hit in found["hits"]] == ["The staging port is 8443"]
    assert found["hits"][0]["source"].startswith("notes:MEMORY.md#")
    assert found["about"].startswith("Background from memory")
