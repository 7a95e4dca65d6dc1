"""What the requests of a rollout used.

The program writes running totals, and writes them again when nothing was added. What a request used is the difference to the
totals before it; where these are not known, or have been begun anew, it is what the program says of the last request.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from archivist.records import Usage
from archivist.transfer.json_text import shaped_or_none

UNKNOWN_MODEL = "unknown"
DIGEST_BYTES = 8


class Tokens(msgspec.Struct, frozen=True):
    """Tokens as the program counts them: `input_tokens` holds those that came from the cache."""

    input_tokens: int = 0
    cached_input_tokens: int = 0
    cache_write_input_tokens: int = 0
    output_tokens: int = 0
    reasoning_output_tokens: int = 0

    def since(self, earlier: "Tokens") -> "Tokens":
        """What was added."""
        return Tokens(
            self.input_tokens - earlier.input_tokens,
            self.cached_input_tokens - earlier.cached_input_tokens,
            self.cache_write_input_tokens - earlier.cache_write_input_tokens,
            self.output_tokens - earlier.output_tokens,
            self.reasoning_output_tokens - earlier.reasoning_output_tokens,
        )

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers."""
        return (
            self.input_tokens,
            self.cached_input_tokens,
            self.cache_write_input_tokens,
            self.output_tokens,
            self.reasoning_output_tokens,
        )


class Info(msgspec.Struct):
    """What a count of tokens says."""

    total_token_usage: msgspec.Raw = msgspec.Raw(b"")
    last_token_usage: msgspec.Raw = msgspec.Raw(b"")


class Spent(NamedTuple):
    """What a request used, and by what it is known again."""

    key: str
    model: str
    tokens: Tokens


class Meter(msgspec.Struct):
    """The totals so far.

    Attributes:
        starts_at_zero: Whether the session began with nothing; one that was forked may go on with its origin's totals.
        spent: What each request used; a request is known again by the totals and what is said of it, wherever that stands.
        borrowed: The same of the session that this one was forked from.
    """

    starts_at_zero: bool = True
    total: Tokens | None = None
    spent: list[Spent] = msgspec.field(default_factory=list)
    borrowed: list[Spent] = msgspec.field(default_factory=list)
    seen: Counter[str] = msgspec.field(default_factory=Counter)

    def count(self, raw: msgspec.Raw, model: str | None, *, is_borrowed: bool) -> None:
        """Take in what a line says."""
        info = shaped_or_none(raw, Info) or Info()
        total, last = _tokens(info.total_token_usage), _tokens(info.last_token_usage)
        added = self._added(total, last)
        self.total = total or self.total
        if added and any(added.counts):
            spent = Spent(self._key(total, last), model or UNKNOWN_MODEL, added)
            (self.borrowed if is_borrowed else self.spent).append(spent)

    def usage(self, session: str, *, is_borrowed: bool = False) -> Iterator[Usage]:
        """What each request used; `input` without what came from the cache."""
        for key, model, tokens in self.borrowed if is_borrowed else self.spent:
            yield Usage(
                model=model,
                request_id=f"{session}:{key}",
                input=max(0, tokens.input_tokens - tokens.cached_input_tokens),
                output=tokens.output_tokens,
                cache_read=tokens.cached_input_tokens,
                cache_write=tokens.cache_write_input_tokens,
                reasoning=tokens.reasoning_output_tokens,
            )

    def _key(self, total: Tokens | None, last: Tokens | None) -> str:
        told = [".".join(map(str, one.counts)) if one else "" for one in (total, last)]
        key = hashlib.blake2b("/".join(told).encode(), digest_size=DIGEST_BYTES).hexdigest()
        self.seen[key] += 1
        return key if self.seen[key] == 1 else f"{key}.{self.seen[key]}"

    def _added(self, total: Tokens | None, last: Tokens | None) -> Tokens | None:
        if total is None:
            return last
        before = self.total or (Tokens() if self.starts_at_zero else None)
        if before is None:
            return last or total
        added = total.since(before)
        return added if min(added.counts) >= 0 else last or total


def _tokens(raw: msgspec.Raw) -> Tokens | None:
    return None if bytes(raw) in {b"", b"null"} else shaped_or_none(raw, Tokens)
