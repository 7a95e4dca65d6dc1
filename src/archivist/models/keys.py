"""The keys that are found for a provider: in variables of the environment, several in one or one in each, and where they are kept."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from archivist.models.pool import Key, named_keys
from archivist.records import ArchivistError

NOWHERE: Final = "none"
"""Where a key comes from that is none."""
_WHY: Final = "keys have no blanks and only plain letters"


class ModelKeyNotUsable(ArchivistError):
    """What stands where a key should is none."""

    def __init__(self, place: str) -> None:
        super().__init__(f"what {place} has is no key: {_WHY}; set it anew")


class Found(NamedTuple):
    """The keys of a provider.

    Attributes:
        keys: One without a text where there is none.
        left_out: Why others are not among them.
    """

    keys: tuple[Key, ...]
    left_out: tuple[str, ...] = ()


def keys_in(environ: Mapping[str, str], variable: str) -> list[tuple[str, str]]:
    """The keys of a variable and of its numbered ones (`X_API_KEY_2`, …), each with the variable that has it.

    Args:
        environ: The environment.
        variable: Its name; it may have several keys, with commas between them.
    """
    if not variable:
        return []
    numbered = re.compile(re.escape(variable) + r"_([1-9]\d{0,2})").fullmatch
    numbers = sorted(int(found[1]) for name in environ if (found := numbered(name)))
    names = [variable, *(f"{variable}_{number}" for number in numbers)]
    return [(key, name) for name in names for key in _split(environ.get(name, ""))]


def usable(found: Iterable[tuple[str, str]], *, also: tuple[str, ...] = ()) -> Found:
    """The keys that can be sent; what is none is left out, and said.

    Args:
        found: Texts, and where each comes from.
        also: Why others were left out already.

    Raises:
        ModelKeyNotUsable: There are some, and none of them is one.
    """
    good, bad = [], []
    for text, origin in found:
        try:
            good.append((checked_key(text, origin), origin))
        except ModelKeyNotUsable as error:
            bad.append((origin, error))
    if bad and not good:
        raise bad[0][1]
    told = dict.fromkeys(f"what {origin} has is no key and is left out: {_WHY}" for origin, _ in bad)
    return Found(named_keys(good) or (Key("no key", "", NOWHERE),), (*also, *told))


def checked_key(key: str, place: str) -> str:
    """A key, without the blanks around it.

    Raises:
        ModelKeyNotUsable: It is none.
    """
    key = key.strip()
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise ModelKeyNotUsable(place)
    return key


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


__all__ = ["NOWHERE", "Found", "ModelKeyNotUsable", "checked_key", "keys_in", "usable"]
