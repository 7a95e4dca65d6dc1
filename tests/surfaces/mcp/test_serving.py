"""A server answers both eras of the protocol with the same memory, and nothing else is on its standard output."""

import time
from contextlib import closing

import apsw
import pytest
from tests.surfaces.mcp.wire import ERAS, LEGACY, MODERN, served, trusted

from archivist import Archivist, Message
from archivist.tools.registry import TOOLS


@pytest.fixture(params=ERAS)
def wire(request, tmp_path):
    with served(trusted(tmp_path / "home"), era=request.param) as wire:
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


def test_lists_that_change_with_the_version_alone_may_be_kept_by_everybody(tmp_path):
    with served(tmp_path / "home", era=MODERN) as wire:
        for method in (
            "server/discover",
            "tools/list",
            "resources/list",
            "resources/templates/list",
            "prompts/list",
        ):
            answer = wire.ask(method)
            assert (answer["ttlMs"], answer["cacheScope"]) == (3_600_000, "public")
        read = wire.ask("resources/read", uri="memory://notes/user")
        assert (read["ttlMs"], read["cacheScope"]) == (0, "private")


def test_a_client_of_the_older_era_may_ask_for_the_newer_first(tmp_path):
    """Some clients ask to discover after the handshake; the answer is an error that they expect, and the connection stays."""
    with served(tmp_path / "home", era=LEGACY) as wire:
        assert wire.refused("server/discover")["code"] == -32601
        assert wire.ask("ping") == {}
        assert wire.call("recall", query="tea")["success"]


def test_lists_are_the_same_wherever_the_server_is_started(tmp_path):
    (tmp_path / "mill").mkdir()
    lists = []
    for options in ((), ("--project", str(tmp_path / "mill"))):
        with served(tmp_path / "home", *options) as wire:
            methods = (
                "server/discover",
                "tools/list",
                "resources/list",
                "resources/templates/list",
                "prompts/list",
            )
            lists.append([wire.ask(method) for method in methods])
    assert lists[0] == lists[1]


def test_a_quiet_server_indexes_what_others_have_stored(tmp_path):
    home = tmp_path / "home"
    with Archivist.open(home, environ={}) as archivist, served(home) as wire:
        session = archivist.sessions.start()
        session.append_many([Message.user(f"The lantern {number} burns") for number in range(300)])
        assert wire.call("session_search")["count"] == 1  # a list asks no index
        for _ in range(600):
            if indexed(home) == 300:
                break
            time.sleep(0.1)
        assert indexed(home) == 300


def indexed(home):
    """How many messages the index holds."""
    try:
        with closing(apsw.Connection(str(home / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            return db.execute("SELECT documents FROM meta").get
    except (apsw.CantOpenError, apsw.SQLError):
        return 0
