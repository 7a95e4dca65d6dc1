"""A file put in the place of another: what the other was is kept, and so are its mode, its group and a link to it."""

import os

import pytest

from archivist.files import FileNotWritten, displacing, exchanging
from archivist.files.displacing import displace


@pytest.fixture(params=["exchanged", "linked"])
def put(request, tmp_path, monkeypatch):
    """Displaces in each of the two ways; what stood there goes to `former`."""
    if request.param == "linked":
        monkeypatch.setattr(displacing, "exchanger", lambda: exchanging.link_and_replace)
    return lambda path, content: displace(path, content, token="t", kept=tmp_path / "former")


def test_what_stood_there_is_given_back_and_kept(put, tmp_path):
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    inode = path.stat().st_ino
    assert put(path, b"new") == b"old"
    assert path.read_bytes() == b"new"
    assert (tmp_path / "former").read_bytes() == b"old"
    assert (tmp_path / "former").stat().st_ino == inode  # whoever has it open writes there
    assert {file.name for file in tmp_path.iterdir()} == {"a.md", "former"}


def test_a_new_file_is_private_and_displaces_nothing(put, tmp_path):
    path = tmp_path / "deep" / "a.md"
    old = os.umask(0)
    try:
        assert put(path, b"new") == b""
    finally:
        os.umask(old)
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


# https://github.com/NousResearch/hermes-agent/issues/22889: a file for a group was its owner's alone after one write
@pytest.mark.parametrize("mode", [0o660, 0o644, 0o600, 0o400])
def test_the_mode_stays(put, tmp_path, mode):
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    path.chmod(mode)
    put(path, b"new")
    assert path.stat().st_mode & 0o777 == mode
    assert path.read_bytes() == b"new"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files to any group")
def test_the_group_stays(put, tmp_path):
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    os.chown(path, -1, 4242)
    path.chmod(0o660)
    put(path, b"new")
    assert path.stat().st_gid == 4242
    assert path.stat().st_mode & 0o777 == 0o660


def test_a_group_that_may_not_be_given_gets_no_other_in_its_place(put, tmp_path, monkeypatch):
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    path.chmod(0o660)

    def refused(*_args):
        raise PermissionError(1, "Operation not permitted")

    stat = os.fstat
    monkeypatch.setattr(os, "fstat", lambda handle: _Of(stat(handle)))
    monkeypatch.setattr(os, "fchown", refused)
    put(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o600


class _Of:
    """A status whose group is another."""

    def __init__(self, status):
        self._status = status
        self.st_gid = status.st_gid + 1

    def __getattr__(self, name):
        return getattr(self._status, name)


def test_a_link_stays_one_and_its_file_is_replaced(put, tmp_path):
    real, link = tmp_path / "elsewhere" / "real.md", tmp_path / "a.md"
    real.parent.mkdir()
    real.write_bytes(b"old")
    link.symlink_to("elsewhere/real.md")
    assert put(link, b"new") == b"old"
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert [file.name for file in real.parent.iterdir()] == ["real.md"]


def test_a_link_to_nothing_makes_the_file_that_it_names(put, tmp_path):
    (tmp_path / "a.md").symlink_to("real.md")
    assert put(tmp_path / "a.md", b"new") == b""
    assert (tmp_path / "real.md").read_bytes() == b"new"
    assert (tmp_path / "a.md").is_symlink()


@pytest.mark.parametrize("was_there", [True, False])
def test_a_write_that_fails_leaves_what_was_there(put, tmp_path, monkeypatch, was_there):
    path = tmp_path / "a.md"
    if was_there:
        path.write_bytes(b"old")

    def full(_handle):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(FileNotWritten, match="No space left on device"):
            put(path, b"new")
    assert [file.name for file in tmp_path.iterdir()] == (["a.md"] if was_there else [])
    assert not was_there or path.read_bytes() == b"old"
