"""Which agent a file tells of, when files of one name are told apart and exported again.

Ids in an agent file are its own and are given anew at each export, and so is the place of an agent in it; a name says little. What
stays is what was said. So of each agent the links of its conversation are kept: a digest of each message, together with the one
before it where its time is a full second and may be another message's too. An agent whose conversation goes on from a known one,
or is a beginning of it, is that agent; any other is a new one, whatever its file is called.
"""

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

MOST_LINKS = 4096
TAIL = 3
"""The last answer may have been made anew: so many messages at the end are looked at."""

BETWEEN = "|"


class Known(msgspec.Struct, frozen=True):
    """An agent that has been imported, by the id of its session."""

    external_id: str
    links: tuple[str, ...]

    def text(self) -> str:
        """For keeping."""
        return f"{self.external_id}{BETWEEN}{''.join(self.links)}"

    @classmethod
    def of(cls, kept: str) -> "Known":
        """A kept text."""
        external_id, _, links = kept.rpartition(BETWEEN)
        return cls(external_id, tuple(links[at : at + 8] for at in range(0, len(links), 8)))

    def is_same(self, links: Sequence[str]) -> bool:
        """Whether a conversation goes on from this one, or this one from it."""
        if not links or not self.links:
            return not links and not self.links
        return not (set(links).isdisjoint(self.links[-TAIL:]) and set(self.links).isdisjoint(links[-TAIL:]))


def links_of(digests: Iterable[tuple[str, bool]]) -> list[str]:
    """The links of a conversation, of digests of its messages and whether their times are to the fraction of a second."""
    links: list[str] = []
    before = ""
    for digest, is_precise in digests:
        told = digest if is_precise else f"{before}>{digest}"
        links.append(hashlib.blake2b(told.encode(), digest_size=4).hexdigest())
        before = digest
    return links


def name_agent(plain: str, file_name: str, links: Sequence[str], known: list[Known]) -> str:
    """The session of an agent; what is known of it is brought up to date.

    Args:
        plain: Its id, if no other agent has it.
        file_name: The part of it that names the file.
        links: The links of its conversation.
        known: The agents known by files of this name, which is changed.
    """
    found = next((one for one in known if one.is_same(links)), None)
    if found is not None:
        external_id = found.external_id
        known.remove(found)
    elif plain in {one.external_id for one in known}:
        mark = links[0] if links else "empty"
        external_id = f"{file_name}~{mark}{plain.removeprefix(file_name)}"
    else:
        external_id = plain
    known.append(Known(external_id, tuple(links[-MOST_LINKS:])))
    return external_id
