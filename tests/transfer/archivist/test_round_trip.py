"""What is exported comes back as it was, in every format."""

import json
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archivist import EVERYTHING, Message, Part, Scope, ToolCall, Usage
from archivist.transfer import read_history

FORMATS = ("jsonl", "json", "markdown")
TRICKY = (
    "<!-- archivist {} -->", "<!-- archivist ", "\\<!-- archivist ", "\\\\## a · 2026-01-01 00:00:00", "## b · 2026-01-01 00:00:00 UTC",
    "# c", "```", "````\n", "~~~", "```py", "-->", "\r", "\r\n", "\n\n", "\n", "\u2028", "\x85", "\x00", "\x1b[2J", "\ud800", "\ufeff",
    "  ", "*calls x*", "é中😀", '{"type":"end"}',
)  # fmt: skip
texts = st.one_of(
    st.lists(st.one_of(st.sampled_from(TRICKY), st.text(max_size=6)), max_size=6).map("".join),
    st.lists(st.sampled_from(TRICKY), max_size=5).map("\n".join),
)
names = st.one_of(st.none(), st.sampled_from(["", "a", "b · c", "x\ny", "<i>", "\x07"]))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
parts = st.builds(
    Part, st.sampled_from(["text", "image", "odd\nkind"]), texts, st.sampled_from(["", "image/png"]), name=texts,
    data=st.one_of(st.none(), st.binary(max_size=9)),
)  # fmt: skip
messages = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    text=texts,
    parts=st.lists(parts, max_size=2).map(tuple),
    tool_calls=st.lists(st.builds(ToolCall, texts, texts, texts), max_size=2).map(tuple),
    tool_call_id=names,
    tool_name=names,
    reasoning=st.one_of(st.none(), texts),
    speaker=names,
    state=st.sampled_from(["active", "compacted", "undone", "branch"]),
    metadata=st.dictionaries(texts, json_values, max_size=2),
    masked=st.lists(st.sampled_from(["token", "key <a>"]), max_size=2, unique=True).map(tuple),
)
sessions = st.fixed_dictionaries(
    {
        "messages": st.lists(messages, max_size=3),
        "parent": st.integers(0, 5),
        "link": st.sampled_from([None, "compaction", "fork", "branch", "subagent"]),
        "title": st.one_of(st.none(), texts),
        "model": names,
        "prompt": names,
        "end": st.one_of(st.none(), texts),
        "chat": st.one_of(st.none(), st.just("group")),
    }
)


def fill(tools, home, told):
    """A home with these sessions, each behind an earlier one or on its own."""
    for number, one in enumerate(told):
        parent = f"s{one['parent']}" if one["link"] and one["parent"] < number else None
        name = tools.begin(
            home,
            f"s{number}",
            title=one["title"],
            model=one["model"],
            prompt=one["prompt"],
            scope=Scope("owner", one["chat"]),
            parent_id=parent,
            link=one["link"] if parent else None,
            started_at=tools.BEGIN + timedelta(seconds=number % 3),
        )
        home._store.write(lambda db, name=name, one=one: insert(home, db, name, one["messages"]))
        if one["end"] is not None:
            home._store.end(name, one["end"])
        home._store.add_usage(name, [Usage("m", "r", input=number, cost_usd=0.1)])


def insert(home, db, name, told):
    from archivist.store import messages as rows
    from archivist.store.sessions import require_session

    rows.insert_messages(db, require_session(db, name), [home._store.prepare(message) for message in told])


@pytest.mark.parametrize("kind", FORMATS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(told=st.lists(sessions, max_size=4))
def test_an_export_of_what_came_back_is_the_same_to_the_byte(tools, kind, told):
    with tempfile.TemporaryDirectory() as folder:
        homes = tools.Homes(Path(folder))
        try:
            home = homes.new()
            fill(tools, home, told)
            other, path, report = homes.moved(home, kind)
            assert (
                report.read == report.imported + report.skipped == sum(len(one["messages"]) for one in told)
            )
            assert not report.problems
            assert not report.notices
            assert homes.export(other, kind).read_bytes() == path.read_bytes()
            assert other.verify().problems == ()
            assert other.import_history(path).changed_nothing
            before = homes.export(home).read_bytes()
            assert home.import_history(path).changed_nothing
            assert homes.export(home).read_bytes() == before
        finally:
            homes.close()


@pytest.fixture
def lived_in(homes, tools):
    """A conversation with everything that one can have: compacted, forked, undone, put away."""
    home = homes.new()
    tools.begin(
        home, "root", title="Trip", title_origin="given", external_id="x1", source="hermes", prompt="be kind"
    )
    home._store.append("root", [Message.user("one", client_id="a"), Message.assistant("two", client_id="b")])
    home._store.append(
        "root",
        [Message.user("three", client_id="c", parts=[Part("image", data=b"png", media_type="image/png")])],
    )
    tools.begin(home, "child", parent_id="root", link="compaction", source="hermes")
    home._store.append(
        "child", [Message.user("four", client_id="d"), Message.assistant("five", client_id="e")]
    )
    tools.begin(home, "fork", parent_id="root", link="fork", source="hermes")
    home._store.append("fork", [Message.user("other", client_id="f")])
    write, [ids] = (
        tools.write,
        [
            {
                row[1]: row[0]
                for row in home._store.read(
                    lambda db: db.execute("SELECT id, client_id FROM messages").fetchall()
                )
            }
        ],
    )
    write(
        home,
        "INSERT INTO context(session, position, message) VALUES((SELECT key FROM sessions WHERE id = 'child'), 0, ?)",
        ids["b"],
    )
    write(
        home,
        "INSERT INTO context(session, position, message, text_as_sent)"
        " VALUES((SELECT key FROM sessions WHERE id = 'child'), 7, ?, 'thr…')",
        ids["c"],
    )
    write(home, "UPDATE messages SET state = 'compacted' WHERE id = ?", ids["a"])
    write(
        home,
        "INSERT INTO undos VALUES(1, 1, (SELECT key FROM sessions WHERE id = 'child'), 1772000000123, NULL)",
    )
    write(home, "INSERT INTO undone VALUES(1, ?, 'active')", ids["e"])
    write(home, "UPDATE messages SET state = 'undone' WHERE id = ?", ids["e"])
    write(home, "UPDATE sessions SET fork_message = ?, pinned_at = 1772000000001 WHERE id = 'fork'", ids["b"])
    write(home, "UPDATE sessions SET archived_at = 1772000000002 WHERE id = 'root'")
    for (key,) in home._store.read(lambda db: db.execute("SELECT key FROM sessions").fetchall()):
        home._store.write(lambda db, key=key: seal(db, key))
    return home


def seal(db, key):
    from archivist.store.sessions import seal_session

    seal_session(db, key)


@pytest.mark.parametrize("kind", ["jsonl", "json"])
def test_everything_of_a_conversation_comes_back(homes, tools, lived_in, kind):
    other, _, report = homes.moved(lived_in, kind)
    assert (report.sessions_new, report.messages) == (3, 6)
    for table in ("sessions", "messages", "context", "usage", "undos", "undone", "scopes"):
        assert tools.rows(other, table) == tools.rows(lived_in, table) or table == "context"
    assert [row[2:] for row in tools.rows(other, "context")] == [
        row[2:] for row in tools.rows(lived_in, "context")
    ]
    assert [(one.text, one.state) for one in other.sessions.get("root").messages("context")] == [
        (one.text, one.state) for one in lived_in.sessions.get("root").messages("context")
    ]
    assert other._store.blobs.read(other.sessions.get("root").messages("all")[2].parts[0].blob) == b"png"


@pytest.mark.parametrize("kind", ["jsonl", "json"])
def test_a_compaction_block_of_a_provider_comes_back_to_the_letter(homes, tools, kind):
    block = json.dumps(
        [{"type": "compaction", "content": None, "encrypted_content": "gAAAAAB" + "x_-=" * 90}]
    )
    home = homes.new()
    tools.begin(home, "root", source="cli")
    home._store.append("root", [Message.user("one"), Message.assistant("", reasoning=block)])
    other, _, _ = homes.moved(home, kind)
    assert [one.reasoning for one in other.sessions.get("root").messages("all")] == [None, block]


def test_parents_come_first_whatever_the_order_of_the_lines(homes, tools, lived_in):
    path = homes.export(lived_in)
    header, *lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(header + b"".join(reversed(lines)))
    other = homes.new()
    other.import_history(path)
    assert other.sessions.get("child").conversation_id == "root"
    assert other.sessions.get("fork").record().fork_message is not None
    assert len(tools.rows(other, "undone")) == 1


def test_an_undo_that_was_made_elsewhere_since_the_last_time_leaves_what_is_active_here(
    homes, tools, lived_in
):
    tools.write(lived_in, "DELETE FROM undone"), tools.write(lived_in, "DELETE FROM undos")
    tools.write(lived_in, "UPDATE messages SET state = 'active' WHERE state = 'undone'")
    other, _, _ = homes.moved(lived_in)
    tools.write(
        lived_in,
        "INSERT INTO undos VALUES(1, 1, (SELECT key FROM sessions WHERE id = 'child'), 1772000000123, NULL)",
    )
    tools.write(lived_in, "INSERT INTO undone SELECT 1, id, 'active' FROM messages WHERE client_id = 'e'")
    tools.write(lived_in, "UPDATE messages SET state = 'undone' WHERE client_id = 'e'")
    report = other.import_history(homes.export(lived_in))
    assert (report.restated, tools.rows(other, "undos")) == (0, [])
    assert [one.state for one in other.sessions.get("child").messages("all") if one.text == "five"] == [
        "active"
    ]


def test_what_changed_here_since_the_export_stays(homes, tools, lived_in):
    path = homes.export(lived_in)
    tools.write(lived_in, "UPDATE messages SET state = 'active' WHERE client_id = 'e'")
    tools.write(lived_in, "UPDATE undos SET redone_at = 1772000009999")
    tools.write(lived_in, "UPDATE sessions SET title = 'Mine', archived_at = NULL WHERE id = 'root'")
    before = homes.export(lived_in).read_bytes()
    assert lived_in.import_history(path).changed_nothing
    assert homes.export(lived_in).read_bytes() == before


def test_only_what_the_reader_may_see_is_in_it(homes, tools):
    home = homes.new()
    tools.begin(home, "group", scope=Scope(chat="team"))
    home._store.append("group", [Message.user("the group's words", client_id="g")])
    tools.begin(home, "own", parent_id="group", link="fork", scope=Scope("owner"))
    home._store.append("own", [Message.user("mine", client_id="m")])
    tools.write(home, "UPDATE sessions SET fork_message = 1 WHERE id = 'own'")
    text = homes.export(home, scope=None).read_text()
    assert "mine" in text
    assert "group" not in text
    assert "fork" not in text
    everything = homes.export(home, scope=EVERYTHING).read_text()
    assert "the group's words" in everything
    assert homes.export(home, conversation="own", scope=None).read_text() == text


def test_scopes_of_other_people_come_back_as_they_are(homes, tools):
    home = homes.new()
    tools.begin(home, "ann", scope=Scope("ann", None, "github.com/o/p"))
    home._store.append("ann", [Message.user("hers", client_id="a")])
    other, _, _ = homes.moved(home)
    assert other.sessions.get("ann").record().scope == Scope("ann", None, "github.com/o/p")


def test_masked_text_stays_masked_and_as_it_is(homes, tools):
    secrets = [
        "ghp_" + "a1B2c3D4e5" * 4,
        "password = hunter2hunter2",
        "AKIA" + "ABCDEFGHIJKLMNOP",
        "postgres://u:s3cr3tpw@h/db",
    ]
    home = homes.new()
    tools.begin(home, "s")
    home._store.append(
        "s", [Message.user(f"see {secret} here", client_id=str(n)) for n, secret in enumerate(secrets)]
    )
    stored = home.sessions.get("s").messages("all")
    assert any(one.masked for one in stored)
    for kind in ("jsonl", "json", "markdown"):
        other, _, report = homes.moved(home, kind)
        assert not report.notices
        assert [(one.text, one.masked) for one in other.sessions.get("s").messages("all")] == [
            (one.text, one.masked) for one in stored
        ]


def test_bytes_of_any_size_come_back(homes, tools, monkeypatch):
    from archivist.store import exporting

    monkeypatch.setattr(exporting, "PIECE_BYTES", 3)
    home = homes.new()
    tools.begin(home, "s")
    told = [b"", b"abcdefgh", b"abcdefgh", b"xyz"]
    home._store.append(
        "s",
        [Message.user("", client_id=str(n), parts=[Part("file", data=data)]) for n, data in enumerate(told)],
    )
    other, path, _ = homes.moved(home)
    assert path.read_text().count('"blob"') == 1 + 3 + 1 + 4
    blobs = [one.parts[0].blob for one in other.sessions.get("s").messages("all")]
    assert [other._store.blobs.read(blob) for blob in blobs] == told


def test_conversations_are_chosen(homes, tools):
    home = homes.new()
    for name, source, day in (("a", "cli", 0), ("b", "hermes", 5), ("c", "cli", 9)):
        when = tools.BEGIN + timedelta(days=day)
        tools.begin(home, name, source=source, started_at=when)
        home._store.append(name, [Message.user(name, client_id=name, created_at=when)])
    tools.write(home, "UPDATE sessions SET archived_at = 1 WHERE id = 'c'")

    def sessions(**choice):
        lines = homes.export(home, **choice).read_text().splitlines()
        return [line.split('"id":"')[1][0] for line in lines if line.startswith('{"type":"session"')]

    assert sessions() == ["a", "b", "c"]
    assert sessions(source="cli") == ["a", "c"]
    assert sessions(archived=False) == ["a", "b"]
    assert sessions(since=tools.BEGIN + timedelta(days=4)) == ["b", "c"]
    assert sessions(until="2026-03-06") == ["a", "b"]
    assert sessions(conversation=["c", "a"]) == ["a", "c"]


def test_counts_are_the_same_each_time_that_a_session_is_read(tmp_path):
    path = tmp_path / "e.jsonl"
    lines = [
        {"type": "header", "format": "archivist", "version": 1},
        {"type": "session", "id": "s", "source": "x"},
        {"type": "message", "session": "s", "client_id": "a", "role": "robot", "text": "hi"},
        {"type": "message", "session": "s", "client_id": "b", "role": "user", "text": "hi"},
        {"type": "usage", "session": "s", "model": 7},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for session in read_history(path):
        for _ in range(3):
            assert len(list(session.messages)) == 1
            assert session.read == 1 + sum(session.skipped.values()) == 3
