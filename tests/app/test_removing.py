"""Deleting, pruning and what remains, as a caller meets them."""

from datetime import UTC, datetime, timedelta

import apsw
import pytest

from archivist import (
    EVERYTHING,
    AgeNotUsable,
    Archivist,
    DiskFull,
    Message,
    NothingToLookFor,
    OutsideScope,
    Part,
    Scope,
    StoreBusy,
    UnknownSession,
    Usage,
)
from archivist.records import SessionStart
from archivist.store import deletions
from archivist.store.erased import Erased
from archivist.store.writer import Writer

NOW = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", clock=lambda: NOW, environ={}) as opened:
        yield opened


def tell(archivist, *texts, days=0, **start):
    session = archivist.sessions.start("test", started_at=NOW - timedelta(days=days), **start)
    session.append_many([Message.user(text, created_at=NOW - timedelta(days=days)) for text in texts])
    return session


def places(archivist, text):
    return archivist.verify(absent=text).places


# ---- delete ----


def test_a_deleted_conversation_is_not_found_read_or_listed(archivist):
    session = tell(archivist, "the lantern is lit", title="Lantern")
    tell(archivist, "the harbour sleeps")
    archivist.catch_up()
    removal = archivist.sessions.delete(session.id)
    assert (removal.title, removal.sessions, removal.messages, removal.notices) == ("Lantern", 1, 1, ())
    assert archivist.recall("lantern").hits == ()
    assert archivist.recall("harbour").hits
    assert len(archivist.sessions.browse().sessions) == 1
    with pytest.raises(UnknownSession):
        archivist.sessions.delete(session.id)
    with pytest.raises(UnknownSession):
        session.append(Message.user("more"))
    assert archivist.doctor().is_healthy


@pytest.mark.parametrize("indexed", ["not at all", "before", "merged", "partly"])
def test_its_words_leave_the_index_however_far_that_was(archivist, indexed):
    if indexed == "partly":
        tell(archivist, *(f"filler {number}" for number in range(50)))
        archivist.catch_up()
    session = tell(archivist, "zyqlantern burns", *(f"zyqlantern {number}" for number in range(50)))
    if indexed in ("before", "merged"):
        archivist.catch_up()
    if indexed == "merged":
        archivist.tidy(5)
    archivist.sessions.delete(session.id)
    assert places(archivist, "zyqlantern") == ()
    assert archivist.catch_up().complete
    assert archivist.doctor().is_healthy


def test_a_dry_run_tells_what_would_go_and_deletes_nothing(archivist):
    session = tell(archivist, "one", "two")
    removal = archivist.sessions.delete(session.id, dry_run=True)
    assert (removal.conversation_id, removal.messages, removal.bytes, removal.dry_run) == (
        session.id,
        2,
        6,
        True,
    )
    assert archivist.counts()["messages"] == 2


def test_a_stranger_cannot_delete_and_a_part_is_never_deleted_alone(archivist):
    ann, ben = Scope(user="ann"), Scope(user="ben")
    root = tell(archivist, "of ann", scope=ann)
    with pytest.raises(UnknownSession):
        archivist.sessions.delete(root.id, scope=ben)
    archivist._store.start(SessionStart("test", parent_id=root.id, link="fork", scope=ben))
    with pytest.raises(OutsideScope, match="as the owner"):
        archivist.sessions.delete(root.id, scope=ann)
    assert archivist.sessions.delete(root.id, scope=EVERYTHING).sessions == 2


def test_a_blob_goes_with_the_last_message_that_refers_to_it(archivist):
    part = Part("image", data=b"the same picture", media_type="image/png")
    first, second = (archivist.sessions.start("test") for _ in range(2))
    for session in (first, second):
        session.append(Message("user", "look", parts=(part,)))
    archivist.sessions.delete(first.id)
    assert len(list((archivist.home.media_folder).glob("*/*.png"))) == 1
    assert archivist.verify().problems == ()
    archivist.sessions.delete(second.id)
    assert list(archivist.home.path.rglob("*.png")) == []


def test_what_waits_in_the_spool_goes_too(archivist):
    session = tell(archivist, "stored")
    store = archivist._store
    store.spool.keep(session.id, [store.prepare(Message.user("zyqspooled"))])
    assert places(archivist, "zyqspooled")
    archivist.sessions.delete(session.id)
    assert places(archivist, "zyqspooled") == ()
    assert store.take_in_spool() == ()


def test_while_somebody_reads_an_older_state_it_says_so_and_tidying_finishes_it(archivist, monkeypatch):
    monkeypatch.setattr("archivist.app.removing.READERS_SECONDS", 0.1)
    session = tell(archivist, "zyqlantern")
    reader = apsw.Connection(str(archivist.home.state_file))
    reader.execute("BEGIN; SELECT * FROM messages").fetchall()
    [notice] = archivist.sessions.delete(session.id).notices
    assert notice.code == "erasure-unfinished"
    assert "the log" in notice.text
    assert [finding.verdict for finding in archivist.doctor().findings if finding.subject == "erasure"] == [
        "warning"
    ]
    reader.close()
    archivist.tidy(5)
    assert places(archivist, "zyqlantern") == ()
    assert "erasure" not in {finding.subject for finding in archivist.doctor().findings}


def test_the_next_opening_finishes_it_too(archivist, monkeypatch):
    monkeypatch.setattr("archivist.app.removing.READERS_SECONDS", 0.0)
    session = tell(archivist, "zyqlantern")
    reader = apsw.Connection(str(archivist.home.state_file))
    reader.execute("BEGIN; SELECT * FROM messages").fetchall()
    archivist.sessions.delete(session.id)
    reader.close()
    with Archivist.open(archivist.home.path, environ={}) as again:
        assert again.notices == ()
        assert places(again, "zyqlantern") == ()


def test_a_title_that_stands_nowhere_names_nothing_to_delete(archivist):
    """A title that is made of what was said anew each time may be another's tomorrow."""
    tell(archivist, "Where did we put the lantern?")
    [shown] = archivist.sessions.browse().sessions
    assert archivist.sessions.read(shown.title).messages
    with pytest.raises(UnknownSession):
        archivist.sessions.delete(shown.title, dry_run=True)
    tell(archivist, "x", title="Harbour")
    assert archivist.sessions.delete("harbour", dry_run=True).title == "Harbour"


def test_what_goes_has_the_title_that_lists_show_and_not_that_of_a_fork(archivist):
    root = tell(archivist, "one", "two", title="Harbour")
    fork = archivist.sessions.fork(root.id, title="Harbour, the other way")
    assert archivist.sessions.browse().sessions[0].title == "Harbour"
    for named in (root.id, fork.id, "Harbour, the other way"):
        assert archivist.sessions.delete(named, dry_run=True).title == "Harbour"
    assert archivist.sessions.delete(root.id).title == "Harbour"


def test_where_only_a_fork_has_a_title_what_goes_has_that(archivist):
    root = archivist.sessions.start("test")
    root.append(Message.user("one"))
    archivist.sessions.fork(root.id, title="The other way")
    assert archivist.sessions.delete(root.id, dry_run=True).title == "The other way"


def test_it_is_said_that_forks_go_and_that_a_fork_takes_along_what_it_was_forked_from(archivist):
    root = tell(archivist, "one", "two")
    assert archivist.sessions.delete(root.id, dry_run=True).forks == 0
    forks = [archivist.sessions.fork(root.id) for _ in range(2)]
    found = archivist.sessions.delete(root.id, dry_run=True)
    assert (found.forks, found.is_fork) == (2, False)
    found = archivist.sessions.delete(forks[1].id)
    assert (found.forks, found.is_fork, found.conversation_id) == (2, True, root.id)
    assert archivist.counts()["sessions"] == 0


@pytest.mark.parametrize("where", ["commit", "file"])
def test_a_deletion_that_fails_is_taken_back_before_anybody_else_can_write(
    archivist, tmp_path, monkeypatch, where
):
    """Who opened the home between the failure and the taking back deleted what the caller was told had stayed."""
    session = tell(archivist, "the lantern is lit")
    seen = []

    def look_in(*_arguments):
        with pytest.raises(apsw.BusyError):
            apsw.Connection(str(archivist.home.state_file)).execute("BEGIN IMMEDIATE")
        seen.append(archivist.home.erased_file.read_bytes())

    take_back, add = Erased.take_back, Erased.add

    def watched(erased, addition):
        take_back(erased, addition)
        look_in()

    def torn(erased, gone, at):
        add(erased, gone, at)
        raise DiskFull(erased.path)

    monkeypatch.setattr(Erased, "take_back", watched)
    if where == "commit":
        real = Writer._run
        monkeypatch.setattr(
            Writer, "_run", lambda writer, sql: 1 / 0 if sql == "COMMIT" else real(writer, sql)
        )
        with pytest.raises(ZeroDivisionError):
            archivist.sessions.delete(session.id)
        assert seen == [b""]
    else:
        monkeypatch.setattr(Erased, "add", torn)
        with pytest.raises(DiskFull):
            archivist.sessions.delete(session.id)
    monkeypatch.undo()
    assert archivist.counts()["sessions"] == 1
    session.append(Message.user("it stays"))


def test_a_full_disk_is_named_when_something_is_to_be_deleted(archivist, monkeypatch):
    session = tell(archivist, "the lantern is lit")

    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("archivist.store.erased.os.write", full)
    with pytest.raises(DiskFull):
        archivist.sessions.delete(session.id)
    monkeypatch.undo()
    assert archivist.sessions.get(session.id).messages()
    assert archivist.home.erased_file.read_bytes() == b""


# ---- prune ----


def test_what_went_before_a_prune_was_stopped_is_told_and_gone_from_every_file(archivist, monkeypatch):
    for number in range(5):
        tell(archivist, f"zyq{number} words", days=100 - number)
    archivist.catch_up()
    monkeypatch.setattr(deletions, "BATCH_SECONDS", 0)
    remove, calls = deletions.delete_batch, []

    def stopped(*arguments, **named):
        calls.append(1)
        if len(calls) == 3:
            raise StoreBusy(archivist.home.state_file, 1.0)
        return remove(*arguments, **named)

    monkeypatch.setattr(deletions, "delete_batch", stopped)
    pruning = archivist.sessions.prune(30, dry_run=False)
    assert len(pruning.removals) == 2
    assert "busy" in pruning.stopped_by
    assert places(archivist, "zyq0") == places(archivist, "zyq1") == ()
    assert places(archivist, "zyq2")
    calls[:] = [1, 1]
    with pytest.raises(StoreBusy):  # nothing went: a failure
        archivist.sessions.prune(30, dry_run=False)
    assert archivist.sessions.prune(30, dry_run=False).stopped_by == ""


def test_pruning_only_shows_unless_told_otherwise(archivist):
    old = tell(archivist, "old", days=100, title="Old")
    tell(archivist, "new")
    pruning = archivist.sessions.prune(timedelta(days=30))
    assert [(one.conversation_id, one.title, one.messages) for one in pruning.removals] == [
        (old.id, "Old", 1)
    ]
    assert pruning.removals[0].last_active_at == NOW - timedelta(days=100)
    assert archivist.counts()["conversations"] == 2
    assert archivist.sessions.prune(30, dry_run=False).messages == 1
    assert archivist.counts()["conversations"] == 1
    assert archivist.sessions.prune(30, dry_run=False).removals == ()


def test_pruned_words_are_nowhere(archivist):
    for number in range(5):
        tell(archivist, f"zyqword{number} is old", days=100)
    tell(archivist, "zyqnew")
    archivist.catch_up()
    archivist.sessions.prune(30, dry_run=False)
    assert places(archivist, "zyqword") == ()
    assert places(archivist, "zyqnew")
    assert archivist.verify().problems == ()


@pytest.mark.parametrize("age", [10**7, 10**9, timedelta.max])
def test_an_age_beyond_all_dates_means_nothing(archivist, age):
    tell(archivist, "old", days=1000)
    assert archivist.sessions.prune(age).removals == ()


def test_an_age_in_the_future_is_refused(archivist):
    with pytest.raises(AgeNotUsable):
        archivist.sessions.prune(-1)


def test_a_conversation_that_is_used_between_choice_and_deletion_stays(archivist, monkeypatch):
    from archivist.store import deletions

    session = tell(archivist, "old", days=100)
    remove = deletions.delete_batch

    def used_first(*arguments, **options):
        session.append(Message.user("used", created_at=NOW))
        return remove(*arguments, **options)

    monkeypatch.setattr(deletions, "delete_batch", used_first)
    assert archivist.sessions.prune(30, dry_run=False).removals == ()
    assert archivist.counts()["messages"] == 2


# ---- what remains ----


@pytest.mark.parametrize("by", ["model", "source", "month"])
def test_usage_is_counted_on_after_deletions_within_the_scope(archivist, by):
    for days in (100, 50, 0):
        session = tell(archivist, "x", days=days)
        session.add_usage(Usage(f"model-{days}", "r", 1, 100 + days, 5, cost_usd=0.5))
    stranger = tell(archivist, "y", scope=Scope(user="ben"))
    stranger.add_usage(Usage("theirs", "r", 1, 1, 1))
    before, everything = archivist.usage(by=by), archivist.usage(scope=EVERYTHING, by=by)
    archivist.sessions.delete(session.id)
    archivist.sessions.prune(30, dry_run=False)
    archivist.sessions.delete(stranger.id, scope=EVERYTHING)
    assert archivist.usage(by=by) == before
    assert archivist.usage(scope=EVERYTHING, by=by) == everything
    assert sum(one.requests for one in before) == 3


# ---- space ----


def test_freed_space_is_given_back(archivist):
    for number in range(4):
        tell(archivist, *("x" * 20_000 for _ in range(100)), title=f"{number}", days=2)
    archivist.tidy(5)
    before = archivist.home.state_file.stat().st_size
    archivist.sessions.prune(1, title="1", dry_run=False)
    archivist.tidy(30)
    assert archivist.home.state_file.stat().st_size < before * 0.8
    assert archivist.verify().problems == ()


def test_doctor_says_what_the_bytes_are_spent_on(archivist):
    session = tell(archivist, "a" * 1000)
    session.append(Message.tool("b" * 2000, call_id="c", name="terminal"))
    session.append(Message("assistant", "", reasoning='"thought"', parts=(Part("file", data=b"12345"),)))
    [size] = [finding for finding in archivist.doctor().findings if finding.subject == "size"]
    assert (size.numbers["text"], size.numbers["tools"], size.numbers["reasoning"]) == (1000, 2000, 9)
    assert (size.numbers["media"], size.numbers["media_files"]) == (5, 1)
    kinds = {name: value for name, value in size.numbers.items() if name not in ("total", "media_files")}
    assert sum(kinds.values()) == size.numbers["total"]
    assert size.verdict == "ok"


def test_a_file_of_the_older_kind_is_told_of_and_converted_on_request(tmp_path, monkeypatch):
    monkeypatch.setattr("archivist.app.sizes.SMALLEST_WORTH", 1)
    home = tmp_path / "home"
    with Archivist.open(home, environ={}) as archivist:
        tell(archivist, *("zyqold " * 2000 for _ in range(100)), title="goes")
        tell(archivist, "stays")
    db = apsw.Connection(str(home / "state.db"))
    db.execute("PRAGMA auto_vacuum = NONE; VACUUM").fetchall()
    db.close()
    with Archivist.open(home, environ={}) as archivist:
        archivist.sessions.prune(0, title="goes", dry_run=False)
        [size] = [finding for finding in archivist.doctor().findings if finding.subject == "size"]
        assert size.verdict == "warning"
        assert "archivist sessions compact" in size.text
        assert archivist.sessions.compact() > 1_000_000
        [size] = [finding for finding in archivist.doctor().findings if finding.subject == "size"]
        assert size.verdict == "ok"
        assert archivist.verify().problems == ()
        archivist.sessions.prune(0, dry_run=False)
        assert archivist._store.read(lambda db: db.pragma("freelist_count")) == 0


# ---- absence ----


@pytest.mark.parametrize("text", ["zyqwort", "über Zyq", "字汇表", 'a "quoted" \\ zyq', "zyq 🏮"])
@pytest.mark.parametrize("where", ["text", "title", "prompt", "call", "blob", "file", "escaped"])
def test_a_text_is_found_wherever_it_is(archivist, text, where):
    import json

    from archivist import ToolCall

    session = tell(
        archivist,
        "nothing",
        title=text if where == "title" else None,
        prompt=text if where == "prompt" else None,
    )
    call = ToolCall("c", "tool", json.dumps({"said": text}))
    part = Part("file", data=f"has {text} in it".encode())
    if where in ("text", "call", "blob"):
        session.append({
            "text": Message.user(f"long {'x ' * 9000}{text}"),
            "call": Message.assistant("", tool_calls=[call]),
            "blob": Message("user", "", parts=(part,)),
        }[where])  # fmt: skip
    if where in ("file", "escaped"):
        content = f"notes: {text}" if where == "file" else json.dumps({"said": text})
        (archivist.home.path / "notes.txt").write_text(content)
    assert archivist.verify(absent="surely nowhere").is_absent
    assert not archivist.verify(absent=text).is_absent


def test_words_that_only_the_index_still_holds_are_found(archivist):
    session = tell(archivist, "the zyqlanterns are lit")
    archivist.catch_up()
    archivist._store.write(lambda db: db.execute("DELETE FROM messages"))
    assert any("index.db" in place for place in places(archivist, "zyqlanterns"))
    assert session


def test_the_absence_of_nothing_is_not_proved(archivist):
    with pytest.raises(NothingToLookFor):
        archivist.verify(absent="  ")


def test_a_file_that_goes_while_its_absence_is_proved_is_no_failure(archivist):
    tell(archivist, "harbour")
    home = archivist.home.path
    for name in ("a", "b", "state.db-gone"):
        (home / name).write_text("nothing")

    def clean(_bytes):
        for name in ("b", "state.db-gone"):
            (home / name).unlink(missing_ok=True)

    assert archivist.verify(absent="surely nowhere", on_progress=clean).is_absent


@pytest.mark.parametrize(
    ("age", "error"), [("90d", TypeError), (None, TypeError), (float("nan"), ValueError)]
)
def test_an_age_that_is_none_is_named_at_the_door(archivist, age, error):
    with pytest.raises(error, match="give a number of days"):
        archivist.sessions.prune(age)
