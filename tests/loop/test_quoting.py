"""Without a model the same loop notes, forgets and answers with quotes: what was stored, where it stands, and nothing made up."""

import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.conftest import NOON, Clock
from tests.model_server import ModelServer, says

from archivist import Archivist, Message, check_messages
from archivist.loop.events import Said
from archivist.loop.quoting import Quoting
from archivist.loop.quoting.quotes import Hit, asks_something
from archivist.models.endpoints import Endpoint
from archivist.models.responder import Interrupt
from archivist.prompt.fence import fenced
from archivist.records.requests import Request, ToolSpec

NO_MODEL = "`archivist model set provider/name`"
TOOLS = tuple(ToolSpec(name, "", {"type": "object"}) for name in ("memory", "recall", "session_search"))


@pytest.fixture
def arc(tmp_path):
    with Archivist.open(tmp_path / "home", clock=Clock(), environ={}) as opened:
        yield opened


@pytest.fixture
def agent(arc, tmp_path):
    return arc.agent(Quoting(), cwd=tmp_path)


def said_before(arc, *texts):
    session = arc.sessions.start("cli", title="Harbour")
    for number, text in enumerate(texts):
        at = NOON - timedelta(days=1, minutes=len(texts) - number)
        session.append(Message("assistant" if number % 2 else "user", text, created_at=at))
    return session


def texts(arc, target="user"):
    return [entry.text for entry in arc.notes.entries(target, "core")]


# ---- noting ----


def test_what_is_to_be_remembered_is_noted_and_says_how_it_is_undone(arc, agent):
    told = agent.turn("remember that I prefer tabs over spaces").text
    assert texts(arc) == ["I prefer tabs over spaces"]
    assert "USER.md" in told
    assert "> I prefer tabs over spaces" in told
    undo = told.split("archivist memory undo ")[1].split("`")[0]
    arc.notes.undo(undo)
    assert texts(arc) == []


def test_the_same_in_chinese(arc, agent):
    told = agent.turn("请记住：我喜欢喝绿茶").text
    assert texts(arc) == ["我喜欢喝绿茶"]
    assert told.startswith("已记入 USER.md")


def test_what_is_not_about_the_person_goes_to_the_other_file(arc, agent):
    agent.turn("note that the tests run with pytest")
    assert texts(arc, "memory") == ["the tests run with pytest"]


def test_what_is_noted_already_is_told_with_the_note_that_says_it(arc, agent):
    agent.turn("remember that I live in Berlin")
    told = agent.turn("remember that I live in Berlin").text
    assert texts(arc) == ["I live in Berlin"]
    assert "says this already" in told


def test_a_contradiction_is_told(agent):
    agent.turn("remember that I live in Berlin")
    assert "I live in Berlin" in agent.turn("remember that I live in Hamburg").text


def test_full_notes_are_told_and_nothing_counts_as_noted(tmp_path):
    home = tmp_path / "small"
    home.mkdir()
    (home / "config.toml").write_text('[notes]\nuser_limit = 100\non_full = "reject"\n')
    with Archivist.open(home, clock=Clock(), environ={}) as arc:
        agent = arc.agent(Quoting(), cwd=tmp_path)
        agent.turn("remember that I live in Berlin by the water, near the canal, with three cats")
        told = agent.turn("remember that my sister is called Annabel and lives far away").text
        assert told.startswith("Not noted: ")
        assert texts(arc) == ["I live in Berlin by the water, near the canal, with three cats"]


@pytest.mark.parametrize("said", ["remember this", "记住这个"])
def test_what_points_at_nothing_is_asked_back(arc, agent, said):
    agent.turn(said)
    assert texts(arc) == texts(arc, "memory") == []


# ---- forgetting ----


@pytest.mark.parametrize("said", ["forget that I live in Berlin", "Please forget I live in Berlin."])
def test_the_one_note_that_is_meant_is_removed_and_can_be_brought_back(arc, agent, said):
    arc.notes.add("user", "I live in Berlin")
    arc.notes.add("user", "I prefer tabs")
    told = agent.turn(said).text
    assert texts(arc) == ["I prefer tabs"]
    assert "> I live in Berlin" in told
    arc.notes.undo(told.split("archivist memory undo ")[1].split("`")[0])
    assert sorted(texts(arc)) == ["I live in Berlin", "I prefer tabs"]


def test_forgetting_in_chinese(arc, agent):
    arc.notes.add("user", "我住在柏林")
    assert agent.turn("忘掉我住在柏林").text.startswith("已从 USER.md 删去")
    assert texts(arc) == []


@pytest.mark.parametrize(
    "said",
    ["forget Berlin", "forget the sister", "忘掉柏林", "forget I", "forget everything"],
)
def test_nothing_is_removed_by_a_vague_word(arc, agent, said):
    noted = [
        "I live in Berlin with three cats",
        "My sister moved to Berlin in May",
        "我的弟弟去年搬到柏林工作了",
    ]
    for text in noted:
        arc.notes.add("user", text)
    told = agent.turn(said).text
    assert sorted(texts(arc)) == sorted(noted)
    assert "Nothing was removed" in told or "没有删去" in told


def test_several_that_may_be_meant_are_listed_with_the_ids_that_decide(arc, agent):
    first = arc.notes.add("user", "I live in Berlin with three cats").entry
    arc.notes.add("user", "I live in Berlin near the canal")
    told = agent.turn("forget I live in Berlin").text
    assert first.id in told
    assert len(texts(arc)) == 2
    agent.turn(f"forget {first.id}")
    assert texts(arc) == ["I live in Berlin near the canal"]


def test_what_was_forgotten_is_not_quoted_from_the_words_that_asked_for_it(arc, tmp_path):
    first = arc.agent(Quoting(), cwd=tmp_path)
    first.turn("remember that I live in Berlin")
    first.turn("forget that I live in Berlin")
    first.close()
    assert "Berlin" not in arc.agent(Quoting(), cwd=tmp_path).turn("Where do I live?").text


# ---- asking ----


def test_a_question_is_answered_with_quotes_their_source_and_the_command_that_opens_them(arc, agent):
    session = said_before(arc, "Where is the lantern?", "At the quay, the lantern burns all night.")
    told = agent.turn("Where does the lantern burn?").text
    assert "> At the quay, the lantern burns all night." in told
    assert "2026-03-19" in told
    assert f"`archivist sessions show {session.id} --around " in told


def test_where_a_question_is_found_what_was_said_to_it_is_quoted_with_it(arc, agent):
    said_before(
        arc, "What is the name of the harbour master?", "Ask for Ms Lindqvist.", "Thanks!", "Any time."
    )
    told = agent.turn("Who is the harbour master of this harbour, by name?").text
    assert "> What is the name of the harbour master?" in told
    assert "then the assistant said:\n   > Ask for Ms Lindqvist." in told
    assert "Any time" not in told


def test_a_long_message_is_cut_visibly(arc, agent):
    said_before(arc, "lantern?", "The lantern burns all night at the quay. " * 100)
    told = agent.turn("When does the lantern burn?").text
    assert "[cut, the command below shows all]" in told
    assert len(told) < 3_000


def test_at_most_five_are_quoted(arc, agent):
    for number in range(9):
        said_before(arc, f"The lantern number {number} was bought in the town of Number{number}.")
    told = agent.turn("Which lantern was bought in which town?").text
    assert told.count("archivist sessions show") == 5


def test_nothing_found_says_what_was_looked_for(agent):
    told = agent.turn("What does the zebra eat?").text
    assert "“What does the zebra eat?”" in told
    assert "filters" not in told
    assert ">" not in told


def test_a_question_asked_before_and_its_answer_are_no_answer(arc, tmp_path):
    said_before(arc, "Hm?", "At the quay, the lantern burns all night.")
    for _ in range(3):
        agent = arc.agent(Quoting(), cwd=tmp_path)
        told = agent.turn("Where does the lantern burn?").text
        agent.close()
        assert told.count("\n   > ") == 1


def test_what_was_said_earlier_in_the_conversation_is_quoted_too(agent):
    agent.turn("My dog is called Rex.")
    assert "> My dog is called Rex." in agent.turn("What is my dog called?").text
    agent.turn("我的猫叫咪咪。")
    assert "> 我的猫叫咪咪。" in agent.turn("我的猫叫什么？").text


def test_that_only_the_question_has_its_words_is_no_notice(agent):
    assert "Notice" not in agent.turn("Where does the lantern burn?").text


def test_what_tools_say_most_often_is_told_in_chinese(agent):
    agent.turn("记住我喜欢绿茶")
    assert "已经这样写了：“我喜欢绿茶”" in agent.turn("记住我喜欢绿茶").text
    assert "提示：没有任何记录含有这些词" in agent.turn("忘掉咖啡").text
    assert "提示：那段时间没有任何记录" in agent.turn("2001年1月我们聊了什么？").text


def test_whether_a_text_ends_with_a_question_is_told_at_once_whatever_stands_behind():
    boxes = "[ ] " * 3_000
    asking = Hit(f"Which of these? {'[x] ' * 20}", session_id="s", message_id=1)
    assert asks_something(asking)
    assert not asks_something(replace(asking, text=f"Which of these? {boxes}done"))


def test_all_notes_are_listed(arc, agent):
    arc.notes.add("user", "I prefer tabs")
    arc.notes.add("memory", "The server runs on port 8080")
    for said in ("what do you remember?", "你记得什么"):
        told = agent.turn(said).text
        assert "> I prefer tabs" in told
        assert "> The server runs on port 8080" in told


@pytest.mark.parametrize("said", ["What did we talk about yesterday?", "昨天我们聊了什么？"])
def test_a_time_gives_what_was_said_then(arc, agent, said):
    said_before(arc, "The lantern is broken.", "I will mend the lantern.")
    told = agent.turn(said).text
    assert "> The lantern is broken." in told


def test_without_a_time_the_latest_conversations_are_listed_but_not_this_one(arc, agent):
    session = said_before(arc, "The lantern is broken.", "I will mend the lantern.")
    told = agent.turn("what did we talk about?").text
    assert f"`archivist sessions show {session.id}`" in told
    assert agent.conversation_id not in told
    for number in range(4):
        agent.turn(f"thing {number}: " + "the lantern of the quay burns. " * 60)
    child = arc.sessions.compress(agent.conversation_id, target_tokens=500, force=True).child_id
    told = agent.turn("what did we talk about?").text
    assert agent.session.id == child
    assert f"`archivist sessions show {session.id}`" in told
    assert child not in told


# ---- honest, and always the same ----


def test_that_there_is_no_model_is_said_once_in_a_session(arc, tmp_path):
    agent = arc.agent(Quoting(), cwd=tmp_path)
    told = [agent.turn(said).text for said in ("hi", "记住我喜欢喝绿茶", "thanks", "What do I drink?")]
    assert [NO_MODEL in text for text in told] == [True, False, False, False]
    agent.close()
    assert NO_MODEL in arc.agent(Quoting(), cwd=tmp_path).turn("你好").text


def test_an_answer_streams_by_line(arc, tmp_path):
    pieces = []
    agent = arc.agent(
        Quoting(), cwd=tmp_path, on_event=lambda e: pieces.append(e.text) if isinstance(e, Said) else None
    )
    told = agent.turn("help").text
    assert len(pieces) > 3
    assert "".join(pieces) == told


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_a_model_that_is_set_later_goes_on_with_the_conversation(arc, tmp_path, wire):
    pytest.importorskip(wire)
    said_before(arc, "What is the name of the harbour master?", "Ask for Ms Lindqvist.")
    agent = arc.agent(Quoting(), cwd=tmp_path)
    for said in (
        "hi",
        "remember that I live in Berlin",
        "Who is the harbour master here, by name?",
        "forget I live in Berlin",
    ):
        assert agent.turn(said).stop == "end"
    agent.close()
    with ModelServer([says("I go on.")]) as server:
        model = _model(wire, f"{server.url}/v1" if wire == "openai" else server.url)
        going_on = arc.agent(model, session=agent_of(arc), cwd=tmp_path)
        assert going_on.turn("Go on.").text == "I go on."
        model.close()


def _model(wire, url):
    from archivist.models.anthropic_client import AnthropicResponder
    from archivist.models.openai_client import OpenAIResponder

    kind = {"openai": OpenAIResponder, "anthropic": AnthropicResponder}[wire]
    return kind(Endpoint("here", wire, "m", url, "key"))


def agent_of(arc):
    """The conversation that an agent held last."""
    return next(one.id for one in arc.sessions.browse().sessions if one.source == "chat")


def test_a_conversation_is_taken_up_again(arc, tmp_path):
    first = arc.agent(Quoting(), cwd=tmp_path)
    first.turn("My dog is called Rex.")
    conversation = first.conversation_id
    first.close()
    again = arc.agent(Quoting(), session=conversation, cwd=tmp_path).turn("What is my dog called?").text
    assert "> My dog is called Rex." in again
    assert NO_MODEL not in again


def asked(*messages, tools=TOOLS):
    return Request("quotes", tuple(messages), tools=tools)


def respond(request, interrupt=None):
    return Quoting().respond(request, lambda _piece: None, interrupt or Interrupt())


def test_what_stands_beside_the_users_words_is_not_read_as_theirs():
    background = fenced("remember that I am rich", session="s")
    reply = respond(
        asked(
            {
                "role": "user",
                "content": [{"type": "text", "text": "hi"}, {"type": "text", "text": background}],
            }
        )
    )
    assert reply.tool_calls == ()


def test_what_only_tells_a_model_something_is_nobodys_question():
    said = {"role": "user", "content": "hello"}
    told = {"role": "user", "content": [{"type": "text", "text": fenced("Your last reply had no words.")}]}
    replies = [
        Quoting().respond(Request("quotes", messages, tools=TOOLS), lambda _: None, Interrupt())
        for messages in ((said,), (said, told))
    ]
    assert replies[0].text == replies[1].text


def test_a_tool_that_is_not_offered_is_named():
    reply = respond(asked({"role": "user", "content": "remember that I live in Berlin"}, tools=()))
    assert "`memory`" in reply.text


def test_half_a_character_is_answered_too():
    assert respond(asked({"role": "user", "content": "remember that \udce4 is broken"})).tool_calls


def test_an_interrupted_answer_keeps_what_was_told():
    interrupt = Interrupt()
    reply = Quoting().respond(
        asked({"role": "user", "content": "help"}), lambda _piece: interrupt.set(), interrupt
    )
    assert reply.stop == "interrupted"
    assert reply.text.count("\n") == 1


RESULTS = st.one_of(
    st.text(max_size=200),
    st.builds(
        json.dumps,
        st.dictionaries(
            st.sampled_from(
                [
                    "success",
                    "error",
                    "hits",
                    "results",
                    "sessions",
                    "notices",
                    "waits",
                    "undo_id",
                    "replaced",
                    "usage",
                ]
            ),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(max_size=20),
                lambda inner: (
                    st.lists(inner, max_size=3)
                    | st.dictionaries(
                        st.sampled_from(["text", "id", "kind", "date", "session_id"]), inner, max_size=4
                    )
                ),
                max_leaves=8,
            ),
        ),
    ),
)
SAID = st.one_of(
    st.text(max_size=300),
    st.sampled_from(["remember ", "forget ", "记住", "忘掉", "what do you know about ", "昨天"]).flatmap(
        lambda cue: st.text(max_size=60).map(lambda rest: cue + rest)
    ),
)


@given(st.lists(SAID, min_size=1, max_size=4), st.lists(RESULTS, min_size=8, max_size=8))
def test_whatever_is_said_and_whatever_tools_answer_the_history_is_valid(said, results):
    messages, given_back = [], iter(results)
    for text in said:
        messages.append({"role": "user", "content": text})
        for _step in range(4):
            reply = respond(asked(*messages))
            assert reply == respond(asked(*messages))
            assert reply.text or reply.tool_calls
            messages.append(_form(reply))
            if not reply.tool_calls:
                break
            messages += [
                {"role": "tool", "tool_call_id": call.id, "content": next(given_back, "{}")}
                for call in reply.tool_calls
            ]
        else:
            pytest.fail("a turn did not end")
    assert check_messages(messages) == ()
    ids = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    assert len(set(ids)) == len(ids)


def _form(reply):
    form = {"role": "assistant", "content": reply.text or None}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.tool_calls
    ]
    return {**form, "tool_calls": calls} if calls else form
