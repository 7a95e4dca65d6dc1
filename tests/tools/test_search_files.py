"""What fits is found in a fixed order, what is passed over is said, and no pattern hangs."""

import os
import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.records.approvals import Answer
from archivist.tools import listing, search_files
from archivist.tools.listing import fitting
from archivist.tools.looking import Wanted, looked


@pytest.fixture
def files(place):
    (place.root / "src/deep").mkdir(parents=True)
    (place.root / "src/b.py").write_text("import os\n\ndef run():\n    pass\n")
    (place.root / "src/deep/a.ts").write_text("function run() {}\r\n")
    (place.root / "a.md").write_text("How to run it\n")
    return place


def test_lines_are_told_with_paths_and_numbers_in_order(files):
    assert files.call("search_files", pattern="run")["text"].split("\n") == [
        "a.md:1: How to run it",
        "src/b.py:3: def run():",
        "src/deep/a.ts:1: function run() {}",
    ]


def test_within_a_folder_a_file_and_a_glob(files):
    assert (
        files.call("search_files", pattern="run", path="src/deep")["text"]
        == "src/deep/a.ts:1: function run() {}"
    )
    assert files.call("search_files", pattern="run", path="src/b.py")["text"] == "src/b.py:3: def run():"
    assert (
        files.call("search_files", pattern="run", glob="*.{py,md}", files_only=True)["text"]
        == "a.md\nsrc/b.py"
    )
    assert files.call("search_files", glob="src/**/*.ts")["text"] == "src/deep/a.ts"


def test_a_yes_for_a_folder_covers_no_other_and_one_for_a_file_no_folder(place, tmp_path):
    for name in ("one/a", "one/deep/a", "two/a"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("needle")
    place.answer = Answer("session")
    for path in ("../one", "../one", "../two", "../one/a", "..", "../one/deep/a"):
        place.call("search_files", pattern="needle", path=path)
    assert len(place.asked) == 5
    assert len({ask.group for ask in place.asked}) == 5


def test_a_folder_that_became_a_link_after_git_saw_it_is_not_followed(place, tmp_path):
    (place.root / "d").mkdir()
    (place.root / "d/x").write_text("needle")
    (place.root / "a").write_text("needle")
    for command in ("init -q", "add ."):
        subprocess.run(["git", *command.split()], cwd=place.root, check=True)
    (place.root / "d").rename(tmp_path / "outside")
    (place.root / "d").symlink_to(tmp_path / "outside")
    assert place.call("search_files", pattern="needle")["text"] == "a:1: needle"


def test_a_folder_that_becomes_a_link_while_somebody_is_asked_is_not_followed(place, tmp_path):
    for name in ("one", "private"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text("needle")

    def swap():
        (tmp_path / "one").rename(tmp_path / "gone")
        (tmp_path / "one").symlink_to(tmp_path / "private")

    place.meanwhile = swap
    assert "something else" in place.call("search_files", pattern="needle", path="../one")["error"]


def test_a_repository_in_a_repository_is_searched_too(place):
    for folder in (".", "sub", "sub/deeper"):
        subprocess.run(["git", "init", "-q", folder], cwd=place.root, check=True)
    (place.root / "sub/.gitignore").write_text("ignored\n")
    for name in ("a", "sub/b", "sub/ignored", "sub/deeper/c"):
        (place.root / name).write_text("needle")
    assert place.call("search_files", pattern="needle", files_only=True)["text"] == "a\nsub/b\nsub/deeper/c"


def test_names_that_are_no_text_hide_nothing(place):
    (place.root / os.fsdecode(b"odd-\xff")).write_text("needle")
    (place.root / "plain").write_text("needle")
    assert place.call("search_files", pattern="needle")["text"] == "odd-\ufffd:1: needle\nplain:1: needle"
    assert place.call("search_files", glob="*")["text"] == "odd-\ufffd\nplain"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"glob": "[z-a]"}, "glob is none"),
        ({"pattern": "\ud800"}, "half of a character"),
        ({"pattern": "a", "glob": "\udc80"}, "half of a character"),
    ],
)
def test_what_cannot_be_looked_for_is_told(place, arguments, told):
    assert told in place.call("search_files", **arguments)["error"]


def test_wide_characters_are_found(place):
    (place.root / "a").write_text("the needle\n", encoding="utf-16")
    (place.root / "b").write_text("die Nadel der Größe\n", encoding="latin-1")
    assert place.call("search_files", pattern="needle|Nadel")["text"].startswith("a:1")
    assert place.call("search_files", pattern="needle")["text"] == "a:1: the needle"
    assert place.call("search_files", pattern="Gr.ße")["text"] == "b:1: die Nadel der Größe"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is hidden from the superuser")
def test_folders_that_cannot_be_listed_are_counted(place):
    (place.root / "closed").mkdir(mode=0)
    assert "1 file or folder" in place.call("search_files", pattern="x")["notices"][0]


def test_files_that_are_too_many_are_said(place, monkeypatch):
    for number in range(5):
        (place.root / str(number)).write_text("needle")
    monkeypatch.setattr(listing, "MOST_FILES", 3)
    *found, end = looked(Wanted(str(place.root), "needle"))
    assert [line.path for line in found] != []
    assert end.is_short


def test_no_module_that_lies_on_the_path_of_the_program_is_run(place, monkeypatch):
    """A script in the workspace has that folder on its path."""
    monkeypatch.syspath_prepend(place.root)
    for name in ("stat", "re", "typing", "sitecustomize", "msgspec"):
        (place.root / f"{name}.py").write_text("open('PWNED', 'w')")
    assert "re.py:1" in place.call("search_files", pattern="PWNED")["text"]
    assert not (place.root / "PWNED").exists()


def test_lines_around(files):
    assert files.call("search_files", pattern=r"^def", context=1)["text"].split("\n") == [
        "src/b.py-2- ",
        "src/b.py:3: def run():",
        "src/b.py-4-     pass",
    ]


def test_pages_follow_one_another_without_gap_or_double(place):
    (place.root / "n").write_text("".join(f"hit {number}\n" for number in range(450)))
    told, offset = [], 0
    while True:
        text = place.call("search_files", pattern="hit", offset=offset)["text"]
        told += re.findall(r"hit (\d+)", text)
        more = re.search(r"\[cut, there is more: search_files pattern=hit offset=(\d+)\]", text)
        if more is None:
            break
        offset = int(more[1])
    assert told == [str(number) for number in range(450)]


def test_nothing_found_says_so(files):
    assert "Nothing was found in 3 files" in files.call("search_files", pattern="absent")["message"]


def test_a_pattern_that_never_ends_is_ended(place, monkeypatch):
    monkeypatch.setattr(search_files, "SECONDS", 0.6)
    (place.root / "a.txt").write_text("found aaa\n")
    (place.root / "b.txt").write_text("a" * 60 + "b\n")
    result = place.call("search_files", pattern="aaa$|^(a+)+$")
    assert result["text"] == "a.txt:1: found aaa", "what was found by then is told"
    assert "longer than" in result["notices"][0]
    assert place.call("search_files", pattern="^(a+)+$", path="b.txt")["success"] is False


def test_an_interrupt_ends_it(place):
    (place.root / "b.txt").write_text("a" * 60 + "b\n")
    place.is_stopped = True
    assert "stopped" in place.call("search_files", pattern="^(a+)+$")["error"]


def test_what_is_no_pattern_is_told(place):
    assert "regular expression" in place.call("search_files", pattern="a(b")["error"]
    assert "give a pattern" in place.call("search_files")["error"]


def test_binary_huge_and_guarded_files_are_passed_over_and_said(place):
    (place.root / "b.bin").write_bytes(b"needle\x00")
    with (place.root / "huge").open("wb") as file:
        file.truncate(9 << 20)
    (place.root / ".env").write_text("needle=1")
    (place.root / "a").write_text("needle")
    result = place.call("search_files", pattern="needle")
    assert result["text"] == "a:1: needle"
    assert [notice.split(":")[0] for notice in result["notices"]] == [
        "Passed over for their size",
        "Passed over, they may hold passwords or keys",
        "Passed over, no text",
    ]


def test_a_guarded_file_is_searched_where_a_person_lets_it_be(place):
    (place.root / ".env").write_text("needle=1")
    assert place.call("search_files", pattern="needle", path=".env")["text"] == ".env:1: needle=1"
    assert len(place.asked) == 1


def test_links_pipes_and_other_folders_are_not_followed(place, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/x").write_text("needle")
    (place.root / "link").symlink_to(tmp_path / "out")
    (place.root / "file").symlink_to(tmp_path / "out/x")
    os.mkfifo(place.root / "pipe")
    assert "message" in place.call("search_files", pattern="needle")
    place.answer = Answer("no")
    assert place.call("search_files", pattern="needle", path="link")["success"] is False


def test_archivists_own_folder_is_left_out(tmp_path):
    from tests.tools.workplace import Workplace

    place = Workplace(tmp_path / "work", home=tmp_path / "work/.archivist")
    (tmp_path / "work/.archivist").mkdir()
    (tmp_path / "work/.archivist/m.md").write_text("needle")
    assert "message" in place.call("search_files", pattern="needle")


def test_what_git_ignores_is_left_out_unless_it_is_named(files):
    (files.root / "build").mkdir()
    (files.root / "build/x").write_text("run")
    (files.root / ".gitignore").write_text("build/\n")
    subprocess.run(["git", "init", "-q"], cwd=files.root, check=True)
    assert "build" not in files.call("search_files", pattern="run")["text"]
    assert files.call("search_files", pattern="run", path="build")["text"] == "build/x:1: run"


def test_a_long_line_is_cut_with_the_way_to_read_it(place):
    (place.root / "a").write_text(f"{'x' * 5_000}\n")
    assert (
        "[cut, 4,600 more characters: read_file path=a offset=1 limit=1]"
        in place.call("search_files", pattern="x")["text"]
    )


def test_modules_of_the_workspace_are_not_run(place):
    (place.root / "re.py").write_text("raise SystemExit('run')")
    (place.root / "msgspec.py").write_text("raise SystemExit('run')")
    assert "re.py:1" in place.call("search_files", pattern="SystemExit")["text"]


NAMES = st.text("ab.*?[]{},!/", max_size=10)


@given(NAMES, NAMES)
def test_any_glob_is_a_glob(glob, path):
    assert fitting(glob)(path) in {True, False}


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("*.py", "a/b/c.py", True),
        ("src/*.py", "src/a/c.py", False),
        ("src/**/*.py", "src/c.py", True),
        ("**/test_*", "x/y/test_a", True),
        ("[!a]*", "b/xa", True),
        ("[!]", "[!]", True),
        ("[!]]x", "ax", True),
        ("[]]x", "]x", True),
        ("./a.{md,txt}", "a.txt", True),
        ("a.md", "b.md", False),
    ],
)
def test_globs(glob, path, fits):
    assert fitting(glob)(path) is fits
