"""A client of the protocol in a few lines of its own: no SDK, a line of JSON each way, every message checked by the protocol's schema."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mcp_types import methods
from mcp_types.jsonrpc import JSONRPCError, JSONRPCResponse

MODERN, LEGACY = "2026-07-28", "2025-06-18"
ERAS = (MODERN, LEGACY)
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "wire", "version": "1"},
}
OURS = ("ARCHIVIST_HOME", "ARCHIVIST_PROFILE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR")
PATIENCE = 60


def command(home: Path, *options: str) -> list[str]:
    return [str(Path(sys.executable).parent / "archivist"), "--home", str(home), "mcp", *options]


def trusted(home: Path, host: str = "mcp") -> Path:
    """A home whose owner trusts a program, so that nothing that its models note waits."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(f"[hosts.{host}]\ntrusted = true\n")
    return home


class Wire:
    """One server process, and what was asked of it."""

    def __init__(self, process: subprocess.Popen, era: str = MODERN) -> None:
        self.process, self.era = process, era
        self.asked, self.answers, self.strays = {}, {}, []
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._pump, daemon=True).start()
        self._number = 0

    def _pump(self) -> None:
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def write(self, line: bytes) -> None:
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, **params: object) -> int:
        """Ask, and return the id under which it is answered."""
        self._number += 1
        if self.era == MODERN:
            params["_meta"] = META | params.get("_meta", {})
        self.asked[self._number] = method
        request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.write(json.dumps(request).encode())
        return self._number

    def notify(self, method: str, **params: object) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def wait(self, number: int | None) -> dict:
        """The answer to an id; None for what is answered to nobody."""
        while number not in self.answers:
            line = self._lines.get(timeout=PATIENCE)
            assert line is not None, f"the server has ended: {self.process.wait(PATIENCE)}"
            self._take(line)
        return self.answers.pop(number)

    def _take(self, line: bytes) -> None:
        message = json.loads(line)
        if "error" in message:
            JSONRPCError.model_validate(message, strict=True)
        elif "id" in message:
            JSONRPCResponse.model_validate(message, strict=True)
            methods.validate_server_result(self.asked[message["id"]], self.era, message["result"])
        else:
            self.strays.append(message)
            return
        self.answers[message["id"]] = message

    def ask(self, method: str, **params: object) -> dict:
        answer = self.wait(self.send(method, **params))
        assert "result" in answer, answer
        return answer["result"]

    def refused(self, method: str, **params: object) -> dict:
        answer = self.wait(self.send(method, **params))
        assert "error" in answer, answer
        return answer["error"]

    def call(self, tool: str, **arguments: object) -> dict:
        """What a tool answers, the same in both of its forms."""
        return read_call(self.ask("tools/call", name=tool, arguments=arguments))

    def begin(self) -> dict:
        """What a client asks first."""
        if self.era == MODERN:
            return self.ask("server/discover")
        info = {"name": "wire", "version": "1"}
        found = self.ask("initialize", protocolVersion=self.era, capabilities={}, clientInfo=info)
        self.notify("notifications/initialized")
        return found

    def end(self) -> int:
        """Close the input and wait for the end; what was printed must all have been messages."""
        self.process.stdin.close()
        while (line := self._lines.get(timeout=PATIENCE)) is not None:
            self._take(line)
        return self.process.wait(PATIENCE)


def read_call(result: dict) -> dict:
    assert [item["type"] for item in result["content"]] == ["text"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert result["isError"] is not result["structuredContent"]["success"]
    return result["structuredContent"]


@contextmanager
def served(
    home: Path,
    *options: str,
    era: str = MODERN,
    cwd: Path | None = None,
    noise: str = "",
    program: list[str] | None = None,
    **environ: str,
) -> Iterator[Wire]:
    """A server of a home, begun; ended at the end, when standard error must have nothing but lines that begin as `noise` does."""
    folder = cwd or home.parent
    environment = {
        **{name: value for name, value in os.environ.items() if name not in OURS},
        "HOME": str(home.parent),
        "PYTHONWARNINGS": "error::ResourceWarning",
        **environ,
    }
    process = subprocess.Popen(
        program or command(home, *options),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment,
    )
    wire = Wire(process, era)
    try:
        wire.begin()
        yield wire
        if process.poll() is None and not process.stdin.closed:
            assert wire.end() == 0
            assert not wire.strays
            said = process.stderr.read().decode()
            assert all(line.startswith(noise or "\0") for line in said.splitlines()), said
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError):
                pipe.close()
