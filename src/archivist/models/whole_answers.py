"""An answer that comes in one piece where a stream was asked for: some servers say so that they fail, and call that a success."""

import json
from collections.abc import Mapping
from typing import Any, Final

from archivist.models.listening import Heard

_USUAL: Final = 400
"""The status of a failure that names none."""


class FailedInAnAnswer(ValueError):
    """A server failed, and answered so as if it had not; as the errors of clients show it."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self.body = body
        error = body.get("error")
        code = error.get("code") if isinstance(error, Mapping) else None
        is_status = isinstance(code, int) and 400 <= code < 600
        self.status_code = code if is_status else _USUAL
        super().__init__("the answer is an error")


def streamed(heard: Heard) -> Heard:
    """A stream, as it is.

    Raises:
        FailedInAnAnswer: It is none, but an error in one piece.
    """
    response = getattr(heard, "response", None)
    if response is None or "json" not in response.headers.get("content-type", ""):
        return heard
    body = _read(response.read())
    if isinstance(body, Mapping) and body.get("error"):
        raise FailedInAnAnswer(body)
    return heard


def _read(content: bytes) -> Any:  # noqa: ANN401 - whatever was answered
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


__all__ = ["FailedInAnAnswer", "streamed"]
