"""Signatures of calls, which Gemini demands back with the calls that it signed.

They come beside a call in a stream, and are stored with what else was thought of its message, by the id of the call.

https://ai.google.dev/gemini-api/docs/thought-signatures
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from archivist.models.pieces import key_of

BESIDE: Final = "extra_content"
"""The field of a call in which its signature is."""
_KIND: Final = "call.extra_content"
_DEMANDS: Final = re.compile(r"gemini-([3-9]|\d\d)")
_NOT_SIGNED: Final = {"google": {"thought_signature": "skip_thought_signature_validator"}}
"""What Google lets stand for a signature of a call that another model made."""


def detail_of(call_id: str, beside: Mapping[str, Any]) -> dict[str, Any]:
    """What came beside a call, as it is stored among the details of what was thought."""
    return {"type": _KIND, "id": call_id, "data": dict(beside)}


def own_details(details: object) -> list[Any]:
    """The details without those of calls: no other provider knows them."""
    listed = details if isinstance(details, list) else []
    return [one for one in listed if not _is_of_a_call(one)]


def sign_calls(calls: Sequence[dict[str, Any]], form: Mapping[str, Any], model: str) -> None:
    """Give the calls of a message back what came beside them; to the first, where none did, the word for that."""
    details = form.get("reasoning_details")
    listed = details if isinstance(details, list) else []
    signed = {key_of(str(one.get("id"))): one.get("data") for one in listed if _is_of_a_call(one)}
    for call in calls:
        if beside := signed.get(call["id"]):
            call[BESIDE] = beside
    if not any(BESIDE in call for call in calls) and _DEMANDS.search(model):
        calls[0][BESIDE] = _NOT_SIGNED


def _is_of_a_call(detail: object) -> bool:
    return isinstance(detail, Mapping) and detail.get("type") == _KIND


__all__ = ["BESIDE", "detail_of", "own_details", "sign_calls"]
