"""What kind of failure it is, of whatever a client raised: one classifier for all providers.

Seven levels, in order: what one provider says in its own way, the status of HTTP, the code of the error, the words of its message, the
transport, the shape of what came, and unknown. A status says either what it is or what it can be: words and codes choose among that alone,
so that a number in a message is never taken for a status, and a request that is refused without a reason never for one that is too long.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, get_args

import msgspec

from archivist.models import class_words as words
from archivist.models.kinds import Kind

_ANY: Final[tuple[Kind, ...]] = get_args(Kind)


class Signs(msgspec.Struct, frozen=True):
    """What a failure shows.

    Attributes:
        provider: As settings name it.
        status: Of HTTP; None where nobody answered, or the answer had begun.
        codes: What the error is called, by any name, in small letters.
        words: What it says, without addresses, in small letters.
        transport: What became of the connection: "timeout", "connect", "certificate", "broken" or nothing.
        is_read: Whether what came could be read at all.
        headers: Of the answer, and those that it tells of another's; their names in small letters.
    """

    provider: str = ""
    status: int | None = None
    codes: tuple[str, ...] = ()
    words: str = ""
    transport: str = ""
    is_read: bool = True
    headers: Mapping[str, str] = {}

    def __repr__(self) -> str:
        """Without a word of what was said: a provider may have repeated a key."""
        return f"Signs({self.provider}, {self.status}, {self.transport or 'answered'})"


def kind_of(signs: Signs) -> Kind:
    """The class of a failure."""
    levels: Sequence[Callable[[Signs, Sequence[Kind]], Kind | None]] = (
        _by_provider,
        _by_status,
        _by_code,
        _by_words,
        _by_transport,
        _by_shape,
    )
    own, may_be = _STATUS.get(signs.status or 0, _other(signs.status))
    for level in levels:
        if (kind := level(signs, may_be)) is not None:
            return kind
    return own


def _by_provider(signs: Signs, _may_be: Sequence[Kind]) -> Kind | None:
    said = "\n".join((signs.words, *signs.codes))
    for kind, status, pattern in words.OF_PROVIDERS.get(signs.provider, ()):
        if status in {None, signs.status} and re.search(pattern, said):
            return kind
    return None


def _by_status(signs: Signs, may_be: Sequence[Kind]) -> Kind | None:
    """What a status says that means one thing alone."""
    return None if signs.status is None or may_be else _STATUS.get(signs.status, _other(signs.status))[0]


def _by_code(signs: Signs, may_be: Sequence[Kind]) -> Kind | None:
    """By what it is called; whoever refuses a request and calls that an error of its own says more in words."""
    if signs.status is not None and signs.status < 500:
        may_be = [kind for kind in may_be if kind != "fault"]
    found = (words.CODES.get(code) for code in signs.codes)
    return next((kind for kind in found if kind is not None and kind in may_be), None)


def _by_words(signs: Signs, may_be: Sequence[Kind]) -> Kind | None:
    said = "\n".join((signs.words, *signs.codes))  # one pattern reads no message and its code as one
    return next(
        (kind for kind, pattern in words.MESSAGES if kind in may_be and re.search(pattern, said)), None
    )


def _by_transport(signs: Signs, _may_be: Sequence[Kind]) -> Kind | None:
    return words.TRANSPORTS.get(signs.transport)


def _by_shape(signs: Signs, _may_be: Sequence[Kind]) -> Kind | None:
    return None if signs.is_read else "unread"


_Meaning = tuple[Kind, tuple[Kind, ...]]
"""What a status means by itself, and what codes and words may make of it."""
_OF_REQUEST: Final[tuple[Kind, ...]] = (
    "bad-thoughts",
    "too-much",
    "too-long",
    "too-large",
    "no-pictures",
    "no-tools",
    "no-model",
    "empty",
    "refused",
    "barred",
    "declined",
    "fault",
    "busy",
)
_OF_SERVER: Final[tuple[Kind, ...]] = (
    "too-long",
    "empty",
    "limited",
    "upstream",
    "busy",
    "no-tools",
    "no-pictures",
    "no-model",
    "malformed",
)
_STATUS: Final[Mapping[int, _Meaning]] = {
    0: ("unknown", _ANY),
    400: ("malformed", _OF_REQUEST),
    401: ("refused", ("empty", "barred")),
    402: ("empty", ("limited",)),
    403: ("refused", ("empty", "barred", "declined", "no-model", "limited")),
    404: ("no-place", ("no-model", "barred", "no-tools", "no-pictures")),
    408: ("slow", ()),
    409: ("busy", ()),
    413: ("too-large", ("too-long",)),
    422: ("malformed", _OF_REQUEST),
    425: ("busy", ()),
    429: ("limited", ("limited", "empty", "busy", "upstream", "too-long")),
    498: ("busy", ()),
    499: ("broken", ()),
    503: ("busy", ("too-long", "limited", "upstream", "no-model", "empty")),
    504: ("slow", ()),
    524: ("slow", ()),
    529: ("busy", ()),
}


def _other(status: int | None) -> _Meaning:
    if status is None or status < 400:
        return "unknown", _ANY
    return ("fault", _OF_SERVER) if status >= 500 else ("malformed", _OF_REQUEST)


# ---- what a client's error shows ----


def signs_of(error: BaseException, provider: str) -> Signs:
    """What an error shows that a client raised."""
    told = _told(getattr(error, "body", None))
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) and status >= 400 else _status_in(told)
    texts = _texts(told) or [str(getattr(error, "message", "") or error)]
    is_answer = status is not None or bool(told)
    is_read = is_answer or not isinstance(error, ValueError | RecursionError)
    return Signs(
        provider,
        status,
        tuple(code.casefold() for code in _codes(told)),
        _plain(" ".join(texts)) if is_read else "",
        "" if is_answer else _transport(error),
        is_read=is_read,
        headers=_headers(error, told),
    )


def _headers(error: BaseException, told: Mapping[str, Any]) -> dict[str, str]:
    own = getattr(getattr(error, "response", None), "headers", None)
    beside = told.get("metadata")
    others = beside.get("headers") if isinstance(beside, Mapping) else None
    found = [
        *(own.items() if own is not None else ()),
        *(others.items() if isinstance(others, Mapping) else ()),
    ]
    return {str(name).casefold(): str(value) for name, value in found}


def _told(body: Any, depth: int = 3) -> dict[str, Any]:  # noqa: ANN401 - whatever was answered
    """An error by itself, in another, in a list, or as a text of its own."""
    if isinstance(body, list):
        body = body[0] if body else None
    if isinstance(body, str):
        return {"message": body} if body.strip() else {}
    if not isinstance(body, Mapping):
        return {}
    inner = body.get("error", body.get("detail"))
    if depth and inner not in (None, "", body):
        return {
            **{key: body[key] for key in body if key not in {"error", "detail"}},
            **_told(inner, depth - 1),
        }
    return dict(body)


def _status_in(told: Mapping[str, Any]) -> int | None:
    """A status that is told in the middle of a stream, by those that have no better place for it."""
    code = told.get("code")
    return code if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600 else None


def _codes(told: Mapping[str, Any]) -> list[str]:
    beside = told.get("metadata")
    found = [told.get(field) for field in ("code", "type", "status", "reason")]
    if isinstance(beside, Mapping):
        found += [beside.get(field) for field in ("error_type", "limit_source")]
    return [str(one) for one in found if isinstance(one, str | int) and not isinstance(one, bool)]


def _texts(told: Mapping[str, Any]) -> list[str]:
    beside = told.get("metadata")
    raw = beside.get("raw") if isinstance(beside, Mapping) else None
    reasons = " ".join(map(str, beside.get("reasons") or ())) if isinstance(beside, Mapping) else ""
    found = [told.get("message"), raw, reasons, told.get("msg")]
    return [str(one)[:4_000] for one in found if one]


def _plain(text: str) -> str:
    """Without what an address says: many end with a way to pay more."""
    return " ".join(re.sub(r"https?://\S+", "", text).casefold().split())[:8_000]


def _transport(error: BaseException) -> str:
    import ssl  # noqa: PLC0415 - a client has loaded it

    chain = [error]
    while (before := chain[-1].__cause__ or chain[-1].__context__) is not None and len(chain) < 20:
        chain.append(before)
    names = " ".join(type(one).__name__.casefold() for one in chain)
    if any(isinstance(one, ssl.SSLCertVerificationError) for one in chain):
        return "certificate"
    for transport, pattern in words.NAMES_OF_ERRORS:
        if re.search(pattern, names):
            return transport
    return ""


__all__ = ["Signs", "kind_of", "signs_of"]
