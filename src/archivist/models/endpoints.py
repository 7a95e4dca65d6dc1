"""Where a model lives, and what is known of it."""

from typing import Literal

import msgspec

Wire = Literal["openai", "anthropic"]
"""Which form its requests have: OpenAI's chat completions, or Anthropic's messages."""


class Endpoint(msgspec.Struct, frozen=True):
    """A model at a provider.

    Attributes:
        provider: As settings name it, such as "openrouter".
        model: Its name there.
        base_url: Where it is asked; the client's own place where unset.
        api_key: Never shown, logged or stored; empty where none is needed.
        window: Tokens that a request and its reply may have together.
        max_tokens: The most that a reply may have; the client's choice where unset.
        takes_pictures: Whether it reads pictures.
    """

    provider: str
    wire: Wire
    model: str
    base_url: str | None = None
    api_key: str = ""
    window: int = 128_000
    max_tokens: int | None = None
    takes_pictures: bool = True

    def __repr__(self) -> str:
        """All but the key."""
        return f"Endpoint({self.provider}/{self.model} at {self.base_url or 'its own place'})"


__all__ = ["Endpoint", "Wire"]
