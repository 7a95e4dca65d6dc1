"""What requests of conversations shared with those before, what of it was read from a cache, and what it cost against a perfect freeze.

Pure functions over what the store has. Prices stand in a ratio: what is read from a cache costs a tenth of what is sent anew, what is
written into one a quarter more. So a request is worth so many tokens at the full price, whatever a token costs.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Final

import msgspec

from archivist.app.cache_prices import Paid, token_price
from archivist.records import Notice, Session
from archivist.store.requests import RequestRow, Seen, Used
from archivist.store.rows import instant

READ_RATIO: Final = 0.1
WRITE_RATIO: Final = 1.25
LEAST: Final = 1_024
"""Tokens under which no provider keeps anything."""

Named = tuple[str, str]
"""A provider and a model."""


class RequestUse(msgspec.Struct, frozen=True):
    """A request.

    Attributes:
        session_id: In which it was made.
        epoch: Which one in its conversation, from 1.
        began: Why an epoch begins with it; None where one goes on.
        blocks: Tools, prompt and messages in it.
        tokens: Sent: as the provider counted, else an estimate.
        before_blocks: Of the request before; 0 where there is none that is known.
        shared_blocks: That both begin with.
        shared: What part of its tokens these are; None where nothing is known of the one before.
        broke: What left the one before: "tools", "system" or "message"; None where nothing did.
        broke_at: Which one of that kind, from 1.
        broke_why: How.
        is_break: Whether it left the one before though no epoch began.
        used: What the provider counted; None where it told nothing.
        read: What part of its tokens the provider read from its cache; None likewise.
        paid: Tokens at the full price that it was worth.
        frozen: The same, had all of its beginning that could be there been read from the cache.
        lost: The difference.
        lost_usd: What that cost; None where the price is not known.
    """

    session_id: str
    at: datetime
    provider: str
    model: str
    epoch: int
    began: str | None
    blocks: int
    tokens: int
    before_blocks: int
    shared_blocks: int
    shared: float | None
    broke: str | None
    broke_at: int | None
    broke_why: str | None
    is_break: bool
    used: Used | None = None
    read: float | None = None
    paid: float | None = None
    frozen: float | None = None
    lost: float | None = None
    lost_usd: float | None = None


class CacheUse(msgspec.Struct, frozen=True):
    """A conversation.

    Attributes:
        active: When the last thing happened in it.
        requests: How many were made, as far as is known.
        seen: Of how many it is known what they shared.
        epochs: How many began.
        breaks: How many requests left the one before though no epoch began.
        tokens: Sent in all.
        shared: What part of what was sent was a beginning that stood still; None where that is not known.
        read: What part the provider read from its cache; None where it told nothing.
        cost_usd: As the providers or the prices say; 0 where they do not.
        paid: Tokens at the full price that its requests were worth, of those of which both are known.
        frozen: The same, for a perfect freeze.
        over: How much more was paid than that, in per cent.
        lost_usd: What that cost; None where a price is not known.
        each: The requests in order, where they were asked for.
    """

    conversation_id: str
    title: str | None
    source: str
    model: str | None
    active: datetime
    requests: int
    seen: int
    epochs: int
    breaks: int
    tokens: int
    shared: float | None
    read: float | None
    cost_usd: float
    paid: float | None
    frozen: float | None
    over: float | None
    lost_usd: float | None
    each: tuple[RequestUse, ...] = ()
    notices: tuple[Notice, ...] = ()


def report(sessions: Sequence[Session], seen: Sequence[Seen], used: Used, *, each: bool = True) -> CacheUse:
    """What is known of a conversation's requests.

    Args:
        sessions: Of it, in order.
        seen: Its requests in order, each with what its provider counted.
        used: What all of them used, also those of which nothing else is known.
        each: Whether every request is told too.
    """
    rates = _rates(seen)
    told = [_request(one, rates[_named(one.row)]) for one in seen]
    paid, frozen = _sum(one.paid for one in told), _sum(one.frozen for one in told)
    sent = used.input + used.cache_read + used.cache_write
    session = sessions[0]
    return CacheUse(
        conversation_id=session.conversation_id,
        title=session.title,
        source=session.source,
        model=next((one.row.model for one in reversed(seen)), session.model),
        active=max(one.last_active_at for one in sessions),
        requests=max(used.requests, len(seen)),
        seen=len(seen),
        epochs=sum(one.began is not None for one in told),
        breaks=sum(one.is_break for one in told),
        tokens=sent or sum(one.tokens for one in told),
        shared=_share(sum(one.row.shared_tokens for one in seen), sum(one.row.tokens for one in seen)),
        read=_share(used.cache_read, sent),
        cost_usd=used.cost_usd,
        paid=paid,
        frozen=frozen,
        over=None if paid is None or not frozen else 100 * (paid / frozen - 1),
        lost_usd=_lost(told),
        each=tuple(told) if each else (),
        notices=tuple(_notices(len(seen), used, told)),
    )


class _Rate(msgspec.Struct, frozen=True):
    """What is known of a model's prices: whether it charges for writing, and what a token costs."""

    writes: bool
    price: float | None


def _rates(seen: Sequence[Seen]) -> dict[Named, _Rate]:
    """What is known of the prices of each model."""
    found: dict[Named, list[Used]] = {_named(one.row): [] for one in seen}
    for one in seen:
        if one.used is not None:
            found[_named(one.row)].append(one.used)
    return {
        name: _Rate(
            any(one.cache_write for one in counted),
            token_price([Paid(_worth(one), one.output, one.cost_usd) for one in counted]),
        )
        for name, counted in found.items()
    }


def _worth(used: Used) -> float:
    return used.input + READ_RATIO * used.cache_read + WRITE_RATIO * used.cache_write


def _request(seen: Seen, rate: _Rate) -> RequestUse:
    row, used = seen.row, seen.used
    sent = 0 if used is None else used.input + used.cache_read + used.cache_write
    told = RequestUse(
        session_id=seen.session_id,
        at=instant(row.at),
        provider=row.provider,
        model=row.model,
        epoch=row.epoch,
        began=row.began,
        blocks=row.blocks,
        tokens=sent or row.tokens,
        before_blocks=row.before_blocks,
        shared_blocks=row.shared_blocks,
        shared=_share(row.shared_tokens, row.tokens) if row.before_blocks else None,
        broke=row.broke,
        broke_at=row.broke_at,
        broke_why=row.broke_why,
        is_break=row.broke is not None and row.began is None,
    )
    if used is None or not sent:
        return told
    paid = _worth(used)
    frozen = paid if _is_unknown(row) else min(paid, _frozen(row, sent, writes=rate.writes))
    return msgspec.structs.replace(
        told,
        used=used,
        read=used.cache_read / sent,
        paid=paid,
        frozen=frozen,
        lost=paid - frozen,
        lost_usd=None if rate.price is None else (paid - frozen) * rate.price,
    )


def _frozen(row: RequestRow, sent: int, *, writes: bool) -> float:
    """Tokens at the full price, had all of the beginning that could be in the cache been read from it."""
    beginning = sent * _beginning(row) / max(row.tokens, 1)
    there = beginning if beginning >= LEAST else 0.0
    return READ_RATIO * there + (WRITE_RATIO if writes and sent >= LEAST else 1.0) * (sent - there)


def _beginning(row: RequestRow) -> int:
    """Tokens, by the estimate, that were sent before and could have stood still.

    Of what was made shorter, forked or taken back, that is what is still the same; nothing else can be.
    """
    if row.began in {"compaction", "fork"} or row.broke_why in {"rewound", "undone"}:
        return row.shared_tokens
    return min(row.before_tokens, row.tokens)


def _is_unknown(row: RequestRow) -> bool:
    """Whether a request went before of which nothing is known any more."""
    return row.before_blocks == 0 and row.began != "start"


def _named(row: RequestRow) -> Named:
    return row.provider, row.model


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _lost(told: Collection[RequestUse]) -> float | None:
    """Dollars; None where the price of any is not known."""
    counted = [one for one in told if one.paid is not None]
    if not counted or any(one.lost_usd is None for one in counted):
        return None
    return _sum(one.lost_usd for one in counted)


def _notices(seen: int, used: Used, told: Sequence[RequestUse]) -> Iterable[Notice]:
    if not seen and used.requests:
        yield Notice(
            "requests-not-seen",
            "another program made these requests: what its provider counted is known, not what they shared",
        )
    elif used.requests > sum(one.used.requests for one in told if one.used is not None):
        yield Notice(
            "requests-beside",
            "other requests were made too, such as those that tell what a compression leaves out: they count in the sums alone",
        )
    if silent := sum(one.used is None for one in told):
        yield Notice(
            "usage-not-told",
            f"of {silent:,} of {len(told):,} requests it is not known what the provider counted: their tokens are estimates",
        )


__all__ = ["LEAST", "READ_RATIO", "WRITE_RATIO", "CacheUse", "RequestUse", "report"]
