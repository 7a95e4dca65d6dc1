"""What a person may have said for them: a question put to memory, a moment taken to note what matters, a look at what waits for them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import mcp_types as types

from archivist.prompt.fence import fenced
from archivist.records import Reader
from archivist.surfaces.mcp.opened import Place
from archivist.surfaces.mcp.waiting import waiting
from archivist.tools.context import Context
from archivist.tools.recall import QUERY_CHARS, RECALL

if TYPE_CHECKING:
    from archivist.app import Archivist

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
    types.Prompt(
        name="review_proposals",
        title="Review proposals",
        description="Show the owner what of their notes waits for their decision. Nothing is decided.",
        arguments=[],
    ),
)
CHECKPOINT: Final = """\
Look back over this conversation and note, with the tool memory, what a later session should know:
- target=user: who I am, what I prefer, how I corrected you.
- target=memory: what was decided and why, how this environment works, what went wrong and what helped.
- target=daily: in one or two sentences, what was done today and what is left to do.
One short statement an entry, in words that are understood without this conversation. Recall first what is noted already: replace what \
has changed instead of adding to it. Note no secrets, nor what the repository says itself. Then tell me in a few lines what you noted."""

CITED: Final = (
    "Name the date of what you use. Where this does not answer it, say so, or look further with recall."
)


class NoSuchPrompt(Exception):
    """There is no such prompt, or it lacks an argument."""

    @classmethod
    def named(cls, name: str) -> "NoSuchPrompt":
        """There is none of this name."""
        return cls(f"there is no prompt {name[:100]!r}; there are {', '.join(one.name for one in PROMPTS)}")


def checkpoint(arguments: Mapping[str, str]) -> types.GetPromptResult:
    """The prompt that has a model note what matters."""
    focus = arguments.get("focus", "").strip()[:2_000]
    return _prompt(f"{CHECKPOINT}\nMost of all: {focus}" if focus else CHECKPOINT)


def recalled(arguments: Mapping[str, str], context: Context) -> types.GetPromptResult:
    """The prompt that answers a question from memory, with what was found."""
    question = question_in(arguments)
    found = RECALL.call({"query": question, "limit": 8}, context)
    told = [f"Answer from my memory: {question}", ""]
    notices = found.get("notices", ())
    if not found["success"]:
        told += [f"Memory could not be asked: {found['error']}", *notices]
    elif not found["hits"]:
        told += [found["message"], *notices]
    else:
        hits = [f"[{hit['date'][:10]}, {hit['source']}]\n{hit['text']}" for hit in found["hits"]]
        told += [fenced("\n\n".join([found["about"], *hits, *notices]), part="recalled"), "", CITED]
    return _prompt("\n".join(told))


def proposals(archivist: "Archivist", reader: Reader, place: Place) -> types.GetPromptResult:
    """The prompt that has a model show what waits for its user."""
    return _prompt(waiting(archivist, reader, place))


def question_in(arguments: Mapping[str, str]) -> str:
    """The question that is asked.

    Raises:
        NoSuchPrompt: There is none, or it is too long.
    """
    question = arguments.get("question", "").strip()
    if not question:
        raise NoSuchPrompt("the prompt recall needs the argument question")
    if len(question) > QUERY_CHARS:
        told = f"question has {len(question):,} characters; give at most {QUERY_CHARS:,}"
        raise NoSuchPrompt(told)
    return question


def _prompt(text: str) -> types.GetPromptResult:
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(messages=[message])
