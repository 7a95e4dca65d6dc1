"""Tokens and what they cost, by this server's own count."""

from dataclasses import dataclass

BYTES_PER_TOKEN = 4
WRITE, READ = 1.25, 0.1
"""Of the price of fresh input, what a write into the cache and a read from it cost."""


def tokens_of(text: str) -> int:
    """Tokens of a text: a fixed number of bytes each, so that counts add up whoever counts."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


@dataclass(frozen=True)
class Spent:
    """Tokens of a request by what they cost.

    Attributes:
        fresh: Read anew, and kept nowhere.
        written: Read anew, and kept.
        read: From the cache.
        output: Of the answer.
        perfect: What the input would have cost, in tokens of fresh input, had the whole request before been its beginning.
    """

    fresh: int = 0
    written: int = 0
    read: int = 0
    output: int = 0
    perfect: float = 0.0

    @property
    def cost(self) -> float:
        """What the input cost, in tokens of fresh input."""
        return self.fresh + WRITE * self.written + READ * self.read
