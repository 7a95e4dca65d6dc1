"""What a salvage had to keep damaged is told once, as known; whatever is damaged since is told as damage."""

from datetime import UTC, datetime

import apsw
import pytest
from msgspec.structs import replace

from archivist import EVERYTHING, Archivist, Message, Scope, StoreDamaged
from archivist.records import SessionStart
from archivist.store.known_damage import KnownDamage, known_damage, noted_damage

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
START = SessionStart("claude-code", external_id="ext-1")
BROKEN = (
    "UPDATE messages SET text = 'what nobody said' WHERE id = 2",
    "UPDATE messages SET text = CAST(x'e1ff' AS TEXT) WHERE id = 2",
    "UPDATE messages SET role = 'zzz' WHERE id = 2",
    "UPDATE messages SET created_at = 1 << 62 WHERE id = 2",
    "UPDATE messages SET digest = x'00' WHERE id = 2",
    "UPDATE messages SET client_id = 'other' WHERE id = 2",
    "UPDATE messages SET metadata = '{' WHERE id = 2",
    "UPDATE messages SET metadata = '[1]' WHERE id = 2",
    "UPDATE messages SET tool_calls = '[7]' WHERE id = 2",
    """UPDATE messages SET parts = '[{"kind":"image","blob":7}]' WHERE id = 2""",
    """UPDATE messages SET parts = '[{"kind":"image","blob":"zz*"}]' WHERE id = 2""",
    "UPDATE sessions SET title = 'never given' WHERE key = 1",
    "UPDATE sessions SET metadata = '{' WHERE key = 1",
    "UPDATE sessions SET id = 'changed' WHERE key = 1",
    "UPDATE sessions SET digest = NULL WHERE key = 1",
)


def opened(tmp_path):
    return Archivist.open(tmp_path / "home", environ={})


def harm(archivist, sql):
    db = apsw.Connection(str(archivist.home.state_file))
    db.execute(sql)
    db.close()


@pytest.fixture
def archivist(tmp_path):
    with opened(tmp_path) as archivist:
        session = archivist.sessions.start("test", title="one", scope=Scope(user="ann"))
        session.append_many([Message.user(f"lantern {number}") for number in range(4)])
        yield archivist


def folders(archivist):
    return sorted((archivist.home.path / "aside").glob("*"))


def read_all(archivist):
    listed = archivist.sessions.browse(scope=EVERYTHING).sessions
    return [archivist.sessions.read(one.id, scope=EVERYTHING, uncut=True) for one in listed]


@pytest.mark.parametrize("sql", BROKEN)
def test_what_is_kept_damaged_is_known_from_then_on(archivist, tmp_path, sql):
    harm(archivist, sql)
    assert archivist.verify().problems
    first = archivist.salvage()
    assert (first.is_needless, len(first.known_damage.names)) == (False, 1)
    found = archivist.verify()
    assert (found.is_clean, found.known_damage) == (True, first.known_damage)
    for _ in range(2):
        again = archivist.salvage()
        assert (again.is_needless, again.known_damage, again.set_aside) == (True, first.known_damage, None)
    assert len(folders(archivist)) == 1
    assert read_all(archivist)
    assert archivist.recall("lantern", scope=EVERYTHING).hits
    archivist.sessions.export(None, tmp_path / "out.jsonl", scope=EVERYTHING)
    warnings = [one.text for one in archivist.doctor().findings if "damaged and known" in one.text]
    assert len(warnings) == 1
    assert archivist.doctor().is_healthy
    assert len(folders(archivist)) == 1


def test_a_known_damaged_message_is_told_where_it_is_read(archivist):
    harm(archivist, BROKEN[0])
    archivist.salvage()
    [passage] = read_all(archivist)
    assert [notice.code for notice in passage.notices] == ["damaged-message"]


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE messages SET text = 'other' WHERE id = 3",
        "UPDATE messages SET text = 'other again' WHERE id = 2",
        "UPDATE messages SET digest = x'07' WHERE id = 2",
        "UPDATE sessions SET cwd = '/elsewhere' WHERE key = 1",
        "UPDATE meta SET value = '{' WHERE key = 'known damage'",
    ],
)
def test_new_damage_is_a_problem_beside_what_is_known(archivist, sql):
    harm(archivist, BROKEN[0])
    archivist.salvage()
    assert archivist.verify().is_clean
    harm(archivist, sql)
    assert archivist.verify().problems
    assert not archivist.salvage().is_needless
    assert archivist.verify().is_clean
    assert len(folders(archivist)) == 2


def test_usage_that_cannot_have_been_is_salvaged_once(archivist):
    harm(archivist, "INSERT INTO usage VALUES(1, 'm', 'q', 1, 1 << 61, 7, 0, 0, 0, 0.0)")
    assert archivist.verify().problems
    archivist.salvage()
    assert archivist.verify().is_clean
    assert archivist.salvage().is_needless
    assert len(folders(archivist)) == 1


def test_a_backup_takes_known_damage_and_says_so(archivist):
    harm(archivist, BROKEN[0])
    archivist.salvage()
    made = archivist.backup()
    assert [(notice.code, "message 2" in notice.text) for notice in made.notices] == [("damaged-kept", True)]
    harm(archivist, "DELETE FROM messages WHERE id = 3")
    done = archivist.restore(made.path, dry_run=False)
    assert done.is_done
    found = archivist.verify()
    assert (found.is_clean, list(found.known_damage.messages)) == (True, [2])


def test_a_salvage_takes_what_a_backup_has_right_by_now(archivist, tmp_path):
    good = archivist.backup().path
    away = tmp_path / "away"
    good.rename(away)
    harm(archivist, BROKEN[0])
    archivist.salvage()
    assert archivist.backup().notices  # one with the damaged message is no better
    assert archivist.salvage().is_needless
    away.rename(good.with_name("archivist-19990101-000000"))
    report = archivist.salvage()
    assert (report.is_needless, report.messages_from_backup, report.is_whole) == (False, 1, True)
    assert not archivist.verify().known_damage
    assert [message.text for message in read_all(archivist)[0].messages][1] == "lantern 1"


def test_a_stand_in_of_a_backup_is_nothing_better(archivist):
    harm(archivist, "DELETE FROM sessions")
    harm(archivist, BROKEN[0])
    assert archivist.salvage().stand_ins == 1
    archivist.backup()
    for _ in range(2):
        assert archivist.salvage().is_needless
    assert len(folders(archivist)) == 1


def test_a_session_that_a_backup_has_by_now_takes_the_place_of_its_stand_in(archivist, tmp_path):
    good = archivist.backup().path
    good.rename(tmp_path / "away")
    harm(archivist, "DELETE FROM sessions")
    assert archivist.salvage().stand_ins == 1
    assert archivist.salvage().is_needless
    (tmp_path / "away").rename(good)
    assert archivist.salvage().sessions_from_backup == 1
    assert archivist.sessions.browse(scope=Scope(user="ann")).sessions[0].title == "one"
    assert archivist.salvage().is_needless
    assert len(folders(archivist)) == 2


def test_a_failure_that_comes_of_known_damage_is_no_reason_to_salvage_again(archivist):
    harm(archivist, BROKEN[0])
    archivist.salvage()

    def fail(_db):
        raise ValueError("nonsense")

    for _ in range(2):
        with pytest.raises(StoreDamaged, match=r"message 2\): import its source again or restore a backup"):
            archivist._store.read(fail)
    assert len(folders(archivist)) == 1
    archivist.sessions.start("test").append(Message.user("goes on"))


@pytest.mark.parametrize("name", ["parts", "tool_calls", "metadata", "masked"])
def test_a_column_that_is_no_json_any_more_stands_in_the_metadata_as_it_was_found(archivist, name):
    harm(archivist, f"UPDATE messages SET {name} = '{{7', text = 'other' WHERE id = 2")
    archivist.salvage()
    message = read_all(archivist)[0].messages[1]
    assert message.text == "other"
    assert message.metadata["as_found"] == {name: "{7"}
    assert message.metadata["damaged"]


# ---- an import of the source ----


def told(*texts):
    return [Message.user(text, client_id=f"id-{number}") for number, text in enumerate(texts)]


@pytest.fixture
def received(open_store, tmp_path):
    """A store with an imported session whose second message was damaged and kept."""
    store = open_store()
    source = [replace(message, created_at=NOW) for message in told("one", "two", "three")]
    store.receive(START, source)
    return store, source


def break_and_salvage(store, sql):
    db = apsw.Connection(str(store.path))
    db.execute(sql)
    db.close()
    store.salvage()
    assert list(store.read(known_damage).messages) == [2]


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE messages SET text = 'what nobody said' WHERE id = 2",
        "UPDATE messages SET metadata = '{' WHERE id = 2",
        "UPDATE messages SET digest = x'00' WHERE id = 2",
        "UPDATE messages SET created_at = 5 WHERE id = 2",
    ],
)
def test_an_import_that_brings_the_right_content_mends_it(received, sql):
    store, source = received
    break_and_salvage(store, sql)
    receipt = store.receive(START, source)
    assert (receipt.added, receipt.known) == (0, 3)
    assert [message.text for message in store.context("ext-1")] == ["one", "two", "three"]
    found = store.verify()
    assert (found.is_clean, bool(found.known_damage)) == (True, False)
    assert store.read(noted_damage) == KnownDamage()


def test_an_import_that_tells_something_else_mends_nothing(received):
    store, source = received
    break_and_salvage(store, "UPDATE messages SET text = 'what nobody said' WHERE id = 2")
    other = replace(source[1], text="two, edited since")
    store.receive(START, [source[0], other, source[2]])
    assert list(store.read(known_damage).messages) == [2]
    assert store.verify().is_clean


def test_a_mended_message_is_found_by_its_right_words_again(tmp_path):
    with opened(tmp_path) as archivist:
        source = [replace(message, created_at=NOW) for message in told("harbour", "lighthouse")]
        archivist._store.receive(START, source)
        harm(archivist, "UPDATE messages SET text = 'nonsense' WHERE id = 2")
        archivist.salvage()
        assert archivist.recall("nonsense", scope=EVERYTHING).hits
        archivist._store.receive(START, source)
        assert [hit.text for hit in archivist.recall("lighthouse", scope=EVERYTHING).hits] == ["lighthouse"]
        assert not archivist.recall("nonsense", scope=EVERYTHING).hits
        assert archivist.verify().is_clean
