"""What servers that speak chat completions are sent: each what it takes."""

import base64
import json
import re

import pytest
from tests.models.conversing import PNG

from archivist.models.dialects import dialect_of
from archivist.models.endpoints import Endpoint
from archivist.models.openai_form import openai_body
from archivist.records.requests import Request, ToolSpec

PICTURE = {
    "type": "image_url",
    "image_url": {"url": "data:image/png;base64," + base64.b64encode(PNG).decode()},
}
OPENAI = Endpoint("openai", "openai", "gpt-5")
MARKED = Endpoint("openai", "openai", "gpt-5.6-sol")
LOCAL = Endpoint("ollama", "openai", "qwen3", "http://localhost:11434/v1")
DEEPSEEK = Endpoint("deepseek", "openai", "deepseek-chat", "https://api.deepseek.com")
ROUTED = Endpoint("openrouter", "openai", "anthropic/claude-opus-4-8", "https://openrouter.ai/api/v1")
OTHER = Endpoint("other", "openai", "m", "https://models.example.com/v1")
LONG = "All of this stays. " * 3_000


def body(endpoint, *forms, **more):
    return openai_body(Request(endpoint.model, forms, conversation="c1", **more), endpoint)


def messages(endpoint, *forms):
    return body(endpoint, *forms)["messages"]


def user(content):
    return {"role": "user", "content": content}


def called(key="a", arguments="{}", **more):
    call = {"id": key, "type": "function", "function": {"name": "read", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call], **more}


def result(key="a", content="ok"):
    return {"role": "tool", "tool_call_id": key, "content": content, "name": "read"}


def text(words):
    return {"type": "text", "text": words}


def test_only_openai_is_told_which_conversation_it_is():
    assert body(OPENAI, user("x"))["prompt_cache_key"] == "c1"
    for endpoint in (LOCAL, DEEPSEEK, ROUTED, OTHER):
        assert set(body(endpoint, user("x"))) == {"model", "messages", "stream_options"}


def test_who_counts_unasked_is_not_asked_to():
    assert set(body(Endpoint("mistral", "openai", "m", "https://api.mistral.ai/v1"), user("x"))) == {
        "model",
        "messages",
    }


def test_a_proxy_in_openais_name_is_not_openai():
    assert "prompt_cache_key" not in body(
        Endpoint("openai", "openai", "gpt-5", "https://proxy.example/v1"), user("x")
    )


def test_a_limit_has_the_name_that_the_server_knows():
    asked = Request("m", (user("x"),), max_tokens=9)
    assert openai_body(asked, OPENAI)["max_completion_tokens"] == 9
    assert openai_body(asked, LOCAL)["max_tokens"] == 9
    assert (
        openai_body(Request("m", (user("x"),)), Endpoint("p", "openai", "m", max_tokens=5))["max_tokens"] == 5
    )


@pytest.mark.parametrize(
    ("model", "url", "field"),
    [
        ("gpt-5.6", "https://proxy.example/v1", "max_completion_tokens"),
        ("openai/o3-mini", "http://localhost:4000/v1", "max_completion_tokens"),
        ("my-deployment", "https://me.openai.azure.com/openai/v1", "max_completion_tokens"),
        ("gpt-4o", "https://proxy.example/v1", "max_tokens"),
        ("openai/gpt-oss-120b", "http://localhost:8000/v1", "max_tokens"),
        ("openai/gpt-5.6", "https://openrouter.ai/api/v1", "max_tokens"),
    ],
)
def test_a_limit_has_the_name_that_the_model_knows_wherever_it_is_asked(model, url, field):
    made = openai_body(Request(model, (user("x"),), max_tokens=9), Endpoint("p", "openai", model, url))
    assert made[field] == 9
    assert len({"max_tokens", "max_completion_tokens"} & set(made)) == 1


@pytest.mark.parametrize(
    ("model", "url"), [("m", "https://api.mistral.ai/v1"), ("Devstral-Small", "http://localhost:8000/v1")]
)
def test_calls_have_the_ids_that_mistrals_models_take(model, url):
    endpoint = Endpoint("p", "openai", model, url)
    made = messages(
        endpoint, user("x"), called("call_a"), result("call_a"), called("abcDEF123"), result("abcDEF123")
    )
    ids = [made[1]["tool_calls"][0]["id"], made[3]["tool_calls"][0]["id"]]
    assert ids == [made[2]["tool_call_id"], made[4]["tool_call_id"]]
    assert ids[1] == "abcDEF123"
    assert re.fullmatch("[a-zA-Z0-9]{9}", ids[0])


def test_a_picture_that_no_model_reads_is_told_and_one_of_another_name_is_sent():
    def picture(media):
        return {"type": "image_url", "image_url": {"url": f"data:{media};base64,AAAA", "detail": "low"}}

    assert messages(OPENAI, user([picture("image/tiff")]))[0]["content"].startswith("[picture: image/tiff")
    assert messages(OPENAI, user([picture("image/jpg")]))[0]["content"] == [picture("image/jpeg")]


@pytest.mark.parametrize("levels", [90, 900, 90_000])
def test_arguments_that_are_nested_too_deep_are_sent_as_their_text(levels):
    deep = '{"a": ' * levels + "1" + "}" * levels
    sent = messages(OPENAI, user("x"), called("a", deep), result())[1]["tool_calls"][0]["function"][
        "arguments"
    ]
    assert sent == deep if levels < 100 else json.loads(sent) == {"arguments": deep}


def test_mistrals_models_answer_results_before_the_user_goes_on():
    endpoint = Endpoint("p", "openai", "mistralai/Ministral-3-8B", "https://models.example.com/v1")
    forms = [
        user("x"),
        called(),
        result(content=[text("seen"), PICTURE]),
        called("b"),
        result("b"),
        user("stop"),
    ]
    roles = [message["role"] for message in messages(endpoint, *forms)]
    assert roles == [
        "user",
        *["assistant", "tool", "assistant", "user"],
        *["assistant", "tool", "assistant", "user"],
    ]
    assert [one["role"] for one in messages(OTHER, *forms)].count("assistant") == 2


def test_the_description_of_a_tool_is_as_long_as_openai_takes():
    tools = (ToolSpec("a", "x" * 3_000, {}), ToolSpec("b", "y" * 1_024, {}))
    cut, whole = (tool["function"]["description"] for tool in body(OPENAI, user("x"), tools=tools)["tools"])
    assert cut == "x" * 1_016 + " … [cut]"
    assert whole == "y" * 1_024
    assert len(body(LOCAL, user("x"), tools=tools)["tools"][0]["function"]["description"]) == 3_000


def test_a_tool_without_arguments_says_so():
    made = body(OPENAI, user("x"), tools=(ToolSpec("now", "", {}),))["tools"][0]["function"]
    assert made["parameters"] == {"type": "object", "properties": {}}


def test_texts_alone_are_one_text_and_a_picture_makes_parts():
    assert messages(LOCAL, user([text("a"), text("b")])) == [user("a\n\nb")]
    assert messages(LOCAL, user([text("a"), PICTURE])) == [user([text("a"), PICTURE])]


def test_blanks_alone_are_no_text():
    assert messages(ROUTED, user("x"), {"role": "assistant", "content": " \n"}, user(" "))[1:] == [
        user([text("(empty)")])
    ]
    assert messages(LOCAL, user([text(" "), PICTURE])) == [user([PICTURE])]
    assert messages(LOCAL, user("x"), called() | {"content": " "}, result())[1]["content"] is None


def test_a_picture_in_a_result_follows_behind_the_last_result():
    made = messages(OPENAI, user("x"), called(), result(content=[text("seen"), PICTURE]))
    assert made[-2] == {"role": "tool", "tool_call_id": "a", "content": "seen\n\n[picture: see below]"}
    assert made[-1] == user([text("(pictures of the results above)"), PICTURE])


def test_a_model_without_eyes_is_told_of_the_picture():
    blind = Endpoint("p", "openai", "m", "http://localhost/v1", takes_pictures=False)
    line = messages(blind, user([text("a"), PICTURE]))[0]["content"]
    assert line == "a\n\n[picture: image/png, 0 kB; not sent: this model takes no pictures]"


def test_a_picture_whose_bytes_are_gone_is_told():
    gone = {"type": "image_url", "image_url": {"url": "blob:" + "a" * 64 + "#image/png"}}
    assert "its bytes are gone" in messages(OPENAI, user([gone]))[0]["content"]


def test_files_go_where_they_are_read():
    pdf = {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0="}}
    assert messages(OPENAI, user([pdf]))[0]["content"] == [pdf]
    assert messages(LOCAL, user([pdf]))[0]["content"].startswith("[file: a.pdf, application/pdf")


def test_arguments_stay_as_the_model_wrote_them_or_become_an_object():
    written = '{"b": 1,  "a": "\\u00e9"}'
    made = messages(OPENAI, user("x"), called("a", written), result("a"), called("b", "{torn"), result("b"))
    assert made[1]["tool_calls"][0]["function"]["arguments"] == written
    assert made[3]["tool_calls"][0]["function"]["arguments"] == '{"arguments": "{torn"}'


class TestThoughts:
    def turns(self, endpoint, **thought):
        forms = (
            user("x"),
            called("a", **thought),
            result("a"),
            {"role": "assistant", "content": "y"},
            user("z"),
        )
        forms += (called("b", **thought), result("b"))
        said = [one for one in messages(endpoint, *forms) if one["role"] == "assistant"]
        return [[name for name in one if "reason" in name] for one in said]

    def test_always_for_who_wants_them_back(self):
        thought = ["reasoning_content"]
        assert self.turns(DEEPSEEK, reasoning_content="hm") == [thought, [], thought]
        assert self.turns(LOCAL, reasoning="hm") == [["reasoning"], [], ["reasoning"]]
        details = [{"type": "reasoning.text", "text": "hm", "signature": "s"}]
        assert self.turns(ROUTED, reasoning_details=details) == [
            ["reasoning_details"],
            [],
            ["reasoning_details"],
        ]

    def test_empty_where_they_are_missed_with_calls(self):
        made = messages(DEEPSEEK, user("x"), called(), result(), {"role": "assistant", "content": "y"})
        assert made[1]["reasoning_content"] == ""
        assert "reasoning_content" not in made[3]

    @pytest.mark.parametrize("endpoint", [OPENAI, OTHER])
    def test_never_for_others(self, endpoint):
        assert self.turns(endpoint, reasoning_content="hm", reasoning_details=[{}]) == [[], [], []]

    def test_calls_that_were_signed_come_back_so(self):
        gemini = Endpoint("gemini", "openai", "gemini-3.8-flash")
        signed = {"google": {"thought_signature": "s"}}
        details = [{"type": "call.extra_content", "id": "a", "data": signed}]
        made = messages(
            gemini, user("x"), called("a", reasoning_details=details), result("a"), called("b"), result("b")
        )
        assert made[1]["tool_calls"][0]["extra_content"] == signed
        stands_for = {"google": {"thought_signature": "skip_thought_signature_validator"}}
        assert made[3]["tool_calls"][0]["extra_content"] == stands_for
        assert "extra_content" not in str(
            messages(ROUTED, user("x"), called("a", reasoning_details=details), result("a"))
        )
        older = Endpoint("gemini", "openai", "gemini-2.5-pro")
        assert "extra_content" not in str(messages(older, user("x"), called("b"), result("b")))

    def test_signed_blocks_of_another_provider_are_left_out(self):
        assert "thinking_blocks" not in messages(OPENAI, user("x"), called(thinking_blocks=[{}]), result())[1]


class TestMarks:
    def test_openai_keeps_the_prompt_for_the_next_conversation_from_5_6_on(self):
        made = body(MARKED, user("x"), system="Be short.")["messages"]
        assert made[0]["content"] == [{**text("Be short."), "prompt_cache_breakpoint": {"mode": "explicit"}}]
        assert body(OPENAI, user("x"), system="Be short.")["messages"][0]["content"] == "Be short."

    @pytest.mark.parametrize(
        ("model", "is_marked"),
        [("gpt-4o", False), ("gpt-5.5-pro", False), ("gpt-5.6", True), ("gpt-6", True), ("o3", False)],
    )
    def test_by_its_version(self, model, is_marked):
        assert bool(dialect_of(Endpoint("openai", "openai", model)).keeps) is is_marked

    def test_a_router_needs_the_marks_of_anthropics_models(self):
        forms = (user("x"), called(), result(), called("b"), result("b"))
        made = body(ROUTED, *forms, system=LONG)["messages"]
        marked = [
            at for at, one in enumerate(made) for part in one["content"] or () if "cache_control" in part
        ]
        assert marked == [0, 3, 5]
        other = body(Endpoint("openrouter", "openai", "qwen/qwen3", ROUTED.base_url), *forms, system=LONG)
        assert "cache_control" not in str(other)

    def test_and_has_none_where_less_stands_before_than_is_kept(self):
        assert "cache_control" not in str(body(ROUTED, user("x"), system="Be short."))


def test_tools_are_functions_and_a_list_without_any_is_left_out():
    made = body(OPENAI, user("x"), tools=(ToolSpec("read", "Reads.", {"properties": {}}),))
    function = {"name": "read", "description": "Reads.", "parameters": {"type": "object", "properties": {}}}
    assert made["tools"] == [{"type": "function", "function": function}]
    assert "tools" not in body(OPENAI, user("x"))


def test_what_a_provider_made_of_the_beginning_is_told_as_text():
    block = {"type": "compaction", "content": "so far: much", "signature": "s"}
    first = {"role": "assistant", "content": None, "provider_specific_fields": {"compaction_blocks": [block]}}
    assert messages(OPENAI, first, user("x"))[0] == {"role": "assistant", "content": "so far: much"}


def test_half_a_character_can_be_sent():
    assert messages(OPENAI, user("a\ud800b"))[0]["content"] == "a?b"
