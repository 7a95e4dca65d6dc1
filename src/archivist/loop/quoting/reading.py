"""What a request asks of rules that quote: the newest words of the user, the calls that were made for them, and what these gave."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from archivist.prompt.fence import without_background
from archivist.records.requests import Request

Form = Mapping[str, Any]
Language = Literal["en", "zh"]
_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA: Final = re.compile("[\u3041-\u30ff]")
_LATIN: Final = re.compile("[A-Za-z]")


class Returned(msgspec.Struct, frozen=True):
    """A call that was made, and its result as text."""

    name: str
    arguments: Mapping[str, Any]
    text: str


class Heard(msgspec.Struct, frozen=True):
    """What is to be answered.

    Attributes:
        said: The user's newest words; empty where there are only pictures or files.
        returned: The calls behind them, in order; each has its result.
        before: What was answered earlier.
        earlier: What the user said earlier, the newest first.
        tools: Names of the tools that are offered.
        number: How many messages there are.
        used: Ids of the calls among them.
    """

    said: str
    returned: tuple[Returned, ...]
    before: tuple[str, ...]
    tools: frozenset[str]
    number: int
    used: frozenset[str]
    earlier: tuple[str, ...] = ()

    @property
    def language(self) -> Language:
        """In which language it is answered."""
        return language_of(self.said)


def language_of(text: str) -> Language:
    """Chinese where a text is more Chinese than Latin, English for all others."""
    if _KANA.search(text):
        return "en"
    return "zh" if 3 * len(_HAN.findall(text)) > len(_LATIN.findall(text)) else "en"


def heard_in(request: Request) -> Heard:
    """What a request asks."""
    messages = request.messages
    at = next((n for n in range(len(messages) - 1, -1, -1) if _is_users(messages[n])), -1)
    said = _said(messages[at]) if at >= 0 else ""
    return Heard(
        said,
        tuple(_returned(messages[at + 1 :])),
        tuple(text_of(message) for message in messages if message.get("role") == "assistant"),
        frozenset(tool.name for tool in request.tools),
        len(messages),
        frozenset(str(call.get("id")) for message in messages for call in _calls(message)),
        tuple(
            _said(message) for message in reversed(messages[: max(at, 0)]) if message.get("role") == "user"
        ),
    )


def _is_users(message: Form) -> bool:
    """Whether a user speaks or shows something: a message may only tell a model what nobody said."""
    if message.get("role") != "user":
        return False
    content = message.get("content")
    shows = not isinstance(content, str) and any(part.get("type") != "text" for part in content or ())
    return shows or not text_of(message).strip() or bool(_said(message))


def _said(message: Form) -> str:
    """What a user said, without what stands beside it; half a character, as a terminal may give it, becomes a question mark."""
    whole = text_of(message).encode("utf-8", "replace").decode()
    return without_background(whole).strip()


def text_of(message: Form) -> str:
    """The text of a message in any form in which it may be given."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list | tuple) else ()
    texts = (part.get("text") for part in parts if isinstance(part, Mapping) and part.get("type") == "text")
    return "\n".join(text for text in texts if isinstance(text, str))


def _returned(behind: Sequence[Form]) -> Iterator[Returned]:
    texts = {str(m.get("tool_call_id")): text_of(m) for m in behind if m.get("role") == "tool"}
    for message in behind:
        for call in _calls(message):
            if str(call.get("id")) in texts:
                yield _made(call, texts[str(call.get("id"))])


def _made(call: Form, text: str) -> Returned:
    function = call.get("function")
    named: Form = function if isinstance(function, Mapping) else {}
    return Returned(str(named.get("name", "")), object_in(named.get("arguments")), text)


def _calls(message: Form) -> Iterator[Form]:
    calls = message.get("tool_calls") if message.get("role") == "assistant" else None
    for call in calls if isinstance(calls, list | tuple) else ():
        if isinstance(call, Mapping):
            yield call


def object_in(text: object) -> Mapping[str, Any]:
    """A text of JSON as an object; an empty one where it is none."""
    try:
        found = msgspec.json.decode(text) if isinstance(text, str) else None
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


__all__ = ["Heard", "Language", "Returned", "heard_in", "language_of", "object_in", "text_of"]
