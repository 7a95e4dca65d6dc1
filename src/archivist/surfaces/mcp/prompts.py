"""What a person may have said for them: a question put to memory, and a moment taken to note what matters."""

from collections.abc import Mapping
from typing import Final

import mcp_types as types

from archivist.tools.context import Context
from archivist.tools.recall import RECALL

PROMPTS: Final = (
    types.Prompt(
        name="recall",
        title="Recall",
        description="Ask everything that is remembered, and answer from what is found.",
        arguments=[types.PromptArgument(name="question", description="What to look for.", required=True)],
    ),
    types.Prompt(
        name="checkpoint",
        title="Checkpoint",
        description="Note what of this conversation must hold beyond it.",
        arguments=[types.PromptArgument(name="focus", description="What matters most.", required=False)],
    ),
)
CHECKPOINT: Final = """\
Look back over this conversation and note, with the tool memory, what a later session should know:
- target=user: who I am, what I prefer, how I corrected you.
- target=memory: what was decided and why, how this environment works, what went wrong and what helped.
- target=daily: in one or two sentences, what was done today and what is left to do.
One short statement an entry, in words that are understood without this conversation. Recall first what is noted already: replace what \
has changed instead of adding to it. Note no secrets, nor what the repository says itself. Then tell me in a few lines what you noted."""


class NoSuchPrompt(Exception):
    """There is no such prompt, or it lacks an argument."""


def checkpoint(arguments: Mapping[str, str]) -> types.GetPromptResult:
    """The prompt that has a model note what matters."""
    focus = arguments.get("focus", "").strip()[:2_000]
    return _prompt(f"{CHECKPOINT}\nMost of all: {focus}" if focus else CHECKPOINT)


def recalled(arguments: Mapping[str, str], context: Context) -> types.GetPromptResult:
    """The prompt that answers a question from memory, with what was found."""
    question = question_in(arguments)
    found = RECALL.call({"query": question, "limit": 8}, context)
    lines = [f"Answer from my memory: {question}", ""]
    if not found["success"]:
        lines += [f"Memory could not be asked: {found['error']}"]
    elif not found["hits"]:
        lines += [found["message"]]
    else:
        lines += [found["about"], ""]
        lines += [f"[{hit['date'][:10]}, {hit['source']}]\n{hit['text']}\n" for hit in found["hits"]]
        lines += [
            "Name the date of what you use. Where this does not answer it, say so, or look further with recall."
        ]
    return _prompt("\n".join([*lines, *found.get("notices", ())]))


def question_in(arguments: Mapping[str, str]) -> str:
    """The question that is asked.

    Raises:
        NoSuchPrompt: There is none.
    """
    question = arguments.get("question", "").strip()
    if not question:
        raise NoSuchPrompt("the prompt recall needs the argument question")
    return question


def _prompt(text: str) -> types.GetPromptResult:
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(messages=[message])
