"""When to compress: past a share of the window, never so late that an answer has no room, and not again and again for nothing.

Half of the window is the rule. A small window begins later, since its system prompt and tools take most of the half; of a very large one
less than half is used, since every turn costs all that stands before it. What a provider has counted goes before every estimate, and a
window that turned out smaller before what its catalogue says.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import msgspec

from archivist.compress.sizes import some_tokens
from archivist.records.notices import Notice

SHARE: Final = 0.5
_SMALL_TOKENS, _SMALL_SHARE = 6_000, 0.75
"""A small window is used up to so many tokens, and at most to that share."""
_LARGE_TOKENS: Final = 400_000
_REPLY_TOKENS, _REPLY_SHARE = 8_000, 0.25
"""Kept free for the answer where nobody says how long it may be, and of a small window at most that share."""
_TARGET: Final = 0.5
"""Of the threshold, so much is left after a pass."""
LEAST_SAVED: Final = 0.1
PATIENCE: Final = 2
"""After so many passes in a row that saved less, the conversation is full of what cannot be made shorter."""

State = Literal["wait", "compress", "new-session"]


class Limits(msgspec.Struct, frozen=True):
    """Of one window, in tokens.

    Attributes:
        window: As large as it is known to be.
        threshold: Past it, a pass is due.
        target: What a pass aims at.
    """

    window: int
    threshold: int
    target: int


class Count(NamedTuple):
    """What a provider counted for a request, and what had been estimated for it."""

    counted: int
    estimated: int


class Passed(NamedTuple):
    """A pass: tokens before and after it."""

    before: int
    after: int


class Verdict(msgspec.Struct, frozen=True):
    """Whether to compress now.

    Attributes:
        state: `new-session` where compressing has stopped to help.
        tokens: What the messages are taken to cost.
    """

    state: State
    tokens: int
    notices: tuple[Notice, ...] = ()


def limits(window: int, *, reply: int | None = None, learned: int | None = None) -> Limits:
    """The limits of a window.

    Args:
        window: As its catalogue says, at least 1.
        reply: Tokens that an answer may take.
        learned: A smaller size that a server has shown.

    Raises:
        TypeError, ValueError: A size is no number of tokens, or less than 1.
    """
    some_tokens("window", window)
    some_tokens("learned", learned)
    true = min(window, learned or window)
    room = true - min(reply if reply is not None else _REPLY_TOKENS, int(true * _REPLY_SHARE))
    small = min(_SMALL_TOKENS, int(room * _SMALL_SHARE))
    threshold = max(1, min(max(int(room * SHARE), small), _LARGE_TOKENS))
    return Limits(true, threshold, max(1, int(threshold * _TARGET)))


def calibrated(estimate: int, last: Count | None) -> int:
    """What messages cost, by what a provider counted for the last request: only what came since is estimated, at its rate."""
    if last is None or last.estimated <= 0:
        return estimate
    rate = min(2.0, max(0.5, last.counted / last.estimated))
    return max(0, round(last.counted + (estimate - last.estimated) * rate))


def verdict(
    bounds: Limits, estimate: int, *, last: Count | None = None, passes: Sequence[Passed] = ()
) -> Verdict:
    """Whether to compress before the next request.

    Args:
        bounds: Of the window.
        estimate: Tokens of all messages.
        last: What was counted for the last request.
        passes: Those of the session so far, the newest last.
    """
    tokens = calibrated(estimate, last)
    if tokens <= bounds.threshold:
        return Verdict("wait", tokens)
    notices = suggestions(passes)
    return Verdict("new-session" if notices else "compress", tokens, notices)


def suggestions(passes: Sequence[Passed]) -> tuple[Notice, ...]:
    """What to do in place of another pass; nothing where one may be of use."""
    newest = passes[-PATIENCE:]
    is_idle = len(newest) == PATIENCE and all(one.after > one.before * (1 - LEAST_SAVED) for one in newest)
    return (_suggestion(newest),) if is_idle else ()


def _suggestion(newest: Sequence[Passed]) -> Notice:
    saved = sum(one.before - one.after for one in newest)
    return Notice(
        "compressing-stopped",
        f"the last {PATIENCE} passes saved {saved:,} tokens together; begin a new session: it knows what is noted, and finds this one",
    )


__all__ = ["Count", "Limits", "Passed", "Verdict", "calibrated", "limits", "suggestions", "verdict"]
