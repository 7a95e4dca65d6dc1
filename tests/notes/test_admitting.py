"""What may not be noted without the owner is kept for them, resolved to what it would do, and changes nothing meanwhile."""

from pathlib import Path

import pytest
from tests.notes.making import Clock, Kept, make_notes, save

from archivist.notes.admitting import Asked, NotKeptForReview, RejectedBefore, Waits, in_turn
from archivist.notes.limits import Limits
from archivist.notes.making_room import NotesFull
from archivist.notes.matching import NoSuchEntry
from archivist.notes.notes import Notes
from archivist.notes.operations import OperationFailed
from archivist.notes.planning import EmptyNote
from archivist.notes.secrets import SecretInNote
from archivist.records import Quote, Scope
from archivist.records.proposals import ProposedOperation

AGENTS = Waits("approval", "what an agent notes waits here")


class Rule:
    """Lets wait what agents ask for, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []

    def __call__(self, write: Asked) -> Waits | None:
        self.asked.append(write)
        return AGENTS if write.author.origin == "agent" else None


@pytest.fixture
def rule() -> Rule:
    return Rule()


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def notes(tmp_path: Path, rule: Rule, kept: Kept) -> Notes:
    return make_notes(tmp_path, admit=rule, keep=kept)


def present(notes: Notes) -> list[str]:
    return [entry.text for entry in notes.entries(tier="all")]


def test_what_waits_changes_nothing_and_says_under_which_id_it_waits(
    notes: Notes, kept: Kept, tmp_path: Path
) -> None:
    notes.add("memory", "the port is 6390")
    before, log = (tmp_path / "memories/MEMORY.md").read_bytes(), notes.log()
    change = notes.add("memory", "the host is tide.example", origin="agent")
    (proposal,) = kept.waiting
    assert (change.action, change.id, change.entry, change.proposal) == ("waits", "", None, proposal.id)
    assert change.usage.entries == 1
    assert (tmp_path / "memories/MEMORY.md").read_bytes() == before
    assert notes.log() == log
    assert (proposal.kind, proposal.target, proposal.reason) == ("write", "memory", AGENTS.reason)
    assert proposal.operations == (
        ProposedOperation("add", content="the host is tide.example", target="memory"),
    )
    assert proposal.evidence.waits == "approval"


def test_who_asked_and_on_which_words_it_rests_is_kept_with_it(notes: Notes, kept: Kept) -> None:
    scope, source = Scope(user="owner", project="tide"), Quote("use the new host", 4, "s1")
    notes.add(
        "memory",
        "the host is tide.example",
        scope=scope,
        origin="agent",
        sources=[source],
        session="s1",
    )
    (proposal,) = kept.waiting
    asker = proposal.evidence.asker
    assert asker is not None
    assert (asker.origin, asker.scope, asker.session, asker.sources) == ("agent", scope, "s1", (source,))
    assert proposal.scope == Scope(project="tide")


def test_a_rule_is_told_what_would_come_and_what_would_go(notes: Notes, rule: Rule) -> None:
    notes.add("memory", "the port is 6390")
    notes.replace("memory", "6390", "the port is 6391", origin="agent", session="s1")
    notes.edit("memory", "6390", "6392", origin="agent", session="s1")
    notes.remove("memory", "6390", origin="agent", session="s1")
    assert [(one.action, one.comes, one.goes) for one in rule.asked[1:]] == [
        ("replace", ("the port is 6391",), ("the port is 6390",)),
        ("edit", ("the port is 6392",), ("the port is 6390",)),
        ("remove", (), ("the port is 6390",)),
    ]
    assert {one.author.session for one in rule.asked[1:]} == {"s1"}
    assert {one.scopes for one in rule.asked} == {(Scope(),)}


def test_a_batch_is_asked_of_as_one_and_waits_as_one(notes: Notes, rule: Rule, kept: Kept) -> None:
    old = notes.add("memory", "the port is 6390").entry
    assert old is not None
    operations = [
        {"action": "add", "content": "I like tea", "target": "user"},
        {"action": "replace", "old_text": "6390", "content": "the port is 6391"},
        {"action": "add", "content": "made and taken back"},
        {"action": "remove", "old_text": "made and taken back"},
        {"action": "add", "content": "a draft"},
        {"action": "edit", "old_text": "a draft", "content": "the deed"},
    ]
    change = notes.apply("memory", operations, scope=Scope(project="tide"), origin="agent")
    asked = rule.asked[-1]
    assert (change.action, asked.is_batch, asked.target) == ("waits", True, "user")
    assert asked.comes == ("I like tea", "the port is 6391", "the deed")
    assert set(asked.scopes) == {Scope(), Scope(project="tide")}
    assert present(notes) == ["the port is 6390"]
    (proposal,) = kept.waiting
    assert [one.action for one in proposal.operations] == ["add", "replace", "add"]
    assert [(one.id, one.text) for one in proposal.evidence.entries] == [(old.id, "the port is 6390")]
    assert proposal.scope == Scope(project="tide")


def test_what_follows_from_it_is_part_of_it(notes: Notes, rule: Rule, kept: Kept) -> None:
    old = notes.add("memory", "Ana works at Birk", origin="distilled").entry
    assert old is not None
    notes.add("memory", "Ana no longer works at Birk", origin="agent")
    assert rule.asked[-1].goes == ("Ana works at Birk",)
    assert kept.waiting[0].operations == (
        ProposedOperation("add", content="Ana no longer works at Birk", target="memory"),
        ProposedOperation("close", old.id, by="", target="memory"),
    )
    assert notes.entry(old.id).status == "active"


def test_what_comes_back_from_the_archive_is_asked_of(notes: Notes, rule: Rule, kept: Kept) -> None:
    old = notes.add("memory", "the port is 6390").entry
    assert old is not None
    notes.demote(old.id)
    assert notes.add("memory", "the port is 6390", origin="agent").action == "waits"
    assert rule.asked[-1].comes == ("the port is 6390",)
    assert kept.waiting[0].operations[0].entry == old.id
    assert notes.entry(old.id).tier == "archive"


def test_where_nothing_is_to_be_done_nobody_is_asked(notes: Notes, rule: Rule) -> None:
    notes.add("memory", "the port is 6390")
    asked = len(rule.asked)
    assert notes.add("memory", "The port is 6390.", origin="agent").action == "unchanged"
    assert notes.replace("memory", "6390", "the port is 6390", origin="agent").action == "unchanged"
    assert len(rule.asked) == asked


def test_what_is_refused_anyway_is_refused_at_once(tmp_path: Path, rule: Rule, kept: Kept) -> None:
    notes = make_notes(tmp_path, admit=rule, keep=kept, limits=Limits(memory=200))
    notes.add("memory", "the port is 6390")
    for refused, ask in (
        (EmptyNote, lambda: notes.add("memory", " ", origin="agent")),
        (SecretInNote, lambda: notes.add("memory", "key AKIAIOSFODNN7REALKEY", origin="agent")),
        (NoSuchEntry, lambda: notes.replace("memory", "7000", "x", origin="agent")),
        (OperationFailed, lambda: notes.apply("memory", [{"action": "add"}], origin="agent")),
        (NotesFull, lambda: notes.add("memory", "word " * 60, origin="agent")),
    ):
        with pytest.raises(refused):
            ask()
    assert kept.waiting == []
    assert present(notes) == ["the port is 6390"]


def test_the_same_waits_once_and_other_words_wait_beside_it(notes: Notes, kept: Kept) -> None:
    first = notes.add("memory", "the host is tide.example", origin="agent")
    again = notes.add("memory", "The host is  tide.example.", origin="agent")
    other = notes.add("memory", "the host is ebb.example", origin="agent")
    theirs = notes.add("memory", "the host is tide.example", origin="agent", scope=Scope(user="kim"))
    assert first.proposal == again.proposal
    assert len({first.proposal, other.proposal, theirs.proposal}) == len(kept.waiting) == 3


def test_what_was_rejected_is_said_and_not_asked_again(notes: Notes, kept: Kept) -> None:
    change = notes.add("memory", "the host is tide.example", origin="agent")
    assert change.proposal is not None
    kept.rejected.add(change.proposal)
    with pytest.raises(RejectedBefore, match=f"rejected this before .*{change.proposal}"):
        notes.add("memory", "the host is tide.example", origin="agent")
    assert present(notes) == []


def test_what_cannot_be_kept_is_not_said_to_wait(tmp_path: Path, rule: Rule) -> None:
    notes = make_notes(tmp_path, admit=rule)
    with pytest.raises(NotKeptForReview, match="nothing was noted"):
        notes.add("memory", "the host is tide.example", origin="agent")
    assert present(notes) == []


def test_secrets_that_a_hand_has_put_into_an_entry_are_kept_nowhere_else(
    notes: Notes, kept: Kept, tmp_path: Path
) -> None:
    save(tmp_path / "memories/MEMORY.md", "the key is AKIAIOSFODNN7REALKEY")
    notes.remove("memory", "the key is", origin="agent")
    (seen,) = kept.waiting[0].evidence.entries
    assert "AKIAIOSFODNN7REALKEY" not in seen.text
    assert seen.text.startswith("the key is [masked")


def test_it_waits_for_ninety_days(tmp_path: Path, rule: Rule, kept: Kept) -> None:
    clock = Clock()
    make_notes(tmp_path, admit=rule, keep=kept, clock=clock).add("memory", "a new host", origin="agent")
    (proposal,) = kept.waiting
    assert proposal.expires_at is not None
    assert (proposal.expires_at - proposal.made_at).days == 90


def test_the_first_rule_that_lets_something_wait_says_why() -> None:
    first, second = Waits("quarantine", "first"), Waits("approval", "second")
    asked = Asked("add", "memory", ("x",), (), author=None, scopes=())  # type: ignore[arg-type]
    assert in_turn([lambda _: None, lambda _: first, lambda _: second])(asked) == first
    assert in_turn([lambda _: None])(asked) is None
