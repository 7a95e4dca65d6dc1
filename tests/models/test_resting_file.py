"""What is known of keys, shared by processes in a file that names no key and may go at any time."""

import os
import stat
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count

import pytest

from archivist.models.pool import Pool, named_keys
from archivist.models.resting_file import RestingFile

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SECRETS = [f"sk-very-much-a-secret-number-{number}" for number in range(1, 4)]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "home" / "keys.json"


@pytest.fixture
def told():
    return []


@pytest.fixture
def open_pool(file, told):
    ids = count(1)

    def opened(place="https://api.example/v1", secrets=SECRETS):
        shelf = RestingFile(
            file, place, now=lambda: NOW, new_id=lambda: f"{next(ids):016x}", tell=told.append
        )
        keys = named_keys([(secret, "X_API_KEY") for secret in secrets])
        return Pool(keys, model="m", now=lambda: NOW, draw=lambda low, _: low, shelf=shelf)

    return opened


def test_what_one_learns_of_a_key_the_others_heed(open_pool, told):
    one, other = open_pool(), open_pool()
    one.failed(one.take(NOW), "empty")
    assert other.take(NOW) == other.keys[1]
    other.failed(other.keys[1], "refused")
    assert one.take(NOW) == one.keys[2]
    assert [standing.uses for standing in open_pool().standings()] == [1, 1, 1]
    assert not told


def test_the_same_text_at_another_place_is_another_key(open_pool):
    one = open_pool()
    one.failed(one.take(NOW), "empty")
    other = open_pool("https://elsewhere.example/v1")
    assert other.take(NOW) == other.keys[0]


def test_a_key_that_moved_in_the_list_is_still_known(open_pool):
    one = open_pool()
    one.failed(one.take(NOW), "empty")
    turned = open_pool(secrets=SECRETS[::-1])
    assert [bool(standing.rests) for standing in turned.standings()] == [False, False, True]


def test_the_file_has_no_word_of_a_key_and_is_its_owners_alone(open_pool, file):
    before = os.umask(0)
    try:
        open_pool().take(NOW)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    text = file.read_text()
    assert "secret" not in text
    assert "api.example" not in text


def test_two_homes_name_the_same_key_by_different_hashes(tmp_path):
    texts = []
    for name in ("a", "b"):
        shelf = RestingFile(
            tmp_path / name / "keys.json", "p", now=lambda: NOW, new_id=partial(str, name * 16), tell=print
        )
        Pool(named_keys([(SECRETS[0], "")]), model="m", now=lambda: NOW, draw=max, shelf=shelf).take(NOW)
        texts.append(set((tmp_path / name / "keys.json").read_text().split('"')))
    assert not {word for word in texts[0] & texts[1] if len(word) == 32}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"a": 1}',
        b'{"salt": 1, "keys": {}}',
        b'{"salt": "s", "keys": {"m": {"rests": {"": {"why": "bored"}}}}}',
        b'{"salt": "s", "keys": {"m": {"used_at": "2026-05-01T12:00:00"}}}',
        b" " * 5_000_000,
    ],
)
def test_a_file_that_is_none_of_ours_is_begun_anew_with_a_word(open_pool, file, told, content):
    file.parent.mkdir()
    file.write_bytes(content)
    pool = open_pool()
    pool.failed(pool.take(NOW), "empty")
    assert open_pool().take(NOW) == pool.keys[1]
    assert [notice.code for notice in told] == ["key-rests-begun-anew"]
    assert "begins anew" in told[0].text


def test_that_it_begins_anew_is_said_once_although_nothing_is_known_yet(open_pool, file, told):
    file.parent.mkdir()
    file.write_text("{")
    for _ in range(2):
        pool = open_pool()
        pool.worked(pool.keys[0])
        pool.wake()
    assert len(told) == 1


def test_a_file_that_is_deleted_at_any_time_is_begun_anew_without_a_word(open_pool, file, told):
    pool = open_pool()
    pool.failed(pool.take(NOW), "empty")
    file.unlink()
    assert pool.take(NOW) == pool.keys[0]
    assert not told


def test_what_cannot_be_shared_is_said_once_and_known_here_all_the_same(open_pool, file, told):
    file.parent.parent.mkdir(exist_ok=True)
    file.parent.write_text("no folder")
    pool = open_pool()
    pool.failed(pool.take(NOW), "empty")
    assert pool.take(NOW) == pool.keys[1]
    pool.failed(pool.keys[1], "empty")
    assert pool.take(NOW) == pool.keys[2]
    assert [notice.code for notice in told] == ["key-rests-not-shared"]
    assert not [one for one in told if "secret" in one.text]


def test_a_folder_or_a_pipe_in_the_place_of_the_file_hangs_nobody(open_pool, file, told):
    file.mkdir(parents=True)
    pool = open_pool()
    pool.failed(pool.take(NOW), "empty")
    assert pool.take(NOW) == pool.keys[1]
    file.rmdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(file)
        assert open_pool().take(NOW) is not None
    assert {notice.code for notice in told} == {"key-rests-not-shared"}


def test_what_nobody_has_used_for_long_is_forgotten(file):
    at = [NOW]

    def pool(secret):
        shelf = RestingFile(file, "p", now=lambda: at[0], new_id=lambda: "0", tell=print)
        return Pool(named_keys([(secret, "")]), model="m", now=lambda: at[0], draw=max, shelf=shelf)

    pool(SECRETS[0]).take(NOW)
    at[0] = NOW + timedelta(days=91)
    pool(SECRETS[1]).take(at[0])
    assert [one.uses for one in pool(SECRETS[0]).standings()] == [0]
    assert [one.uses for one in pool(SECRETS[1]).standings()] == [1]


def test_many_threads_lose_no_use(open_pool):
    pools = [open_pool() for _ in range(4)]
    threads = [
        threading.Thread(target=lambda pool=pool: [pool.take(NOW) for _ in range(10)])
        for pool in pools
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert open_pool().standings()[0].uses == 80


WORKER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from archivist.models.pool import Pool, named_keys
from archivist.models.resting_file import RestingFile

file, turns, *secrets = sys.argv[1:]
now = lambda: datetime.now(UTC)
shelf = RestingFile(Path(file), "p", now=now, new_id=lambda: "0123456789abcdef", tell=print)
pool = Pool(named_keys([(one, "") for one in secrets]), model="m", now=now, draw=lambda low, _: low, shelf=shelf)
print("ready", flush=True)
sys.stdin.readline()
for _ in range(int(turns)):
    key = pool.take(now())
    if key.secret == secrets[0]:
        pool.failed(key, "empty")
    else:
        pool.worked(key)
    print(key.name.split()[1], flush=True)
"""


def worker(file, turns):
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, file, str(turns), *SECRETS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_processes_ask_an_empty_account_once(file):
    both = [worker(file, 20) for _ in range(2)]
    for process in both:
        assert process.stdout.readline() == "ready\n"
    said = []
    for process in both:
        process.stdin.write("\n")
        process.stdin.flush()
    for process in both:
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 0
        said += out.split()
    assert len(said) == 40
    assert 1 <= said.count("1") <= 2
    assert said.count("2") == 40 - said.count("1")


def test_a_process_that_is_killed_leaves_a_file_that_others_read_and_write(file, open_pool, told):
    for _ in range(3):
        victim = worker(file, 10_000)
        assert victim.stdout.readline() == "ready\n"
        victim.stdin.write("\n")
        victim.stdin.flush()
        for _ in range(5):
            victim.stdout.readline()
        victim.kill()
        victim.communicate()
    began = time.monotonic()
    assert open_pool("p").take(NOW) is not None
    assert time.monotonic() - began < 2
    assert not told
