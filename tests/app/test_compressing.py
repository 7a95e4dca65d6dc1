"""What an owner and their programs meet when a conversation is compressed, through the door that programs use."""

import json
from contextlib import closing

import apsw
import pytest
from tests.app.conversing import FIXED, called, said, talk, texts
from tests.app.test_ingesting import SESSION, line, write
from tests.conftest import Clock

from archivist import (
    Archivist,
    BeingCompacted,
    ContextChanged,
    DiskFull,
    Message,
    Scope,
    StoreBusy,
    ToolCall,
    UnknownSession,
    Usage,
)
from archivist.app.around import StopCompression
from archivist.app.standing import HeldElsewhere
from archivist.records import SessionStart

PROMPT = "You are an agent."


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", clock=Clock(), environ={}) as opened:
        yield opened


@pytest.fixture
def chat(archivist):
    session = archivist.sessions.start("cli", prompt=PROMPT)
    session.append_many(talk(60))
    return session


def test_a_conversation_becomes_shorter_and_nothing_goes_from_it(archivist, chat):
    before = chat.messages("all")
    done = archivist.sessions.compress(chat.id, target_tokens=2_000)
    assert done.tokens_after < 2_000 < done.tokens_before
    after = archivist.sessions.get(done.child_id).messages("all")
    assert [(m.id, m.text, m.digest) for m in after if m.id <= before[-1].id] == [
        (m.id, m.text, m.digest) for m in before
    ]
    (summary,) = [m for m in after if m.id > before[-1].id]
    assert summary.metadata["summary"] is True
    assert {m.id for m in before if m.state == "active"} > set(done.left)
    assert archivist.verify().problems == ()


def test_what_is_appended_through_the_old_handle_comes_behind(archivist, chat):
    done = archivist.sessions.compress(chat.id, target_tokens=2_000)
    key = chat.append(Message.user("and now?"))
    assert chat.messages("context")[-1].id == key
    assert archivist.sessions.get(done.child_id).messages("context")[-1].text == "and now?"


def test_a_trial_tells_the_plan_that_is_then_done_and_writes_nothing(archivist, chat):
    counts = archivist.counts()
    told = archivist.sessions.compress(chat.id, target_tokens=2_000, dry_run=True)
    assert archivist.counts() == counts
    done = archivist.sessions.compress(chat.id, target_tokens=2_000)
    assert (told.plan, told.kept, told.left, told.after) == (done.plan, done.kept, done.left, done.after)
    assert (told.child_id, told.dry_run) == (None, True)


def test_the_model_is_not_asked_for_a_trial(archivist, chat):
    def summarise(prompt, most):
        raise AssertionError

    archivist.sessions.compress(chat.id, target_tokens=2_000, summarise=summarise, dry_run=True)


def test_what_is_short_enough_stays_as_it_is_unless_it_is_forced(archivist, chat):
    done = archivist.sessions.compress(chat.id)
    assert (done.child_id, [notice.code for notice in done.notices]) == (None, ["short-enough"])
    assert archivist.sessions.compress(chat.id, force=True).child_id is not None


def test_rulings_stand_in_the_context_word_for_word_each_with_an_id_that_opens_it(archivist, chat):
    done = archivist.sessions.compress(chat.id, target_tokens=1_500)
    assert FIXED in "\n".join(texts(archivist.sessions.get(done.child_id).messages("context")))
    (line,) = [line for line in done.kept if line.text == FIXED]
    (message,) = archivist.sessions.read(chat.id, around=int(line.key), window=0).messages
    assert FIXED in message.text


def test_another_programs_conversation_is_refused_and_its_fork_is_compressed(archivist):
    key = archivist._store.start(SessionStart("claude-code", external_id="5c1d"))
    archivist.sessions.get(key).append_many(talk(60))
    assert archivist.sessions.compress(key, target_tokens=2_000, dry_run=True).left
    with pytest.raises(HeldElsewhere, match=f"`archivist sessions fork {key}`"):
        archivist.sessions.compress(key, target_tokens=2_000)
    fork = archivist.sessions.fork(key)
    assert archivist.sessions.compress(fork.id, target_tokens=2_000).child_id
    fork.append(Message.user("in the fork"))
    archivist._store.append(key, [Message.user("in the first")])
    assert texts(fork.messages())[-1] == "in the fork"
    assert texts(archivist.sessions.get(key).messages())[-1] == "in the first"
    assert {m.state for m in archivist.sessions.get(key).messages("all")} == {"active"}


def test_a_transcript_is_followed_on_while_its_fork_is_compressed(tmp_path):
    path = tmp_path / ".claude" / "projects" / "-src-tide" / f"{SESSION}.jsonl"
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as archivist:
        write(path, *(line(number, f"lantern {number}. " * 40) for number in range(1, 50)))
        archivist.ingest()
        fork = archivist.sessions.fork(SESSION)
        shared = fork.messages()
        done = archivist.sessions.compress(fork.id, target_tokens=3_000)
        assert len(done.left) > 20
        fork.append(Message.user("on in the fork"))
        write(
            path,
            line(50, "on in Claude Code"),
            line(51, "and back at 20", parent=f"{SESSION[:8]}-20"),
            mode="a",
        )
        assert archivist.ingest().added == 2
        first = archivist.sessions.of_host("claude-code", SESSION)
        assert texts(first.messages())[-2:] == ["lantern 20. " * 40, "and back at 20"]
        assert {message.state for message in first.messages("all")} == {"active", "branch"}
        assert texts(fork.messages())[-1] == "on in the fork"
        archivist.sessions.restore(fork.id)
        assert texts(fork.messages()) == [*texts(shared), "on in the fork"]
        assert archivist.ingest().added == 0
        assert archivist.verify().problems == ()


def test_hooks_have_what_leaves_before_anything_is_written_and_the_result_after(archivist, chat):
    """openclaw/openclaw#3560, #128016: what was to be saved before a compaction was looked for after it, when it was gone."""
    met = []

    @archivist.sessions.before_compression
    def before(leaving):
        met.append(archivist.counts()["sessions"])
        met.append([message.id for message in leaving.messages])
        assert leaving.session_id == chat.id

    archivist.sessions.after_compression(met.append)
    done = archivist.sessions.compress(chat.id, target_tokens=2_000)
    assert met == [1, list(done.left), done]


def test_hooks_have_whole_what_was_shortened_before_and_no_summary(archivist):
    session = archivist.sessions.start("cli")
    session.append_many(talk(20))
    stored = {message.id: message.text for message in session.messages()}
    met = []
    archivist.sessions.before_compression(met.append)
    size = archivist.sessions.context(session.id).tokens
    archivist.sessions.compress(session.id, target_tokens=int(size * 0.9))
    assert met[0].messages == ()
    assert len(met[0].shortened) > 5
    for _ in range(2):
        archivist.sessions.compress(session.id, target_tokens=900)
        session.append_many(talk(20, first=100 * len(met)))
    shortened = {message.id for message in met[0].shortened}
    assert shortened & {message.id for message in met[1].messages}
    for leaving in met:
        for message in (*leaving.messages, *leaving.shortened):
            assert message.text == stored.get(message.id, message.text)
            assert "summary" not in message.metadata


def test_a_number_of_tokens_is_checked(archivist, chat):
    for wrong in ({"target_tokens": 0}, {"window": -1}):
        with pytest.raises(ValueError, match="give a number of tokens"):
            archivist.sessions.compress(chat.id, **wrong)
    for wrong in ({"window": 1.5}, {"target_tokens": True}, {"window": "128k"}, {"focus": 3}, {"prompt": 3}):
        with pytest.raises(TypeError, match=f"{next(iter(wrong))} is .*: give a "):
            archivist.sessions.compress(chat.id, force=True, **wrong)
    with pytest.raises(ValueError, match="window is 0: give a number of tokens"):
        archivist.sessions.verdict(chat.id, 0)


def test_a_hook_that_fails_is_told_and_one_that_stops_stops(archivist, chat):
    @archivist.sessions.before_compression
    def broken(leaving):
        raise KeyError("lost")

    done = archivist.sessions.compress(chat.id, target_tokens=2_000)
    assert [notice.text for notice in done.notices if notice.code == "hook-failed"] == [
        "a hook failed: KeyError: 'lost'"
    ]

    @archivist.sessions.before_compression
    def stops(leaving):
        raise StopCompression("not during a release")

    chat.append_many(talk(60))
    counts = archivist.counts()
    with pytest.raises(StopCompression, match="nothing was compressed: not during a release"):
        archivist.sessions.compress(chat.id, target_tokens=2_000)
    assert archivist.counts() == counts


def test_after_it_is_written_no_hook_stops_it(archivist, chat):
    @archivist.sessions.after_compression
    def late(done):
        raise StopCompression("too late")

    done = archivist.sessions.compress(chat.id, target_tokens=2_000)
    assert done.child_id is not None
    assert [notice.text for notice in done.notices if notice.code == "hook-failed"] == [
        "a hook failed: StopCompression: too late"
    ]


def test_notes_that_cannot_be_kept_with_the_next_session_are_told_and_it_is_there(archivist, monkeypatch):
    def full(*_, **__):
        raise DiskFull(archivist.home.state_file)

    archivist.notes.add("memory", "The ferry leaves from pier 4.")
    session = archivist.sessions.start("cli", prompt=archivist.snapshot().text)
    archivist.snapshot(session=session.id)
    session.append_many(talk(60))
    archivist.notes.add("memory", "The ferry leaves at nine.")
    with monkeypatch.context() as patched:
        patched.setattr("archivist.app.freezing.keep_snapshot", full)
        done = archivist.sessions.compress(session.id, target_tokens=2_000)
    assert "notes-not-kept" in {notice.code for notice in done.notices}
    assert "at nine" in archivist.sessions.get(done.child_id).record().prompt
    assert archivist.given_snapshot(session=done.child_id) is None
    assert "at nine" in archivist.snapshot(session=done.child_id).text


def test_a_database_that_others_hold_is_waited_for_once(archivist, chat, monkeypatch):
    archivist.notes.add("memory", "The ferry leaves at nine.")
    chat.append(Message.assistant("The ferry leaves at nine."))
    waited = []
    patience = archivist._store._live._writer._patience.__class__
    monkeypatch.setattr(patience, "pauses", lambda *_: iter(waited.append("once") or ()))
    with closing(apsw.Connection(str(archivist.home.state_file))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            archivist.sessions.compress(chat.id, target_tokens=2_000)
        other.execute("ROLLBACK")
    assert waited == ["once"]
    assert archivist.sessions.compress(chat.id, target_tokens=2_000).notices == ()


def test_uses_of_notes_that_cannot_be_counted_are_no_hook_that_failed(archivist, chat, monkeypatch):
    archivist.notes.add("memory", "The ferry leaves at nine.")
    monkeypatch.setattr("archivist.app.using.take_in_uses_of", raising(PermissionError("not yours")))
    done = archivist.sessions.compress(chat.id, target_tokens=2_000)
    assert [(one.code, one.text) for one in done.notices] == [
        ("uses-not-counted", "what was used of the notes was not counted: not yours")
    ]


def raising(error):
    def raises(*_arguments):
        raise error

    return raises


def test_the_next_session_is_given_the_notes_as_they_are_and_its_prompt_has_them(archivist):
    archivist.notes.add("memory", "The ferry leaves at nine.")
    session = archivist.sessions.start("cli", prompt=archivist.snapshot().text)
    given = archivist.snapshot(session=session.id)
    session.append_many(talk(60))
    archivist.notes.add("memory", "The ferry leaves from pier 4.")
    done = archivist.sessions.compress(session.id, target_tokens=2_000)
    fresh = archivist.given_snapshot(session=done.child_id)
    assert "pier 4" in fresh.text
    child = archivist.sessions.get(done.child_id).record()
    assert child.prompt == fresh.text
    assert archivist.snapshot(session=done.child_id).sha256 == fresh.sha256
    assert archivist.given_snapshot(session=session.id).sha256 == given.sha256
    assert archivist.news(session=done.child_id) == ""


def test_a_prompt_that_does_not_hold_the_notes_is_told(archivist):
    session = archivist.sessions.start("cli", prompt=PROMPT)
    assert archivist.snapshot(session=session.id).text == ""
    session.append_many(talk(60))
    archivist.notes.add("memory", "The ferry leaves from pier 4.")
    done = archivist.sessions.compress(session.id, target_tokens=2_000)
    assert "prompt-without-notes" in {notice.code for notice in done.notices}
    assert archivist.sessions.get(done.child_id).record().prompt == PROMPT
    assert "pier 4" in archivist.snapshot(session=done.child_id).text


def test_nobody_compresses_what_they_may_not_see(archivist):
    ann, bob = Scope(user="ann"), Scope(user="bob")
    session = archivist.sessions.start("cli", scope=ann)
    session.append_many(talk(60))
    for scope in (bob, None):
        for ask in (archivist.sessions.compress, archivist.sessions.restore, archivist.sessions.context):
            with pytest.raises(UnknownSession):
                ask(session.id, scope=scope)
    done = archivist.sessions.compress(session.id, target_tokens=2_000, scope=ann)
    assert archivist.sessions.get(done.child_id).record().scope == ann


def test_a_prompt_that_is_given_stands(archivist, chat):
    done = archivist.sessions.compress(chat.id, target_tokens=2_000, prompt="Another.")
    assert archivist.sessions.get(done.child_id).record().prompt == "Another."


def test_a_prompt_that_is_made_of_the_notes_is_of_the_moment_of_what_the_session_is_given(archivist):
    archivist.notes.add("memory", "The ferry leaves at nine.")
    session = archivist.sessions.start("cli", prompt=archivist.snapshot().text)
    archivist.snapshot(session=session.id)
    session.append_many(talk(60))
    archivist.notes.add("memory", "The ferry leaves from pier 4.")

    def made(notes: str) -> str:
        archivist.notes.add("memory", "A gangway was added.")  # by somebody else, at this very moment
        return f"Built anew.\n\n{notes}"

    done = archivist.sessions.compress(session.id, target_tokens=2_000, prompt=made)
    given = archivist.given_snapshot(session=done.child_id)
    assert archivist.sessions.get(done.child_id).record().prompt == f"Built anew.\n\n{given.text}"
    assert "pier 4" in given.text
    assert "gangway" not in given.text
    assert "gangway" in archivist.news(session=done.child_id)
    assert done.notices == ()


def test_it_is_made_also_where_the_session_before_was_given_nothing(archivist, chat):
    archivist.notes.add("memory", "The ferry leaves at nine.")
    done = archivist.sessions.compress(chat.id, target_tokens=2_000, prompt=lambda notes: f"Anew: {notes}")
    given = archivist.given_snapshot(session=done.child_id)
    assert archivist.sessions.get(done.child_id).record().prompt == f"Anew: {given.text}"


def test_a_restore_makes_it_too(archivist, chat):
    archivist.sessions.compress(chat.id, target_tokens=2_000)
    archivist.notes.add("memory", "The ferry leaves at nine.")
    back = archivist.sessions.restore(chat.id, prompt=lambda notes: f"Anew: {notes}")
    assert "at nine" in archivist.sessions.get(back.child_id).record().prompt


def test_a_trial_makes_no_prompt(archivist, chat):
    def fails(notes: str) -> str:
        raise AssertionError(notes)

    assert archivist.sessions.compress(chat.id, target_tokens=2_000, prompt=fails, dry_run=True).dry_run


def test_what_makes_no_text_compresses_nothing(archivist, chat):
    with pytest.raises(TypeError, match="give a text"):
        archivist.sessions.compress(chat.id, target_tokens=2_000, prompt=lambda notes: None)
    assert archivist.sessions.get(chat.id).record().id == chat.id


def test_notes_that_cannot_be_read_leave_it_those_that_there_were(archivist, monkeypatch):
    archivist.notes.add("memory", "The ferry leaves at nine.")
    session = archivist.sessions.start("cli", prompt=archivist.snapshot().text)
    given = archivist.snapshot(session=session.id)
    session.append_many(talk(60))
    monkeypatch.setattr("archivist.app.freezing.make_snapshot", raising(DiskFull(archivist.home.state_file)))
    done = archivist.sessions.compress(session.id, target_tokens=2_000, prompt=lambda notes: f"Anew: {notes}")
    assert "notes-not-renewed" in {notice.code for notice in done.notices}
    assert archivist.sessions.get(done.child_id).record().prompt == f"Anew: {given.text}"


def test_uses_of_notes_are_taken_in_before_the_next_session_is_given_them(archivist):
    archivist.take_in_uses()
    noted = archivist.notes.add("memory", "The ferry to Harwich leaves from pier 4 at nine").entry
    session = archivist.sessions.start("cli")
    session.append_many(
        [
            Message.user("where do I go?"),
            Message.assistant("The ferry to Harwich leaves from pier 4 at nine."),
            *talk(60),
        ]
    )
    archivist.sessions.compress(session.id, target_tokens=2_000)
    used = archivist.notes.uses_of([noted.id])[noted.id]
    assert "used" in {use.kind for use in used}
    archivist.take_in_uses()
    assert archivist.notes.uses_of([noted.id])[noted.id] == used


def test_two_passes_that_saved_nearly_nothing_suggest_a_new_session_in_every_process(archivist, tmp_path):
    session = archivist.sessions.start("cli")
    session.append(Message.user("word " * 3_000))
    for _ in range(2):
        done = archivist.sessions.compress(session.id, target_tokens=1_000)
        assert [notice.code for notice in done.notices] == ["nothing-saved"]
    with Archivist.open(tmp_path / "home", environ={}) as other:
        told = other.sessions.compress(session.id, target_tokens=1_000)
        assert [notice.code for notice in told.notices] == ["compressing-stopped"]
        assert other.sessions.verdict(session.id, 4_000).state == "new-session"
        forced = other.sessions.compress(session.id, target_tokens=1_000, force=True)
        assert [notice.code for notice in forced.notices] == ["nothing-saved"]
        assert other.verify().problems == ()


def test_passes_that_saved_little_count_from_the_sessions_that_they_began(archivist):
    session = archivist.sessions.start("cli", prompt=PROMPT)
    session.append_many([*talk(4), Message.user("Mind all of this: " + "word " * 40_000)])
    for number in range(2):
        work = (
            called(f"more-{number}-{step}", "Read", "row = 1\n" * 60, path="rows.py") for step in range(4)
        )
        session.append_many([message for step in work for message in step])
        done = archivist.sessions.compress(session.id, target_tokens=2_000)
        assert done.child_id is not None
        assert 0.9 * done.tokens_before < done.tokens_after < done.tokens_before
    told = archivist.sessions.compress(session.id, target_tokens=1_000)
    assert [notice.code for notice in told.notices] == ["compressing-stopped"]
    assert archivist.sessions.context(session.id).passes == 2
    assert archivist.sessions.compress(session.id, target_tokens=1_000, force=True).child_id


def test_what_is_said_while_the_model_thinks_comes_behind_and_nobody_else_compresses_meanwhile(
    archivist, chat, tmp_path
):
    met = []

    def summarise(prompt, most):
        with Archivist.open(tmp_path / "home", environ={}) as other:
            met.append(other.sessions.get(chat.id).append(Message.user("one more thing")))
            with pytest.raises(BeingCompacted, match="wait until that is done"):
                other.sessions.compress(chat.id, target_tokens=2_000)
            assert other.sessions.compress(chat.id, target_tokens=2_000, dry_run=True).left
        return "## State\n- The importer is looked into."

    done = archivist.sessions.compress(chat.id, target_tokens=2_000, summarise=summarise)
    assert done.child_id
    assert chat.messages()[-1].id == met[-1]
    assert chat.messages()[-1].text == "one more thing"


def test_an_undo_while_the_model_thinks_lets_nothing_be_written(archivist, chat):
    def summarise(prompt, most):
        archivist.sessions.undo(chat.id)
        return "## State\n- The importer is looked into."

    with pytest.raises(ContextChanged, match=f"`archivist sessions compress {chat.id}`"):
        archivist.sessions.compress(chat.id, target_tokens=2_000, summarise=summarise)
    assert archivist.counts()["sessions"] == 1
    assert {message.state for message in chat.messages("all")} == {"active", "undone"}


def test_the_verdict_goes_by_what_the_provider_counted(archivist, chat):
    size = archivist.sessions.context(chat.id).tokens
    window = 3 * size + 8_000
    assert archivist.sessions.verdict(chat.id, window).state == "wait"
    chat.append(Message("assistant", "Done.", metadata={"request_id": "r1"}))
    chat.add_usage(Usage("m", "r1", input=2_000, cache_read=2 * size))
    told = archivist.sessions.verdict(chat.id, window)
    assert told.state == "compress"
    assert told.tokens >= 2_000 + 2 * size
    assert archivist.sessions.context(chat.id).counted == 2_000 + 2 * size
    archivist.sessions.compress(chat.id, target_tokens=2_000)
    assert archivist.sessions.context(chat.id).counted is None
    assert archivist.sessions.verdict(chat.id, window).state == "wait"
    chat.append(Message("assistant", "And again.", metadata={"request_id": "r2"}))
    chat.add_usage(Usage("m", "r2", input=2 * size))
    assert archivist.sessions.context(chat.id).counted == 2 * size
    assert archivist.sessions.verdict(chat.id, window).state == "compress"


def test_one_result_larger_than_the_window_is_cut_and_what_the_user_said_last_never(archivist):
    session = archivist.sessions.start("cli")
    asked = "Read it all. " + "Mind the gaps between the lines. " * 300
    session.append_many(
        [
            Message.user(asked),
            Message.assistant(tool_calls=[ToolCall("c1", "Read", '{"path": "log"}')]),
            Message.tool("line of the log\n" * 40_000, call_id="c1", name="Read"),
        ]
    )
    done = archivist.sessions.compress(session.id, window=16_000)
    assert "output-cut" in {notice.code for notice in done.notices}
    context = session.messages("context")
    assert context[0].text == asked
    (cut,) = [message for message in context if message.role == "tool"]
    assert f"read {cut.id} …]" in cut.text
    assert (
        len(archivist.sessions.read(session.id, around=cut.id, window=0, uncut=True).messages[0].text)
        == 640_000
    )


def test_a_restore_brings_the_words_back_and_keeps_what_was_said_since(archivist, chat):
    before = chat.messages("context")
    done = archivist.sessions.compress(chat.id, target_tokens=2_000)
    later = chat.append(Message.user("and now?"))
    back = archivist.sessions.restore(chat.id)
    assert [message.id for message in chat.messages("context")] == [*(m.id for m in before), later]
    assert texts(chat.messages("context"))[:-1] == texts(before)
    assert set(done.left) <= set(back.back)
    assert back.tokens_after > back.tokens_before
    assert {m.state for m in chat.messages("all") if m.id <= before[-1].id} == {"active"}


def test_a_window_is_told_by_its_parts(archivist):
    archivist.notes.add("memory", "The ferry leaves at nine.")
    session = archivist.sessions.start("cli", prompt=f"You are an agent.\n\n{archivist.snapshot().text}")
    archivist.snapshot(session=session.id)
    session.append_many([said("user", "hello"), *talk(60)])
    window = archivist.sessions.context(session.id)
    assert [share.what for share in window.shares] == ["prompt", "notes", "owner", "agent", "outputs"]
    assert window.tokens == sum(share.tokens for share in window.shares)
    assert [notice.code for notice in window.notices] == ["not-counted"]
    tools = [{"name": "Read", "input_schema": {"type": "object"}}]
    told = archivist.sessions.context(session.id, tools=tools)
    assert "tools" in {share.what for share in told.shares}
    assert told.notices == ()
    archivist.sessions.compress(session.id, target_tokens=2_000)
    assert "summary" in {share.what for share in archivist.sessions.context(session.id).shares}


def test_a_group_is_told_by_who_spoke(archivist):
    session = archivist.sessions.start("cli", scope=Scope(chat="crew"))
    session.append_many([Message.user("hi", speaker="owner"), Message.user("hi all", speaker="ann")])
    window = archivist.sessions.context(session.id, scope=Scope(chat="crew"))
    assert [share.what for share in window.shares] == ["owner", "others"]


def test_what_is_sent_can_be_told_to_a_provider_before_and_after(archivist, chat):
    sent = chat.sent()
    assert sent[0] == {"role": "system", "content": PROMPT}
    assert len(sent) == len(chat.messages("context")) + 1
    archivist.sessions.compress(chat.id, target_tokens=2_000)
    assert len(json.dumps(chat.sent())) < len(json.dumps(sent)) / 2


def test_what_a_provider_compressed_by_itself_stays_with_all_before_it_and_fills_no_window(archivist, chat):
    block = [{"type": "compaction", "content": "The user asks about ports.", "encrypted_content": "gAAAAAB"}]
    wide = archivist.sessions.compress(chat.id, target_tokens=2_000, dry_run=True).tokens_before
    told = chat.append(Message.assistant("Go on.", reasoning=json.dumps(block)))
    narrow = archivist.sessions.compress(chat.id, target_tokens=2_000)
    assert narrow.child_id is None
    assert [notice.code for notice in narrow.notices] == ["short-enough"]
    assert narrow.tokens_before < wide / 10
    chat.append_many(talk(60))
    before = [message.id for message in chat.messages("context")]
    done = archivist.sessions.compress(chat.id, target_tokens=2_000)
    after = archivist.sessions.get(done.child_id).messages("context")
    until = before.index(told) + 1
    assert [message.id for message in after][:until] == before[:until]
    assert json.loads(after[until - 1].reasoning) == block
    assert sum(message.metadata.get("summary") is True for message in after[until:]) == 1
    assert not any(message.metadata.get("summary") for message in after[:until])
    assert done.tokens_after < 2_500
    assert archivist.verify().problems == ()
