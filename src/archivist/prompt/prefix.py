"""What a request is to a cache: the list of its tools, its prompt and its messages, each known again by a digest.

A provider reads from its cache what a request has in common with the beginning of one before. Of that the list is the measure: nothing
that may differ without harm is in it, neither marks of where a cache should end nor thoughts that are sent within one turn alone. The
digests are keyed, so that nobody who finds them can try whether a guess at a message is right.
"""

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from archivist.records.digest import blake2b
from archivist.records.requests import Request
from archivist.records.tokens import estimate_tokens

Kind = Literal["tools", "system", "message"]
KINDS: Final[tuple[Kind, ...]] = ("tools", "system", "message")
"""In the order in which a provider reads them."""

Change = Literal["added", "removed", "reordered", "changed", "rewound"]
"""How a list goes on otherwise than the one before: `rewound` where everything from there on is gone or other."""

MARKS: Final = frozenset(("cache_control", "prompt_cache_breakpoint"))
PASSING: Final = frozenset(("reasoning_content", "reasoning"))
"""Thoughts of which no provider wants anything behind the turn in which they were thought."""
PICTURE_TOKENS: Final = 1_500
"""Of a picture or a file, about: its bytes say nothing of them."""
DIGEST_BYTES: Final = 8

_PACKED: Final = struct.Struct(f">B{DIGEST_BYTES}sI")
_MOST: Final = (1 << 32) - 1
_HEAVY: Final = frozenset(("image_url", "image", "file", "document", "input_audio"))


class Block(msgspec.Struct, frozen=True):
    """One entry of the list: a tool, the prompt or a message; its tokens are an estimate."""

    kind: Kind
    digest: bytes
    tokens: int


class Break(msgspec.Struct, frozen=True):
    """Where a list leaves the one before.

    Attributes:
        kind: Of what.
        number: Which one of that kind, from 1.
        why: How.
    """

    kind: Kind
    number: int
    why: Change


class Shared(msgspec.Struct, frozen=True):
    """What a list has in common with the beginning of the one before.

    Attributes:
        blocks: How many entries.
        tokens: Of these, by the estimate.
        broke: Where it leaves it; None where all of the one before is its beginning.
    """

    blocks: int
    tokens: int
    broke: Break | None = None


class Lister:
    """Makes the lists of the requests of one conversation: what was met before is not estimated again.

    Args:
        key: With which digests are made; at most 64 bytes.
    """

    def __init__(self, key: bytes = b"") -> None:
        self._key = key
        self._tokens: dict[bytes, int] = {}

    def learn(self, blocks: Sequence[Block]) -> None:
        """Take over what is known of the blocks of an earlier request."""
        self._tokens.update((block.digest, block.tokens) for block in blocks)

    def blocks(self, request: Request) -> tuple[Block, ...]:
        """The list of a request."""
        return tuple(self._block(kind, value) for kind, value in _listed(request))

    def _block(self, kind: Kind, value: Any) -> Block:  # noqa: ANN401 - JSON
        raw = canonical(value)
        digest = blake2b(raw, digest_size=DIGEST_BYTES, key=self._key, person=kind.encode()).digest()
        tokens = self._tokens.get(digest)
        if tokens is None:
            tokens = self._tokens[digest] = _estimated(value, raw)
        return Block(kind, digest, tokens)


def prefix_of(request: Request) -> tuple[bytes, ...]:
    """The list itself, each entry in one form of JSON; within an epoch one is a beginning of the next."""
    return tuple(canonical([kind, value]) for kind, value in _listed(request))


def canonical(value: object) -> bytes:
    """JSON without blanks, names in the order in which they stand: in another one they would be sent as other bytes."""
    try:
        return msgspec.json.encode(value, enc_hook=_plain)
    except UnicodeEncodeError:  # half of a pair of surrogates, which a tool's output may end in
        return json.dumps(value, separators=(",", ":"), default=_plain).encode()


def compared(before: Sequence[Block], now: Sequence[Block]) -> Shared:
    """What a list has in common with the beginning of the one before, and where it leaves it."""
    most = min(len(before), len(now))
    blocks = next((place for place in range(most) if not _is_same(before[place], now[place])), most)
    tokens = sum(block.tokens for block in now[:blocks])
    return Shared(blocks, tokens, _break(before, now, blocks) if blocks < len(before) else None)


def packed(blocks: Sequence[Block]) -> bytes:
    """A list as bytes, to be kept."""
    return b"".join(
        _PACKED.pack(KINDS.index(block.kind), block.digest, min(block.tokens, _MOST)) for block in blocks
    )


def unpacked(kept: bytes) -> tuple[Block, ...]:
    """The list that bytes were made of; empty where they are of none."""
    try:
        return tuple(Block(KINDS[kind], digest, tokens) for kind, digest, tokens in _PACKED.iter_unpack(kept))
    except (struct.error, IndexError):
        return ()


# ---- the list ----


def _listed(request: Request) -> Iterator[tuple[Kind, Any]]:
    for tool in request.tools:
        yield "tools", [tool.name, tool.description, tool.schema]
    if request.system:
        yield "system", request.system
    for message in request.messages:
        yield "message", _lasting(message)


def _lasting(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message without marks and without what is sent within a turn alone."""
    content = message.get("content")
    if isinstance(content, list) and any(_is_marked(part) for part in content):
        message = {**message, "content": [_unmarked(part) for part in content]}
    if message.keys().isdisjoint(MARKS) and message.keys().isdisjoint(PASSING):
        return message
    return {name: value for name, value in message.items() if name not in MARKS and name not in PASSING}


def _is_marked(part: object) -> bool:
    return isinstance(part, Mapping) and not MARKS.isdisjoint(part)


def _unmarked(part: object) -> object:
    if not isinstance(part, Mapping):
        return part
    return {name: value for name, value in part.items() if name not in MARKS}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(type(value).__name__)


def _estimated(value: object, raw: bytes) -> int:
    """Tokens of an entry, about; what is no text counts as a picture does."""
    content = value.get("content") if isinstance(value, Mapping) else None
    heavy = [part for part in content if _is_heavy(part)] if isinstance(content, list) else []
    if not heavy or not isinstance(value, Mapping) or not isinstance(content, list):
        return estimate_tokens(raw.decode("utf-8"))
    light = {**value, "content": [part for part in content if not _is_heavy(part)]}
    return estimate_tokens(canonical(light).decode("utf-8")) + PICTURE_TOKENS * len(heavy)


def _is_heavy(part: object) -> bool:
    return isinstance(part, Mapping) and part.get("type") in _HEAVY


# ---- what became of it ----


def _is_same(one: Block, other: Block) -> bool:
    return one.digest == other.digest and one.kind == other.kind


def _break(before: Sequence[Block], now: Sequence[Block], shared: int) -> Break:
    here = [before[shared].kind, *(block.kind for block in now[shared : shared + 1])]
    kind = min(here, key=KINDS.index)
    number = 1 + sum(block.kind == kind for block in before[:shared])
    return Break(kind, number, _change(_left(before, shared, kind), _left(now, shared, kind), kind))


def _left(blocks: Sequence[Block], shared: int, kind: Kind) -> list[bytes]:
    return [block.digest for block in blocks[shared:] if block.kind == kind]


def _change(before: list[bytes], now: list[bytes], kind: Kind) -> Change:
    """How the rest of one kind differs from what it was."""
    if sorted(before) == sorted(now):
        return "reordered"
    if kind != "message":
        return _gained_or_lost(before, now) or "changed"
    if not now:
        return "rewound"
    if set(before).isdisjoint(now):
        return "rewound" if len(now) <= len(before) else "changed"
    return _gained_or_lost(before, now[: len(before)]) or "changed"


def _gained_or_lost(before: list[bytes], now: list[bytes]) -> Change | None:
    """Whether it is only that some came, or only that some went."""
    if not before or before[0] in now[1:]:
        return "added"
    if not now or now[0] in before[1:]:
        return "removed"
    return None


__all__ = [
    "KINDS",
    "Block",
    "Break",
    "Change",
    "Kind",
    "Lister",
    "Shared",
    "canonical",
    "compared",
    "packed",
    "prefix_of",
    "unpacked",
]
