"""Hooks of a host as whole processes, started as they are installed, beside a bare interpreter, in turn."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

from archivist import Archivist
from archivist.app.hosts.starting import Starting
from benchmarks.figures import Figure
from benchmarks.indexing import fill

ROUNDS = 15
MESSAGES = 10_000
FEW, RECALLING = 6, 12
"""Times a bare interpreter: the budgets of a hook, and of one that recalls."""


def figures() -> Iterator[Figure]:
    """Each event; a prompt at which nothing has changed, one after a change, and one that asks for the past."""
    with tempfile.TemporaryDirectory(
        ignore_cleanup_errors=True
    ) as folder:  # the last end is stored by itself
        session = _Session(Path(folder))
        for name, event, fields, before, most in (
            ("start", "SessionStart", {"source": "startup"}, None, FEW),
            ("prompt, nothing new", "UserPromptSubmit", {"prompt": "fix the test"}, None, FEW),
            ("prompt, news", "UserPromptSubmit", {"prompt": "fix the test"}, session.note, FEW),
            (
                "prompt, recall",
                "UserPromptSubmit",
                {"prompt": "what did we decide about the server error?"},
                None,
                RECALLING,
            ),
            ("end of a turn", "Stop", {}, session.turn, FEW),
            ("end of a session", "SessionEnd", {"reason": "other"}, None, FEW),
        ):
            ours, reference = session.beside(event, fields, before)
            budget = f"≤ {most} × a bare interpreter"
            yield Figure(f"hook: {name}", "ms wall", ours, reference, budget, ours <= most * reference)


class _Session:
    """A session of the host, over a home with some conversations and notes."""

    def __init__(self, folder: Path) -> None:
        self._home, self._transcript = folder / "home", folder / "s-1.jsonl"
        self._how = Starting(sys.executable, ("--home", str(self._home)))
        self._turns = self._notes = 0
        with Archivist.open(self._home) as archivist:
            fill(archivist, MESSAGES)
            archivist.catch_up()
            for number in range(12):
                archivist.notes.add("memory", f"Service number {number} listens on port {8000 + 7 * number}")
        self.turn()

    def note(self) -> None:
        """Note something."""
        self._notes += 1
        with Archivist.open(self._home) as archivist:
            archivist.notes.add("user", f"Prefers colour number {self._notes} for lamp {self._notes * 3}")

    def turn(self) -> None:
        """Say something and have it answered."""
        with self._transcript.open("a", encoding="utf-8") as file:
            for role in ("user", "assistant"):
                words = f"turn {self._turns} of the {role}: " + "a few words of an ordinary turn " * 20
                line = {
                    "type": role,
                    "uuid": f"u-{self._turns}",
                    "parentUuid": f"u-{self._turns - 1}" if self._turns else None,
                    "sessionId": "s-1",
                    "timestamp": f"2026-03-20T12:{self._turns // 60 % 60:02}:{self._turns % 60:02}.000Z",
                    "cwd": str(self._home.parent),
                    "message": {"role": role, "content": [{"type": "text", "text": words}]},
                }
                file.write(json.dumps(line) + "\n")
                self._turns += 1

    def beside(
        self, event: str, fields: dict[str, str], before: Callable[[], None] | None
    ) -> tuple[float, float]:
        """The medians in milliseconds of a hook, and of a bare interpreter."""
        values = {
            "session_id": "s-1",
            "cwd": str(self._home.parent),
            "transcript_path": str(self._transcript),
        }
        payload = json.dumps(values | {"hook_event_name": event} | fields).encode()
        hooks, bare = list[float](), list[float]()
        _milliseconds(self._how.hook(event), payload)  # what was never told is told now
        for _ in range(ROUNDS):
            if before is not None:
                before()
            hooks.append(_milliseconds(self._how.hook(event), payload))
            bare.append(_milliseconds([sys.executable, "-I", "-c", "pass"], payload))
        return statistics.median(hooks), statistics.median(bare)


def _milliseconds(command: list[str], payload: bytes) -> float:
    began = perf_counter()
    subprocess.run(
        command,
        input=payload,
        env={"PATH": os.defpath},
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return (perf_counter() - began) * 1e3
