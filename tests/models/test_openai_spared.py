"""Servers that refuse a field which a request can do without."""

import pytest
from tests.model_server import fails, says

from archivist.models.openai_client import OpenAIResponder
from archivist.models.responder import Interrupt, ModelFailed
from archivist.records.requests import Request

pytest.importorskip("openai")
ASKED = Request("m", ({"role": "user", "content": "x"},), max_tokens=9)


def ask(responder):
    return responder.respond(ASKED, lambda _: None, Interrupt())


@pytest.fixture
def strict(served, endpoint):
    """Makes models at a server that refuses fields, each in its words, and gives the fields of each request."""
    opened = []

    def at(refusals):
        def answer(body):
            return next(
                (fails(400, said) for field, said in refusals.items() if field in body), says("hello")
            )

        server = served(answer)
        opened.append(OpenAIResponder(endpoint(server)))
        return opened[-1], lambda: [
            set(request.body) - {"model", "messages", "stream"} for request in server.requests
        ]

    yield at
    for one in opened:
        one.close()


def test_a_field_that_is_not_known_is_left_out_from_then_on(strict):
    responder, fields = strict({"stream_options": "Unrecognized request argument supplied: stream_options"})
    assert (ask(responder).text, ask(responder).text) == ("hello", "hello")
    assert fields() == [{"max_tokens", "stream_options"}, {"max_tokens"}, {"max_tokens"}]


def test_a_limit_is_told_by_its_other_name(strict):
    said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    responder, fields = strict(
        {"max_tokens": said, "stream_options": "stream_options: extra fields not permitted"}
    )
    assert ask(responder).text == "hello"
    assert fields()[-1] == {"max_completion_tokens"}


@pytest.mark.parametrize(
    "said", ["max_tokens is too large: 9", "stream_options is wrong", "the model is unknown"]
)
def test_what_is_refused_for_another_reason_is_asked_once(strict, said):
    responder, fields = strict({"model": said})
    with pytest.raises(ModelFailed):
        ask(responder)
    assert len(fields()) == 1


def test_what_is_refused_whatever_is_left_out_ends(strict):
    responder, fields = strict(
        {"model": "unknown: max_completion_tokens, max_tokens, stream_options, prompt_cache_key"}
    )
    with pytest.raises(ModelFailed):
        ask(responder)
    assert len(fields()) == 3
