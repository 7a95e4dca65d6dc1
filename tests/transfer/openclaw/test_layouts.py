"""Files and databases hold the same sessions."""

import json

import pytest
from backports import zstd

from archivist.transfer import has_news, import_history

INFO = '```json\n{"message_id":"5421","sender":"Ada"}\n```\n\nuse port 5434 from now on'


def tell(told, text="hello"):
    told.user(text)
    fork = told.answer({"type": "toolCall", "id": "c", "name": "exec", "arguments": {}}, "yes")
    told.user("left")
    told.user("words " * 300, parent=fork)
    told.answer("NO_REPLY")
    return told


@pytest.mark.parametrize("compressed", [False, True])
def test_both_layouts_give_the_same_sessions_and_messages(claw, told, shapes, read, tmp_path, compressed):
    newer = shapes.Claw(tmp_path / "bo" / ".openclaw")
    tell(told)
    for home in (claw, newer):
        home.key("agent:main:main", sessionStartedAt=1_781_000_000_000)
    claw.files(told)
    newer.rows(told, compressed=compressed)
    [(key, (files, messages))] = read(claw.root).items()
    [(other, (rows, again))] = read(newer.root).items()
    assert (key, messages) == (other, again)
    assert (files.start, files.read, files.skipped) == (rows.start, rows.read, rows.skipped)


def test_a_history_that_was_migrated_adds_nothing_to_what_was_imported_before(
    claw, told, shapes, memory, tmp_path
):
    tell(told, f"Conversation info (untrusted metadata):\n{INFO}")
    claw.note("memory/2026-06-08.md", "- noted")
    claw.files(told)
    newer = shapes.Claw(tmp_path / "bo" / ".openclaw")
    migrated = tell(shapes.Transcript(), f"Conversation info: \u27e6openclaw:ctx\u27e7\n{INFO}")
    newer.note("memory/2026-06-08.md", "- noted")
    newer.rows(migrated)
    archive = newer.root / "agents" / "main" / "session-sqlite-import-archive"
    archive.mkdir()
    (archive / f"agent_main_main.{told.session}.jsonl.imported-179").write_text(told.text())
    import_history(claw.root, memory)
    kept = memory.everything()
    report = import_history(newer.root, memory)
    assert (report.imported, report.messages, report.changed_nothing) == (0, 0, True)
    assert report.notices["copy of what the database holds: not read"] == 1
    assert memory.everything()[1] == kept[1]
    assert "use port 5434 from now on" in [m.text for m in memory.of(told.session)]


def test_what_a_database_was_made_from_is_read_where_there_is_no_database(claw, told, read):
    told.user("only here")
    archive = claw.root / "agents" / "main" / "session-sqlite-import-archive"
    archive.mkdir(parents=True)
    (archive / f"agent_main_main.{told.session}.jsonl.imported-179").write_text(told.text())
    assert [m.text for m in read(archive)[told.session][1]] == ["only here"]


# https://github.com/NousResearch/hermes-agent/issues/100960: sessions vanished as a live database was taken from beneath its program.
def test_rows_that_are_only_in_the_log_of_an_open_database_are_read_and_nothing_changes(
    claw, told, shapes, memory, kit
):
    db = claw.connect()
    db.execute("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
    sessions = [shapes.Transcript(f"{number:08x}-0000-4000-8000-000000000000") for number in range(12)]
    for one in sessions:
        one.user(f"in {one.session}")
    claw.rows(*sessions, db=db)
    before = kit.digests(claw.root)
    report = import_history(claw.root, memory)
    assert (report.sessions_new, report.messages, report.problems) == (12, 12, ())
    assert kit.digests(claw.root) == before
    told.user("later")
    claw.rows(told, db=db)
    assert has_news(claw.root, memory, format="openclaw")
    assert import_history(claw.root, memory).messages == 1
    assert not has_news(claw.root, memory, format="openclaw")
    db.close()


def test_compressed_entries_that_are_damaged_are_counted(claw, told, read):
    told.user("one")
    told.user("two")
    told.user("three")
    claw.rows(told, compressed=True)
    db = claw.connect()
    db.execute("UPDATE transcript_events SET event_zstd = x'28b52ffd00' WHERE seq = 1")
    db.execute("UPDATE transcript_events SET event_utf8_bytes = 1 WHERE seq = 2")
    db.close()
    session, messages = read(claw.root)[told.session]
    assert [(m.text, m.state) for m in messages] == [("three", "active")]
    assert session.skipped["damaged record"] == 2


def test_a_small_frame_that_unfolds_to_gigabytes_is_not_unfolded(claw, told, read):
    told.user("one")
    claw.rows(told, compressed=True)
    db = claw.connect()
    bomb = zstd.compress(b"\0" * (64 * 1024 * 1024))
    db.execute("UPDATE transcript_events SET event_zstd = ?, event_utf8_bytes = NULL WHERE seq = 1", (bomb,))
    db.close()
    assert read(claw.root)[told.session][0].skipped["damaged record"] == 1


def test_transcripts_put_away_inside_the_database_are_read(claw, told, shapes, read):
    away, gone = shapes.Transcript(shapes.OTHER), shapes.Transcript(shapes.THIRD)
    for one in (told, away, gone):
        one.user(f"words of {one.session}")
    claw.rows(told)
    db = claw.connect()
    for one, reason in ((away, "reset"), (gone, "deleted")):
        db.execute("INSERT INTO session_transcript_archives VALUES(?, ?, 'zstd', ?)",
                   (one.session, reason, zstd.compress(one.text().encode())))  # fmt: skip
    db.close()
    sessions = read(claw.root)
    assert [m.text for m in sessions[away.session][1]] == [f"words of {away.session}"]
    assert gone.session not in sessions
    [(session, _)] = [one for one in sessions.values() if one[0].notices]
    assert session.notices == {"transcript that its owner deleted: not read": 1}


def test_an_orphan_has_the_dates_of_its_entries_not_of_its_migration(claw, told, read):
    told.user("Remember: the key phrase rotates.")
    claw.rows(told)
    session, [message] = read(claw.root)[told.session]
    assert session.start.started_at.isoformat() == "2026-06-10T09:00:00+00:00"
    assert message.created_at.date().isoformat() == "2026-06-10"


def test_a_window_that_was_forked_in_the_database_does_not_repeat_its_origin(claw, told, shapes, read):
    told.user("shared")
    fork = shapes.Transcript(shapes.OTHER)
    fork.entries += told.entries[1:]
    fork.last = told.last
    fork.user("only here")
    claw.rows(fork, told)
    db = claw.connect()
    db.execute(
        "UPDATE session_windows SET reason = 'fork', previous_session_id = ? WHERE session_id = ?",
        (told.session, fork.session),
    )
    db.close()
    session, messages = read(claw.root)[fork.session]
    assert [m.text for m in messages] == ["only here"]
    assert (session.parent_external_id, session.start.link) == (told.session, "fork")


def test_an_empty_database_is_read_to_its_end(claw, memory):
    claw.connect().close()
    assert import_history(claw.root, memory).problems == ()
    assert not has_news(claw.root, memory, format="openclaw")


def test_damaged_columns_beside_the_entries_do_not_stop_a_database(claw, told, read):
    told.user("hello")
    claw.rows(told)
    db = claw.connect()
    db.execute("UPDATE session_nodes SET entry_json = '{torn'")
    db.execute("UPDATE session_windows SET session_key = CAST(x'6167656e743a6d61696e3aff' AS TEXT)")
    db.close()
    assert [m.text for m in read(claw.root)[told.session][1]] == ["hello"]


def test_an_agents_second_database_is_its_own(claw, told, shapes, read):
    told.user("hello")
    claw.rows(told)
    other = shapes.Transcript(shapes.OTHER)
    other.user("of the other agent")
    claw.database = claw.root / "agents" / "work" / "agent" / "openclaw-agent.sqlite"
    claw.noted = {"agent:work:main": {"sessionId": other.session}}
    claw.rows(other)
    sessions = read(claw.root)
    assert {key: session.start.metadata["agent"] for key, (session, _) in sessions.items()} == {
        told.session: "main",
        other.session: "work",
    }
    assert json.dumps(sorted(sessions))
