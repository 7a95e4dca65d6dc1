"""Imports into the real store: what is new once, what is known never again, one bad file alone."""

import pytest

from archivist.store import StoreBusy
from archivist.transfer import import_history


@pytest.fixture
def projects(tmp_path, kit):
    """Three sessions, the second with a sub-agent, in two project folders."""
    for number, folder in enumerate(["-a", "-a", "-b"]):
        made = kit.Transcript(f"{number}1111111-1111-4111-8111-111111111111")
        made.person(f"question {number} about the tide table")
        made.answer("r1", "I look.", kit.call("t1", command="ls"), stop="tool_use")
        made.result("t1", "a file")
        made.answer("r2", f"answer {number}", stop="end_turn")
        made.write(tmp_path / "projects" / folder)
        if number == 1:
            agent = kit.Transcript(made.session, ids="agent", isSidechain=True)
            agent.person("task")
            agent.write(tmp_path / "projects" / folder / made.session / "subagents", "agent-1.jsonl")
    return tmp_path / "projects"


def test_a_history_goes_into_the_store_once(projects, store, kit):
    before = kit.digests(projects)
    report = import_history(projects, store)
    assert (report.sessions_new, report.messages, report.read, report.imported) == (4, 13, 13, 13)
    assert store.counts() == {"conversations": 3, "sessions": 4, "messages": 13}
    second = import_history(projects, store)
    assert second.changed_nothing
    assert (second.sessions_unchanged, second.files_unchanged, second.read) == (4, 4, 0)
    assert store.counts()["messages"] == 13
    assert kit.digests(projects) == before


def test_messages_can_be_read_back_from_the_store_in_order(projects, store):
    import_history(projects, store)
    session = "01111111-1111-4111-8111-111111111111"
    assert [m.text for m in store.context(session)] == [
        "question 0 about the tide table",
        "I look.",
        "a file",
        "answer 0",
    ]
    [usage] = store.usage(session)
    assert (usage.requests, usage.output, usage.cache_read) == (2, 20, 1800)
    child = store.session("11111111-1111-4111-8111-111111111111/agent-1")
    assert (child.conversation_id, child.link) == ("11111111-1111-4111-8111-111111111111", "subagent")


def test_without_its_marks_a_known_history_is_read_again_and_nothing_doubles(projects, store):
    import_history(projects, store)
    store.write(lambda db: db.execute("DELETE FROM imported"))
    report = import_history(projects, store)
    assert report.changed_nothing
    assert (report.read, report.imported, report.already_known) == (13, 0, 13)
    assert report.sessions_unchanged == 4


def test_only_the_file_that_has_grown_is_read(projects, store, kit):
    import_history(projects, store)
    [path] = (projects / "-b").glob("*.jsonl")
    made = kit.Transcript("21111111-1111-4111-8111-111111111111")
    made.number, made.last = 20, "21111111-0004"
    made.person("and another thing")
    with path.open("ab") as file:
        file.write(made.bytes())
    report = import_history(projects, store)
    assert (report.sessions_grown, report.sessions_unchanged, report.messages) == (1, 3, 1)
    assert (report.read, report.imported, report.already_known) == (5, 1, 4)


def test_a_bad_file_is_named_and_the_rest_is_imported(hermes, store, kit):
    profile = kit.HermesHome(hermes.folder / "profiles" / "work")
    profile.session()
    profile.say("user", "hello from work")
    profile.db.close()
    hermes.db.close()
    hermes.path.write_bytes(b"SQLite format 3\x00" + b"noise" * 300)
    report = import_history(hermes.folder, store, format="hermes")
    assert [problem.path for problem in report.problems] == [hermes.path]
    assert "damaged" in report.problems[0].reason
    assert report.messages == 1
    assert report.read == report.imported + report.skipped == 1


def test_a_file_that_vanishes_during_an_import_is_a_problem_of_its_own(projects, memory):
    paths = sorted(projects.glob("*/*.jsonl"))
    report = import_history(projects, memory, on_progress=lambda _: paths[-1].unlink(missing_ok=True))
    assert [problem.path for problem in report.problems] == [paths[-1]]
    assert report.messages == 9


def test_a_receiver_that_cannot_store_stops_the_import_and_leaves_no_mark(projects, memory):
    def receive(*_, **__):
        raise StoreBusy(projects, 30)

    memory.receive = receive
    with pytest.raises(StoreBusy):
        import_history(projects, memory)
    assert memory.marks == {}


def test_an_import_cut_short_goes_on_from_there(projects, store, monkeypatch):
    real = store.receive
    calls = iter(range(100))

    def receive(*told, **named):
        if next(calls) == 2:
            raise StoreBusy(projects, 30)
        return real(*told, **named)

    monkeypatch.setattr(store, "receive", receive)
    with pytest.raises(StoreBusy):
        import_history(projects, store)
    report = import_history(projects, store)
    assert report.sessions_new + report.sessions_unchanged == 4
    assert store.counts()["messages"] == 13


def test_progress_is_told_to_the_end(projects, memory):
    told = []
    import_history(projects, memory, on_progress=told.append)
    last = told[-1]
    assert (
        (last.files_done, last.bytes_done, last.messages)
        == (last.files, last.bytes, 13)
        == (4, last.bytes, 13)
    )
    assert [one.bytes_done for one in told] == sorted(one.bytes_done for one in told)


def test_hermes_goes_into_the_store_once_with_its_lineage(hermes, store):
    """NousResearch/hermes-agent#100960: importing while the program holds the database open."""
    hermes.session("old", ended_at=hermes.time + 1000, end_reason="compression", title="Backup")
    hermes.say("user", "why is the backup slow?", session="old")
    hermes.session("next", parent_session_id="old", started_at=hermes.time + 940)
    hermes.say("user", "use zstd then", session="next")
    assert import_history(hermes.folder, store).sessions_new == 2
    assert [m.text for m in store.lineage("old")] == ["why is the backup slow?", "use zstd then"]
    assert import_history(hermes.folder, store).changed_nothing
    hermes.say("user", "and 14 copies", session="next")
    assert import_history(hermes.folder, store).messages == 1


def test_a_file_is_marked_only_when_all_its_sessions_are_stored(hermes, memory, monkeypatch):
    for key in ("s1", "s2"):
        hermes.session(key)
        hermes.say("user", f"in {key}", session=key)
    real = memory.receive

    def receive(start, told, *rest, **named):
        if start.external_id == "s2":
            raise StoreBusy(hermes.path, 30)
        return real(start, told, *rest, **named)

    monkeypatch.setattr(memory, "receive", receive)
    with pytest.raises(StoreBusy):
        import_history(hermes.folder, memory)
    assert (len(memory.messages), memory.marks) == (1, {})


def test_an_owner_who_is_named_too_late_is_told_so(hermes, memory, projects):
    hermes.session("d1", source="telegram", user_id="1", session_key="agent:main:telegram:dm:1")
    hermes.say("user", "hello", session="d1")
    late = "sessions that were here before stay whose they are"
    first = import_history(hermes.folder, memory, owners=["1"])
    assert not any(late in notice for notice in first.notices)
    assert not import_history(hermes.folder, memory).notices
    again = import_history(hermes.folder, memory, owners=["2"])
    assert any(late in notice and "profile" in notice for notice in again.notices)
    hermes.say("user", "more", session="d1")
    grown = import_history(hermes.folder, memory, owners=["2"])
    assert any(late in notice for notice in grown.notices)
    for _ in range(2):
        assert not import_history(projects, memory, owners=["2"]).notices
