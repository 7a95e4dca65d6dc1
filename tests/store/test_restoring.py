"""What a compaction left out is seen again in its own words; nothing is taken away for it."""

import pytest
from tests.store.lines import compact, ids, texts
from tests.store.test_compacting import SUMMARY, rows, sent
from tests.store.test_forking import begin_fork, shown
from tests.store.test_undoing import give_back, say, states, take_back

from archivist.records import SessionStart
from archivist.store.compacting import Compaction, Sent
from archivist.store.compactions import Compactions
from archivist.store.restoring import RESTORES, NothingToRestore


@pytest.fixture
def chat(store):
    session = store.start(SessionStart("cli", prompt="You are kind.", title="Plans"))
    say(store, session, "u1", "a1", "u2", "a2", "u3", "a3")
    return session


@pytest.fixture
def compactions(store):
    return Compactions(store, store._world)


def summary_of(store, session):
    """The summary that the session's compaction wrote."""
    return next(
        one.id for one in store.lineage(session) if one.session_id == session and one.metadata.get("summary")
    )


def test_the_rows_stand_again_where_the_summary_stood_with_all_that_was_said_since(store, chat, compactions):
    child = compact(store, chat, keep=1, head=1)
    say(store, child, "u4", "a4")
    before = rows(store)
    again = compactions.restore(chat)
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u3", "a3", "u4", "a4"]
    assert rows(store) == before
    assert {key for key, state in states(store).items() if state == "compacted"} == {summary_of(store, child)}
    record = store.session(again)
    assert (record.parent_id, record.link, record.prompt) == (child, "compaction", "You are kind.")
    assert record.metadata[RESTORES] == child
    assert shown(store, chat) == ["u1", "a1", "u2", "a2", "u3", "a3", "u4", "a4"]
    assert store.verify().is_clean


def test_what_stood_among_what_was_left_out_stands_there_again(store, chat, compactions):
    """The newest request is kept behind the summary, whatever stood behind it."""
    compactions.compact(chat, Compaction((1, 2, 3, 4, 5, 6), sent(1), SUMMARY, sent(3, 6)))
    assert texts(store.context(chat)) == ["u1", "summary", "u2", "a3"]
    compactions.restore(chat)
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u3", "a3"]


def test_texts_that_were_shortened_are_whole_again(store, chat, compactions):
    compactions.compact(chat, Compaction((1, 2, 3, 4, 5, 6), (Sent(1, "u…"),), SUMMARY, (Sent(6, "a…"),)))
    compactions.restore(chat)
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u3", "a3"]
    assert [states(store)[key] for key in range(1, 7)] == ["active"] * 6


def test_a_compaction_that_only_shortened_is_taken_back_too(store, chat, compactions):
    compactions.compact(chat, Compaction((1, 2, 3, 4, 5, 6), tail=(Sent(1, "u…"), *sent(2, 3, 4, 5, 6))))
    say(store, chat, "u4")
    compactions.restore(chat)
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u3", "a3", "u4"]


def test_the_newest_compaction_is_taken_back_first_then_the_one_before(store, chat, compactions):
    compact(store, chat, keep=2)
    say(store, chat, "u4", "a4")
    compact(store, chat, keep=1)
    compactions.restore(chat)
    assert texts(store.context(chat)) == ["summary of what was said", "u3", "a3", "u4", "a4"]
    compactions.restore(chat)
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u3", "a3", "u4", "a4"]
    with pytest.raises(NothingToRestore, match="sees all"):
        compactions.restore(chat)


@pytest.mark.parametrize("named", ["session", "summary"])
def test_an_earlier_stretch_stands_before_the_summary_that_stands_for_it(store, chat, compactions, named):
    first = compact(store, chat, keep=2)
    say(store, chat, "u4", "a4")
    compact(store, chat, keep=1)
    what = {"compaction": first} if named == "session" else {"summary": summary_of(store, first)}
    compactions.restore(chat, **what)
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "summary of what was said", "a4"]
    with pytest.raises(NothingToRestore, match="is seen"):
        compactions.restore(chat, **what)
    compactions.restore(chat)
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u3", "a3", "u4", "a4"]


def test_a_summary_of_which_all_is_there_again_goes(store, chat, compactions):
    first = compact(store, chat, keep=2)
    compact(store, chat, keep=2)  # stands for the first summary alone
    compactions.restore(chat, compaction=first)
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u3", "a3"]


def test_what_an_inner_summary_stood_for_keeps_its_place_when_the_outer_one_is_taken_back(
    store, chat, compactions
):
    inner = summary_of(store, compact(store, chat, keep=0, head=1))
    outer = summary_of(store, compact(store, chat, keep=0))
    compactions.restore(chat, summary=inner)
    compactions.restore(chat, summary=outer)
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u3", "a3"]


def test_without_a_compaction_there_is_nothing_to_restore(store, chat, compactions):
    before = store.counts()
    for named in ({}, {"summary": 1}, {"compaction": chat}):
        with pytest.raises(NothingToRestore, match=chat):
            compactions.restore(chat, **named)
    assert store.counts() == before


def test_what_was_taken_back_stays_so(store, chat, compactions):
    compact(store, chat, keep=1)
    say(store, chat, "u4", "a4")
    take_back(store, chat)
    compactions.restore(chat)
    assert texts(store.context(chat)) == ["u1", "a1", "u2", "a2", "u3", "a3"]


def test_an_undo_across_a_restore_gives_the_model_what_it_saw_then(store, chat, compactions):
    compact(store, chat, keep=1)
    [key] = say(store, chat, "u4")
    then = states(store)
    compactions.restore(chat)
    say(store, chat, "u5")
    now, seen = states(store), texts(store.context(chat))
    take_back(store, chat, to=key)
    assert texts(store.context(chat)) == ["summary of what was said", "a3"]
    assert {one: state for one, state in states(store).items() if one < key} == {
        one: state for one, state in then.items() if one < key
    }
    give_back(store, chat)
    assert (states(store), texts(store.context(chat))) == (now, seen)
    assert store.verify().is_clean


def test_a_fork_restores_what_the_line_that_it_shares_had_compacted(store, chat, compactions):
    compact(store, chat, keep=1)
    fork = begin_fork(store, chat)
    say(store, fork, "u9")
    take_back(store, chat, to=1)
    before = states(store)
    compactions.restore(fork)
    assert texts(store.context(fork)) == ["u1", "a1", "u2", "a2", "u3", "a3", "u9"]
    assert states(store) == before
    assert texts(store.context(chat)) == []


def test_a_compaction_goes_on_from_what_was_restored(store, chat, compactions):
    compact(store, chat, keep=1)
    compactions.restore(chat)
    child = compact(store, chat, keep=1)
    assert texts(store.context(chat)) == ["summary of what was said", "a3"]
    assert compactions.stands_for(summary_of(store, child)) == [1, 2, 3, 4, 5]
    assert ids(store.lineage(chat)) == [1, 2, 3, 4, 5, 6, 7, 8]
