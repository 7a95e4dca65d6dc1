"""An agent that is killed at work: `agent_victim.py HOME FOLDER URL WIRE FIRST LAST` goes on in the newest conversation."""

import sys
from pathlib import Path

from archivist import Archivist
from archivist.records.approvals import Answer


def main(home: str, folder: str, url: str, wire: str, first: str, last: str) -> None:
    from tests.promises.agents import responder_at

    with Archivist.open(home) as arc:
        newest = arc.sessions.browse(limit=1, source="chat").sessions
        agent = arc.agent(
            responder_at(url, wire),
            session=newest[0].id if newest else None,
            cwd=folder,
            approve=lambda ask: Answer("once"),
        )
        for turn in range(int(first), int(last)):
            print(f"begins {turn}", flush=True)
            ended = agent.turn(f"turn {turn}: what do we know of harbour {turn}?")
            print(f"{ended.stop} {turn}", flush=True)
        agent.close()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    main(*sys.argv[1:])
