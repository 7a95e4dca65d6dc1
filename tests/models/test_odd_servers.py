"""Servers that answer otherwise than their form says: the reply is what can be read of it, or a failure in one line; never more."""

import gzip
import json
import threading
import time

import pytest
from tests.model_server.odd import OddServer, endless, http
from tests.promises.agents import responder_at

from archivist import ModelFailed
from archivist.models.responder import Interrupt
from archivist.records.requests import Request

REQUEST = Request("m", ({"role": "user", "content": "hi"},))


def data(*chunks):
    written = (chunk if isinstance(chunk, bytes) else json.dumps(chunk).encode() for chunk in chunks)
    return b"".join(b"data: %b\n\n" % one for one in written)


def chunk(delta, finish=None):
    return {"id": "c" * 30, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


WHOLE = data(chunk({"content": "so be it"}), chunk({}, "stop"), b"[DONE]")
DEEP = b"[" * 100_000 + b"]" * 100_000


def asked(*answers, timeout=5.0, interrupt=None):
    with OddServer(*answers) as server:
        model = responder_at(server.url, "openai")
        model._timeout = timeout
        return model.respond(REQUEST, lambda _: None, interrupt or Interrupt())


@pytest.mark.parametrize(
    "answer",
    [
        http(WHOLE.replace(b"\n", b"\r\n")),
        http(b": still here\n\n" * 100 + WHOLE),
        http(gzip.compress(WHOLE), more="content-encoding: gzip\r\n"),
        http(data(b"5", b"null", b'"x"') + WHOLE),
        http(data({"choices": 5}, {"choices": [None, "a"]}, {"choices": None, "usage": "none"}) + WHOLE),
        http(data(chunk({"tool_calls": 7, "reasoning_details": 4})) + WHOLE),
        [endless(), *(WHOLE[at : at + 1] for at in range(len(WHOLE)))],
    ],
)
def test_a_reply_is_read_whatever_stands_around_it(answer):
    assert asked(answer).text == "so be it"


@pytest.mark.parametrize(
    "answer",
    [
        http(b""),
        http(b"", status="204 No Content"),
        http(b"<html>Sign in</html>", kind="text/html"),
        http(b"<html>Sign in</html>"),
        http(gzip.compress(WHOLE)[:20], more="content-encoding: gzip\r\n"),
        http(WHOLE, more="content-encoding: gzip\r\n"),
        http(data(b'{"choices": [')),
        http(data(b'{"id": %b}' % DEEP)),
        http(data(b'{"choices":[{"delta":{"content":"\xe4\xb8"}}]}')),
        http(b'{"error": {"message": %b}}' % DEEP, kind="application/json", status="400 Bad Request"),
        http(b"[null]", kind="application/json", status="422 Unprocessable"),
        http(b'{"error": {"message": "half \\ud800"}}', kind="application/json", status="400 Bad Request"),
    ],
)
def test_what_is_no_reply_is_a_failure_in_one_line(answer):
    with pytest.raises(ModelFailed) as failed:
        asked(answer)
    assert "\n" not in str(failed.value)
    assert len(str(failed.value)) < 700


def again_and_again(piece):
    def answer(_body):
        yield endless()
        while True:
            yield piece
            time.sleep(0.0005)

    return answer


@pytest.mark.parametrize("delta", [{"content": "on and on "}, {"reasoning_content": "hm "}, {}])
def test_a_reply_that_does_not_end_is_hung_up_on(delta, monkeypatch):
    monkeypatch.setattr("archivist.models.asking.MOST_TOLD", 300)
    with pytest.raises(ModelFailed, match="broke off \\(it would not end\\)") as failed:
        asked(again_and_again(data(chunk(delta))))
    kept = failed.value.partial.text if failed.value.partial else ""
    assert len(kept) < 400


@pytest.mark.parametrize(
    "piece", [data(chunk({"content": "on "})), data(chunk({})), b": ping\n\n", b"x" * 99]
)
def test_whatever_comes_for_ever_is_stopped_by_the_user(piece):
    interrupt = Interrupt()
    late = threading.Timer(0.5, interrupt.set)
    late.start()
    since = time.monotonic()
    assert asked(again_and_again(piece), timeout=30.0, interrupt=interrupt).stop == "interrupted"
    assert time.monotonic() - since < 15


def test_where_no_thread_can_begin_no_model_is_asked(monkeypatch):
    def start(_thread):
        raise RuntimeError("can't start new thread")

    interrupt = Interrupt()
    with OddServer(http(WHOLE)) as server:
        model = responder_at(server.url, "openai")
        monkeypatch.setattr(threading.Thread, "start", start)
        with pytest.raises(ModelFailed, match="can begin no more threads"):
            model.respond(REQUEST, lambda _: None, interrupt)
        monkeypatch.undo()
        assert model.respond(REQUEST, lambda _: None, interrupt).text == "so be it"
