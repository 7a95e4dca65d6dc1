"""Makes one change of the notes in a process of its own, and ends or lets a hand save at a chosen step of it.

Run as a script it reads a case a line from its input, as JSON, runs each in a fork, and answers with a line: how the fork ended, and how
many steps it took.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from tests.notes.making import Clock, make_notes

from archivist.files import displacing, exchanging
from archivist.notes.notes import Notes

MEMORY = "memories/MEMORY.md"
SIGN = b"\n\xc2\xa7\n"
KILLED, FAILED = 9, 3
STEPS = ("write", "fsync", "replace", "unlink", "link", "ftruncate", "open")

CHANGES: dict[str, Callable[[Notes], object]] = {
    "add": lambda notes: notes.add("memory", "a new thing"),
    "replace": lambda notes: notes.replace("memory", "first of all", "another beginning"),
    "correct": lambda notes: notes.add("memory", "the box runs on Debian, not on Ubuntu"),
    "remove": lambda notes: notes.remove("memory", "first of all"),
    "demote": lambda notes: notes.demote(key_of(notes, "first of all")),
    "promote": lambda notes: notes.promote(key_of(notes, "archived one")),
    "batch": lambda notes: notes.apply(
        "memory",
        [
            {"action": "add", "content": "a new thing"},
            {"action": "remove", "old_text": "second of all"},
            {"action": "add", "target": "user", "content": "likes tea"},
        ],
    ),
    "undo": lambda notes: notes.undo(next(line.change for line in notes.log() if line.action == "remove")),
    "merge": lambda notes: notes.add("user", "somebody writes"),
}


def key_of(notes: Notes, text: str) -> str:
    return next(entry.id for entry in notes.entries(None, "all") if entry.text == text)


def fill(home: Path, change: str) -> None:
    """What there is before the change."""
    notes = make_notes(home)
    for text in ("first of all", "second of all", "third of all"):
        notes.add("memory", text)
    for text in ("archived one", "archived two"):
        notes.demote(notes.add("memory", text).entry.id)  # type: ignore[union-attr]
    notes.add("user", "likes coffee")
    if change == "correct":
        notes.add("memory", "the box runs on Ubuntu")
        notes.add("memory", "last of all")
    if change == "undo":
        notes.remove("memory", "second of all")
    if change == "merge":
        with (home / MEMORY).open("ab") as editor:
            notes.add("memory", "in between")
            editor.write(SIGN + b"late words")


def save_by_hand(home: Path, hand: str, before: bytes) -> None:
    """Adds `by hand` to the present file, or to what it was before the change."""
    path = home / MEMORY
    content = before if hand == "stale" else path.read_bytes()
    content += SIGN + b"by hand"
    if hand == "stale":
        aside = path.with_name("MEMORY.md.new")
        aside.write_bytes(content)
        aside.rename(path)
    else:
        path.write_bytes(content)


class Stepping:
    """Counts what a change asks of the system, and interferes at chosen steps."""

    def __init__(self, home: Path, case: dict) -> None:
        self.home, self.case, self.count, self.is_still = home, case, 0, False
        self.before = (home / MEMORY).read_bytes()

    def patch(self) -> None:
        for name in STEPS:
            setattr(os, name, self.stepped(getattr(os, name), name))
        exchange = exchanging.link_and_replace if self.case.get("linked") else self.exchanged()
        displacing.exchanger = lambda: exchange  # type: ignore[assignment]

    def exchanged(self):
        return self.stepped(displacing.exchanger(), "exchange")

    def stepped(self, real, name):
        def step(*args, **kwargs):
            if self.is_still or (name == "open" and not args[1] & os.O_CREAT):
                return real(*args, **kwargs)
            torn = self.interfere()
            if torn and name == "write":
                real(args[0], bytes(args[1])[: len(args[1]) // 2])
            if torn:
                os._exit(KILLED)
            return real(*args, **kwargs)

        return step

    def interfere(self) -> bool:
        """Whether this step is torn."""
        number, self.count = self.count, self.count + 1
        if number == self.case.get("hand_at"):
            self.is_still = True
            save_by_hand(self.home, self.case["hand"], self.before)
            self.is_still = False
        if number == self.case.get("kill_at"):
            os._exit(KILLED)
        return number == self.case.get("torn_at")


def run(case: dict) -> None:
    """One case, to the end of this process."""
    home = Path(case["home"])
    notes = make_notes(home, clock=Clock(), prefix="v")
    notes._now.skip(days=1)  # type: ignore[attr-defined]
    stepping = Stepping(home, case)
    stepping.patch()
    code = 0
    try:
        CHANGES[case["change"]](notes)
    except Exception as error:  # noqa: BLE001 - told to the test
        print(repr(error), file=sys.stderr, flush=True)
        code = FAILED
    (home / "steps").write_text(str(stepping.count))
    os._exit(code)


def serve() -> None:
    """Cases from the input, until it ends."""
    for line in sys.stdin:
        case = json.loads(line)
        child = os.fork()
        if not child:
            run(case)
        _, status = os.waitpid(child, 0)
        steps = Path(case["home"]) / "steps"
        count = int(steps.read_text()) if steps.exists() else 0
        steps.unlink(missing_ok=True)
        print(os.waitstatus_to_exitcode(status), count, flush=True)


if __name__ == "__main__":
    serve()
