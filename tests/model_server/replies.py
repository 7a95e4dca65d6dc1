"""What a script lets the server answer."""

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """A call of a tool; `raw` in place of the arguments for what is no JSON."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    id: str = ""
    raw: str | None = None

    @property
    def json(self) -> str:
        return json.dumps(self.arguments, ensure_ascii=False) if self.raw is None else self.raw


@dataclass(frozen=True)
class Reply:
    """What the model says.

    Attributes:
        stop: Why it stopped, in the words of OpenAI's form ("length", "content_filter"); what follows from the rest where empty.
        cut_after: The connection breaks off after so many events of the stream.
        pause: Seconds before each event.
        output: Its tokens; counted where None.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    stop: str = ""
    cut_after: int | None = None
    pause: float = 0.0
    output: int | None = None

    @property
    def finish(self) -> str:
        return self.stop or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True)
class Failure:
    """An answer that is no message; a body that is no text is told in the form of whoever was asked."""

    status: int
    message: str = "scripted"
    kind: str = ""
    code: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None


@dataclass(frozen=True)
class Hangup:
    """The connection is closed without an answer, after some seconds."""

    after: float = 0.0


Answer = Reply | Failure | Hangup


def says(text: str, **more: Any) -> Reply:
    return Reply(text, **more)


def calls(name: str, arguments: dict[str, Any] | None = None, *, id: str = "", **more: Any) -> Reply:  # noqa: A002 - the field's name
    return Reply(calls=(Call(name, arguments or {}, id),), **more)


def fails(status: int, message: str = "scripted", **more: Any) -> Failure:
    return Failure(status, message, **more)
