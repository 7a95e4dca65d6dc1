"""What is damaged or odd costs itself and is named."""

import json
import shutil

import apsw
import pytest

from archivist.transfer import SourceUnreadable, detect_format, import_history, read_history
from archivist.transfer.openclaw import OpenClaw

HUGE = "1" + "0" * 400


def put_over(database, table):
    """The first page of a table as a disk may lose it."""
    opened = apsw.Connection(str(database))
    page = opened.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).get
    size = opened.execute("PRAGMA page_size").get
    opened.close()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


@pytest.mark.parametrize(
    "table", ["session_nodes", "session_windows", "transcript_events", "session_transcript_archives"]
)
def test_a_database_with_a_lost_page_is_named_and_stops_nothing_else(claw, told, shapes, memory, table):
    told.user("in the database")
    claw.rows(told)
    beside = shapes.Transcript(shapes.OTHER)
    beside.user("in a file")
    claw.files(beside)
    put_over(claw.database, table)
    report = import_history(claw.root, memory)
    [problem] = report.problems
    assert problem.path == claw.database
    assert "the database is damaged" in problem.reason
    assert [m.text for m in memory.of(beside.session)] == ["in a file"]
    assert [found.path for found in OpenClaw().find(claw.root.parent, {})] == [claw.root]
    assert detect_format(claw.root) == "openclaw"
    with pytest.raises(SourceUnreadable, match="damaged"):
        list(read_history(claw.database))


@pytest.mark.parametrize("name", ["{} copy.jsonl", "{} (1).jsonl", "{}.bak.jsonl", "{}-old.jsonl", "backup-{}.jsonl",
                                  "9c0d7a55-0b6e-4d3b-8a57-61a6a3a0c7be.jsonl", "{}~.jsonl"])  # fmt: skip
def test_a_copy_beside_its_original_is_the_same_session(claw, told, memory, name):
    told.user("[Telegram Ada id:7 2026-06-10 09:11 UTC] before the copy")
    claw.key("agent:main:main")
    claw.files(told)
    copy = claw.sessions / name.format(told.session)
    shutil.copy(claw.sessions / f"{told.session}.jsonl", copy)
    told.user("[Telegram Bob id:8 2026-06-10 09:12 UTC] after it")
    claw.files(told)
    report = import_history(claw.root, memory)
    assert set(memory.starts) == {told.session}
    assert [m.text for m in memory.of(told.session)] == ["before the copy", "after it"]
    assert report.messages == 2
    assert not report.problems
    assert memory.starts[told.session].scope.chat is not None


@pytest.mark.parametrize("name", ["{} copy.jsonl", "backup-{}.jsonl"])
def test_a_fork_and_a_rewind_go_by_the_original_and_not_by_an_older_copy(claw, told, shapes, memory, name):
    begun = told.user("shared")
    told.user("left later")
    claw.files(told)
    shutil.copy(claw.sessions / f"{told.session}.jsonl", claw.sessions / name.format(told.session))
    told.user("in its place", parent=begun)
    fork = shapes.Transcript(shapes.OTHER, parentSession=f"/x/{told.session}.jsonl")
    fork.entries += told.entries[1:]
    fork.last = told.last
    fork.user("only here")
    claw.files(told, fork)
    import_history(claw.root, memory)
    assert {m.text: m.state for m in memory.of(told.session)} == {
        "shared": "active", "left later": "branch", "in its place": "active",
    }  # fmt: skip
    assert [m.text for m in memory.of(fork.session)] == ["only here"]


def test_the_parts_of_a_chat_stay_sessions_of_their_own(claw, told, read):
    told.user("in one topic")
    claw.files(told)
    (claw.sessions / f"{told.session}.jsonl").rename(claw.sessions / f"{told.session}-topic-4.jsonl")
    assert set(read(claw.root)) == {f"{told.session}-topic-4"}


@pytest.mark.parametrize("number", [HUGE, f"-{HUGE}", "1e300", "-1"])
def test_numbers_beyond_all_bounds_cost_no_message(claw, told, read, number):
    told.answer(
        "here", usage={"input": 7, "output": 8, "cacheRead": 9, "cacheWrite": 10, "cost": {"total": 11}}
    )
    text = told.text()
    for field, value in (("output", 8), ("cacheRead", 9), ("cacheWrite", 10), ("total", 11)):
        text = text.replace(f'"{field}": {value}', f'"{field}": {number}')
    stamped = json.loads(text.splitlines()[1])["id"]
    text = text.replace(f'"id": "{stamped}"', f'"id": "{stamped}", "ttl": {number}')
    claw.files(told)
    (claw.sessions / f"{told.session}.jsonl").write_text(text)
    session, messages = read(claw.root)[told.session]
    assert [m.text for m in messages] == ["here"]
    for usage in session.usage:
        assert usage.input == 7
        assert all(0 <= count <= 2**53 for count in (usage.output, usage.cache_read, usage.cache_write))
        assert usage.cost_usd == 0
