"""A compaction is there whole or not at all, whoever is killed or comes between; nothing that was said is lost or told twice."""

import random
import subprocess
import threading
from pathlib import Path

import pytest
from tests.promises.test_nothing_lost import kill_after, spawn

from archivist import Archivist, Message
from archivist.records import Part, ToolCall
from archivist.store.compacting import Compaction, ContextChanged, Sent
from archivist.store.compactions import Compactions

KEPT = 3
SOAK_KILLS = 1_000


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
    compact_and_kill(tmp_path / "home", seed)


@pytest.mark.soak
def test_a_thousand_kills(tmp_path):
    for seed in range(SOAK_KILLS):
        compact_and_kill(tmp_path / str(seed), seed)


def compact_and_kill(home: Path, seed: int) -> None:
    chance = random.Random(seed)
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


# ---- what a person finds of it ----


def word(number: int) -> str:
    return f"{'abcd'[number // 10]}wombat{'klmnoprstv'[number % 10]}"


def compact(archivist: Archivist, session: str, *, told: str = "summary", cut: str = "cut") -> str:
    """Let a summary stand for all but the last messages, and shorten the last."""
    tip, seen = compactions(archivist).context(session)
    ids = [one.id or 0 for one in seen]
    tail = (
        *map(Sent, ids[-KEPT:-1]),
        Sent(ids[-1], cut, (Part("text", cut),), (ToolCall("c", "t", f'"{cut}"'),)),
    )
    return compactions(archivist).compact(
        tip, Compaction(tuple(ids), (), Message("user", told), tail, prompt=told)
    )


@pytest.fixture
def compacted(tmp_path):
    """A home with a conversation of forty messages that was compacted three times; gives the ids of its sessions."""
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        archivist.sessions.start("test").append(Message.user("another conversation"))
        session = archivist.sessions.start("test", title="Harbour")
        line = [session.id]
        for part in range(4):
            numbers = range(10 * part, 10 * part + 10)
            session.append_many([Message.user(f"the {word(number)} burns") for number in numbers])
            if part < 3:
                told = "\n".join(f"{word(number)} numbat" for number in range(10 * part + 10))
                line.append(compact(archivist, session.id, told=told, cut="quokka"))
        yield archivist, line


def test_every_message_is_found_by_its_words_and_scrolled_to(compacted):
    archivist, line = compacted
    archivist.catch_up()
    said = {one.text: one for one in shown(archivist, line[0])}
    for number in range(40):
        hits = archivist.sessions.search(word(number)).hits
        assert [hit.text for hit in hits] == [f"the {word(number)} burns"]
        passage = archivist.sessions.read(line[-1], around=hits[0].message_id, window=2)
        assert said[hits[0].text].id in [one.id for one in passage.messages]
        assert [one.text for one in passage.messages] == [
            f"the {word(n)} burns" for n in range(max(0, number - 2), min(40, number + 3))
        ]
    assert archivist.sessions.search("numbat").hits == ()
    assert archivist.sessions.search("quokka").hits == ()
    assert archivist.sessions.search("numbat", branches=True).hits == ()


def test_its_own_model_is_told_what_it_does_not_see_and_nothing_of_what_it_does(compacted):
    archivist, line = compacted
    for number in range(40):
        found = archivist.sessions.search(word(number), asking_session=line[number % 4]).hits
        is_seen = number >= 27 and number != 29  # the last one before the compaction is shortened for it
        assert [hit.text for hit in found] == ([] if is_seen else [f"the {word(number)} burns"])


def test_three_compactions_are_one_conversation_in_lists(compacted):
    archivist, line = compacted
    browse = archivist.sessions.browse()
    (one,) = [one for one in browse.sessions if one.title == "Harbour"]
    assert (len(browse.sessions), browse.counts[one.id], one.conversation_id) == (2, 40, line[0])
    assert [one.id for one in archivist.sessions.read("Harbour").line] == line
    assert [one.text for one in shown(archivist, line[0])] == [
        f"the {word(number)} burns" for number in range(40)
    ]


def test_each_summary_is_read_back_to_what_it_stands_for_without_a_model(compacted):
    archivist, line = compacted
    said = [one.id for one in shown(archivist, line[0])]
    for part, session in enumerate(line[1:], 1):
        (summary,) = [
            one.id for one in archivist.sessions.get(session).messages("all")
            if one.session_id == session and one.metadata.get("summary")
        ]  # fmt: skip
        assert compactions(archivist).stands_for(summary) == said[: 10 * part - KEPT]
        assert archivist.sessions.read(session, around=summary).messages


@pytest.mark.parametrize("how", ["delete", "prune"])
def test_when_the_conversation_goes_all_of_it_goes_from_every_file(compacted, how):
    archivist, line = compacted
    archivist.catch_up()
    assert any("what the model of session" in place for place in archivist.verify(absent="quokka").places)
    if how == "delete":
        archivist.sessions.delete(line[2])
    else:
        assert len(archivist.sessions.prune(0, title="Harbour", dry_run=False).removals) == 1
    for text in (word(3), word(39), "numbat", "quokka", "Harbour"):
        absence = archivist.verify(absent=text)
        assert absence.is_absent, absence.places
    assert archivist.verify().problems == ()
    assert archivist.counts()["messages"] == 1
