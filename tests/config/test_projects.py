"""One project has one key, however it was cloned."""

import os
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


@pytest.mark.parametrize("folder", ["/no/such/folder", "C:\\Users\\mira\\work", "no/such"])
def test_a_folder_of_another_machine_is_its_own_key(folder):
    assert project_worked_on(folder, environ={}) == folder


# ---- remotes that mean something in one checkout alone ----


def repository(folder: Path, remote: str) -> Path:
    (folder / ".git").mkdir(parents=True)
    text = f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {remote}\n\tfetch = +refs/heads/*\n[branch "main"]\n'
    (folder / ".git" / "config").write_text(text)
    return folder


@pytest.mark.parametrize(
    "remote",
    ["../upstream", "./x", "x", "..", ".", "~/x", "../with space", "file:../x", "file:x", "file://../x", "ext::sh -c x", "fd::7",
     ".:x", "..:x", "ssh://../x", "me@..:x", "", "../x:y"],
)  # fmt: skip
def test_projects_with_the_same_relative_remote_share_nothing(tmp_path, remote):
    one, two = repository(tmp_path / "one" / "work", remote), repository(tmp_path / "two" / "work", remote)
    assert project_of(one) != project_of(two)
    assert all(str(tmp_path) in project_of(folder) for folder in (one, two))


def test_a_relative_remote_is_the_folder_that_it_names_from_the_main_checkout(tmp_path):
    main = repository(tmp_path / "main", "../upstream")
    linked = tmp_path / "else" / "where" / "linked"
    linked.mkdir(parents=True)
    own = main / ".git" / "worktrees" / "linked"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (linked / ".git").write_text(f"gitdir: {own}\n")
    assert project_of(main) == project_of(linked) == str(tmp_path.resolve() / "upstream")


def test_folders_that_differ_behind_a_space_are_two_projects(tmp_path):
    assert project_of(repository(tmp_path / "one", "/srv/my work")) == "/srv/my work"
    assert project_of(repository(tmp_path / "two", "/srv/my play")) == "/srv/my play"


def test_worktrees_of_bare_repositories_that_lie_side_by_side_are_two_projects(tmp_path):
    keys = set()
    for name in ("one", "two"):
        own = tmp_path / f"{name}.git" / "worktrees" / "w"
        own.mkdir(parents=True)
        (own / "commondir").write_text("../..\n")
        (tmp_path / f"{name}-w").mkdir()
        (tmp_path / f"{name}-w" / ".git").write_text(f"gitdir: {own}\n")
        keys.add(project_of(tmp_path / f"{name}-w"))
    assert keys == {str(tmp_path.resolve() / f"{name}.git") for name in ("one", "two")}


@pytest.mark.parametrize(
    ("remote", "key"),
    [
        ("git@GitHub.com:owner/name.git", "github.com/owner/name"),
        ("host:name", "host/name"),
        ("host:../name", "host/../name"),
        ("https://me:secret@github.com/owner/name/", "github.com/owner/name"),
        ("git://host.example/name.git", "host.example/name"),
        ("file:///srv/git/name.git", "file:///srv/git/name.git"),
        ("/srv/git/name.git", "/srv/git/name.git"),
        ("s3://bucket/name", "s3://bucket/name"),
    ],
)
def test_a_remote_that_means_the_same_everywhere_is_the_key(tmp_path, remote, key):
    assert project_of(repository(tmp_path, remote)) == key


# ---- what is no repository's file ----


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b'[remote "origin"]\n\turl = https://host.example/o/n\n')
        file.truncate(1 << 40)


STRANGE = [pipe, endless, huge]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("strange", STRANGE)
@pytest.mark.parametrize("name", [".git", ".git/config", ".git/HEAD", "own", "own/commondir", "own/config"])
def test_what_is_no_file_of_git_is_never_waited_for(tmp_path, strange, name):
    if name.startswith("own"):
        (tmp_path / ".git").write_text("gitdir: own\n")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    strange(tmp_path / name)
    assert project_of(tmp_path) == str(tmp_path.resolve())


@pytest.mark.parametrize(
    "filler", ["\n", " ", "[", '[remote "origin"]\n', "url", '[remote "origin"]\nurl =\n']
)
def test_settings_of_a_repository_are_read_in_one_pass(tmp_path, filler):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text('[remote "origin"]\n' + filler * (990_000 // len(filler)))
    assert project_of(tmp_path) == str(tmp_path.resolve())
