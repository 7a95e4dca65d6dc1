"""The rest of a summary beside the lines that are kept: what a model tells, or what rules do, and nothing in it that the lines contradict.

What is done is not told as open, what was replaced is not told without what replaced it, and what is kept word for word is not told again.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from archivist.compress.lines import Line
from archivist.compress.openai_form import calls_in, function_of
from archivist.compress.pruning import line_for
from archivist.compress.reading import Read
from archivist.compress.sections import HEADING, Sections, read_told
from archivist.compress.summarising import Passage
from archivist.compress.summary_form import body_of, is_summary, section_of
from archivist.compress.weighing import commonplace, is_coded, telling_words

_SPEAKERS: Final = {"user": "owner", "assistant": "agent", "system": "host", "developer": "host"}
_OUTPUT_CHARS: Final = 1_500
_CALL_CHARS: Final = 160


def told_before(read: Iterable[Read]) -> Sections:
    """What the summaries among messages told."""
    told: dict[str, tuple[str, ...]] = {}
    for one in read:
        if is_summary(one.message):
            told |= read_told(section_of(body_of(one.text), HEADING))
    return told


def passages_of(read: Iterable[Read]) -> Iterator[Passage]:
    """Messages as a model is given them; of a long output its line and its beginning."""
    for one in read:
        if is_summary(one.message):
            continue
        if one.role == "tool":
            yield Passage(one.key, one.tool or "tool", _output(one), is_output=True)
        else:
            text = "\n".join(filter(None, (one.text, *_calls(one))))
            if text:
                yield Passage(one.key, _SPEAKERS[one.role], text)


def _output(one: Read) -> str:
    if len(one.text) <= _OUTPUT_CHARS:
        return one.text
    return f"{line_for(one)}\n{one.text[:_OUTPUT_CHARS]} …"


def _calls(one: Read) -> Iterator[str]:
    for call in calls_in(one.message):
        function = function_of(call)
        yield f"(calls {function.get('name')} {json.dumps(function.get('arguments'), ensure_ascii=False)[:_CALL_CHARS]})"


def in_keeping_with(told: Sections, kept: Sequence[Line]) -> dict[str, tuple[str, ...]]:
    """What is told without what the kept lines say otherwise, or say themselves."""
    if not told:
        return {}
    done = [set(_words(f"{line.text} {line.report[1]}")) for line in kept if line.report and line.is_done]
    replaced = [pair for line in kept for pair in _replaced(line)]
    texts = {" ".join(line.text.split()) for line in kept}

    def holds(title: str, line: str) -> bool:
        words = set(_words(line))
        if title == "Open asks" and any(_is_about(words, one) for one in done):
            return False
        if any(old & words and not new & words for old, new in replaced):
            return False
        return not any(text in " ".join(line.split()) for text in texts)

    return _filtered(told, holds)


def _filtered(told: Sections, holds: Callable[[str, str], bool]) -> dict[str, tuple[str, ...]]:
    kept = {title: tuple(line for line in lines if holds(title, line)) for title, lines in told.items()}
    return {title: lines for title, lines in kept.items() if lines}


def _replaced(line: Line) -> Iterator[tuple[set[str], set[str]]]:
    """The values that were replaced, and those that replaced them."""
    new = {word for word in telling_words(line.text) if is_coded(word)}
    for one in line.earlier:
        old = {word for word in telling_words(one.text) if is_coded(word)}
        if one.is_replaced and old and new - old:
            yield old, new - old


def _words(text: str) -> list[str]:
    return [word for word in telling_words(text) if not commonplace(word)]


def _is_about(words: set[str], request: set[str]) -> bool:
    both = words & request
    return len(both) >= 2 and 2 * len(both) >= len(words)


__all__ = ["in_keeping_with", "passages_of", "told_before"]
