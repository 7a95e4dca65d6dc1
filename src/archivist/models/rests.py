"""What is known of a key: how much it is used, and what keeps it from being used.

Values and the steps between them; clock and chance are the caller's. A key that failed rests: until its rest is over others are used in its
place, and where there is no other, it is tried now and then all the same, since an account may be topped up at any time.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal

import msgspec
from msgspec.structs import replace

Trouble = Literal["limited", "empty", "refused"]
"""Too much was asked at once; the account has no credit; it is no key, or no longer one."""
Moment = Annotated[datetime, msgspec.Meta(tz=True)]

RESTS: Final[Mapping[Trouble, timedelta]] = {
    "limited": timedelta(hours=1),
    "empty": timedelta(hours=1),
    "refused": timedelta(minutes=5),
}
"""How long a key rests that is one of several, where its provider does not say."""
WORDS: Final[Mapping[Trouble, str]] = {
    "limited": "too much was asked with it",
    "empty": "its account has no credit",
    "refused": "it was refused",
}
"""Why a key rests, as a person is told it."""
ALONE: Final = timedelta(seconds=5)
"""The longest rest of the only key, where its provider does not say."""
FIRST_TRIAL, LAST_TRIAL = timedelta(seconds=5), timedelta(minutes=1)
"""After how long a key that rests is tried where none is ready: at first, and later on."""
LEASE: Final = timedelta(seconds=5)
"""For how long others leave a key alone that somebody tries."""
LONGEST: Final = timedelta(days=31)
"""The longest time for which a provider is believed."""
FORGOTTEN: Final = timedelta(hours=1)
"""How long after its end a rest counts when it is asked whether a failure is the first."""
HALF: Final = 600.0
"""Seconds after which a use weighs half when it is asked which key is least used."""
EVERY_MODEL: Final = ""
_SLIP: Final = timedelta(minutes=1)
"""How far clocks may differ."""


class Rest(msgspec.Struct, frozen=True):
    """Why a key is not used, and until when.

    Attributes:
        why: What the provider said.
        since: When it said so.
        until: When it is ready again.
        trial: When it may be tried where no other is ready.
        row: How often in a row.
        again: Whether it is tried once more at once.
    """

    why: Trouble
    since: Moment
    until: Moment
    trial: Moment
    row: int = 1
    again: bool = False


class Standing(msgspec.Struct, frozen=True):
    """What is known of a key.

    Attributes:
        uses: How often it was used.
        load: The same, where a use weighs half after ten minutes.
        turn: Its number among the turns of all keys.
        used_at: When it was last used.
        rests: By model; what holds for every model under `EVERY_MODEL`.
    """

    uses: int = 0
    load: float = 0.0
    turn: int = 0
    used_at: Moment | None = None
    rests: dict[str, Rest] = msgspec.field(default_factory=dict)

    def rest(self, model: str, now: datetime) -> Rest | None:
        """What keeps it from being used for a model, or did a short while ago: the longer one of two."""
        found = (self.rests.get(name) for name in (model, EVERY_MODEL))
        heeded = [one for one in found if one is not None and _counts(one, now)]
        return max(heeded, key=lambda one: one.until, default=None)

    def load_at(self, now: datetime) -> float:
        """How much it is used."""
        if self.used_at is None:
            return 0.0
        return float(self.load * 0.5 ** (max(0.0, (now - self.used_at).total_seconds()) / HALF))


def taken(standing: Standing, model: str, turn: int, now: datetime) -> Standing:
    """A key that is used now; of one that rests, or did, others wait to see what comes of it."""
    rests = {
        name: replace(
            rest, again=False, until=max(rest.until, now + LEASE), trial=max(rest.trial, now + LEASE)
        )
        if name in {model, EVERY_MODEL}
        else rest
        for name, rest in standing.rests.items()
        if _counts(rest, now)
    }
    load = standing.load_at(now) + 1.0
    return Standing(standing.uses + 1, load, turn, now, rests)


def worked(standing: Standing, model: str) -> Standing:
    """A key that was answered."""
    return replace(standing, rests=_without(standing.rests, model, EVERY_MODEL))


def failed(
    standing: Standing, what: Trouble, until: datetime | None, *, model: str, now: datetime, is_alone: bool
) -> Standing:
    """A key that was not answered.

    Args:
        standing: What is known of it.
        what: What the provider said.
        until: When it will answer again, where the provider says so.
        model: Which was asked.
        now: The time.
        is_alone: Whether there is no other key.
    """
    name = model if what == "limited" else EVERY_MODEL
    before = standing.rests.get(name)
    is_next = before is not None and before.why == what and _counts(before, now)
    row = before.row + 1 if before and is_next else 1
    rest = _rest(what, until if until and until > now else None, row, now, is_alone=is_alone)
    return replace(standing, used_at=standing.used_at or now, rests={**standing.rests, name: rest})


def _rest(what: Trouble, until: datetime | None, row: int, now: datetime, *, is_alone: bool) -> Rest:
    if until is not None:
        said = min(until, now + LONGEST)
        return Rest(what, now, said, said, row)
    if is_alone:
        short = now + min(timedelta(seconds=2 ** min(row - 1, 10)), ALONE)
        return Rest(what, now, short, short, row)
    if what == "limited" and row == 1:
        return Rest(what, now, now, now, row, again=True)
    trial = min(FIRST_TRIAL * 2 ** min(row - 1, 10), LAST_TRIAL)
    return Rest(what, now, now + RESTS[what], now + trial, row)


def _counts(rest: Rest, now: datetime) -> bool:
    """Whether a rest is to be heeded; one of a clock that went wrong is not."""
    return rest.since <= now + _SLIP and now < min(rest.until, rest.since + LONGEST) + FORGOTTEN


def _without(rests: Mapping[str, Rest], *names: str) -> dict[str, Rest]:
    return {name: rest for name, rest in rests.items() if name not in names}


__all__ = [
    "ALONE",
    "EVERY_MODEL",
    "LEASE",
    "LONGEST",
    "RESTS",
    "WORDS",
    "Moment",
    "Rest",
    "Standing",
    "Trouble",
    "failed",
    "taken",
    "worked",
]
