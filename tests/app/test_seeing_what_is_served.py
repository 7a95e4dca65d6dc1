"""What `archivist cache` says of requests is what a provider, which keeps a cache of its own, says of them."""

import pytest
from msgspec.structs import replace
from tests.promises.agents import Worker, responder, serving

from archivist import Archivist

IDENTITY = "You keep the books of a harbour. " * 1_500


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_a_break_costs_as_much_as_the_provider_says(tmp_path, wire):
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "SOUL.md").write_text(IDENTITY)
    with serving(Worker()) as server, Archivist.open(home) as archivist:
        agent = archivist.agent(responder(server, wire), cwd=tmp_path)
        for turn in range(6):
            agent.turn(f"turn {turn}: what do we know of harbour {turn}?")
        still = archivist.sessions.cache(agent.conversation_id)
        assert (still.epochs, still.breaks, still.seen) == (1, 0, len(server.requests))
        assert still.paid == pytest.approx(server.cost, rel=0.01)
        assert still.frozen == pytest.approx(server.perfect_cost, rel=0.05)
        assert still.over < 5

        agent.opened.tools = (replace(agent.opened.tools[0], description="moved"), *agent.opened.tools[1:])
        agent.turn("turn 6: what do we know of harbour 6?")
        agent.close()
        broken = archivist.sessions.cache(agent.conversation_id)
    (moved,) = [one for one in broken.each if one.is_break]
    assert (moved.broke, moved.broke_at, moved.shared_blocks) == ("tools", 1, 0)
    assert moved.read == 0
    assert broken.paid == pytest.approx(server.cost, rel=0.01)
    assert moved.lost > 0.8 * moved.tokens
