"""Titles: the owner's first, then the source's, then one made of what was said; no two alike in one scope."""

import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.store.lines import compact

from archivist.records import Message, Scope, SessionStart
from archivist.store.naming import rename
from archivist.store.sessions import keep_derived_title, require_session
from archivist.store.titles import (
    MOST_CHARS,
    TitleNotUsable,
    TitleTaken,
    clean_title,
    find_titled,
    find_untitled,
    read_titles,
    title_key,
)

START = SessionStart("claude-code", external_id="ext-1")
TOLD = [Message.user("Why does the worker stop?", client_id="1")]


def call_it(store, session, title, scopes=None):
    store.write(lambda db: rename(db, require_session(db, session).key, title, scopes))


def titled(store, session, scopes=None):
    db = store.reader()
    key = require_session(db, session).key
    found = read_titles(db, [key], scopes)[key]
    return found.title, found.origin


def stored(store, session):
    return (
        store.reader().execute("SELECT title, title_origin FROM sessions WHERE id = ?", (session,)).fetchone()
    )


def test_a_living_session_is_shown_with_a_title_that_is_stored_when_it_ends(store):
    session = store.start(SessionStart("cli"))
    store.append(session, TOLD)
    assert titled(store, session) == ("Why does the worker stop?", "derived")
    assert stored(store, session) == (None, None)
    store.end(session, "exit")
    assert stored(store, session) == ("Why does the worker stop?", "derived")
    assert store.verify().is_clean


def test_an_import_stores_a_derived_title_and_again_does_not_change_it(store):
    store.receive(START, TOLD)
    store.receive(replace(START, external_id="ext-2"), TOLD)
    expected = {"ext-1": "Why does the worker stop?", "ext-2": "Why does the worker stop? (2)"}
    for _ in range(2):
        assert {name: stored(store, name)[0] for name in expected} == expected
        store.receive(START, [*TOLD, Message.user("and more", client_id="2")])
        store.receive(replace(START, external_id="ext-2"), TOLD)


def test_a_derived_title_gives_way_to_the_sources_and_that_to_the_owners(store):
    store.receive(START, TOLD)
    store.receive(replace(START, title="Worker"), TOLD)
    assert titled(store, "ext-1") == ("Worker", "source")
    store.receive(replace(START, title="Worker stops"), TOLD)
    assert titled(store, "ext-1") == ("Worker stops", "source")
    call_it(store, "ext-1", "Mine")
    store.receive(replace(START, title="Another"), TOLD)
    assert titled(store, "ext-1") == ("Mine", "given")
    call_it(store, "ext-1", None)
    assert titled(store, "ext-1") == ("Another", "source")
    assert store.verify().is_clean


def test_without_a_title_of_its_owners_a_conversation_is_called_what_its_program_calls_it(store):
    store.receive(replace(START, title="Worker"), TOLD)
    other = store.start(SessionStart("cli"))
    for told, numbered in (("Mine", "Worker (2)"), ("Mine too", "Worker")):
        call_it(store, "ext-1", told)
        call_it(store, other, "Worker" if numbered != "Worker" else "Other")
        call_it(store, "ext-1", None)
        assert titled(store, "ext-1") == (numbered, "source")
    store.receive(START, [])
    assert titled(store, "ext-1") == ("Worker", "source")
    assert store.verify().is_clean


def test_a_title_of_a_program_that_a_session_never_had_is_not_given_back(store):
    session = store.start(SessionStart("cli", title="Mine"))
    store.append(session, TOLD)
    call_it(store, session, None)
    assert titled(store, session) == ("Why does the worker stop?", "derived")


def test_a_sources_title_that_is_taken_gets_a_number_that_stays(store):
    for name in ("a", "b", "c"):
        store.receive(replace(START, external_id=name, title="Plans"), [replace(TOLD[0], client_id=name)])
    for _ in range(2):
        assert [titled(store, name)[0] for name in "abc"] == ["Plans", "Plans (2)", "Plans (3)"]
        for name in "cab":
            store.receive(
                replace(START, external_id=name, title="plans "), [replace(TOLD[0], client_id=name)]
            )


def test_a_title_that_another_conversation_has_is_refused_and_names_it(store):
    first, second = store.start(SessionStart("cli", title="Straße")), store.start(SessionStart("cli"))
    for wanted in ("Straße", " STRASSE", "straße  "):
        with pytest.raises(TitleTaken, match=first):
            call_it(store, second, wanted)
    call_it(store, first, "straße")
    call_it(store, second, "Strasse (2)")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("STRASSE", "straße"),
        ("ßa", "SSA"),
        ("Ärger", "ärger"),
        ("计划 A", "计划 a"),
        ("e\u0301t", "Ét"),
        ("x", " X "),
    ],
)
def test_capitals_spaces_and_ways_to_write_a_letter_do_not_tell_titles_apart(store, one, other):
    for number, title in enumerate((one, other, one)):
        start = replace(START, external_id=str(number), title=title)
        store.receive(start, [replace(TOLD[0], client_id=str(number))])
    assert [titled(store, str(n))[0].endswith(f"({n + 1})") for n in range(3)] == [False, True, True]
    with pytest.raises(TitleTaken):
        call_it(store, "2", other)


def test_people_and_projects_may_use_the_same_title(store):
    sessions = [
        store.start(SessionStart("cli", scope=scope))
        for scope in (Scope("ann"), Scope("bob"), Scope("ann", project="x"))
    ]
    for session in sessions:
        call_it(store, session, "Plans")
    assert {titled(store, session)[0] for session in sessions} == {"Plans"}


@pytest.mark.parametrize("title", ["", "  ", "\x00", "\u200b", "\u200d", "x" * (MOST_CHARS + 1)])
def test_a_title_that_cannot_be_shown_is_refused(store, title):
    session = store.start(SessionStart("cli", title="before"))
    with pytest.raises(TitleNotUsable):
        call_it(store, session, title)
    assert titled(store, session) == ("before", "given")


def test_a_title_is_stored_on_one_line_without_what_cannot_be_seen(store):
    session = store.start(SessionStart("cli", title="\x1b[31ma\nb\t c\u202e\x07"))
    assert titled(store, session)[0] == "a b c"
    call_it(store, session, "👩\u200d🚀 x")
    assert titled(store, session)[0] == "👩\u200d🚀 x"


def test_a_sources_title_that_is_too_long_is_cut(store):
    store.receive(replace(START, title="x" * 500), TOLD)
    assert len(titled(store, "ext-1")[0]) == MOST_CHARS


def test_a_session_that_begins_with_a_title_that_is_taken_gets_a_number(store):
    names = [store.start(SessionStart("cli", title="Daily")) for _ in range(3)]
    assert [titled(store, name) for name in names] == [
        ("Daily", "given"), ("Daily (2)", "given"), ("Daily (3)", "given"),
    ]  # fmt: skip


def test_every_session_of_a_line_shows_the_same_title(store, clock):
    """A renamed session's key pointed to a new empty file: openclaw/openclaw#116712."""
    root = store.start(SessionStart("cli", title="Plans"))
    store.append(root, TOLD)
    child = compact(store, root)
    grandchild = compact(store, root)
    call_it(store, grandchild, "Other plans")
    for name in (root, child, grandchild):
        assert titled(store, name) == ("Other plans", "given")
        assert store.session(name).title == "Other plans"
        assert store.lineage(name)[0].text == TOLD[0].text
    assert find_titled(store.reader(), "other PLANS", None) == [require_session(store.reader(), root).key]


def test_a_title_that_its_program_moved_to_the_newest_session_is_the_lines(store):
    store.receive(START, TOLD)
    child = replace(START, external_id="ext-2", link="compaction", title="Worker")
    store.receive(child, [Message.user("go on", client_id="2")], parent_external_id="ext-1")
    assert titled(store, "ext-1") == titled(store, "ext-2") == ("Worker", "source")


def test_a_title_of_another_scope_is_not_shown(store):
    root = store.start(SessionStart("cli", title="Theirs", scope=Scope("bob")))
    child = store.start(SessionStart("cli", parent_id=root, link="compaction", scope=Scope("ann")))
    store.append(child, TOLD)
    own = frozenset({store.reader().execute("SELECT scope FROM sessions WHERE id = ?", (child,)).get})
    assert titled(store, child, own) == ("Why does the worker stop?", "derived")
    assert find_titled(store.reader(), "Theirs", own) == []
    call_it(store, child, "Theirs", own)
    assert titled(store, root)[0] == "Theirs"
    assert store.session(root).title == "Theirs"


def test_a_living_conversation_is_found_by_the_title_that_it_is_shown_with(store):
    session = store.start(SessionStart("cli"))
    store.append(session, TOLD)
    db = store.reader()
    assert find_titled(db, "why does the worker stop?", None) == []
    assert find_untitled(db, " why does the WORKER stop?", None) == [require_session(db, session).key]
    assert find_untitled(db, "", None) == []


def test_a_secret_is_no_title(store):
    session = store.start(SessionStart("cli"))
    secret = "AKIA" + "QYLPMN5HHHFPZAM2"
    store.append(session, [Message.user(secret), Message.user(f"the key is {secret}")])
    assert titled(store, session)[0] == "the key is …"


def test_a_hundred_sessions_with_one_title_are_all_numbered(store):
    for number in range(100):
        start = replace(START, external_id=f"e{number}")
        store.receive(start, [Message.user("same prompt", client_id=str(number))])
    assert len({stored(store, f"e{number}")[0] for number in range(100)}) == 100
    assert stored(store, "e99")[0] == "same prompt (100)"


@given(st.text(max_size=30))
def test_a_cleaned_title_is_clean_and_its_key_does_not_change(text):
    title = clean_title(text)
    assert clean_title(title) == title
    assert (
        title_key(title_key(title)) == title_key(title) == title_key(f" {title.upper().lower()} ")
        or not title.isascii()
    )
    assert all(unicodedata.category(c) != "Cc" for c in title)


def test_a_sub_agents_ending_asks_nothing_of_its_family(store):
    root = store.start(SessionStart("cli"))
    store.append(root, TOLD)
    agent = store.start(SessionStart("cli", parent_id=root, link="subagent"))
    asked = []

    def change(db):
        db.exec_trace = lambda cursor, statement, bindings: asked.append(statement) or True
        keep_derived_title(db, require_session(db, agent).key)
        db.exec_trace = None

    store.write(change)
    assert len(asked) == 2  # whose key that is, and what it is
    assert stored(store, agent) == (None, None)


def test_what_began_at_no_known_time_and_has_no_words_is_not_dated(store):
    session = store.start(SessionStart("stand-in", started_at=datetime(1970, 1, 1, tzinfo=UTC)))
    assert titled(store, session) == ("Conversation without words", "derived")
