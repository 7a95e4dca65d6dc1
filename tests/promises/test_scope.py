"""Nothing leaves its scope: whoever asks is shown, told and counted only what they may see, by every way of asking.

Conversations here run through several scopes: a compaction, a fork or a sub-agent may be held elsewhere than what it
came from, and each part of them belongs to whoever it was said to.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archivist import EVERYTHING, Archivist, ArchivistError, Message, Scope
from archivist.records import Hit, Link, Page, Person, Reader, SessionStart

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
UNSPOKEN = "qozzk"
A, B = Scope("ann", project="tide"), Scope("ann", project="mill")


@dataclass(frozen=True)
class Said:
    """What the test knows of a message."""

    id: int
    word: str
    text: str
    session: str


@dataclass
class World:
    """A home, and what was said in it to whom."""

    archivist: Archivist
    scopes: dict[str, Scope] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    said: list[Said] = field(default_factory=list)

    def begin(
        self, scope: Scope, parent: str | None = None, link: Link | None = None, *, title: str | None = None
    ) -> str:
        start = SessionStart("cli", scope=scope, parent_id=parent, link=link, title=title, started_at=NOON)
        session = self.archivist._store.start(start, session_id=f"session-{len(self.scopes):03d}")
        self.scopes[session] = scope
        self.roots[session] = session if parent is None else self.roots[parent]
        if title is not None:
            self.titles[session] = title
        return session

    def say(self, session: str, about: str = "the lantern burns") -> Said:
        """To the session, which nothing continues yet: else it would go on to what does."""
        high, low = divmod(len(self.said), 20)
        word = f"qo{chr(ord('a') + high)}{chr(ord('a') + low)}k"
        text = f"{word} {about}"
        (key,) = self.archivist._store.append(
            session, [Message.user(text, created_at=NOON + timedelta(minutes=len(self.said)))]
        )
        self.said.append(Said(key, word, text, session))
        return self.said[-1]

    def keep_in_context(self, session: str, said: Said) -> None:
        """As a compaction does that keeps a message for the model."""
        db = apsw.Connection(str(self.archivist.home.state_file))
        db.execute(
            "INSERT INTO context(session, position, message) VALUES((SELECT key FROM sessions WHERE id = ?), 0, ?)",
            (session, said.id),
        )
        db.close()

    def sees(self, session: str, reader: Reader) -> bool:
        return self.scopes[session].is_visible_to(reader)

    def visible(self, reader: Reader) -> list[Said]:
        return [said for said in self.said if self.sees(said.session, reader)]

    def search(self, text: str, reader: Reader, **asked: object) -> Page:
        return self.archivist.sessions.search(
            text, scope=reader, **{"limit": 100, "now": NOON + timedelta(days=3), **asked}
        )

    def found(self, text: str, reader: Reader, **asked: object) -> set[int]:
        return {hit.message_id for hit in self.search(text, reader, **asked).hits}

    def read_ids(self, name: str, reader: Reader, **asked: object) -> list[int] | None:
        """None for what is not there."""
        try:
            passage = self.archivist.sessions.read(name, scope=reader, **asked)
        except ArchivistError:
            return None
        assert passage.session.scope.is_visible_to(reader)
        return [message.id for message in passage.messages]


@contextmanager
def new_world() -> Iterator[World]:
    with tempfile.TemporaryDirectory() as home, Archivist.open(home, clock=lambda: NOON) as archivist:
        yield World(archivist)


@pytest.fixture
def world() -> Iterator[World]:
    with new_world() as made:
        yield made


# ---- conversations that run through two projects ----


def test_the_parent_of_a_compaction_in_another_project_is_not_read(world):
    parent = world.begin(B, title="mill plans")
    theirs = world.say(parent)
    child = world.begin(A, parent, "compaction")
    ours = world.say(child)
    passage = world.archivist.sessions.read(child, scope=A)
    assert [message.id for message in passage.messages] == [ours.id]
    assert (passage.before, passage.after, passage.session.title) == (0, 0, ours.text)
    assert passage.session.parent_id is None
    assert world.read_ids(child, A, around=theirs.id) is None
    assert world.read_ids(child, A, around=ours.id, window=50) == [ours.id]
    assert world.read_ids(parent, B) == [theirs.id]
    assert world.read_ids(child, B) is None
    assert world.read_ids(child, EVERYTHING) == [theirs.id, ours.id]


def test_the_child_of_a_compaction_in_another_project_is_not_read(world):
    parent = world.begin(A)
    ours = world.say(parent)
    child = world.begin(B, parent, "compaction")
    theirs = world.say(child)
    last = world.begin(A, child, "compaction")
    ours_again = world.say(last)
    assert world.read_ids(parent, A) == [ours.id, ours_again.id]
    assert world.read_ids(last, A, around=ours.id) == [ours.id, ours_again.id]
    assert world.read_ids(last, A, around=theirs.id) is None


def test_each_project_browses_its_own_part(world):
    parent = world.begin(B, title="mill plans")
    theirs = world.say(parent)
    child = world.begin(A, parent, "compaction", title="tide plans")
    ours = world.say(child)
    world.say(world.begin(Scope("bob")))
    for reader, session, said in ((A, child, ours), (B, parent, theirs)):
        listed = world.archivist.sessions.browse(scope=reader)
        assert [each.id for each in listed.sessions] == [session]
        assert (listed.total, listed.sessions[0].message_count) == (1, 1)
        assert dict(listed.previews) == {session: said.text}
        assert listed.sessions[0].scope == reader


def test_browsing_is_in_the_order_of_what_may_be_seen(world):
    old, newer = world.begin(A), world.begin(A)
    world.say(old)
    world.say(newer)
    world.say(world.begin(B, old, "compaction"))
    listed = world.archivist.sessions.browse(scope=A)
    assert [each.id for each in listed.sessions] == [newer, old]


def test_a_find_is_opened_by_the_id_that_it_names_though_the_root_is_elsewhere(world):
    ours = world.say(world.begin(A, world.begin(B), "compaction"))
    (hit,) = world.search(ours.word, A).hits
    assert world.read_ids(hit.conversation_id, A, around=hit.message_id) == [ours.id]
    assert world.found("lantern", A, conversation=hit.conversation_id) == {ours.id}
    assert world.read_ids(hit.conversation_id, Scope("bob")) is None


def test_a_title_from_another_project_is_not_shown_and_not_found(world):
    root = world.begin(B, title="Abdication")
    world.say(root)
    ours = world.say(world.begin(A, root, "compaction"))
    (hit,) = world.search(ours.word, A).hits
    assert hit.title is None
    assert world.search("abdication", A) == world.search("abduction", A)
    (titled,) = world.search("abdication", B).hits
    assert (titled.title, titled.why) == ("Abdication", ("title",))


def test_finds_folded_away_are_counted_without_those_of_others(world):
    root = world.begin(B)
    for _ in range(5):
        world.say(root)
    child = world.begin(A, root, "compaction")
    for _ in range(3):
        world.say(child)
    hits = world.search("lantern", A, limit=1).hits
    assert [hit.others for hit in hits] == [2]


def test_the_reader_of_an_empty_project_is_told_that_nothing_is_there(world):
    root = world.begin(B)
    world.say(root)
    world.begin(A, root, "compaction")
    for text in ("lantern", UNSPOKEN, ""):
        assert [notice.code for notice in world.search(text, A).notices] == ["nothing-stored"]


def test_a_session_that_may_not_be_seen_hides_nothing_from_the_one_that_asks(world):
    """What a stranger's model has before it would else show in what is left out."""
    ours = world.begin(A)
    said = world.say(ours)
    theirs = world.begin(B, ours, "compaction")
    world.keep_in_context(theirs, said)
    assert world.found(said.word, A, asking_session=theirs) == {said.id}
    assert world.found(said.word, A, asking_session=ours) == set()


def test_a_stranger_who_comes_while_the_question_is_asked_is_not_heard(world, monkeypatch):
    """Whoever could see all scopes a moment ago may not see the new one."""
    from archivist.recall import search as searching

    ours = world.say(world.begin(A))
    real = searching.are_all_scopes

    def with_a_stranger(state, scopes):
        answer = real(state, scopes)
        world.say(world.begin(Scope("bob")))
        return answer

    monkeypatch.setattr(searching, "are_all_scopes", with_a_stranger)
    for text in ("lantern", ""):
        assert world.found(text, A) == {ours.id}


def test_a_group_and_a_person_do_not_read_each_other(world):
    group, own = world.begin(Scope(chat="kitchen")), world.begin(Scope("ann"))
    shared, private = world.say(group), world.say(own)
    assert world.found("lantern", Person("ann")) == {private.id}
    assert world.found("lantern", Scope(chat="kitchen")) == {shared.id}
    assert world.found("lantern", Scope("ann", "kitchen")) == {shared.id, private.id}


# ---- any scopes, any lineage ----

SCOPES = st.builds(
    Scope,
    user=st.sampled_from([None, "ann", "bob"]),
    chat=st.sampled_from([None, None, "kitchen"]),
    project=st.sampled_from([None, "tide", "mill"]),
)
READERS = st.one_of(SCOPES, st.sampled_from([Person("ann"), Person("bob"), EVERYTHING]))
LINKS: list[Link] = ["compaction", "compaction", "fork", "branch", "subagent"]
PLANS = st.lists(
    st.tuples(
        SCOPES, st.none() | st.integers(0, 7), st.sampled_from(LINKS), st.booleans(), st.integers(0, 2)
    ),
    min_size=1,
    max_size=8,
)
ASKED = ("{}", '"{}"', "{} -lantern", "{} AND burns", "{} yesterday", "{}*", "{} in March 2026")


def build(world: World, plan) -> None:
    """Sessions of a plan: scope, number of the parent where there is one, link, whether titled, messages."""
    sessions: list[str] = []
    for scope, number, link, is_titled, count in plan:
        parent = sessions[number] if number is not None and number < len(sessions) else None
        title = f"Ledger of item{500 + len(sessions)}" if is_titled else None
        sessions.append(world.begin(scope, parent, link if parent else None, title=title))
        for _ in range(count):
            world.say(sessions[-1])


def check_hits(world: World, hits: tuple[Hit, ...], reader: Reader) -> None:
    titles = {title for session, title in world.titles.items() if world.sees(session, reader)}
    for hit in hits:
        assert world.sees(hit.session_id, reader)
        assert hit.title is None or hit.title in titles
        opened = world.read_ids(hit.source.conversation_id, reader, around=hit.source.message_id)
        assert opened is not None
        assert hit.message_id in opened


def check_search(world: World, reader: Reader) -> None:
    visible = world.visible(reader)
    page = world.search("lantern", reader)
    assert {hit.message_id for hit in page.hits} == {said.id for said in visible}
    check_hits(world, page.hits, reader)
    assert world.found("", reader) == {said.id for said in visible}
    for said in visible:
        assert said.id in world.found(said.word, reader)
    for session, title in world.titles.items():
        hits = world.search(title, reader).hits
        check_hits(world, hits, reader)
        if not world.sees(session, reader):
            assert all(hit.session_id != session for hit in hits)


def check_notices(world: World, reader: Reader) -> None:
    """A page for a word that only strangers have said is the page for a word that nobody has."""
    nobodys = {form: world.search(form.format(UNSPOKEN), reader) for form in ASKED}
    for said in world.said:
        if not world.sees(said.session, reader):
            for form, page in nobodys.items():
                theirs = world.search(form.format(said.word), reader)
                assert [hit.message_id for hit in theirs.hits] == [hit.message_id for hit in page.hits]
                assert theirs.notices == page.notices
            assert world.search(said.word, reader, conversation=said.session).hits == ()


def check_reading(world: World, reader: Reader) -> None:
    visible = {said.id for said in world.visible(reader)}
    for session in world.scopes:
        ids = world.read_ids(session, reader)
        is_named = any(root == session and world.sees(member, reader) for member, root in world.roots.items())
        assert (ids is not None) == (world.sees(session, reader) or is_named)
        if ids is None:
            continue
        assert set(ids) <= visible
        passage = world.archivist.sessions.read(session, scope=reader)
        assert passage.before + len(ids) + passage.after <= len(visible)
        for said in world.said:
            around = world.read_ids(session, reader, around=said.id, window=50)
            same = world.roots[said.session] == world.roots[session]
            assert (around is not None) == (said.id in visible and same)
            assert set(around or ()) <= visible


def check_browsing(world: World, reader: Reader) -> None:
    seen = {session for session in world.scopes if world.sees(session, reader)}
    listed = world.archivist.sessions.browse(scope=reader, limit=100)
    assert {world.roots[each.id] for each in listed.sessions} == {world.roots[session] for session in seen}
    assert listed.total == len(listed.sessions)
    assert set(listed.previews) == {each.id for each in listed.sessions} <= seen
    assert set(listed.previews.values()) <= {"", *(said.text for said in world.visible(reader))}
    assert {each.parent_id for each in listed.sessions} <= {None, *seen}
    paged = [
        world.archivist.sessions.browse(scope=reader, limit=1, offset=place).sessions[0].id
        for place in range(listed.total)
    ]
    assert paged == [each.id for each in listed.sessions]


@settings(deadline=None, max_examples=60)
@given(plan=PLANS, reader=READERS)
def test_every_way_of_asking_shows_just_what_the_reader_may_see(plan, reader):
    with new_world() as world:
        build(world, plan)
        check_search(world, reader)
        check_notices(world, reader)
        check_reading(world, reader)
        check_browsing(world, reader)
