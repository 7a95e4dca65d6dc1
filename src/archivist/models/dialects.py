"""What an endpoint that speaks OpenAI's chat completions takes, and what it wants back: they differ in the fields around the messages.

Many refuse a body with a field that they do not know, so that each is sent only what it is known to take. An endpoint is known by the
host at which it is asked, or by its provider's name where that is the client's own place.
"""

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

import msgspec

from archivist.models.endpoints import Endpoint


class Dialect(msgspec.Struct, frozen=True):
    """How an endpoint differs.

    Attributes:
        limit: The field of the most tokens that a reply may have.
        counts: Whether it tells what a stream used only when it is asked to.
        keyed: Whether a conversation may have a key that leads it to its cache.
        keeps: What must be marked for its cache: nothing (it keeps by itself), the end of the prompt, or what Anthropic's models need.
        returns: The fields of thoughts that it is given back, as they came.
        wants_thoughts: Whether a message with calls must have such a field, were it empty.
        signs_calls: Whether its calls are signed, and come back so.
        reads_files: Whether it takes files as they are.
        names: Whether a user's message may say who speaks.
        short_ids: Whether the id of a call must have nine letters and digits.
        answers_results: Whether the assistant must say something between results and the user's next words.
        describes: Characters that the description of a tool may have; any number where 0.
    """

    limit: str = "max_tokens"
    counts: bool = True
    keyed: bool = False
    keeps: str = ""
    returns: frozenset[str] = frozenset()
    wants_thoughts: bool = False
    signs_calls: bool = False
    reads_files: bool = False
    names: bool = False
    short_ids: bool = False
    answers_results: bool = False
    describes: int = 0


PROMPT: Final = "prompt"
MARKS: Final = "marks"
_OPENAI: Final = Dialect("max_completion_tokens", keyed=True, reads_files=True, names=True, describes=1_024)
_AZURE: Final = Dialect("max_completion_tokens", names=True, describes=1_024)
_OPENROUTER: Final = Dialect(returns=frozenset(("reasoning_details",)), reads_files=True)
_THINKS: Final = Dialect(returns=frozenset(("reasoning_content",)), wants_thoughts=True)
"""Who thinks between calls, and refuses a conversation in which what was thought there is missing, in later turns too:
https://api-docs.deepseek.com/guides/thinking_mode, https://docs.z.ai/guides/capabilities/thinking-mode"""
_GEMINI: Final = Dialect(signs_calls=True)
"""https://ai.google.dev/gemini-api/docs/thought-signatures"""
_LOCAL: Final = Dialect(returns=frozenset(("reasoning_content", "reasoning")))
"""A server of one's own passes over what it does not know; it is given back what it gave, and its template leaves out what it should."""
_MISTRAL: Final = Dialect(counts=False, short_ids=True, answers_results=True)
_BY_HOST: Final = (
    (re.compile(r"(^|\.)openai\.com$"), _OPENAI),
    (re.compile(r"\.(openai|cognitiveservices|services\.ai)\.azure\.com$"), _AZURE),
    (re.compile(r"(^|\.)openrouter\.ai$"), _OPENROUTER),
    (re.compile(r"(^|\.)(deepseek\.com|moonshot\.(cn|ai)|bigmodel\.cn|z\.ai|minimaxi?\.(io|com))$"), _THINKS),
    (re.compile(r"(^|\.)googleapis\.com$"), _GEMINI),
    (re.compile(r"(^|\.)mistral\.ai$"), _MISTRAL),
    (re.compile(r"(^|\.)(localhost|local|internal|lan|home)$|^[^.]+$"), _LOCAL),
)
_BY_NAME: Final = {
    "openai": _OPENAI,
    "openrouter": _OPENROUTER,
    "deepseek": _THINKS,
    "gemini": _GEMINI,
    "moonshot": _THINKS,
    "kimi": _THINKS,
    "glm": _THINKS,
    "zai": _THINKS,
    "zhipu": _THINKS,
    "minimax": _THINKS,
    "mistral": _MISTRAL,
}
_LIMITED_ANEW: Final = re.compile(r"^(openai/)?(o[1-9](-|$)|gpt-[5-9])")
"""Models that refuse `max_tokens`, also behind a proxy that passes on what it is sent."""
_OF_MISTRAL: Final = re.compile(r"mi[sx]tral|(code|dev|magi|mini)stral|pixtral", re.IGNORECASE)
"""Models whose templates refuse other ids and another order, whoever runs them."""
_VERSION: Final = re.compile(r"gpt-(\d+)(?:\.(\d+))?")
_FIRST_MARKED: Final = (5, 6)
"""The version of GPT from which on a prompt can be marked to be kept."""


def dialect_of(endpoint: Endpoint) -> Dialect:
    """How an endpoint differs from others."""
    found = _by_place(endpoint)
    if found in {Dialect(), _LOCAL} and _LIMITED_ANEW.search(endpoint.model):
        found = msgspec.structs.replace(found, limit=_OPENAI.limit)
    if _OF_MISTRAL.search(endpoint.model):
        found = msgspec.structs.replace(found, short_ids=True, answers_results=True)
    if found is _OPENAI and _version(endpoint.model) >= _FIRST_MARKED:
        return msgspec.structs.replace(found, keeps=PROMPT)
    if found is _OPENROUTER and endpoint.model.startswith("anthropic/"):
        return msgspec.structs.replace(found, keeps=MARKS)
    return found


def _by_place(endpoint: Endpoint) -> Dialect:
    if endpoint.base_url is None:
        return _BY_NAME.get(endpoint.provider.casefold(), Dialect())
    host = _host(endpoint.base_url)
    if _is_own(host):
        return _LOCAL
    return next((dialect for pattern, dialect in _BY_HOST if pattern.search(host)), Dialect())


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").casefold()
    except ValueError:  # no address, as whoever asks there will be told
        return ""


def _is_own(host: str) -> bool:
    """Whether an address is one of this machine's or of the net that it stands in."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return False


def _version(model: str) -> tuple[int, int]:
    found = _VERSION.match(model)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


__all__ = ["MARKS", "PROMPT", "Dialect", "dialect_of"]
