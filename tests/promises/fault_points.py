"""An agent that meets trouble at one point of a turn: `fault_points.py HOME FOLDER URL WIRE` reads troubles and points, and tells endings.

A point is a place between two steps: before and behind each statement that begins or commits a write of the store, each sync and exchange
of a file, each call of a tool, each thing that is told. For each a child takes up the newest conversation, says the same, and is killed
there, or finds the disk full: once, or from there on.
"""

import errno
import os
import signal
import sys
import traceback
from pathlib import Path

SAYS = "turn 17: what do we know of harbour 17?"
"""Two steps of calls, of every kind that the worker makes."""


class Points:
    """Counts the points that are passed, and makes trouble at one of them."""

    def __init__(self, trouble: str, last: int) -> None:
        self.passed, self._trouble, self._last = 0, trouble, last

    def pass_one(self, *_: object) -> bool:
        """Whether the disk is full here."""
        self.passed += 1
        if self._trouble == "kill" and self.passed == self._last:
            os.kill(os.getpid(), signal.SIGKILL)
        return (self._trouble == "full" and self.passed >= self._last) or (
            self._trouble == "once full" and self.passed == self._last
        )

    def around(self, function, error=None):
        """A function with a point before it and one behind it."""

        def called(*args, **more):
            if self.pass_one() and error is not None:
                raise error()
            result = function(*args, **more)
            self.pass_one()
            return result

        return called


def full():
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def work(home, folder, url, wire, points):
    import apsw
    from tests.promises.agents import responder_at

    from archivist import Archivist
    from archivist.app.agent import AgentHome
    from archivist.records.approvals import Answer
    from archivist.store.writer import Writer

    with Archivist.open(home) as arc:
        newest = arc.sessions.browse(limit=1, source="chat").sessions
        agent = arc.agent(
            responder_at(url, wire),
            session=newest[0].id if newest else None,
            cwd=folder,
            approve=lambda ask: Answer("once"),
            on_event=points.pass_one,
        )
        Writer._run = points.around(Writer._run, apsw.FullError)
        AgentHome.call = points.around(AgentHome.call)
        os.fsync, os.replace = points.around(os.fsync, full), points.around(os.replace, full)
        turn = agent.turn(SAYS)
        agent.close()
    return turn.stop


def ended(arguments, trouble, last):
    """How it ended, and whether the point was reached at all."""
    from archivist import ArchivistError

    points = Points(trouble, last)
    try:
        how = work(*arguments, points)
    except ArchivistError as error:
        how = f"refused {type(error).__name__}"
    except BaseException:  # noqa: BLE001 - the end of a process: its test is told
        traceback.print_exc()
        how = "raised"
    return f"{how} {points.passed >= last}"


def child(arguments, trouble, last):
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reader)
        os.write(writer, ended(arguments, trouble, last).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as told:
        how = told.read()
    os.waitpid(process, 0)
    return how or "killed True"


def main(*arguments):
    import archivist.app.agent
    import archivist.models.anthropic_client
    import archivist.models.openai_client  # noqa: F401 - loaded once, for all children

    for line in sys.stdin:
        trouble, _, last = line.rpartition(" ")
        print(child(arguments, trouble, int(last)), flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    main(*sys.argv[1:])
