"""What requests of an agent shared with those before: epochs, breaks, and tools that are sent again."""

import pytest
from tests.conftest import Clock
from tests.loop.scripted import Scripted, calls, says
from tests.store.lines import compact
from tests.store.test_requests import found
from tests.store.test_undoing import take_back

from archivist import Archivist
from archivist.app.seeing import Asked, Seeing, frozen_tools, keep_tools
from archivist.records import Message, SessionStart, Usage
from archivist.records.requests import Reply, Request, ToolSpec
from archivist.store.print_key import ready_key

TOOLS = (ToolSpec("recall", "asks", {"type": "object"}), ToolSpec("memory", "notes", {"type": "object"}))


@pytest.fixture
def session(store):
    return store.start(SessionStart("chat"))


@pytest.fixture
def seeing(store, clock, tmp_path):
    def made():
        return Seeing(store, lambda: ready_key(store, tmp_path / "prints.key", lambda: "id"), clock)

    return made


def request(*said, tools=TOOLS, system="be brief"):
    return Request("m", tuple({"role": "user", "content": text} for text in said), system, tools)


def ask(seeing, session, *said, number=1, **more):
    known = {name: more.pop(name) for name in ("why", "idle", "masked") if name in more}
    reply = Reply("ok", usage=Usage("m-1", f"r{number}", input=10), model="m-1")
    asked = Asked(session, "anthropic/m", **known)
    assert seeing.record_request(asked, request(*said, **more), reply) is None


def rows(store, *sessions):
    return [one.row for one in found(store, *sessions)]


def test_a_conversation_that_only_goes_on_is_one_epoch(store, session, seeing):
    see = seeing()
    ask(see, session, "a", why="began")
    ask(see, session, "a", "b")
    ask(see, session, "a", "b", "c")
    told = rows(store, session)
    assert [(one.epoch, one.began, one.broke) for one in told] == [
        (1, "start", None),
        (1, None, None),
        (1, None, None),
    ]
    assert [(one.before_blocks, one.shared_blocks, one.blocks) for one in told] == [
        (0, 0, 4),
        (4, 4, 5),
        (5, 5, 6),
    ]
    assert (told[0].provider, told[0].model, told[0].request_id) == ("anthropic", "m-1", "r1")
    assert told[2].shared_tokens == told[2].before_tokens < told[2].tokens


def test_another_process_goes_on_where_the_first_was(store, session, seeing):
    ask(seeing(), session, "a", why="began")
    ask(seeing(), session, "a", "b", why="resumed", idle=10.0)
    assert rows(store, session)[1].shared_blocks == 4
    assert rows(store, session)[1].began is None


@pytest.mark.parametrize(
    ("said", "known", "began"),
    [
        ("ab", {"why": "resumed", "idle": 301.0}, "expired"),
        ("xb", {"why": "resumed", "idle": 301.0, "masked": True}, "expired"),
        ("xb", {"why": "resumed", "idle": 1.0, "masked": True}, "masked"),
        ("ab", {"why": "resumed", "idle": 1.0, "masked": True}, None),
        ("ab", {"why": "model-switched"}, "model"),
        ("ab", {"why": "going-on", "idle": 900.0, "masked": True}, None),
    ],
)
def test_an_epoch_begins_where_its_cache_cannot_be_there(store, session, seeing, said, known, began):
    see = seeing()
    ask(see, session, "a", why="began")
    ask(see, session, *said, **known)
    second = rows(store, session)[1]
    assert (second.began, second.epoch) == (began, 2 if began else 1)
    assert second.shared_blocks == (4 if said == "ab" else 3)


def test_who_resumes_with_another_model_begins_an_epoch_though_its_cache_would_be_warm(
    store, session, seeing
):
    ask(seeing(), session, "a", why="began")
    ask(seeing(), session, "a", "b", why="resumed", idle=1.0)
    asked = Asked(session, "openai/gpt", "resumed", 1.0)
    assert seeing().record_request(asked, request("a", "b", "c"), Reply("ok", model="gpt-1")) is None
    assert [one.began for one in rows(store, session)] == ["start", None, "model"]


def test_a_compaction_begins_an_epoch_that_says_what_stayed(store, session, seeing):
    see = seeing()
    store.append(session, [Message.user("a"), Message.assistant("b"), Message.user("c")])
    ask(see, session, "a", "b", "c", why="began")
    child = compact(store, session, keep=1)
    ask(see, child, "summary", "c", why="compacted")
    told = rows(store, session, child)[1]
    assert (told.began, told.epoch, told.shared_blocks, told.broke) == ("compaction", 2, 3, "message")
    assert store.verify().is_clean


def test_a_fork_begins_an_epoch_where_it_leaves_what_it_was_forked_from(store, session, seeing):
    ask(seeing(), session, "a", "b", "c", why="began")
    forks = [store.start(SessionStart("chat", parent_id=session, link="fork")) for _ in range(2)]
    ask(seeing(), forks[0], "a", "x", why="resumed")
    ask(seeing(), forks[1], "a", "b", "c", "d", why="resumed")
    told = rows(store, *forks)
    assert [(one.began, one.epoch, one.shared_blocks) for one in told] == [("fork", 2, 4), (None, 1, 6)]


def test_what_broke_within_an_epoch_is_named(store, session, seeing):
    see = seeing()
    ask(see, session, "a", why="began")
    ask(see, session, "a", "b", tools=(*TOOLS, ToolSpec("web", "looks", {})))
    ask(see, session, "a", "b", "c", system="be long", tools=(*TOOLS, ToolSpec("web", "looks", {})))
    _, tools, system = rows(store, session)
    assert (tools.broke, tools.broke_at, tools.broke_why, tools.began) == ("tools", 3, "added", None)
    assert (system.broke, system.broke_at, system.broke_why) == ("system", 1, "changed")


def test_an_undo_is_named_as_what_broke(store, session, seeing, clock):
    see = seeing()
    store.append(session, [Message.user("a"), Message.assistant("b"), Message.user("c")])
    ask(see, session, "a", "b", "c", why="began")
    clock.advance(seconds=10)
    take_back(store, session)
    ask(see, session, "a", "b", "x")
    told = rows(store, session)[1]
    assert (told.broke, told.broke_at, told.broke_why) == ("message", 3, "undone")


def test_without_the_key_of_before_nothing_is_said_to_have_broken(store, session, seeing, tmp_path):
    ask(seeing(), session, "a", why="began")
    (tmp_path / "prints.key").write_text("ab" * 32)
    ask(seeing(), session, "a", "b")
    told = rows(store, session)[1]
    assert (told.before_blocks, told.shared_blocks, told.broke, told.epoch) == (0, 0, None, 1)


def test_what_cannot_be_kept_is_said_and_stops_nobody(store, seeing, tmp_path):
    told = seeing().record_request(Asked("nobody", "x"), request("a"), Reply())
    assert told is not None
    assert told.code == "request-not-recorded"
    (tmp_path / "prints.key").unlink()
    (tmp_path / "prints.key").mkdir()
    assert seeing().record_request(Asked("nobody", "x"), request("a"), Reply()) is not None


def test_the_digests_of_what_was_sent_tell_nobody_what_it_was(store, session, seeing):
    ask(seeing(), session, "1234", why="began")
    from archivist.prompt.prefix import Lister, packed

    guessed = packed(Lister().blocks(request("1234")))
    kept = store.reader().execute("SELECT blocks FROM request_blocks").get
    assert len(kept) == len(guessed)
    assert kept != guessed


def test_tools_are_sent_again_as_they_were(store, session, clock):
    assert frozen_tools(store, session) is None
    odd = (*TOOLS, ToolSpec("日本", "“half” \ud83d", {"b": 1, "a": [None, 1.5]}))
    keep_tools(store, session, odd[:2], clock())
    assert frozen_tools(store, session) == TOOLS
    keep_tools(store, session, odd, clock())
    assert [*frozen_tools(store, session)[2].schema] == ["b", "a"]


def test_tools_that_cannot_be_read_are_none(store, session, clock):
    keep_tools(store, session, TOOLS, clock())
    store.write(lambda db: db.execute("UPDATE tool_lists SET tools = '{'"))
    assert frozen_tools(store, session) is None


def test_an_agent_that_calls_and_is_resumed_breaks_nothing(tmp_path):
    clock = Clock()

    def turns(session=None, *said):
        with Archivist.open(tmp_path / "home", clock=clock, environ={}) as archivist:
            agent = archivist.agent(
                Scripted(calls(("recall", '{"query": "port"}')), says("so")), session=session, cwd=tmp_path
            )
            for text in said:
                clock.advance(seconds=9)
                agent.turn(text)
            agent.close()
            return archivist.sessions.cache(agent.conversation_id)

    first = turns(None, "which port?", "and then?")
    one = turns(first.conversation_id, "go on")
    assert (one.seen, one.epochs, one.breaks) == (5, 1, 0)
    assert all(each.shared_blocks == each.before_blocks for each in one.each)
    assert turns(one.conversation_id, "more").epochs == 1


def test_what_rules_answer_is_no_request(tmp_path):
    with Archivist.open(tmp_path / "home", clock=Clock(), environ={}) as archivist:
        responder = Scripted(says("so"))
        responder.is_model = False
        agent = archivist.agent(responder, cwd=tmp_path)
        agent.turn("which port?")
        agent.close()
        assert archivist.sessions.cache(agent.conversation_id).seen == 0


def test_who_takes_up_again_what_others_went_on_in_compares_with_what_they_sent(tmp_path):
    with Archivist.open(tmp_path / "home", clock=Clock(), environ={}) as arc:
        first = arc.agent(Scripted(says("one"), says("three")), cwd=tmp_path)
        first.turn("a")
        first.close()
        other = arc.agent(Scripted(says("two")), session=first.conversation_id, cwd=tmp_path)
        other.turn("b")
        other.close()
        first.turn("c")
        each = arc.sessions.cache(first.conversation_id).each
    assert [one.before_blocks for one in each] == [0, each[0].blocks, each[1].blocks]
