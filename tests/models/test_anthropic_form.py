"""What Anthropic is sent of a conversation, message by message."""

import base64
import json

import pytest
from msgspec.structs import replace
from tests.models.conversing import PDF, PNG, part, request_of

from archivist.models.anthropic_form import anthropic_body, headers_for
from archivist.models.endpoints import Endpoint
from archivist.records import Message, ToolCall
from archivist.records.requests import Request, ToolSpec

HERE = Endpoint("anthropic", "anthropic", "claude-sonnet-5")
DATA = "data:image/png;base64," + base64.b64encode(PNG).decode()


def body(*forms, system="", tools=(), model="claude-sonnet-5", endpoint=HERE, lasting="5m", **more):
    return anthropic_body(Request(model, forms, system, tools, **more), endpoint, lasting=lasting)


def blocks(*forms, **more):
    """Messages as their role and their blocks, without marks."""
    made = body(*forms, **more)["messages"]
    return [
        [one["role"], *({k: v for k, v in block.items() if k != "cache_control"} for block in one["content"])]
        for one in made
    ]


def text(words):
    return {"type": "text", "text": words}


def user(content):
    return {"role": "user", "content": content}


def called(*calls, **more):
    made = [
        {"id": key, "type": "function", "function": {"name": "read", "arguments": given}}
        for key, given in calls
    ]
    return {"role": "assistant", "content": None, "tool_calls": made, **more}


def result(key, content="ok"):
    return {"role": "tool", "tool_call_id": key, "content": content}


def test_results_of_parallel_calls_and_what_is_said_then_stand_in_one_message():
    made = blocks(user("x"), called(("a", "{}"), ("b", "{}")), result("a"), result("b"), user("stop"))
    assert [one[0] for one in made] == ["user", "assistant", "user"]
    assert [block["type"] for block in made[2][1:]] == ["tool_result", "tool_result", "text"]


def test_thoughts_go_first_and_to_the_letter():
    signed = [
        {"type": "thinking", "thinking": " hm \n", "signature": "s"},
        {"type": "redacted_thinking", "data": "d"},
    ]
    made = blocks(user("x"), {"role": "assistant", "content": "y", "thinking_blocks": signed}, user("z"))
    assert made[1][1:] == [*signed, text("y")]


def woven(text_of, *thoughts, calls=2):
    """The blocks of a stored reply, as it is sent again."""
    made = [ToolCall(f"t{number}", "read", "{}") for number in range(calls)]
    told = json.dumps(
        [{"type": "thinking", "thinking": name, "signature": "s", **more} for name, more in thoughts]
    )
    rows = [Message.user("x"), Message.assistant(text_of, tool_calls=made, reasoning=told)]
    rows += [Message("tool", "ok", tool_call_id=call.id, tool_name="read") for call in made]
    said = anthropic_body(request_of([*rows, Message.user("y")]), HERE)["messages"][1]["content"]
    return [block.get("thinking") or block.get("text") or block.get("id") for block in said], said


def test_thoughts_between_what_was_said_and_called_stay_there():
    thoughts = (("a", {}), ("b", {"after": [12, 0]}), ("c", {"after": [16, 1]}))
    names, said = woven("Let me see. Two.", *thoughts)
    assert names == ["a", "Let me see.", "b", "Two.", "t0", "c", "t1"]
    assert said[2] == {"type": "thinking", "thinking": "b", "signature": "s"}


def test_a_thought_that_would_come_last_is_left_out():
    assert woven("Let", ("a", {}), ("b", {"after": [90, 0]}), calls=0)[0] == ["a", "Let"]
    assert woven("Let", ("b", {"after": [2, 0]}), calls=0)[0] == ["Le", "b", "t"]
    assert woven("Let", ("b", {"after": [3, 7]}))[0] == ["Let", "t0", "t1"]
    assert woven("Let", ("b", {"after": "nowhere"}), calls=0)[0] == ["b", "Let"]


def test_a_thought_with_an_empty_signature_goes_back_to_whoever_signs_so_and_not_to_anthropic():
    """NousResearch/hermes-agent PR73609"""
    empty = {"type": "thinking", "thinking": "hm", "signature": ""}
    rows = [Message.user("x"), Message.assistant("y", reasoning=json.dumps([empty])), Message.user("z")]

    def said(endpoint):
        return anthropic_body(request_of(rows), endpoint)["messages"][1]["content"]

    assert said(replace(HERE, provider="kimi"))[0] == empty
    assert [block["type"] for block in said(replace(HERE, provider="anthropic"))] == ["text"]


def test_thoughts_of_others_are_left_out():
    made = blocks(user("x"), {"role": "assistant", "content": "y", "reasoning_content": "hm"}, user("z"))
    assert made[1][1:] == [text("y")]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ("[1]", {"arguments": "[1]"}),
        ("{torn", {"arguments": "{torn"}),
        ('{"a": NaN}', {"arguments": '{"a": NaN}'}),
        ("[" * 100_000, {"arguments": "[" * 100_000}),
    ],
)
def test_arguments_are_an_object_whatever_they_were(arguments, told):
    assert blocks(user("x"), called(("a", arguments)), result("a"))[1][1]["input"] == told


def test_a_call_and_its_result_have_the_same_id_whatever_it_was():
    made = blocks(user("x"), called(("functions.read:0", "{}")), result("functions.read:0"))
    key = made[1][1]["id"]
    assert key == made[2][1]["tool_use_id"]
    assert key.startswith("functions_read_0_")


def test_pictures_are_sent_as_their_bytes_also_in_results():
    picture = {"type": "image_url", "image_url": {"url": DATA}}
    source = {"type": "base64", "media_type": "image/png", "data": DATA.partition(",")[2]}
    made = blocks(user([picture]), called(("a", "{}")), result("a", [text("seen"), picture]))
    assert made[0][1] == {"type": "image", "source": source}
    assert made[2][1]["content"] == [text("seen"), {"type": "image", "source": source}]


def test_a_picture_under_another_name_of_its_kind_is_sent():
    made = blocks(user([{"type": "image_url", "image_url": {"url": DATA.replace("image/png", "image/JPG")}}]))
    assert made[0][1]["source"]["media_type"] == "image/jpeg"


def test_a_picture_on_the_web_is_sent_as_its_address():
    made = blocks(user([{"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]))
    assert made[0][1]["source"] == {"type": "url", "url": "https://example.com/a.png"}


def test_documents_are_sent_where_it_takes_them():
    rows = [
        Message.user(
            "see", parts=[part("file", "b", "application/pdf", "b.pdf"), part("file", "d", "text/plain")]
        )
    ]
    made = anthropic_body(request_of(rows), HERE)["messages"][0]["content"]
    pdf = base64.b64encode(PDF).decode()
    assert made[-2]["source"] == {"type": "base64", "media_type": "application/pdf", "data": pdf}
    assert made[-2]["title"] == "b.pdf"
    assert made[-1]["source"] == {"type": "text", "media_type": "text/plain", "data": "Wörter"}


@pytest.mark.parametrize(
    ("sent", "line"),
    [
        (
            part("audio", "c", "audio/wav"),
            "[sound: audio/wav, 0 kB; not sent: this provider takes none of its kind]",
        ),
        (
            part("file", "d", "application/zip", "d.zip"),
            "[file: d.zip, application/zip, 0 kB; not sent: this provider takes none of its kind]",
        ),
        (
            part("image", "a", "image/tiff"),
            "[picture: image/tiff, 0 kB; not sent: this provider takes none of its kind]",
        ),
    ],
)
def test_what_it_has_no_place_for_is_told_in_a_line(sent, line):
    assert (
        anthropic_body(request_of([Message.user("see", parts=[sent])]), HERE)["messages"][0]["content"][-1][
            "text"
        ]
        == line
    )


def test_a_model_without_eyes_is_told_of_the_picture():
    blind = Endpoint("x", "anthropic", "m", takes_pictures=False)
    forms = user([{"type": "image_url", "image_url": {"url": f"blob:{'a' * 64}#image/png"}}])
    line = f"[picture: image/png, sha256 {'a' * 12}; not sent: this model takes no pictures]"
    assert blocks(forms, endpoint=blind)[0][1] == text(line)


def test_who_speaks_in_a_group_is_told():
    assert blocks({**user("hi"), "name": "Ann"})[0][1:] == [text("[Ann]"), text("hi")]


def test_blanks_become_nothing_or_a_word_that_says_so():
    made = blocks(
        user(" "),
        {"role": "assistant", "content": " \n"},
        user("x"),
        {"role": "assistant", "content": "y \n"},
    )
    assert made == [["user", text("(empty)"), text("x")], ["assistant", text("y")]]
    assert blocks(user("x"), called(("a", "{}")), result("a", ""))[2][1]["content"] == [text("(empty)")]


def test_a_conversation_that_begins_with_the_assistant_is_introduced():
    assert blocks({"role": "assistant", "content": "hello"}, user("x"))[0] == [
        "user",
        text("(the conversation goes on)"),
    ]


def test_a_signed_compaction_goes_first_with_the_header_that_it_needs():
    block = {"type": "compaction", "content": "so far", "signature": "s"}
    first = {"role": "assistant", "content": "y", "provider_specific_fields": {"compaction_blocks": [block]}}
    made = body(first, user("x"))
    assert made["messages"][0]["content"] == [block, text("y")]
    assert headers_for(made) == {"anthropic-beta": "compact-2026-09-04"}
    assert headers_for(body(user("x"))) == {}


@pytest.mark.parametrize(
    ("model", "given", "window", "most"),
    [
        ("claude-sonnet-5", {}, 200_000, 32_000),
        ("claude-3-haiku-20240307", {}, 200_000, 4_096),
        ("small", {}, 8_000, 4_000),
        ("claude-sonnet-5", {"max_tokens": 77}, 200_000, 77),
    ],
)
def test_a_reply_has_a_limit(model, given, window, most):
    made = body(user("x"), model=model, endpoint=Endpoint("a", "anthropic", model, window=window), **given)
    assert made["max_tokens"] == most


LONG = "All of this stays. " * 1_500


class TestMarks:
    def marked(self, made):
        def own(kept):
            return [at for at, one in enumerate(kept) if "cache_control" in one]

        listed = [block for message in made["messages"] for block in message["content"]]
        return own(made.get("tools", ())), own(made.get("system", ())), own(listed)

    def test_behind_tools_prompt_the_request_before_and_at_the_end(self):
        tools = (ToolSpec("a", LONG, {}), ToolSpec("b", "x", {}))
        forms = (user("x"), called(("a", "{}")), result("a"), called(("b", "{}")), result("b"))
        assert self.marked(body(*forms, system=LONG, tools=tools)) == ([1], [0], [2, 4])

    def test_none_where_less_stands_before_than_is_kept(self):
        assert self.marked(body(user("x"), system="short")) == ([], [], [])
        tools = (ToolSpec("a", "short", {}),)
        assert self.marked(body(user("x"), system=LONG, tools=tools)) == ([], [0], [0])
        assert self.marked(body(user("x"), system="Be short. " * 700)) == ([], [0], [0])
        assert self.marked(body(user("x"), system="Be short. " * 700, model="claude-opus-4-8")) == (
            [],
            [],
            [],
        )

    def test_thirty_results_are_found_again(self, served, endpoint):
        """A provider looks back twenty blocks from a mark: the request before ended further away than that."""
        from tests.model_server import says

        from archivist.models.anthropic_client import AnthropicResponder
        from archivist.models.responder import Interrupt

        pytest.importorskip("anthropic")
        server = served([says("ok")])
        asked = AnthropicResponder(endpoint(server, "anthropic"))
        forms = [user("x")]
        for turn in range(4):
            keys = [f"t{turn}_{number}" for number in range(30)]
            forms += [called(*((key, "{}") for key in keys)), *(result(key, "word " * 40) for key in keys)]
            asked.respond(Request("m", tuple(forms), LONG), lambda _: None, Interrupt())
        asked.close()
        assert server.cost == pytest.approx(server.perfect_cost)

    def test_a_longer_life_is_said_in_the_mark(self):
        made = body(user("x"), system=LONG, lasting="1h")
        assert made["system"][0]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}

    def test_thoughts_are_never_marked(self):
        assert json.dumps(body(user(LONG), {"role": "assistant", "content": "y"})).count("cache_control") == 2
