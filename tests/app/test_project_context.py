"""Which files of a project are found, and what stands in their place is never a failure."""

import os
from pathlib import Path

import pytest

from archivist.app.project_context import MOST_BYTES, project_guidance


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def project(home):
    folder = home / "work" / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


def write(place: Path, text: str) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    return place


def told(folder: Path, home: Path | None = None) -> dict[str, str]:
    return {file.path: file.text for file in project_guidance(folder, users_home=home).files}


def left_out(folder: Path, home: Path | None = None) -> dict[str, str]:
    return dict(project_guidance(folder, users_home=home).left_out)


def test_files_are_found_from_the_root_of_the_repository_to_the_folder(home, project):
    write(home / "work" / "AGENTS.md", "outside")
    write(project / "AGENTS.md", "root")
    write(project / "lib" / "CLAUDE.md", "library")
    write(project / "lib" / "deep" / ".archivist.md", "deep")
    found = told(project / "lib" / "deep", home)
    assert list(found.items()) == [
        ("../../AGENTS.md", "root"),
        ("../CLAUDE.md", "library"),
        (".archivist.md", "deep"),
    ]


def test_a_file_for_a_worktree_is_the_root_of_a_repository_too(home, tmp_path):
    tree = tmp_path / "tree"
    write(tree / ".git", "gitdir: elsewhere")
    write(tree / "AGENTS.md", "tree")
    (tree / "sub").mkdir()
    assert told(tree / "sub", home) == {"../AGENTS.md": "tree"}


def test_without_a_repository_the_folder_alone_is_looked_in(home):
    write(home / "AGENTS.md", "home")
    write(home / "notes" / "AGENTS.md", "notes")
    assert told(home / "notes", home) == {"AGENTS.md": "notes"}


def test_nothing_is_looked_for_above_the_users_home(home, tmp_path):
    (tmp_path / ".git").mkdir()
    write(tmp_path / "AGENTS.md", "above")
    (home / "x").mkdir()
    assert told(home / "x", home) == {}
    assert told(home / "x", None) == {"../../AGENTS.md": "above"}


def test_a_home_that_is_a_repository_is_looked_in(home):
    (home / ".git").mkdir()
    write(home / "AGENTS.md", "dot files")
    (home / "x").mkdir()
    assert told(home / "x", home) == {"../AGENTS.md": "dot files"}


def test_files_of_one_folder_stand_in_one_order(project):
    for name in (".archivist.md", "CLAUDE.md", ".hermes.md", "AGENTS.md"):
        write(project / name, f"of {name}")
    assert list(told(project)) == ["AGENTS.md", "CLAUDE.md", ".hermes.md", ".archivist.md"]


@pytest.mark.parametrize(
    "pointer",
    [
        "@AGENTS.md",
        "@./AGENTS.md\n",
        "# Claude\n\nSee [AGENTS.md](AGENTS.md).\n",
        "Read `AGENTS.md`",
        "See the instructions in AGENTS.md!",
        "Please follow @AGENTS.md\n",
    ],
)
def test_a_file_that_only_points_to_another_is_not_told(project, pointer):
    write(project / "AGENTS.md", "Use tabs.")
    write(project / "CLAUDE.md", pointer)
    assert told(project) == {"AGENTS.md": "Use tabs."}
    assert left_out(project) == {"CLAUDE.md": "it only points to another that is told"}


@pytest.mark.parametrize(
    "text",
    ["@AGENTS.md\n\nUse spaces.", "Never read AGENTS.md", "@docs/AGENTS.md", "@CLAUDE.md", "@README.md"],
)
def test_a_file_that_says_anything_else_is_told(project, text):
    write(project / "AGENTS.md", "Use tabs.")
    write(project / "CLAUDE.md", text)
    assert told(project) == {"AGENTS.md": "Use tabs.", "CLAUDE.md": text}


def test_a_pointer_to_what_is_not_there_is_told(project):
    write(project / "CLAUDE.md", "@AGENTS.md")
    assert told(project) == {"CLAUDE.md": "@AGENTS.md"}


def test_the_same_is_told_once_whether_by_a_link_or_by_its_words(project):
    write(project / "AGENTS.md", "Use tabs.")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    write(project / "lib" / "AGENTS.md", "\nUse tabs.\n")
    assert told(project) == {"AGENTS.md": "Use tabs."}
    assert left_out(project) == {"CLAUDE.md": "it says the same as AGENTS.md"}
    assert list(told(project / "lib")) == ["AGENTS.md"]
    assert left_out(project / "lib") == {
        "../AGENTS.md": "it says the same as AGENTS.md",
        "../CLAUDE.md": "it says the same as AGENTS.md",
    }


def test_a_link_that_leads_out_of_the_project_is_not_followed(project, home):
    write(home / ".ssh" / "id", "PRIVATE")
    (project / "AGENTS.md").symlink_to(home / ".ssh" / "id")
    (project / "CLAUDE.md").symlink_to("../../.ssh/id")
    write(project / "docs" / "agents.txt", "Use tabs.")
    (project / ".hermes.md").symlink_to("docs/agents.txt")
    assert told(project) == {".hermes.md": "Use tabs."}
    assert set(left_out(project).values()) == {"it is a link out of the project"}


def test_what_is_no_text_stops_nothing(project):
    (project / "AGENTS.md").write_bytes(b"\x89PNG\0\0")
    (project / "CLAUDE.md").write_bytes("Grüße".encode("latin-1"))
    (project / ".hermes.md").write_bytes(b"  \n\t\n")
    (project / ".archivist.md").mkdir()
    assert told(project) == {}
    assert left_out(project) == {
        "AGENTS.md": "it is no text",
        "CLAUDE.md": "it is not UTF-8",
        ".hermes.md": "it is empty",
        ".archivist.md": "Is a directory",
    }


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes have names here")
def test_a_pipe_a_huge_file_and_links_without_end_stop_nothing(project):
    os.mkfifo(project / "AGENTS.md")
    with (project / "CLAUDE.md").open("wb") as file:
        file.truncate(200 << 20)
    (project / ".hermes.md").symlink_to(".hermes.md")
    (project / ".archivist.md").symlink_to("gone.md")
    found = left_out(project)
    assert found["AGENTS.md"] == "it is no regular file"
    assert found["CLAUDE.md"] == f"it has more than {MOST_BYTES:,} bytes"
    assert found[".hermes.md"]
    assert found[".archivist.md"] == "it is a link to nothing"
    assert told(project) == {}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may read everything")
def test_what_may_not_be_read_is_said(project):
    write(project / "AGENTS.md", "x").chmod(0)
    assert left_out(project) == {"AGENTS.md": "Permission denied"}


def test_a_mark_of_the_byte_order_is_no_word(project):
    (project / "AGENTS.md").write_bytes(b"\xef\xbb\xbfUse tabs.")
    assert told(project) == {"AGENTS.md": "Use tabs."}


@pytest.mark.parametrize("name", ["gone", "a\0b", "x" * 5_000])
def test_a_folder_that_is_none_has_nothing_to_tell(home, name):
    assert told(home / name, home) == {}
    assert left_out(home / name, home)
