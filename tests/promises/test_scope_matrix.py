"""Nothing leaves its scope, as a matrix: everybody who may ask, by every way of asking, over everything that is held.

Whatever is shown, told in an error or a notice, counted, written to a file, changed or deleted is just what `Scope` says that the reader
may see: nothing of anybody else, and all of their own.
"""

import base64
import inspect
import io
import json
import random
import string
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from tests.loop.scripted import Scripted, calls, says
from tests.promises.scope_world import (
    BEGAN,
    LEVELS,
    NOTED,
    NOW,
    READERS,
    SEED,
    SOURCES,
    Facts,
    Held,
    Note,
    asker,
    build,
    copy_of,
    read_facts,
    rows_of,
)

from archivist import (
    EVERYTHING,
    Archivist,
    ArchivistError,
    Message,
    NotSendable,
    OutsideScope,
    Person,
    Scope,
    TitleTaken,
    UnknownMessage,
    UnknownSession,
)
from archivist.app.days import Days
from archivist.app.handle import SessionHandle
from archivist.app.sessions import Sessions
from archivist.notes.notes import Notes
from archivist.notes.places import level_for, level_for_days, scope_of
from archivist.records import Reader
from archivist.tools.registry import call_tool

NOBODYS = "s-nobodys"
"""An id that no session has."""

ASKED = {
    "Archivist.recall": "test_recalling",
    "Archivist.snapshot": "test_snapshots",
    "Archivist.given_snapshot": "test_snapshots",
    "Archivist.prompt": "test_snapshots",
    "Archivist.news": "test_news",
    "Archivist.news_told": "test_news",
    "Archivist.quotes": "test_quotes",
    "Archivist.use": "test_using",
    "Archivist.tool_context": "test_tools",
    "Archivist.agent": "test_agents",
    "Archivist.counts": "test_counting",
    "Archivist.usage": "test_spending",
    "Sessions.search": "test_searching",
    "Sessions.read": "test_reading",
    "Sessions.browse": "test_browsing",
    "Sessions.cache": "test_what_requests_shared",
    "Sessions.caches": "test_what_requests_shared",
    "Sessions.get": "test_handles",
    "Sessions.export": "test_exporting",
    "Sessions.rename": "test_changing",
    "Sessions.fork": "test_changing",
    "Sessions.undo": "test_changing",
    "Sessions.redo": "test_changing",
    "Sessions.archive": "test_changing",
    "Sessions.unarchive": "test_changing",
    "Sessions.pin": "test_changing",
    "Sessions.unpin": "test_changing",
    "Sessions.compress": "test_changing",
    "Sessions.restore": "test_changing",
    "Sessions.context": "test_changing",
    "Sessions.verdict": "test_changing",
    "Sessions.delete": "test_deleting",
    "Sessions.prune": "test_pruning",
    "Sessions.start": "test_beginning",
    "SessionHandle.messages": "test_handles",
    "SessionHandle.record": "test_handles",
    "SessionHandle.sent": "test_handles",
    "SessionHandle.usage": "test_handles",
    "SessionHandle.append": "test_appending",
    "SessionHandle.append_many": "test_appending",
    "SessionHandle.add_usage": "test_appending",
    "SessionHandle.end": "test_appending",
    "Notes.entries": "test_reading_notes",
    "Notes.entry": "test_reading_notes_of_others",
    "Notes.log": "test_reading_notes",
    "Notes.blame": "test_reading_notes_of_others",
    "Notes.as_of": "test_reading_notes",
    "Notes.present": "test_reading_notes",
    "Notes.recorded": "test_reading_notes",
    "Notes.fading": "test_reading_notes",
    "Notes.usage": "test_how_full_notes_are",
    "Notes.add": "test_noting",
    "Notes.replace": "test_changing_notes_of_others",
    "Notes.edit": "test_changing_notes_of_others",
    "Notes.remove": "test_changing_notes_of_others",
    "Notes.apply": "test_changing_notes_of_others",
    "Notes.split": "test_changing_notes_of_others",
    "Notes.pin": "test_changing_notes_of_others",
    "Notes.share": "test_changing_notes_of_others",
    "Notes.promote": "test_changing_notes_of_others",
    "Notes.demote": "test_changing_notes_of_others",
    "Notes.undo": "test_changing_notes_of_others",
    "Notes.supersede": "test_changing_notes_of_others",
    "Archivist.review_for": "test_reviewing",
    "Days.add": "test_noting_days",
    "Days.read": "test_reading_days",
    "Days.days": "test_reading_days",
}
"""What somebody may ask from a scope, and the test here that asks it."""

BY_SESSION = {"Archivist.given_snapshot", "Archivist.news", "Archivist.news_told", "Archivist.quotes"}
"""Asked of one session, which has a scope."""

OWNERS = {
    "Archivist.at": "opens a home that was found, shows nothing of it",
    "Archivist.open": "makes a home, shows nothing of it",
    "Archivist.close": "shows nothing",
    "Archivist.responder": "chooses who answers by the owner's settings, reads nothing that is remembered",
    "Archivist.read_time": "reads words, nothing that is stored",
    "Sessions.read_time": "the same",
    "Archivist.find_histories": "the owner's files outside the home",
    "Archivist.has_news": "the same",
    "Archivist.import_history": "brings in the owner's own files; what an export brings back is tested here",
    "Archivist.ingest": "brings in the owner's own files, as an import does",
    "Archivist.take_in_uses": "counts what sessions that ended used of what their prompts carried",
    "Archivist.has_uses_to_take_in": "tells whether there are such sessions",
    "Archivist.snapshot_given_to": "shows whoever holds the home what any session was given, as the owner's command line",
    "Archivist.catch_up": "keeps the index; of what is stored it tells how much is indexed",
    "Archivist.tidy": "keeps the files small",
    "Archivist.rebuild_index": "keeps the index",
    "Archivist.verify": "proves the whole home; only whoever holds its files can ask",
    "Archivist.doctor": "looks at the whole home, for the same",
    "Archivist.salvage": "makes the whole database anew, for the same",
    "Archivist.backup": "copies the whole home, for the same",
    "Archivist.backups": "names copies of the whole home, for the same",
    "Archivist.restore": "puts the whole home back, for the same",
    "Archivist.take_notices": "tells whoever holds the home what was found in its database",
    "SessionHandle.as_stored": "gives a message back to who has it, as it would be stored; reads nothing",
    "Sessions.before_compression": "registers a function of the program that holds the home",
    "Sessions.after_compression": "the same",
    "Sessions.copies": "names copies of the whole home, for whoever holds its files",
    "Sessions.of_host": "for a program that holds the session and names it by its own id; a server compares its scope first",
    "Sessions.end_of_host": "tells that such a session has ended, shows nothing",
    "Sessions.clean_up": "finishes what deletions left to do, shows nothing",
    "Sessions.clear_orphans": "clears what killed programs left",
    "Sessions.finish_erasures": "the same",
    "Sessions.give_back": "gives disk space back",
    "Sessions.compact": "the same",
    "Notes.bring_back": "moves what is used within its own level; whoever uses it was asked for their scope",
    "Notes.bring_in": "takes over the owner's own files; each statement says whose it is",
    "Notes.weigh": "compares a proposal with what it is about; whoever was shown the proposal may see that",
    "Notes.carry_out": "does a proposal in the scope of whoever asked for it; the review says who may decide",
    "Notes.accepted_by": "tells an id and nothing of what was changed",
    "Days.write": "writes down in the place where it was asked for, once the owner has accepted it",
    "Days.fresh": "tells of one text whether it stands there, for the same",
    "Days.has": "the same",
    "Days.holds": "the same",
    "Days.day_of": "tells the date of a time",
    "Days.file": "names a file of the home",
    "Notes.newest_change": "tells an id and nothing of what was changed",
    "Notes.take_notices": "tells whoever holds the home what was found in its files",
}
"""What is asked of the home as a whole, by whoever owns its files, and why it has no scope."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("scopes") / "home"


@pytest.fixture(scope="module")
def facts(home):
    world = build(home)
    return read_facts(home, world.words, world.notes)


@pytest.fixture(scope="module")
def archivist(home, facts):
    with Archivist.open(home, clock=lambda: NOW) as opened:
        yield opened


@pytest.fixture
def copied(home, facts, tmp_path):
    """A copy of the home, which a test may change."""
    with copy_of(home, tmp_path / "copy") as opened:
        yield opened


def every(readers=READERS):
    return pytest.mark.parametrize("reader", readers, ids=str)


def some(count: int):
    """A few readers, among them whoever sees all, most and little; a seed chooses, for all would take long."""
    chosen = random.Random(SEED).sample(READERS[:36], count)
    return every((*chosen, Person("ann"), None, Scope("eve", "group-1", "tide"), EVERYTHING))


def picked(found: list[Held], reader: Reader | None, count: int) -> list[Held]:
    return random.Random(f"{SEED} {reader}").sample(found, min(count, len(found)))


def milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def done(ask: Callable[[], object]) -> tuple[object, ArchivistError | None]:
    """What was answered, or what was wrong."""
    try:
        return ask(), None
    except ArchivistError as error:
        return None, error


def trouble(ask: Callable[[], object]) -> ArchivistError | None:
    return done(ask)[1]


def refusal(ask: Callable[[], object]) -> tuple[type, str] | None:
    error = trouble(ask)
    return None if error is None else (type(error), str(error))


def is_as_for_nobody(ask: Callable[[str], object], name: str) -> bool:
    """Whether a name of somebody else is refused in the words in which one is that nobody has."""
    told, nobody = refusal(lambda: ask(name)), refusal(lambda: ask(NOBODYS))
    assert nobody is not None
    return told == (nobody[0], nobody[1].replace(NOBODYS, name))


# ---- nothing is forgotten ----


def test_every_public_method_is_asked_here_or_the_owners():
    public = {
        f"{kind.__name__}.{name}"
        for kind in (Archivist, Sessions, SessionHandle, Notes, Days)
        for name, _ in inspect.getmembers(kind, callable)
        if not name.startswith("_")
    }
    assert public == ASKED.keys() | OWNERS.keys()
    assert not ASKED.keys() & OWNERS.keys()
    assert all(callable(globals()[test]) for test in ASKED.values())


def test_whatever_is_asked_takes_a_scope_and_nothing_else_does():
    kinds = {kind.__name__: kind for kind in (Archivist, Sessions, Notes, Days)}
    for name in ASKED.keys() | OWNERS.keys():
        kind, method = name.split(".")
        if kind in kinds and name not in BY_SESSION:
            given = inspect.signature(getattr(kinds[kind], method)).parameters
            assert ("scope" in given) == (name in ASKED), name


def test_the_world_has_everything(facts):
    links = Counter(
        (one.link, facts.sessions[one.parent].scope == one.scope)
        for one in facts.sessions.values()
        if one.parent
    )
    assert {kind for kind, _ in links} == {"compaction", "fork", "branch", "subagent"}
    assert {is_same for _, is_same in links} == {True, False}
    assert any(one.parent > one.key for one in facts.sessions.values() if one.parent)
    assert {said.state for said in facts.messages.values()} >= {"active", "branch", "undone"}
    assert any(one.is_archived for one in facts.sessions.values())
    assert any(
        facts.messages[message].session != key
        and facts.sessions[facts.messages[message].session].scope != facts.sessions[key].scope
        for key, message in facts.context
    )


# ---- searching ----


@every()
def test_searching(archivist, facts, reader):
    def found(text: str = "lantern", **asked) -> set[int]:
        page = archivist.sessions.search(text, scope=reader, **{"limit": 1000, "explain": True, **asked})
        assert not facts.leaks(page, reader)
        assert {hit.session_id for hit in page.hits} <= {one.id for one in facts.seen(reader)}
        return {hit.message_id for hit in page.hits}

    shown = facts.said(reader, branches=False, undone=False)
    assert found() == {said.id for said in shown}
    assert found("") == {said.id for said in shown}
    assert found(branches=True) == {said.id for said in facts.said(reader, undone=False)}
    for role in ("user", "assistant"):
        assert found(role=role) == {said.id for said in shown if said.role == role}
    for source in SOURCES:
        mine = {said.id for said in shown if facts.sessions[said.session].source == source}
        assert found(source=source) == mine
    middle = BEGAN + timedelta(days=50)
    assert found(since=middle) == {m.id for m in shown if m.created_at >= milliseconds(middle)}
    assert found(until=middle) == {m.id for m in shown if m.created_at < milliseconds(middle)}


@some(8)
def test_searching_for_what_others_said(archivist, facts, reader):
    """Their words, titles, ids and sessions find what a word, title, id or session finds that nobody has."""

    def page(text: str, **asked):
        return archivist.sessions.search(text, scope=reader, **asked)

    for one in picked([one for one in facts.hidden(reader) if one.id[2:] in facts.words], reader, 4):
        word = one.id[2:]
        for form in ("{}", '"{}"', "{} -lantern", "{}*", "{} yesterday"):
            theirs, nobodys = page(form.format(word)), page(form.format("zqqqk"))
            assert not theirs.hits
            assert [notice.code for notice in theirs.notices] == [notice.code for notice in nobodys.notices]
        if one.title:
            assert not facts.leaks(page(one.title).hits, reader)
        if not facts.is_named(one, reader):
            for name in filter(None, (one.id, one.title, one.external_id)):
                inside, nowhere = page("lantern", conversation=name), page("lantern", conversation=NOBODYS)
                assert not inside.hits
                assert str(inside.notices) == str(nowhere.notices).replace(NOBODYS, name)
        mine = page("lantern", limit=1000, asking_session=one.id).hits
        assert {hit.message_id for hit in mine} == {
            said.id for said in facts.said(reader, branches=False, undone=False)
        }


@some(8)
def test_searching_for_what_one_said(archivist, facts, reader):
    for one in picked(facts.seen(reader), reader, 4):
        shown = {said.id for said in facts.said(reader, branches=False, undone=False)}
        inside = {key for key in shown if facts.sessions[facts.messages[key].session].root == one.root}
        page = archivist.sessions.search("lantern", scope=reader, conversation=one.id, limit=1000)
        assert {hit.message_id for hit in page.hits} == inside
        own = {key for key in shown if facts.messages[key].session == one.key}
        if one.id[2:] in facts.words:
            page = archivist.sessions.search(one.id[2:], scope=reader, limit=1000)
            assert {hit.message_id for hit in page.hits} >= own
        page = archivist.sessions.search("lantern", scope=reader, asking_session=one.id, limit=1000)
        assert {hit.message_id for hit in page.hits} <= shown - own or one.is_undone or not own


@every()
def test_recalling(archivist, facts, reader):
    shown = facts.said(reader, branches=False, undone=False)
    page = archivist.recall("lantern", limit=1000, scope=reader, explain=True)
    assert {hit.message_id for hit in page.hits if hit.kind == "message"} == {said.id for said in shown}
    assert not facts.leaks(page, reader)
    middle = BEGAN + timedelta(days=50)
    page = archivist.recall("lantern", limit=1000, scope=reader, since=middle, kinds=("message",))
    assert {hit.message_id for hit in page.hits} == {
        m.id for m in shown if m.created_at >= milliseconds(middle)
    }


@every()
def test_recalling_notes(archivist, facts, reader):
    mine = [note for note in facts.notes if note.is_for(reader)]

    def words(query: str = "lantern", **asked) -> set[str]:
        page = archivist.recall(query, limit=1000, scope=reader, explain=True, **asked)
        told = NOTED.findall(repr(page))
        assert set(told) <= facts.noted(reader)
        assert len([hit for hit in page.hits if hit.kind != "message"]) == len(set(told))
        return set(told)

    assert words() == words("") == words("*", as_of=NOW) == {note.word for note in mine}
    for kind in ("note", "daily"):
        assert words(kinds=(kind,)) == {note.word for note in mine if note.kind == kind}
    assert words(as_of=NOW - timedelta(days=1)) == set()
    for note in facts.notes:
        assert words(note.word) == ({note.word} if note.is_for(reader) else set())


@some(8)
def test_recalling_what_others_noted(archivist, facts, reader):
    """Words and ids of entries of others find what a word or an id finds that nobody has."""
    ids = {entry.text: entry.id for entry in archivist.notes.entries(tier="all", scope=EVERYTHING)}
    nobodys = archivist.recall("znqqk", scope=reader)
    for note in facts.notes:
        if not note.is_for(reader):
            key = next((key for text, key in ids.items() if note.word in text), note.word)
            for name in (note.word, key):
                assert archivist.recall(name, scope=reader) == nobodys


@every()
def test_snapshots(archivist, facts, reader):
    """A prompt carries the core of what its session may see, and nothing else."""
    if not isinstance(reader, Scope):
        return
    mine = {note.word for note in facts.notes if note.is_for(reader) and note.kind == "note"}
    core = {note.word for note in facts.notes if note.word in mine and note.is_core}
    told = set(NOTED.findall(repr(archivist.snapshot(reader))))
    assert told == core
    assert set(NOTED.findall(archivist.prompt(reader, folder=archivist.home.path).text)) == core
    for one in picked([one for one in facts.seen(reader) if one.scope == reader], reader, 2):
        assert set(NOTED.findall(repr(archivist.snapshot(session=one.id)))) <= mine
        assert set(NOTED.findall(repr(archivist.given_snapshot(session=one.id)))) <= mine


def test_news(copied, facts):
    """A session is told of changes in what it may see."""
    sessions = [one for one in facts.sessions.values() if not one.is_undone][::7]
    for one in sessions:
        copied.snapshot(session=one.id)
    for number, scope in enumerate(LEVELS):
        copied.notes.add("memory", f"A beacon is lit for zn{string.ascii_lowercase[number]}zk", scope=scope)
    for one in sessions:
        told = set(NOTED.findall(copied.news(session=one.id)))
        fresh = {
            f"zn{string.ascii_lowercase[number]}zk"
            for number, scope in enumerate(LEVELS)
            if Note("", scope, "note").is_for(one.scope)
        }
        assert told == fresh, one
        copied.news_told(session=one.id)
        assert not NOTED.findall(copied.news(session=one.id))


def test_quotes(archivist, facts):
    """A note rests on words that were said in its session's own scope, whatever its model was given with them."""
    for one in list(facts.sessions.values())[::5]:
        for other in picked(facts.hidden(one.scope), one.scope, 3):
            said = f"the lantern of {other.id[2:]} burns at the quay of {other.id[2:]}"
            assert not facts.leaks(archivist.quotes(one.id, said), one.scope)


@some(8)
def test_tools(archivist, facts, reader):
    """What a model is shown is what its host's reader may see, whatever its arguments say."""
    scope = reader if isinstance(reader, Scope) else Scope("owner")
    asker = reader or scope
    context = archivist.tool_context(scope, reader=reader)
    others = [one for one in facts.hidden(asker) if not facts.is_named(one, asker)]
    asked = [
        (
            "recall",
            {"query": "lantern", "limit": 20, "scope": "everything", "user": "ann", "project": "mill"},
        ),
        ("recall", {"query": "lantern", "limit": 20, "kinds": ["note", "daily"], "reader": "owner"}),
        ("session_search", {"limit": 50, "profile": "other"}),
        ("session_search", {"query": "lantern", "limit": 10, "chat": "group-1"}),
        *(("recall", {"query": note.word}) for note in facts.notes),
        *(
            (tool, arguments)
            for one in picked(facts.hidden(asker), asker, 4)
            for tool, arguments in (
                ("recall", {"query": f"lantern {one.id.removeprefix('s-')}"}),
                ("session_search", {"query": one.id.removeprefix("s-")}),
            )
        ),
    ]
    for tool, arguments in asked:
        result = call_tool(tool, arguments, context)
        assert result["success"]
        result.pop("notices", None)  # they name the words that were asked for
        assert not facts.leaks(result, asker)
        assert set(NOTED.findall(repr(result))) <= facts.noted(asker)
    for other in picked(others, asker, 3):
        told = [call_tool("session_search", {"session_id": name}, context) for name in (other.id, NOBODYS)]
        assert told[0]["error"].replace(other.id, NOBODYS) == told[1]["error"]
    for action in ("replace", "edit", "remove"):
        for note in facts.notes:
            if not note.is_for(scope):
                change = {"action": action, "old_text": note.word, "content": "x"}
                told = call_tool("memory", change, archivist.tool_context(scope, trusted=True))
                assert not told["success"]
                assert set(NOTED.findall(repr(told))) <= facts.noted(scope) | {note.word}


@some(6)
def test_agents(copied, facts, reader):
    """What an agent's model is sent, and what its tools answer, is what its scope may see; no other scope's conversation is gone on in."""
    scope = reader if isinstance(reader, Scope) else Scope("owner")
    words = json.dumps({"query": "lantern", "limit": 20})
    responder = Scripted(calls(("recall", words), ("session_search", words)), says("ok"))
    agent = copied.agent(responder, scope=scope, cwd=copied.home.path, recall="on")
    assert agent.turn("What did we say of the lantern last week?").stop == "end"
    sent = [(request.system, request.messages) for request in responder.requests]
    assert not facts.leaks(sent, scope)
    assert set(NOTED.findall(repr(sent))) <= facts.noted(scope)
    assert agent.session.record().scope == scope
    agent.close()
    for other in picked([one for one in facts.hidden(scope) if not facts.is_named(one, scope)], scope, 2):
        assert is_as_for_nobody(
            lambda name: copied.agent(responder, scope=scope, session=name).turn("hi"), other.id
        )


@some(4)
def test_using(copied, facts, reader):
    """Only what somebody sees can be used by them; of the rest is told what is told of an id that nobody has."""
    entries = {entry.id: entry.text for entry in copied.notes.entries(tier="all", scope=EVERYTHING)}
    for key, text in entries.items():
        (word,) = set(NOTED.findall(text))
        if word in facts.noted(reader):
            copied.use(key, scope=reader)
        else:
            assert is_as_for_nobody(lambda name: copied.use(name, scope=reader), key)
    used = copied.notes.uses_of(list(entries))
    assert {NOTED.findall(entries[key])[0] for key in used} == {
        note.word for note in facts.notes if note.is_for(reader) and note.kind == "note"
    }


# ---- notes ----


def words_in(shown: object) -> set[str]:
    return set(NOTED.findall(repr(shown)))


def words_of(facts: Facts, reader: Reader | None, *, is_core: bool | None = None) -> set[str]:
    """The words of the entries that a reader may see."""
    return {
        note.word
        for note in facts.notes
        if note.kind == "note" and note.is_for(reader) and is_core in {None, note.is_core}
    }


def own_words(facts: Facts, reader: Reader | None) -> set[str]:
    """The same without those of the owner's that are only shared with them."""
    return {
        note.word
        for note in facts.notes
        if note.kind == "note" and Note(note.word, note.scope, note.kind).is_for(reader)
    }


def ids_of(archivist: Archivist) -> dict[str, str]:
    """By word, the ids of all entries."""
    entries = archivist.notes.entries(tier="all", scope=EVERYTHING)
    return {word: entry.id for entry in entries for word in words_in(entry.text)}


@every()
def test_reading_notes(archivist, facts, reader):
    notes, mine, core = archivist.notes, words_of(facts, reader), words_of(facts, reader, is_core=True)
    newest = notes.newest_change()
    assert words_in(notes.entries(scope=reader)) == core
    assert words_in(notes.entries(tier="archive", scope=reader)) == mine - core
    assert words_in(notes.entries(tier="all", scope=reader)) == mine
    assert words_in(notes.as_of(NOW + timedelta(days=1), scope=reader)) == mine
    assert notes.as_of(BEGAN, scope=reader) == ()
    assert words_in(notes.fading(scope=reader)) == core
    assert words_in(notes.present(asker(reader))) == core
    assert words_in(notes.recorded([newest], asker(reader))) <= mine
    log = notes.log(scope=reader)
    assert own_words(facts, reader) <= words_in(log) <= mine
    ids = ids_of(archivist)
    assert {line.entry for line in log} == {ids[word] for word in mine}
    for entry in notes.entries(tier="all", scope=reader):
        assert words_in(notes.entry(entry.id, scope=reader)) == words_in(entry)
        blame = notes.blame(entry.id, scope=reader)
        assert words_in(blame) == words_in(entry)
        assert (
            blame.history
            == notes.log(entry.id, scope=reader)
            == tuple(one for one in log if one.entry == entry.id)
        )


@every()
def test_reading_notes_of_others(archivist, facts, reader):
    ids, notes = ids_of(archivist), archivist.notes
    for word in words_of(facts, EVERYTHING) - words_of(facts, reader):
        assert is_as_for_nobody(lambda name: notes.entry(name, scope=reader), ids[word])
        for name in (ids[word], word):
            assert is_as_for_nobody(lambda name: notes.blame(name, scope=reader), name)
            assert notes.log(name, scope=reader) == ()


def test_of_what_is_shared_others_are_told_from_then_on(copied, facts):
    """Neither what it said before, nor what it rests on, nor one that was taken out or is shared no more."""
    notes, ids = copied.notes, ids_of(copied)
    shared = sorted(ids[note.word] for note in facts.notes if note.is_shared and note.is_core)
    hidden = notes.add("memory", "The lantern of znqxk burns at znqxk").entry
    assert hidden is not None
    notes.replace("memory", hidden.id, "A lamp of znqyk")
    notes.share(hidden.id)
    notes.replace("memory", hidden.id, "A lamp of znqzk")
    notes.share(shared[0], False)
    for reader in READERS:
        is_own = Note("", Scope(), "note").is_for(reader)
        told = [
            notes.log(scope=reader),
            notes.blame(hidden.id, scope=reader),
            notes.entries(tier="all", scope=reader),
        ]
        assert ("znqxk" in words_in(told)) == is_own
        assert {"znqyk", "znqzk"} <= words_in(told)
        assert (shared[0] in repr(told)) == is_own
    notes.remove("memory", hidden.id)
    for reader in READERS:
        told = [
            notes.log(scope=reader),
            notes.entries(tier="all", scope=reader),
            notes.as_of(NOW, scope=reader),
            str(refusal(lambda reader=reader: notes.entry(hidden.id, scope=reader))),
        ]
        assert bool(words_in(told) & {"znqxk", "znqyk", "znqzk"}) == Note("", Scope(), "note").is_for(reader)


@every()
def test_how_full_notes_are(archivist, facts, reader):
    if not isinstance(reader, Scope):
        return
    for target in ("memory", "user"):
        whose = scope_of(level_for(target, reader), archivist.home.notes_folder)
        there = [note for note in facts.notes if note.scope == whose and note.kind == "note" and note.is_core]
        shown = [note for note in there if note.is_for(reader)] if target == "memory" else []
        assert archivist.notes.usage(target, reader).entries == len(shown)


BY_ID: dict[str, Callable[[Notes, str, Reader | None], object]] = {
    "pin": lambda notes, name, reader: notes.pin(name, scope=reader),
    "unpin": lambda notes, name, reader: notes.pin(name, False, scope=reader),
    "share": lambda notes, name, reader: notes.share(name, scope=reader),
    "unshare": lambda notes, name, reader: notes.share(name, False, scope=reader),
    "promote": lambda notes, name, reader: notes.promote(name, scope=reader),
    "demote": lambda notes, name, reader: notes.demote(name, scope=reader),
    "undo": lambda notes, name, reader: notes.undo(name, scope=reader),
    "force": lambda notes, name, reader: notes.undo(name, force=True, scope=reader),
    "supersede": lambda notes, name, reader: notes.supersede(name, name, words={}, scope=reader),
}
BY_WORDS: dict[str, Callable[[Notes, str, Scope], object]] = {
    "replace": lambda notes, name, scope: notes.replace("memory", name, "A lamp", scope=scope),
    "edit": lambda notes, name, scope: notes.edit("memory", name, "A lamp", scope=scope),
    "remove": lambda notes, name, scope: notes.remove("memory", name, scope=scope),
    "split": lambda notes, name, scope: notes.split("memory", name, scope=scope),
    "apply": lambda notes, name, scope: notes.apply(
        "memory", [{"action": "remove", "old_text": name}], scope=scope
    ),
}
"""These are asked for by programs, from the scope that they write in."""


@some(4)
def test_changing_notes_of_others(copied, facts, reader):
    """Nothing of others is changed, what they share included, and none of their ids and words means anything."""
    notes, ids = copied.notes, ids_of(copied)
    journal = (copied.home.notes_folder / "journal.jsonl").read_bytes()
    changes = {line.entry: line.change for line in notes.log(scope=EVERYTHING)}
    mine = own_words(facts, reader)
    theirs = words_of(facts, EVERYTHING) - mine
    for word in sorted(theirs):
        for act, do in (BY_ID | BY_WORDS if isinstance(reader, Scope) else BY_ID).items():
            is_of_changes = act in {"undo", "force"}
            key = changes[ids[word]] if is_of_changes else ids[word]
            assert is_as_for_nobody(lambda name, do=do: do(notes, name, reader), key)
            told = refusal(lambda do=do, word=word: do(notes, word, reader))
            assert told is not None
            assert words_in(told[1]) <= {word} | mine
    assert (copied.home.notes_folder / "journal.jsonl").read_bytes() == journal
    assert theirs or reader is EVERYTHING


@some(4)
def test_changing_ones_own_notes(copied, facts, reader):
    notes, ids = copied.notes, ids_of(copied)
    others = [
        one
        for one in notes.entries(tier="all", scope=EVERYTHING)
        if not words_in(one) & own_words(facts, reader)
    ]
    for word in sorted(own_words(facts, reader)):
        for act in ("pin", "unpin", "demote", "promote"):
            change = BY_ID[act](notes, ids[word], reader)
            assert words_in(change) <= words_of(facts, reader)
            if change.id:
                assert words_in(notes.undo(change.id, scope=reader)) <= words_of(facts, reader)
    assert [one for one in notes.entries(tier="all", scope=EVERYTHING) if one in others] == others


@some(8)
def test_noting(copied, facts, reader):
    """What is noted is whose `Whose` says, others' words are free, and nothing of others is told with it."""
    scope = reader if isinstance(reader, Scope) else Scope("ann", project="tide")
    whose = scope_of(level_for("memory", scope), copied.home.notes_folder)
    hidden = [
        note.word
        for note in facts.notes
        if note.kind == "note" and not note.is_for(scope) and note.scope != whose
    ]
    for word in hidden[:4]:
        change = copied.notes.add("memory", f"The lantern of {word} burns at {word}", scope=scope)
        assert change.action == "add"
        assert words_in(change) <= {word} | words_of(facts, scope)
        copied.notes.undo(change.id, scope=EVERYTHING)
    copied.notes.add("memory", "A beacon is lit for znqqk", scope=scope)
    for other in READERS:
        is_seen = "znqqk" in words_in(copied.notes.entries(scope=other))
        assert is_seen == Note("", whose, "note").is_for(other)
        assert ("znqqk" in words_in(copied.notes.log(scope=other))) == is_seen


@some(8)
def test_reviewing(copied, reader):
    """What is proposed of somebody's notes is theirs to decide, and for others there is nothing of it."""
    words = {f"zn{letter}xk": level for letter, level in zip("abcdefgh", LEVELS, strict=False)}
    for word, level in words.items():
        copied.notes.add("memory", f"The port of {word} is 1", scope=level)
        copied.notes.add("memory", f"The port of {word} is 2", scope=level)
    mine = {word for word, level in words.items() if Note("", level, "note").is_for(reader)}
    review = copied.review_for(asker(reader))
    assert words_in(review.list(None)) == mine
    for proposal in copied.review_for(EVERYTHING).list():
        if words_in(proposal) <= mine:
            assert words_in(review.show(proposal.id)) <= mine
            assert words_in(review.accept(proposal.id)) <= mine
            assert words_in(review.undo(proposal.id)) <= mine
        else:
            for ask in (review.show, review.accept, review.reject, review.undo):
                assert is_as_for_nobody(ask, proposal.id)
    assert len(copied.review_for(EVERYTHING).list()) == len(words)


@every()
def test_reading_days(archivist, facts, reader):
    mine = {note.word for note in facts.notes if note.kind == "daily" and note.is_for(reader)}
    assert words_in(archivist.daily.read(scope=reader)) == mine
    assert words_in(archivist.daily.read(NOW.date(), scope=reader)) == mine
    assert archivist.daily.days(scope=reader) == ((NOW.date(),) if mine else ())
    assert archivist.daily.read(BEGAN.date(), scope=reader) == ()


@some(8)
def test_noting_days(copied, facts, reader):
    scope = reader if isinstance(reader, Scope) else Scope("ann", project="tide")
    whose = scope_of(level_for_days(scope), copied.home.notes_folder)
    daily = [note for note in facts.notes if note.kind == "daily"]
    hidden = [note for note in daily if not note.is_for(scope) and note.scope != whose]
    for note in hidden[:3]:
        assert copied.daily.add(f"The lantern of {note.word} burns at {note.word}", scope=scope).added
    assert words_in(copied.daily.add("A beacon is lit for znqqk", scope=scope)) == {"znqqk"}
    for other in READERS:
        is_seen = "znqqk" in words_in(copied.daily.read(scope=other))
        assert is_seen == Note("", whose, "daily").is_for(other)


# ---- reading ----


@some(8)
def test_reading(archivist, facts, reader):
    visible = {said.id for said in facts.said(reader)}
    for one in picked(facts.seen(reader), reader, 8):
        passage = archivist.sessions.read(one.id, scope=reader, uncut=True)
        shown = [message.id for message in passage.messages]
        own = {
            said.id for said in facts.said(reader, branches=False, undone=False) if said.session == one.key
        }
        assert own <= set(shown) <= visible
        assert (passage.before, passage.after) == (0, 0)
        assert not facts.leaks(passage, reader)
        assert passage.session.id == one.id
        check_relatives(facts, passage, one, reader)
        for said in [m for m in facts.said(reader) if m.session == one.key]:
            around = archivist.sessions.read(one.id, scope=reader, around=said.id, window=50)
            assert said.id in {message.id for message in around.messages} <= visible
            assert around.before + len(around.messages) + around.after <= len(visible)
            assert not facts.leaks(around, reader)
        for number in range(len(shown)):
            later = archivist.sessions.read(one.id, scope=reader, offset=number, uncut=True)
            assert [message.id for message in later.messages] == shown[number:]
            assert later.before == number


def check_relatives(facts: Facts, passage, one: Held, reader: Reader | None) -> None:
    """A line is of what may be seen, and what began in what is shown of it and may be seen is named."""
    keys = {other.id: other.key for other in facts.seen(reader)}
    line = {keys[each.id] for each in passage.line}
    assert one.key in line or one.is_undone
    begun = {other.key for other in facts.seen(reader) if other.parent == one.key} - line
    assert begun <= {keys[each.id] for each in passage.children}
    assert passage.session.parent_id in {None, *keys}
    assert passage.session.fork_message in {None, *(said.id for said in facts.said(reader))}


@some(8)
def test_reading_by_other_names(archivist, facts, reader):
    """A title, an external id and the beginning of an id mean what they mean among what may be seen."""

    def read(name: str) -> set[str]:
        error = trouble(lambda: archivist.sessions.read(name, scope=reader))
        assert not facts.leaks(str(error).replace(name, ""), reader)
        if error is not None:
            return set(getattr(error, "ids", ()))
        return {archivist.sessions.read(name, scope=reader).session.id}

    ids = {other.id for other in facts.seen(reader)}
    for one in picked(facts.seen(reader), reader, 5):
        for name in filter(None, (one.external_id, one.title)):
            assert set() < read(name) <= ids
        assert read(one.id[:-1]) <= ids
    for one in picked(facts.hidden(reader), reader, 5):
        beginning = one.id[: len("s-zqa")]
        assert read(beginning) <= ids
        for name in filter(None, (one.external_id, one.title)):
            assert is_as_for_nobody(lambda name: archivist.sessions.read(name, scope=reader), name)


@some(8)
def test_reading_what_others_said(archivist, facts, reader):
    mine = picked(facts.seen(reader), reader, 2)
    for one in picked(facts.hidden(reader), reader, 6):
        said = next((m.id for m in facts.messages.values() if m.session == one.key), 10**9)
        for own in mine:
            told = refusal(
                lambda own=own, said=said: archivist.sessions.read(own.id, scope=reader, around=said)
            )
            assert told is not None
            assert told[0] is UnknownMessage
            nobodys = refusal(lambda own=own: archivist.sessions.read(own.id, scope=reader, around=10**9))
            assert told[1] == str(nobodys and nobodys[1]).replace(str(10**9), str(said))
        if facts.is_named(one, reader):
            passage = archivist.sessions.read(one.id, scope=reader)
            assert passage.session.id != one.id
            assert not facts.leaks(passage, reader)
        else:
            assert is_as_for_nobody(lambda name: archivist.sessions.read(name, scope=reader), one.id)


@every()
@pytest.mark.parametrize("shelf", ["listed", "archived", "all"])
def test_browsing(archivist, facts, reader, shelf):
    families = list(facts.conversations(reader).values())
    for source in (None, *SOURCES, "nowhere"):
        of_source = [family for family in families if source in {None, family[0].source}]
        wanted = [
            family for family in of_source if shelf == "all" or family[0].is_archived == (shelf == "archived")
        ]
        listed = archivist.sessions.browse(scope=reader, shelf=shelf, source=source, limit=1000)
        roots = [next(f[0].root for f in wanted if each.id in {m.id for m in f}) for each in listed.sessions]
        assert sorted(roots) == sorted(family[0].root for family in wanted)
        assert listed.total == len(wanted)
        assert listed.archived == (sum(f[0].is_archived for f in of_source) if shelf == "listed" else 0)
        assert set(listed.previews) == {each.id for each in listed.sessions}
        forks = {
            root: sum(m.link == "fork" and not m.is_undone for m in facts.conversations(reader)[root])
            for root in roots
        }
        assert [listed.forks.get(each.id, 0) for each in listed.sessions] == list(forks.values())
        assert not facts.leaks(listed, reader)
    active = {family[0].root: max(member.last_active_at for member in family) for family in families}
    if shelf == "all":
        whole = archivist.sessions.browse(scope=reader, shelf=shelf, limit=1000)
        times = [
            active[next(f[0].root for f in families if e.id in {m.id for m in f})] for e in whole.sessions
        ]
        assert times == sorted(times, reverse=True)


# ---- counting ----


@every()
def test_counting(archivist, facts, reader):
    seen = facts.seen(reader)
    assert archivist.counts(scope=reader) == {
        "conversations": len({one.root for one in seen}),
        "sessions": len(seen),
        "messages": len(facts.said(reader)),
    }


@every()
def test_spending(archivist, facts, reader):
    def total(by: str, name_of: Callable[[Held, str], str]) -> None:
        wanted: Counter[str] = Counter()
        for key, model, tokens in facts.usage:
            if facts.sees(key, reader):
                wanted[name_of(facts.sessions[key], model)] += tokens
        told = archivist.usage(scope=reader, by=by)
        assert {each.name: each.input for each in told} == wanted
        assert not facts.leaks(told, reader)

    total("model", lambda one, model: model)
    total("source", lambda one, model: one.source)
    total("month", lambda one, model: f"{datetime.fromtimestamp(one.started_at / 1000, UTC):%Y-%m}")


@every()
def test_what_requests_shared(archivist, facts, reader):
    who = asker(reader)
    seen = facts.seen(reader)
    asked = {key for key, *_ in facts.usage}
    wanted: Counter[str] = Counter()
    for key, _, tokens in facts.usage:
        if facts.sees(key, reader):
            wanted[facts.sessions[facts.sessions[key].root].id] += tokens
    told = archivist.sessions.caches(limit=len(facts.sessions), scope=who)
    assert {one.conversation_id: one.tokens for one in told} == wanted
    assert not facts.leaks(told, reader)
    for held in picked(seen, reader, 8):
        one = archivist.sessions.cache(held.id, scope=who)
        there = {other.id for other in seen if other.root == held.root and other.key in asked}
        assert {each.session_id for each in one.each} == there
        assert not facts.leaks(one, reader)
    named = {one.root for one in seen}  # its id is that of the conversation, of which a part is seen
    hidden = [one for one in facts.hidden(reader) if one.key not in named]
    for held in picked(hidden, reader, 8):
        assert is_as_for_nobody(lambda name: archivist.sessions.cache(name, scope=who), held.id)


# ---- handles ----


@every()
def test_handles(archivist, facts, reader):
    visible = {said.id for said in facts.said(reader)}
    who = asker(reader)
    for one in picked(facts.seen(reader), reader, 8):
        handle = archivist.sessions.get(one.id, scope=who)
        whole = handle.messages("all")
        own = {said.id for said in facts.said(reader) if said.session == one.key}
        assert own <= {message.id for message in whole} <= visible
        assert {message.id for message in handle.messages()} <= visible
        sent, error = done(handle.sent)
        assert error is None or isinstance(error, NotSendable)
        assert not facts.leaks([whole, handle.messages(), handle.record(), sent, error], reader)
        assert handle.record().fork_message in {None, *visible}
        used = {(model, tokens) for key, model, tokens in facts.usage if key == one.key}
        assert {(each.model, each.input) for each in handle.usage()} == used
    for one in picked(facts.hidden(reader), reader, 8):
        assert is_as_for_nobody(lambda name: archivist.sessions.get(name, scope=who), one.id)


# ---- exporting ----


@some(8)
def test_exporting(archivist, facts, reader, tmp_path):
    for form in ("jsonl", "json", "markdown"):
        stream = io.BytesIO()
        report = archivist.sessions.export(None, stream, form, scope=reader)
        written = stream.getvalue()
        assert not facts.leaks([written.decode(), report.notices], reader)
        assert (report.sessions, report.messages) == (len(facts.seen(reader)), len(facts.said(reader)))
        if form == "jsonl":
            check_records(facts, written, reader)
    for part in ({"source": "hermes"}, {"archived": False}, {"since": BEGAN + timedelta(days=60)}):
        stream = io.BytesIO()
        archivist.sessions.export(None, stream, scope=reader, **part)
        assert not facts.leaks(stream.getvalue(), reader)
    for one in picked(facts.seen(reader), reader, 3):
        stream = io.BytesIO()
        archivist.sessions.export(one.id, stream, scope=reader)
        ids = {each["id"] for each in records(stream.getvalue(), "session")}
        assert ids == {other.id for other in facts.seen(reader) if other.root == one.root}
        assert not facts.leaks(stream.getvalue(), reader)
    for one in picked([one for one in facts.hidden(reader) if not facts.is_named(one, reader)], reader, 3):
        assert is_as_for_nobody(
            lambda name: archivist.sessions.export(name, tmp_path / "out.jsonl", scope=reader), one.id
        )
        assert not (tmp_path / "out.jsonl").exists()


def records(written: bytes, kind: str) -> list[dict]:
    return [r for line in written.splitlines() if (r := msgspec.json.decode(line))["type"] == kind]


def check_records(facts: Facts, written: bytes, reader: Reader | None) -> None:
    seen = {one.key: one.id for one in facts.seen(reader)}
    assert {each["id"] for each in records(written, "session")} == set(seen.values())
    assert {each.get("conversation") for each in records(written, "session")} <= set(seen.values())
    assert {(each["session"], each["client_id"]) for each in records(written, "message")} == {
        (seen[said.session], said.client_id) for said in facts.said(reader)
    }
    used = {(seen[key], model) for key, model, _ in facts.usage if key in seen}
    assert {(each["session"], each["model"]) for each in records(written, "usage")} == used
    words = {base64.b64decode(each["data"]).decode() for each in records(written, "blob")}
    assert words == {word for word, scope in facts.words.items() if scope.is_visible_to(asker(reader))}


@some(2)
def test_an_export_brings_back_what_its_reader_saw(archivist, facts, home, reader, tmp_path):
    """In another home it is whose it was; in its own it changes nothing of anybody's."""
    file = tmp_path / "mine.jsonl"
    archivist.sessions.export(None, file, scope=reader)
    with Archivist.open(tmp_path / "new", clock=lambda: NOW) as other:
        other.import_history(file)
        new = read_facts(tmp_path / "new", facts.words)
        told = {one.id: one.scope for one in new.sessions.values()}
        assert told == {one.id: one.scope for one in facts.seen(reader)}
        assert len(new.messages) == len(facts.said(reader))
        for second in (Person("ann"), Scope("bob", "group-2", "mill")):
            mine = {one.id for one in new.seen(second)}
            assert mine == {one.id for one in facts.seen(reader) if facts.sees(one.key, second)}
            page = other.sessions.search("lantern", limit=1000, scope=second)
            assert {hit.session_id for hit in page.hits} <= mine
    with copy_of(home, tmp_path / "copy") as same:
        before = rows_of(tmp_path / "copy", list(facts.sessions))
        assert same.import_history(file).imported == 0
        assert rows_of(tmp_path / "copy", list(facts.sessions)) == before


# ---- changing ----

ACTS: dict[str, Callable[[Sessions, str, Reader | None], object]] = {
    "rename": lambda sessions, name, reader: sessions.rename(name, "A lantern of one's own", scope=reader),
    "unname": lambda sessions, name, reader: sessions.rename(name, None, scope=reader),
    "fork": lambda sessions, name, reader: sessions.fork(name, scope=reader),
    "undo": lambda sessions, name, reader: sessions.undo(name, scope=reader),
    "ask of undo": lambda sessions, name, reader: sessions.undo(name, scope=reader, dry_run=True),
    "redo": lambda sessions, name, reader: sessions.redo(name, scope=reader),
    "archive": lambda sessions, name, reader: sessions.archive(name, scope=reader),
    "unarchive": lambda sessions, name, reader: sessions.unarchive(name, scope=reader),
    "pin": lambda sessions, name, reader: sessions.pin(name, scope=reader),
    "unpin": lambda sessions, name, reader: sessions.unpin(name, scope=reader),
    "ask of a window": lambda sessions, name, reader: sessions.context(name, scope=reader),
    "ask whether to compress": lambda sessions, name, reader: sessions.verdict(name, 8_000, scope=reader),
    "ask of compressing": lambda sessions, name, reader: sessions.compress(
        name, target_tokens=60, force=True, dry_run=True, scope=reader
    ),
    "compress": lambda sessions, name, reader: sessions.compress(
        name, target_tokens=60, force=True, scope=reader
    ),
    "restore": lambda sessions, name, reader: sessions.restore(name, scope=reader),
}
MAY_REFUSE = {"rename", "undo", "ask of undo", "redo", "compress", "restore"}
"""What there may be nothing to do for, or what another program does itself."""


@some(8)
def test_changing(copied, facts, reader):
    """Nothing of others is changed or told, whatever is done, and nobody's own is refused because of them."""
    theirs = [one.key for one in facts.hidden(reader)]
    before = rows_of(copied.home.path, theirs)
    for one in picked(facts.seen(reader), reader, 4):
        for act, do in ACTS.items():
            shown, error = done(lambda do=do, one=one: do(copied.sessions, one.id, reader))
            assert error is None or act in MAY_REFUSE or one.is_undone, error
            if isinstance(shown, SessionHandle):
                assert shown.record().scope.is_visible_to(asker(reader))
                shown = [shown.record(), shown.messages("all"), shown.messages()]
            assert not facts.leaks([shown, error], reader)
    for one in picked([one for one in facts.hidden(reader) if not facts.is_named(one, reader)], reader, 4):
        for do in ACTS.values():
            assert is_as_for_nobody(lambda name, do=do: do(copied.sessions, name, reader), one.id)
    assert rows_of(copied.home.path, theirs) == before


@some(8)
def test_what_one_said_last_can_be_taken_back_whoever_went_on(copied, facts, reader):
    """A session that somebody else continued is still at the end of what its own reader sees."""
    alone = [
        one
        for one in facts.seen(reader)
        if not one.is_undone
        and not any(other.parent == one.key and other.link == "compaction" for other in facts.seen(reader))
        and any(s.session == one.key and s.role == "user" and s.state == "active" for s in facts.said(reader))
    ]
    for one in picked(alone, reader, 5):
        said = max(
            s.id
            for s in facts.said(reader)
            if s.session == one.key and s.role == "user" and s.state == "active"
        )
        taken = copied.sessions.undo(one.id, scope=reader)
        assert (taken.message_id, taken.session_id) == (said, one.id)
        back = copied.sessions.redo(one.id, scope=reader)
        assert (back.messages, back.session_id) == (taken.messages, one.id)


@some(8)
def test_titles_are_taken_within_a_scope_alone(copied, facts, reader):
    for one in picked(facts.seen(reader), reader, 1):
        others = [each for each in facts.sessions.values() if each.title and each.root != one.root]
        for other in picked(others, reader, 12) + [each for each in others if each.scope == one.scope]:
            told = trouble(
                lambda one=one, name=other.title: copied.sessions.rename(one.id, name, scope=reader)
            )
            if told is None:
                assert other.scope != one.scope
                continue
            assert isinstance(told, TitleTaken)
            assert next(each for each in facts.seen(reader) if each.id == told.session_id).scope == one.scope
            assert not facts.leaks(str(told).replace(other.title or "", ""), reader)


# ---- deleting ----


@some(4)
def test_deleting(copied, facts, reader):
    families = facts.conversations(EVERYTHING)
    mine = {root: all(facts.sees(one.key, reader) for one in family) for root, family in families.items()}
    theirs = [one.key for one in facts.hidden(reader)]
    before, gone = rows_of(copied.home.path, theirs), set()
    spent = copied.usage(scope=reader)
    for one in picked(facts.seen(reader), reader, 5):
        if one.root in gone:
            continue
        for dry_run in (True, False):
            told = refusal(lambda one=one, d=dry_run: copied.sessions.delete(one.id, scope=reader, dry_run=d))
            assert (told is None) == mine[one.root]
            if told:
                assert told[0] is OutsideScope
                assert not facts.leaks(told[1], reader)
        gone |= {one.root} if mine[one.root] else set()
    for one in picked([one for one in facts.hidden(reader) if not facts.is_named(one, reader)], reader, 5):
        for dry_run in (True, False):
            assert is_as_for_nobody(
                lambda name, d=dry_run: copied.sessions.delete(name, scope=reader, dry_run=d), one.id
            )
    left = read_facts(copied.home.path, facts.words)
    assert left.sessions.keys() == {key for key, one in facts.sessions.items() if one.root not in gone}
    assert rows_of(copied.home.path, theirs) == before
    assert copied.usage(scope=reader) == spent
    assert not copied.verify().problems


@every()
def test_what_pruning_would_take(archivist, facts, reader):
    whole = {
        root: all(facts.sees(one.key, reader) for one in f)
        for root, f in facts.conversations(EVERYTHING).items()
    }
    for asked in ({}, {"source": "hermes"}, {"archived_only": True}, {"title": "zq"}):
        shown = archivist.sessions.prune(0, scope=reader, **asked)
        assert not facts.leaks(shown, reader)
        roots = {one.root for one in facts.seen(reader)}
        names = {one.id for one in facts.sessions.values() if one.key in roots and whole[one.root]}
        told = {removal.conversation_id for removal in shown.removals}
        assert told <= names
        if not asked:
            assert {removal.sessions for removal in shown.removals} <= set(range(len(facts.seen(reader)) + 1))
    if isinstance(reader, Scope):
        hidden = picked([one for one in facts.hidden(reader) if one.title], reader, 3)
        assert not any(archivist.sessions.prune(0, scope=reader, title=one.title).removals for one in hidden)


@some(2)
def test_pruning(copied, facts, reader):
    theirs = [one.key for one in facts.hidden(reader)]
    before = rows_of(copied.home.path, theirs)
    planned = {each.conversation_id for each in copied.sessions.prune(0, scope=reader).removals}
    done = copied.sessions.prune(0, scope=reader, dry_run=False)
    assert {each.conversation_id for each in done.removals} == planned
    assert not facts.leaks(done, reader)
    assert rows_of(copied.home.path, theirs) == before
    assert not copied.sessions.prune(0, scope=reader).removals
    assert not copied.verify().problems


# ---- adding ----


@some(2)
def test_beginning(copied, facts, reader):
    """A title that others have is free, and what is begun is its own scope's."""
    scope = reader if isinstance(reader, Scope) else Scope("ann", project="tide")
    for one in picked(
        [one for one in facts.sessions.values() if one.title and one.scope != scope], reader, 5
    ):
        handle = copied.sessions.start(scope=scope, title=one.title)
        assert handle.record().title == one.title
        assert handle.record().scope == scope
        handle.append(Message.user("said here alone"))
        assert len(handle.messages("all")) == 1
    for other in READERS:
        page = copied.sessions.search("said here alone", scope=other, limit=100)
        assert any("said here alone" in hit.text for hit in page.hits) == scope.is_visible_to(asker(other))


@some(4)
def test_appending(copied, facts, reader):
    """What is said goes where it was said, whoever has used the same id of a message for other words, and others' rows stay."""
    theirs = [one.key for one in facts.hidden(reader)]
    before = rows_of(copied.home.path, theirs)
    for one in picked(facts.seen(reader), reader, 6):
        handle = copied.sessions.get(one.id, scope=asker(reader))
        others = [
            said.client_id
            for said in facts.messages.values()
            if not facts.sees(said.session, reader) and facts.sessions[said.session].root == one.root
        ]
        new = [Message.user(f"anew under {name}", client_id=name) for name in others[:3]]
        ids = handle.append_many([*new, Message.user("anew")])
        assert handle.append_many(new) == ids[:-1]
        if others:
            assert handle.append(new[0]) == ids[0]
        shown = {message.id: message for message in handle.messages("all")}
        assert set(ids) <= shown.keys()
        handle.add_usage(copied.sessions.get(one.id).usage()[0]) if handle.usage() else None
        handle.end("over")
    assert rows_of(copied.home.path, theirs) == before
    assert not copied.verify().problems


def test_an_unknown_session_is_refused_alike_everywhere(archivist):
    assert refusal(lambda: archivist.sessions.get(NOBODYS, scope=Person("ann")))[0] is UnknownSession


def test_a_home_of_its_own_has_no_others(tmp_path: Path):
    with Archivist.open(tmp_path / "home", clock=lambda: NOW) as archivist:
        for reader in READERS:
            assert set(archivist.counts(scope=reader).values()) == {0}
