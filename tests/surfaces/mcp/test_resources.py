"""A resource holds what its reader may see, within bounds, and says where it goes on."""

import re

import pytest

from archivist import Archivist, Message, Scope, ToolCall
from archivist.records import OWNER
from archivist.surfaces.mcp.resources import MOST_CALLS, PAGE_CHARS, NoSuchResource, open_resource


@pytest.fixture
def archivist(tmp_path):
    (tmp_path / "config.toml").write_text("[notes]\nmemory_limit = 200000\n")
    with Archivist.open(tmp_path, environ={}) as archivist:
        yield archivist


def text(archivist, uri, reader=OWNER):
    return open_resource(f"memory://{uri}", archivist, OWNER, reader).text


def pages(archivist, uri):
    """A resource from its first piece to its last."""
    offset = "0"
    while True:
        page = text(archivist, f"{uri}?offset={offset}")
        assert len(page) < 2 * PAGE_CHARS
        yield page
        more = re.search(r"\?offset=(\d+)\]", page)
        if more is None:
            return
        assert int(more[1]) > int(offset)
        offset = more[1]


def test_a_long_conversation_is_read_on_without_a_hole(archivist):
    session = archivist.sessions.start("cli", title="The harbour")
    session.append_many([Message.user(f"<{number}> " + "word " * 300) for number in range(60)])
    session.append(Message.assistant("", tool_calls=[ToolCall("c", "write", '{"path": "quay"}')]))
    read = list(pages(archivist, f"sessions/{session.id}"))
    assert len(read) > 2
    assert [int(number) for page in read for number in re.findall(r"<(\d+)>", page)] == list(range(60))
    assert '-> write {"path": "quay"}' in read[-1]
    assert all(page.startswith("# The harbour\n") and "Background from memory" in page for page in read)


def test_of_a_message_with_many_calls_it_is_said_how_many_are_left_out(archivist):
    session = archivist.sessions.start("cli")
    calls = [ToolCall(f"c{number}", "look", f'"<{number}>"') for number in range(MOST_CALLS + 5)]
    session.append(Message.assistant("", tool_calls=calls))
    shown = text(archivist, f"sessions/{session.id}")
    assert re.findall(r"<(\d+)>", shown) == [str(number) for number in range(MOST_CALLS)]
    assert "[cut, 5 more calls: message " in shown


def test_a_conversation_is_named_by_its_id_its_title_or_the_beginning_of_its_id(archivist):
    session = archivist.sessions.start("cli", title="The harbour / at night")
    session.append(Message.user("The lantern burns."))
    for name in (session.id, session.id[:-2], "The%20harbour%20%2F%20at%20night"):
        assert "The lantern burns." in text(archivist, f"sessions/{name}")


@pytest.mark.parametrize("tier", ["memory", "archive/memory"])
def test_many_notes_are_read_on_without_a_hole(archivist, tier):
    archivist.notes.apply(
        "memory",
        [{"action": "add", "content": f"Lamp <{number}>: " + f"w{number} " * 150} for number in range(80)],
    )
    if tier != "memory":
        for entry in archivist.notes.entries("memory"):
            archivist.notes.demote(entry.id)
    read = list(pages(archivist, f"notes/{tier}"))
    assert len(read) > 1
    assert sorted(int(number) for page in read for number in re.findall(r"<(\d+)>", page)) == list(range(80))


def test_a_day_has_what_was_written_down_on_it(archivist):
    archivist.daily.add("Lit the lantern")
    assert "Lit the lantern" in text(archivist, "notes/daily/today")
    day = archivist.daily.read()[0].day
    assert "Lit the lantern" in text(archivist, f"notes/daily/{day}")
    assert "(nothing)" in text(archivist, "notes/daily/2001-01-01")
    for wrong in ("yesterday", "2026-13-01", "..", "today.md"):
        with pytest.raises(NoSuchResource):
            text(archivist, f"notes/daily/{wrong}")


def test_a_secret_that_a_hand_wrote_is_masked_everywhere(archivist, tmp_path):
    archivist.notes.add("memory", "The lantern is lit at dusk")
    archivist.daily.add("Lit the lantern")
    for file in (tmp_path / "memories" / "MEMORY.md", *(tmp_path / "memories" / "daily").glob("*.md")):
        file.write_text(file.read_text() + "\n§\n- The key of the quay is AKIAIOSFODNN7REALKEY\n")
    for uri in ("notes/memory", "notes/daily/today", "snapshot/current"):
        shown = text(archivist, uri)
        assert "key of the quay" in shown
        assert "AKIAIOSFODNN7REALKEY" not in shown


def test_the_snapshot_is_what_a_session_would_be_given(archivist):
    archivist.notes.add("user", "Prefers tea")
    opened = open_resource("memory://snapshot/current", archivist, OWNER, OWNER)
    now = archivist.snapshot()
    assert (opened.text, opened.meta) == (now.text, {"archivist/sha256": now.sha256})


def test_what_others_noted_is_not_there(archivist):
    for scope in (Scope("ann"), Scope(chat="group-1"), Scope("owner", project="tide")):
        archivist.notes.add("memory", f"The lantern of {scope} is lit", scope=scope)
        archivist.daily.add(f"Lit the lantern of {scope}", scope=scope)
    for uri in (
        "notes/memory",
        "notes/user",
        "notes/archive/memory",
        "snapshot/current",
        "notes/daily/today",
    ):
        shown = text(archivist, uri)
        assert "ann" not in shown
        assert "group-1" not in shown
        assert "The lantern of Scope(user='owner'" not in shown
