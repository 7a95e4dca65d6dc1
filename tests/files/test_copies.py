"""Copies of files: whole, private, hashed; what changes meanwhile is copied again."""

import os
from hashlib import sha256

import pytest

from archivist.files import FileNotCopied, copies, copy_file, digest_of_file


def test_a_copy_has_the_bytes_the_time_and_its_owners_mode(tmp_path):
    source, target = tmp_path / "a", tmp_path / "deep" / "er" / "b"
    source.write_bytes(b"x" * 3_000_000)
    source.chmod(0o644)
    os.utime(source, ns=(5_000_000_000, 7_000_000_000))
    copied = copy_file(source, target)
    assert copied == (3_000_000, sha256(b"x" * 3_000_000).hexdigest()) == digest_of_file(target)
    assert target.read_bytes() == source.read_bytes()
    assert target.stat().st_mode & 0o777 == 0o600
    assert target.stat().st_mtime_ns == 7_000_000_000


def test_a_file_that_changes_while_it_is_copied_is_copied_again(tmp_path, monkeypatch):
    source, read, reads = tmp_path / "a", os.read, []
    source.write_bytes(b"old" * 1000)

    def read_and_change(handle, count):
        reads.append(handle)
        if len(reads) == 1:
            source.write_bytes(b"new and longer" * 1000)
        return read(handle, count)

    monkeypatch.setattr(copies.os, "read", read_and_change)
    copied = copy_file(source, tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == source.read_bytes() == b"new and longer" * 1000
    assert copied.sha256 == sha256(source.read_bytes()).hexdigest()


def test_a_file_that_never_holds_still_is_a_failure_that_leaves_nothing(tmp_path, monkeypatch):
    source, read, written = tmp_path / "a", os.read, []
    source.write_bytes(b"x")

    def read_and_change(handle, count):
        written.append(1)
        source.write_bytes(b"x" * (len(written) + 1))
        return read(handle, count)

    monkeypatch.setattr(copies.os, "read", read_and_change)
    with pytest.raises(FileNotCopied, match="changes all the time"):
        copy_file(source, tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_a_link_is_not_followed_and_nothing_is_written_over(tmp_path):
    (tmp_path / "secret").write_text("s")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(FileNotCopied):
        copy_file(tmp_path / "link", tmp_path / "b")
    assert not (tmp_path / "b").exists()
    (tmp_path / "b").write_text("mine")
    with pytest.raises(FileNotCopied, match="a file of that name"):
        copy_file(tmp_path / "secret", tmp_path / "b")
    assert (tmp_path / "b").read_text() == "mine"


def test_what_is_not_there_or_not_a_file_is_a_failure(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for source in ("nothing", "."):
        with pytest.raises(FileNotCopied):
            copy_file(tmp_path / source, tmp_path / "b")
    assert not (tmp_path / "b").exists()
