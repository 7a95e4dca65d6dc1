"""Contradictions wait for their owner, and what they decide is done and taken back."""

import threading
from pathlib import Path

import apsw
import pytest

from archivist import (
    Archivist,
    EntryChanged,
    Message,
    ProposalOutdated,
    Scope,
    UnknownProposal,
)
from archivist.records import EVERYTHING, OWNER

OLD, NEW = "Ana works at Birk", "Ana works at Kern"


@pytest.fixture
def archivist(tmp_path: Path):
    with Archivist.open(tmp_path / "home", environ={}) as opened:
        yield opened


def texts(archivist: Archivist) -> list[str]:
    return [entry.text for entry in archivist.notes.entries()]


def contradict(archivist: Archivist, **how: object):
    old = archivist.notes.add("memory", OLD, **how).entry
    new = archivist.notes.add("memory", NEW, **how).entry
    (proposal,) = archivist.review_for(EVERYTHING).list()
    return old, new, proposal


def test_what_is_accepted_closes_the_earlier_and_undo_gives_the_bytes_back(archivist: Archivist) -> None:
    old, new, proposal = contradict(archivist)
    path = archivist.home.notes_folder / "MEMORY.md"
    before = path.read_bytes()
    shown = archivist.review.show(proposal.id)
    assert [(line.sign, line.entry) for line in shown.lines] == [("-", old.id), (" ", new.id)]
    assert shown.standing == "as-shown"
    archivist.review.accept(proposal.id)
    assert texts(archivist) == [NEW]
    closed, stays = archivist.notes.entry(old.id), archivist.notes.entry(new.id)
    assert (closed.status, closed.superseded_by, stays.supersedes) == ("superseded", new.id, old.id)
    archivist.review.undo(proposal.id)
    assert path.read_bytes() == before
    assert archivist.notes.entry(new.id).supersedes is None
    assert archivist.review.list() == (proposal,)


def test_other_words_are_done_as_one_change(archivist: Archivist) -> None:
    _, new, proposal = contradict(archivist)
    decision = archivist.review.edit(proposal.id, "Ana works at Kern in Oslo")
    assert texts(archivist) == ["Ana works at Kern in Oslo"]
    assert archivist.notes.entries()[0].id == new.id
    archivist.notes.undo(decision.change)
    assert texts(archivist) == [OLD, NEW]


def test_what_is_rejected_is_not_asked_again(archivist: Archivist) -> None:
    old, _, proposal = contradict(archivist)
    archivist.review.reject(proposal.id)
    archivist.notes.remove("memory", NEW)
    archivist.notes.undo(archivist.notes.log()[0].change)
    assert texts(archivist) == [OLD, NEW]
    assert archivist.review.list() == ()
    assert archivist.notes.entry(old.id).status == "active"


def test_what_says_something_else_by_now_is_not_closed(archivist: Archivist) -> None:
    old, new, proposal = contradict(archivist)
    archivist.notes.replace("memory", new.id, "Ana works at Kern and at Birk")
    assert archivist.review.show(proposal.id).standing == "changed"
    with pytest.raises(ProposalOutdated):
        archivist.review.accept(proposal.id)
    with pytest.raises(EntryChanged):
        archivist.notes.supersede(old.id, new.id, words={old.id: OLD, new.id: NEW})
    assert archivist.notes.entry(old.id).status == "active"


def test_what_a_hand_took_out_leaves_nothing_to_do(archivist: Archivist) -> None:
    _, _, proposal = contradict(archivist)
    (archivist.home.notes_folder / "MEMORY.md").write_text(NEW)
    assert archivist.review.show(proposal.id).standing == "settled"
    assert archivist.review.accept(proposal.id).change is None
    assert texts(archivist) == [NEW]


def test_other_words_for_what_a_hand_settled_are_refused_and_not_lost(archivist: Archivist) -> None:
    _, _, proposal = contradict(archivist)
    (archivist.home.notes_folder / "MEMORY.md").write_text(NEW)
    with pytest.raises(ProposalOutdated):
        archivist.review.edit(proposal.id, "Ana works at Kern in Oslo")
    assert archivist.review.list() == (proposal,)
    assert texts(archivist) == [NEW]


def test_what_is_of_others_is_the_owners_only_where_they_ask_for_everything(archivist: Archivist) -> None:
    _, _, proposal = contradict(archivist, scope=Scope(user="kim"))
    assert archivist.review.list() == ()
    with pytest.raises(UnknownProposal):
        archivist.review.accept(proposal.id)
    archivist.review_for(EVERYTHING).accept(proposal.id)


def test_what_it_rests_on_goes_with_the_conversation(archivist: Archivist) -> None:
    session = archivist.sessions.start("cli", scope=OWNER)
    session.append(Message.user("Ana works at Kern these days"))
    quotes = archivist.quotes(session.id, NEW)
    assert quotes
    archivist.notes.add("memory", OLD)
    archivist.notes.add("memory", NEW, sources=quotes)
    (proposal,) = archivist.review.list()
    assert proposal.evidence.quotes == quotes
    archivist.sessions.delete(session.id)
    assert archivist.review.list()[0].evidence.quotes == ()
    assert archivist.verify(absent="Kern these days").is_absent


def test_doctor_says_how_many_wait(archivist: Archivist) -> None:
    contradict(archivist)
    (finding,) = [one for one in archivist.doctor().findings if one.subject == "review"]
    assert (finding.verdict, finding.text) == ("ok", "1 proposal waits for you: `archivist review list`")


def test_a_backup_brings_them_back_and_without_the_database_no_note_is_lost(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Archivist.open(home, environ={}) as archivist:
        _, _, proposal = contradict(archivist)
        archivist.backup(tmp_path / "copies")
        archivist.review.reject(proposal.id)
        archivist.restore(tmp_path / "copies", dry_run=False)
        assert archivist.review.list() == (proposal,)
    for path in home.glob("state.db*"):
        path.unlink()
    with Archivist.open(home, environ={}) as archivist:
        assert archivist.review.list() == ()
        assert texts(archivist) == [OLD, NEW]


def test_a_database_that_takes_nothing_costs_the_question_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        archivist.notes.add("memory", OLD)
        monkeypatch.setattr(archivist._store._live._writer._patience.__class__, "pauses", lambda *_: iter(()))
        other = apsw.Connection(str(archivist.home.state_file))
        other.execute("BEGIN IMMEDIATE")
        change = archivist.notes.add("memory", NEW)
        other.execute("ROLLBACK")
        other.close()
        assert [notice.code for notice in change.notices] == ["contradicts", "not-proposed"]
        assert texts(archivist) == [OLD, NEW]


def test_many_decide_at_once_and_each_is_done_once(archivist: Archivist) -> None:
    _, _, proposal = contradict(archivist)
    done: list[object] = []

    def decide() -> None:
        try:
            done.append(archivist.review.accept(proposal.id))
        except Exception as error:  # noqa: BLE001 - counted below
            done.append(error)

    threads = [threading.Thread(target=decide) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(getattr(one, "change", None) is not None for one in done) <= 1
    assert texts(archivist) == [NEW]
    assert len([line for line in archivist.notes.log() if line.action == "supersede"]) == 1


def test_a_damaged_row_that_says_nothing_is_shown_and_put_away(archivist: Archivist) -> None:
    _, _, proposal = contradict(archivist)
    archivist._store.write(lambda db: db.execute("UPDATE proposals SET operations = '[]'"))
    assert [one.id for one in archivist.review.list()] == [proposal.id]
    assert archivist.review.show(proposal.id).standing == "settled"
    assert archivist.review.accept(proposal.id).change is None
    assert texts(archivist) == [OLD, NEW]
