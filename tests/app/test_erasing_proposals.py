"""A proposal that is erased is gone from every file of the home, and stays away; what was done with it stays."""

import json
import multiprocessing
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from archivist import Archivist, UnknownProposal
from archivist.records import Quote
from archivist.store import deletions

WORD = "zyquword"
TEXT = f"the port of {WORD} is 6390"


def opened(home: Path) -> Archivist:
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text('[approval]\nmode = "automatic"\n[notes]\nmemory_limit = 100000\n')
    return Archivist.open(home, environ={})


@pytest.fixture
def archivist(tmp_path: Path) -> Iterator[Archivist]:
    with opened(tmp_path / "home") as found:
        yield found


def asked(archivist: Archivist, text: str = TEXT) -> str:
    source = Quote(f"a page says {WORD}", place="web:https://tide.example/")
    return archivist.notes.add("memory", text, origin="agent", sources=[source]).proposal or ""


def test_not_a_word_of_it_is_left_in_any_file(archivist: Archivist) -> None:
    kept = archivist.notes.add("memory", "the host is tide.example", origin="agent").proposal
    name = asked(archivist, TEXT + " and more" * 2_000)  # pages of its own
    short = asked(archivist)
    assert not archivist.verify(absent=WORD).is_absent
    found = archivist.review.erase(name, short)
    assert found.proposals == (name, short)
    assert [one.code for one in found.notices] == ["words-elsewhere"]
    assert archivist.verify(absent=WORD).is_absent
    assert [one.id for one in archivist.review.list(None)] == [kept]
    (line, other) = (archivist.home.path / "erased.jsonl").read_text().splitlines()
    assert {key: json.loads(line)[key] for key in ("kind", "proposal_id")} == {
        "kind": "proposal",
        "proposal_id": name,
    }
    assert WORD not in line + other


@pytest.mark.parametrize("decision", ["accept", "reject"])
def test_what_was_decided_stays_decided_and_only_the_proposal_goes(
    archivist: Archivist, decision: str
) -> None:
    name = asked(archivist)
    getattr(archivist.review, decision)(name)
    before = [one.text for one in archivist.notes.entries()]
    codes = [one.code for one in archivist.review.erase(name).notices]
    assert [one.text for one in archivist.notes.entries()] == before
    assert ("noted-already" in codes) == (decision == "accept")
    for again in (archivist.review.undo, archivist.review.accept, archivist.review.erase):
        with pytest.raises(UnknownProposal):
            again(name)


def test_one_that_is_not_there_leaves_the_others_as_they_are(archivist: Archivist) -> None:
    name = asked(archivist)
    with pytest.raises(UnknownProposal):
        archivist.review.erase(name, "p0")
    assert [one.id for one in archivist.review.list()] == [name]


def test_the_same_may_be_asked_again_and_waits(archivist: Archivist) -> None:
    name = asked(archivist)
    archivist.review.reject(name)
    archivist.review.erase(name)
    assert asked(archivist) not in {"", name}


def test_an_older_state_that_is_put_back_has_it_no_more(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with opened(home) as archivist:
        name = asked(archivist)
        archivist.backup()
    shutil.copy(home / "state.db", tmp_path / "older.db")
    with opened(home) as archivist:
        assert "copies-hold-it" in [one.code for one in archivist.review.erase(name).notices]
        archivist.restore(home / "backups", dry_run=False)
        assert archivist.review.list(None) == ()
    for beside in ("-wal", "-shm"):
        (home / f"state.db{beside}").unlink(missing_ok=True)
    shutil.copy(tmp_path / "older.db", home / "state.db")
    with opened(home) as archivist:
        assert archivist.review.list(None) == ()
        shutil.rmtree(home / "backups")
        shutil.rmtree(home / "aside")
        assert archivist.verify(absent=WORD).is_absent


def erase_and_die(home: str, name: str, *, is_committed: bool) -> None:
    """Another process that is killed before its erasure is committed, or before the files are cleared."""
    import os
    import signal

    with Archivist.open(home, environ={}) as archivist:
        die = lambda *_a, **_k: os.kill(os.getpid(), signal.SIGKILL)  # noqa: E731 - a patch of one line
        if is_committed:
            archivist.sessions.clean_up = die  # type: ignore[method-assign]
        else:
            deletions.mark_followed = die
        archivist.review.erase(name)


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_kill_on_the_way_leaves_it_gone_at_the_next_opening(tmp_path: Path, is_committed: bool) -> None:
    home = tmp_path / "home"
    with opened(home) as archivist:
        name = asked(archivist)
    context = multiprocessing.get_context("spawn")
    victim = context.Process(
        target=erase_and_die, args=(str(home), name), kwargs={"is_committed": is_committed}
    )
    victim.start()
    victim.join(60)
    assert victim.exitcode == -9
    with opened(home) as archivist:
        assert archivist.review.list(None) == ()
        assert archivist.verify(absent=WORD).is_absent
        assert archivist.verify().problems == ()
