"""The process that gets killed: does one kind of work and says on its pipe what it has been told is done.

Run as a script: `python victim.py KIND HOME SEED`.
"""

import os
import random
import sys
import time
from pathlib import Path

from archivist import Archivist, Message
from archivist.store import connection
from archivist.store.compacting import Compaction, ContextChanged, Sent
from archivist.store.compactions import Compactions

RACERS = 4


def say(text: str) -> None:
    """An acknowledgement leaves this process at once, or not at all."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def append(home: Path, seed: int) -> None:
    """Append single messages and batches to a session until killed."""
    chance = random.Random(seed)
    with Archivist.open(home) as archivist:
        session = archivist.sessions.start("victim")
        say(f"session {session.id}")
        for number in range(100_000):
            names = [f"{seed}-{number}-{part}" for part in range(chance.choice([1, 1, 1, 40]))]
            session.append_many([Message.user(f"word{name}", client_id=name) for name in names])
            for name in names:
                say(f"stored {name}")


def import_(home: Path, seed: int) -> None:
    """Import a history until killed or done, and say after every file how many are done."""
    with Archivist.open(home) as archivist:
        report = archivist.import_history(
            home.parent / "history",
            format="claude-code",
            on_progress=lambda at: say(f"working {at.files_done}"),
        )
        say(f"imported {report.read} {report.imported} {seed}")


def ingest(home: Path, seed: int) -> None:
    """Follow transcripts in small stretches until killed or done, and say after every stretch that one more is stored."""
    from archivist.store.following import Following
    from archivist.transfer.claude_code import stretches

    advance, stretches.STRETCH_BYTES = Following.advance, 4_000

    def told(self, step):
        receipt = advance(self, step)
        say(f"stored {step.followed.offset}")
        return receipt

    Following.advance = told
    with Archivist.open(home) as archivist:
        done = archivist.ingest(folder=home.parent / "history" / "projects")
        say(f"ingested {done.added} {seed}")


def migrate(home: Path, seed: int) -> None:
    """Open a home for the first time; every statement that SQLite runs is told of before it runs."""
    connect = connection._connect

    def traced(name: str, path: Path, flags: int) -> connection.Connection:
        db = connect(name, path, flags)
        db.exec_trace = lambda _cursor, sql, _bindings: say(f"working {sql[:20]!r}") or True
        return db

    connection._connect = traced
    with Archivist.open(home):
        say(f"opened {seed}")


def index(home: Path, seed: int) -> None:
    """Bring the index up to date until killed, in small steps."""
    with Archivist.open(home) as archivist:
        say("working 0")
        while not (coverage := archivist.catch_up(0.02)).complete:
            say(f"working {coverage.documents_done}")
        say(f"all of {seed}")
        say("complete")


def crowd(home: Path, seed: int) -> None:
    """Append 200 messages to a session of one's own, one at a time."""
    with Archivist.open(home) as archivist:
        session = archivist.sessions.start("crowd")
        for number in range(200):
            session.append(Message.user(f"from {seed} number {number}", client_id=f"{seed}-{number}"))
        say("done")


def _shortened(archivist: Archivist, session: str, keep: int = 3) -> str:
    """Compact a conversation as it is now; the last messages stay."""
    compactions = Compactions(archivist._store, archivist._world)
    tip, seen = compactions.context(session)
    ids = [one.id or 0 for one in seen]
    tail = tuple(map(Sent, ids[max(0, len(ids) - keep) :]))
    made = Compaction(tuple(ids), (), Message("user", f"summary of {len(ids)}"), tail)
    return compactions.compact(tip, made)


def compact(home: Path, seed: int) -> None:
    """Append some messages and compact the conversation, again and again until killed."""
    with Archivist.open(home) as archivist:
        session = archivist.sessions.start("victim")
        say(f"session {session.id}")
        for number in range(100_000):
            names = [f"{seed}-{number}-{part}" for part in range(6)]
            session.append_many([Message.user(f"word{name}", client_id=name) for name in names])
            for name in names:
                say(f"stored {name}")
            say(f"compacted {_shortened(archivist, session.id)}")


def compact_once(home: Path, seed: int) -> None:
    """Compact a conversation of twelve messages; every statement of it is told of before it runs."""
    with Archivist.open(home) as archivist:
        session = archivist.sessions.start("victim")
        session.append_many([Message.user(f"word {number}") for number in range(12)])
        say(f"session {session.id}")
        writer = archivist._store._live._writer
        writer._db.exec_trace = lambda _cursor, sql, _bindings: say(f"working {sql[:20]!r}") or True
        _shortened(archivist, session.id)
        writer._db.exec_trace = None
        say(f"compacted {seed}")


def race(home: Path, session: str) -> None:
    """Compact a session together with others, all on the same context."""
    with Archivist.open(home) as archivist:
        compactions = Compactions(archivist._store, archivist._world)
        tip, seen = compactions.context(session)
        ids = [one.id or 0 for one in seen]
        made = Compaction(tuple(ids), (), Message("user", "summary"), tuple(map(Sent, ids[-5:])))
        ready = home / "ready"
        ready.mkdir(exist_ok=True)
        (ready / str(os.getpid())).touch()
        while len(list(ready.iterdir())) < RACERS:
            time.sleep(0.01)
        try:
            say(f"won {compactions.compact(tip, made)}")
        except ContextChanged as error:
            say(f"refused {error}")


def keep_compacting(home: Path, session: str) -> None:
    """Compact a conversation as long as others append to it."""
    with Archivist.open(home) as archivist:
        say("ready")
        made, until = 0, time.monotonic() + 2.0
        while time.monotonic() < until:
            try:
                _shortened(archivist, session)
                made += 1
            except ContextChanged:
                continue
            time.sleep(0.05)
        say(f"made {made}")


if __name__ == "__main__":
    kinds = {
        "compact": compact,
        "compact_once": compact_once,
        "race": race,
        "keep_compacting": keep_compacting,
        "append": append,
        "import": import_,
        "ingest": ingest,
        "migrate": migrate,
        "index": index,
        "crowd": crowd,
    }
    told = sys.argv[3]
    kinds[sys.argv[1]](Path(sys.argv[2]), int(told) if told.isdecimal() else told)
