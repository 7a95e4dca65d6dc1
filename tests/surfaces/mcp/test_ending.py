"""However a server is ended, it ends soon and quietly, and what it had answered is on the disk."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from tests.surfaces.mcp.wire import ERAS, LEGACY, META, PATIENCE, command, read_call, served, trusted

from archivist import Archivist


def texts(home):
    with Archivist.open(home, environ={}) as archivist:
        return [entry.text for entry in archivist.notes.entries("memory")]


@pytest.mark.parametrize(("begin", "end"), [(b"", b"\n"), (b"\xef\xbb\xbf", b"\r\n"), (b"\n\n  ", b"\n\n")])
def test_lines_may_begin_and_end_as_shells_have_them(tmp_path, begin, end):
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    line = begin + json.dumps(asked).encode() + end
    done = subprocess.run(
        command(tmp_path / "home"), input=line, capture_output=True, cwd=tmp_path, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["id"] == 1


@pytest.mark.parametrize("era", ERAS)
def test_what_was_asked_before_the_end_of_the_input_is_answered(tmp_path, era):
    with served(trusted(tmp_path / "home"), era=era) as wire:
        asked = [
            wire.send(
                "tools/call",
                name="memory",
                arguments={"action": "add", "content": f"Server {n} listens at {8000 + n}"},
            )
            for n in range(20)
        ]
        assert wire.end() == 0
        for number in asked:
            assert read_call(wire.answers[number]["result"])["success"]
        assert wire.process.stderr.read() == b""
    assert len(texts(tmp_path / "home")) == 20


def test_a_shell_that_pipes_its_requests_in_gets_all_answers(tmp_path):
    info = {"name": "sh", "version": "1"}
    requests = [
        {
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": info},
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "recall", "arguments": {"query": "tea"}}},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **request}) + "\n" for request in requests).rstrip("\n")
    done = subprocess.run(
        command(tmp_path / "home"), input=lines.encode(), capture_output=True, cwd=tmp_path, timeout=PATIENCE
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2, 3]


def test_nothing_asked_is_a_clean_end(tmp_path):
    done = subprocess.run(
        command(tmp_path / "home"), input=b"", capture_output=True, cwd=tmp_path, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_while_its_client_stays(tmp_path, number):
    with served(trusted(tmp_path / "home")) as wire:
        assert wire.call("memory", action="add", content="The staging port is 8443")["success"]
        began = time.monotonic()
        wire.process.send_signal(number)
        assert wire.process.wait(PATIENCE) == 0
        assert time.monotonic() - began < PATIENCE / 2
        assert wire.process.stderr.read() == b""
    assert texts(tmp_path / "home") == ["The staging port is 8443"]


def test_a_client_that_reads_no_more_ends_it(tmp_path):
    source, sink = os.pipe()
    server = subprocess.Popen(
        command(tmp_path / "home"), stdin=subprocess.PIPE, stdout=sink, stderr=subprocess.PIPE, cwd=tmp_path
    )
    os.close(sink)
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    with server:
        server.stdin.write(json.dumps(asked).encode() + b"\n")
        server.stdin.flush()
        assert os.read(source, 10)
        os.close(source)
        with suppress(BrokenPipeError):
            server.stdin.write((json.dumps(asked).encode() + b"\n") * 3)
            server.stdin.flush()
        assert server.wait(PATIENCE) == 0
        assert server.stderr.read() == b""
        with suppress(BrokenPipeError):
            server.stdin.close()


STRAY = """
import sys, os
sys.argv = ["archivist", "--home", {home!r}, "mcp"]
from archivist.surfaces.cli import main
from archivist.app.recalling import Recalling
recall = Recalling.recall

def loud(self, query, **more):
    print("a stray print")
    sys.stdout.flush()
    os.write(1, b"a stray write\\n")
    os.system("echo a stray child")
    assert sys.stdin.read() == ""
    return recall(self, query, **more)

Recalling.recall = loud
main()
"""


def test_stray_prints_are_not_between_the_messages(tmp_path):
    program = [sys.executable, "-c", STRAY.format(home=str(tmp_path / "home"))]
    with served(tmp_path / "home", program=program, noise="a stray ") as wire:
        assert wire.call("recall", query="tea")["success"]
        assert wire.call("recall", query="tea")["success"]


def test_a_fault_is_one_line_and_the_server_goes_on(tmp_path):
    program = [
        sys.executable,
        "-c",
        STRAY.format(home=str(tmp_path / "home")).replace('print("a stray print")', "1 / 0"),
    ]
    with served(tmp_path / "home", program=program, noise="archivist mcp: recall: ZeroDivisionError") as wire:
        result = wire.call("recall", query="tea")
        assert not result["success"]
        assert "fault" in result["error"]
        assert wire.call("session_search")["success"]
        assert wire.refused("prompts/get", name="nothing")["code"] == -32602
