"""The process that is killed while it copies a home or puts a copy in its place, and the one that writes meanwhile.

Run as a script: `python safety_victim.py KIND HOME NUMBER`. `backup` and `restore` kill themselves before their NUMBERth step on files.
"""

import os
import signal
import sys
from pathlib import Path

from archivist import Archivist, Message
from archivist.app.restoring import restore as restore_home
from archivist.app.world import real_world
from archivist.config import Home

STEPS = ("os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.utime", "shutil.rmtree")


def say(text: str) -> None:
    """An acknowledgement leaves this process at once, or not at all."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def die_at(number: int, home: Path) -> None:
    """Be killed before the step of that number that changes a file in the home."""
    count = 0

    def audit(event: str, arguments: tuple) -> None:
        nonlocal count
        writes = (
            event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        )
        if not (writes or event in STEPS) or str(home) not in str(arguments[0]):
            return
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(audit)


def backup(home: Path, number: int) -> None:
    """Back up, and be killed on the way."""
    with Archivist.open(home, environ={}) as archivist:
        die_at(number, home)
        archivist.backup()
    say("done")


def restore(home: Path, number: int) -> None:
    """Restore, and be killed on the way."""
    die_at(number, home)
    restore_home(Home(home), None, world=real_world())
    say("done")


def hammer(home: Path, number: int) -> None:
    """Append to one session until killed, opening the home again where it must."""
    with Archivist.open(home, environ={}) as archivist:
        session = archivist.sessions.get("hammered")
        say("ready")
        for count in range(1_000_000):
            name = f"{number}-{count}"
            session.append(Message.user(f"word {name}", client_id=name))
            say(name)


if __name__ == "__main__":
    kinds = {"backup": backup, "restore": restore, "hammer": hammer}
    kinds[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
