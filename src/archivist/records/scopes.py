"""Whose memory it is, and who may read it.

A scope names up to three things: a user, a chat (a group), a project. A memory is visible to a reader exactly when every
field that the memory sets equals the reader's; an unset field of the memory asks for nothing.
"""

from typing import Final, final

import msgspec


@final
class Scope(msgspec.Struct, frozen=True):
    """Where something was said: each field a key as the host names it, or None for unset."""

    user: str | None = None
    chat: str | None = None
    project: str | None = None

    def is_visible_to(self, reader: "Reader") -> bool:
        """Whether a memory of this scope may be shown to the reader."""
        if isinstance(reader, Everything):
            return True
        if isinstance(reader, Person):
            return self.user in (None, reader.user) and self.chat is None
        return (
            self.user in (None, reader.user)
            and self.chat in (None, reader.chat)
            and self.project in (None, reader.project)
        )


@final
class Person(msgspec.Struct, frozen=True):
    """A reader that is one person in all of their projects, but in no group."""

    user: str


@final
class Everything:
    """The reader that sees all scopes: only the owner's own command line asks with it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "EVERYTHING"


EVERYTHING: Final = Everything()
HOME_SCOPE: Final = Scope()
"""Of what the owner noted outside any project."""
OWNER: Final = Scope(user="owner")
"""Where something is said when nobody says where: by the owner, outside any project and group."""
OWNER_EVERYWHERE: Final = Person("owner")
"""What an unset scope reads: everything of the owner's, in every project, in no group."""

Reader = Scope | Person | Everything
"""Who asks: from one scope, as one person everywhere, or the explicit everything."""
