"""`check_messages`: whether a provider would take a list of messages, said before it is sent.

The check is stricter than any one provider, so that what passes it is taken by all servers of that form.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, Literal

from archivist.compress.anthropic_form import check_anthropic
from archivist.compress.gemini_form import check_gemini
from archivist.compress.openai_form import check_openai
from archivist.compress.responses_form import check_responses
from archivist.compress.violations import Form, Violation
from archivist.records.errors import ArchivistError

Provider = Literal["openai", "anthropic", "responses", "gemini"]

_CHECKS: Final[dict[str, Callable[..., Iterator[Violation]]]] = {
    "anthropic": check_anthropic,
    "gemini": check_gemini,
    "openai": check_openai,
    "responses": check_responses,
}


class UnknownProvider(ArchivistError):
    """No form of messages has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no form of messages is called {name!r}; known are {', '.join(sorted(_CHECKS))}")
        self.name = name


def check_messages(
    messages: Iterable[Any],
    provider: Provider = "openai",
    *,
    in_flight: bool = False,
    alternating: bool = False,
) -> tuple[Violation, ...]:
    """What a provider would refuse of a list of messages, in order; empty where it is valid.

    Args:
        messages: As they would be sent. For `anthropic` and `gemini` without the system prompt, which goes beside them.
        provider: "openai": chat completions, and what speaks like them; "anthropic": messages; "responses": input items of OpenAI's
            responses; "gemini": contents.
        in_flight: Whether the calls of the last message with calls may still wait for results.
        alternating: Whether user and assistant must take turns, as the templates of many local models demand.

    Raises:
        UnknownProvider: There is no such form.
    """
    check = _CHECKS.get(provider)
    if check is None:
        raise UnknownProvider(provider)
    given = list(messages)
    forms = [message for message in given if isinstance(message, dict)]
    if len(forms) != len(given):
        place = next(at for at, message in enumerate(given) if not isinstance(message, dict))
        return (Violation(place, "not-a-message", "is no object"),)
    found = list(check(forms, in_flight=in_flight))
    if alternating:
        found += _turns(forms)
    return tuple(sorted(found, key=lambda one: one.place))


def _turns(messages: Sequence[Form]) -> Iterator[Violation]:
    """Where somebody speaks twice in a row; results belong to whom they answer."""
    said = [
        (at, message["role"])
        for at, message in enumerate(messages)
        if message.get("role") in {"user", "assistant", "tool"}
    ]
    for (_, before), (at, role) in pairwise(said):
        if before == role and role != "tool":
            yield Violation(at, "same-speaker", f"{role} speaks twice in a row")


__all__ = ["Provider", "UnknownProvider", "check_messages"]
