"""A compaction is there whole or not at all, whoever is killed or comes between; nothing that was said is lost or told twice."""

import random
import subprocess
import threading
from pathlib import Path

import pytest
from tests.promises.test_nothing_lost import kill_after, spawn

from archivist import Archivist, Message
from archivist.store.compacting import Compaction, ContextChanged, Sent
from archivist.store.compactions import Compactions

KEPT = 3


def shown(archivist: Archivist, session: str) -> list[Message]:
    return [one for one in archivist.sessions.get(session).messages("all") if not one.metadata.get("summary")]


def compactions(archivist: Archivist) -> Compactions:
    return Compactions(archivist._store, archivist._world)


def is_sound(archivist: Archivist, session: str) -> None:
    """The newest session shows its model the last messages behind one summary that stands for all the others, or all of them."""
    assert archivist.verify().problems == ()
    everything = archivist.sessions.get(session).messages("all")
    context = archivist.sessions.get(session).messages("context")
    seen = [one.id for one in context]
    said = [one.id for one in everything if not one.metadata.get("summary")]
    assert len(set(said)) == len(said)
    assert len(set(seen)) == len(seen)
    told = [key for one in context for key in compactions(archivist).stands_for(one.id or 0)]
    assert [*told, *(key for key in seen if key in set(said))] == said
    for one in everything:
        if not one.metadata.get("summary"):
            assert one.state == ("active" if one.id in seen else "compacted"), one


@pytest.mark.parametrize("seed", range(6))
def test_a_kill_at_any_instant_leaves_the_old_or_the_new(tmp_path, seed):
    chance, home = random.Random(seed), tmp_path / "home"
    said = kill_after(spawn("compact", home, seed), 2, chance.uniform(0, 0.2))
    session_id = said[0].removeprefix("session ")
    done = [line.removeprefix("compacted ") for line in said if line.startswith("compacted")]
    stored = [line.removeprefix("stored ") for line in said if line.startswith("stored")]
    with Archivist.open(home) as archivist:
        is_sound(archivist, session_id)
        line = [one.id for one in archivist.sessions.read(session_id).line]
        assert line[: 1 + len(done)] == [session_id, *done]
        assert len(line) <= 2 + len(done)
        assert [one.client_id for one in shown(archivist, session_id)][: len(stored)] == stored
        assert len(archivist.sessions.browse().sessions) == 1


def test_a_kill_at_every_statement_of_a_compaction_leaves_the_old_or_the_new(tmp_path):
    whole = kill_after(spawn("compact_once", tmp_path / "whole", 0), 1, 3.0)
    statements = sum(line.startswith("working") for line in whole)
    assert statements > 10, whole
    outcomes = set()
    for statement in range(1, statements + 1, 2):
        home = tmp_path / str(statement)
        said = kill_after(spawn("compact_once", home, 0), 1 + statement)
        with Archivist.open(home) as archivist:
            session = said[0].removeprefix("session ")
            is_sound(archivist, session)
            outcomes.add(len(archivist.sessions.read(session).line))
            compactions(archivist).context(session)
    assert outcomes <= {1, 2}
    assert 1 in outcomes


def test_of_two_processes_that_compact_one_session_exactly_one_wins(tmp_path):
    home = tmp_path / "home"
    with Archivist.open(home) as archivist:
        session = archivist.sessions.start("test")
        session.append_many([Message.user(f"message {number}") for number in range(40)])
        session_id = session.id
    victims = [spawn_with("race", home, session_id) for _ in range(4)]
    said = sorted(finished(victim) for victim in victims)
    assert [line.split()[0] for line in said] == ["refused", "refused", "refused", "won"]
    with Archivist.open(home) as archivist:
        is_sound(archivist, session_id)
        assert len(archivist.sessions.read(session_id).line) == 2


def test_what_is_appended_through_an_old_handle_while_another_process_compacts_is_in_the_new_context(
    tmp_path,
):
    home = tmp_path / "home"
    with Archivist.open(home) as archivist:
        session = archivist.sessions.start("test")
        session.append_many([Message.user(f"message {number}") for number in range(10)])
        compactor = spawn_with("keep_compacting", home, session.id)
        assert compactor.stdout
        assert compactor.stdout.readline() == "ready\n"
        names = [f"late-{number}" for number in range(120)]
        half = threading.Thread(
            target=lambda: [session.append(Message.user(name, client_id=name)) for name in names[:60]]
        )
        half.start()
        for name in names[60:]:
            session.append(Message.user(name, client_id=name))
        half.join()
        made = int(finished(compactor).split()[1])
        assert made >= 2
        is_sound(archivist, session.id)
        stored = [one.client_id for one in shown(archivist, session.id)]
        assert sorted(name for name in stored if name in set(names)) == sorted(names)
        assert len(stored) == 130


def test_what_was_spooled_before_a_compaction_is_in_the_new_context_before_what_is_said_next(tmp_path):
    home = tmp_path / "home"
    with Archivist.open(home) as archivist:
        session = archivist.sessions.start("test")
        session.append_many([Message.user(f"message {number}") for number in range(10)])
        store = archivist._store
        tip, seen = compactions(archivist).context(session.id)
        rows = [store.prepare(Message.user("spooled", client_id="spooled"))]
        store.spool.keep(session.id, rows)
        ids = [one.id or 0 for one in seen]
        made = Compaction(tuple(ids), (), Message("user", "summary"), tuple(map(Sent, ids[-KEPT:])))
        child = compactions(archivist).compact(tip, made)
        archivist.sessions.get(child).append(Message.user("said next"))
        assert [one.text for one in archivist.sessions.get(child).messages("context")][-2:] == [
            "spooled",
            "said next",
        ]
        assert store.spool.is_empty()
        is_sound(archivist, session.id)
        with pytest.raises(ContextChanged):
            compactions(archivist).compact(tip, made)


def spawn_with(kind: str, home: Path, session: str) -> "subprocess.Popen[str]":
    import sys

    from tests.promises.test_nothing_lost import VICTIM

    return subprocess.Popen(
        [sys.executable, str(VICTIM), kind, str(home), session],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finished(process: "subprocess.Popen[str]") -> str:
    """The last line that a process said."""
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return out.strip().split("\n")[-1]
