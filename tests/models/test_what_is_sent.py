"""What holds of every request, whatever the conversation: servers take it, and it begins as the one before did."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from tests.model_server import anthropic_form, openai_form
from tests.models.conversing import conversations
from tests.models.standing import standing_in

from archivist.models.anthropic_form import anthropic_body
from archivist.models.endpoints import Endpoint
from archivist.models.openai_form import openai_body

FAR = {
    "anthropic": Endpoint("anthropic", "anthropic", "claude-sonnet-5"),
    "anthropic blind": Endpoint("anthropic", "anthropic", "claude-sonnet-5", takes_pictures=False),
    "openai": Endpoint("openai", "openai", "gpt-5"),
    "openai marked": Endpoint("openai", "openai", "gpt-5.6-sol"),
    "openrouter": Endpoint(
        "openrouter", "openai", "anthropic/claude-sonnet-5", "https://openrouter.ai/api/v1"
    ),
    "deepseek": Endpoint("deepseek", "openai", "deepseek-chat", "https://api.deepseek.com"),
    "gemini": Endpoint("gemini", "openai", "gemini-3.8-flash"),
    "mistral": Endpoint("mistral", "openai", "mistral-large", "https://api.mistral.ai/v1"),
    "azure": Endpoint("azure", "openai", "gpt", "https://me.openai.azure.com/openai/v1"),
    "local": Endpoint("ollama", "openai", "qwen3", "http://127.0.0.1:11434/v1", takes_pictures=False),
    "other": Endpoint("x", "openai", "m", "https://models.example.com/v1"),
}
COMMON = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)


def body_of(request, endpoint):
    make = anthropic_body if endpoint.wire == "anthropic" else openai_body
    return make(request, endpoint)


@pytest.mark.parametrize("where", sorted(FAR))
@COMMON
@given(conversations())
def test_each_request_begins_with_the_one_before(where, requests):
    endpoint = FAR[where]
    before = ()
    for request in requests:
        now = standing_in(request, endpoint)
        assert now[: len(before)] == before
        before = now


@pytest.mark.parametrize("where", sorted(FAR))
@COMMON
@given(conversations())
def test_each_request_is_taken_and_the_same_again(where, requests):
    endpoint = FAR[where]
    form = anthropic_form if endpoint.wire == "anthropic" else openai_form
    for request in requests:
        body = body_of(request, endpoint)
        raw = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        form.check(json.loads(raw))
        assert json.dumps(body_of(request, endpoint), ensure_ascii=False).encode() == raw


@COMMON
@given(conversations())
def test_marks_change_nothing_but_themselves(requests):
    """The server's own account, which leaves marks out, sees the list that ours sees."""
    for request in requests:
        body = anthropic_body(request, FAR["anthropic"])
        assert len(anthropic_form.blocks(body)) == len(standing_in(request, FAR["anthropic"]))
        marked = anthropic_form.marks(body)
        assert len(marked) <= anthropic_form.MOST_MARKS
        unmarked = [json.loads(one) for one in standing_in(request, FAR["anthropic"])]
        assert [anthropic_form.canonical(one) for one in unmarked] == anthropic_form.blocks(body)


@COMMON
@given(conversations())
def test_rendering_leaves_the_request_as_it_was(requests):
    for request in requests:
        before = json.dumps([request.messages, [tool.schema for tool in request.tools]])
        for endpoint in FAR.values():
            body_of(request, endpoint)
        assert json.dumps([request.messages, [tool.schema for tool in request.tools]]) == before
