"""The server: requests come in by HTTP, are checked and accounted for, and are answered by a script."""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import Any, Self

from tests.model_server import anthropic_form, openai_form
from tests.model_server.counting import Spent, tokens_of
from tests.model_server.prefix_cache import PrefixCache
from tests.model_server.refusals import Refused
from tests.model_server.replies import Answer, Failure, Hangup, Reply

FORMS: dict[str, ModuleType] = {"/chat/completions": openai_form, "/messages": anthropic_form}


@dataclass(frozen=True)
class Request:
    """A request that a model was asked.

    Attributes:
        path: Without what stands behind a question mark.
        key: The credential that it was made with.
        at: When it came, by the server's clock.
        raw: Its bytes.
        problem: Why it was refused; empty where it was answered.
        spent: What it cost; nothing where it was refused or failed.
    """

    path: str
    key: str
    headers: dict[str, str]
    at: float
    raw: bytes
    body: dict[str, Any]
    problem: str = ""
    spent: Spent = field(default_factory=Spent)

    @property
    def words(self) -> str:
        """Everything that its messages say, as one text."""
        return json.dumps(self.body.get("messages"), ensure_ascii=False)


Script = Callable[[dict[str, Any]], Answer] | Sequence[Answer]
"""What is answered: by the body of the request, or one after the other, the last one again and again."""


class ModelServer:
    """The server, for as long as it is open; `requests` are those that asked a model for something, in order."""

    def __init__(
        self,
        script: Script,
        *,
        clock: Callable[[], float] = time.monotonic,
        keys: Sequence[str] = (),
        least: int = 1_024,
    ) -> None:
        """Nothing is listened to yet.

        Args:
            script: What is answered.
            clock: Seconds, by which the cache forgets.
            keys: The credentials that are taken; any where there are none.
            least: From how many tokens on a marked beginning is kept.
        """
        self.requests: list[Request] = []
        self._script, self._clock, self._keys, self._least = script, clock, frozenset(keys), least
        self._cache, self._turn, self._answered = PrefixCache(clock), threading.Lock(), 0
        self._server = _Quiet(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        """Where Anthropic's client is sent; OpenAI's to `/v1` of it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def cost(self) -> float:
        """What the input of all requests cost, in tokens of fresh input."""
        return sum(request.spent.cost for request in self.requests)

    @property
    def perfect_cost(self) -> float:
        """What it would have cost if each request had begun with the one before."""
        return sum(request.spent.perfect for request in self.requests)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, request: Request, form: ModuleType) -> tuple[Answer | Refused, Spent, int]:
        """What is answered to a request, what that costs, and its number."""
        with self._turn:
            answer = self._answer(request, form)
            problem = str(answer) if isinstance(answer, Refused) else ""
            spent = self._spent(request, form, answer) if isinstance(answer, Reply) else Spent()
            self.requests.append(replace(request, problem=problem, spent=spent))
            return answer, spent, len(self.requests)

    def _answer(self, request: Request, form: ModuleType) -> Answer | Refused:
        if self._keys and request.key not in self._keys:
            return Failure(401, "this key is not known here", code="invalid_api_key")
        try:
            form.check(request.body)
        except Refused as error:
            return error
        if callable(self._script):
            return self._script(request.body)
        number, self._answered = min(self._answered, len(self._script) - 1), self._answered + 1
        return self._script[number]

    def _spent(self, request: Request, form: ModuleType, reply: Reply) -> Spent:
        body = request.body
        key = "\0".join((form.__name__, request.key, body["model"], str(body.get("prompt_cache_key", ""))))
        blocks = form.blocks(body)
        spent = (
            self._cache.explicit(key, blocks, form.marks(body), self._least)
            if form is anthropic_form
            else self._cache.automatic(key, blocks)
        )
        return replace(
            spent, output=openai_form.output_tokens(reply) if reply.output is None else reply.output
        )

    def now(self) -> float:
        """By its clock."""
        return self._clock()


class _Quiet(ThreadingHTTPServer):
    """A server that says nothing of a client that has hung up."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    model: ModelServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        if self._path.endswith("/models"):
            return self._whole(
                200, {"object": "list", "data": [{"id": "test-model", "object": "model", "type": "model"}]}
            )
        return self._whole(404, openai_form.failure(404, "not here", "not_found", None))

    def do_HEAD(self) -> None:
        self._whole(200, {})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self._path.endswith("/count_tokens"):
            return self._whole(200, {"input_tokens": tokens_of(raw.decode("utf-8", "replace"))})
        form = next((form for end, form in FORMS.items() if self._path.endswith(end)), None)
        if form is None:
            return self.do_GET()
        try:
            body = json.loads(raw)
        except ValueError:
            return self._whole(400, form.failure(400, "the body is no JSON", "", None))
        answer, spent, number = self.model.take(self._request(raw, body), form)
        return self._answer(form, body, answer, spent, number)

    @property
    def _path(self) -> str:
        return self.path.partition("?")[0].rstrip("/")

    def _request(self, raw: bytes, body: dict[str, Any]) -> Request:
        headers = {name.lower(): value for name, value in self.headers.items()}
        key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        return Request(self._path, key, headers, self.model.now(), raw, body)

    def _answer(
        self, form: ModuleType, body: dict[str, Any], answer: Answer | Refused, spent: Spent, number: int
    ) -> None:
        if isinstance(answer, Refused):
            self._whole(400, form.refused(answer))
        elif isinstance(answer, Hangup):
            time.sleep(answer.after)
            self.close_connection = True
        elif isinstance(answer, Failure):
            value = form.failure(answer.status, answer.message, answer.kind, answer.code)
            self._send(
                answer.status, answer.headers, answer.body if answer.body is not None else _json(value)
            )
        elif body.get("stream"):
            self._stream(answer, form.events(body, answer, spent, number))
        else:
            self._whole(200, form.whole(body, answer, spent, number))

    def _whole(self, status: int, value: object) -> None:
        self._send(status, (), _json(value))

    def _send(self, status: int, headers: Sequence[tuple[str, str]], data: bytes) -> None:
        self.send_response(status)
        given = {name.lower() for name, _ in headers}
        for name, value in headers:
            self.send_header(name, value)
        if "content-type" not in given:
            self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, reply: Reply, events: Iterator[bytes]) -> None:
        """Chunk by chunk; where the reply is cut no last chunk comes, so that whoever reads knows that it is not whole."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        try:
            for number, event in enumerate(events):
                if number == reply.cut_after:
                    self.close_connection = True
                    return
                time.sleep(reply.pause)
                self._chunk(event)
            self._chunk(b"")
        except (BrokenPipeError, ConnectionResetError):  # whoever asked has heard enough
            self.close_connection = True

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
