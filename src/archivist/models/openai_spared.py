"""What a server that speaks OpenAI's chat completions refuses of a request and can do without: who it is does not tell that always.

A proxy, a deployment of one's own name, an older server: each says which field it does not know when it is asked for the first time.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

_SPARED: Final = ("stream_options", "prompt_cache_key")
_LIMIT, _LIMIT_ANEW = "max_tokens", "max_completion_tokens"
_NOT_KNOWN: Final = re.compile(
    r"unsupported|not (supported|permitted|allowed)|un(recognized|known|expected)|extra|additional|invalid (field|param)",
    re.IGNORECASE,
)


def refused_in(body: Mapping[str, Any], said: str) -> str | None:
    """The field that a refusal names and that the request can do without; None where there is none."""
    if not _NOT_KNOWN.search(said):
        return None
    if _LIMIT in body and _LIMIT_ANEW in said:
        return _LIMIT
    return next((field for field in _SPARED if field in body and field in said), None)


def without(body: Mapping[str, Any], refused: Iterable[str]) -> dict[str, Any]:
    """A body without fields that were refused; the limit of a reply under its other name."""
    made = {field: value for field, value in body.items() if field not in refused}
    return made | {_LIMIT_ANEW: body[_LIMIT]} if _LIMIT in body and _LIMIT in refused else made


__all__ = ["refused_in", "without"]
