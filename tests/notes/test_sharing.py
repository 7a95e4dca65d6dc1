"""What is shared of the home is shown to others as it is now, and is changed by its owner alone."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.notes.making import Clock, make_notes

from archivist import EVERYTHING, Person, Scope
from archivist.notes.limits import Limits
from archivist.notes.making_room import NotesFull
from archivist.notes.matching import NoSuchEntry
from archivist.notes.notes import Notes
from archivist.notes.places import level_for, level_for_days
from archivist.notes.telling import LogLine, UnknownEntry
from archivist.records import ArchivistError, Reader
from archivist.records.notes import Quote

STRANGERS = (
    Scope(user="u2"),
    Scope(chat="g"),
    Scope(user="owner", chat="g"),
    Scope(user="u2", project="p"),
    Person("u2"),
)
every_stranger = pytest.mark.parametrize("stranger", STRANGERS, ids=str)
CHANGES: dict[str, Callable[[Notes, str, Reader], object]] = {
    "pin": lambda notes, key, scope: notes.pin(key, scope=scope),
    "unpin": lambda notes, key, scope: notes.pin(key, False, scope=scope),
    "share": lambda notes, key, scope: notes.share(key, scope=scope),
    "unshare": lambda notes, key, scope: notes.share(key, False, scope=scope),
    "promote": lambda notes, key, scope: notes.promote(key, scope=scope),
    "demote": lambda notes, key, scope: notes.demote(key, scope=scope),
}


def noted(notes: Notes, text: str, **options) -> str:
    entry = notes.add("memory", text, **options).entry
    assert entry is not None
    return entry.id


def told(lines: tuple[LogLine, ...]) -> list[tuple[str, str | None, str | None]]:
    return [(line.what, line.before, line.after) for line in reversed(lines)]


@every_stranger
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("tier", ["core", "archive"])
def test_what_is_shared_is_changed_by_its_owner_alone(tmp_path: Path, stranger, change, tier) -> None:
    notes = make_notes(tmp_path)
    key = noted(notes, "The office wifi is guest")
    notes.share(key)
    if tier == "archive":
        notes.demote(key)
    before, log = notes.entries(tier="all", scope=EVERYTHING), notes.log()
    assert notes.entry(key, scope=stranger).text == "The office wifi is guest"
    for name in (key, "office wifi"):
        with pytest.raises((UnknownEntry, NoSuchEntry)):
            CHANGES[change](notes, name, stranger)
    assert (notes.entries(tier="all", scope=EVERYTHING), notes.log()) == (before, log)


@pytest.mark.parametrize("change", CHANGES)
def test_an_id_of_others_is_refused_like_one_that_nobody_has(tmp_path: Path, change) -> None:
    notes = make_notes(tmp_path)
    hidden, shared = noted(notes, "The office wifi is guest"), noted(notes, "The door is blue")
    notes.share(shared)
    noted(notes, "Ann reads at night", scope=Scope(user="u2"))

    def refusal(key: str) -> tuple[type, str]:
        with pytest.raises(ArchivistError) as raised:
            CHANGES[change](notes, key, Scope(user="u2"))
        return type(raised.value), str(raised.value).replace(key, "")

    assert refusal(hidden) == refusal(shared) == refusal("e0123456789")


@every_stranger
def test_a_stranger_is_told_what_it_says_and_from_its_sharing_on(tmp_path: Path, stranger) -> None:
    notes = make_notes(tmp_path)
    quote = Quote("the owner hates Bob", 1, "s1")
    key = noted(notes, "Door code hint: the owner hates Bob", sources=[quote])
    notes.replace("memory", key, "The office wifi is guest")
    notes.share(key)
    notes.replace("memory", key, "The office wifi is visitors")
    lines = [
        ("mark", "shared=False", "shared=True"),
        ("text", "The office wifi is guest", "The office wifi is visitors"),
    ]
    assert told(notes.log(scope=stranger)) == told(notes.log(key, scope=stranger)) == lines
    blame = notes.blame(key, scope=stranger)
    assert told(blame.history) == lines
    assert (blame.sources, blame.entry.sources) == ((), ())
    [shown] = notes.entries(scope=stranger)
    assert (shown.text, shown.sources) == ("The office wifi is visitors", ())
    assert notes.entry(key).sources == (quote,)
    assert len(notes.log()) == 4


@every_stranger
def test_what_is_shared_anew_begins_anew(tmp_path: Path, stranger) -> None:
    clock = Clock()
    notes = make_notes(tmp_path, clock=clock)
    key = noted(notes, "first words")
    notes.share(key)
    early = clock.time
    notes.share(key, False)
    between = notes.as_of(early, scope=stranger)
    notes.replace("memory", key, "second words, of the owner alone")
    notes.replace("memory", key, "third words")
    notes.share(key)
    assert told(notes.log(scope=stranger)) == [("mark", "shared=False", "shared=True")]
    assert between == notes.as_of(early, scope=stranger) == ()
    assert [entry.text for entry in notes.as_of(clock.time, scope=stranger)] == ["third words"]
    assert [entry.text for entry in notes.as_of(early)] == ["first words"]


@every_stranger
def test_what_is_taken_out_or_shared_no_more_is_shown_to_no_stranger(tmp_path: Path, stranger) -> None:
    clock = Clock()
    notes = make_notes(tmp_path, clock=clock)
    removed, kept = noted(notes, "The office wifi is guest"), noted(notes, "The door is blue")
    for key in (removed, kept):
        notes.share(key)
    shared_at = clock.time
    change = notes.remove("memory", removed)
    notes.share(kept, False)
    for key in (removed, kept):
        with pytest.raises(UnknownEntry):
            notes.entry(key, scope=stranger)
        with pytest.raises(UnknownEntry):
            notes.blame(key, scope=stranger)
    assert notes.log(scope=stranger) == notes.as_of(shared_at, scope=stranger) == ()
    notes.undo(change.id)
    assert [entry.id for entry in notes.entries(scope=stranger)] == [removed]


def test_only_what_is_the_homes_own_can_be_shared(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    for scope in (Scope(project="p"), Scope(user="u2"), Scope(chat="g")):
        key = noted(notes, f"Of {scope} alone", scope=scope)
        change = notes.share(key, scope=EVERYTHING)
        assert (change.action, change.id) == ("unchanged", "")
        assert "not-of-the-home" in [notice.code for notice in change.notices]
        assert not notes.entry(key, scope=EVERYTHING).shared
    assert notes.entries(scope=Scope(user="u3")) == notes.log(scope=Scope(user="u3")) == ()


@every_stranger
def test_an_entry_of_a_project_that_is_marked_as_shared_is_told_to_nobody(tmp_path: Path, stranger) -> None:
    """An earlier version marked them, and a hand may move what is shared out of the home."""
    notes = make_notes(tmp_path)
    key = noted(notes, "Project q is secretly late")
    notes.share(key)
    core, other = tmp_path / "memories/MEMORY.md", tmp_path / "memories/projects/q/MEMORY.md"
    other.parent.mkdir(parents=True)
    core.rename(other)
    assert notes.entry(key).scope == Scope(project="q")
    assert notes.entry(key).shared
    assert notes.log(scope=stranger) == notes.entries(tier="all", scope=stranger) == ()
    with pytest.raises(UnknownEntry):
        notes.entry(key, scope=stranger)


def test_a_time_without_a_zone_is_in_utc(tmp_path: Path) -> None:
    clock = Clock()
    notes = make_notes(tmp_path, clock=clock)
    noted(notes, "one thing")
    naive = clock.time.replace(tzinfo=None)
    assert isinstance(naive, datetime)
    assert [entry.text for entry in notes.as_of(naive)] == ["one thing"]
    assert notes.as_of(naive - timedelta(hours=1)) == ()


IN_GROUP = (Scope(chat="g"), Scope(user="owner", chat="g"), Scope(user="ann", chat="g"))


@pytest.mark.parametrize("spoken", IN_GROUP, ids=str)
@pytest.mark.parametrize("target", ["memory", "user"])
def test_what_is_noted_in_a_group_is_the_groups_whoever_speaks(tmp_path: Path, spoken: Scope, target) -> None:
    notes = make_notes(tmp_path)
    for private in (Scope(user="owner"), Scope(user="ann")):
        notes.add(target, f"The salary of {private.user} is 5000 credits", scope=private)
        notes.add("memory", "The group meets on Tuesday", scope=private)
    change = notes.add(target, "The group meets on Tuesday", scope=spoken)
    assert (change.action, change.usage.entries) == ("add", 1)
    assert change.entry is not None
    assert change.entry.scope == Scope(chat="g")
    for there in IN_GROUP:
        assert [entry.text for entry in notes.entries(None, "all", there)] == ["The group meets on Tuesday"]
        assert notes.usage(target, there).entries == 1
        assert notes.add(target, "The group meets on Tuesday", scope=there).action == "unchanged"
    assert notes.add(target, "The salary of ann is 5000 credits", scope=spoken).action == "add"
    assert notes.remove(target, "meets on", scope=spoken).usage.entries == 1
    assert {entry.scope for entry in notes.entries(None, "all", EVERYTHING)} == {
        Scope(),
        Scope(user="ann"),
        Scope(chat="g"),
    }


@pytest.mark.parametrize("spoken", IN_GROUP, ids=str)
def test_a_full_file_of_a_group_names_entries_of_the_group_alone(tmp_path: Path, spoken: Scope) -> None:
    notes = make_notes(tmp_path, limits=Limits(memory=60, user=60, on_full="reject"))
    notes.add("memory", "My salary is 5000 credits")
    notes.add("memory", "The group meets on Tuesday evening", scope=spoken)
    with pytest.raises(NotesFull) as raised:
        notes.add("memory", "Whoever comes last brings the cake", scope=spoken)
    assert raised.value.usage.entries == 1
    assert {entry.scope for entry in raised.value.entries} == {Scope(chat="g")}


def test_in_a_project_a_group_notes_for_the_project_and_the_person_stays_with_the_group() -> None:
    spoken = Scope(user="owner", chat="g", project="p")
    assert level_for("memory", spoken) == level_for_days(spoken) == "projects/p"
    assert level_for("user", spoken) == "chats/g"
    assert level_for_days(Scope(user="ann", chat="g")) == "chats/g"
