"""What untrusted text a conversation holds, and what its owner said in it: read off the stored messages alone.

Nobody says of a message where its words are from; it is told by who has the turn, which tool was called with which arguments, and by the
words themselves. What a machine printed (a listing, a test run, the project's own source) is `local`: untrusted only where it speaks to
whoever reads it. What an undo took back, and paths that were left, are of no conversation. A summary holds what it stands for.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

import msgspec

from archivist.guard.origins.addressing import addressing_sentence
from archivist.guard.origins.finds import Recalled, finds_in, origin_of_find
from archivist.guard.origins.prints import TextOrigin, origin_of_print
from archivist.guard.origins.speech import speech_in
from archivist.guard.origins.taken_back import left_of, takes_the_last_back
from archivist.guard.origins.tools import Call, Family, family_by_name, family_of, is_archivists
from archivist.records import OWNER, Message, Scope
from archivist.records.compactions import compactions_in, stands_for_more
from archivist.records.messages import BACKGROUND
from archivist.records.patterns import late_pattern

_OF_FAMILY: Final[dict[Family, TextOrigin]] = {
    "web": "web",
    "document": "document",
    "tool": "tool",
    "agent": "agent",
}
_HELD: Final = frozenset({"active", "compacted"})
_SHOWN_PARTS: Final = frozenset({"document", "file", "image", "audio", "video"})
_FOUND_PARTS: Final = late_pattern(
    r"(?P<web>web|search|fetch|url|citation|browser|computer)|mcp|tool_result|code_execution|server_tool",
    re.IGNORECASE,
)


class Passage(msgspec.Struct, frozen=True):
    """Untrusted text of a conversation.

    Attributes:
        text: The words.
        message_id: The message that has them.
        tool: The tool that brought them, where one did.
    """

    text: str
    origin: TextOrigin
    message_id: int | None = None
    session_id: str | None = None
    tool: str | None = None


class Context(msgspec.Struct, frozen=True):
    """A conversation up to a call: what it holds still, of all sessions that it goes through.

    Attributes:
        speech: Reads what goes under people's names.
        latest: Reads all of it, the latest first.
        scope: Where it is held.
        recalled: Tells of messages of other conversations that were recalled in this one.
        delegated: Sessions in which an agent speaks in the person's place, and whose own conversation is read here too.
        is_whole: Whether what its summaries stand for is read here too.
        fresh: Reads the latest as `latest` does, without those of which `cleared` was told; where unset, all of them.
        cleared: Told of each message that holds nothing untrusted and never will.
        unreadable: Why it cannot be read, in words that "so" can follow: then everything in it is untrusted. Empty where it can.
    """

    speech: Callable[[], Sequence[Message]]
    latest: Callable[[], Iterable[Message]]
    scope: Scope = OWNER
    recalled: Recalled | None = None
    delegated: frozenset[str] = frozenset()
    is_whole: bool = False
    fresh: Callable[[], Iterable[Message]] | None = None
    cleared: Callable[[Message], None] | None = None
    unreadable: str = ""

    @classmethod
    def of(
        cls,
        messages: Sequence[Message],
        scope: Scope = OWNER,
        *,
        recalled: Recalled | None = None,
        delegated: frozenset[str] = frozenset(),
    ) -> "Context":
        """The context of messages in their order; what was undone and what stands on paths that were left is passed over."""
        held = [message for message in messages if message.state in _HELD]
        speech = [message for message in held if message.role == "user"]
        is_whole = any(message.state == "compacted" for message in held)
        return cls(lambda: speech, lambda: reversed(held), scope, recalled, delegated, is_whole)

    @classmethod
    def unknown(cls, why: str) -> "Context":
        """That of a conversation that cannot be read."""
        return cls(tuple, tuple, unreadable=why)


class Judged(msgspec.Struct, frozen=True):
    """A message that was looked at.

    Attributes:
        passages: What of it is untrusted.
        is_settled: Whether nothing that follows changes this, nor is needed to judge what follows.
    """

    message: Message
    passages: tuple[Passage, ...]
    is_settled: bool = True


def owners_words(context: Context, near: Callable[[str], bool] | None = None) -> Iterator[tuple[str, ...]]:
    """What the owner said themselves and did not take back, message by message, in paragraphs; of a group, who is named as the owner.

    Args:
        context: The conversation.
        near: Whether a message is looked at at all, by all of its text.
    """
    people = _People.of(context)
    said = [message for message in context.speech() if people.is_owner(message)]
    for message, after in zip_longest(said, said[1:]):
        if near is None or near(message.text):
            left = left_of(speech_in(message.text).own)
            if left and not (after and takes_the_last_back(speech_in(after.text).own)):
                yield left


def untrusted_in(context: Context, *, beyond: int | None = None) -> Iterator[Passage]:
    """The untrusted texts, the latest first.

    Args:
        context: The conversation.
        beyond: How many messages before the latest one that has any are still looked at; all where unset.
    """
    left = beyond
    is_found = False
    for judged in judged_in(context):
        yield from judged.passages
        is_found |= bool(judged.passages)
        if context.cleared is not None and judged.is_settled and not judged.passages:
            context.cleared(judged.message)
        if is_found and left is not None:
            left -= 1
            if left < 0:
                return


def judged_in(context: Context) -> Iterator[Judged]:
    """Each message with what of it is untrusted, the latest first; a result of a tool when its call was found."""
    people, waiting = _People.of(context), dict[str, list[Message]]()
    summaries = list[Message]()
    for message in (context.fresh or context.latest)():
        if message.metadata.get("summary") is True:
            summaries.append(message)
        elif message.role == "user":
            yield Judged(message, tuple(_in_speech(message, people)))
        elif message.role == "tool":
            waiting.setdefault(message.tool_call_id or "", []).append(message)
        elif message.role == "assistant":
            yield from _in_turn(message, waiting, context)
    for results in waiting.values():
        yield from (Judged(one, tuple(_in_result(one, None, context.recalled))) for one in results)
    for message in summaries:
        passages = () if context.is_whole else (_passage(message, message.text, "unknown"),)
        yield Judged(message, passages, is_settled=False)


def _in_turn(message: Message, waiting: dict[str, list[Message]], context: Context) -> Iterator[Judged]:
    """What a model said, and what the tools answered that it called."""
    is_settled = True
    for call in message.tool_calls:
        results = waiting.pop(call.id, [])
        is_settled &= bool(results)
        told = Call(call.name, call.arguments)
        yield from (Judged(one, tuple(_in_result(one, told, context.recalled))) for one in results)
    yield Judged(message, (*_in_answer(message), *_before_all(message, context)), is_settled)


def _before_all(message: Message, context: Context) -> Iterator[Passage]:
    """Of what a provider compressed that was said before anybody here said anything: nobody knows whose words it holds."""
    blocks = [block for block in compactions_in(message.reasoning) if stands_for_more(block)]
    if blocks and not any(_is_before(one, message) for one in context.speech()):
        yield _passage(message, str(blocks[-1].get("content") or ""), "unknown")


def _is_before(one: Message, message: Message) -> bool:
    return one.created_at is None or message.created_at is None or one.created_at <= message.created_at


def passages_of(message: Message, call: Call | None, scope: Scope) -> tuple[Passage, ...]:
    """What of one message is untrusted, whatever stands around it.

    Args:
        message: The message.
        call: Of a tool's result, the call that it answers.
        scope: Where it was said.
    """
    people = _People.of(Context.of([message], scope))
    found = {
        "user": _in_speech(message, people),
        "assistant": _in_answer(message),
        "tool": _in_result(message, call, None),
    }
    return tuple(found.get(message.role, ()))


def printed_in(context: Context) -> Iterator[Passage]:
    """What this machine printed, and the code and logs that the owner showed, in order; between them, what the agent wrote into its calls.

    A passage of the agent's own has the tool's name and no message. Calls of Archivist's tools are not told.
    """
    held = list(context.latest())[::-1]
    calls = {call.id: Call(call.name, call.arguments) for message in held for call in message.tool_calls}
    for message in held:
        if message.role == "tool" and _family(message, calls.get(message.tool_call_id or "")) == "local":
            yield _passage(message, message.text, "tool", message.tool_name)
        elif message.role == "user":
            yield from (_passage(message, text, "document") for text in speech_in(message.text).printed)
        for call in message.tool_calls:
            if family_of(Call(call.name)) != "own":
                yield Passage(call.arguments, "agent", tool=call.name)


class _People(msgspec.Struct, frozen=True):
    """Who speaks in a conversation.

    Attributes:
        names: Those of the owner.
        is_group: Whether others speak there too.
        is_chat: Whether it is a group's by where it is held: then who is not named is nobody's owner either.
        delegated: Sessions in which an agent speaks in the person's place.
    """

    names: frozenset[str]
    is_group: bool
    is_chat: bool
    delegated: frozenset[str]

    @classmethod
    def of(cls, context: Context) -> "_People":
        names = frozenset(name for name in (OWNER.user, context.scope.user) if name)
        speakers = {message.speaker or "" for message in context.speech() if not _is_written(message)}
        is_chat = context.scope.chat is not None
        is_group = is_chat or bool(speakers - names - {""} and len(speakers) > 1)
        return cls(names, is_group, is_chat, context.delegated)

    def is_agent(self, message: Message) -> bool:
        """Whether an agent speaks in the person's place."""
        return message.metadata.get("by") == "agent" or message.session_id in self.delegated

    def is_owner(self, message: Message) -> bool:
        """Whether the owner wrote a message."""
        if self.is_agent(message) or _is_written(message):
            return False
        if message.speaker is None:
            return not self.is_chat
        return message.speaker in self.names or not self.is_group


def _is_written(message: Message) -> bool:
    """Whether what goes under a person's name was said by nobody to the agent: a summary, or what was only overheard."""
    return message.metadata.get("summary") is True or message.metadata.get("observed") is True


def _family(message: Message, call: Call | None) -> Family:
    return family_of(call) if call is not None else family_by_name(message.tool_name or "")


def _passage(message: Message, text: str, origin: TextOrigin, tool: str | None = None) -> Passage:
    return Passage(text, origin, message.id, message.session_id, tool)


def _in_speech(message: Message, people: _People) -> Iterator[Passage]:
    """Of what goes under a person's name: another's words, and what was shown."""
    if people.is_agent(message):
        if not people.delegated:  # else what the agent had read is read here too
            yield _passage(message, message.text, "agent")
        return
    if not people.is_owner(message):
        yield _passage(message, message.text, "member")
        return
    yield from (
        _passage(message, part.text or part.name, "document")
        for part in message.parts
        if part.kind not in {"text", BACKGROUND}  # whatever else it is, it was not typed
    )
    speech = speech_in(message.text)
    yield from (_passage(message, text, "document") for text in speech.shown)
    for text in speech.printed:
        if addressing_sentence(text):
            yield _passage(message, text, "document")


def _in_answer(message: Message) -> Iterator[Passage]:
    """Of what a model said: what its provider looked up for it."""
    for part in message.parts:
        if part.kind != "text" and (found := _FOUND_PARTS.search(part.kind)):
            yield _passage(message, part.text, "web" if found["web"] else "tool", part.kind)


def _in_result(message: Message, call: Call | None, recalled: Recalled | None) -> Iterator[Passage]:
    """Of what a tool gave."""
    family, name = _family(message, call), (call.name if call else message.tool_name) or ""
    if family in _OF_FAMILY:
        yield _passage(message, message.text, _OF_FAMILY[family], name)
    elif family == "own":
        yield from _in_finds(message, name, recalled)
    elif family == "local" and message.metadata.get("kept_elsewhere") is True:
        yield _passage(
            message, "", "unknown", name
        )  # our command line told something, and nobody knows any more what
    elif family == "local" and message.metadata.get("by") != "host":
        origin = origin_of_print(message.text)
        yield from () if origin is None else [_passage(message, message.text, origin, name)]
    yield from (
        _passage(message, part.text or part.name, "document", name)
        for part in message.parts
        if part.kind in _SHOWN_PARTS
    )


def _in_finds(message: Message, name: str, recalled: Recalled | None) -> Iterator[Passage]:
    """Of what Archivist's tools found: each find is whose it was where it was said."""
    if name.lower().endswith(("memory", "skills_list", "skill_view", "skill_manage")) and (
        is_archivists(name) or name.lower() == "memory"
    ):
        return
    finds = finds_in(message.text)
    if finds is None:
        is_cut = message.text.lstrip().startswith(("{", "["))
        if is_cut or message.metadata.get("kept_elsewhere") is True:
            yield _passage(message, message.text, "unknown", name)
        elif (origin := origin_of_print(message.text)) is not None:
            yield _passage(message, message.text, origin, name)
        return
    for find in finds:
        origin = origin_of_find(find, recalled)
        if origin is not None:
            yield _passage(message, str(find.get("text", "")), origin, name)


TRUSTED: Final = Context(tuple, tuple)
"""A conversation for which whoever asks vouches."""

__all__ = [
    "TRUSTED",
    "Context",
    "Judged",
    "Passage",
    "Recalled",
    "TextOrigin",
    "judged_in",
    "owners_words",
    "passages_of",
    "printed_in",
    "untrusted_in",
]
