"""Taking in foreign sessions: once each, more when they grow, states as their source tells them."""

import pytest
from msgspec.structs import replace

from archivist.records import Message, SessionStart, Usage
from archivist.store.imported import Mark
from archivist.store.messages import set_states
from archivist.store.reception import BATCH_MESSAGES, batches

START = SessionStart("claude-code", external_id="ext-1", link="compaction")


def told(*texts, state="active"):
    return [replace(Message.user(text, client_id=f"id-{text}"), state=state) for text in texts]


def states(store, session):
    return [(message.text, message.state) for message in store.lineage(session)]


def test_a_new_session_keeps_the_id_that_its_program_gave_it(store):
    receipt = store.receive(START, told("a", "b"))
    assert (receipt.session_id, receipt.is_new, receipt.added) == ("ext-1", True, 2)


def test_the_same_session_again_adds_nothing(store):
    store.receive(START, told("a", "b"))
    receipt = store.receive(START, told("a", "b"))
    assert (receipt.is_new, receipt.added, receipt.known, receipt.restated) == (False, 0, 2, 0)


def test_a_session_that_has_grown_adds_what_is_new(store):
    store.receive(START, told("a"))
    assert store.receive(START, told("a", "b")).added == 1
    assert states(store, "ext-1") == [("a", "active"), ("b", "active")]


def test_a_path_that_was_left_becomes_a_branch(store):
    store.receive(START, told("a", "b"))
    receipt = store.receive(START, [*told("a"), *told("b", state="branch"), *told("c")])
    assert (receipt.added, receipt.restated) == (1, 1)
    assert [message.text for message in store.context("ext-1")] == ["a", "c"]
    assert ("b", "branch") in states(store, "ext-1")


def test_what_the_owner_took_back_here_stays_taken_back(store):
    store.receive(START, told("a"))
    [message] = store.lineage("ext-1")
    store.write(lambda db: set_states(db, [(message.id, "undone")]))
    store.receive(START, told("a"))
    assert states(store, "ext-1") == [("a", "undone")]


def test_a_child_belongs_to_its_parents_conversation(store):
    store.receive(START, told("a"))
    child = replace(START, external_id="ext-2")
    store.receive(child, told("b"), parent_external_id="ext-1")
    assert store.session("ext-2").conversation_id == "ext-1"
    assert [message.text for message in store.lineage("ext-1")] == ["a", "b"]


def test_a_session_whose_parent_is_not_there_stands_alone(store):
    store.receive(START, told("a"), parent_external_id="gone")
    record = store.session("ext-1")
    assert (record.parent_id, record.link, record.conversation_id) == (None, None, "ext-1")


def test_two_programs_may_use_the_same_id(store):
    store.receive(START, told("a"))
    receipt = store.receive(replace(START, source="hermes"), told("b"))
    assert receipt.session_id not in ("", "ext-1")
    assert states(store, "ext-1") == [("a", "active")]


def test_usage_and_mark_are_kept_and_read_again(store):
    mark = Mark("claude-code", "x.jsonl", "print-1")
    for _ in range(2):
        store.receive(START, told("a"), [Usage("m", "r1", output=3)], mark=mark)
    assert store.usage("ext-1") == [Usage("m", output=3)]
    assert store.fingerprint("claude-code", "x.jsonl") == "print-1"
    assert store.fingerprint("claude-code", "y.jsonl") is None


def test_a_file_without_any_message_is_marked_and_makes_no_session(store):
    receipt = store.receive(START, [], mark=Mark("claude-code", "empty.jsonl", "p"))
    assert receipt.session_id == ""
    assert store.counts()["sessions"] == 0
    assert store.fingerprint("claude-code", "empty.jsonl") == "p"


@pytest.mark.parametrize("count", [0, 1, BATCH_MESSAGES, BATCH_MESSAGES + 1, 3 * BATCH_MESSAGES])
def test_batches_hold_everything_in_order(count):
    messages = told(*(str(n) for n in range(count)))
    found = list(batches(messages))
    assert [message for batch in found for message in batch] == messages
    assert all(len(batch) <= BATCH_MESSAGES for batch in found)


def test_few_long_messages_make_a_batch_of_their_own(store):
    long = told(*("x" * 1_500_000 + str(n) for n in range(3)))
    assert [len(batch) for batch in batches(long)] == [2, 1]
