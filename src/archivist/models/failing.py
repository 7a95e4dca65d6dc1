"""What a client's failure means for a person: one line that says what to do, with what the provider said, and never with a key."""

import re
from collections.abc import Mapping
from typing import Any, Final

from archivist.guard import mask
from archivist.models.classes import kind_of, signs_of
from archivist.models.endpoints import Endpoint
from archivist.models.responder import ModelFailed
from archivist.records.requests import Reply

_CLIENTS: Final = frozenset(("openai", "anthropic", "httpx2", "httpcore2"))
"""Whose errors say that a model did not answer; of others it is not known what they say."""
_LONGEST: Final = 300
_NO_CREDIT: Final = re.compile(r"insufficient_quota|billing|credit|insufficient.?balance", re.IGNORECASE)
_TOO_LONG: Final = re.compile(
    r"context.?(length|window|size|limit)|too long|too many tokens|maximum.{0,20}tokens|maximum prompt length|input length"
    r"|reduce the length",
    re.IGNORECASE,
)
_TOO_MUCH: Final = re.compile(
    r"^\W*max_(completion_)?tokens|(invalid|range of) .?max_(completion_)?tokens|allowed number of output tokens",
    re.IGNORECASE,
)
_LINK: Final = re.compile(r"https?://\S+")
"""What an address says is no word on what failed: many end with a way to pay more."""
_EMPTY: Final = re.compile(r"^Error code: \d+$")
"""What a client says of an answer without a word."""
_NO_MODEL: Final = re.compile(
    r"model.{0,80}(not.?found|not exist|unknown|invalid)|no such model", re.IGNORECASE
)


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
    failed = _told(error, endpoint, partial, has_begun=has_begun)
    failed.signs = signs_of(error, endpoint.provider)
    kind = kind_of(failed.signs)
    failed.kind = "broken" if has_begun and kind == "unknown" else kind
    return failed


def _told(error: BaseException, endpoint: Endpoint, partial: Reply | None, *, has_begun: bool) -> ModelFailed:
    status = getattr(error, "status_code", None)
    said = _said(error, endpoint)
    if isinstance(status, int) and status >= 400:
        return ModelFailed(_refused(status, error, endpoint), partial=partial, status=status)
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


def _refused(status: int, error: BaseException, endpoint: Endpoint) -> str:  # noqa: PLR0911 - a table with conditions
    """What a status says, and the words beside it: servers give one for many things."""
    who, said = endpoint.provider, _said(error, endpoint)
    told, words = f": {said}" if said else "", f"{_LINK.sub('', said)}\n{_code(error)}"
    if status == 402 or (status in {400, 403, 429} and _NO_CREDIT.search(words)):
        return f"{who} says that the account has no credit{told}; top it up there, or choose another model"
    if status == 401 and not endpoint.api_key.strip():
        return f"{who} wants a key{told}; `archivist model set {who}/{endpoint.model} --key` asks for it"
    if status in {401, 403}:
        return f"{who} refuses the key{told}; give it another one, and try it with `archivist model test`"
    if status == 404 or (status == 400 and _NO_MODEL.search(words)):
        return _not_there(words, told, endpoint)
    if status == 429:
        return f"{who} asks to wait{_wait(error)}, too much was asked at once{told}; say it again then"
    if status in {400, 422} and _TOO_MUCH.search(said):
        return f"{who}/{endpoint.model} gives no reply of so many tokens{told}; set a smaller max_tokens in [model]"
    if status == 413 or (status == 400 and _TOO_LONG.search(words)):
        return f"the conversation is too long for {who}/{endpoint.model}{told}; /compress makes it shorter"
    if status >= 500:
        return f"{who} cannot answer now ({status}){told}; say it again in a moment, or choose another model"
    return f"{who} refuses the request ({status}){told}; try another model, or begin anew with /new"


def _not_there(words: str, told: str, endpoint: Endpoint) -> str:
    """What is not there: the model, where that is what is spoken of; else it may be the place itself."""
    named = rf"model|(?<!\w){re.escape(endpoint.model)}(?!\w)"
    if not re.search(named, words, re.IGNORECASE):
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
