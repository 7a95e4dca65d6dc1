"""A pass of compression without a model, beside the least that any pass must do: to read every word once."""

import json
import re
from collections.abc import Iterator
from typing import Any

from archivist import compress
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, best, cpu_seconds

TOOLS = ("terminal", "read_file", "search_files", "mcp__github__get_issue")
WORD = re.compile(r"\w+")


def figures() -> Iterator[Figure]:
    """Both sizes, and how a pass grows with the conversation."""
    corpus = Corpus(7)
    spent = {}
    for count, budget in ((500, 30), (5_000, 300)):
        messages = conversation(corpus, count)
        texts = [str(message["content"]) for message in messages]
        target = sum(map(len, texts)) // 16  # a quarter of the tokens
        spent[count] = best(lambda given=messages, to=target: cpu_seconds(lambda: compress(given, to))) * 1e3
        reference = best(lambda said=texts: cpu_seconds(lambda: [WORD.findall(text) for text in said])) * 1e3
        size = sum(map(len, texts)) / 1e6
        name = f"compress {count:,} messages, {size:.1f} MB"
        yield Figure(name, "ms CPU", spent[count], reference, f"≤ {budget} ms", spent[count] <= budget)
    growth = spent[5_000] / spent[500]
    yield Figure("compress, ten times the messages", "times", growth, None, "≤ 12 times", growth <= 12)


def conversation(corpus: Corpus, count: int) -> list[dict[str, Any]]:
    """A conversation of an agent: a request, then calls with long outputs, as many characters as agents' have."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You are an agent."}]
    for number in range(count):
        kind = number % 20
        if kind == 0:
            messages.append({"role": "user", "content": corpus.text(number)[:600]})
        elif kind == 19:
            messages.append({"role": "assistant", "content": corpus.text(number)[:1_200]})
        elif kind % 2:
            messages.append(calling(corpus, number))
        else:
            said = "\n".join(corpus.text(20 * number + at) for at in range(5))
            messages.append({"role": "tool", "tool_call_id": f"c{number - 1}", "content": said[:2_600]})
    return messages[: count - count % 20]


def calling(corpus: Corpus, number: int) -> dict[str, Any]:
    """A message with a call, and a line on why it is made."""
    function = {"name": TOOLS[number % 4], "arguments": json.dumps({"command": corpus.text(number)[:80]})}
    call = {"id": f"c{number}", "type": "function", "function": function}
    return {"role": "assistant", "content": corpus.text(number)[:120], "tool_calls": [call]}
