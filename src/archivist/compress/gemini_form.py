"""The rules of Gemini's contents: parts of one kind each, responses behind their calls and as many of them, signatures on the calls of now.

https://ai.google.dev/api/caching#Content
https://ai.google.dev/gemini-api/docs/thought-signatures
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from archivist.compress.violations import Form, Violation

_KINDS: Final[Mapping[str, frozenset[str]]] = {
    "text": frozenset(("user", "model")),
    "inlineData": frozenset(("user", "model")),
    "fileData": frozenset(("user", "model")),
    "functionCall": frozenset(("model",)),
    "functionResponse": frozenset(("user",)),
    "executableCode": frozenset(("model",)),
    "codeExecutionResult": frozenset(("model",)),
    "toolCall": frozenset(("model",)),
    "toolResponse": frozenset(("model",)),
    "audioTranscription": frozenset(("user", "model")),
}
"""By kind of a part, whose it can be."""
_HOLDS: Final[Mapping[str, tuple[str, ...]]] = {
    "inlineData": ("data", "mimeType"),
    "fileData": ("fileUri",),
    "functionCall": ("name",),
    "functionResponse": ("name",),
    "executableCode": ("code",),
    "codeExecutionResult": ("outcome",),
}
"""By kind of a part, the texts that it must hold."""
_NAMES: Final = {name.lower(): name for name in (*_KINDS, "thoughtSignature", "mimeType", "fileUri")}


def check_gemini(contents: Sequence[Form], *, in_flight: bool = False) -> Iterator[Violation]:
    """Every broken rule of a list of contents; a system instruction goes beside them."""
    if contents and contents[0].get("role") == "model":
        yield Violation(0, "first-not-user", "the first content is not a user's")
    if contents and not any(content.get("role") == "user" for content in contents):
        yield Violation(-1, "no-user", "no content is a user's")
    read = [_parts(content) for content in contents]
    for at, content in enumerate(contents):
        yield from _of_one(at, content, read[at])
    yield from _pairs(contents, read, in_flight=in_flight)
    yield from _signatures(contents, read)


def _parts(content: Form) -> list[dict[str, Any]]:
    """The parts of a content, their fields by the names that JSON has for them, which Python writes with `_`."""
    parts = content.get("parts")
    return [_named(part) for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _named(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {_NAMES.get(name.replace("_", "").lower(), name): value for name, value in fields.items()}


def _kinds(part: Form) -> list[str]:
    return [kind for kind in _KINDS if part.get(kind) is not None]


def _of_one(at: int, content: Form, parts: Sequence[Form]) -> Iterator[Violation]:
    role, listed = content.get("role"), content.get("parts")
    if not isinstance(role, str) or role not in {"user", "model"}:
        yield Violation(at, "role", f"the role {role!r} is neither user nor model")
        return
    if not isinstance(listed, list) or not listed:
        yield Violation(at, "empty", "there are no parts")
    elif len(listed) != len(parts):
        yield Violation(at, "part", "a part is no object")
    for part in parts:
        yield from _part(at, part, role)


def _part(at: int, part: Form, role: str) -> Iterator[Violation]:
    kinds = _kinds(part)
    if len(kinds) != 1:
        yield Violation(
            at, "part", f"a part holds {' and '.join(kinds) or 'nothing'}, where one thing is to be"
        )
        return
    (kind,) = kinds
    if role not in _KINDS[kind]:
        yield Violation(at, "part", f"{kind} cannot be the {role}'s")
    elif kind == "text":
        if not isinstance(part["text"], str):
            yield Violation(at, "part", "a text is none")
    elif not isinstance(part[kind], dict):
        yield Violation(at, "part", f"{kind} is no object")
    else:
        held = _named(part[kind])
        missing = [
            name for name in _HOLDS.get(kind, ()) if not (isinstance(held.get(name), str) and held[name])
        ]
        rule = "call-name" if kind in {"functionCall", "functionResponse"} else "part"
        yield from (Violation(at, rule, f"{kind} has no {name}") for name in missing)
        yield from _arguments(at, kind, held)


def _arguments(at: int, kind: str, held: Form) -> Iterator[Violation]:
    if kind == "functionCall" and not isinstance(held.get("args", {}), dict | None):
        yield Violation(at, "arguments", f"the arguments of {held.get('name')} are no object")
    if kind == "functionResponse" and not isinstance(held.get("response"), dict):
        yield Violation(at, "part", f"the response of {held.get('name')} is no object")


def _pairs(
    contents: Sequence[Form], read: Sequence[Sequence[Form]], *, in_flight: bool
) -> Iterator[Violation]:
    """As many responses as calls, in the very next content, for the same functions.

    Gemini answers "the number of function response parts is equal to the number of function call parts", see
    google-gemini/gemini-cli#3814.
    """
    waiting: list[str] = []
    asked = -1
    for at, parts in enumerate(read):
        for name in _functions(parts, "functionResponse"):
            if name in waiting:
                waiting.remove(name)
            else:
                yield Violation(at, "orphan-result", f"no call in the content before waits for {name}")
        yield from (
            Violation(asked, "call-without-result", f"the call of {name} has no response") for name in waiting
        )
        waiting, asked = _functions(parts, "functionCall"), at
        if waiting and at and contents[at - 1].get("role") == "model":
            yield Violation(at, "calls", "calls stand behind no turn of the user")
    if not in_flight:
        yield from (
            Violation(asked, "call-without-result", f"the call of {name} has no response") for name in waiting
        )


def _functions(parts: Sequence[Form], kind: str) -> list[str]:
    return [str(part[kind].get("name")) for part in parts if isinstance(part.get(kind), dict)]


def _signatures(contents: Sequence[Form], read: Sequence[Sequence[Form]]) -> Iterator[Violation]:
    """The first call of each step since the user last spoke has its signature: Gemini 3 refuses it otherwise."""
    spoke = [
        at
        for at, content in enumerate(contents)
        if content.get("role") == "user" and not _functions(read[at], "functionResponse")
    ]
    for at in range(spoke[-1] + 1 if spoke else 0, len(contents)):
        calls = [part for part in read[at] if part.get("functionCall") is not None]
        if calls and not calls[0].get("thoughtSignature"):
            yield Violation(at, "unsigned-thinking", "the first call of a step has no thought signature")


__all__ = ["check_gemini"]
