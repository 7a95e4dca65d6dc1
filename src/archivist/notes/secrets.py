"""No note holds a secret: notes are carried in every prompt, and are read by whoever reads the files."""

from collections.abc import Iterable
from typing import Final

from archivist.guard import find_secrets
from archivist.records import ArchivistError

KEPT_PROPERLY: Final = (
    "keep it in an environment variable or in the system's keyring, and note only where it is kept"
)
TAKEN_OUT: Final = f"take it out of the file and change it, since earlier versions of the file still have it; {KEPT_PROPERLY}"
"""Of one that a hand has written into a file."""


class SecretInNote(ArchivistError):
    """A text was not noted, because a secret stands in it.

    Attributes:
        kinds: What was found, each once; the secrets themselves are nowhere.
    """

    def __init__(self, kinds: Iterable[str]) -> None:
        self.kinds = tuple(dict.fromkeys(kinds))
        super().__init__(f"this holds a secret ({', '.join(self.kinds)}) and was not noted: {KEPT_PROPERLY}")


def refuse_secrets(text: str) -> None:
    """Do nothing, unless a text holds a secret.

    Raises:
        SecretInNote: It does.
    """
    if found := find_secrets(text):
        raise SecretInNote(secret.kind for secret in found)


__all__ = ["TAKEN_OUT", "SecretInNote", "refuse_secrets"]
