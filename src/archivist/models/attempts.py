"""One request, asked for until it is answered: with another key, after a while, at another endpoint, as the table of actions says."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec

from archivist.models.actions import ACTIONS, LONGEST_TOLD, PATIENCE, Action, Step, seconds_before
from archivist.models.asking_to_wait import asked_seconds
from archivist.models.kinds import Kind
from archivist.models.pool import Key, Note, take_no_note
from archivist.models.responder import Interrupt, ModelFailed, OnPiece
from archivist.models.seats import Seat
from archivist.models.told_windows import told_window
from archivist.records import Notice, Usage
from archivist.records.requests import Piece, Reply, Request, TextPiece

WAITS, KEY, SWITCHED = "model-waits", "model-key", "model-switched"
REPAIRED, WINDOW, FAILED = "model-repaired", "window-told", "model-failed"
"""The codes of notices."""


class World(msgspec.Struct, frozen=True):
    """What attempts need of the world.

    Attributes:
        now: The time.
        draw: A number between two, by chance.
        pause: Waits, and ends at once where the user wants to stop.
        tell: Is told what a person should know.
        note: Takes down what failed.
    """

    now: Callable[[], datetime]
    draw: Callable[[float, float], float]
    pause: Callable[[float, Interrupt], None]
    tell: Callable[[Notice], None]
    note: Note = take_no_note


class Attempts:
    """A request that is asked for until it is answered, or nothing helps any more.

    Args:
        seats: Who may answer, the first first.
        at: Who is asked first.
        request: The request.
        on_piece: Is told what comes.
        interrupt: Ends it, also while it waits.
        world: The time, chance, waiting and whom to tell.
    """

    def __init__(
        self,
        seats: Sequence[Seat],
        at: int,
        request: Request,
        *,
        on_piece: OnPiece,
        interrupt: Interrupt,
        world: World,
    ) -> None:
        self.at = at
        self._seats, self._request, self._world = seats, request, world
        self._on_piece, self._interrupt = on_piece, interrupt
        self._key: Key | None = None
        self._spent: set[tuple[int, str]] = set()
        self._left: set[int] = set()
        self._lost: set[int] = set()
        self._waits = dict.fromkeys(range(len(seats)), 0)
        self._row = 0
        self._first: ModelFailed | None = None
        self._has_spoken = False
        self._in_vain: list[Usage] = []

    def reply(self) -> Reply:
        """The reply, of whoever gives one.

        Raises:
            ModelFailed: Nobody does; or one broke off of which something was shown already.
        """
        while not self._interrupt.is_set:
            try:
                reply = self._asked()
            except ModelFailed as failed:
                self._take_note(failed)
                if self._has_spoken or (failed.partial and failed.partial.text):
                    raise
                self._mend(failed)
                self._count(failed.partial)
                continue
            if not _is_empty(reply) or not self._go_on(ACTIONS["nothing"], "nothing"):
                return self._with_all(reply)
            self._count(reply)
        return self._with_all(Reply(stop="interrupted"))

    def _count(self, reply: Reply | None) -> None:
        """Remember what a request used in vain."""
        if reply is not None and reply.usage is not None:
            self._in_vain.append(reply.usage)

    def _with_all(self, reply: Reply) -> Reply:
        """A reply with what requests before it used; nothing where there were none."""
        return msgspec.structs.replace(reply, in_vain=tuple(self._in_vain)) if self._in_vain else reply

    @property
    def _seat(self) -> Seat:
        return self._seats[self.at]

    def _asked(self) -> Reply:
        seat = self._seat
        key = self._key or self._ready_key()
        if key is None:
            raise _no_key(seat)
        self._key = key
        reply = seat.responder(key.secret).respond(seat.fitted(self._request), self._hear, self._interrupt)
        if reply.stop != "interrupted":
            seat.keys.worked(key)
            seat.worked()
        return reply

    def _hear(self, piece: Piece) -> None:
        self._has_spoken = self._has_spoken or isinstance(piece, TextPiece)
        self._on_piece(piece)

    def _ready_key(self) -> Key | None:
        """A key that may be used now, and was not refused in this very request."""
        key = self._seat.keys.take(self._world.now())
        return None if key is None or (self.at, key.secret) in self._spent else key

    # ---- what is done about a failure ----

    def _mend(self, failed: ModelFailed) -> None:
        """Do what helps.

        Raises:
            ModelFailed: Nothing does.
        """
        if self._first is None or self._first.kind == "resting":  # what a key was refused for says more
            self._first = failed
        action = ACTIONS[failed.kind]
        told = asked_seconds(failed.signs, self._world.now())
        if self._key is not None and action.marks is not None:
            until = None if told is None else self._world.now() + timedelta(seconds=told)
            self._seat.keys.failed(self._key, action.marks, until)
            if action.marks != "limited":
                self._spent.add((self.at, self._key.secret))
        if self._go_on(action, failed.kind, told, failed.signs.words):
            return
        if "compress" in action.steps or failed is self._first:
            raise failed
        self._world.tell(Notice(FAILED, str(failed)))
        raise self._first

    def _take_note(self, failed: ModelFailed) -> None:
        key = self._key.name if self._key is not None else None
        facts = {"model": self._seat.name, "kind": failed.kind, "status": failed.status, "key": key}
        self._world.note("model-failed", words=str(failed), **facts)

    def _go_on(self, action: Action, kind: Kind, told: float | None = None, words: str = "") -> bool:
        """Whether something could be done that may help."""
        steps: dict[Step, Callable[[], bool]] = {
            "repair": lambda: self._repair(kind, action),
            "key": lambda: self._next_key(action),
            "wait": lambda: self._wait(action, told),
            "place": lambda: self._next_place(action, told),
            "compress": lambda: kind == "too-long" and self._learn_window(words),
            "stop": self._return,
        }
        return any(steps[step]() for step in action.steps)

    def _learn_window(self, words: str) -> bool:
        """It is for whoever asked to make the conversation shorter, by what is known of the window now."""
        if self._seat.learn_window(told_window(words)):
            told = f"has room for {self._seat.window:,} tokens alone: set window in [model]"
            self._tell(WINDOW, told)
        return False

    def _repair(self, kind: Kind, action: Action) -> bool:
        if not self._seat.refuses(kind, self._request):
            return False
        self._tell(REPAIRED, f"{action.told}: left out from now on")
        return True

    def _next_key(self, action: Action) -> bool:
        key, before = self._ready_key(), self._key
        if key is None or (before is not None and key.secret == before.secret):
            return False
        self._key, self._row = key, 0
        self._tell(KEY, f"{action.told}: going on with {key.name}")
        return True

    def _wait(self, action: Action, told: float | None) -> bool:
        is_last = self._following() is None
        left = (action.most if is_last else action.first) - self._waits[self.at]
        if left <= 0 or self._until_free() > left * LONGEST_TOLD:
            return False
        seconds = seconds_before(self._row + 1, told, self._world.draw)
        seconds = max(seconds, min(self._until_free(), LONGEST_TOLD))
        if not is_last and seconds > PATIENCE:
            return False
        self._waits[self.at] += 1
        self._row += 1
        self._tell(WAITS, f"{action.told}: waiting {_span(seconds)}")
        self._world.pause(seconds, self._interrupt)
        self._key = None
        if is_last:
            self._begin_anew()
        return True

    def _until_free(self) -> float:
        """Seconds until a key may be used, where now each of them rests."""
        free = self._seat.keys.free_at()
        return 0.0 if free is None else (free - self._world.now()).total_seconds()

    def _begin_anew(self) -> None:
        """After a wait for the last of all, the first that may have recovered is asked."""
        now = self._world.now()
        self._left.clear()
        ready = (at for at, seat in enumerate(self._seats) if at not in self._lost and not seat.rests(now))
        self._move(next(ready, self.at))

    def _next_place(self, action: Action, told: float | None) -> bool:
        if "wait" not in action.steps:
            self._lost.add(self.at)
        following = self._following()
        if following is None:
            return False
        self._left.add(self.at)
        self._seat.leave(self._world.now(), max(told or 0.0, self._until_free()))
        self._tell(SWITCHED, f"{action.told}: {self._seats[following].name} is asked instead")
        self._move(following)
        return True

    def _following(self) -> int | None:
        """Who is asked next: those that rest only where nobody else is left."""
        now, gone = self._world.now(), self._left | self._lost | {self.at}
        others = [at for at in range(len(self._seats)) if at not in gone]
        return min(others, key=lambda at: (self._seats[at].rests(now), at), default=None)

    def _return(self) -> bool:
        """Where the last of all cannot answer, whoever only asked to wait is waited for."""
        waiting = [at for at in sorted(self._left) if at not in self._lost]
        if not waiting:
            return False
        self._move(waiting[0])
        return self._wait(ACTIONS["limited"], None)

    def _move(self, at: int) -> None:
        if at != self.at:
            self.at, self._key, self._row = at, None, 0

    def _tell(self, code: str, text: str) -> None:
        self._world.tell(Notice(code, f"{self._seat.name}: {text}"))


_MOST_MINUTES: Final = 120


def _is_empty(reply: Reply) -> bool:
    return reply.stop == "end" and not reply.text.strip() and not reply.tool_calls


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _MOST_MINUTES else f"{seconds / 60:.0f} min"


def _no_key(seat: Seat) -> ModelFailed:
    """Each key of an endpoint rests."""
    free = seat.keys.free_at()
    when = f" before {free.astimezone():%Y-%m-%d %H:%M}" if free is not None else ""
    told = f"no key of {seat.name} can be used{when}: `archivist model keys wake` lets one be tried, or choose another model"
    return ModelFailed(told, kind="resting")


__all__ = ["FAILED", "KEY", "REPAIRED", "SWITCHED", "WAITS", "WINDOW", "Attempts", "World"]
