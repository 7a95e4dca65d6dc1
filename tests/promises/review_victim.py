"""The process that is killed while something is proposed or decided on.

Run as a script: `python review_victim.py HOME NUMBER WHAT [ARGUMENT…]`. It kills itself before its NUMBERth step on files of the home or
commit of a database, and says "done" where it came to its end.
"""

import os
import signal
import sys
from pathlib import Path

import apsw

from archivist import Archivist
from archivist.records import EVERYTHING

STEPS = ("os.rename", "os.link", "os.remove", "os.mkdir", "os.truncate")


class Steps:
    """Counts what changes something, and ends the process before one of them."""

    def __init__(self, home: Path, number: int) -> None:
        self._home, self._left = str(home), number

    def __call__(self, *_: object) -> bool:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return False

    def audit(self, event: str, arguments: tuple) -> None:
        """Heed what is done to files of the home."""
        writes = (
            event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        )
        if (writes or event in STEPS) and self._home in str(arguments[0]):
            self()


def run(home: Path, number: int, what: str, *arguments: str) -> None:
    """Do one thing, and be killed on the way."""
    steps = Steps(home, number)
    apsw.connection_hooks.append(lambda db: db.set_commit_hook(steps))
    with Archivist.open(home, environ={}) as archivist:
        sys.addaudithook(steps.audit)
        if what == "propose":
            archivist.notes.add("memory", arguments[0], origin="agent")
        elif what == "propose_day":
            archivist.daily.add(arguments[0], origin="agent")
        else:
            getattr(archivist.review_for(EVERYTHING), what)(*arguments)
    sys.stdout.write("done\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
