import pytest
from tests.notes.making import Clock, make_notes, save

from archivist.notes.limits import Limits
from archivist.notes.passing_over import NOTED
from archivist.notes.statements import Statement
from archivist.notes.telling import UnknownEntry
from archivist.records import Scope
from archivist.records.notes import Quote

OLD, NEW = "Ana works at Birk.", "Ana works at Kern, not Birk."
MEMORY = "memories/MEMORY.md"
CLOSED = "memories/archive/2026-05-superseded.md"
GROUP = Scope(chat="g")


@pytest.fixture
def notes(tmp_path):
    return make_notes(tmp_path)


def texts(notes, **how):
    return [entry.text for entry in notes.entries("memory", "all", **how)]


def corrected(notes, old=OLD, new=NEW, **how):
    was = notes.add("memory", old, **how).entry
    return was, notes.add("memory", new, **how)


def test_an_explicit_correction_closes_the_one_entry_that_it_corrects(notes):
    old, change = corrected(notes)
    assert [entry.id for entry in change.superseded] == [old.id]
    assert change.entry.supersedes == old.id
    assert texts(notes) == [NEW]
    closed = notes.entry(old.id)
    assert (closed.status, closed.superseded_by, closed.text) == ("superseded", change.entry.id, OLD)
    assert closed.valid_to is not None
    told = next(notice for notice in change.notices if notice.code == "superseded")
    assert old.id in told.text
    assert f"memory undo {change.id}" in told.text


def test_only_the_same_relation_is_closed(notes):
    # a known person mentioned again retired a true fact in four of ten cases: https://github.com/getzep/graphiti/issues/1728
    for text in ("Ana works at Birk.", "Ana likes tea.", "Actually, Ana plays chess."):
        assert not notes.add("memory", text).superseded
    assert len(texts(notes)) == 3


def test_the_opposite_without_words_of_correction_stands_beside_what_it_contradicts(notes):
    # the old was deleted and the new was not added: https://github.com/mem0ai/mem0/issues/4536
    notes.add("user", "I love ramen")
    assert not notes.add("user", "I hate ramen").superseded
    assert [entry.text for entry in notes.entries("user")] == ["I love ramen", "I hate ramen"]


def test_the_room_of_what_is_closed_is_free_at_once(tmp_path):
    notes = make_notes(tmp_path, limits=Limits(memory=60))
    notes.add("memory", "Ana works at Birk.")
    notes.add("memory", "x" * 28)
    change = notes.add("memory", NEW)
    assert not change.moved
    assert change.usage.chars <= 60


def test_undo_takes_both_back_to_the_byte(notes, tmp_path):
    save(tmp_path / MEMORY, b"\xef\xbb\xbfAna works at Birk.  \r\n\xc2\xa7\r\nlast of all\r\n\r\n")
    notes.entries()
    before = (tmp_path / MEMORY).read_bytes()
    change = notes.add("memory", NEW)
    assert change.superseded
    notes.undo(change.id)
    assert (tmp_path / MEMORY).read_bytes() == before
    assert not (tmp_path / CLOSED).exists()
    assert texts(notes) == [OLD, "last of all"]
    undone = notes.log()[0].change
    notes.undo(undone)
    assert texts(notes) == ["last of all", NEW]


def test_a_folder_shows_what_holds_no_more_without_the_journal(notes, tmp_path):
    corrected(notes)
    assert (tmp_path / CLOSED).read_text() == OLD
    (tmp_path / "memories/journal.jsonl").unlink()
    again = make_notes(tmp_path, clock=Clock(), prefix="b")
    assert texts(again) == [NEW]
    assert [entry.status for entry in again.entries(None, "all", superseded=True)] == ["active", "superseded"]


def test_it_is_hidden_unless_it_is_asked_for(notes):
    old, _ = corrected(notes)
    assert texts(notes, superseded=True) == [NEW, OLD]
    assert [entry.text for entry in notes.entries("memory", "archive")] == []
    assert [line.entry for line in notes.log(old.id)] == [old.id, old.id]
    assert notes.blame(old.id).entry.status == "superseded"


def test_as_of_shows_what_held_then(tmp_path):
    clock = Clock()
    notes = make_notes(tmp_path, clock=clock)
    notes.add("memory", OLD)
    clock.skip(days=2)
    then = clock()
    clock.skip(days=2)
    notes.add("memory", NEW)
    assert [entry.text for entry in notes.as_of(then)] == [OLD]
    assert [entry.text for entry in notes.as_of(clock())] == [NEW]


def test_an_archived_entry_is_closed_too(notes):
    old = notes.add("memory", OLD).entry
    notes.demote(old.id)
    change = notes.add("memory", NEW)
    assert [entry.id for entry in change.superseded] == [old.id]
    assert notes.entry(old.id).status == "superseded"
    notes.undo(change.id)
    assert (notes.entry(old.id).status, notes.entry(old.id).tier) == ("active", "archive")


def test_a_hand_that_brings_the_closed_words_back_wins(notes, tmp_path):
    old, _ = corrected(notes)
    save(tmp_path / MEMORY, f"{NEW}\n§\n{OLD}")
    assert texts(notes) == [NEW, OLD]
    assert notes.entry(old.id).status == "active"
    assert not (tmp_path / CLOSED).exists()


def test_to_say_it_again_brings_it_back(notes):
    old, _ = corrected(notes)
    change = notes.add("memory", OLD)
    assert change.entry.id == old.id
    assert change.entry.status == "active"
    assert "holds again" in change.notices[0].text
    assert texts(notes) == [NEW, OLD]


def test_a_program_does_not_bring_back_what_its_owner_has_corrected(notes):
    old = notes.add("memory", OLD, origin="agent").entry
    new = notes.add("memory", NEW).entry
    change = notes.add("memory", OLD, origin="agent")
    assert (change.id, change.action) == ("", "unchanged")
    assert [notice.code for notice in change.notices] == ["holds-no-more"]
    assert new.id in change.notices[0].text
    assert notes.entry(old.id).status == "superseded"
    assert notes.add("memory", OLD).contradicted[0].id == new.id


def test_an_import_does_not_bring_back_what_was_corrected(notes):
    corrected(notes)
    assert notes.bring_in([Statement("memory", OLD, "x:y#1")]).skipped == {NOTED: 1}


def test_what_a_hand_puts_among_what_holds_no_more_does_not(notes, tmp_path):
    notes.add("memory", OLD)
    save(tmp_path / MEMORY, "")
    save(tmp_path / CLOSED, OLD)
    assert texts(notes) == []
    assert [entry.status for entry in notes.entries("memory", "all", superseded=True)] == ["superseded"]


def test_to_promote_it_brings_it_back_and_use_does_not(notes):
    old, _ = corrected(notes)
    assert notes.bring_back([old.id]) == ()
    assert notes.entry(old.id).status == "superseded"
    assert notes.promote(old.id).entry.status == "active"


def test_a_closed_entry_is_found_by_its_id_alone(notes):
    old, _ = corrected(notes)
    assert notes.edit("memory", "Birk", "Lund").before == NEW
    assert notes.remove("memory", old.id).before == OLD
    assert notes.entry(old.id).status == "retracted"


def test_a_correction_is_corrected_in_its_turn(notes):
    first, second = corrected(notes)
    third = notes.add("memory", "Ana works at Lund, not Kern.")
    assert [entry.id for entry in third.superseded] == [second.entry.id]
    fourth = notes.add("memory", "Ana no longer works at Lund")
    assert [entry.id for entry in fourth.superseded] == [third.entry.id]
    assert texts(notes) == [fourth.entry.text]
    assert notes.entry(first.id).superseded_by == second.entry.id


def test_back_and_forth_only_what_was_said_last_stands(notes):
    texts_in_turn = ("The port is 8080", "The port is 9090, not 8080", "The port is 8080, not 9090")
    first, second, third = (notes.add("memory", text).entry for text in texts_in_turn)
    again = notes.add("memory", second.text)
    assert (again.action, again.entry.id) == ("promote", second.id)
    assert [entry.id for entry in again.superseded] == [third.id]
    assert texts(notes) == [second.text]
    notes.undo(again.id)
    assert texts(notes) == [third.text]
    assert notes.entry(first.id).status == "superseded"


def test_a_correction_that_is_said_again_closes_again_what_it_names(notes):
    old, change = corrected(notes)
    notes.add("memory", OLD)
    again = notes.add("memory", NEW)
    assert (again.action, again.entry.id) == ("supersede", change.entry.id)
    assert [entry.id for entry in again.superseded] == [old.id]
    assert texts(notes) == [NEW]
    notes.undo(again.id)
    assert texts(notes) == [NEW, OLD]


def test_an_archived_correction_that_is_said_again_comes_back_and_closes(notes):
    old, change = corrected(notes)
    notes.add("memory", OLD)
    notes.demote(change.entry.id)
    again = notes.add("memory", NEW)
    assert again.action == "promote"
    assert [entry.id for entry in again.superseded] == [old.id]


def codes(change):
    return [notice.code for notice in change.notices]


@pytest.mark.parametrize(
    "text", [NEW, "Ana no longer works at Birk", "Correction: the port is 9090", "API 端口改为 9090"]
)
@pytest.mark.parametrize("origin", ["user", "agent"])
def test_a_correction_that_closes_nothing_says_so(notes, text, origin):
    notes.add("memory", "Ana works in Birk and likes it")
    assert codes(notes.add("memory", text, origin=origin)) == ["closes-nothing"]


@pytest.mark.parametrize(
    "text",
    [
        "Use spaces, not tabs",
        "The build uses just rather than make",
        "Actually, Ana plays chess",
        "Not yet done",
    ],
)
def test_what_may_correct_nothing_at_all_is_told_nothing(notes, text):
    assert codes(notes.add("memory", text)) == []


def test_what_may_not_be_closed_is_told_as_a_contradiction_alone(notes):
    notes.add("memory", OLD)
    assert codes(notes.add("memory", NEW, origin="agent")) == ["contradicts"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OLD, "Ana no longer works at Birk"),
        (OLD, "Ana moved from Birk to Kern"),
        ("会议室在三楼", "会议室改为五楼"),
        ("The project uses MySQL", "The project uses Postgres instead of MySQL"),
    ],
)
def test_what_corrects_something_is_a_correction(notes, old, new):
    assert corrected(notes, old, new)[1].entry.kind == "correction"


def test_a_batch_closes_and_is_undone_whole(notes):
    old = notes.add("memory", OLD).entry
    change = notes.apply(
        "memory", [{"action": "add", "content": NEW}, {"action": "add", "content": "One more"}]
    )
    assert [entry.id for entry in change.superseded] == [old.id]
    notes.undo(change.id)
    assert texts(notes) == [OLD]


def test_nothing_made_in_the_same_batch_is_closed(notes):
    change = notes.apply("memory", [{"action": "add", "content": OLD}, {"action": "add", "content": NEW}])
    assert not change.superseded


def test_a_shared_entry_that_holds_no_more_is_shown_to_nobody_else(notes):
    old = notes.add("memory", OLD).entry
    notes.share(old.id)
    kim = Scope(user="kim")
    assert [entry.id for entry in notes.entries("memory", "all", kim)] == [old.id]
    notes.add("memory", NEW)
    assert notes.entries("memory", "all", kim, superseded=True) == ()
    with pytest.raises(UnknownEntry):
        notes.entry(old.id, scope=kim)


def test_another_wording_of_what_is_closed_is_no_double(notes):
    old, change = corrected(notes)
    replaced = notes.replace("memory", change.entry.id, "ana works at Birk")
    assert "says-the-same" not in [notice.code for notice in replaced.notices]
    assert notes.entry(old.id).status == "superseded"


# ---- whose words ----


def by(origin, **how):
    return {"origin": origin, **how}


@pytest.mark.parametrize(
    ("first", "second", "closes"),
    [
        (by("user"), by("user"), True),
        (by("agent"), by("agent"), True),
        (by("agent"), by("user"), True),
        (by("import"), by("user"), True),
        (by("user"), by("agent"), False),
        (by("import"), by("agent"), False),
        (by("agent"), by("import"), False),
        (by("agent", scope=GROUP), by("agent", scope=GROUP), True),
        (by("user", scope=GROUP), by("user", scope=GROUP), False),
        (by("user", scope=Scope(user="kim")), by("user", scope=Scope(user="kim")), True),
        (by("user", scope=Scope(project="p")), by("user", scope=Scope(project="p", user="owner")), True),
        (
            by("user", scope=Scope(project="p", user="kim")),
            by("user", scope=Scope(project="p", user="lee")),
            False,
        ),
    ],
)
def test_only_whose_words_they_are_may_close_them(notes, first, second, closes):
    notes.add("memory", OLD, **first)
    assert bool(notes.add("memory", NEW, **second).superseded) == closes


def test_only_within_one_scope_and_one_file(notes):
    notes.add("memory", OLD)
    assert not notes.add("memory", NEW, scope=Scope(project="p")).superseded
    assert not notes.add("user", NEW).superseded


@pytest.mark.parametrize(
    ("told", "tells", "closes"),
    [
        ("ana", "ana", True),
        ("ana", "ben", False),
        ("ana", None, False),
        (None, "ana", False),
        (None, None, True),
    ],
)
def test_in_a_group_only_the_same_speaker_may(tmp_path, told, tells, closes):
    said = {1: told, 2: tells}
    notes = make_notes(tmp_path)
    notes._speakers_of = lambda ids: {key: said[key] for key in ids}
    notes.add("memory", OLD, origin="agent", scope=GROUP, sources=[Quote(OLD, 1)])
    change = notes.add("memory", NEW, origin="agent", scope=GROUP, sources=[Quote(NEW, 2)])
    assert bool(change.superseded) == closes


def test_an_agents_note_of_the_owners_own_words_counts_as_theirs(notes):
    notes._speakers_of = lambda ids: dict.fromkeys(ids, "owner")
    notes.add("memory", OLD)
    assert notes.add("memory", NEW, origin="agent", sources=[Quote(NEW, 1)]).superseded


def test_what_its_owner_pinned_no_program_closes(notes):
    old = notes.add("memory", OLD, origin="agent").entry
    notes.pin(old.id)
    assert not notes.add("memory", NEW, origin="agent").superseded
    assert notes.add("memory", "Ana no longer works at Birk.").superseded
    assert notes.promote(old.id).entry.pinned
