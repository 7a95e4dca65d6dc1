"""A file is replaced only as the model knows it, whole or not at all, and never where it should not be."""

import os
import stat

import pytest
from tests.tools.workplace import Workplace

from archivist.records.approvals import Answer


def test_a_new_file_is_made_with_its_folders_and_the_person_sees_it(place):
    assert place.call("write_file", path="src/new/a.py", content="print(1)\n")["success"]
    assert (place.root / "src/new/a.py").read_text() == "print(1)\n"
    (ask,) = place.asked
    assert (ask.title, ask.risk) == ("make src/new/a.py (+1 -0)", "write")
    assert "+print(1)" in ask.detail


def test_what_was_never_read_is_not_replaced(place):
    (place.root / "a").write_text("precious")
    assert "read_file first" in place.call("write_file", path="a", content="x")["error"]
    assert (place.root / "a").read_text() == "precious"
    place.call("read_file", path="a")
    assert place.call("write_file", path="a", content="x")["success"]
    assert place.call("write_file", path="a", content="y")["success"], "what it wrote itself it knows"


def test_what_changed_since_it_was_read_is_not_replaced(place):
    (place.root / "a").write_text("one")
    place.call("read_file", path="a")
    (place.root / "a").write_text("two")
    assert "has changed" in place.call("write_file", path="a", content="x")["error"]
    assert (place.root / "a").read_text() == "two"


def test_what_changes_while_the_person_is_asked_stays(place):
    path = place.root / "a"
    path.write_text("one")
    place.call("read_file", path="a")
    place.meanwhile = lambda: path.write_text("saved by hand")
    result = place.call("write_file", path="a", content="x")
    assert "meanwhile" in result["error"]
    assert path.read_text() == "saved by hand"
    assert [path.name for path in place.root.iterdir()] == ["a"], "nothing is left beside it"


def test_a_file_that_appears_while_the_person_is_asked_stays(place):
    path = place.root / "a"
    place.meanwhile = lambda: path.write_text("mine")
    assert place.call("write_file", path="a", content="x")["success"] is False
    assert path.read_text() == "mine"


def test_a_link_that_is_put_there_meanwhile_is_not_followed(place, tmp_path):
    (place.root / "sub").mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()

    def swap():
        (place.root / "sub").rmdir()
        (place.root / "sub").symlink_to(outside)

    place.meanwhile = swap
    assert place.call("write_file", path="sub/a", content="x")["success"] is False
    assert list(outside.iterdir()) == []


def test_mode_newlines_mark_and_encoding_stay(place):
    path = place.root / "a.sh"
    path.write_bytes("\ufeffeins\r\nzwei\r\n".encode("utf-16-le"))
    path.chmod(0o751)
    place.call("read_file", path="a.sh")
    assert place.call("write_file", path="a.sh", content="eins\ndrei\n")["success"]
    assert path.read_bytes() == "\ufeffeins\r\ndrei\r\n".encode("utf-16-le")
    assert stat.S_IMODE(path.stat().st_mode) == 0o751


def test_a_character_that_the_encoding_lacks_changes_nothing(place):
    path = place.root / "a"
    path.write_bytes("Grüße".encode("latin-1"))
    place.call("read_file", path="a")
    assert "cp1252" in place.call("write_file", path="a", content="→ 你")["error"]
    assert path.read_bytes() == "Grüße".encode("latin-1")


def test_an_empty_text_is_a_text(place):
    assert place.call("write_file", path="a", content="")["success"]
    assert (place.root / "a").read_bytes() == b""
    assert place.call("write_file", path="a", content="\n")["success"], "nothing is lost with an empty file"


def test_a_no_changes_nothing_and_the_model_hears_why(place):
    place.answer = Answer("no", "use the other folder")
    assert "use the other folder" in place.call("write_file", path="a", content="x")["error"]
    assert not (place.root / "a").exists()


def test_where_nobody_can_be_asked_nothing_is_written(tmp_path):
    place = Workplace(tmp_path / "work", person=False)
    assert "nobody is here" in place.call("write_file", path="a", content="x")["error"]
    assert list(place.root.iterdir()) == []


@pytest.mark.parametrize("mode", ["ask", "edits", "all"])
def test_archivists_own_folder_is_never_written(tmp_path, mode):
    home = tmp_path / "work" / ".archivist"
    place = Workplace(tmp_path / "work", home=home, mode=mode)
    (home / "memories").mkdir(parents=True)
    (home / "memories/MEMORY.md").write_text("precious")
    (place.root / "soft").symlink_to(home)
    os.link(home / "memories/MEMORY.md", place.root / "hard.md")
    for path in (
        ".archivist/config.toml",
        "soft/state.db",
        ".archivist/memories/new.md",
        ".archivist/memories/MEMORY.md",
        "hard.md",
    ):
        place.workspace.seen.clear()
        if (place.root / path).exists():
            place.call("read_file", path=path)
        result = place.call("write_file", path=path, content="x")
        assert "Archivist's own" in result["error"], path
    assert (home / "memories/MEMORY.md").read_text() == "precious"
    assert not (home / "config.toml").exists()


def test_with_edits_allowed_only_what_is_guarded_is_asked_for(tmp_path):
    place = Workplace(tmp_path / "work", mode="edits")
    assert place.call("write_file", path="a", content="x")["success"]
    assert place.asked == []
    for path in (".git/hooks/pre-commit", "../outside", ".env"):
        place.call("write_file", path=path, content="x")
    assert [ask.risk for ask in place.asked] == ["outside"] * 3


def test_a_yes_for_the_session_covers_writing_in_the_workspace_alone(place):
    place.answer = Answer("session")
    for name in "abc":
        assert place.call("write_file", path=name, content="x")["success"]
    place.call("write_file", path="../a", content="x")
    place.call("write_file", path=".git/config", content="x")
    place.call("write_file", path=".git/config2", content="x")
    assert len(place.asked) == 4


def test_what_nobody_would_see_is_written_out_in_the_question(place):
    place.call("write_file", path="a", content="harmless\x1b[2K\rreally \u202eevil\n")
    assert "\x1b" not in place.asked[0].detail
    assert "\u202e" not in place.asked[0].detail


def test_a_folder_and_a_pipe_are_no_files(place):
    os.mkfifo(place.root / "pipe")
    assert "folder" in place.call("write_file", path=".", content="x")["error"]
    assert "no regular file" in place.call("write_file", path="pipe", content="x")["error"]


def test_a_name_of_two_lines_is_asked_about_in_one(place):
    place.call("write_file", path="a\nrun: nothing at all", content="x")
    assert "\n" not in place.asked[0].title


def test_a_workspace_that_is_gone_is_not_made_again(place):
    place.root.rmdir()
    assert "workspace is gone" in place.call("write_file", path="a", content="x")["error"]
    assert not place.root.exists()
