"""Whoever is killed while something is proposed or decided on leaves one truth: nothing is done twice or lost, and all can be undone."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from archivist import Archivist, ProposalDecided
from archivist.curate.review import Review
from archivist.records import EVERYTHING

VICTIM = Path(__file__).with_name("review_victim.py")
SETTINGS = '[approval]\nmode = "automatic"\n'
ASKED, CHOSEN = "Ana works at Kern", "Ana works at Lund, since May"
EVERY = 5
"""Of the steps, where not all of them are asked for."""


def opened(home: Path) -> Archivist:
    return Archivist.open(home, environ={})


def a_note(archivist: Archivist) -> str:
    return archivist.notes.add("memory", ASKED, origin="agent").proposal or ""


def a_day(archivist: Archivist) -> str:
    return archivist.daily.add(ASKED, origin="agent").proposal or ""


def a_contradiction(archivist: Archivist) -> str:
    archivist.notes.add("memory", "Ana works at Birk")
    archivist.notes.add("memory", ASKED)
    return archivist.review.list()[0].id


def a_removal(archivist: Archivist) -> str:
    archivist.notes.add("memory", ASKED)
    return archivist.notes.remove("memory", ASKED, origin="agent").proposal or ""


KINDS: dict[str, Callable[[Archivist], str]] = {
    "note": a_note,
    "day": a_day,
    "contradiction": a_contradiction,
    "removal": a_removal,
}


def stands(archivist: Archivist) -> list[str]:
    return [one.text for one in (*archivist.notes.entries(), *archivist.daily.read())]


def state_of(archivist: Archivist, name: str) -> str | None:
    return {one.id: one.state for one in archivist.review_for(EVERYTHING).list(None)}.get(name)


def killed_homes(made: Path, tmp_path: Path, *what: str, every: int) -> Iterator[Path]:
    """Homes in which the same was begun and killed, one step later each time."""
    for number in range(1, 200, every):
        home = tmp_path / f"home{number}"
        shutil.copytree(made, home)
        command = [sys.executable, str(VICTIM), str(home), str(number), *what]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert "Traceback" not in ended.stderr, ended.stderr
        yield home
        shutil.rmtree(home)
        if ended.stdout == "done\n":
            return
    raise AssertionError("it never came to its end")


def decide(review: Review, how: str, name: str) -> None:
    words = (CHOSEN,) if how == "edit" else ()
    getattr(review, how)(name, *words)


def judge_decision(home: Path, name: str, how: str) -> None:
    """Decide the same again: it is done once, and taken back it is as it was."""
    with opened(home) as archivist:
        review = archivist.review_for(EVERYTHING)
        before = stands(archivist)
        is_done = review._applier(review.show(name).proposal).done_by(review._get(name)) is not None
        was = state_of(archivist, name)
        assert was in {"open", "accepted", "rejected"}
        assert was != "accepted" or is_done
        assert was != "rejected" or not is_done
        with suppress(ProposalDecided):
            decide(review, how, name)
        if is_done:
            assert stands(archivist) == before
        assert len(stands(archivist)) == len(set(stands(archivist)))
        assert state_of(archivist, name) == ("rejected" if how == "reject" else "accepted")
        decided = next(one for one in review.list(None) if one.id == name)
        if how == "edit":
            assert CHOSEN in [one.content for one in decided.operations]
            assert CHOSEN in stands(archivist)
        assert archivist.verify().problems == ()


def judge_undone(home: Path, name: str, as_it_was: list[str]) -> None:
    with opened(home) as archivist:
        review = archivist.review_for(EVERYTHING)
        if state_of(archivist, name) != "open":
            review.undo(name)
        assert stands(archivist) == as_it_was
        assert state_of(archivist, name) == "open"
        review.accept(name)


CASES = [
    ("note", "accept"),
    ("note", "edit"),
    ("day", "accept"),
    ("day", "edit"),
    ("contradiction", "accept"),
    ("contradiction", "edit"),
    ("removal", "accept"),
    ("note", "reject"),
]


def sweep(tmp_path: Path, kind: str, how: str, every: int) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "config.toml").write_text(SETTINGS)
    with opened(made) as archivist:
        name = KINDS[kind](archivist)
        as_it_was = stands(archivist)
    words = (CHOSEN,) if how == "edit" else ()
    for home in killed_homes(made, tmp_path, how, name, *words, every=every):
        judge_decision(home, name, how)
        if kind != "day":
            judge_undone(home, name, as_it_was)


@pytest.mark.parametrize(("kind", "how"), CASES)
def test_a_killed_decision_is_taken_once(tmp_path: Path, kind: str, how: str) -> None:
    sweep(tmp_path, kind, how, EVERY)


@pytest.mark.parametrize("decided", ["accept", "reject"])
def test_a_killed_undo_leaves_it_decided_or_waiting(tmp_path: Path, decided: str) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "config.toml").write_text(SETTINGS)
    with opened(made) as archivist:
        name = a_note(archivist)
        getattr(archivist.review, decided)(name)
    for home in killed_homes(made, tmp_path, "undo", name, every=EVERY):
        judge_undone(home, name, [])


def test_a_killed_erasure_leaves_it_whole_or_gone(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "config.toml").write_text(SETTINGS)
    with opened(made) as archivist:
        name = a_note(archivist)
    for home in killed_homes(made, tmp_path, "erase", name, every=2):
        with opened(home) as archivist:
            is_gone = state_of(archivist, name) is None
            assert archivist.verify(absent=ASKED).is_absent == is_gone
            assert archivist.verify().problems == ()
            if not is_gone:
                archivist.review.accept(name)


@pytest.mark.parametrize("what", ["propose", "propose_day"])
def test_a_killed_write_waits_or_was_never_asked_for(tmp_path: Path, what: str) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "config.toml").write_text(SETTINGS)
    opened(made).close()
    for home in killed_homes(made, tmp_path, what, ASKED, every=1):
        with opened(home) as archivist:
            waiting = [one.id for one in archivist.review.list()]
            assert stands(archivist) == []
            again = {"propose": a_note, "propose_day": a_day}[what](archivist)
            assert waiting in ([], [again])
            archivist.review.accept(again)
            assert stands(archivist) == [ASKED]


@pytest.mark.soak
@pytest.mark.parametrize(("kind", "how"), CASES)
def test_a_decision_that_is_killed_at_any_step_is_taken_once(tmp_path: Path, kind: str, how: str) -> None:
    sweep(tmp_path, kind, how, 1)
