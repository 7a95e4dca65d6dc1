"""Degradation is loud: what could not be done is said in the result and by `doctor`, never a silent empty list."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from tests.damage import spoil

from archivist import Archivist, Message, StoreDamaged
from archivist.app import checkup
from archivist.store import connection

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path):
    with Archivist.open(tmp_path / "home", clock=lambda: NOW, environ={}) as archivist:
        session = archivist.sessions.start("test")
        session.append_many([Message.user(f"the lantern number{n} burns") for n in range(300)])
        archivist.catch_up()
    return tmp_path / "home"


def ask(home, query="number123"):
    with Archivist.open(home, clock=lambda: NOW, environ={}) as archivist:
        page = archivist.recall(query)
        return [hit.text for hit in page.hits], {notice.code for notice in page.notices}, archivist.doctor()


def damage_nothing(_path):
    """The index as it is."""


def delete(path):
    path.unlink()


def truncate(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path):
    path.write_bytes(b"")


def garbage(path):
    path.write_bytes(b"no database " * 1000)


def flip(path):
    content = bytearray(path.read_bytes())
    for at in range(5000, len(content), 997):
        content[at] ^= 0x10
    path.write_bytes(content)


def folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [damage_nothing, delete, truncate, empty, garbage, flip, folder])
def test_whatever_happens_to_the_index_the_next_question_is_answered_right(home, harm):
    harm(home / "index.db")
    texts, _, checkup = ask(home)
    assert texts[0] == "the lantern number123 burns"
    assert checkup.is_healthy, checkup.findings


def test_an_empty_answer_says_why(home, tmp_path):
    for query, code in (("zeppelin", "no-such-words"), ("", None)):
        texts, codes, _ = ask(home, query)
        assert code is None or (texts == [] and code in codes)
    assert ask(tmp_path / "fresh", "zeppelin")[:2] == ([], {"nothing-stored"})
    with Archivist.open(home, clock=lambda: NOW, environ={}) as archivist:
        page = archivist.recall("lantern", since="2019", until="2019")
        assert page.hits == ()
        assert {notice.code for notice in page.notices} & {"filtered-away", "left-out"}


def test_a_network_disk_is_told_at_opening_and_by_doctor(tmp_path, monkeypatch):
    monkeypatch.setattr(connection, "file_system_of", lambda _path: "nfs4")
    with Archivist.open(tmp_path / "home", environ={}) as archivist:
        archivist.sessions.start("test").append(Message.user("hello harbour"))
        assert "rollback-journal" in {notice.code for notice in archivist.notices}
        assert any("rollback journal" in finding.text for finding in archivist.doctor().findings)
        assert archivist.recall("harbour").hits


@pytest.mark.parametrize(("free", "verdict"), [(0, "failure"), (50 << 20, "warning"), (1 << 40, None)])
def test_a_disk_on_which_little_is_free_is_told_of_before_nothing_can_be_stored(
    home, monkeypatch, free, verdict
):
    monkeypatch.setattr(checkup, "disk_usage", lambda _path: SimpleNamespace(free=free))
    with Archivist.open(home, environ={}) as archivist:
        told = [finding.verdict for finding in archivist.doctor().findings if finding.subject == "disk"]
    assert told == ([verdict] if verdict else [])


def test_a_damaged_database_is_a_failure_of_doctor_not_a_crash(home):
    file = home / "state.db"
    content = bytearray(file.read_bytes())
    for at in range(len(content) * 2 // 3, len(content), 61):
        content[at] ^= 0x55
    file.write_bytes(content)
    with Archivist.open(home, environ={}) as archivist:
        assert not archivist.doctor().is_healthy
        found = archivist.verify()
        assert found.known_losses
        assert found.known_damage.messages


@pytest.mark.parametrize("page", range(2, 12))
def test_doctor_notices_any_page_that_was_overwritten(home, page):
    spoil(home / "state.db", page + 1, filling=bytes(reversed(range(256))))
    try:
        with Archivist.open(home, environ={}) as archivist:
            assert not archivist.doctor().is_healthy
    except StoreDamaged:
        pass  # the page that says which tables there are


def test_nothing_needs_a_model_or_a_network(home, monkeypatch):
    def refuse(*_arguments, **_options):
        raise AssertionError("a socket was asked for")

    monkeypatch.setattr("socket.socket", refuse)
    texts, _, checkup = ask(home, "which lantern has number77?")
    assert texts[0] == "the lantern number77 burns"
    assert checkup.is_healthy
