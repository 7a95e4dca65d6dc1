"""What an endpoint says of its models: their names, how much each has room for, whether it reads pictures.

Every server says it in words of its own; what is not said is not guessed.
"""

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from archivist.models.choosing import Choice
from archivist.models.endpoints import Endpoint
from archivist.models.responder import ModelFailed

SECONDS: Final = 10.0
AT_ONCE: Final = 2.0
"""Seconds in which a server says what it is before a conversation; one that does not is taken as it is usual."""
MOST_BYTES: Final = 32_000_000
"""Of an answer; the longest list of models that is known has about one."""
UNSAID_OLLAMA: Final = 32_768
"""Tokens that Ollama is taken to give a model that it has not loaded yet: it gives less than the model has, and does not say so."""
_WINDOWS: Final = (
    "max_model_len",
    "loaded_context_length",
    "context_length",
    "context_window",
    "max_context_length",
    "max_input_tokens",
    "n_ctx",
)
_GIVEN: Final = re.compile(r"^\s*num_ctx\s+(\d+)", re.MULTILINE)


class Offered(msgspec.Struct, frozen=True):
    """A model that an endpoint offers; of what it does not say, None."""

    name: str
    window: int | None = None
    takes_pictures: bool | None = None


def offered(endpoint: Endpoint, *, seconds: float = SECONDS) -> tuple[Offered, ...]:
    """The models that an endpoint offers, by name.

    Raises:
        ModelFailed: It does not say.
    """
    return tuple(sorted(_listed(_asked(endpoint, _list_url(endpoint), seconds)), key=lambda one: one.name))


def said_of(choice: Choice, *, seconds: float = AT_ONCE) -> Offered:
    """What an endpoint says of the model that is asked; nothing where it does not answer in time."""
    endpoint = choice.endpoint
    said = Offered(endpoint.model)
    for ask in (_OWN_WORDS.get(endpoint.provider, _nothing), _as_listed):
        if said.window is not None and said.takes_pictures is not None:
            break
        try:
            more = ask(endpoint, seconds)
        except ModelFailed:
            continue
        said = Offered(
            endpoint.model,
            more.window if said.window is None else said.window,
            more.takes_pictures if said.takes_pictures is None else said.takes_pictures,
        )
    return said


def _nothing(endpoint: Endpoint, _seconds: float) -> Offered:
    return Offered(endpoint.model)


def _as_listed(endpoint: Endpoint, seconds: float) -> Offered:
    found = {one.name: one for one in offered(endpoint, seconds=seconds)}
    return found.get(endpoint.model) or Offered(endpoint.model)


def _ollama(endpoint: Endpoint, seconds: float) -> Offered:
    """What it gives the model now, else what the model was made with."""
    root, names = _root(endpoint), {endpoint.model, f"{endpoint.model}:latest"}
    running = _rows(_asked(endpoint, f"{root}/api/ps", seconds), "models")
    loaded = next((_whole(row.get("context_length")) for row in running if row.get("name") in names), None)
    shown = _map(_asked(endpoint, f"{root}/api/show", seconds, body={"model": endpoint.model}))
    given = _GIVEN.search(str(shown.get("parameters") or ""))
    most = next(
        (
            _whole(one)
            for key, one in _map(shown.get("model_info")).items()
            if key.endswith(".context_length")
        ),
        None,
    )
    window = loaded or (int(given[1]) if given else None) or (min(most, UNSAID_OLLAMA) if most else None)
    can = shown.get("capabilities")
    return Offered(endpoint.model, window, "vision" in can if isinstance(can, list) else None)


def _llama_cpp(endpoint: Endpoint, seconds: float) -> Offered:
    props = _map(_asked(endpoint, f"{_root(endpoint)}/props", seconds))
    given, sees = _map(props.get("default_generation_settings")), _map(props.get("modalities")).get("vision")
    return Offered(endpoint.model, _whole(given.get("n_ctx")), sees if isinstance(sees, bool) else None)


def _lmstudio(endpoint: Endpoint, seconds: float) -> Offered:
    listed = {one.name: one for one in _listed(_asked(endpoint, f"{_root(endpoint)}/api/v0/models", seconds))}
    return listed.get(endpoint.model) or Offered(endpoint.model)


_OWN_WORDS: Final = {"ollama": _ollama, "llama.cpp": _llama_cpp, "lmstudio": _lmstudio}
"""Servers that say more of a model elsewhere than in the list of their models."""


def _list_url(endpoint: Endpoint) -> str:
    base = endpoint.base_url or ""
    return f"{base}/v1/models?limit=1000" if endpoint.wire == "anthropic" else f"{base}/models"


def _root(endpoint: Endpoint) -> str:
    parts = urlsplit(endpoint.base_url or "")
    return f"{parts.scheme}://{parts.netloc}"


def _asked(endpoint: Endpoint, url: str, seconds: float, *, body: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401 - JSON
    """What a server answers, as JSON.

    Raises:
        ModelFailed: It does not, or with none.
    """
    try:
        import httpx2  # noqa: PLC0415 - an extra, and heavy
    except ImportError as error:
        raise ModelFailed("what asks a provider is not installed; pip install 'archivist[openai]'") from error
    method, content = ("GET", None) if body is None else ("POST", json.dumps(body))
    try:
        with httpx2.stream(
            method, url, content=content, headers=_headers(endpoint), timeout=seconds
        ) as answer:
            said = _read(answer.iter_bytes(), seconds)
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError) as error:
        raise ModelFailed(
            f"nobody answers at {endpoint.provider} ({endpoint.base_url}); is the server running, and the net there?"
        ) from error
    if answer.status_code in {401, 403}:
        raise ModelFailed(
            f"{endpoint.provider} refuses the key; give it another one", status=answer.status_code
        )
    try:
        answer.raise_for_status()
        return json.loads(said)
    except (httpx2.HTTPError, ValueError, RecursionError) as error:
        raise ModelFailed(
            f"{endpoint.provider} ({endpoint.base_url}) does not say what models it has ({answer.status_code});"
            " is its base_url right?",
            status=answer.status_code,
        ) from error


def _read(pieces: Iterable[bytes], seconds: float) -> bytes:
    """An answer whole, which may take as long as its first sign of life, and be no larger than any list of models is.

    Raises:
        TimeoutError, ValueError: It is not.
    """
    until, said = time.monotonic() + seconds, bytearray()
    for piece in pieces:
        said += piece
        if time.monotonic() > until:
            raise TimeoutError("it does not come to its end")
        if len(said) > MOST_BYTES:
            raise ValueError("it does not come to its end")
    return bytes(said)


def _headers(endpoint: Endpoint) -> dict[str, str]:
    if not endpoint.api_key:
        return {}
    if endpoint.wire == "anthropic":
        return {"x-api-key": endpoint.api_key, "anthropic-version": "2023-06-01"}
    return {"authorization": f"Bearer {endpoint.api_key}"}


def _listed(body: Any) -> Iterator[Offered]:  # noqa: ANN401 - JSON
    for row in _rows(body, "data"):
        if isinstance(name := row.get("id"), str) and name:
            yield Offered(name.removeprefix("models/"), _window(row), _sees(row))


def _window(row: Mapping[str, Any]) -> int | None:
    places = (row, _map(row.get("meta")), _map(row.get("top_provider")))
    return next((found for name in _WINDOWS for place in places if (found := _whole(place.get(name)))), None)


def _sees(row: Mapping[str, Any]) -> bool | None:
    can, kinds = row.get("capabilities"), _map(row.get("architecture")).get("input_modalities")
    told = _map(_map(can).get("image_input")).get(
        "supported", _map(can).get("vision", row.get("supports_image_in"))
    )
    if isinstance(told, bool):
        return told
    if isinstance(kinds, list):
        return "image" in kinds
    return True if row.get("type") == "vlm" else None


def _rows(body: Any, name: str) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - JSON
    listed = body if isinstance(body, list) else _map(body).get(name)
    return (row for row in (listed if isinstance(listed, list) else ()) if isinstance(row, dict))


def _map(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON
    return value if isinstance(value, dict) else {}


def _whole(value: Any) -> int | None:  # noqa: ANN401 - JSON
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


__all__ = ["Offered", "offered", "said_of"]
