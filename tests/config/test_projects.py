"""One project has one key, however it was cloned."""

import subprocess
from pathlib import Path

import pytest

from archivist.config.projects import normalise_remote, project_named, project_of, project_worked_on


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("git@GitHub.com:owner/name.git", "github.com/owner/name"),
        ("https://me:secret@github.com/owner/name/", "github.com/owner/name"),
        ("ssh://git@host.example:2222/deep/er/name.git", "host.example/deep/er/name"),
        ("/srv/git/name.git", "/srv/git/name.git"),
    ],
)
def test_a_remote_is_written_one_way(url, key):
    assert normalise_remote(url) == key


def test_a_folder_in_a_repository_belongs_to_its_remote(tmp_path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    inner = tmp_path / "src"
    inner.mkdir()
    assert project_of(inner) == str(tmp_path.resolve())
    subprocess.run(
        ["git", "-C", str(tmp_path), "remote", "add", "origin", "git@host.example:o/n.git"], check=True
    )
    assert project_of(inner) == "host.example/o/n"


def test_every_folder_and_worktree_of_a_repository_is_one_project(tmp_path, monkeypatch):
    main, other = tmp_path / "main", tmp_path / "other"
    git = ["git", "-C", str(main), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "begun"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(other)], check=True)
    inner = main / "src" / "deep"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert project_of(".") == project_of("..") == project_of(main) == project_of(other) == str(main.resolve())


def test_a_folder_that_is_not_there_is_its_own_project():
    assert project_of("/no/such/folder") == "/no/such/folder"


def test_a_project_is_named_by_a_folder_of_it_or_by_its_key(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    assert project_named(str(tmp_path / "src")) == str(tmp_path.resolve())
    assert project_named("host.example/o/n") == "host.example/o/n"
    assert project_named("x" * 5_000) == "x" * 5_000


def test_the_root_and_home_folders_are_no_projects(tmp_path):
    environ = {"HOME": str(tmp_path / "mira")}
    (tmp_path / "mira" / "work").mkdir(parents=True)
    assert project_worked_on(Path("/"), environ=environ) is None
    assert project_worked_on(tmp_path / "mira", environ=environ) is None
    assert project_worked_on(tmp_path / "mira" / "work" / "..", environ=environ) is None
    assert project_worked_on(tmp_path / "mira" / "work", environ=environ) == str(tmp_path / "mira" / "work")
    assert project_worked_on(Path.home(), environ={}) is None
    assert project_worked_on(Path("/a\0b"), environ=environ) == "/a\0b"
