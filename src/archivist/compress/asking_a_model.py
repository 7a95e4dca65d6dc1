"""One call of a model that may fail in any way: what it answered, or why there is nothing to use.

The deadline is kept by a thread: whoever waits goes on when it has passed, and what comes later is not looked at.
"""

import threading
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

Summarise = Callable[[str, int], str]
"""A model: a prompt, and the most tokens that it should answer with."""

DEADLINE_SECONDS: Final = 120.0
_MOST_OVER: Final = 3
"""So many times the tokens asked for, an answer is no summary."""
_CHARS_A_TOKEN: Final = 4


class Answer(msgspec.Struct, frozen=True):
    """An answer, or the reason why there is none."""

    text: str = ""
    trouble: str = ""


def ask(summarise: Summarise, prompt: str, most_tokens: int, deadline: float | None) -> Answer:
    """What a model answers.

    Args:
        summarise: The model.
        prompt: What it is asked.
        most_tokens: As many as it should answer with.
        deadline: Seconds that are waited; None waits for as long as it takes.
    """
    asked = _asked if deadline is None else partial(_asked_in_time, deadline=deadline)
    answer = asked(summarise, prompt, most_tokens)
    if not answer.trouble and not answer.text.strip():
        return Answer(trouble="the model answered nothing")
    if len(answer.text) > most_tokens * _CHARS_A_TOKEN * _MOST_OVER:
        return Answer(
            trouble=f"the model answered {len(answer.text):,} characters where {most_tokens:,} tokens were asked for"
        )
    return answer


def _asked_in_time(summarise: Summarise, prompt: str, most_tokens: int, deadline: float) -> Answer:
    found: list[Answer] = []

    def call() -> None:
        try:
            found.append(_asked(summarise, prompt, most_tokens))
        except BaseException as leaving:  # noqa: BLE001 - an exit or a cancelled task ends this thread and no more
            found.append(_failed(leaving))

    thread = threading.Thread(target=call, name="archivist-summary", daemon=True)
    try:
        thread.start()
    except RuntimeError as error:  # there are as many threads as there may be
        return _failed(error)
    thread.join(deadline)
    return found[0] if found else Answer(trouble=f"the model did not answer within {deadline:g} seconds")


def _asked(summarise: Summarise, prompt: str, most_tokens: int) -> Answer:
    try:
        text: object = summarise(prompt, most_tokens)
    except Exception as error:  # noqa: BLE001 - whatever a model's client raises: the conversation goes on, and the notice names it
        return _failed(error)
    return (
        Answer(text)
        if isinstance(text, str)
        else Answer(trouble="the model answered with something else than a text")
    )


def _failed(error: BaseException) -> Answer:
    return Answer(trouble=f"the model failed: {type(error).__name__}: {error}".removesuffix(": ")[:300])


__all__ = ["DEADLINE_SECONDS", "Answer", "Summarise", "ask"]
