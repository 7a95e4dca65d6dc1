"""What fits is found in a fixed order, what is passed over is said, and no pattern hangs."""

import os
import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.records.approvals import Answer
from archivist.tools import search_files
from archivist.tools.looking import fitting


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
        ("./a.{md,txt}", "a.txt", True),
        ("a.md", "b.md", False),
    ],
)
def test_globs(glob, path, fits):
    assert fitting(glob)(path) is fits
