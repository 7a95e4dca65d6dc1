"""A hostile client breaks nothing, learns nothing, and does not keep the next request from being answered."""

import json
import os
import random
import threading

import pytest
from mcp.shared.exceptions import MCPError
from tests.surfaces.mcp.wire import LEGACY, META, MODERN, read_call, served, trusted

from archivist import Archivist
from archivist.records import Scope
from archivist.surfaces.mcp import pipes
from archivist.surfaces.mcp.answering import Answering
from archivist.surfaces.mcp.opened import Place
from archivist.tools.registry import TOOLS

MEGABYTES = 10 << 20


@pytest.fixture(scope="module")
def wire(tmp_path_factory):
    home = trusted(tmp_path_factory.mktemp("hostile") / "home")
    with served(home, noise="archivist mcp: dropped 'notifications/cancelled'") as wire:
        yield wire


def is_well(wire):
    return wire.call("recall", query="lantern")["success"]


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"{",
        b"[]",
        b"null",
        b"3",
        b'"text"',
        b"\xff\xfe",
        b'{"jsonrpc": "2.0"}',
        b"[" * 5_000,
        b'{"a":' * 5_000,
        b'{"jsonrpc":"2.0","method":"x","params":"\\ud800"}',
        b"\0",
        b"{" + b" " * 1_000_000,
    ],
)
def test_what_is_no_message_is_answered_by_an_error(wire, line):
    wire.write(line)
    assert wire.wait(None)["error"]["code"] in (-32700, -32600)
    assert is_well(wire)


@pytest.mark.parametrize("params", [[], "text", 3, True])
def test_a_request_that_can_be_told_apart_is_answered_to_its_id(wire, params):
    number = 10_000 + random.randrange(10**6)
    wire.write(
        json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()
    )
    assert wire.wait(number)["error"]["code"] == -32600
    assert is_well(wire)


@pytest.mark.parametrize("number", ["1.5", "null", "{}", "[1]", "true", "1e999", "NaN"])
@pytest.mark.parametrize("rest", ['"method":"ping"', '"method":"tools/list","params":{}'])
def test_a_request_with_an_id_that_is_none_is_answered_to_nobody(wire, number, rest):
    wire.write(f'{{"jsonrpc":"2.0","id":{number},{rest}}}'.encode())
    error = wire.wait(None)["error"]
    assert error["code"] in (-32700, -32600)
    assert is_well(wire)


def test_half_a_character_is_named(wire):
    line = r'{"jsonrpc":"2.0","id":9090,"method":"tools/call","params":{"name":"recall","arguments":{"query":"\ud800"}}}'
    wire.write(line.encode())
    assert "half a character" in wire.wait(9090)["error"]["message"]
    assert is_well(wire)


def test_what_the_system_refuses_is_named_with_its_place():
    class Refused:
        place = Place(None, None, "claude-code", Scope())

        def asked(self, work):
            raise OSError(30, "Read-only file system", "/home/mira/x")

        def take_notices(self):
            return []

    answering = Answering(Refused())
    told = answering.call(TOOLS[0], {}).structured_content["error"]
    assert told.startswith("/home/mira/x: Read-only file system; ")
    with pytest.raises(MCPError, match="/home/mira/x: Read-only file system"):
        answering.open("memory://notes/memory")


def test_an_empty_line_is_passed_over(wire):
    wire.write(b"")
    wire.write(b"   ")
    assert is_well(wire)


def test_the_end_of_a_line_that_was_too_long_is_no_message_where_the_input_ends_in_it(monkeypatch):
    monkeypatch.setattr(pipes, "LONGEST_LINE", pipes.READ_BYTES)
    source, sink = os.pipe()
    got = []

    def put(line):
        got.append(line)
        return True

    reading = threading.Thread(target=pipes._read_lines, args=(source, put))
    reading.start()
    for piece in (b"x" * (pipes.READ_BYTES * 2 + 1), b'{"jsonrpc":"2.0","id":1,"method":"ping"}'):
        pipes._write(sink, piece)
    os.close(sink)
    reading.join()
    os.close(source)
    assert got == [pipes._UNREADABLE, None]


def test_a_line_that_is_longer_than_any_message_is_not_kept(wire):
    wire.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":"' + b"x" * (40 << 20) + b'"}}')
    assert wire.wait(None)["error"]["code"] == -32700
    assert is_well(wire)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("recall", {"query": "x" * MEGABYTES}),
        ("recall", {"query": "lantern", "kinds": ["note"] * (MEGABYTES // 10)}),
        ("recall", {"query": "lantern", "x" * MEGABYTES: 1}),
        ("session_search", {"query": "x" * MEGABYTES}),
        ("session_search", {"session_id": "x" * MEGABYTES}),
        ("memory", {"action": "add", "content": "word " * (MEGABYTES // 5)}),
        ("memory", {"action": "remove", "old_text": "x" * MEGABYTES}),
        ("memory", {"operations": [{"action": "add", "content": "x"}] * (MEGABYTES // 40)}),
    ],
)
def test_ten_megabytes_of_arguments_are_refused_in_a_short_answer(wire, tool, arguments):
    result = wire.call(tool, **arguments)
    assert not result["success"]
    assert len(json.dumps(result)) < 5_000
    assert is_well(wire)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_arguments_of_every_wrong_type_are_answered_by_a_result(wire, tool):
    wrong = [
        None,
        True,
        3,
        3.5,
        -1,
        10**400,
        "",
        "x",
        "§",
        "\0",
        [],
        [None],
        [[]],
        {},
        {"a": {}},
        "9" * 400,
        ["x"] * 50,
    ]
    asked = [
        wire.send(
            "tools/call", name=tool.name, arguments={"action": "replace", "query": "lantern", name: value}
        )
        for name in [*tool.schema["properties"], "scope", "user", "__class__"]
        for value in wrong
    ]
    for number in asked:
        result = read_call(wire.wait(number)["result"])
        assert result["success"] or result["error"]


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "memory://",
        "memory:///etc/passwd",
        "memory://notes",
        "memory://notes/../../../etc/passwd",
        "memory://notes/memory/../../config.toml",
        "memory://notes/memory/",
        "memory://notes/daily/..%2f..%2fMEMORY.md",
        "memory://notes/daily/%2e%2e",
        "memory://notes/archive/..",
        "memory://notes/memory#x",
        "memory://notes/memory?offset=-1",
        "memory://notes/memory?offset=x",
        "memory://sessions/%00",
        "memory://sessions/%ff",
        "memory://sessions/..%2f..%2fstate.db",
        "memory://sessions/a/b",
        "memory://sessions/%",
        "file:///etc/passwd",
        "memory://snapshot/current/..",
        "memory://snapshot/%2e%2e/current",
        "x" * 100_000,
    ],
)
def test_a_path_that_leads_elsewhere_opens_nothing(wire, uri):
    error = wire.refused("resources/read", uri=uri)
    assert error["code"] == -32602
    assert len(error["message"]) < 1_000
    assert "root:" not in error["message"]
    assert is_well(wire)


def test_requests_that_do_not_exist_or_lack_something_are_refused(wire):
    assert wire.refused("tools/call")["code"] == -32602
    assert wire.refused("tools/call", name="shell", arguments={})["code"] == -32602
    assert wire.refused("tools/call", name="recall", arguments="text")["code"] == -32602
    assert wire.refused("resources/read")["code"] == -32602
    assert wire.refused("prompts/get", name="recall")["code"] == -32602
    assert wire.refused("prompts/get", name="review_everything")["code"] == -32602
    assert wire.refused("sampling/createMessage")["code"] == -32601
    assert wire.refused("logging/setLevel", level="debug")["code"] == -32601
    assert wire.refused("initialize")["code"] == -32022
    assert is_well(wire)


def test_calls_that_are_called_off_are_harmless(wire):
    asked = [wire.send("tools/call", name="recall", arguments={"query": f"lantern {n}"}) for n in range(40)]
    for number in asked[::2]:
        wire.notify("notifications/cancelled", requestId=number)
    wire.notify("notifications/cancelled", requestId="nobody's")
    wire.notify("notifications/cancelled", requestId=None)
    wire.notify("notifications/cancelled")
    for number in asked[1::2]:
        assert read_call(wire.wait(number)["result"])["success"]
    assert is_well(wire)


def test_two_hundred_writes_at_once_are_each_done_or_refused(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text("[notes]\nmemory_limit = 1000000\n[hosts.mcp]\ntrusted = true\n")
    with served(home) as wire:
        asked = {
            wire.send(
                "tools/call",
                name="memory",
                arguments={"action": "add", "content": f"Port {8000 + n} is of server {n}"},
            ): n
            for n in range(200)
        }
        done = {n for number, n in asked.items() if read_call(wire.wait(number)["result"])["success"]}
    assert done == set(range(200))
    with Archivist.open(home, environ={}) as archivist:
        texts = [entry.text for entry in archivist.notes.entries("memory")]
    assert sorted(texts) == sorted(f"Port {8000 + n} is of server {n}" for n in range(200))


def test_the_other_era_is_refused_on_a_connection_that_has_one(tmp_path):
    with served(tmp_path / "home", era=LEGACY) as wire:
        wire.asked[99] = "tools/list"
        wire.write(
            json.dumps(
                {"jsonrpc": "2.0", "id": 99, "method": "tools/list", "params": {"_meta": META}}
            ).encode()
        )
        assert wire.wait(99)["error"]["code"] == -32600
        assert wire.call("recall", query="lantern")["success"]


def test_a_request_without_a_version_is_refused(wire):
    assert MODERN in META.values()
    wire.asked[77_777] = "tools/list"
    wire.write(json.dumps({"jsonrpc": "2.0", "id": 77_777, "method": "tools/list", "params": {}}).encode())
    assert wire.wait(77_777)["error"]["code"] == -32602
