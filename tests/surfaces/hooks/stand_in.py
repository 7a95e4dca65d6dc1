"""A stand-in of the model's API on a socket of this machine: it answers by a script, and remembers what it was asked."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Request = dict[str, Any]
Reply = dict[str, Any]
"""`content`: blocks; or `status`: a failure; with `cut`, the stream breaks off within the first block."""


def says(words: str) -> Reply:
    return {"content": [{"type": "text", "text": words}]}


def calls(name: str, arguments: dict[str, Any], key: str = "toolu_1") -> Reply:
    return {"content": [{"type": "tool_use", "id": key, "name": name, "input": arguments}]}


def fails(status: int) -> Reply:
    return {"status": status}


class StandIn:
    """The API, for as long as it is open; `requests` are those that asked a model for something."""

    def __init__(self, script: Callable[[Request], Reply]) -> None:
        self.requests: list[Request] = []
        self._script, self._turn = script, threading.Lock()
        handler = type("Handler", (_Handler,), {"api": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply(self, request: Request) -> Reply:
        with self._turn:
            self.requests.append(request)
            return self._script(request)


class _Handler(BaseHTTPRequestHandler):
    api: StandIn

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._whole(404, {"type": "error", "error": {"type": "not_found_error", "message": "not here"}})

    def do_HEAD(self) -> None:
        self._whole(200, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            return self._whole(200, {"input_tokens": len(body) // 4})
        if not path.endswith("/messages"):
            return self.do_GET()
        request = json.loads(body)
        reply = self.api.reply(request)
        if "status" in reply:
            kind = "rate_limit_error" if reply["status"] == 429 else "overloaded_error"
            error = {"type": "error", "error": {"type": kind, "message": "scripted"}}
            return self._whole(reply["status"], error)
        message = {
            "id": f"msg_{len(self.api.requests)}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model"),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": len(body) // 4, "output_tokens": 10},
        }
        if not request.get("stream"):
            return self._whole(200, message | {"content": reply["content"], "stop_reason": _stop(reply)})
        return self._stream(message, reply)

    def _whole(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, message: dict[str, Any], reply: Reply) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self._event("message_start", message=message)
        for index, block in enumerate(reply["content"]):
            empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
            self._event("content_block_start", index=index, content_block=empty)
            delta = (
                {"type": "text_delta", "text": block["text"]}
                if block["type"] == "text"
                else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            )
            self._event("content_block_delta", index=index, delta=delta)
            if reply.get("cut"):
                return
            self._event("content_block_stop", index=index)
        self._event("message_delta", delta={"stop_reason": _stop(reply)}, usage={"output_tokens": 10})
        self._event("message_stop")

    def _event(self, kind: str, **fields: object) -> None:
        self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind} | fields)}\n\n".encode())
        self.wfile.flush()


def _stop(reply: Reply) -> str:
    return "tool_use" if any(block["type"] == "tool_use" for block in reply["content"]) else "end_turn"
