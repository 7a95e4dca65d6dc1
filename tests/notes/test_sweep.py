"""A change that is killed at any of its steps is there afterwards or not, never in part, and what a hand saves at any of them is kept."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.notes.making import Clock, make_notes
from tests.notes.sweep_victim import CHANGES, KILLED, fill, save_by_hand

from archivist.notes.notes import Notes

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forks of itself")
ROOT = Path(__file__).parents[2]
MEMORY = "memories/MEMORY.md"


class Victim:
    """The process in which changes are made; begun anew where it has ended, or owes the answer to a case that failed."""

    def __init__(self) -> None:
        self.process: subprocess.Popen | None = None
        self.owes = False

    def ask(self, case: dict) -> tuple[int, int]:
        """How a case ended, and how many steps it took."""
        if self.process is None or self.process.poll() is not None or self.owes:
            self.end()
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.notes.sweep_victim"],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        self.owes = True
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        code, steps = map(int, self.process.stdout.readline().split())
        self.owes = False
        return code, steps

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
        self.process, self.owes = None, False


class Sweep:
    """The homes of one change, and the process in which it is made."""

    def __init__(self, folder: Path, victim: Victim, change: str) -> None:
        self.folder, self.victim, self.change, self.number = folder, victim, change, 0
        self.origin = folder / "origin"
        fill(self.origin, change)
        self.before = texts(make_notes(self.origin))
        self.ids = ids(make_notes(self.origin))
        if change == "merge":  # what is pending is taken in by whoever writes first
            self.before += Counter([("core", "late words")])
        home, code, self.steps = self.run()
        assert code == 0
        self.after = texts(make_notes(home, prefix="w"))

    def run(self, **case) -> tuple[Path, int, int]:
        self.number += 1
        home = self.folder / str(self.number)
        shutil.copytree(self.origin, home)
        return home, *self.victim.ask({"home": str(home), "change": self.change, **case})

    def go(self, case: dict) -> None:
        """Let one case happen, and judge it."""
        home, code, _ = self.run(**case)
        if after := case.get("saved_after"):
            save_by_hand(home, after, (self.origin / MEMORY).read_bytes())
        self.check(home, code, after or case.get("hand"), case)

    def check(self, home: Path, code: int, hand: str | None, case: dict) -> None:
        """What holds after whatever happened, once somebody has written again."""
        told = (self.change, case, hand)
        assert code in {0, KILLED}, told
        notes = again(home, "x")
        notes.add("user", "later")
        found = texts(notes)
        assert found.pop(("core", "later")) == 1, told
        if hand is not None:
            assert found.pop(("core", "by hand"), 0) == 1, (told, found)
        if hand == "stale":
            self.check_stale(found, notes, told)
        else:
            allowed = [self.after] if code == 0 else [self.before, self.after]
            assert found in allowed, (told, found)
        self.check_agreement(home, notes, told)
        if found == self.after and hand != "stale" and self.change != "merge":
            self.check_undo(notes, told)
        shutil.rmtree(home)

    def check_stale(self, found: Counter, notes: Notes, told: object) -> None:
        """A file that a hand saved as it was before has what it had; whatever that took back is named."""
        assert set(found.values()) == {1}, (told, found)
        assert found.keys() <= self.before.keys() | self.after.keys(), (told, found)
        assert len({text for _, text in found}) == len(found), (told, found)
        stale = {line.before for line in notes.log() if line.is_stale}
        missing = {text for _, text in self.before.keys() & self.after.keys()} - {text for _, text in found}
        assert missing <= stale, (told, found)
        if self.before.keys() - found.keys() and self.change != "merge":
            assert {text for _, text in self.after} - {text for _, text in found} <= stale, (told, found)

    def check_agreement(self, home: Path, notes: Notes, told: object) -> None:
        """Files and journal say the same to everybody."""
        seen = ids(notes)
        assert len(set(seen.values())) == len(seen), told
        assert all(seen[text] == key for text, key in self.ids.items() if text in seen), told
        other = again(home, "y")
        assert ids(other) == seen, told
        with other._ledger.reading() as holding:
            assert holding.drifted() == [], told
            assert holding.state.open is None, told
        left = [path for path in home.rglob("*") if path.name.endswith(".tmp")]
        assert not left, (told, left)

    def check_undo(self, notes: Notes, told: object) -> None:
        change = next(
            line.change for line in notes.log() if line.change.startswith("c") and line.change.endswith("v")
        )
        notes.undo(change)
        found = texts(notes)
        assert found - Counter([("core", "later"), ("core", "by hand")]) == self.before, (told, found)


def again(home: Path, prefix: str) -> Notes:
    clock = Clock()
    clock.skip(days=2 + ord(prefix) - ord("a"))
    return make_notes(home, clock=clock, prefix=prefix)


def texts(notes: Notes) -> Counter:
    everything = notes.entries(None, "all", superseded=True)
    return Counter(
        (entry.tier if entry.status == "active" else entry.status, entry.text) for entry in everything
    )


def ids(notes: Notes) -> dict[str, str]:
    return {entry.text: entry.id for entry in notes.entries(None, "all", superseded=True)}


@pytest.fixture(scope="module")
def victim():
    victim = Victim()
    yield victim
    victim.end()


@pytest.fixture(params=CHANGES)
def sweep(request, tmp_path, victim):
    return Sweep(tmp_path, victim, request.param)


HANDS = ("append", "stale")


def killed(sweep: Sweep) -> list[dict]:
    return [{"kill_at": point} for point in range(sweep.steps + 1)]


def torn(sweep: Sweep) -> list[dict]:
    return [{"torn_at": point} for point in range(sweep.steps)]


def saved_after(sweep: Sweep) -> list[dict]:
    return [{"kill_at": point, "saved_after": hand} for hand in HANDS for point in range(sweep.steps + 1)]


def saved(sweep: Sweep) -> list[dict]:
    return [{"hand": hand, "hand_at": point} for hand in HANDS for point in range(sweep.steps)]


def saved_and_killed(sweep: Sweep) -> list[dict]:
    return [
        one | {"kill_at": one["hand_at"] + more}
        for one in saved(sweep)
        for more in range(1, sweep.steps + 12)
    ]


def linked(sweep: Sweep) -> list[dict]:
    return [{"kill_at": point, "linked": True} for point in range(sweep.steps + 3)]


WAYS = (torn, saved_after, saved, saved_and_killed, linked)


def test_a_case_that_ended_badly_leaves_the_next_one_its_own_answer(tmp_path, victim):
    sweep = Sweep(tmp_path, victim, "add")
    victim.process.kill()
    victim.process.wait()
    assert sweep.run()[1:] == (0, sweep.steps)
    victim.owes = True  # as where whoever waited for an answer was stopped
    assert sweep.run()[1:] == (0, sweep.steps)


def test_killed_at_every_step(sweep):
    for case in killed(sweep):
        sweep.go(case)


@pytest.mark.parametrize("way", WAYS)
def test_some_of_every_other_way(sweep, way):
    """With a write torn, a hand's save after the kill, or before it, and where two names cannot be exchanged."""
    for case in random.Random(f"{sweep.change} {way.__name__}").sample(way(sweep), 5):
        sweep.go(case)


@pytest.mark.soak
@pytest.mark.parametrize("way", WAYS)
def test_all_of_every_other_way(sweep, way):
    for case in way(sweep):
        sweep.go(case)
