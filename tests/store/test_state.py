"""The store of conversations: what was acknowledged is there, once, as it was said."""

import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archivist.records import Message, Part, Scope, SessionStart, ToolCall, Usage
from archivist.store import ClientIdReused, StoreBusy, UnknownSession, WriteSpooled
from archivist.store.lines import tip_of
from archivist.store.messages import record_changes, set_states
from archivist.store.rows import instant, milliseconds
from archivist.store.sessions import start_session

START = SessionStart("cli", model="m1")
ANY_TEXT = st.text(max_size=200) | st.text(alphabet="\ud800\x00a中😀\n§", max_size=20)


def texts(messages):
    return [message.text for message in messages]


def test_a_message_reads_back_as_it_was_said(store):
    session = store.start(START)
    said = Message(
        "assistant",
        "see the plot",
        parts=(
            Part("text", "see the plot"),
            Part("image", media_type="image/png", data=b"\x89PNG", name="plot.png"),
        ),
        tool_calls=(ToolCall("call_1", "terminal", '{"command": "ls 文件"}'),),
        reasoning='[{"type":"thinking","thinking":"hm","signature":"c2ln"}]',
        speaker="Ada",
        created_at=datetime(2026, 3, 1, 9, 30, tzinfo=UTC),
        client_id="c1",
        metadata={"source_ids": ["u1"], "request_id": "r1"},
    )
    [key] = store.append(session, [said])
    [read] = store.context(session)
    assert (read.id, read.session_id, read.client_id, read.state) == (key, session, "c1", "active")
    assert (read.text, read.tool_calls, read.reasoning, read.speaker) == (
        said.text, said.tool_calls, said.reasoning, said.speaker,
    )  # fmt: skip
    assert read.created_at == said.created_at
    assert read.metadata == said.metadata
    assert read.parts[1].name == "plot.png"
    assert store.blobs.read(read.parts[1].blob) == b"\x89PNG"


def test_a_retry_with_the_same_client_id_gives_the_same_row(store, clock):
    session = store.start(START)
    first = store.append(session, [Message.user("hello", client_id="c1")])
    clock.advance(seconds=3)
    assert store.append(session, [Message.user("hello", client_id="c1")]) == first
    assert texts(store.context(session)) == ["hello"]


def test_a_client_id_with_other_content_is_refused_and_nothing_is_stored(store):
    session = store.start(START)
    store.append(session, [Message.user("hello", client_id="c1")])
    with pytest.raises(ClientIdReused, match="use a new id for a new message"):
        store.append(session, [Message.user("first", client_id="c0"), Message.user("other", client_id="c1")])
    assert texts(store.context(session)) == ["hello"]


def test_a_batch_is_stored_whole_and_in_order(store):
    session = store.start(START)
    ids = store.append(session, [Message.user(f"m{n}") for n in range(1200)])
    assert ids == list(range(ids[0], ids[0] + 1200))
    assert texts(store.context(session)) == [f"m{n}" for n in range(1200)]


def test_an_append_to_an_unknown_session_is_refused(store):
    with pytest.raises(UnknownSession, match="archivist sessions list"):
        store.append("nobody", [Message.user("hello")])


def test_a_stale_handle_of_a_compacted_session_appends_at_the_tip(store):
    """A person resumed with the id printed at exit and found an empty chat: NousResearch/hermes-agent#15000."""
    root = store.start(START)
    store.append(root, [Message.user("before")])
    child = store.start(SessionStart("cli", parent_id=root, link="compaction"))
    [key] = store.append(root, [Message.user("after")])
    assert [m.session_id for m in store.lineage(root) if m.id == key] == [child]
    assert texts(store.lineage(root)) == texts(store.lineage(child)) == ["before", "after"]
    assert texts(store.context(root)) == texts(store.context(child)) == ["after"]


def test_a_retry_after_a_compaction_does_not_double_the_message(store):
    """Queued follow-ups were persisted again and again around a compaction: NousResearch/hermes-agent#99477."""
    root = store.start(START)
    store.append(root, [Message.user("queued", client_id="q1")])
    store.start(SessionStart("cli", parent_id=root, link="compaction"))
    store.append(root, [Message.user("queued", client_id="q1")])
    assert texts(store.lineage(root)) == ["queued"]


def test_a_fork_is_not_the_tip(store):
    root = store.start(START)
    store.start(SessionStart("cli", parent_id=root, link="fork"))
    db = store.reader()
    key = db.execute("SELECT key FROM sessions WHERE id = ?", (root,)).get
    assert tip_of(db, key) == key


def test_a_message_that_changes_state_leaves_and_returns_to_its_place(store):
    session = store.start(START)
    ids = store.append(session, [Message.user(t) for t in "abcd"])
    assert store.write(lambda db: set_states(db, [(ids[1], "undone"), (ids[2], "undone")])) == 2
    assert texts(store.context(session)) == ["a", "d"]
    assert store.write(lambda db: set_states(db, [(ids[2], "active"), (ids[1], "active")])) == 2
    assert texts(store.context(session)) == ["a", "b", "c", "d"]
    assert store.verify().is_clean


def test_the_scope_and_the_prompt_of_a_session_are_kept(store):
    scope = Scope(user="u1", project="github.com/o/p")
    session = store.session(store.start(SessionStart("cli", scope=scope, cwd="/src", prompt="You are kind.")))
    assert session.scope == scope
    assert (session.cwd, session.prompt) == ("/src", "You are kind.")
    assert len(session.prompt_digest) == 64


def test_a_session_knows_its_last_activity_and_keeps_its_first_end(store, clock):
    session = store.start(START)
    clock.advance(days=100)
    store.append(session, [Message.user("still here")])
    store.end(session, "exit")
    clock.advance(days=1)
    store.end(session, "second")
    record = store.session(session)
    assert record.last_active_at - record.started_at == timedelta(days=100)
    assert (record.end_reason, record.message_count) == ("exit", 1)


def test_usage_of_one_request_counts_once(store):
    session = store.start(START)
    store.add_usage(session, [Usage("m1", "r1", output=5), Usage("m1", "r1", output=9, cache_read=3)])
    store.add_usage(session, [Usage("m1", "r1", output=9, cache_read=3), Usage("m1", "r2", output=1)])
    assert store.usage(session) == [Usage("m1", "", requests=2, output=10, cache_read=3)]


def test_secrets_are_masked_before_they_are_stored_and_the_row_says_so(store, tmp_path):
    secret = "AKIA" + "QYLPMN5HHHFPZAM2"
    session = store.start(SessionStart("cli", title=f"rotate {secret}", prompt=f"key {secret}"))
    call = ToolCall("c", "terminal", f'{{"command": "export AWS_ACCESS_KEY_ID={secret}"}}')
    store.append(
        session,
        [
            Message.user(f"the key is {secret}"),
            Message.assistant("ok", tool_calls=[call], reasoning=f'[{{"thinking": "{secret}"}}]'),
            Message.user("image", parts=[Part("text", f"key {secret}")]),
        ],
    )
    assert all(message.masked for message in store.context(session))
    store.close()
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=ANY_TEXT, arguments=ANY_TEXT, reasoning=st.none() | ANY_TEXT)
def test_any_text_can_be_stored_and_read_back(store, text, arguments, reasoning):
    session = store.start(START)
    message = Message.assistant(text, tool_calls=[ToolCall("1", "t", arguments)], reasoning=reasoning)
    store.append(session, [message])
    [read] = store.context(session)
    assert read.masked or read.text == "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    assert store.verify().is_clean


def test_five_threads_append_without_an_error(store):
    """One process blocked itself with several connections and a short wait: NousResearch/hermes-agent#57921."""
    session = store.start(START)
    failures = []

    def work(name):
        try:
            for number in range(50):
                store.append(session, [Message.user(f"{name}-{number}")])
        except Exception as error:  # noqa: BLE001 - the test's own report of any failure
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(set(texts(store.context(session)))) == 250


def test_opening_waits_for_a_database_that_is_locked_for_a_moment(open_store, tmp_path):
    """A lock of two seconds at start left the store unset for the whole run: NousResearch/hermes-agent#3139."""
    open_store().close()
    blocker = apsw.Connection(str(tmp_path / "state.db"))
    blocker.execute("BEGIN EXCLUSIVE")
    release = threading.Timer(0.7, lambda: blocker.execute("ROLLBACK"))
    release.start()
    store = open_store()
    session = store.start(START)
    store.append(session, [Message.user("hello")])
    release.join()
    blocker.close()
    assert texts(store.context(session)) == ["hello"]


def test_a_write_that_finds_the_database_busy_for_too_long_is_spooled_and_taken_in(open_store, tmp_path):
    store = open_store(patience=0.2)
    session = store.start(START)
    blocker = apsw.Connection(str(tmp_path / "state.db"))
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(WriteSpooled) as caught:
        store.append(session, [Message.user("one", client_id="c1"), Message.user("two", client_id="c2")])
    assert caught.value.client_ids == ("c1", "c2")
    blocker.execute("ROLLBACK")
    blocker.close()
    assert texts(store.context(session)) == []
    again = open_store()
    assert [notice.code for notice in again.notices] == ["spool-taken-in"]
    assert texts(again.context(session)) == ["one", "two"]
    assert again.spool.is_empty()


def test_later_appends_stay_behind_what_waits_in_the_spool(open_store, tmp_path):
    store = open_store(patience=0.2)
    session = store.start(START)
    blocker = apsw.Connection(str(tmp_path / "state.db"))
    blocker.execute("BEGIN IMMEDIATE")
    for text in ("one", "two"):
        with pytest.raises(WriteSpooled):
            store.append(session, [Message.user(text)])
    blocker.execute("ROLLBACK")
    blocker.close()
    store.append(session, [Message.user("three")])
    assert texts(store.context(session)) == ["one", "two", "three"]
    assert store.spool.is_empty()


def test_a_session_that_cannot_be_begun_says_so(open_store, tmp_path):
    store = open_store(patience=0.2)
    blocker = apsw.Connection(str(tmp_path / "state.db"))
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match="try again"):
        store.start(START)
    blocker.close()


def test_a_spooled_payload_taken_in_twice_is_there_once(open_store, tmp_path):
    store = open_store(patience=0.2)
    session = store.start(START)
    blocker = apsw.Connection(str(tmp_path / "state.db"))
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(WriteSpooled):
        store.append(session, [Message.user("one")])
    blocker.close()
    [file] = store.spool.files()
    kept = file.read_bytes()
    open_store().close()
    file.write_bytes(kept)
    assert texts(open_store().context(session)) == ["one"]


def test_an_unreadable_spool_file_is_left_and_named(open_store, tmp_path):
    open_store().close()
    broken = tmp_path / "spool" / "1.spooled"
    broken.parent.mkdir(exist_ok=True)
    broken.write_bytes(b"{half")
    [notice] = open_store().notices
    assert notice.code == "spool-unreadable"
    assert broken.exists()


def test_an_empty_database_file_is_begun_anew_and_told(open_store, tmp_path):
    """A zero-byte file left by a full disk failed every write: NousResearch/hermes-agent#76660."""
    (tmp_path / "state.db").touch()
    (tmp_path / "index.db").write_bytes(b"x")  # the home was used
    store = open_store()
    session = store.start(START)
    store.append(session, [Message.user("hello")])
    assert [notice.code for notice in store.notices] == ["begun-anew"]


def test_the_files_are_readable_by_their_owner_alone(store, tmp_path):
    session = store.start(START)
    store.append(session, [Message.user("x", parts=[Part("image", media_type="image/png", data=b"1")])])
    for path in [tmp_path / "state.db", *Path(tmp_path / "media").rglob("*.png")]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_starting_a_child_of_an_unknown_parent_is_refused(store, clock):
    with pytest.raises(UnknownSession):
        store.write(
            lambda db: start_session(
                db, SessionStart("cli", parent_id="gone", link="fork"), session_id="s", now=clock()
            )
        )


@given(st.datetimes(datetime(2, 1, 2), datetime(9998, 12, 30)))
def test_any_time_reads_back_to_the_millisecond(time):
    aware = time.replace(tzinfo=UTC)
    assert abs(instant(milliseconds(time)) - aware) < timedelta(milliseconds=1)


def test_an_id_is_never_given_twice(store):
    session = store.start(START)
    [first] = store.append(session, [Message.user("gone soon")])
    store.write(
        lambda db: (
            db.execute("DELETE FROM messages WHERE id = ?", (first,)),
            record_changes(db, "removed", [first]),
        )
    )
    [second] = store.append(session, [Message.user("later")])
    assert second > first


def test_an_append_never_follows_a_conversation_into_another_scope(store):
    root = store.start(SessionStart("cli", scope=Scope(user="owner", project="a")))
    other = SessionStart("cli", parent_id=root, link="compaction", scope=Scope(user="owner", project="b"))
    child = store.start(other)
    store.append(root, [Message.user("for project a")])
    assert texts(store.context(root)) == ["for project a"]
    assert texts(store.context(child)) == []


SECRET = "AKIA" + "QYLPMN5HHHFPZAM2"
OPAQUE = "gAAAAAB" + SECRET + "x_-="
COMPACTIONS = [
    {"type": "compaction", "content": "The shop is built.", "encrypted_content": OPAQUE},
    {"type": "compaction", "content": "The shop is built.", "signature": OPAQUE, "tool_changes": []},
    {"type": "compaction", "content": None},
    {"type": "compaction", "id": "cmp_1", "encrypted_content": OPAQUE},
]


@pytest.mark.parametrize("block", COMPACTIONS)
def test_a_compaction_block_of_a_provider_is_kept_to_the_letter_and_the_rows_before_it_stay(store, block):
    session = store.start(START)
    told = json.dumps([block])
    store.append(session, [Message.user("Build a shop."), Message.assistant("Done.", reasoning=told)])
    asked, kept = store.context(session)
    assert (asked.text, asked.state) == ("Build a shop.", "active")
    assert kept.reasoning == told
    assert kept.masked == ()


def test_a_secret_that_a_readable_summary_repeats_is_masked_there_and_the_row_says_so(store):
    block = {"type": "compaction", "content": f"The key is {SECRET}.", "signature": OPAQUE}
    session = store.start(START)
    store.append(session, [Message.assistant("Done.", reasoning=json.dumps([block]))])
    [kept] = store.context(session)
    [read] = json.loads(kept.reasoning)
    assert SECRET not in read["content"]
    assert read["signature"] == OPAQUE
    assert kept.masked


def test_what_a_provider_wants_back_stays_in_a_part_of_its_own_kind(store):
    block = {"type": "web_search_result", "encrypted_content": OPAQUE, "title": f"all about {SECRET}"}
    session = store.start(START)
    part = Part("web_search_tool_result", json.dumps({"content": [block]}))
    store.append(session, [Message("assistant", parts=(part, Part("text", f"key {SECRET}")))])
    [kept] = store.context(session)
    [read] = json.loads(kept.parts[0].text)["content"]
    assert read["encrypted_content"] == OPAQUE
    assert SECRET not in read["title"]
    assert SECRET not in kept.parts[1].text
