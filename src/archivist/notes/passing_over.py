"""Why a statement of another program becomes no entry."""

from typing import Final

NOTED: Final = "noted already"
SAID: Final = "an entry says it in other words"
REPEATED: Final = "told twice in the source"
REMOVED: Final = "removed here, stays away"
EDITED: Final = "edited here, stays as it is"
SUPERSEDED: Final = "superseded in its source: kept in the history alone"
HIDES: Final = "holds a secret"
WORDLESS: Final = "has no words"
WAITS: Final = "waits until you have accepted it"
REJECTED: Final = "rejected in your review, stays away"
