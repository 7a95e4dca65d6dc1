"""Why a piece of a curated text is no note, in the words of a report; docs/importing.md lists them, and a test compares the two."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from archivist.notes.passing_over import (
    EDITED,
    HIDES,
    NOTED,
    REJECTED,
    REMOVED,
    REPEATED,
    SAID,
    SUPERSEDED,
    WAITS,
    WORDLESS,
)

PERSONA: Final = "says who an agent is, not what it knows"
DREAMS: Final = "derived text (dreaming)"
COPY_OF_SESSION: Final = "copy of a session: not read"

NOTE_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        NOTED: "an entry has these words, from here or from an earlier import",
        SAID: "the report names that entry",
        REPEATED: "the first one counts",
        REMOVED: "it was taken out, or the import was that brought it",
        WAITS: "imports wait here ([review.md](review.md#what-waits)): the report names the id under which all of them wait",
        REJECTED: "you rejected just these before",
        EDITED: "the entry that it became says something else now",
        SUPERSEDED: "it holds no more; `archivist memory log` shows it",
        HIDES: "to be kept in a secret store; a note says only where",
        WORDLESS: "white space alone",
        PERSONA: "Letta: the block `persona`",
        DREAMS: "OpenClaw: made of other texts",
        COPY_OF_SESSION: "OpenClaw: written when a session ended, which is imported itself",
    }
)
"""Why a piece of a curated text is no note; beside them stands a damaged record."""
