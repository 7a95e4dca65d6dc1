"""A request without what its provider refuses of it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from archivist.models.kinds import Kind
from archivist.records.requests import Request

FEWER_TOKENS: Final = 4_096
"""What nearly every model can say in one reply."""
NO_PICTURE: Final = "[picture; not sent: this model takes no pictures]"
_THOUGHTS: Final = frozenset(("thinking_blocks", "reasoning_details", "reasoning_content", "reasoning"))
_PICTURES: Final = frozenset(("image_url", "image", "input_image"))

_Form = Mapping[str, Any]


def repaired(request: Request, kind: Kind) -> Request | None:
    """A request without what a failure of this class says of it; None where there is nothing to be left out."""
    repair = _REPAIRS.get(kind)
    made = repair(request) if repair is not None else request
    return made if made != request else None


def _without_thoughts(request: Request) -> Request:
    forms = ({key: value for key, value in form.items() if key not in _THOUGHTS} for form in request.messages)
    return replace(request, messages=tuple(forms))


def _without_pictures(request: Request) -> Request:
    return replace(request, messages=tuple(map(_blind, request.messages)))


def _blind(form: _Form) -> _Form:
    parts = form.get("content")
    if not isinstance(parts, list | tuple):
        return form
    return {**form, "content": [_described(part) for part in parts]}


def _described(part: Any) -> Any:  # noqa: ANN401 - a part of any form
    is_picture = isinstance(part, Mapping) and part.get("type") in _PICTURES
    return {"type": "text", "text": NO_PICTURE} if is_picture else part


def _shorter(request: Request) -> Request:
    asked = request.max_tokens
    return replace(request, max_tokens=FEWER_TOKENS if asked is None else min(asked, FEWER_TOKENS))


_REPAIRS: Final[Mapping[Kind, Callable[[Request], Request]]] = {
    "bad-thoughts": _without_thoughts,
    "no-pictures": _without_pictures,
    "too-much": _shorter,
}

__all__ = ["FEWER_TOKENS", "repaired"]
