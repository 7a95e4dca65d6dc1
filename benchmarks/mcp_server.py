"""The server of the Model Context Protocol beside a bare server with one tool on the same SDK: its start, its answers, its memory."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from archivist import Archivist
from benchmarks.corpus import Corpus, identifier
from benchmarks.figures import Figure, best

MESSAGES = 100_000
PER_SESSION = 100
ASKED = 300
AT_ONCE = 50
STARTS = 7
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
}
BARE = """
from mcp.server import MCPServer

server = MCPServer("bare", version="1")


@server.tool()
def recall(query: str) -> str:
    return query


server.run("stdio")
"""


class Client:
    """A server process that is asked one thing after the other, or many at once."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._number = 0

    def send(self, method: str, **params: object) -> None:
        assert self.process.stdin
        self._number += 1
        params["_meta"] = META
        request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, object]:
        assert self.process.stdout
        answer = json.loads(self.process.stdout.readline())
        assert "result" in answer, answer
        return answer

    def recall(self, query: str) -> float:
        """Seconds until a recall is answered."""
        start = time.perf_counter()
        self.send("tools/call", name="recall", arguments={"query": query})
        self.receive()
        return time.perf_counter() - start

    def cpu_seconds(self) -> float:
        """CPU that the process has used: what a busy machine does not inflate as it does the time."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_mb(self) -> float:
        """Memory that the process holds, in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("this system does not tell")


@contextmanager
def client(command: list[str]) -> Iterator[Client]:
    started = Client(command)
    try:
        yield started
    finally:
        started.process.stdin.close()  # type: ignore[union-attr]
        started.process.wait(60)
        started.process.stdout.close()  # type: ignore[union-attr]


def first_answer(command: list[str]) -> float:
    start = time.perf_counter()
    with client(command) as asked:
        asked.send("tools/list")
        asked.receive()
        return time.perf_counter() - start


def fill(home: Path) -> None:
    corpus = Corpus()
    with Archivist.open(home, environ={}) as archivist:
        for begin in range(0, MESSAGES, PER_SESSION):
            session = archivist.sessions.start("benchmark")
            session.append_many([corpus.message(number) for number in range(begin, begin + PER_SESSION)])
        archivist.catch_up()
        archivist.tidy(60)


def queries(corpus: Corpus) -> list[str]:
    """A word, several, an identifier and Chinese in turn."""
    asked = []
    for number in range(ASKED):
        words = corpus.words[40 + 7 * number : 43 + 7 * number]
        kinds = (
            words[0],
            " ".join(words),
            identifier(7 * number),
            corpus.pairs[number],
            f"why did the {words[1]} test fail",
        )
        asked.append(kinds[number % len(kinds)])
    return asked


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        fill(home)
        ours = [str(Path(sys.executable).parent / "archivist"), "--home", str(home), "mcp"]
        bare = [sys.executable, "-c", BARE]
        os.chdir(folder)
        yield from _starts(ours, bare)
        yield from _answers(ours, bare)


def _starts(ours: list[str], bare: list[str]) -> Iterator[Figure]:
    pairs = [(first_answer(ours), first_answer(bare)) for _ in range(STARTS)]
    mine, reference = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    yield Figure("MCP: first answer", "s", mine, reference, "1.3 x a bare server", mine <= 1.3 * reference)


def _answers(ours: list[str], bare: list[str]) -> Iterator[Figure]:
    asked = queries(Corpus())
    with client(ours) as server, client(bare) as plain:
        server.recall("warm"), plain.recall("warm")
        before = server.cpu_seconds(), plain.cpu_seconds()
        took = [server.recall(query) * 1e3 for query in asked]
        reference = [plain.recall(query) * 1e3 for query in asked]
        cpu, less = server.cpu_seconds() - before[0], plain.cpu_seconds() - before[1]
        yield Figure("MCP: recall, CPU", "ms", cpu / ASKED * 1e3, less / ASKED * 1e3, "", holds=True)
        yield Figure("MCP: recall, p50", "ms", median(took), median(reference), "", holds=True)
        p95 = quantiles(took, n=20)[-1]
        yield Figure("MCP: recall, p95", "ms", p95, quantiles(reference, n=20)[-1], "50 ms", p95 <= 50)
        together = best(lambda: _at_once(server, asked), 3)
        yield Figure(
            "MCP: 50 recalls at once",
            "ms",
            together * 1e3,
            _at_once(plain, asked) * 1e3,
            "all answered",
            holds=True,
        )
        more = server.resident_mb()
        less = plain.resident_mb()
        yield Figure(
            "MCP: memory after it all", "MB", more, less, "60 MB above a bare server", more - less <= 60
        )


def _at_once(server: Client, asked: list[str]) -> float:
    start = time.perf_counter()
    for query in asked[:AT_ONCE]:
        server.send("tools/call", name="recall", arguments={"query": query})
    for _ in range(AT_ONCE):
        server.receive()
    return time.perf_counter() - start
