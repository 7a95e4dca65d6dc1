"""Several agents, of which one goes on: the others are left alone, and the owner is judged as if all had been read."""

import json
from contextlib import contextmanager

import pytest

from archivist.records import OWNER, Scope
from archivist.transfer import import_history
from archivist.transfer.openclaw import database

OTHER_AGENT = "work"


@pytest.fixture
def copied(monkeypatch):
    """The agents whose databases are copied, in their order."""
    agents, opened = [], database.opened_copy

    @contextmanager
    def recorded(path):
        agents.append(path.parents[1].name)
        with opened(path) as db:
            yield db

    monkeypatch.setattr(database, "opened_copy", recorded)
    return agents


@pytest.fixture
def agents(claw, told, shapes, memory):
    """Two agents in databases, imported: each is spoken with by somebody of its own on one channel."""
    other = shapes.Transcript(shapes.OTHER)
    told.user("hello")
    other.user("hello from another")
    claw.key("agent:main:telegram:direct:7")
    claw.rows(told)
    work = claw.beside(OTHER_AGENT)
    work.key("agent:work:telegram:direct:8", session=other.session)
    work.rows(other)
    import_history(claw.root, memory)
    return claw, work


def go_on(claw, told, key="agent:main:telegram:direct:7"):
    """A further session of an agent."""
    told.user("once more")
    claw.key(key, session=told.session)
    db = claw.connect()
    db.execute("DELETE FROM session_nodes")
    claw.rows(told, db=db)
    db.close()


def test_only_the_database_of_the_agent_that_went_on_is_copied(agents, shapes, memory, copied):
    claw, _ = agents
    go_on(claw, shapes.Transcript(shapes.THIRD))
    report = import_history(claw.root, memory)
    assert (report.messages, report.files_unchanged) == (1, 1)
    assert set(copied) == {"main"}


def test_who_wrote_to_an_agent_that_is_left_alone_still_counts(agents, shapes, memory):
    claw, _ = agents
    go_on(claw, shapes.Transcript(shapes.THIRD))
    import_history(claw.root, memory)
    assert memory.starts[shapes.THIRD].scope == Scope(user="7")


def test_the_owner_is_the_one_who_alone_speaks_with_all_of_them(claw, told, shapes, memory, copied):
    other, later = shapes.Transcript(shapes.OTHER), shapes.Transcript(shapes.THIRD)
    told.user("hello")
    other.user("hello from the same person")
    claw.key("agent:main:telegram:direct:7")
    claw.rows(told)
    work = claw.beside(OTHER_AGENT)
    work.key("agent:work:telegram:direct:7", session=other.session)
    work.rows(other)
    import_history(claw.root, memory)
    copied.clear()
    go_on(work, later, "agent:work:telegram:direct:7")
    import_history(claw.root, memory)
    assert set(copied) == {OTHER_AGENT}
    assert {start.scope for start in memory.starts.values()} == {OWNER}


def test_the_maker_of_a_sub_agent_is_looked_up_where_it_is(agents, shapes, memory, copied):
    claw, _ = agents
    made = shapes.Transcript(shapes.THIRD)
    made.user("do it")
    claw.key("agent:main:subagent:b", session=made.session, spawnedBy="agent:work:telegram:direct:8")
    db = claw.connect()
    db.execute("DELETE FROM session_nodes")
    claw.rows(made, db=db)
    db.close()
    import_history(claw.root, memory)
    assert OTHER_AGENT in copied
    assert memory.starts[made.session].scope == Scope(user="8")
    assert memory.parents[made.session] == shapes.OTHER


def test_where_the_owner_is_named_nothing_is_asked_of_the_others(claw, agents, shapes, memory, copied):
    import_history(claw.root, memory, owners=["7"])
    copied.clear()
    go_on(claw, shapes.Transcript(shapes.THIRD))
    import_history(claw.root, memory, owners=["7"])
    assert set(copied) == {"main"}
    assert memory.starts[shapes.THIRD].scope == OWNER


def test_where_the_owner_was_named_before_the_others_are_asked_again(claw, told, shapes, memory, copied):
    other = shapes.Transcript(shapes.OTHER)
    told.user("hello")
    other.user("hello from another")
    claw.key("agent:main:telegram:direct:7")
    claw.rows(told)
    work = claw.beside(OTHER_AGENT)
    work.key("agent:work:telegram:direct:8", session=other.session)
    work.rows(other)
    import_history(claw.root, memory, owners=["7"])
    copied.clear()
    go_on(claw, shapes.Transcript(shapes.THIRD))
    import_history(claw.root, memory)
    assert set(copied) == {"main", OTHER_AGENT}
    assert memory.starts[shapes.THIRD].scope == Scope(user="7")


def test_transcripts_in_files_of_an_agent_that_is_left_alone_are_not_read(
    claw, told, shapes, memory, monkeypatch
):
    from archivist.transfer import compressed

    other, later = shapes.Transcript(shapes.OTHER), shapes.Transcript(shapes.THIRD)
    told.user("hello")
    other.user("[Telegram Bo id:8 2026-06-10 09:11 UTC] from another")
    later.user("once more")
    claw.key("agent:main:telegram:direct:7")
    claw.files(told)
    work = claw.beside(OTHER_AGENT)
    work.files(other)
    import_history(claw.root, memory)
    claw.files(later)
    read_from, opened = [], compressed.opened
    monkeypatch.setattr(compressed, "opened", lambda path: read_from.append(path.name) or opened(path))
    import_history(claw.root, memory)
    assert f"{other.session}.jsonl" not in read_from
    assert f"{later.session}.jsonl" in read_from


def test_what_is_kept_of_people_does_not_name_them(agents, memory):
    kept = [json.loads(mark)["cuts"] for mark in memory.marks.values()]
    assert [(name, len(people)) for name, *people in kept] == [("writers", 1), ("writers", 1)]
    assert not {"telegram:7", "telegram:8"} & {person for _, *people in kept for person in people}


def test_who_is_only_noted_and_has_no_transcript_left_counts_too(claw, told, shapes, memory):
    """A person whose transcript was removed stays somebody else than the owner."""
    other, later = shapes.Transcript(shapes.OTHER), shapes.Transcript(shapes.THIRD)
    told.user("hello")
    other.user("at the machine")
    claw.key("agent:main:telegram:direct:7")
    claw.files(told)
    work = claw.beside(OTHER_AGENT)
    work.key("agent:work:telegram:direct:8", session="0f6a1c2d-1111-4222-8333-944455556666")
    work.key("agent:work:main", session=other.session)
    work.files(other)
    import_history(claw.root, memory)
    claw.key("agent:main:telegram:direct:7", session=later.session)
    later.user("once more")
    claw.files(later)
    import_history(claw.root, memory)
    assert memory.starts[shapes.THIRD].scope == Scope(user="7")
