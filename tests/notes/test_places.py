"""Folders of keys: told apart by every file system, given back as they are, and never shown under a key that is not theirs."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.notes.making import make_notes, save

from archivist import EVERYTHING, Person, Scope
from archivist.notes.notes import Notes
from archivist.notes.places import LONGEST_KEY, NOBODYS, level_of, levels_in, proper_level, scope_of

NOWHERE = Path("/nowhere")
LONG = "git.example.org/team/" + "X" * 60
LETTERS = "aAbßſsSıIiİkKKåÅÅéÉµμΣσςǅǆеЕйЙ가ㄱ가ガカ゛用户ﬁ①٣שׁש²ʼnŉẞ㍿%~._-/ \u3164\u1160\u0301"
keys = st.text(min_size=1) | st.text(st.sampled_from(LETTERS), min_size=1, max_size=30)


def folder_of(key: str) -> str:
    return level_of(Scope(project=key)).partition("/")[2]


def told(folder: str) -> str | None:
    return scope_of(f"projects/{folder}", NOWHERE).project


def texts(notes: Notes, scope=None) -> list[str]:
    return [entry.text for entry in notes.entries(tier="all", scope=scope)]


def seen_by_file_systems(name: str) -> list[str]:
    """A name as file systems compare them: by case, by form, or both."""
    forms = [unicodedata.normalize(form, name) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    return [fold(one) for one in (name, *forms) for fold in (str.lower, str.upper, str.casefold)]


@given(keys)
def test_a_key_is_read_back_from_its_folder(key: str) -> None:
    folder = folder_of(key)
    assert "/" not in folder
    assert len(folder.encode()) <= LONGEST_KEY
    assert unicodedata.normalize("NFC", folder) == folder
    if "~" not in folder:
        assert told(folder) == key


@given(keys, keys)
def test_no_two_keys_have_folders_that_a_file_system_takes_for_one(one: str, other: str) -> None:
    pairs = zip(seen_by_file_systems(folder_of(one)), seen_by_file_systems(folder_of(other)), strict=True)
    assert one == other or not any(mine == its for mine, its in pairs)


@pytest.mark.parametrize(
    ("key", "folder"),
    [
        ("tide", "tide"),
        ("Foo", "%46oo"),
        ("github.com/o/n", "github.com%2Fo%2Fn"),
        (".hidden", "%2Ehidden"),
        ("a b~c", "a%20b%7Ec"),
        ("", "%"),
        ("..", "%2E."),
        ("用户/项目", "用户%2F项目"),
        ("Über-uns", "%C3%9Cber-uns"),
        ("straße", "stra%C3%9Fe"),
        ("café", "café"),
        ("cafe\u0301", "cafe%CC%81"),
        ("проект", "проект"),
        ("ガス", "ガス"),
        ("한글", "한글"),
        ("ｆｕｌｌ", "%EF%BD%86%EF%BD%95%EF%BD%8C%EF%BD%8C"),
        ("com¹", "com%C2%B9"),
    ],
)
def test_folders_by_their_keys(key: str, folder: str) -> None:
    assert folder_of(key) == folder
    assert told(folder) == key


def test_forty_chinese_letters_stand_in_a_name_as_they_are() -> None:
    key = "公司内部的记忆系统" * 4
    assert folder_of(key) == key
    assert folder_of(key * 2).startswith("公司内部")
    assert len(folder_of(key * 2).encode()) <= LONGEST_KEY


def test_long_keys_of_capitals_are_shortened_as_before() -> None:
    assert folder_of("X" * 60) == "%58" * 31 + "%5~9aaf85e895a79e06523885ef"
    assert folder_of("X" * 60) != folder_of("X" * 61)


# ---- a key that is lost ----


@pytest.mark.parametrize("lost", [None, "", "another key\n", b"\xff\xfe"])
def test_notes_whose_key_is_lost_are_shown_to_whoever_has_it_and_to_nobody_else(tmp_path: Path, lost) -> None:
    mine = Scope(user="owner", project=LONG)
    first = make_notes(tmp_path)
    first.add("memory", "Uses pytest", scope=mine)
    level = level_of(Scope(project=LONG))
    file = tmp_path / "memories" / level / ".key"
    assert file.read_text() == f"{LONG}\n"
    file.unlink()
    if lost is not None:
        file.write_bytes(lost if isinstance(lost, bytes) else lost.encode())
    assert scope_of(level, tmp_path / "memories") == NOBODYS
    assert proper_level(level, tmp_path / "memories") is None
    for notes in (first, make_notes(tmp_path, prefix="b")):
        for reader in (None, EVERYTHING, Person("owner"), Scope(project="another key"), Scope(project=level)):
            assert texts(notes, reader) == []
            assert notes.log(scope=reader) == ()
        [entry] = notes.entries(scope=mine)
        assert entry.scope == Scope(project=LONG)
    first.add("memory", "Uses ruff", scope=mine)
    assert file.read_text() == f"{LONG}\n"
    assert texts(first) == ["Uses pytest", "Uses ruff"]


def test_a_key_that_git_gave_other_line_ends_is_read(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    notes.add("memory", "Uses pytest", scope=Scope(project=LONG))
    file = tmp_path / "memories" / level_of(Scope(project=LONG)) / ".key"
    file.write_bytes(f"{LONG}\r\n".encode())
    assert texts(make_notes(tmp_path)) == ["Uses pytest"]


# ---- a folder that a hand made ----


@pytest.mark.parametrize("made", ["Foo", "%66oo~bar", "%zz", "foo bar"])
def test_a_folder_that_a_hand_named_is_read_and_its_entries_are_shown_once(tmp_path: Path, made: str) -> None:
    save(tmp_path / f"memories/projects/{made}/MEMORY.md", "made by hand\n§\nonly here")
    notes, scope = make_notes(tmp_path), scope_of(f"projects/{made}", NOWHERE)
    assert texts(notes, scope) == ["made by hand", "only here"]
    assert proper_level(f"projects/{made}", tmp_path / "memories") == level_of(scope) != f"projects/{made}"
    notes.add("memory", "Made by hand", scope=scope)
    notes.add("memory", "second", scope=scope)
    for reader in (scope, None, EVERYTHING):
        assert sorted(texts(notes, reader)) == ["Made by hand", "only here", "second"]
    assert (tmp_path / "memories" / level_of(scope) / "MEMORY.md").exists()


def test_a_folder_whose_name_is_no_text_hides_itself_and_nothing_else(tmp_path: Path) -> None:
    for name in ("%FF", "%E7%94"):
        save(tmp_path / f"memories/projects/{name}/MEMORY.md", "whose is it")
    notes = make_notes(tmp_path)
    notes.add("memory", "of the home")
    assert texts(notes, EVERYTHING) == texts(notes) == ["of the home"]


def test_a_folder_whose_letters_were_taken_apart_is_read(tmp_path: Path) -> None:
    """Some disks give a name back in another form than it had; what was copied from them has it on others too."""
    apart = unicodedata.normalize("NFD", "café")
    save(tmp_path / f"memories/projects/{apart}/MEMORY.md", "from another disk")
    notes = make_notes(tmp_path)
    assert texts(notes) == ["from another disk"]
    assert proper_level(f"projects/{apart}", tmp_path / "memories") != f"projects/{apart}"
    assert list(levels_in(tmp_path / "memories")) == ["", f"projects/{apart}"]


def test_a_desk_sees_files_that_appear_while_it_is_in_use(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    add = {"action": "add", "content": "the port is 6390"}
    change = {"action": "replace", "old_text": "6390", "content": "the port is 6391"}
    notes.apply("memory", [add, change], scope=Scope(project="p"))
    assert texts(notes) == ["the port is 6391"]
