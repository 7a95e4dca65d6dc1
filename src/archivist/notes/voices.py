"""Whose words an entry is: only who said something closes it by saying otherwise.

A voice is a person, by the name that the host has for them, or a kind of program. What a program noted rests on a person's words where all
of its sources are messages of that person; else it is the program's own. In a group nobody knows who had an entry noted that names no
source.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, Literal

import msgspec

from archivist.notes.folding import Known
from archivist.records import OWNER, Scope
from archivist.records.notes import EntryOrigin, Quote

SpeakersOf = Callable[[Collection[int]], Mapping[int, str | None]]
"""Who said some messages, by id: None for what no person said; what is not there is left out."""

Teller = Literal["person", "agent", "import", "unknown"]
_TOLD_BY: Final[dict[EntryOrigin, Teller]] = {
    "user": "person",
    "hand": "person",
    "agent": "agent",
    "distilled": "agent",
    "import": "import",
    "provider": "import",
    "tool": "import",
    "web": "import",
    "document": "import",
}


class Voice(msgspec.Struct, frozen=True):
    """Who says something.

    Attributes:
        name: Of a person.
    """

    told: Teller
    name: str = ""


def speaker_of(
    origin: EntryOrigin, scope: Scope, sources: Sequence[Quote], speakers_of: SpeakersOf
) -> str | None:
    """The person whose words are noted; None where they are a program's, or nobody knows."""
    if sources and origin in {"agent", "distilled", "user"}:
        said = speakers_of([quote.message_id for quote in sources if quote.message_id is not None])
        names = {said.get(quote.message_id or 0) for quote in sources}
        name = names.pop() if len(names) == 1 else None
        if name is not None or origin != "user":
            return name
    if origin == "hand" or (origin == "user" and scope.chat is None and scope.user is None):
        return OWNER.user
    return scope.user if origin == "user" else None


def voice_of(known: Known, scope: Scope) -> Voice:
    """Who says an entry.

    Args:
        known: The entry.
        scope: Whose the notes are that it stands in.
    """
    return voice(known.origin, known.speaker or _by_place(known, scope))


def voice(origin: EntryOrigin, speaker: str | None) -> Voice:
    """Who says what comes from somewhere, by the person if there is one."""
    if speaker is not None:
        return Voice("person", speaker)
    told = _TOLD_BY[origin]
    return Voice("unknown" if told == "person" else told)


def may_close(one: Voice, known: Known, scope: Scope) -> bool:
    """Whether the words of one may close an entry: their own, and in their own notes what programs noted for them."""
    other = voice_of(known, scope)
    if known.pinned and one.told != "person":
        return False
    if one == other:
        return one.told in {"person", "agent"}
    is_at_home = one.told == "person" and scope.chat is None and one.name == (scope.user or OWNER.user)
    return is_at_home and other.told in {"agent", "import"}


def _by_place(known: Known, scope: Scope) -> str | None:
    """Of an entry that a person noted before it was written down who: whoever the notes belong to."""
    if known.origin == "hand":
        return OWNER.user
    return (scope.user or OWNER.user) if known.origin == "user" and scope == Scope(user=scope.user) else None


__all__ = ["SpeakersOf", "Voice", "may_close", "speaker_of", "voice", "voice_of"]
