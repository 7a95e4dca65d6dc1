"""Which nodes of a conversation are messages, and what the others are."""

from datetime import datetime
from typing import Any

import msgspec

from archivist.records import Message, Role, State, ToolCall
from archivist.transfer.chatgpt.content import Words, fields_of, read_call, read_words
from archivist.transfer.containers import Assets
from archivist.transfer.json_text import json_of
from archivist.transfer.pieces import facts
from archivist.transfer.reasons import (
    BOOKKEEPING,
    BY_PROGRAM,
    DAMAGED,
    EMPTY,
    LONE_REASONING,
    REASONING_IDS,
    UNKNOWN_ROLE,
    Skipped,
)
from archivist.transfer.times import UNKNOWN, parse_time
from archivist.transfer.trees import Node, Tree

SOURCE = "chatgpt"
ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool"}
REASONING = ("thoughts", "reasoning_recap")
INSTRUCTIONS = f"{BY_PROGRAM}standing instructions"
VENDOR_MEMORY = f"{BY_PROGRAM}the vendor's own memory"
PROPOSALS = {"user_editable_context": INSTRUCTIONS, "model_editable_context": VENDOR_MEMORY}
NO_MESSAGE = f"{BOOKKEEPING}node without a message"
HIDDEN, SYSTEM = f"{BY_PROGRAM}hidden", f"{BY_PROGRAM}instructions"


class Turn(msgspec.Struct):
    """A node that is a message, and the reasoning before it."""

    key: str
    role: Role
    words: Words
    call: ToolCall | None = None
    answers: ToolCall | None = None
    tool: str | None = None
    thoughts: list[str] = msgspec.field(default_factory=list)


class Thread(msgspec.Struct, frozen=True):
    """A conversation, judged.

    Attributes:
        turns: Its messages, parents before their children and else by time.
        skipped: Reason and count of the nodes that are no part of one.
        path: The ids of the nodes that the person sees.
        times: The time of each node, where it has one.
    """

    tree: Tree
    nodes: dict[str, Any]
    times: dict[str, datetime | None]
    first_time: datetime
    turns: list[Turn]
    skipped: Skipped
    path: set[str]

    def message(self, conversation: str, turn: Turn, assets: Assets) -> Message:
        """A message, with the bytes of its images and uploads."""
        metadata = facts([turn.key], is_inferred=self.times[turn.key] is None)
        if turn.thoughts:
            metadata[REASONING_IDS] = turn.thoughts
        state: State = "active" if turn.key in self.path else "branch"
        return Message(
            role=turn.role,
            text=turn.words.text,
            parts=turn.words.parts(assets),
            tool_calls=(turn.call,) if turn.call else (),
            tool_call_id=turn.answers.id if turn.answers else None,
            tool_name=turn.tool,
            reasoning=self._reasoning(turn),
            created_at=self.tree.times[turn.key],
            client_id=f"{SOURCE}:{conversation}:{turn.key}",
            state=state,
            metadata=metadata,
        )

    def _reasoning(self, turn: Turn) -> str | None:
        blocks = [fields_of(self.nodes[key]["message"], "content") for key in turn.thoughts]
        return json_of(blocks) if blocks else None


def read_thread(conversation: dict[str, Any]) -> Thread:
    """Judge every node of a conversation once."""
    nodes = fields_of(conversation, "mapping")
    times = {key: _time(node) for key, node in nodes.items()}
    first_time = _first_time(conversation, times)
    parents = _parents(nodes)
    tree = Tree({key: Node(parents.get(key), times[key]) for key in nodes}, first_time)
    kinds = {key: _judge(key, nodes[key]) for key in tree.order}
    unclaimed = _relate(kinds, tree)
    skipped = Skipped(kind for kind in kinds.values() if isinstance(kind, str) and kind not in REASONING)
    skipped.add(LONE_REASONING, unclaimed)
    return Thread(
        tree=tree,
        nodes=nodes,
        times=times,
        first_time=first_time,
        turns=[kind for kind in kinds.values() if isinstance(kind, Turn)],
        skipped=skipped,
        path=tree.path_to(_current(conversation, tree, kinds)),
    )


Judged = Turn | str
"""A message, or why a node is none."""


def _judge(key: str, node: object) -> Judged:
    """What a node is; reasoning is told by its content type."""
    message = node.get("message") if isinstance(node, dict) else DAMAGED
    if message is None:
        return NO_MESSAGE
    if not isinstance(message, dict):
        return DAMAGED
    kind = str(fields_of(message, "content").get("content_type"))
    if kind in PROPOSALS:
        return PROPOSALS[kind]
    if reason := _hidden(message):
        return reason
    return kind if kind in REASONING else _turn(key, kind, message)


def _hidden(message: dict[str, Any]) -> str | None:
    metadata = fields_of(message, "metadata")
    if metadata.get("is_user_system_message") is True:
        return INSTRUCTIONS
    if metadata.get("is_visually_hidden_from_conversation") is True or message.get("weight") == 0:
        return HIDDEN
    return SYSTEM if fields_of(message, "author").get("role") == "system" else None


def _turn(key: str, kind: str, message: dict[str, Any]) -> Judged:
    author = fields_of(message, "author")
    role = ROLES.get(str(author.get("role")))
    if role is None:
        return UNKNOWN_ROLE
    if role == "tool" or kind == "execution_output":
        name = author.get("name")
        return Turn(key, "tool", read_words(message), tool=name if isinstance(name, str) and name else None)
    call = read_call(key, message) if role == "assistant" else None
    if call:
        return Turn(key, role, Words(""), call)
    words = read_words(message)
    return EMPTY if words.is_empty else Turn(key, role, words)


def _relate(kinds: dict[str, Judged], tree: Tree) -> int:
    """Give answers the reasoning before them, and results the calls that they answer; gives how much reasoning is left over."""
    nearest: dict[str, Turn | None] = {}
    passed: set[str] = set()
    for key, kind in kinds.items():
        above = nearest.get(tree.parents[key] or "")
        nearest[key] = kind if isinstance(kind, Turn) else above
        if not isinstance(kind, Turn):
            continue
        if kind.role == "assistant":
            kind.thoughts = _thoughts_before(key, kinds, tree, passed)
        elif kind.role == "tool" and above:
            kind.answers = above.answers if above.role == "tool" else above.call
            kind.tool = kind.tool or (kind.answers.name if kind.answers else None)
    return sum(kind in REASONING and key not in passed for key, kind in kinds.items())


def _thoughts_before(key: str, kinds: dict[str, Judged], tree: Tree, passed: set[str]) -> list[str]:
    """The reasoning between a message and the one above it, the first answer to have it; `passed` grows by what was looked at."""
    thoughts: list[str] = []
    for above in tree.above(key):
        if isinstance(kinds[above], Turn) or above in passed:
            break
        passed.add(above)
        if kinds[above] in REASONING:
            thoughts.append(above)
    return thoughts[::-1]


def _current(conversation: dict[str, Any], tree: Tree, kinds: dict[str, Judged]) -> str | None:
    """The node that the person saw last; where the export does not say so, the newest end that is a message."""
    current = conversation.get("current_node")
    if isinstance(current, str) and current in kinds:
        return current
    ends = list(tree.leaves())
    return next((key for key in ends if isinstance(kinds[key], Turn)), ends[0] if ends else None)


def _parents(nodes: dict[str, Any]) -> dict[str, str]:
    """The parent of each node: the one that it names, else the one that names it a child."""
    named: dict[str, str] = {}
    for key, node in nodes.items():
        children = node.get("children") if isinstance(node, dict) else None
        for child in children if isinstance(children, list) else ():
            if isinstance(child, str):
                named.setdefault(child, key)
    for key, node in nodes.items():
        parent = node.get("parent") if isinstance(node, dict) else None
        if isinstance(parent, str) and (parent in nodes or key not in named):
            named[key] = parent
    return named


def _first_time(conversation: dict[str, Any], times: dict[str, datetime | None]) -> datetime:
    """A time that is the same in every later export: that of the earliest message, else the conversation's own."""
    known = [time for time in times.values() if time]
    if known:
        return min(known)
    own = (parse_time(conversation.get(name)) for name in ("create_time", "update_time"))
    return next((time for time in own if time), UNKNOWN)


def _time(node: object) -> datetime | None:
    message = node.get("message") if isinstance(node, dict) else None
    return parse_time(message.get("create_time")) if isinstance(message, dict) else None
