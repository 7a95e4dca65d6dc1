"""What failures of providers are taken for."""

import json
import socket
import ssl

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.models.failures import CASES, claude, routed, said

from archivist.models.classes import Signs, kind_of, signs_of
from archivist.models.endpoints import Endpoint
from archivist.models.failing import explained
from archivist.models.kinds import KINDS

openai = pytest.importorskip("openai")
anthropic = pytest.importorskip("anthropic")
httpx2 = pytest.importorskip("httpx2")
CLIENTS = {"openai": openai.OpenAI(api_key="k"), "anthropic": anthropic.Anthropic(api_key="k")}
OTHERS = {"unreachable", "untrusted", "broken", "unread", "nothing", "resting", "unknown"}
OTHERS = {"unreachable", "untrusted", "broken", "unread", "nothing", "resting", "unknown"}
POST = httpx2.Request("POST", "http://here/v1/x")


def raised(status, body, wire="openai", headers=()):
    """The error as a client raises it of an answer."""
    content = body if isinstance(body, str) else json.dumps(body)
    response = httpx2.Response(status, content=content.encode(), headers=dict(headers), request=POST)
    return CLIENTS[wire]._make_status_error_from_response(response)


def classed(status, body, provider="somebody", wire="openai"):
    return kind_of(signs_of(raised(status, body, wire), provider))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_providers_answer_is_classed(case):
    assert classed(case.status, case.body, case.provider, case.wire) == case.kind


TOLD = {
    "limited": "asks to wait",
    "upstream": "asks to wait",
    "empty": "no credit",
    "refused": "refuses the key",
    "barred": "does not let this account",
    "busy": "cannot answer now",
    "fault": "cannot answer now",
    "slow": "did not answer in time",
    "too-long": "is too long for",
    "too-large": "too many bytes",
    "too-much": "no reply of so many tokens",
    "no-pictures": "takes no pictures",
    "no-tools": "takes no tools",
    "no-model": "has no model",
    "no-place": "is its base_url right",
    "declined": "declines to answer",
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_a_person_reads_is_of_the_same_class_and_names_what_to_do(case):
    endpoint = Endpoint(case.provider, case.wire, "m", "http://here/v1", "sk-very-secret-1")
    failed = explained(raised(case.status, case.body, case.wire, case.headers), endpoint)
    assert TOLD.get(case.kind, "refuses the request") in str(failed)
    assert "; " in str(failed)
    assert "\n" not in str(failed)
    assert failed.kind == case.kind


def test_there_are_bodies_enough_and_every_class_of_answers_is_among_them():
    assert len(CASES) >= 60
    assert {case.kind for case in CASES} >= KINDS - OTHERS


class TestInTheMiddleOfAStream:
    def test_what_anthropic_tells_there_is_read_by_its_name(self):
        for kind, name in [
            ("busy", "overloaded_error"),
            ("fault", "api_error"),
            ("limited", "rate_limit_error"),
        ]:
            assert classed(200, claude(name, "…"), "anthropic", "anthropic") == kind

    def test_what_openrouter_tells_there_has_its_status_in_the_code(self):
        error = openai.APIError("x", POST, body=routed(429, "Rate limit exceeded")["error"])
        assert kind_of(signs_of(error, "openrouter")) == "limited"
        error = openai.APIError("x", POST, body={"code": "server_error", "message": "Provider disconnected"})
        assert kind_of(signs_of(error, "openrouter")) == "fault"


class TestWithoutAnAnswer:
    @pytest.mark.parametrize(
        ("cause", "kind"),
        [
            (httpx2.ConnectError("refused"), "unreachable"),
            (httpx2.ConnectTimeout("slow"), "unreachable"),
            (socket.gaierror("no such host"), "unreachable"),
            (httpx2.ReadTimeout("slow"), "slow"),
            (httpx2.RemoteProtocolError("incomplete chunked read"), "broken"),
            (httpx2.ReadError("reset"), "broken"),
            (ConnectionResetError("reset"), "broken"),
            (ssl.SSLCertVerificationError("self-signed"), "untrusted"),
        ],
    )
    def test_the_transport_says_it(self, cause, kind):
        error = openai.APIConnectionError(message="Connection error.", request=POST)
        error.__cause__ = cause
        assert kind_of(signs_of(error, "openai")) == kind

    def test_time_that_ran_out_is_told_by_whoever_waited(self):
        assert kind_of(signs_of(openai.APITimeoutError(request=POST), "x")) == "slow"
        assert kind_of(signs_of(TimeoutError("nothing comes any more"), "x")) == "slow"

    def test_what_cannot_be_read_is_no_answer_of_a_model(self):
        assert kind_of(signs_of(json.JSONDecodeError("x", "<html>", 0), "x")) == "unread"

    def test_what_nothing_is_known_of_is_unknown(self):
        assert kind_of(signs_of(RuntimeError("???"), "x")) == "unknown"


class TestWhatIsNotTakenForIt:
    def test_a_number_in_a_text_is_no_status(self):
        assert classed(429, said("Limit 400, Used 413, context 500")) == "limited"

    @pytest.mark.parametrize("message", ["", "Bad Request", "Error", "invalid_request_error", "400"])
    def test_a_request_that_is_refused_without_a_reason_is_not_too_long(self, message):
        assert classed(400, said(message)) == "malformed"

    def test_an_address_in_a_text_says_nothing(self):
        assert classed(429, said("Rate limit reached, see https://x.ai/billing/credits/plan")) == "limited"

    def test_words_of_one_provider_are_not_read_of_another(self):
        assert classed(429, said("code 1113")) == "limited"

    def test_words_that_a_status_cannot_mean_are_not_heard(self):
        assert classed(401, said("the context length is too long, rate limit")) == "refused"


@given(
    st.sampled_from([None, 200, 400, 401, 402, 403, 404, 413, 418, 429, 500, 503, 529]),
    st.recursive(
        st.none() | st.booleans() | st.integers(0, 999) | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["error", "code", "type", "message", "metadata", "raw", "detail"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=8,
    ),
)
def test_whatever_comes_is_of_some_class(status, body):
    error = RuntimeError("x")
    error.status_code, error.body = status, body
    assert kind_of(signs_of(error, "openrouter")) in KINDS


def test_a_very_long_text_is_classed_in_a_moment():
    signs = Signs("anthropic", 400, (), ("model " * 2_000)[:8_000])
    assert kind_of(signs) == "malformed"
