"""Copies of databases that are in use."""

import shutil
import threading

import pytest

from archivist.transfer import databases
from archivist.transfer.databases import SourceBusy, columns_of, is_sqlite, opened_copy, selected
from archivist.transfer.foreign import SourceUnreadable


def test_a_copy_is_whole_while_its_program_writes(hermes):
    hermes.db.execute("PRAGMA journal_mode = wal; PRAGMA synchronous = off")
    hermes.session()
    stop = threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            with hermes.db:
                for _ in range(10):
                    hermes.say("user", f"words {number} " * 50)
                    number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(10):
            with opened_copy(hermes.path) as db:
                assert db.execute("PRAGMA integrity_check").get == "ok"
                assert db.execute("SELECT count(*) FROM messages").get % 10 == 0
    finally:
        stop.set()
        writer.join()


def test_a_copy_torn_by_a_checkpoint_is_made_again(hermes, monkeypatch):
    hermes.db.execute("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
    hermes.session()
    hermes.say("user", "in the log at first")
    copyfile = shutil.copyfile
    copies = []

    def copy_and_checkpoint(source, target):
        copyfile(source, target)
        copies.append(source)
        if len(copies) == 1:
            hermes.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    monkeypatch.setattr(shutil, "copyfile", copy_and_checkpoint)
    with opened_copy(hermes.path) as db:
        assert db.execute("SELECT content FROM messages").get == "in the log at first"
    assert copies.count(hermes.path) == 2


def test_a_database_that_never_stands_still_is_said_to_be_busy(hermes, monkeypatch):
    looks = iter(range(100))
    monkeypatch.setattr(databases, "_look", lambda _: (next(looks),))
    monkeypatch.setattr(databases, "COPY_PAUSE_SECONDS", 0)
    with pytest.raises(SourceBusy, match="stop its program and import again"), opened_copy(hermes.path):
        pass


def test_what_is_no_database_is_said_to_be_none(tmp_path):
    path = tmp_path / "state.db"
    path.write_bytes(b"SQLite format 3\x00" + b"noise" * 400)
    assert is_sqlite(path)
    with (
        pytest.raises(SourceUnreadable, match="damaged"),
        opened_copy(path) as db,
        databases.naming_damage(path),
    ):
        columns_of(db, "messages")


def test_columns_that_a_schema_does_not_have_are_null():
    assert selected({"a", "b"}, ["a", "b", "c"], as_bytes=["b", "c"]) == "a, CAST(b AS BLOB), NULL"
