"""What is accepted is done as it was shown, or not at all."""

from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec
import pytest

from archivist.curate.appliers import Applied, Line
from archivist.curate.refusals import (
    ProposalDecided,
    ProposalOpen,
    ProposalOutdated,
    UnknownProposal,
)
from archivist.curate.review import Review
from archivist.records.proposals import Evidence, Proposal, ProposedOperation

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
CLOSE = ProposedOperation("close", "e1", by="e2")


class Kept:
    """Proposals in memory."""

    def __init__(self, *names):
        self.by_id = {
            name: Proposal(name, "contradiction", "memory", (CLOSE,), Evidence(), "why", NOON, name)
            for name in names
        }

    def all(self, state):
        return [one for one in self.by_id.values() if state in {None, one.state}]

    def get(self, name):
        return self.by_id.get(name)

    def decide(self, before, state, change, operations):
        if self.by_id[before.id].state != before.state:
            return False
        self.by_id[before.id] = msgspec.structs.replace(
            before, state=state, change=change, operations=operations
        )
        return True


class Notes:
    """Does what is asked of it, and remembers."""

    def __init__(self):
        self.stands, self.done, self.undone, self.did = "as-shown", [], [], None

    def standing(self, _):
        return self.stands

    def lines(self, proposal):
        return (Line("-", proposal.operations[0].entry, "old"),)

    def edited(self, proposal, text):
        return (*proposal.operations, ProposedOperation("replace", "e2", content=text))

    def unedited(self, _):
        return (CLOSE,)

    def apply(self, proposal):
        self.done.append(proposal.operations)
        return Applied(f"c{len(self.done)}")

    def done_by(self, _):
        return self.did

    def undo(self, _, change):
        self.undone.append(change)
        return ()


@pytest.fixture
def kept():
    return Kept("p1", "p2")


@pytest.fixture
def notes():
    return Notes()


@pytest.fixture
def review(kept, notes):
    return Review(kept, {"contradiction": notes})


def test_what_is_accepted_is_what_was_shown(review, notes):
    shown = review.show("p1")
    assert (shown.standing, shown.lines) == ("as-shown", (Line("-", "e1", "old"),))
    decision = review.accept("p1")
    assert (decision.change, decision.proposal.state) == ("c1", "accepted")
    assert notes.done == [(CLOSE,)]
    assert [proposal.id for proposal in review.list()] == ["p2"]
    assert [proposal.id for proposal in review.list("accepted")] == ["p1"]


def test_other_words_are_done_in_place_of_those_that_were_proposed(review, notes):
    review.edit("p1", "new words")
    assert notes.done == [(CLOSE, ProposedOperation("replace", "e2", content="new words"))]
    review.undo("p1")
    assert review.list()[0].operations == (CLOSE,)


def test_what_changed_since_is_not_done(review, notes):
    notes.stands = "changed"
    for decide in (lambda: review.accept("p1"), lambda: review.edit("p1", "x")):
        with pytest.raises(ProposalOutdated, match="review show p1"):
            decide()
    assert notes.done == []
    assert review.reject("p1").proposal.state == "rejected"


def test_what_is_so_already_is_only_put_away(review, notes):
    notes.stands = "settled"
    decision = review.accept("p1")
    assert (decision.change, decision.proposal.state) == (None, "accepted")
    assert [notice.code for notice in decision.notices] == ["settled"]
    assert notes.done == []


def test_a_decision_is_taken_back_with_what_it_did(review, notes):
    review.accept("p1")
    assert review.undo("p1").proposal.state == "open"
    assert notes.undone == ["c1"]
    review.reject("p1")
    assert review.undo("p1").proposal.state == "open"
    assert notes.undone == ["c1"]


def test_what_was_decided_is_not_decided_again(review):
    review.reject("p1")
    for decide in (review.accept, review.reject, lambda name: review.edit(name, "x")):
        with pytest.raises(ProposalDecided, match="rejected already"):
            decide("p1")


def test_there_is_nothing_to_take_back_of_what_is_open(review):
    with pytest.raises(ProposalOpen):
        review.undo("p1")


def test_an_id_that_there_is_none_of_is_named(review):
    for ask in (review.show, review.accept, review.reject, review.undo):
        with pytest.raises(UnknownProposal, match="'p9'"):
            ask("p9")


def test_a_kill_after_it_was_done_leaves_a_proposal_that_says_so(kept, notes):
    def killed():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Review(kept, {"contradiction": notes}, after=killed).accept("p1")
    assert kept.get("p1").state == "open"
    notes.stands, notes.did = "settled", "c1"
    decision = Review(kept, {"contradiction": notes}).accept("p1")
    assert (decision.proposal.state, decision.change) == ("accepted", "c1")
    assert len(notes.done) == 1


def test_what_was_done_before_a_kill_is_not_rejected_or_done_with_other_words(kept, notes):
    notes.did = "c1"
    for decide in (lambda review: review.reject("p1"), lambda review: review.edit("p1", "x")):
        kept.by_id["p1"] = msgspec.structs.replace(kept.by_id["p1"], state="open")
        with pytest.raises(ProposalDecided, match="accepted already"):
            decide(Review(kept, {"contradiction": notes}))
        assert (kept.get("p1").state, kept.get("p1").change) == ("accepted", "c1")
    assert notes.done == []


def test_one_decides_at_a_time(kept, notes):
    held = []

    @contextmanager
    def turn():
        held.append("begins")
        yield
        held.append("ends")

    review = Review(kept, {"contradiction": notes}, turn=turn, after=lambda: held.append("done"))
    review.accept("p1")
    review.reject("p2")
    review.undo("p2")
    assert held == ["begins", "done", "ends", "begins", "ends", "begins", "ends"]


def test_who_was_quicker_wins(kept, notes):
    class Quicker(Notes):
        def apply(self, proposal):
            kept.by_id["p1"] = msgspec.structs.replace(kept.by_id["p1"], state="rejected")
            return Applied("c1")

    with pytest.raises(ProposalDecided):
        Review(kept, {"contradiction": Quicker()}).accept("p1")
