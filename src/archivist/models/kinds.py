"""The classes that failures of a model are told apart by."""

from typing import Final, Literal, get_args

Kind = Literal[
    "limited",
    "upstream",
    "empty",
    "refused",
    "barred",
    "busy",
    "fault",
    "slow",
    "unreachable",
    "untrusted",
    "broken",
    "too-long",
    "too-large",
    "too-much",
    "bad-thoughts",
    "no-pictures",
    "no-tools",
    "no-model",
    "no-place",
    "declined",
    "malformed",
    "unread",
    "nothing",
    "resting",
    "unknown",
]
"""What failed: too much was asked at once (of the account, or by all who ask there), the account has no credit, the key is refused, the
account may not do that, the provider has too much to do, it failed by itself, it did not answer in time, nobody is there, its certificate
is not trusted, the reply broke off; the conversation is too long, the request has too many bytes, its reply is to be longer than the model
can, what was thought is not taken back, no pictures are taken, no tools; there is no such model, nothing is at that address, the provider
would not say that, the request is not as it should be, what came is no answer of a model, or an empty one, and no key
of its may be used now."""
KINDS: Final = frozenset(get_args(Kind))

__all__ = ["KINDS", "Kind"]
