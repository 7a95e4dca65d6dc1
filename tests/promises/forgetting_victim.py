"""The process that gets killed while it deletes: says on its pipe what it has begun and what it was told is done.

Run as a script: `python forgetting_victim.py KIND HOME`.
"""

import sys
from pathlib import Path

from archivist import Archivist, Message, Part, Usage

CONVERSATIONS = 12


def say(text: str) -> None:
    """What is said leaves this process at once, or not at all."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def word(number: int) -> str:
    """A word that only one conversation has."""
    return f"zyqu{'abcdefghijkl'[number]}word"


def fill(home: Path) -> None:
    """Conversations with a word of their own in titles, texts, calls and blobs; indexed."""
    with Archivist.open(home, environ={}) as archivist:
        for number in range(CONVERSATIONS):
            own = word(number)
            session = archivist.sessions.start("victim", title=f"about {own}", prompt=f"you know {own}")
            session.append_many(
                [Message.user(f"{own} in message {turn} " + "filling " * 60) for turn in range(30)]
            )
            part = Part("file", data=f"{own} bytes".encode(), media_type="text/plain", name=f"{own}.txt")
            session.append(Message("user", "see the file", parts=(part,)))
            session.add_usage(Usage("model", f"request {number}", 1, 100, 10))
        archivist.catch_up()


def delete(home: Path) -> None:
    """Delete every second conversation, one after the other."""
    with Archivist.open(home, environ={}) as archivist:
        for session in sorted(archivist.sessions.browse(limit=100).sessions, key=lambda one: one.title or "")[
            ::2
        ]:
            say(f"begin {session.title}")
            archivist.sessions.delete(session.id)
            say(f"gone {session.title}")


def prune(home: Path) -> None:
    """Prune everything."""
    with Archivist.open(home, environ={}) as archivist:
        say("begin all")
        archivist.sessions.prune(0, dry_run=False)
        say("gone all")


if __name__ == "__main__":
    {"delete": delete, "prune": prune}[sys.argv[1]](Path(sys.argv[2]))
