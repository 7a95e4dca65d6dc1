"""Masking inside JSON-like values, such as the arguments of a tool call.

Every string is masked as text is; a string under a key that names a secret is masked whole.  Keys that hold
a secret are masked too; keys which that makes equal are numbered, so that no value is lost.  What a provider
needs back unchanged stays: signatures, encrypted reasoning and encoded data.  A value
without secrets comes back as the very same object, and a changed one shares all its unchanged parts.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import msgspec

from archivist.guard.entropy import is_generated, is_stand_in
from archivist.guard.names import kind_of_name
from archivist.guard.reading import Secret
from archivist.guard.secrets import is_masked, mask, mask_of
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPAQUE_KEYS = frozenset(
    {
        "signature",
        "encrypted_content",
        "encrypted_index",
        "encrypted_stdout",
        "thought_signature",
        "thoughtSignature",
    }
)
_ENCODED_KEY = "data"
_ENCODED = late_pattern(r"[A-Za-z0-9+/_=\r\n-]*")
_LEAST_KEYED_CHARS = 4
_LEAST_SECRET_KEY_CHARS = 12
"""Length of a dictionary key below which it cannot hold a secret and is not read."""


class _Branch(msgspec.Struct):
    """A dictionary or list on the way down: what is left of it and its changed children."""

    value: dict[object, object] | list[object] | tuple[object, ...]
    place: object
    left: Iterator[tuple[object, object]]
    key: str
    changed: dict[object, object] = msgspec.field(default_factory=dict)


def mask_value(value: object) -> tuple[object, tuple[Secret, ...]]:
    """`value` with the secrets in its strings masked, and what they were.

    Args:
        value: dictionaries, lists, tuples, strings and whatever else; only strings change.

    Returns:
        The same object when nothing changed, else a copy that shares unchanged parts; and the findings, whose
        positions are those in the string in which each was found.
    """
    secrets: list[Secret] = []
    if isinstance(value, str):
        return _mask_leaf(value, "", secrets), tuple(secrets)
    root = _branch(value, None, "")
    if root is None:
        return value, ()
    path = [root]
    while True:
        branch = path[-1]
        deeper = _walk(branch, secrets)
        if deeper:
            path.append(deeper)
            continue
        path.pop()
        done = _rebuilt(branch, _masked_keys(branch.value, secrets))
        if not path:
            return done, tuple(secrets)
        _keep(path[-1], branch.place, branch.value, done)


def _walk(branch: _Branch, secrets: list[Secret]) -> _Branch | None:
    """Mask the next strings of a branch, up to the next branch below it; None at its end."""
    for place, child in branch.left:
        key = place if isinstance(place, str) and isinstance(branch.value, dict) else branch.key
        if isinstance(child, str):
            _keep(branch, place, child, _mask_leaf(child, key, secrets))
        elif deeper := _branch(child, place, key if isinstance(child, list | tuple) else ""):
            return deeper
    return None


def _branch(value: object, place: object, key: str) -> _Branch | None:
    if isinstance(value, dict):
        return _Branch(value, place, iter(value.items()), key)
    if isinstance(value, list | tuple):
        return _Branch(value, place, iter(enumerate(value)), key)
    return None


def _keep(branch: _Branch, place: object, old: object, new: object) -> None:
    if new is not old:
        branch.changed[place] = new


def _masked_keys(value: object, secrets: list[Secret]) -> dict[object, str]:
    """New names for those keys of a dictionary that hold secrets; each is its own among all keys."""
    renamed: dict[object, str] = {}
    if not isinstance(value, dict):
        return renamed
    taken: set[object] = set()
    for key in value:
        if not isinstance(key, str) or len(key) < _LEAST_SECRET_KEY_CHARS or key.isalpha():
            continue
        masked = mask(key)
        if masked.secrets:
            secrets.extend(masked.secrets)
            taken = taken or set(value)
            renamed[key] = _numbered(masked.text, taken)
            taken.add(renamed[key])
    return renamed


def _numbered(key: str, taken: set[object]) -> str:
    return next(name for n in count(1) if (name := key if n == 1 else f"{key} {n}") not in taken)


def _rebuilt(branch: _Branch, renamed: dict[object, str]) -> object:
    """The value of a branch with its changed children and keys; the same object when there are none."""
    if not branch.changed and not renamed:
        return branch.value
    if isinstance(branch.value, dict):
        return {
            renamed.get(place, place): branch.changed.get(place, child)
            for place, child in branch.value.items()
        }
    children = [branch.changed.get(place, child) for place, child in enumerate(branch.value)]
    return children if isinstance(branch.value, list) else tuple(children)


def _mask_leaf(text: str, key: str, secrets: list[Secret]) -> str:
    """One string, masked whole if its key says so, else as text."""
    if key in _OPAQUE_KEYS or (key == _ENCODED_KEY and _ENCODED.fullmatch(text)):
        return text
    masked = mask(text)
    secrets.extend(masked.secrets)
    kind = kind_of_name(key) if key else None
    if kind is None or masked.secrets or not _is_keyed_secret(text, kind):
        return masked.text
    secrets.append(Secret(kind, 0, len(text)))
    return mask_of(kind, text)


def _is_keyed_secret(text: str, kind: str) -> bool:
    """Whether a string under a key which names a secret is one: a word, no placeholder, a token generated."""
    if (
        len(text) < _LEAST_KEYED_CHARS
        or any(c.isspace() for c in text)
        or is_stand_in(text)
        or is_masked(text)
    ):
        return False
    return kind in {"password", "secret", "api-key"} or is_generated(text, shortest=8)
