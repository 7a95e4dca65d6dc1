"""Archivist as one object: opened, filled, asked, checked."""

import subprocess
import sys
import threading
from datetime import UTC, date, datetime, timedelta

import pytest

from archivist import EVERYTHING, Archivist, HistoryNotFound, Message, Scope
from archivist.app.sessions import Sessions
from archivist.recall.when import UnreadableTime
from archivist.store import UnknownSession
from archivist.store.connection import OPEN_FILES

NOW = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", clock=lambda: NOW, environ={}) as opened:
        yield opened


def fill(archivist, *texts, **start):
    session = archivist.sessions.start("test", **start)
    session.append_many([Message.user(text, created_at=NOW - timedelta(days=1)) for text in texts])
    return session


def test_what_was_said_is_found_with_its_date_source_and_conversation(archivist):
    session = fill(archivist, "staging listens on port 8443", "lunch was fine", title="Ports")
    [hit] = archivist.recall("which port for staging?").hits
    assert hit.text == "staging listens on port 8443"
    assert (hit.source.name, hit.conversation_id, hit.title) == ("test", session.id, "Ports")
    assert hit.date == NOW - timedelta(days=1)


def test_a_find_is_readable_at_once_although_nothing_indexes_on_writing(archivist, tmp_path):
    fill(archivist, "the lantern is lit")
    assert not (tmp_path / "home" / "index.db").exists()
    assert archivist.recall("lantern").hits


def test_another_persons_words_are_not_found(archivist):
    fill(archivist, "the vault code is tulip", scope=Scope(user="ann"))
    fill(archivist, "the group likes tulips", scope=Scope(chat="garden"))
    assert archivist.recall("tulip").hits == ()
    assert len(archivist.recall("tulip", scope=EVERYTHING).hits) == 2
    assert len(archivist.recall("tulip", scope=Scope(user="ann")).hits) == 1


def test_the_owner_finds_what_was_said_in_every_project(archivist):
    fill(archivist, "harbour uses redis", scope=Scope(user="owner", project="github.com/o/harbour"))
    assert len(archivist.recall("redis").hits) == 1
    assert archivist.recall("redis", scope=Scope(user="owner", project="other")).hits == ()


def test_what_the_asking_session_sees_is_left_out(archivist):
    """Sixty hits in the running session hid the one in an old session: NousResearch/hermes-agent#36238."""
    fill(archivist, "the old note about kelp")
    running = fill(archivist, *(f"kelp {number}" for number in range(60)))
    hits = archivist.sessions.search("kelp", asking_session=running.id).hits
    assert [hit.text for hit in hits] == ["the old note about kelp"]


def test_a_conversation_is_read_around_a_find_and_browsed(archivist):
    session = fill(archivist, *(f"line {number}" for number in range(30)))
    hit = archivist.recall('"line 17"').hits[0]
    passage = archivist.sessions.read(hit.conversation_id, around=hit.message_id, window=1)
    assert [message.text for message in passage.messages] == ["line 16", "line 17", "line 18"]
    assert (passage.before, passage.after) == (16, 11)
    assert [found.id for found in archivist.sessions.browse().sessions] == [session.id]


def test_a_handle_tells_what_its_model_sees_and_what_was_used(archivist):
    session = archivist.sessions.start("test", model="m1", prompt="be kind")
    session.append(Message.user("hello"))
    session.end("exit")
    again = archivist.sessions.get(session.id)
    assert [message.text for message in again.messages()] == ["hello"]
    assert [message.text for message in again.messages("all")] == ["hello"]
    assert (again.record().end_reason, again.record().prompt) == ("exit", "be kind")
    assert again.usage() == []


def test_an_unknown_session_is_named(archivist):
    with pytest.raises(UnknownSession, match="no conversation 'nobody'"):
        archivist.sessions.get("nobody")
    with pytest.raises(UnknownSession):
        archivist.sessions.read("nobody")


def test_a_time_is_read_in_the_owners_zone(archivist, tmp_path):
    (tmp_path / "shanghai").mkdir()
    (tmp_path / "shanghai" / "config.toml").write_text('timezone = "Asia/Shanghai"\n')
    with Archivist.open(tmp_path / "shanghai", environ={}) as other:
        assert other.read_time("2026-03-20").astimezone(UTC) == datetime(2026, 3, 19, 16, tzinfo=UTC)
    with pytest.raises(UnreadableTime):
        archivist.read_time("a fish")


def test_a_kind_of_memory_that_is_not_kept_is_answered_with_a_notice(archivist):
    fill(archivist, "kelp")
    page = archivist.recall("kelp", kinds=("picture",))
    assert [notice.code for notice in page.notices] == ["no-such-kind"]
    assert archivist.recall("kelp", kinds=("message",)).hits


def test_a_healthy_home_is_healthy_and_a_rebuilt_index_complete(archivist):
    fill(archivist, "kelp")
    assert archivist.catch_up().complete
    archivist.rebuild_index()
    assert archivist.catch_up().complete
    checkup = archivist.doctor()
    assert checkup.is_healthy, checkup.findings
    assert archivist.verify().is_clean


def test_a_few_messages_that_wait_to_be_indexed_are_no_warning(archivist, monkeypatch):
    fill(archivist, "kelp")

    def told():
        return next(
            (one.verdict, one.text) for one in archivist.doctor().findings if one.subject == "index.db"
        )

    verdict, text = told()
    assert verdict == "ok"
    assert "to be indexed, which a search does" in text
    monkeypatch.setattr("archivist.app.checkup.MANY_WAITING", 0)
    verdict, text = told()
    assert verdict == "warning"
    assert "run `archivist index`" in text


def test_one_archivist_serves_many_threads(archivist):
    failures = []

    def work(name):
        try:
            session = archivist.sessions.start("test")
            for number in range(20):
                session.append(Message.user(f"thread{name} says {number}"))
                archivist.recall(f"thread{name}")
        except Exception as error:  # noqa: BLE001 - the test's own report of any failure
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert archivist.counts()["messages"] == 120


def test_importing_the_package_makes_prints_and_opens_nothing(tmp_path):
    code = "import sys, archivist; print(sorted(m for m in sys.modules if m in {'apsw', 'click', 'rich', 'msgspec'}))"
    environ = {"HOME": str(tmp_path), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
    assert list(tmp_path.iterdir()) == []


def test_days_bound_a_search_as_dates_and_as_words(archivist):
    fill(archivist, "kelp in March")
    said = (NOW - timedelta(days=1)).date()
    assert archivist.recall("kelp", since=said, until=said).hits
    assert archivist.recall("kelp", since="2026-03-19", until="2026-03-19").hits
    assert archivist.recall("kelp", until=date.max).hits
    assert not archivist.recall("kelp", since=said + timedelta(days=1)).hits


def test_the_empty_path_is_no_history(archivist):
    with pytest.raises(HistoryNotFound):
        archivist.import_history("")


def test_a_home_whose_opening_fails_late_is_not_left_open(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(Sessions, "finish_erasures", lambda _sessions: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            Archivist.open(tmp_path / "home", environ={})
        with OPEN_FILES.kept_closed(tmp_path / "home" / "state.db") as is_closed:
            assert is_closed
    Archivist.open(tmp_path / "home", environ={}).close()
