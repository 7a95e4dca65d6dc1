"""A session is given the bytes that it was given before, until it goes."""

import apsw
import pytest

from archivist.records import Notice, Scope, SessionStart, text_digest
from archivist.records.notes import HOME_SCOPE, NoteUsage, Snapshot, SnapshotReport, SnapshotSection, Use
from archivist.store.deleting import apply_erased, delete_sessions, members_of, read_pending
from archivist.store.erased import ErasedSession
from archivist.store.erasing import clear_residue
from archivist.store.frozen import ChangesTold, freeze, frozen_of, hand_on, mark_told, storable, thaw_saying
from archivist.store.sessions import find_session
from archivist.store.surroundings import Waiting
from archivist.store.uses import add_uses, uses_of

USAGE = NoteUsage(1474, 2200, 400, 3)
SECTION = SnapshotSection("memory", Scope(project="tide"), USAGE, ("one", "two"), {"three": "does not fit"})
PROJECT = Scope("owner", project="tide")


def rendered(text="MEMORY [67% — 1,474/2,200 chars]\n§\n用户喜欢茶\r\n", change="change-1", **fields):
    report = SnapshotReport((SECTION,), 400, change, (Notice("near-full", "nearly full"),), **fields)
    return Snapshot(text, text_digest(text), report)


def freeze_in(store, snapshot=None, **options):
    options = {"scope": HOME_SCOPE, "now": store._world.now(), **options}
    return store.write(lambda db: freeze(db, snapshot or rendered(), **options))


def hand_on_in(store, parent, **options):
    return store.write(lambda db: hand_on(db, parent, now=store._world.now(), **options))


def of(store, **names):
    return store.read(lambda db: frozen_of(db, **names))


def count(store, table):
    return store.read(lambda db: db.execute(f"SELECT count(*) FROM {table}").get)


def remove(store, session):
    key = store.read(lambda db: find_session(db, session).conversation)
    store.write(lambda db: delete_sessions(db, members_of(db, key)))


def test_what_was_handed_over_comes_back_to_the_byte(store, open_store, clock):
    frozen = freeze_in(store, scope=PROJECT, host="claude-code", host_session="abc")
    store.close()
    again = of(open_store(), host="claude-code", host_session="abc")
    assert again == frozen
    assert again.snapshot == rendered()
    assert (again.scope, again.made_at, again.told, again.parent) == (PROJECT, clock(), ChangesTold(), None)


@pytest.mark.parametrize(
    "names",
    [
        {"host": "codex", "host_session": "abc"},
        {"host_session": "abc"},
        {"host": "claude-code", "host_session": "abd"},
        {"session_id": "abc"},
        {"session_id": None},
    ],
)
def test_nobody_elses_is_given(store, names):
    freeze_in(store, host="claude-code", host_session="abc")
    assert of(store, **names) is None


def test_the_newest_of_a_session_counts(store):
    first = freeze_in(store, session_id="s")
    second = freeze_in(store, rendered("cleared", "change-2"), session_id="s")
    assert of(store, session_id="s") == second
    assert first.key != second.key


def test_equal_texts_are_stored_once(store):
    for number in range(20):
        freeze_in(store, rendered(change=f"change-{number}"), session_id=f"s{number}")
    assert count(store, "snapshot_texts") == 1
    assert of(store, session_id="s7").snapshot.report.last_change == "change-7"
    report = SnapshotReport((), 400)
    freeze_in(store, Snapshot(rendered().text, rendered().sha256, report), session_id="other")
    assert of(store, session_id="other").snapshot.report == report


@pytest.mark.parametrize(
    "told",
    [
        ChangesTold(("change-9",)),
        ChangesTold(("c1", "c2")),
        ChangesTold(("c1",), ("c2", "c3"), "5.0"),
        ChangesTold((), ("c2",), "0.0"),
        ChangesTold(("half-\ufffd",)),
    ],
)
def test_what_was_told_since_is_remembered(store, told):
    frozen = freeze_in(store, session_id="s")
    assert store.write(lambda db: mark_told(db, frozen, told))
    found = of(store, session_id="s")
    assert (found.told, found.snapshot) == (told, frozen.snapshot)


def test_what_somebody_was_told_meanwhile_is_not_told_again(store):
    frozen = freeze_in(store, host="codex", host_session="abc")
    assert store.write(lambda db: mark_told(db, frozen, ChangesTold(("c1",))))
    assert not store.write(lambda db: mark_told(db, frozen, ChangesTold(("c1",))))
    assert not store.write(lambda db: mark_told(db, frozen, ChangesTold(("c2",))))
    told = of(store, host="codex", host_session="abc")
    freeze_in(store, host="codex", host_session="abc")  # it began anew
    assert not store.write(lambda db: mark_told(db, told, ChangesTold(("c1", "c2"))))
    assert of(store, host="codex", host_session="abc").told == ChangesTold()


def test_a_fork_has_its_parents_snapshot_and_was_told_nothing_yet(store):
    parent = freeze_in(store, session_id="s")
    store.write(lambda db: mark_told(db, parent, ChangesTold(("change-2",))))
    fork = hand_on_in(store, of(store, session_id="s"), session_id="t")
    assert (fork.snapshot, fork.parent, fork.told) == (parent.snapshot, parent.key, ChangesTold())
    assert store.write(lambda db: mark_told(db, fork, ChangesTold(("change-3",))))
    assert of(store, session_id="s").told == ChangesTold(("change-2",))
    assert count(store, "snapshot_texts") == 1


def test_a_secret_is_masked_and_what_is_handed_over_is_what_is_stored(store):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    given = storable(rendered(f"the token is {secret}"), store.masked)
    assert secret not in given.text
    assert freeze_in(store, given, session_id="s").snapshot == given
    assert storable(rendered(), store.masked) == rendered()
    assert store.verify().is_clean


def test_characters_that_no_database_holds_are_replaced_before_they_are_handed_over(store):
    given = freeze_in(store, rendered("half \ud800"), session_id="s\ud800")
    assert given.snapshot.text == "half \ufffd"
    assert of(store, session_id="s\ud800") == given
    assert store.verify().is_clean


def test_a_session_that_goes_takes_its_snapshots_along(store):
    session = store.start(SessionStart("codex", external_id="abc"))
    other = store.start(SessionStart("codex", external_id="other"))
    ours = freeze_in(store, rendered("ours alone"), session_id=session)
    freeze_in(store, rendered("the host's alone"), host="codex", host_session="abc")
    freeze_in(store, rendered("shared"), session_id=session)
    fork = hand_on_in(store, of(store, session_id=session), session_id=other)
    remove(store, session)
    assert of(store, session_id=session) is None
    assert of(store, host="codex", host_session="abc") is None
    assert of(store, session_id=other).snapshot == fork.snapshot
    assert of(store, session_id=other).parent is None
    assert store.read(lambda db: [row[0] for row in db.execute("SELECT text FROM snapshot_texts")]) == [
        "shared"
    ]
    assert store.verify().is_clean
    late = hand_on_in(store, ours, session_id=other)  # it was read before
    assert (late.snapshot, late.parent) == (ours.snapshot, None)


def test_words_of_a_note_that_is_erased_go_with_every_snapshot_that_has_them(store):
    freeze_in(store, rendered("tea\n§\nthe 海 secret"), session_id="s")
    freeze_in(store, rendered("tea"), session_id="t")
    assert store.write(lambda db: thaw_saying(db, "海 secret")) == 1
    assert store.write(lambda db: thaw_saying(db, "")) == 0
    assert of(store, session_id="s") is None
    assert of(store, session_id="t") is not None
    assert count(store, "snapshot_texts") == 1


def test_words_of_a_session_that_goes_are_in_no_file(store, tmp_path):
    session = store.start(SessionStart("cli"))
    for number in range(30):
        freeze_in(store, rendered(f"zanzibar {number} " + "x" * 5_000), session_id=session)
    stays = store.start(SessionStart("cli"))
    freeze_in(store, rendered("quagga " * 500), session_id=stays)
    remove(store, session)
    pending, world = store.read(read_pending), store._world
    assert clear_residue(tmp_path / "state.db", pending, Waiting(5.0, world.monotonic, world.sleep))
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("state.db*"))
    assert b"zanzibar" not in stored
    assert b"quagga" in stored


def test_snapshots_of_an_older_copy_follow_what_was_deleted(store):
    freeze_in(store, session_id="gone")
    freeze_in(store, host="codex", host_session="abc")
    freeze_in(store, session_id="stays")
    gone = [ErasedSession("cli", None, "gone"), ErasedSession("codex", "abc", "x")]
    store.erased.add(gone, "2026-01-01T00:00:00+00:00")
    store.write(lambda db: apply_erased(db, store.erased))
    assert (of(store, session_id="gone"), of(store, host="codex", host_session="abc")) == (None, None)
    assert of(store, session_id="stays") is not None


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("UPDATE snapshot_texts SET text = text || '.'", "the text of snapshots 1 is not what was stored"),
        ("UPDATE snapshot_texts SET report = '{'", "the text of snapshots 1 is not what was stored"),
        ("DELETE FROM snapshot_texts", "snapshot 1 has a text that is not there"),
        ("UPDATE snapshots SET scope = 77", "snapshot 1 has a scope that is not there"),
    ],
)
def test_a_snapshot_that_is_not_what_was_stored_is_told(store, tmp_path, change, problem):
    freeze_in(store, session_id="s")
    assert store.verify().is_clean
    db = apsw.Connection(str(tmp_path / "state.db"))  # foreign keys are not enforced here
    db.execute(change)
    db.close()
    assert problem in store.verify().problems


# ---- damage ----


@pytest.fixture
def damaged(open_store, tmp_path):
    """A store with uses and snapshots, closed; gives its file and how to lose the page of a table."""
    store = open_store()
    for number in range(40):
        frozen = freeze_in(store, rendered(f"text {number} " + "x" * 700), session_id=f"s{number}")
        for fork in range(5):
            hand_on_in(store, frozen, host="codex", host_session=f"{number}-{fork}")
    store.write(
        lambda db: add_uses(db, [Use(f"e{n}", store._world.now(), "used", f"s{n}") for n in range(300)])
    )
    store.close()
    path = tmp_path / "state.db"

    def lose(name):
        db = apsw.Connection(str(path))
        page = (
            1
            if name is None
            else db.execute(
                "SELECT max(pageno) FROM dbstat WHERE name = ? AND pagetype = 'leaf'", (name,)
            ).get
        )
        db.close()
        raw = bytearray(path.read_bytes())
        raw[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
        path.write_bytes(raw)

    return lose


def test_a_salvage_brings_them_all_back_without_the_first_page(damaged, open_store):
    damaged(None)
    store = open_store()
    assert [of(store, session_id=f"s{n}").snapshot.text[:7].strip() for n in range(40)] == [
        f"text {n}" for n in range(40)
    ]
    assert len(store.read(lambda db: uses_of(db, [f"e{n}" for n in range(300)]))) == 300
    assert store.counts()["sessions"] == 0
    assert store.verify().is_clean


@pytest.mark.parametrize(
    "name",
    [
        "uses",
        "snapshots",
        "snapshot_texts",
        "uses_entry",
        "uses_session",
        "snapshots_session",
        "snapshots_text",
        "sessions_started",
    ],
)
def test_a_salvage_keeps_what_one_lost_page_leaves(damaged, open_store, name):
    damaged(name)
    store = open_store()
    store.salvage()
    assert store.verify().is_clean
    assert store.counts()["sessions"] == 0
    assert count(store, "uses") > 100
    found = [of(store, host="codex", host_session=f"{n}-{fork}") for n in range(40) for fork in range(5)]
    assert len([one for one in found if one]) >= 100
    assert all(one.snapshot.sha256 == text_digest(one.snapshot.text) for one in found if one)
