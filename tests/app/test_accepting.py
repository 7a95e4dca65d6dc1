"""What waits is done when the owner accepts it, to the letter as it was shown, in the name of whoever asked for it."""

import multiprocessing
import threading
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from archivist import (
    Archivist,
    DayStays,
    Message,
    NotEditable,
    NotKeptForReview,
    ProposalDecided,
    ProposalOutdated,
    RejectedBefore,
    Scope,
    SecretInNote,
    SettingsUnreadable,
    StoreBusy,
    UnknownProposal,
)
from archivist.app.reviewing import open_review
from archivist.curate.appliers import Line
from archivist.records import EVERYTHING, OWNER, Quote
from archivist.tools.context import Turn
from archivist.tools.memory import MEMORY, call_memory

AUTOMATIC = '[approval]\nmode = "automatic"\n'


def opened(home: Path, settings: str = AUTOMATIC) -> Archivist:
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(settings)
    return Archivist.open(home, environ={})


@pytest.fixture
def archivist(tmp_path: Path) -> Iterator[Archivist]:
    with opened(tmp_path / "home") as found:
        yield found


def texts(archivist: Archivist, tier: str = "core") -> list[str]:
    return [entry.text for entry in archivist.notes.entries(tier=tier)]


def asked(archivist: Archivist, content: str, **how: object) -> str:
    """The id under which what an agent noted waits."""
    change = archivist.notes.add("memory", content, origin="agent", **how)
    assert change.action == "waits"
    assert change.proposal is not None
    return change.proposal


def signs(lines: tuple[Line, ...]) -> list[tuple[str, str]]:
    return [(line.sign, line.text) for line in lines]


def test_what_is_accepted_is_noted_in_the_agents_name_with_its_sources(archivist: Archivist) -> None:
    session = archivist.sessions.start("cli", scope=OWNER)
    session.append(Message.user("the staging port is 6390 now"))
    sources = archivist.quotes(session.id, "the staging port is 6390")
    name = asked(archivist, "the staging port is 6390", sources=sources, session=session.id)
    shown = archivist.review.show(name)
    assert (shown.standing, signs(shown.lines)) == ("as-shown", [("+", "the staging port is 6390")])
    decision = archivist.review.accept(name)
    (entry,) = archivist.notes.entries()
    assert (entry.text, entry.origin, entry.sources) == ("the staging port is 6390", "agent", sources)
    assert decision.change == archivist.notes.log()[0].change
    assert archivist.notes.accepted_by(name) == decision.change
    assert archivist.review.list() == ()


def test_undo_takes_it_out_again_and_it_waits_again(archivist: Archivist) -> None:
    archivist.notes.add("memory", "the host is tide.example")
    path = archivist.home.notes_folder / "MEMORY.md"
    before = path.read_bytes()
    name = asked(archivist, "the staging port is 6390")
    waiting = archivist.review.list()
    archivist.review.accept(name)
    assert archivist.review.undo(name).proposal.state == "open"
    assert (path.read_bytes(), archivist.review.list()) == (before, waiting)
    archivist.review.accept(name)
    assert texts(archivist) == ["the host is tide.example", "the staging port is 6390"]


def test_what_the_owner_took_back_otherwise_waits_again_too(archivist: Archivist) -> None:
    name = asked(archivist, "the staging port is 6390")
    decision = archivist.review.accept(name)
    assert decision.change is not None
    archivist.notes.undo(decision.change)
    assert archivist.review.undo(name).proposal.state == "open"
    archivist.review.accept(name)
    assert texts(archivist) == ["the staging port is 6390"]


@pytest.mark.parametrize(
    ("operation", "lines", "left"),
    [
        (
            {"action": "replace", "old_text": "6390", "content": "the port is 6391"},
            [("-", "the port is 6390"), ("+", "the port is 6391")],
            ["the port is 6391"],
        ),
        (
            {"action": "edit", "old_text": "6390", "content": "6391"},
            [("-", "the port is 6390"), ("+", "the port is 6391")],
            ["the port is 6391"],
        ),
        ({"action": "remove", "old_text": "6390"}, [("-", "the port is 6390")], []),
    ],
)
def test_a_change_is_shown_beside_what_is_there_and_done_and_taken_back(
    archivist: Archivist, operation: dict[str, str], lines: list[tuple[str, str]], left: list[str]
) -> None:
    entry = archivist.notes.add("memory", "the port is 6390").entry
    assert entry is not None
    result = call_memory(archivist.notes, {"target": "memory", **operation}, Turn(OWNER))
    shown = archivist.review.show(result["waits"])
    assert signs(shown.lines) == lines
    assert {line.entry for line in shown.lines} == {entry.id}
    archivist.review.accept(result["waits"])
    assert texts(archivist) == left
    archivist.review.undo(result["waits"])
    assert texts(archivist) == ["the port is 6390"]
    assert archivist.notes.entry(entry.id).id == entry.id


def test_a_batch_is_done_whole_by_one_change(archivist: Archivist) -> None:
    archivist.notes.add("memory", "the port is 6390")
    scope = Scope(user="owner", project="tide")
    operations = [
        {"action": "add", "content": "I like tea", "target": "user"},
        {"action": "replace", "old_text": "6390", "content": "the port is 6391"},
        {"action": "add", "content": "the tide project deploys from main"},
    ]
    result = call_memory(archivist.notes, {"operations": operations}, Turn(scope))
    decision = archivist.review.accept(result["waits"])
    (project,) = archivist.notes.entries("memory", scope=scope)[1:]
    assert project.scope == Scope(project="tide")
    assert texts(archivist)[:2] == ["the port is 6391", "I like tea"]
    assert {line.change for line in archivist.notes.log()[:3]} == {decision.change}


def test_what_it_closes_is_shown_and_closed(archivist: Archivist) -> None:
    old = archivist.notes.add("memory", "Ana works at Birk", origin="distilled")
    archivist.review.accept(old.proposal or "")
    name = asked(archivist, "Ana no longer works at Birk")
    assert signs(archivist.review.show(name).lines) == [
        ("+", "Ana no longer works at Birk"),
        ("-", "Ana works at Birk"),
    ]
    decision = archivist.review.accept(name)
    assert [notice.code for notice in decision.notices] == ["superseded"]
    assert texts(archivist) == ["Ana no longer works at Birk"]


def test_what_would_close_something_else_by_now_is_not_done(archivist: Archivist) -> None:
    name = asked(archivist, "Ana no longer works at Birk")
    old = archivist.notes.add("memory", "Ana works at Birk", origin="distilled")
    archivist.review.accept(old.proposal or "")
    assert archivist.review.show(name).standing == "changed"
    with pytest.raises(ProposalOutdated):
        archivist.review.accept(name)
    assert texts(archivist) == ["Ana works at Birk"]


def test_what_comes_back_from_the_archive_comes_back_when_it_is_accepted(archivist: Archivist) -> None:
    entry = archivist.notes.add("memory", "the port is 6390").entry
    assert entry is not None
    archivist.notes.demote(entry.id)
    name = asked(archivist, "the port is 6390")
    assert texts(archivist) == []
    archivist.review.accept(name)
    assert [one.id for one in archivist.notes.entries()] == [entry.id]


def test_words_that_changed_since_are_not_overwritten(archivist: Archivist) -> None:
    entry = archivist.notes.add("memory", "the port is 6390").entry
    assert entry is not None
    change = archivist.notes.replace("memory", "6390", "the port is 6391", origin="agent")
    path = archivist.home.notes_folder / "MEMORY.md"
    path.write_text("the port is 6390 on Mondays\n")
    assert archivist.review.show(change.proposal or "").standing == "changed"
    with pytest.raises(ProposalOutdated):
        archivist.review.accept(change.proposal or "")
    assert texts(archivist) == ["the port is 6390 on Mondays"]


def test_what_is_so_already_is_only_put_away(archivist: Archivist) -> None:
    archivist.notes.add("memory", "the port is 6390")
    added = asked(archivist, "the host is tide.example")
    replaced = archivist.notes.replace("memory", "6390", "the port is 6391", origin="agent").proposal or ""
    (archivist.home.notes_folder / "MEMORY.md").write_text("the port is 6391\n§\nthe host is tide.example")
    for name in (added, replaced):
        assert archivist.review.show(name).standing == "settled"
        assert {line.sign for line in archivist.review.show(name).lines} <= {" "}
        assert archivist.review.accept(name).change is None
    assert texts(archivist) == ["the port is 6391", "the host is tide.example"]


def test_of_what_is_gone_a_removal_is_put_away_and_a_change_is_not_done(archivist: Archivist) -> None:
    archivist.notes.add("memory", "the port is 6390")
    removed = archivist.notes.remove("memory", "6390", origin="agent").proposal or ""
    replaced = archivist.notes.replace("memory", "6390", "the port is 6391", origin="agent").proposal or ""
    archivist.notes.remove("memory", "6390")
    assert archivist.review.accept(removed).change is None
    with pytest.raises(ProposalOutdated):
        archivist.review.accept(replaced)


def test_of_a_batch_what_is_done_already_is_left_and_the_rest_is_done(archivist: Archivist) -> None:
    operations = [{"action": "add", "content": f"the port of host {n} is 639{n}"} for n in range(2)]
    name = archivist.notes.apply("memory", operations, origin="agent").proposal or ""
    archivist.notes.add("memory", "the port of host 0 is 6390")
    assert signs(archivist.review.show(name).lines) == [
        (" ", "the port of host 0 is 6390"),
        ("+", "the port of host 1 is 6391"),
    ]
    archivist.review.accept(name)
    assert texts(archivist) == ["the port of host 0 is 6390", "the port of host 1 is 6391"]


def test_other_words_are_the_owners(archivist: Archivist) -> None:
    name = asked(archivist, "the port is 6390, says the page")
    archivist.review.edit(name, "the port may be 6390")
    (entry,) = archivist.notes.entries()
    assert (entry.text, entry.origin) == ("the port may be 6390", "user")
    archivist.review.undo(name)
    assert signs(archivist.review.show(name).lines) == [("+", "the port is 6390, says the page")]


def test_other_words_for_a_change_of_one_entry(archivist: Archivist) -> None:
    archivist.notes.add("memory", "the port is 6390")
    name = archivist.notes.edit("memory", "6390", "6391", origin="agent").proposal or ""
    archivist.review.edit(name, "the port is 7000")
    assert texts(archivist) == ["the port is 7000"]


def test_several_things_at_once_have_no_other_words(archivist: Archivist) -> None:
    operations = [{"action": "add", "content": f"the port of host {n} is 639{n}"} for n in range(2)]
    batch = archivist.notes.apply("memory", operations, origin="agent").proposal or ""
    archivist.notes.add("memory", "the port is 6390")
    removal = archivist.notes.remove("memory", "the port is 6390", origin="agent").proposal or ""
    for name in (batch, removal):
        with pytest.raises(NotEditable):
            archivist.review.edit(name, "x")
    assert len(archivist.review.list()) == 2


def test_what_was_rejected_is_not_asked_again_until_that_is_taken_back(archivist: Archivist) -> None:
    name = asked(archivist, "the port is 6390")
    archivist.review.reject(name)
    with pytest.raises(RejectedBefore):
        archivist.notes.add("memory", "The port is 6390", origin="agent")
    assert archivist.notes.add("memory", "the port is 6390").action == "add"
    archivist.notes.remove("memory", "6390")
    archivist.review.undo(name)
    assert asked(archivist, "the port is 6390") == name


def test_what_was_accepted_and_taken_out_since_can_be_asked_for_again(archivist: Archivist) -> None:
    first = asked(archivist, "the port is 6390")
    archivist.review.accept(first)
    archivist.notes.remove("memory", "6390")
    again = asked(archivist, "the port is 6390")
    assert again != first
    archivist.review.accept(again)
    assert texts(archivist) == ["the port is 6390"]


def test_a_groups_and_another_persons_are_for_the_owner_alone(archivist: Archivist) -> None:
    group = asked(archivist, "the group meets on Mondays", scope=Scope(user="kim", chat="g"))
    kims = asked(archivist, "Kim likes tea", scope=Scope(user="kim"))
    mine = asked(archivist, "the port is 6390", scope=Scope(user="owner", project="tide"))

    def seen(reader: object) -> list[str]:
        return [one.id for one in archivist.review_for(reader).list()]  # type: ignore[arg-type]

    assert seen(EVERYTHING) == [group, kims, mine]
    assert [one.id for one in archivist.review.list()] == [mine]
    for reader in (Scope(user="kim", chat="g"), Scope(user="kim"), Scope(user="owner", chat="g")):
        assert seen(reader) == []
        with pytest.raises(UnknownProposal):
            archivist.review_for(reader).accept(group)
    archivist.review_for(EVERYTHING).accept(group)
    assert [one.text for one in archivist.notes.entries(scope=Scope(chat="g"))] == [
        "the group meets on Mondays"
    ]
    assert texts(archivist) == []


def test_the_words_of_a_deleted_conversation_leave_what_waits_and_what_is_noted_of_it(
    archivist: Archivist,
) -> None:
    session = archivist.sessions.start("cli", scope=OWNER)
    session.append(Message.user("the staging port is 6390 these days"))
    sources = archivist.quotes(session.id, "the staging port is 6390")
    name = asked(archivist, "the staging port is 6390", sources=sources)
    archivist.sessions.delete(session.id)
    assert archivist.verify(absent="these days").is_absent
    archivist.review.accept(name)
    assert archivist.notes.entries()[0].sources == ()


def test_where_the_database_takes_nothing_nothing_is_said_to_wait(
    archivist: Archivist, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archivist._store._live._writer._patience.__class__, "pauses", lambda *_: iter(()))
    other = apsw.Connection(str(archivist.home.state_file))
    other.execute("BEGIN IMMEDIATE")
    result = call_memory(archivist.notes, {"action": "add", "content": "the port is 6390"}, Turn(OWNER))
    with pytest.raises(NotKeptForReview, match="nothing was noted"):
        archivist.notes.add("memory", "the port is 6390", origin="agent")
    other.execute("ROLLBACK")
    other.close()
    assert (result["success"], "waits" in result) == (False, False)
    assert (archivist.review.list(), texts(archivist)) == ((), [])


def test_what_waits_is_on_the_disk_when_the_call_returns(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with opened(home) as archivist:
        name = asked(archivist, "the port is 6390")
        raw = apsw.Connection(str(archivist.home.state_file), flags=apsw.SQLITE_OPEN_READONLY)
        assert raw.execute("SELECT id FROM proposals").get == name
        raw.close()
    with opened(home) as archivist:
        assert archivist.review.accept(name).change is not None
        assert archivist.verify().problems == ()


def decide_and_die(home: str, name: str) -> None:
    """Another process that does what is proposed and is killed before it could write that down."""
    with Archivist.open(home, environ={}) as archivist:

        def killed() -> None:
            import os
            import signal

            os.kill(os.getpid(), signal.SIGKILL)

        review = open_review(
            archivist.home, archivist._store, archivist.notes, archivist.daily, archivist._world, EVERYTHING
        )
        review._after = killed
        review.accept(name)


@pytest.mark.parametrize("how", ["accept", "reject", "edit"])
def test_a_kill_between_doing_and_writing_down_leaves_one_truth(tmp_path: Path, how: str) -> None:
    home = tmp_path / "home"
    with opened(home) as archivist:
        name = asked(archivist, "the port is 6390")
    context = multiprocessing.get_context("spawn")
    victim = context.Process(target=decide_and_die, args=(str(home), name))
    victim.start()
    victim.join(60)
    assert victim.exitcode == -9
    with opened(home) as archivist:
        review = archivist.review
        assert texts(archivist) == ["the port is 6390"]
        assert review.list()[0].id == name
        if how == "accept":
            assert review.accept(name).change == archivist.notes.accepted_by(name)
        else:
            with pytest.raises(ProposalDecided, match="accepted already"):
                review.reject(name) if how == "reject" else review.edit(name, "x")
        (decided,) = review.list("accepted")
        assert decided.change == archivist.notes.accepted_by(name)
        assert len(archivist.notes.log()) == 1
        review.undo(name)
        assert texts(archivist) == []


def decide_many(home: str, names: list[str], verdict: str, begin: object) -> None:
    """Another process that decides on the same proposals at the same time."""
    with Archivist.open(home, environ={}) as archivist:
        begin.wait()  # type: ignore[attr-defined]
        for name in names:
            try:
                getattr(archivist.review, verdict)(name)
            except ProposalDecided:
                continue


def test_two_processes_that_decide_at_once_never_leave_a_rejected_note(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with opened(home) as archivist:
        names = [asked(archivist, f"the port of host {n} is 639{n}") for n in range(8)]
    context = multiprocessing.get_context("spawn")
    begin = context.Barrier(2)
    others = [
        context.Process(target=decide_many, args=(str(home), names, verdict, begin))
        for verdict in ("accept", "reject")
    ]
    for other in others:
        other.start()
    for other in others:
        other.join(120)
    assert [other.exitcode for other in others] == [0, 0]
    with opened(home) as archivist:
        assert archivist.review.list() == ()
        accepted = archivist.review.list("accepted")
        assert len(accepted) + len(archivist.review.list("rejected")) == 8
        assert sorted(texts(archivist)) == sorted(one.operations[0].content or "" for one in accepted)


@pytest.mark.parametrize(
    ("settings", "waits"),
    [
        ("", ()),
        ('[approval]\nmode = "off"', ()),
        (AUTOMATIC, ("agent", "distilled", "import")),
        ('[approval]\nmode = "everything"', ("user", "agent", "distilled", "import")),
        ("[approval.origins]\ndistilled = true", ("distilled",)),
        (AUTOMATIC + "[approval.origins]\nagent = false", ("distilled", "import")),
        (AUTOMATIC + 'home = "off"\n[approval.origins]\nagent = true', ()),
    ],
)
def test_the_mode_says_whose_writes_wait(tmp_path: Path, settings: str, waits: tuple[str, ...]) -> None:
    with opened(tmp_path / "home", settings) as archivist:
        found = [
            origin
            for number, origin in enumerate(("user", "agent", "distilled", "hand", "import"))
            if archivist.notes.add("memory", f"port {number} is 639{number}", origin=origin).proposal  # type: ignore[arg-type]
        ]
        assert tuple(found) == waits


def test_the_mode_of_a_scope_counts_before_the_others(tmp_path: Path) -> None:
    settings = """
        [approval]
        mode = "off"
        [approval.projects]
        tide = "automatic"
        [approval.chats]
        g = "everything"
        [approval.users]
        kim = "automatic"
    """
    with opened(tmp_path / "home", settings) as archivist:
        for scope, origin, action in (
            (OWNER, "agent", "add"),
            (Scope(user="owner", project="tide"), "agent", "waits"),
            (Scope(user="owner", project="tide"), "user", "add"),
            (Scope(user="owner", project="ebb"), "agent", "add"),
            (Scope(user="ann", chat="g"), "user", "waits"),
            (Scope(user="kim"), "agent", "waits"),
            (Scope(user="ann"), "agent", "add"),
        ):
            change = archivist.notes.add(
                "memory",
                f"a statement {scope.user} {scope.project} {scope.chat} {origin}",
                scope=scope,
                origin=origin,  # type: ignore[arg-type]
            )
            assert change.action == action, (scope, origin)


def test_a_batch_into_two_places_waits_where_one_of_them_asks_for_it(tmp_path: Path) -> None:
    with opened(tmp_path / "home", '[approval.projects]\ntide = "automatic"') as archivist:
        operations = [
            {"action": "add", "content": "I like tea", "target": "user"},
            {"action": "add", "content": "the port is 6390", "target": "memory"},
        ]
        scope = Scope(user="owner", project="tide")
        assert archivist.notes.apply("memory", operations, scope=scope, origin="agent").action == "waits"
        assert texts(archivist) == []


def test_hand_edits_pins_and_undo_never_wait(tmp_path: Path) -> None:
    with opened(tmp_path / "home", '[approval]\nmode = "everything"') as archivist:
        path = archivist.home.notes_folder / "MEMORY.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text("the port is 6390")
        (entry,) = archivist.notes.entries()
        pinned = archivist.notes.pin(entry.id)
        assert pinned.action == "pin"
        assert archivist.notes.undo(pinned.id).action == "undo"
        assert archivist.review.list() == ()


def test_a_mode_that_is_set_while_a_program_runs_counts_from_then_on(tmp_path: Path) -> None:
    with opened(tmp_path / "home", "") as archivist:
        assert archivist.notes.add("memory", "the port is 6390", origin="agent").action == "add"
        archivist.home.config_file.write_text(AUTOMATIC)
        assert archivist.notes.add("memory", "the port is 6391", origin="agent").action == "waits"
        archivist.home.config_file.write_text("[approval]\nmode = 'perhaps'\n")
        with pytest.raises(SettingsUnreadable, match=r"mode in \[approval\]"):
            archivist.notes.add("memory", "the port is 6392", origin="agent")
        assert texts(archivist) == ["the port is 6390"]


def test_a_quote_that_rests_on_no_message_is_kept_with_its_place(archivist: Archivist) -> None:
    source = Quote("the port is 6390", place="web:https://tide.example/#4")
    name = asked(archivist, "the port is 6390", sources=[source])
    archivist.review.accept(name)
    assert archivist.notes.entries()[0].sources == (source,)


class Calendar:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def test_that_something_expires_is_said_before_and_after_until_the_owner_looks(tmp_path: Path) -> None:
    home, clock = tmp_path / "home", Calendar()
    home.mkdir()
    (home / "config.toml").write_text(AUTOMATIC)
    with Archivist.open(home, environ={}, clock=clock) as archivist:

        def told() -> list[str]:
            return [one.text for one in archivist.doctor().findings if one.subject == "review"]

        def at_a_beginning(scope: Scope = OWNER) -> list[str]:
            return [one.text for one in archivist.snapshot(scope).report.notices if one.code == "waits"]

        name = asked(archivist, "the port is 6390")
        waits = "1 proposal waits for you: `archivist review list`"
        assert told() == at_a_beginning() == [waits]
        clock.now += timedelta(days=84)
        soon = "1 proposal waits for you, 1 of them for a week at most: `archivist review list`"
        assert told() == at_a_beginning() == [soon]
        clock.now += timedelta(days=7)
        expired = "1 proposal has expired since you looked: `archivist review list --expired`"
        assert told() == at_a_beginning() == [expired]
        review = archivist.review_for(EVERYTHING)
        assert (review.list(), [one.id for one in review.list("expired")]) == ((), [name])
        assert review.look().expired == 1
        assert told() == at_a_beginning() == []
        assert texts(archivist) == []
        review.accept(name)
        assert texts(archivist) == ["the port is 6390"]


def test_what_waits_is_told_to_nobody_whose_it_is_not(archivist: Archivist) -> None:
    asked(archivist, "the group meets on Mondays", scope=Scope(user="kim", chat="g"))
    asked(archivist, "the port is 6390", scope=Scope(user="owner", project="tide"))

    def told(scope: Scope) -> list[str]:
        return [one.text for one in archivist.snapshot(scope).report.notices]

    session = archivist.sessions.start("cli", scope=Scope(user="kim", chat="g"))
    assert told(Scope(user="kim", chat="g")) == told(Scope(user="kim")) == told(OWNER) == []
    assert archivist.snapshot(session=session.id).report.notices == ()
    assert told(Scope(user="owner", project="tide")) == ["1 proposal waits for you: `archivist review list`"]
    assert archivist.review_for(Scope(user="kim", chat="g")).look().open == 0


def test_the_bytes_of_a_session_stay_while_what_waits_changes(archivist: Archivist) -> None:
    archivist.notes.add("memory", "the host is tide.example")
    session = archivist.sessions.start("cli", scope=OWNER)
    before = archivist.snapshot(session=session.id)
    name = asked(archivist, "the port is 6390")
    after = archivist.snapshot(session=session.id)
    assert (before.text, before.sha256) == (after.text, after.sha256)
    assert "the port is 6390" not in after.text
    assert [notice.code for notice in after.report.notices] == ["waits"]
    archivist.review.reject(name)
    assert archivist.snapshot(session=session.id) == before


def written(archivist: Archivist, day: date | None = None) -> list[tuple[str | None, str]]:
    return [(one.clock, one.text) for one in archivist.daily.read(day)]


def test_what_an_agent_writes_down_for_a_day_waits_and_goes_to_the_day_on_which_it_was_asked_for(
    tmp_path: Path,
) -> None:
    home, clock = tmp_path / "home", Calendar()
    home.mkdir()
    (home / "config.toml").write_text(AUTOMATIC)
    with Archivist.open(home, environ={"TZ": "UTC"}, clock=clock) as archivist:
        context = archivist.tool_context(OWNER)
        result = MEMORY.call({"action": "add", "target": "daily", "content": "deployed the tide"}, context)
        name = result["waits"]
        assert "Nothing was changed" in result["message"]
        assert written(archivist) == []
        asked_at = clock.now.astimezone(archivist.zone)
        clock.now += timedelta(days=3)
        (line,) = archivist.review.show(name).lines
        assert (line.sign, line.text, line.target) == ("+", "deployed the tide", "daily")
        decision = archivist.review.accept(name)
        assert decision.change == f"daily/{asked_at:%Y-%m-%d}"
        assert written(archivist, asked_at.date()) == [(f"{asked_at:%H:%M}", "deployed the tide")]
        assert written(archivist) == []
        with pytest.raises(DayStays, match="with an editor"):
            archivist.review.undo(name)
        (archivist.home.notes_folder / f"daily/{asked_at:%Y-%m-%d}.md").write_text("")
        assert archivist.review.undo(name).proposal.state == "open"
        archivist.review.edit(name, "deployed the tide to staging")
        assert written(archivist, asked_at.date()) == [(f"{asked_at:%H:%M}", "deployed the tide to staging")]


def test_what_a_day_has_already_neither_waits_nor_is_written_twice(archivist: Archivist) -> None:
    archivist.daily.add("deployed the tide")
    again = archivist.daily.add("deployed the tide", origin="agent")
    assert (again.added, again.proposal) == (False, None)
    name = archivist.daily.add("fixed the ebb", origin="agent").proposal or ""
    assert archivist.daily.add("fixed the ebb", origin="agent").proposal == name
    archivist.daily.add("fixed the ebb")
    assert archivist.review.accept(name).proposal.state == "accepted"
    assert [text for _, text in written(archivist)] == ["deployed the tide", "fixed the ebb"]


def test_a_daily_note_that_was_rejected_is_not_asked_again(archivist: Archivist) -> None:
    name = archivist.daily.add("fixed the ebb", origin="agent").proposal or ""
    archivist.review.reject(name)
    with pytest.raises(RejectedBefore):
        archivist.daily.add("fixed the ebb", origin="agent")
    with pytest.raises(SecretInNote):
        archivist.daily.add("key AKIAIOSFODNN7REALKEY", origin="agent")


def test_a_day_of_a_group_waits_in_its_scope(archivist: Archivist) -> None:
    scope = Scope(user="kim", chat="g")
    name = archivist.daily.add("we met", scope=scope, origin="agent").proposal or ""
    assert archivist.review.list() == ()
    assert archivist.review_for(scope).list() == ()
    archivist.review_for(EVERYTHING).accept(name)
    assert [one.text for one in archivist.daily.read(scope=Scope(chat="g"))] == ["we met"]
    assert written(archivist) == []


def test_what_would_leave_the_core_to_make_room_is_shown_before(tmp_path: Path) -> None:
    home, clock = tmp_path / "home", Calendar()
    home.mkdir()
    (home / "config.toml").write_text(AUTOMATIC + "[notes]\nmemory_limit = 100\n")
    with Archivist.open(home, environ={}, clock=clock) as archivist:
        old = archivist.notes.add("memory", "the printer stands beside the window on the left").entry
        assert old is not None
        clock.now += timedelta(days=200)
        name = asked(archivist, "deploys of the harbour need the flag --tide and a second person")
        assert [(line.sign, line.entry) for line in archivist.review.show(name).lines] == [
            ("+", ""),
            (">", old.id),
        ]
        assert archivist.notes.entry(old.id).tier == "core"
        decision = archivist.review.accept(name)
        assert "moved-to-archive" in [notice.code for notice in decision.notices]
        assert archivist.notes.entry(old.id).tier == "archive"


def test_a_snapshot_is_given_although_it_cannot_be_told_what_waits(
    archivist: Archivist, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise StoreBusy(archivist.home.state_file, 30.0)

    archivist.notes.add("memory", "the host is tide.example")
    monkeypatch.setattr("archivist.app.waiting.waiting", busy)
    found = archivist.snapshot(OWNER)
    assert "the host is tide.example" in found.text
    assert [notice.code for notice in found.report.notices] == ["waits"]
    assert "cannot be told" in found.report.notices[0].text


def test_many_that_ask_for_the_same_at_once_are_told_one_id_and_none_is_lost(archivist: Archivist) -> None:
    found: list[str | None] = []

    def ask(number: int) -> None:
        texts = ("the port is 6390", f"the host of {number} is tide{number}.example")
        found.extend(archivist.notes.add("memory", text, origin="agent").proposal for text in texts)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    waiting = archivist.review.list()
    assert len(found) == 12
    assert set(found) == {one.id for one in waiting}
    assert len(waiting) == 7


def test_other_words_that_are_noted_already_only_put_it_away(archivist: Archivist) -> None:
    archivist.notes.add("memory", "the port may be 6390")
    name = asked(archivist, "the port is 6390, says the page")
    decision = archivist.review.edit(name, "the port may be 6390")
    assert (decision.proposal.state, decision.change) == ("accepted", None)
    assert texts(archivist) == ["the port may be 6390"]


def test_other_words_with_a_secret_are_refused_and_it_waits_on(archivist: Archivist) -> None:
    name = asked(archivist, "the key stands in the vault")
    with pytest.raises(SecretInNote):
        archivist.review.edit(name, "the key is AKIAIOSFODNN7REALKEY")
    assert [one.id for one in archivist.review.list()] == [name]
    assert texts(archivist) == []


@pytest.mark.parametrize("origin", ["web", "document", "tool", "provider"])
def test_words_of_others_wait_until_the_owner_allows_their_source(tmp_path: Path, origin: str) -> None:
    with opened(tmp_path / "home", "") as archivist:
        waits = archivist.notes.add("memory", "port 1 is 6391", origin=origin).proposal  # type: ignore[arg-type]
        assert waits is not None
        assert archivist.review.show(waits).proposal.evidence.after == origin
    with opened(tmp_path / "other", f"[approval.origins]\n{origin} = false\n") as archivist:
        change = archivist.notes.add("memory", "port 1 is 6391", origin=origin)  # type: ignore[arg-type]
        assert change.proposal is None
        assert change.entry is not None
        assert change.entry.origin == origin


def test_who_put_an_entry_there_stays_known_in_the_journal(tmp_path: Path) -> None:
    allowed = "[approval.origins]\nweb = false\n"
    with opened(tmp_path / "home", allowed) as archivist:
        archivist.notes.add("memory", "port 1 is 6391", origin="web")
        archivist.notes.add("memory", "port 2 is 6392")
    with opened(tmp_path / "home", allowed) as archivist:
        assert [one.origin for one in archivist.notes.entries("memory")] == ["web", "user"]
        assert {line.origin for line in archivist.notes.log()} == {"web", "user"}
        assert archivist.notes.blame(archivist.notes.entries("memory")[0].id).origin == "web"
