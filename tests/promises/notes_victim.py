"""The processes that get killed while they change notes, and those that disturb them as editors do.

Run as a script: `python notes_victim.py KIND HOME SEED`. What was acknowledged is said on the pipe, as one JSON line.
"""

import fcntl
import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from archivist.notes.holding import Holding
from archivist.notes.ledger import Ledger
from archivist.notes.limits import Limits
from archivist.notes.notes import Notes
from archivist.notes.versions import Versions
from archivist.records.notes import NoteChange

MEMORY = "memories/MEMORY.md"
SIGN = "\n§\n"


def open_notes(home: Path) -> Notes:
    """The notes of a home, in this process, now."""

    def new_id() -> str:
        return os.urandom(8).hex()

    holding = Holding(home / "memories", now=lambda: datetime.now(UTC), sleep=time.sleep, new_id=new_id)
    return Notes(
        Ledger(holding, Versions(home / "history" / "memories"), new_id=new_id),
        limits=Limits(memory=1_000_000),
        uses_of=lambda _keys: {},
        sessions_since=lambda _entries: {},
        new_id=new_id,
    )


def say(**line: Any) -> None:
    """Leaves this process at once, or not at all."""
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()


def words(seed: int, number: int) -> str:
    """A text that no other says anything like."""
    chance = random.Random(f"{seed} {number}")
    return f"{' '.join(f'{chance.getrandbits(40):010x}' for _ in range(5))} end"


def change(home: Path, seed: int) -> None:
    """Add, replace and remove entries of one's own until killed."""
    notes, chance = open_notes(home), random.Random(seed)
    mine: list[str] = []
    for number in range(100_000):
        kind = chance.choice(["add", "add", "replace", "remove"]) if len(mine) > 2 else "add"
        key = chance.choice(mine) if kind != "add" else ""
        text = words(seed, number) if kind != "remove" else None
        say(doing=kind, entry=key, text=text)
        try:
            done = _change(notes, kind, key, text)
        except Exception as error:  # noqa: BLE001 - the test decides which are right
            say(failed=type(error).__name__, entry=key, told=str(error))
            mine = [one for one in mine if one != key]
            continue
        key = done.entry.id if done.entry is not None else key
        say(done=kind, entry=key, text=text, notices=[[one.code, one.text] for one in done.notices])
        mine = [*mine, key] if kind == "add" else [one for one in mine if kind == "replace" or one != key]


def _change(notes: Notes, kind: str, key: str, text: str | None) -> NoteChange:
    if kind == "add":
        return notes.add("memory", text or "")
    return notes.replace("memory", key, text or "") if kind == "replace" else notes.remove("memory", key)


def read(home: Path, seed: int) -> None:
    """Look at the notes until killed, and say what no reader should see."""
    notes, known, slowest = open_notes(home), dict[str, str](), 0.0
    for number in range(100_000):
        began = time.monotonic()
        entries = notes.entries()
        slowest = max(slowest, time.monotonic() - began)
        if len({entry.text for entry in entries}) != len(entries) or len(
            {entry.id for entry in entries}
        ) != len(entries):
            say(bad="twice", seed=seed)
        for entry in entries:
            if not entry.text.endswith(" end"):
                say(bad="half", text=entry.text)
            if known.setdefault(entry.text, entry.id) != entry.id:
                say(bad="another id", text=entry.text, ids=[known[entry.text], entry.id])
        say(
            read=number,
            seen=len(known),
            slowest=slowest,
            notices=[[one.code, one.text] for one in notes.take_notices()],
        )


STOPPED: list[int] = []


def until_stopped() -> Iterator[int]:
    """Numbers, until this process is asked to end: no editor dies in the middle of a save here."""
    signal.signal(signal.SIGTERM, lambda number, _: STOPPED.append(number))
    number = 0
    while not STOPPED:
        yield number
        number += 1


@contextmanager
def one_hand(home: Path) -> Iterator[None]:
    """One editor at a time: what they do to each other is not the program's affair."""
    with (home / "hands").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def append(home: Path, seed: int) -> None:
    """Hold the file open for a moment, then append to whatever it is by then."""
    chance = random.Random(seed)
    for number in until_stopped():
        time.sleep(chance.uniform(0.1, 0.4))
        with one_hand(home), (home / MEMORY).open("ab") as file:
            time.sleep(chance.uniform(0.0, 0.15))
            file.write(f"{SIGN}{words(seed, number)}".encode())
        say(saved=words(seed, number))


def truncate(home: Path, seed: int) -> None:
    """Save as a simple editor does: empty the file, write one half, and a moment later the other."""
    chance = random.Random(seed)
    for number in until_stopped():
        time.sleep(chance.uniform(0.3, 0.8))
        with one_hand(home):
            _truncate(home / MEMORY, words(seed, number), chance.uniform(0.0, 0.1))
        say(saved=words(seed, number))


def _truncate(path: Path, text: str, pause: float) -> None:
    content = path.read_bytes() + f"{SIGN}{text}".encode()
    with path.open("r+b", buffering=0) as file:
        file.truncate(0)
        file.write(content[: len(content) // 2])
        time.sleep(pause)
        file.write(content[len(content) // 2 :])


if __name__ == "__main__":
    kinds = {"change": change, "read": read, "append": append, "truncate": truncate}
    kinds[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
