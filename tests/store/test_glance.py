"""A glance says yes only where a file is surely as it was read."""

import os
import subprocess
import sys

import pytest

from archivist.store.following import Followed, Following
from archivist.store.glance import has_nothing_new, look

NOW = 1_780_000_000.0


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a ?#%41.jsonl"
    path.write_text("{}\n")
    os.utime(path, ns=(1, int((NOW - 5) * 1e9) + 1))
    return path


@pytest.fixture
def keep(store, clock, file):
    def keep(**fields):
        following = Following(store, clock.surroundings(), "cc")
        known = following.file(str(file))
        told = {"look": look(file.stat()), "read_at": int(NOW * 1000), "revision": known.revision}
        following.note(Followed(0, str(file), **{**told, **fields}))

    return keep


def ask(store, file, now=NOW):
    return has_nothing_new(str(store.path), "cc", [str(file)], now)


def test_a_file_that_is_as_it_was_has_nothing_new(store, file, keep):
    assert not ask(store, file)
    keep()
    assert ask(store, file)
    assert not has_nothing_new(str(store.path), "other", [str(file)], NOW)


@pytest.mark.parametrize(
    "fields", [{"problem": "unreadable"}, {"read_at": int((NOW - 5) * 1000) + 20}, {"look": "1:2:3:4"}]
)
def test_what_is_not_sure_is_left_to_whoever_opens_the_home(store, file, keep, fields):
    keep(**fields)
    assert not ask(store, file)


def test_what_waits_is_taken_when_the_file_is_quiet(store, file, keep):
    keep(is_open=1)
    assert ask(store, file)
    assert not ask(store, file, NOW + 3600)


def test_a_disk_that_notes_whole_seconds_is_given_more_time(store, file, keep):
    os.utime(file, (NOW - 1, NOW - 1))
    keep()
    assert not ask(store, file)


def test_what_has_changed_or_is_gone_is_no_nothing(store, file, keep):
    keep()
    with file.open("a") as more:
        more.write("{}")
    assert not ask(store, file)
    file.unlink()
    assert not ask(store, file)


def test_a_database_that_is_none_is_no_answer(tmp_path, file):
    assert not has_nothing_new(str(tmp_path / "none.db"), "cc", [str(file)], NOW)
    (tmp_path / "text.db").write_text("no database at all, but long enough to be looked at as one" * 99)
    assert not has_nothing_new(str(tmp_path / "text.db"), "cc", [str(file)], NOW)


def test_it_loads_nothing_that_takes_time():
    code = "import sys, archivist.store.glance; print(sorted({'msgspec', 'pathlib', 'dataclasses', 'inspect'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
