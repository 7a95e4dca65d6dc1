"""The official client drives a real server process in both eras of the protocol."""

import json
import os

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters
from tests.surfaces.mcp.wire import MODERN, command

from archivist import Archivist, Message, Scope, __version__
from archivist.tools.registry import TOOLS

MODES = {"auto": MODERN, MODERN: MODERN, "legacy": None}


@pytest.fixture
def home(tmp_path):
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        session = archivist.sessions.start("cli", title="The harbour", scope=Scope(user="owner"))
        session.append_many(
            [
                Message.user("Where does the lantern burn?"),
                Message.assistant("The lantern burns at the quay."),
            ]
        )
        archivist.notes.add("user", "Prefers tea to coffee")
    return tmp_path / "home"


def asked(home, mode, work):
    """What a client that is connected in a mode finds out."""
    first, *rest = command(home)
    environ = {"HOME": str(home.parent), "PATH": os.environ["PATH"]}
    server = StdioServerParameters(command=first, args=rest, env=environ, cwd=str(home.parent))

    async def run():
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            return await work(client)

    return anyio.run(run)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_what_the_server_says_of_itself(home, mode):
    async def work(client):
        return client.server_info, client.instructions, client.protocol_version, client.server_capabilities

    info, instructions, version, capabilities = asked(home, mode, work)
    assert (info.name, info.title, info.version) == ("archivist", "Archivist", __version__)
    assert "recall" in instructions
    assert "memory://snapshot/current" in instructions
    assert "memory" in instructions
    assert version == (MODES[mode] or "2025-11-25")
    assert capabilities.tools
    assert capabilities.resources
    assert capabilities.prompts
    assert not capabilities.tools.list_changed


@pytest.mark.parametrize("mode", MODES)
def test_tools_are_listed_and_called(home, mode):
    async def work(client):
        listed = await client.list_tools()
        noted = await client.call_tool("memory", {"action": "add", "content": "The staging port is 8443"})
        recalled = await client.call_tool("recall", {"query": "lantern"})
        found = await client.call_tool("session_search", {"query": "lantern"})
        first = found.structured_content["results"][0]
        around = {"session_id": first["session_id"], "around_message_id": first["message_id"]}
        read = await client.call_tool("session_search", around)
        refused = await client.call_tool("recall", {})
        return listed, noted, recalled, found, read, refused

    listed, *results, refused = asked(home, mode, work)
    assert [tool.name for tool in listed.tools] == [tool.name for tool in TOOLS]
    for result in results:
        assert not result.is_error
        assert [item.type for item in result.content] == ["text"]
        assert json.loads(result.content[0].text) == result.structured_content
    assert "quay" in results[1].content[0].text
    assert refused.is_error
    assert "query is missing" in refused.content[0].text
    if mode != "legacy":
        assert (listed.ttl_ms, listed.cache_scope) == (3_600_000, "public")


@pytest.mark.parametrize("mode", MODES)
def test_resources_are_listed_and_read(home, mode):
    async def work(client):
        listed = await client.list_resources()
        templates = await client.list_resource_templates()
        read = [await client.read_resource(one.uri) for one in listed.resources]
        sessions = (await client.call_tool("session_search", {})).structured_content["sessions"]
        session = await client.read_resource(f"memory://sessions/{sessions[0]['session_id']}")
        with pytest.raises(MCPError, match="nobody"):
            await client.read_resource("memory://sessions/nobody")
        return listed, templates, read, session

    listed, templates, (memory, user, snapshot), session = asked(home, mode, work)
    assert [one.uri for one in listed.resources] == [
        "memory://notes/memory",
        "memory://notes/user",
        "memory://snapshot/current",
    ]
    assert [one.uri_template for one in templates.resource_templates][-1] == "memory://sessions/{id}"
    assert "(nothing)" in memory.contents[0].text
    assert "Prefers tea" in user.contents[0].text
    assert "Prefers tea" in snapshot.contents[0].text
    with Archivist.open(home, environ={}) as archivist:
        assert snapshot.contents[0].meta == {"archivist/sha256": archivist.snapshot().sha256}
    assert "The lantern burns at the quay." in session.contents[0].text
    assert "The harbour" in session.contents[0].text


@pytest.mark.parametrize("mode", MODES)
def test_prompts_are_listed_and_filled_in(home, mode):
    async def work(client):
        listed = await client.list_prompts()
        recall = await client.get_prompt("recall", {"question": "where does the lantern burn"})
        checkpoint = await client.get_prompt("checkpoint", {"focus": "the harbour"})
        return listed, recall, checkpoint

    listed, recall, checkpoint = asked(home, mode, work)
    assert [prompt.name for prompt in listed.prompts] == ["recall", "checkpoint", "review_proposals"]
    text = recall.messages[0].content.text
    assert "The lantern burns at the quay." in text
    assert "Background from memory" in text
    assert checkpoint.messages[0].content.text.endswith("Most of all: the harbour")


def test_calls_at_once_are_all_answered(home):
    async def work(client):
        results = {}

        async def one(number):
            results[number] = await client.call_tool("recall", {"query": f"lantern {number}"})

        async with anyio.create_task_group() as tasks:
            for number in range(50):
                tasks.start_soon(one, number)
        return results

    results = asked(home, "auto", work)
    assert len(results) == 50
    assert not any(result.is_error for result in results.values())


def test_a_call_that_its_client_gives_up_leaves_the_connection_usable(home):
    async def work(client):
        for _ in range(5):
            with anyio.move_on_after(0):
                await client.call_tool("recall", {"query": "lantern"})
        return await client.call_tool("recall", {"query": "lantern"})

    assert not asked(home, "auto", work).is_error
