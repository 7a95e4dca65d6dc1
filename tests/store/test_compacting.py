"""A compaction is a child whose model sees less; nothing that was said changes, goes or is told twice."""

import json

import pytest
from tests.store.lines import compact, ids, texts
from tests.store.test_forking import begin_fork, shown
from tests.store.test_undoing import give_back, say, states, take_back

from archivist.records import Message, Part, Scope, SessionStart, ToolCall
from archivist.store import ClientIdReused, MessageNotStorable, UnknownSession
from archivist.store.compacting import Compaction, ContextChanged, Sent
from archivist.store.compactions import Compactions
from archivist.store.conversations import opening_messages, read_messages, seen_by_model
from archivist.store.hearing import heard_by
from archivist.store.messages import read_visible_ids, set_states
from archivist.store.sessions import require_session
from archivist.store.timeline import list_messages
from archivist.store.titles import derive_titles
from archivist.store.uses import ended_since, said_in

SUMMARY = Message("user", "summary")


@pytest.fixture
def chat(store):
    session = store.start(SessionStart("cli", model="m", prompt="You are kind.", cwd="/src", title="Plans"))
    say(store, session, "u1", "a1", "u2", "a2", "u3", "a3")
    return session


@pytest.fixture
def compactions(store):
    return Compactions(store, store._world)


def rows(store):
    return dict(store.reader().execute("SELECT id, digest FROM messages").fetchall())


def sent(*messages):
    return tuple(map(Sent, messages))


def test_the_summary_stands_between_head_and_tail_and_what_is_said_next_behind(store, chat, compactions):
    before = rows(store)
    made = Compaction((1, 2, 3, 4, 5, 6), sent(1), SUMMARY, sent(5, 6))
    child = compactions.compact(chat, made)
    say(store, child, "u4")
    assert texts(store.context(child)) == texts(store.context(chat)) == ["u1", "summary", "u3", "a3", "u4"]
    assert states(store) == {1: "active", 5: "active", 6: "active", 7: "active", 8: "active"} | dict.fromkeys(
        (2, 3, 4), "compacted"
    )
    assert rows(store).items() >= before.items()
    assert ids(store.lineage(chat)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert shown(store, chat) == ["u1", "a1", "u2", "a2", "u3", "a3", "u4"]
    assert store.verify().is_clean


def test_the_child_is_its_parents_in_all_but_the_prompt(store, chat, compactions, clock):
    clock.advance(minutes=5)
    child = compactions.compact(
        chat,
        Compaction(
            tuple(range(1, 7)), (), SUMMARY, (), prompt="You are brief.", metadata={"before": 9, "after": 3}
        ),
    )
    record, parent = store.session(child), store.session(chat)
    assert (record.parent_id, record.link, record.conversation_id) == (chat, "compaction", chat)
    assert (record.source, record.model, record.scope, record.cwd) == ("cli", "m", parent.scope, "/src")
    assert (record.prompt, dict(record.metadata)) == ("You are brief.", {"before": 9, "after": 3})
    assert (parent.end_reason, parent.ended_at, parent.prompt) == ("compaction", clock(), "You are kind.")
    assert record.title == "Plans"


def test_without_a_prompt_of_its_own_the_child_has_its_parents(store, chat):
    assert store.session(compact(store, chat)).prompt == "You are kind."


def test_what_is_shortened_is_shorter_for_the_model_alone(store, compactions):
    chat = store.start(SessionStart("cli"))
    picture = Part("image", media_type="image/png", data=b"png")
    call = ToolCall("c1", "write", '{"text": "long long long"}')
    store.append(
        chat,
        [
            Message.user("look", parts=[picture]),
            Message.assistant(tool_calls=[call], reasoning='{"thought": "signed"}'),
            Message.tool("long output", call_id="c1", name="write"),
        ],
    )
    before = store.lineage(chat)
    cut = ToolCall("c1", "write", '{"text": "long…"}')
    line = Part("text", "[a picture]")
    made = Compaction(
        (1, 2, 3), tail=(Sent(1, parts=(line,)), Sent(2, tool_calls=(cut,)), Sent(3, "[output: 3]"))
    )
    child = compactions.compact(chat, made)
    seen = store.context(chat)
    assert [one.reasoning for one in seen] == [
        None
    ] * 3  # what was thought is signed for the calls as they were
    assert [(one.text, one.parts, one.tool_calls) for one in seen] == [
        ("look", (line,), ()),
        ("", (), (cut,)),
        ("[output: 3]", (), ()),
    ]
    after = store.lineage(chat)
    assert [(one.text, one.parts, one.tool_calls, one.reasoning, one.digest) for one in after] == [
        (one.text, one.parts, one.tool_calls, one.reasoning, one.digest) for one in before
    ]
    assert set(states(store).values()) == {"compacted"}
    with store.naming_trouble():
        assert read_visible_ids(store.reader(), require_session(store.reader(), child).key) == []
    assert store.verify().is_clean


def test_where_calls_are_cut_the_thought_goes_and_what_the_provider_compressed_stays(store, compactions):
    chat = store.start(SessionStart("cli"))
    block = {"type": "compaction", "content": "The pier is green.", "signature": "EuYB"}
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    call = ToolCall("c1", "write", '{"text": "long long long"}')
    reasoning = json.dumps([block, thought])
    store.append(chat, [Message.user("write"), Message.assistant(tool_calls=[call], reasoning=reasoning)])
    cut = ToolCall("c1", "write", '{"text": "long…"}')
    compactions.compact(chat, Compaction((1, 2), tail=(Sent(1), Sent(2, tool_calls=(cut,)))))
    (_, answer) = store.context(chat)
    assert (answer.tool_calls, json.loads(answer.reasoning)) == ((cut,), [block])


def test_what_was_shortened_stays_so_until_something_else_is_said_of_it(store, chat, compactions):
    first = compactions.compact(
        chat, Compaction(tuple(range(1, 7)), tail=(*sent(1, 2, 3, 4, 5), Sent(6, "a…")))
    )
    second = compactions.compact(first, Compaction(tuple(range(1, 7)), (), SUMMARY, sent(5, 6)))
    assert texts(store.context(chat)) == ["summary", "u3", "a…"]
    made = Compaction(tuple(ids(store.context(chat))), tail=(*sent(7, 5), Sent(6, "a3")))
    compactions.compact(second, made)
    assert texts(store.context(chat)) == ["summary", "u3", "a3"]
    assert (
        store.reader().execute("SELECT text_as_sent FROM context WHERE session = 4").fetchall()
        == [(None,)] * 3
    )


def test_the_search_of_its_model_finds_what_was_shortened_for_it(store, chat, compactions):
    compactions.compact(chat, Compaction(tuple(range(1, 7)), (), SUMMARY, (Sent(5, "u…"), Sent(6))))
    assert seen_by_model(store.reader(), chat, None) == {6, 7}


def test_what_is_said_while_a_compaction_is_made_comes_behind_it(store, chat, compactions):
    tip, seen = compactions.context(chat)
    say(store, chat, "u4", "a4")
    compactions.compact(tip, Compaction(tuple(ids(seen)), (), SUMMARY, sent(6)))
    assert texts(store.context(chat)) == ["summary", "a3", "u4", "a4"]
    assert states(store)[7] == states(store)[8] == "active"


def leave(store, chat):
    store.write(lambda db: set_states(db, [(2, "branch")]))


@pytest.mark.parametrize(
    "change",
    [
        take_back,
        lambda store, chat: (take_back(store, chat), say(store, chat, "u9")),
        leave,
        lambda store, chat: compact(store, chat, keep=6),
        lambda store, chat: compact(store, chat, keep=1),
    ],
    ids=["undo", "undo and another turn", "edit", "compaction that keeps all", "compaction"],
)
def test_after_any_other_change_it_is_refused_and_nothing_is_written(store, chat, compactions, change):
    tip, seen = compactions.context(chat)
    change(store, chat)
    before = store.counts(), states(store), texts(store.context(chat))
    with pytest.raises(ContextChanged, match=f"sessions compress {chat}"):
        compactions.compact(tip, Compaction(tuple(ids(seen)), (), SUMMARY, sent(6)))
    assert (store.counts(), states(store), texts(store.context(chat))) == before
    assert store.verify().is_clean


def test_an_undo_that_was_taken_back_meanwhile_changes_nothing(store, chat, compactions):
    tip, seen = compactions.context(chat)
    take_back(store, chat)
    give_back(store, chat)
    compactions.compact(tip, Compaction(tuple(ids(seen)), (), SUMMARY, sent(6)))
    assert texts(store.context(chat)) == ["summary", "a3"]


def test_it_is_made_on_the_session_in_which_the_conversation_goes_on(store, chat, compactions):
    child = compact(store, chat)
    assert compactions.context(chat)[0] == child
    with pytest.raises(ContextChanged):
        compactions.compact(chat, Compaction((1, 2, 3, 4, 5, 6), (), SUMMARY, ()))


@pytest.mark.parametrize(
    "made",
    [
        Compaction((1, 2), sent(1), None, ()),
        Compaction((1, 2), sent(1), SUMMARY, sent(1)),
        Compaction((1, 2), sent(3), SUMMARY, ()),
        Compaction((1, 2), (), Message.tool("summary", call_id="c", name="t"), ()),
    ],
    ids=["left out without a summary", "twice", "not made on", "a result"],
)
def test_what_is_no_compaction_is_refused(chat, compactions, made):
    with pytest.raises(ValueError, match=r"summary|once"):
        compactions.compact(chat, made)


def test_of_an_unknown_session_nothing_is_compacted(compactions):
    with pytest.raises(UnknownSession):
        compactions.compact("nobody", Compaction((), (), SUMMARY, ()))


def test_a_summary_under_anothers_client_id_is_refused(store, chat, compactions):
    store.append(chat, [Message.user("u4", client_id="mine")])
    with pytest.raises(ClientIdReused):
        compactions.compact(
            chat, Compaction((1, 2, 3, 4, 5, 6), (), Message("user", "summary", client_id="mine"), ())
        )
    with pytest.raises(ClientIdReused):
        compactions.compact(
            chat, Compaction((1, 2, 3, 4, 5, 6), (), Message("user", "u4", client_id="mine"), ())
        )
    assert store.counts()["sessions"] == 1


def test_bytes_of_others_are_not_sent_in_a_messages_place(store, chat, compactions):
    other = Part("image", media_type="image/png", blob="a" * 64)
    for part in (other, Part("image", data=b"png")):
        with pytest.raises(MessageNotStorable, match="own"):
            compactions.compact(
                chat, Compaction((1, 2, 3, 4, 5, 6), tail=(Sent(1, parts=(part,)), *sent(2, 3, 4, 5, 6)))
            )


def test_what_is_sent_is_masked_as_rows_are(store, chat, compactions):
    secret = "ghp_" + "7Kq2Zx9LmP4vT8wRn3YbD6sHc1JfG5aEuW0Q"
    tail = (
        Sent(1, f"key {secret}"),
        Sent(2, tool_calls=(ToolCall("c", "t", f'{{"key": "{secret}"}}'),)),
        Sent(3, parts=(Part("text", secret),)),
        *sent(4, 5, 6),
    )
    compactions.compact(
        chat, Compaction((1, 2, 3, 4, 5, 6), tail=tail, prompt=secret, metadata={"n": secret})
    )
    compact_again = Compaction((1, 2, 3, 4, 5, 6), (), Message("user", f"summary {secret}"), ())
    compactions.compact(compactions.context(chat)[0], compact_again)
    for table in ("context", "messages", "sessions"):
        for row in store.reader().execute(f"SELECT * FROM {table}"):
            assert secret not in str(row)
    assert "masked" in store.context(chat)[0].text


def test_what_a_fork_shares_keeps_its_state(store, chat, compactions):
    fork = begin_fork(store, chat, at=4)
    say(store, fork, "u9")
    compact(store, fork, keep=1)
    assert texts(store.context(fork)) == ["summary of what was said", "u9"]
    assert set(states(store).values()) == {"active"}
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u3", "a3"]


def test_what_is_compacted_stays_in_the_forks_that_share_it(store, chat):
    fork = begin_fork(store, chat, at=4)
    compact(store, chat, keep=1)
    assert texts(store.context(fork)) == shown(store, fork) == ["u1", "a1", "u2", "a2"]


def test_a_fork_of_a_compacted_line_is_sent_what_the_line_was(store, chat, compactions):
    child = compactions.compact(
        chat, Compaction(tuple(range(1, 7)), sent(1), SUMMARY, (Sent(5), Sent(6, "a…")))
    )
    say(store, child, "u4", "a4")
    fork = begin_fork(store, chat, at=8)
    assert texts(store.context(fork)) == ["u1", "summary", "u3", "a…", "u4"]
    assert shown(store, fork) == ["u1", "a1", "u2", "a2", "u3", "a3", "u4"]
    compact(store, child, keep=0)
    assert texts(store.context(begin_fork(store, chat, at=8))) == ["u1", "summary", "u3", "a…", "u4"]


def test_a_summary_tells_nothing_of_a_scope_that_its_session_may_not_see(store, compactions):
    origin = store.start(SessionStart("cli", scope=Scope("ann", project="a")))
    say(store, origin, "u1", "a1")
    other = store.start(SessionStart("cli", scope=Scope("ann", project="b")))
    say(store, other, "u2", "a2")

    def share(db):
        db.execute("INSERT INTO context(session, position, message) VALUES(2, 0, 1)")

    store.write(share)
    tip, seen = compactions.context(other)
    assert texts(seen) == ["u2", "a2"]
    compactions.compact(tip, Compaction(tuple(ids(seen)), (), SUMMARY, sent(4)))
    assert texts(store.context(other)) == ["u1", "summary", "a2"]


def test_a_summary_is_opened_through_those_that_it_stands_for(store, chat, compactions):
    child = compact(store, chat, keep=2)
    (first,) = [one.id for one in store.context(child) if one.metadata.get("summary")]
    assert compactions.stands_for(first) == [1, 2, 3, 4]
    say(store, child, "u4")
    grandchild = compact(store, child, keep=1)
    (second,) = [one.id for one in store.context(grandchild) if one.metadata.get("summary")]
    assert compactions.stands_for(second) == [1, 2, 3, 4, 5, 6]
    assert compactions.stands_for(1) == compactions.stands_for(999) == []


def test_an_end_through_an_old_handle_ends_the_session_in_which_the_conversation_goes_on(store, chat):
    child = compact(store, chat)
    store.end(chat, "done")
    assert (store.session(chat).end_reason, store.session(child).end_reason) == ("compaction", "done")


def test_whether_all_that_was_heard_can_be_read_is_told_by_what_summaries_stand_for(store, chat):
    fork = begin_fork(store, chat, at=4)
    say(store, fork, "u9")
    compact(store, fork, keep=1)
    assert set(states(store).values()) == {"active"}  # what the fork shares is its parent's
    assert heard_by(store.reader(), fork).is_compacted
    (other,) = say(store, store.start(SessionStart("cli")), "u1")
    store.write(
        lambda db: db.execute("UPDATE context SET message = ? WHERE is_left_out AND message = 1", (other,))
    )
    assert not heard_by(store.reader(), fork).is_compacted


def test_what_a_compaction_wrote_is_no_use_of_a_note_no_title_and_no_opening(store, compactions):
    session = store.start(SessionStart("cli"))
    say(store, session, "u1 about the harbour", "a1")
    tip, seen = compactions.context(session)
    child = compactions.compact(
        tip, Compaction(tuple(ids(seen)), (), Message("user", "the summary speaks"), ())
    )
    say(store, child, "u2 about the quay")
    store.end(child, "done")
    db = store.reader()
    said = [one.text for ended in ended_since(db, None) for one in said_in(db, ended)]
    assert said == ["u1 about the harbour", "a1", "u2 about the quay"]
    key = require_session(db, child).key
    assert derive_titles(db, [key]) == {key: "u2 about the quay"}
    assert [
        one.text for one in read_messages(db, list(opening_messages(db, [key], None).values()), None)
    ] == ["u2 about the quay"]
    listed = list_messages(
        db, scopes=None, conversation=None, roles=(), sources=(), since=None, until=None, hidden=True, limit=9
    )
    assert "the summary speaks" not in [one.text for one in read_messages(db, listed, None)]
