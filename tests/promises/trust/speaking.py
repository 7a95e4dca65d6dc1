"""Conversations in few words, from text files: who says what, what is called, what it gives, and what the agent notes at the end.

A scenario begins with `# NAME`. `user: …` is a person (`user NAME: …` one of a group), `agent: …` the model, `summary: …` what stands for
earlier messages, `call TOOL {…}` with `gives: …` below it a tool, `file KIND NAME: …` what the message before it carries beside its words.
`[compacted]` and the like give a message's state. `notes: …` is what the agent wants to note, `removes: …` what it wants gone. A `\\n` is
a new line.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from archivist.records import Message, Part, ToolCall


@dataclass
class Scenario:
    """A conversation, and what the agent wants to note then."""

    name: str
    messages: list[Message] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    removes: list[str] = field(default_factory=list)

    @property
    def asked(self) -> str:
        """What the agent wants, in short."""
        return next(iter((*self.notes, *self.removes)))


def scenarios(*files: str) -> list[Scenario]:
    """The scenarios of files beside this module."""
    texts = [(Path(__file__).parent / file).read_text("utf-8") for file in files]
    parts = [part for text in texts for part in re.split(r"(?m)^# ", text) if part.strip()]
    return [_scenario(part) for part in parts]


def _scenario(part: str) -> Scenario:
    name, *lines = [line for line in part.split("\n") if line.strip()]
    found = Scenario(name)
    for line in lines:
        _say(found, line)
    return found


def _say(found: Scenario, line: str) -> None:
    if line.startswith("call"):
        found.messages += _called(line, len(found.messages))
        return
    head, _, rest = line.partition(":")
    text = re.sub(r"\\(.)", lambda escaped: "\n" if escaped[1] == "n" else escaped[1], rest.strip(" "))
    what, *more = head.split(" ")
    state = next((one[1:-1] for one in more if one.startswith("[")), "active")
    names = [one for one in more if not one.startswith("[")]
    if what == "user":
        found.messages.append(Message("user", text, speaker=names[0] if names else None, state=state))
    elif what in {"agent", "summary"}:
        metadata = {"summary": True} if what == "summary" else {}
        found.messages.append(Message("assistant", text, metadata=metadata, state=state))
    elif what == "gives":
        found.messages[-1] = replace(found.messages[-1], text=text)
    elif what == "file":
        last = found.messages[-1]
        parts = last.parts or (Part("text", last.text),)
        found.messages[-1] = replace(
            last, parts=(*parts, Part(names[0], text, name=names[1] if len(names) > 1 else ""))
        )
    else:
        {"notes": found.notes, "removes": found.removes}[what].append(text)


def _called(line: str, number: int) -> Iterator[Message]:
    head, brace, arguments = line.partition("{")
    words = head.split()[1:]
    state = next((one[1:-1] for one in words if one.startswith("[")), "active")
    tool = next(one for one in words if not one.startswith("["))
    key, told = f"call{number}", json.dumps(json.loads(brace + arguments), ensure_ascii=False)
    yield Message("assistant", "", tool_calls=(ToolCall(key, tool, told),), state=state)
    yield Message("tool", "", tool_call_id=key, tool_name=tool, state=state)
