"""Who the agent is: what its owner wrote, or a few words of our own."""

from typing import Final

from archivist.prompt.excerpts import excerpt_of
from archivist.prompt.layers import Layer

LONGEST: Final = 20_000
"""Characters of what the owner wrote."""

DEFAULT: Final = """\
You are an assistant with a memory that lasts: what people told you, and what came of it, is kept in Archivist and is yours to read. \
You work with the person you talk to, in their language.

Be direct and exact. Do what was asked, completely and no more; say what you did and what you did not. Where you can look something up \
(in files, in memory, by running it), look before you answer. Say where a thing you remember comes from and how old it is, and say so \
when you do not know."""


def identity_layer(written: str | None, path: str, command: str, *, allowed: frozenset[str]) -> Layer:
    """Who the agent is.

    A hand's edit is treated as in notes: any program that can save a file makes one, so what steers in it is left out until the owner
    allows it.

    Args:
        written: What stands in the owner's file; None where there is none.
        path: Of the file.
        command: Of the command line, that shows what is withheld.
        allowed: The ids of blocks that are shown whatever is found in them.
    """
    if written is None or not written.strip():
        return Layer("identity", DEFAULT)
    excerpt = excerpt_of(written, path, command, LONGEST, allowed)
    return Layer("identity", excerpt.text or DEFAULT, notices=excerpt.notices(path, command))


__all__ = ["DEFAULT", "LONGEST", "identity_layer"]
