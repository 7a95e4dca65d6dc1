"""One question to notes, daily notes and conversations, through `Archivist`."""

import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from archivist import EVERYTHING, Archivist, Message, Person, Scope
from archivist.app.shelves import Shelves
from archivist.records import Notice
from archivist.records.notes import Entry

DAY = timedelta(days=1)


class Clock:
    """A clock that a test puts forward; its days are long past, so that no file looks as if it were just saved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 10, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def archivist(tmp_path: Path, clock: Clock):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text('timezone = "UTC"\n')
    with Archivist.open(tmp_path / "home", clock=clock, environ={}) as opened:
        yield opened


def found(archivist: Archivist, query: str, **asked: object) -> list[tuple[str, str]]:
    return [(hit.kind, hit.text) for hit in archivist.recall(query, **asked).hits]


def codes(archivist: Archivist, query: str, **asked: object) -> list[str]:
    return [notice.code for notice in archivist.recall(query, **asked).notices]


def test_all_kinds_of_memory_answer_one_question(archivist: Archivist) -> None:
    archivist.sessions.start("cli").append(Message.user("is the lantern of the quay lit?"))
    entry = archivist.notes.add("memory", "The lantern burns at night").entry
    archivist.daily.add("Filled the lantern with oil")
    page = archivist.recall("lantern")
    sources = {hit.kind: str(hit.source) for hit in page.hits}
    assert sources["note"] == f"notes:MEMORY.md#{entry.id}"
    assert sources["daily"] == "notes:daily/2026-03-10.md#1"
    assert sources["message"].startswith("cli:")
    for kind in ("note", "daily", "message"):
        assert [hit.kind for hit in archivist.recall("lantern", kinds=(kind,)).hits] == [kind]
    assert {hit.kind for hit in archivist.recall("lantern", kinds=["note", "daily"]).hits} == {
        "note",
        "daily",
    }
    assert found(archivist, "lantern", kinds="note") == [("note", "The lantern burns at night")]


def test_a_daily_note_has_the_time_that_stands_with_it_in_the_owners_zone(
    archivist: Archivist, clock: Clock
) -> None:
    archivist.daily.add("Filled the lantern with oil")
    folder = archivist.home.notes_folder / "daily"
    (folder / "2026-03-08.md").write_text("The lantern was cleaned\n")
    (folder / "no-day.md").write_text("The lantern is no day\n")
    dates = {hit.text: hit.date for hit in archivist.recall("lantern").hits}
    assert dates == {
        "Filled the lantern with oil": clock.now,
        "The lantern was cleaned": datetime(2026, 3, 8, tzinfo=UTC),
    }
    assert found(archivist, "lantern", until=date(2026, 3, 8)) == [("daily", "The lantern was cleaned")]


def test_what_changes_is_found_changed(archivist: Archivist) -> None:
    entry = archivist.notes.add("memory", "The lantern burns at night").entry
    assert found(archivist, "lantern") == [("note", "The lantern burns at night")]
    archivist.notes.replace("memory", entry.id, "The lantern burns at dusk")
    assert found(archivist, "lantern") == [("note", "The lantern burns at dusk")]
    path = archivist.home.notes_folder / "MEMORY.md"
    path.write_text("The lantern burns at dawn\n§\nThe lantern has a green glass\n")
    assert len(found(archivist, "lantern")) == 2
    for text in ("Oiled the lantern", "Broke the lantern"):
        archivist.daily.add(text)
        assert ("daily", text) in found(archivist, "lantern")
    day = archivist.home.notes_folder / "daily" / "2026-03-10.md"
    day.write_text(day.read_text().replace("Broke", "Mends"))
    assert ("daily", "Mends the lantern") in found(archivist, "lantern")
    day.unlink()
    assert {kind for kind, _ in found(archivist, "lantern")} == {"note"}
    path.unlink()
    assert found(archivist, "lantern") == []


def test_a_second_program_sees_what_the_first_noted(archivist: Archivist, clock: Clock) -> None:
    archivist.notes.add("memory", "The lantern burns at night")
    assert found(archivist, "lantern")
    with Archivist.open(archivist.home.path, clock=clock, environ={}) as other:
        other.notes.add("memory", "Another lantern hangs at the mill")
    assert len(found(archivist, "lantern")) == 2


def test_an_archived_entry_says_so_and_where_it_stands(archivist: Archivist) -> None:
    entry = archivist.notes.add("user", "Likes the lantern lit").entry
    archivist.notes.demote(entry.id)
    (hit,) = archivist.recall("lantern").hits
    assert (hit.tier, hit.target, hit.why[-1]) == ("archive", "user", "archived")
    assert str(hit.source) == f"notes:archive/2026-03-user.md#{entry.id}"
    assert (archivist.home.notes_folder / hit.source.file).read_text() == "Likes the lantern lit"


def test_as_of_shows_what_was_there_then(archivist: Archivist, clock: Clock) -> None:
    entry = archivist.notes.add("memory", "The lantern burns at night").entry
    gone = archivist.notes.add("memory", "The old lantern is broken").entry
    clock.now += DAY
    archivist.notes.replace("memory", entry.id, "The lantern burns at dusk")
    archivist.notes.remove("memory", gone.id)
    archivist.daily.add("Filled the lantern with oil")
    archivist.sessions.start("cli").append(Message.user("is the lantern lit?"))
    assert {text for _, text in found(archivist, "lantern", as_of=clock.now - DAY / 2)} == {
        "The lantern burns at night",
        "The old lantern is broken",
    }
    assert len(found(archivist, "lantern", as_of="2026-03-10")) == 2
    assert len(found(archivist, "lantern", as_of=date(2026, 3, 11))) == 3
    assert found(archivist, "lantern", as_of=date(2026, 3, 9)) == []
    archivist.notes.demote(entry.id)
    (hit,) = archivist.recall("lantern dusk", kinds="note", as_of=clock.now).hits
    assert hit.text == "The lantern burns at dusk"


def test_an_entry_is_shown_to_whom_it_may_be_shown(archivist: Archivist) -> None:
    tide = Scope("owner", project="tide")
    archivist.notes.add("memory", "The lantern of the home")
    archivist.notes.add("memory", "The lantern of the tide project", scope=tide)
    archivist.notes.add("memory", "The lantern of the group", scope=Scope(chat="g"))
    archivist.daily.add("Lit the lantern of Ann", scope=Scope("ann"))
    for scope, words in (
        (None, {"home", "project"}),
        (tide, {"home", "project"}),
        (Scope("owner", project="mill"), {"home"}),
        (Scope(chat="g"), {"group"}),
        (Person("ann"), {"Ann"}),
        (EVERYTHING, {"home", "project", "group", "Ann"}),
    ):
        assert {text.split()[-1] for _, text in found(archivist, "lantern", scope=scope)} == words, scope


SECRET = "sk-" + "ant-api03-" + "aB3dE5fG7hJ9" * 8


def test_a_secret_that_an_editor_wrote_into_a_file_is_masked_and_nobody_finds_it(
    archivist: Archivist, clock: Clock
) -> None:
    archivist.notes.add("memory", "The mill stands still in winter")
    archivist.daily.add("Filled the lantern with oil")
    core, day = (
        archivist.home.notes_folder / "MEMORY.md",
        archivist.home.notes_folder / "daily" / "2026-03-10.md",
    )
    core.write_text(f"The lantern of the API: {SECRET}\n§\nThe mill stands still in winter\n")
    day.write_text(f"{day.read_text()}\n- The lantern again, {SECRET}\n")
    entry = next(one for one in archivist.notes.entries() if "lantern" in one.text)
    for query in ("lantern", "lantern again", entry.id, "", "today", "lantern -mill"):
        page = archivist.recall(query)
        assert SECRET not in repr(page), query
        assert [notice.code for notice in page.notices].count("notes-masked") == 1, query
    then = archivist.recall("lantern", as_of=clock.now + DAY)
    assert SECRET not in repr(then)
    assert "[masked " in repr(then)
    assert not [hit for hit in archivist.recall(SECRET).hits if hit.kind != "message"]
    assert archivist.recall(f"{SECRET[:24]}*").hits == ()
    plain = archivist.recall("mill")
    assert "notes-masked" not in [notice.code for notice in plain.notices]
    assert [hit.text for hit in plain.hits] == ["The mill stands still in winter"]


def test_a_long_note_with_a_secret_is_masked_before_it_is_cut(archivist: Archivist) -> None:
    archivist.notes.add("memory", "The mill stands still in winter")
    rest = "and so on it goes, " * 40
    for before in range(520, 620, 7):
        text = f"Lantern {'x' * before} password is {SECRET} {rest}"
        (archivist.home.notes_folder / "MEMORY.md").write_text(
            f"{text}\n§\nThe mill stands still in winter\n"
        )
        (hit,) = archivist.recall("lantern", kinds="note").hits
        assert SECRET[:20] not in hit.text


def test_what_was_taken_out_or_replaced_is_found_only_as_of_then(archivist: Archivist, clock: Clock) -> None:
    entry = archivist.notes.add("memory", "The lantern burns at night").entry
    other = archivist.notes.add("user", "Likes the lantern lit").entry
    clock.now += DAY
    archivist.notes.replace("memory", entry.id, "The beacon burns at dusk")
    archivist.notes.remove("user", other.id)
    assert found(archivist, "lantern") == []
    assert [hit.kind for hit in archivist.recall(other.id).hits] == []
    assert len(found(archivist, "lantern", as_of=clock.now - DAY / 2)) == 2


def test_what_cannot_both_hold_is_told_with_its_days_where_one_of_them_is_found(
    archivist: Archivist, clock: Clock
) -> None:
    first = archivist.notes.add("memory", "The lantern port is 8080").entry
    clock.now += 3 * DAY
    second = archivist.notes.add("memory", "The lantern port is 8081").entry
    (notice,) = [one for one in archivist.recall("8080").notices if one.code == "contradicted"]
    days = [one.observed_at.date().isoformat() for one in (first, second)]
    assert all(
        f"{one.id} “{one.text}” (noted {day})" in notice.text
        for one, day in zip((first, second), days, strict=True)
    )
    archivist.notes.remove("memory", second.id)
    assert "contradicted" not in codes(archivist, "8080")


def test_what_a_note_corrects_is_found_only_as_of_then(archivist: Archivist, clock: Clock) -> None:
    archivist.notes.add("memory", "Ana tends the lantern")
    clock.now += DAY
    archivist.notes.add("memory", "Ana tends the beacon, not the lantern")
    assert [text for _, text in found(archivist, "lantern")] == ["Ana tends the beacon, not the lantern"]
    then = found(archivist, "lantern", as_of=clock.now - DAY / 2)
    assert [text for _, text in then] == ["Ana tends the lantern"]


@pytest.mark.parametrize("status", ["superseded", "retracted"])
def test_an_entry_that_holds_no_more_is_not_found(archivist: Archivist, clock: Clock, status: str) -> None:
    archivist.notes.add("memory", "The lantern burns at night")
    held = archivist.notes.entries()
    notes = _Noted(tuple(msgspec.structs.replace(entry, status=status) for entry in held), held)
    shelves = Shelves(archivist.home.notes_folder, zone=UTC, now=clock)
    now, _ = shelves.shelf(lambda: notes, EVERYTHING, frozenset({"note"}), None)
    then, _ = shelves.shelf(lambda: notes, EVERYTHING, frozenset({"note"}), clock.now)
    assert [text.text for text in now.texts] == []
    assert [text.text for text in then.texts] == ["The lantern burns at night"]


class _Noted:
    """Notes as they are and as they were."""

    def __init__(self, present: tuple[Entry, ...], past: tuple[Entry, ...]) -> None:
        self.present, self.past = present, past

    def entries(self, **_: object) -> tuple[Entry, ...]:
        return self.present

    def as_of(self, at: datetime, **_: object) -> tuple[Entry, ...]:
        return self.past

    def newest_change(self) -> str:
        return "c1"

    def take_notices(self) -> tuple[Notice, ...]:
        return ()


def test_only_what_comes_from_a_program_or_from_the_notes(archivist: Archivist) -> None:
    archivist.sessions.start("cli").append(Message.user("is the lantern of the quay lit?"))
    archivist.sessions.start("codex").append(Message.user("the lantern of the mill is lit"))
    archivist.notes.add("memory", "The lantern burns at night")
    archivist.daily.add("Filled the lantern with oil")
    for source, kinds in (
        ("cli", ["message"]),
        (("cli", "codex"), ["message", "message"]),
        ("notes", ["daily", "note"]),
        (("notes", "codex"), ["daily", "message", "note"]),
        ((), ["daily", "message", "message", "note"]),
    ):
        assert sorted(kind for kind, _ in found(archivist, "lantern", source=source)) == kinds
    assert codes(archivist, "lantern", source="cli") == []
    assert codes(archivist, "lantern", source="hermes") == ["filtered-away", "unknown-source"]
    assert codes(archivist, "beacon", source="notes") == ["no-such-words"]
    assert codes(archivist, "lantern", source="codex", kinds="note") == ["no-such-kind"]


def test_an_unknown_word_is_told_of_all_that_the_reader_may_see(archivist: Archivist) -> None:
    archivist.notes.add("memory", "Use grams, not cups.")
    archivist.sessions.start("cli", scope=Scope("ann")).append(Message.user("kubernetes is what we use"))
    assert codes(archivist, "why did we not use kubernetes?") == ["unknown-words"]
    assert found(archivist, "why did we not use kubernetes?") == []
    assert codes(archivist, "why did we not use kubernetes?", scope=EVERYTHING) == []


def test_a_kind_that_is_not_kept_is_named(archivist: Archivist) -> None:
    for kinds in (("picture",), ("note", "picture"), ()):
        page = archivist.recall("lantern", kinds=kinds)
        assert ([notice.code for notice in page.notices], page.hits) == (["no-such-kind"], ())
    assert codes(archivist, "lantern", kinds=("note",)) == ["nothing-stored"]


def test_notes_that_cannot_be_read_are_named_and_the_rest_is_found(archivist: Archivist) -> None:
    archivist.sessions.start("cli").append(Message.user("is the lantern lit?"))
    archivist.daily.add("Filled the lantern with oil")
    (archivist.home.notes_folder / "MEMORY.md").mkdir()
    assert {kind for kind, _ in found(archivist, "lantern")} == {"daily", "message"}
    assert codes(archivist, "lantern") == ["notes-unreadable"]
    (archivist.home.notes_folder / "MEMORY.md").rmdir()
    assert codes(archivist, "lantern") == []


def test_what_was_found_in_the_files_on_the_way_is_told(archivist: Archivist, clock: Clock) -> None:
    path = archivist.home.notes_folder / "MEMORY.md"
    archivist.notes.add("memory", "The lantern burns at night")
    path.write_text("The lantern burns at night\n§\nThe quay is closed on Sundays\n")
    archivist.recall("lantern")
    clock.now += timedelta(minutes=1)
    archivist.notes.add("memory", "The mill stands still in winter")
    path.write_text("The lantern burns at night\n§\nThe quay is closed on Mondays\n")
    assert codes(archivist, "lantern") == ["stale-save"]
    assert codes(archivist, "lantern") == []


def test_a_home_without_notes_answers_as_its_conversations_do(archivist: Archivist, clock: Clock) -> None:
    session = archivist.sessions.start("cli", title="Lanterns")
    session.append_many([Message.user(f"lantern {number} burns at the quay") for number in range(12)])
    for query in ("lantern burns", "lantern 7", '"the quay"', "today", "", "zebra", "lantern -burns"):
        asked = archivist.recall(query, explain=True)
        assert repr(asked) == repr(archivist.sessions.search(query, limit=8, explain=True))
        assert repr(archivist.recall(query, explain=True, kinds=("message",))) == repr(asked)


LOADED = """
import sys
from archivist.surfaces.cli.root import root, run
code = run(root, ["recall", "lantern"])
print(code, sorted(name for name in sys.modules if name.startswith(("archivist.notes", "archivist.app.shelves", "archivist.recall.noted"))))
"""


def test_where_nothing_is_noted_nothing_of_notes_is_loaded(archivist: Archivist) -> None:
    archivist.sessions.start("cli").append(Message.user("is the lantern lit?"))
    archivist.catch_up()

    def loaded() -> str:
        environ = {**os.environ, "ARCHIVIST_HOME": str(archivist.home.path)}
        asked = subprocess.run(
            [sys.executable, "-c", LOADED], env=environ, capture_output=True, text=True, check=True
        )
        assert "is the lantern lit?" in asked.stdout
        return asked.stdout.splitlines()[-1]

    assert loaded() == "0 []"
    archivist.notes.add("memory", "The lantern burns at night")
    assert "archivist.recall.noted" in loaded()


def test_a_page_with_notes_is_json_of_the_shape_of_any_page(archivist: Archivist) -> None:
    from archivist.surfaces.cli.calling import print_json

    archivist.notes.add("memory", "The lantern burns at night")
    archivist.sessions.start("cli").append(Message.user("is the lantern lit?"))
    page = archivist.recall("lantern")
    with pytest.MonkeyPatch.context() as patched:
        told: list[str] = []
        patched.setattr("click.echo", told.append)
        print_json(page)
    hits = json.loads(told[0])["hits"]
    assert [hit["kind"] for hit in hits] == ["note", "message"]
    assert hits[0].keys() == hits[1].keys()
    assert hits[0]["source"]["file"] == "MEMORY.md"
    assert hits[0]["message_id"] is None


@pytest.mark.parametrize(
    ("word", "other", "query"),
    [
        ("C++", "Cat collects", "C++"),
        ("C#", "Cats and cars", "C#"),
        ("Go", "Google goes", "Go"),
        ("Go", "Google goes", '"Go"'),
        ("R", "Red rose", "R"),
        ("port", "portal porting", "port"),
    ],
)
def test_a_short_word_is_found_among_many_notes_with_words_that_begin_so(tmp_path, word, other, query):
    archive = tmp_path / "memories" / "archive"
    archive.mkdir(parents=True)
    notes = [f"{other} item {number} of list" for number in range(400)]
    notes.insert(133, f"Backend uses {word} now")
    (archive / "2020-01.md").write_text("\n§\n".join(notes))
    with Archivist.open(tmp_path) as archivist:
        assert f"Backend uses {word} now" in [hit.text for hit in archivist.recall(query).hits]


def test_a_note_that_was_brought_in_names_the_file_that_it_came_from(tmp_path):
    memories = tmp_path / ".hermes" / "memories"
    memories.mkdir(parents=True)
    (memories / "MEMORY.md").write_text("The staging queue runs on port 6390")
    with Archivist.open(tmp_path / "home") as archivist:
        archivist.import_history(tmp_path / ".hermes")
        (hit,) = archivist.recall("staging queue port").hits
        (entry,) = archivist.notes.entries()
        assert hit.source.ids == (entry.id, "file:memories/MEMORY.md")
        assert str(hit.source) == f"notes:MEMORY.md#{entry.id}"
