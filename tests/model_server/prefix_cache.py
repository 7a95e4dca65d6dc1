"""Prefix caches of both kinds, kept by the bytes of the requests alone.

Explicit, as Anthropic's: an entry is written at each marked block, and found from a marked block up to twenty blocks back. Automatic, as
OpenAI's: whatever begins as an earlier request did, in steps of 128 tokens from 1,024 on. Entries last five minutes from their last use.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from tests.model_server.counting import BYTES_PER_TOKEN, READ, WRITE, Spent, tokens_of

LASTS = 300.0
"""Seconds from the last use."""
LOOKS_BACK = 20
LEAST, STEP = 1_024, 128


@dataclass
class PrefixCache:
    """What is kept of the requests so far; a key stands for the account, the model and the conversation."""

    clock: Callable[[], float]
    _entries: dict[str, float] = field(default_factory=dict)
    _texts: dict[str, list[tuple[bytes, float]]] = field(default_factory=dict)
    _last: dict[str, int] = field(default_factory=dict)

    def explicit(self, key: str, blocks: Sequence[str], marked: Sequence[int], least: int = LEAST) -> Spent:
        """Account for a request whose blocks at some places are marked, if so many tokens stand before a mark."""
        sizes, names = [tokens_of(one) for one in blocks], _names(key, blocks)
        usable = [place for place in marked if sum(sizes[: place + 1]) >= least]
        found = max((hit for place in usable if (hit := self._found(names, place)) is not None), default=-1)
        now = self.clock()
        for place in {*usable, *([found] if found >= 0 else [])}:
            self._entries[names[place]] = now
        read = sum(sizes[: found + 1])
        kept = sum(sizes[: max(usable, default=-1) + 1])
        spent = Spent(sum(sizes) - max(read, kept), max(0, kept - read), read)
        return replace(spent, perfect=self._perfect(key, sum(sizes)))

    def automatic(self, key: str, blocks: Sequence[str]) -> Spent:
        """Account for a request that is kept by itself."""
        text, now = "\n".join(blocks).encode("utf-8", "surrogatepass"), self.clock()
        alive = [(one, used) for one, used in self._texts.get(key, ()) if now - used <= LASTS]
        total = sum(tokens_of(one) for one in blocks)
        read = min(_kept(max((_shared(text, one) for one, _ in alive), default=0)), total)
        self._texts[key] = [*alive, (text, now)]
        best, self._last[key] = min(_kept(self._last.get(key, 0)), total), len(text)
        return Spent(total - read, 0, read, perfect=READ * best + total - best)

    def _found(self, names: Sequence[str], place: int) -> int | None:
        now = self.clock()
        for back in range(place, max(-1, place - LOOKS_BACK - 1), -1):
            used = self._entries.get(names[back])
            if used is not None and now - used <= LASTS:
                return back
        return None

    def _perfect(self, key: str, size: int) -> float:
        """What a request would cost if it began with all of the one before: only what it has more is new."""
        read = min(self._last.get(key, 0), size)
        self._last[key] = size
        return READ * read + WRITE * (size - read)


def _kept(shared: int) -> int:
    """Tokens that an automatic cache gives of so many bytes in common: it keeps whole steps, and nothing below the least."""
    tokens = shared // BYTES_PER_TOKEN
    return tokens // STEP * STEP if tokens >= LEAST else 0


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes two requests have in common from their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _names(key: str, blocks: Sequence[str]) -> list[str]:
    """A name for each beginning of the list."""
    running, names = sha256(key.encode()), []
    for block in blocks:
        running.update(b"\0" + block.encode("utf-8", "surrogatepass"))
        names.append(running.hexdigest())
    return names
