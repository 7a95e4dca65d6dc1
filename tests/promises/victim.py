"""The process that gets killed: does one kind of work and says on its pipe what it has been told is done.

Run as a script: `python victim.py KIND HOME SEED`.
"""

import random
import sys
from pathlib import Path

from archivist import Archivist, Message
from archivist.store import connection


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


if __name__ == "__main__":
    kinds = {
        "append": append,
        "import": import_,
        "ingest": ingest,
        "migrate": migrate,
        "index": index,
        "crowd": crowd,
    }
    kinds[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
