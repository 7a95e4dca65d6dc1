"""`erased.jsonl`: what it names is found again, whatever happened to the file."""

import errno
import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from archivist.records import SessionStart
from archivist.store import DiskFailed, DiskFull, StoreReadOnly
from archivist.store.erased import Erased, ErasedSession

START = SessionStart("claude-code", external_id="ext-1")
AT = "2026-03-20T12:00:00+00:00"


@pytest.fixture
def erased(tmp_path):
    return Erased(tmp_path / "erased.jsonl")


def gone(number, source="claude-code"):
    return ErasedSession(source, f"ext-{number}", f"our-{number}")


def test_what_was_added_is_named_by_its_sources_id_and_by_ours(erased):
    erased.add([gone(1)], AT)
    assert erased.names().has(START)
    assert erased.names().has(replace(START, external_id=None, own_id="our-1"))
    assert not erased.names().has(replace(START, external_id="ext-2"))
    assert not erased.names().has(replace(START, source="hermes"))


def test_a_session_without_a_sources_id_is_named_by_ours_alone(erased):
    erased.add([ErasedSession("test", None, "our-1")], AT)
    assert not erased.names().has(SessionStart("test"))
    assert erased.names().has(SessionStart("elsewhere", own_id="our-1"))


def test_a_line_has_a_version_a_kind_and_no_text(erased):
    erased.add([gone(1)], AT)
    assert json.loads(erased.path.read_text()) == {
        "version": 1, "kind": "session", "source": "claude-code", "external_id": "ext-1", "session_id": "our-1", "at": AT,
    }  # fmt: skip
    assert erased.path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("cut", range(1, 120, 7))
def test_a_torn_last_line_harms_no_line_before_or_after_it(erased, cut):
    erased.add([gone(1)], AT)
    whole = erased.path.read_bytes()
    erased.path.write_bytes(whole + whole[:cut])
    erased.add([gone(2)], AT)
    assert {"our-1", "our-2"} <= erased.names().sessions


@given(lines=st.lists(st.binary(max_size=60)))
def test_whatever_stands_in_the_file_what_is_a_line_is_read(tmp_path_factory, lines):
    erased = Erased(tmp_path_factory.mktemp("home") / "erased.jsonl")
    erased.add([gone(1)], AT)
    erased.path.write_bytes(erased.path.read_bytes() + b"\n".join(lines) + b"\n")
    erased.add([gone(2)], AT)
    assert {"our-1", "our-2"} <= erased.names().sessions


@pytest.mark.parametrize(
    "line",
    [
        '{"kind": "message", "hash": "ab"}',
        "[]",
        "7",
        '{"kind": "session"}',
        '{"kind": "session", "session_id": 5}',
        "[" * 9000,
    ],
)
def test_lines_of_another_kind_or_shape_are_passed_over(erased, line):
    erased.path.write_text(line + "\n")
    erased.add([gone(1)], AT)
    assert erased.names().sessions == {"our-1"}


def test_a_line_taken_out_by_hand_lets_its_session_in_again(erased):
    erased.add([gone(1), gone(2)], AT)
    assert erased.names().has(START)
    erased.path.write_text(erased.path.read_text().splitlines(keepends=True)[1])
    assert not erased.names().has(START)


def test_lines_are_taken_back_unless_others_stand_behind_them(erased):
    erased.take_back(erased.add([gone(1)], AT))
    assert erased.names().sessions == frozenset()
    first = erased.add([gone(2)], AT)
    erased.add([gone(3)], AT)
    erased.take_back(first)
    assert erased.names().sessions == {"our-2", "our-3"}


def test_several_processes_add_their_lines_whole(erased):
    script = (
        "import sys; from pathlib import Path; from archivist.store.erased import Erased, ErasedSession\n"
        "for n in range(40): Erased(Path(sys.argv[1])).add([ErasedSession('s', None, f'{sys.argv[2]}-{n}')], 'now')"
    )
    crowd = [subprocess.Popen([sys.executable, "-c", script, str(erased.path), str(who)]) for who in range(4)]
    assert [process.wait(60) for process in crowd] == [0] * 4
    assert len(erased.names().sessions) == 160


def test_a_system_that_writes_piece_by_piece_is_asked_until_all_is_written(erased, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, content: write(handle, bytes(content[:40])))
    erased.add([gone(1), gone(2), gone(3)], AT)
    assert erased.names().sessions == {"our-1", "our-2", "our-3"}


@pytest.mark.parametrize(
    ("number", "named"), [(errno.ENOSPC, DiskFull), (errno.EIO, DiskFailed), (errno.EROFS, StoreReadOnly)]
)
@pytest.mark.parametrize("place", ["write", "fsync"])
def test_a_disk_that_fails_half_way_leaves_no_line_behind(erased, monkeypatch, number, named, place):
    erased.add([gone(1)], AT)
    before, write = erased.path.read_bytes(), os.write

    def fail(handle, content=b""):
        monkeypatch.setattr(os, "fsync", lambda _handle: None)
        if content:
            write(handle, bytes(content)[: len(content) * 2 // 3])
        raise OSError(number, "broken")

    monkeypatch.setattr(os, place, fail)
    with pytest.raises(named):
        erased.add([gone(2), gone(3)], AT)
    assert erased.path.read_bytes() == before


def test_what_another_file_names_is_joined_once_and_other_lines_stay(erased, tmp_path):
    other = Erased(tmp_path / "other.jsonl")
    erased.join(other)
    assert not erased.path.exists()
    erased.add([gone(1)], AT)
    other.add([gone(1), gone(2)], AT)
    other.path.write_bytes(b"not ours\n" + other.path.read_bytes())
    for _ in range(2):
        erased.join(other)
    assert erased.names().sessions == {"our-1", "our-2"}
    assert len(erased.lines()) == 3
    assert b"not ours" in erased.lines()


def test_a_file_that_cannot_be_read_is_named_and_never_passed_over(tmp_path):
    (tmp_path / "erased.jsonl").mkdir()
    erased = Erased(tmp_path / "erased.jsonl")
    for look in (erased.names, erased.lines):
        with pytest.raises(DiskFailed, match=r"erased\.jsonl could not be read"):
            look()
