"""What a client's failure means for a person: one line that says what to do, with what the provider said, and never with a key."""

import re
from collections.abc import Mapping
from typing import Any, Final

from archivist.guard import mask
from archivist.models.classes import kind_of, signs_of
from archivist.models.endpoints import Endpoint
from archivist.models.kinds import Kind
from archivist.models.responder import ModelFailed
from archivist.records.requests import Reply

_CLIENTS: Final = frozenset(("openai", "anthropic", "httpx2", "httpcore2"))
"""Whose errors say that a model did not answer; of others it is not known what they say."""
_LONGEST: Final = 300
_LINK: Final = re.compile(r"https?://\S+")
"""What an address says is no word on what failed: many end with a way to pay more."""
_EMPTY: Final = re.compile(r"^Error code: \d+$")
"""What a client says of an answer without a word."""


def is_failure(error: BaseException) -> bool:
    """Whether an error is a client's, or what came was nothing that it could read."""
    modules = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
    return bool(modules & _CLIENTS) or isinstance(error, ValueError | RecursionError | TimeoutError)


def explained(
    error: BaseException, endpoint: Endpoint, partial: Reply | None = None, *, has_begun: bool = False
) -> ModelFailed:
    """A client's failure as a person is told it.

    Args:
        error: The client's.
        endpoint: Who was asked.
        partial: What had come of a reply.
        has_begun: Whether anything had.
    """
    signs = signs_of(error, endpoint.provider)
    kind = kind_of(signs)
    failed = _told(kind, error, endpoint, partial, has_begun=has_begun)
    failed.signs, failed.kind = signs, "broken" if has_begun and kind == "unknown" else kind
    return failed


def _told(
    kind: Kind, error: BaseException, endpoint: Endpoint, partial: Reply | None, *, has_begun: bool
) -> ModelFailed:
    status = getattr(error, "status_code", None)
    said = _said(error, endpoint)
    if isinstance(status, int) and status >= 400:
        return ModelFailed(_refused(kind, error, endpoint), partial=partial, status=status)
    if isinstance(error, ValueError | RecursionError):
        line = f"what came from {_place(endpoint)} is no answer of a model ({said}); is its base_url right?"
        return ModelFailed(line, partial=partial)
    if has_begun:
        return broken_off(endpoint, partial, said if _body(error) else "", has_begun=True)
    if "timeout" in type(error).__name__.casefold():
        return ModelFailed(f"{_place(endpoint)} did not answer in time; say it again, or try another model")
    if "connect" in type(error).__name__.casefold() or not said:
        return _unreachable(error, endpoint)
    return ModelFailed(f"{endpoint.provider} failed: {said}; say it again, or try another model")


def _unreachable(error: BaseException, endpoint: Endpoint) -> ModelFailed:
    import ssl  # noqa: PLC0415 - its client has loaded it

    root = _root(error)
    why = _said(root, endpoint)
    told = f" ({why})" if why else ""
    if isinstance(root, ssl.SSLError):
        return ModelFailed(
            f"{_place(endpoint)} is not trusted{told}; SSL_CERT_FILE names the certificates that are"
        )
    return ModelFailed(
        f"nobody answers at {_place(endpoint)}{told}; is the server running, and the net there?"
    )


def cause_of(error: Exception, endpoint: Endpoint) -> Exception | None:
    """The failure that a traceback shows below what is told of it; None where its words have the key."""
    key = endpoint.api_key.strip()
    return None if key and key in f"{error} {getattr(error, 'body', '')}" else error


def broken_off(
    endpoint: Endpoint, partial: Reply | None, said: str = "", *, has_begun: bool = False
) -> ModelFailed:
    """A reply did not come to its end."""
    if partial is None and not has_begun:
        return ModelFailed(
            f"{_place(endpoint)} answered nothing that a model says; is its base_url right, with its /v1 or without?",
            kind="unread",
        )
    why = f" ({said})" if said else ""
    kept = "what had come is kept: say it again to go on" if partial and partial.text else "say it again"
    line = f"the reply of {endpoint.provider}/{endpoint.model} broke off{why}; {kept}"
    return ModelFailed(line, partial=partial, kind="broken")


def not_installed(client: str) -> ModelFailed:
    """The client of a provider is not there."""
    told = f"the client of {client} is not installed; pip install 'archivist[{client}]'"
    return ModelFailed(told, kind="no-place")


def usable_key(endpoint: Endpoint) -> str:
    """The key as it is sent; of a server without one what its client needs instead.

    Raises:
        ModelFailed: It has characters that no key has, so that it was torn or pasted with something else.
    """
    key = endpoint.api_key.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        told = f"the key for {endpoint.provider} has characters that no key has; give it again"
        raise ModelFailed(told, kind="refused")
    return key or "none"


_LINES: Final[Mapping[Kind, str]] = {
    "empty": "{who} says that the account has no credit{told}; top it up there, or choose another model",
    "refused": "{who} refuses the key{told}; give it another one, and try it with `archivist model test`",
    "barred": "{who} does not let this account use {model}{told}; choose another model",
    "limited": "{who} asks to wait{wait}, too much was asked at once{told}; say it again then",
    "upstream": "{who} asks to wait{wait}, too much was asked at once{told}; say it again then",
    "busy": "{who} cannot answer now ({status}){told}; say it again in a moment, or choose another model",
    "fault": "{who} cannot answer now ({status}){told}; say it again in a moment, or choose another model",
    "slow": "{who} did not answer in time ({status}){told}; say it again, or choose another model",
    "too-long": "the conversation is too long for {who}/{model}{told}; /compress makes it shorter",
    "too-large": "the request has too many bytes for {who}/{model}{told}; /compress makes it shorter",
    "too-much": "{who}/{model} gives no reply of so many tokens{told}; set a smaller max_tokens in [model]",
    "no-pictures": "{who}/{model} takes no pictures{told}; set pictures = false in [model], or choose another model",
    "no-tools": "{who}/{model} takes no tools{told}; choose another model",
    "declined": "{who} declines to answer this{told}; say it otherwise, or choose another model",
}
"""What a person is told of a class of failures."""
_REFUSED: Final = "{who} refuses the request ({status}){told}; try another model, or begin anew with /new"


def _refused(kind: Kind, error: BaseException, endpoint: Endpoint) -> str:
    """What a provider's refusal means, with its words."""
    who, said = endpoint.provider, _said(error, endpoint)
    told = f": {said}" if said else ""
    if kind in {"no-model", "no-place"}:
        return _not_there(kind, f"{_LINK.sub('', said)}\n{_code(error)}", told, endpoint)
    if kind == "refused" and not endpoint.api_key.strip():
        return f"{who} wants a key{told}; `archivist model set {who}/{endpoint.model} --key` asks for it"
    status, wait = getattr(error, "status_code", ""), _wait(error)
    line = _LINES.get(kind, _REFUSED)
    return line.format(who=who, model=endpoint.model, told=told, status=status, wait=wait)


def _not_there(kind: Kind, words: str, told: str, endpoint: Endpoint) -> str:
    """What is not there: the model, where that is what is spoken of; else it may be the place itself."""
    named = rf"model|(?<!\w){re.escape(endpoint.model)}(?!\w)"
    if kind == "no-place" and not re.search(named, words, re.IGNORECASE):
        return f"nothing is at {_place(endpoint)} that answers{told}; is its base_url right, with its /v1 or without?"
    shown = f"`archivist model list {endpoint.provider} --remote` shows what there is"
    return f"{_place(endpoint)} has no model {endpoint.model!r}{told}; {shown}"


def not_made(error: BaseException, endpoint: Endpoint) -> ModelFailed:
    """A client could not be made: what it reads for that is wrong."""
    return ModelFailed(
        f"{_place(endpoint)} cannot be asked ({_said(error, endpoint)}); look at its base_url, and at the proxies and certificates"
        " that the environment names",
        kind="no-place",
    )


def _place(endpoint: Endpoint) -> str:
    """Where it lives; what an address has of a name, a password or a question is not shown."""
    bare = re.sub(r"//[^/?#]*@", "//", endpoint.base_url or "").partition("?")[0]
    return f"{endpoint.provider} ({bare})" if bare else endpoint.provider


def _root(error: BaseException) -> BaseException:
    """What an error came of, the first of all."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


def _wait(error: BaseException) -> str:
    headers = getattr(getattr(error, "response", None), "headers", None)
    seconds = headers.get("retry-after", "") if headers is not None else ""
    return f" for {seconds} s" if str(seconds).isdigit() else ""


def _code(error: BaseException) -> str:
    told = _body(error)
    return "\n".join(str(told.get(field) or "") for field in ("code", "type"))


def _body(error: BaseException) -> Mapping[str, Any]:
    """What was answered: an error in it, or by itself, or in a list, as a table of words or one text."""
    body = getattr(error, "body", None)
    found = body[0] if isinstance(body, list) and body else body
    inner = found.get("error", found.get("detail", found)) if isinstance(found, Mapping) else found
    if isinstance(inner, str):
        return {"message": inner}
    return inner if isinstance(inner, Mapping) else {}


def _said(error: BaseException, endpoint: Endpoint) -> str:
    """What the provider said, in one line without a key."""
    told = _body(error)
    beside = told.get("metadata")
    raw = beside.get("raw") if isinstance(beside, Mapping) else ""
    text = str(raw or told.get("message") or getattr(error, "message", "") or error)
    if endpoint.api_key.strip():
        text = text.replace(endpoint.api_key.strip(), "…")
    line = " ".join(mask(_EMPTY.sub("", text)).text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


__all__ = ["broken_off", "cause_of", "explained", "is_failure", "not_installed", "not_made", "usable_key"]
