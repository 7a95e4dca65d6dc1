"""What waits for its owner is kept once, seen by whom it is about, and costs nothing else when it is damaged."""

from datetime import timedelta

import msgspec
import pytest
from tests.conftest import NOON

from archivist.records import EVERYTHING, OWNER, Message, Person, Scope, SessionStart
from archivist.records.notes import HOME_SCOPE, Quote
from archivist.records.proposals import Asker, Evidence, Kept, Proposal, ProposedOperation, SeenEntry, Waiting
from archivist.store.deleting import delete_sessions, members_of
from archivist.store.migrating import migrate
from archivist.store.proposals import (
    MOST_BYTES,
    MOST_OPEN,
    ReviewFull,
    decide,
    drop_unreadable,
    file,
    keep,
    looked,
    proposal,
    proposals,
    unreadable,
    waiting,
)
from archivist.store.schema import MIGRATIONS
from archivist.store.scopes import visible_scopes
from archivist.store.sessions import find_session


def made(name="p1", *, scope=HOME_SCOPE, same=None, expires_at=NOON + timedelta(90), quotes=(), at=NOON):
    seen = (SeenEntry("e1", "用户喜欢茶", NOON), SeenEntry("e2", "用户讨厌茶", NOON))
    return Proposal(
        id=name,
        kind="contradiction",
        target="user",
        operations=(ProposedOperation("close", "e1", by="e2"),),
        evidence=Evidence(seen, tuple(quotes)),
        reason="e2 says the opposite",
        made_at=at,
        same=same or name,
        scope=scope,
        expires_at=expires_at,
    )


def filed(store, *wanted):
    return [store.write(lambda db, one=one: file(db, one)) for one in wanted]


def seen(store, reader=EVERYTHING, *, now=NOON, state="open"):
    return store.read(lambda db: proposals(db, visible_scopes(db, reader), now=now, state=state))


def one(store, name, reader=EVERYTHING, now=NOON):
    return store.read(lambda db: proposal(db, name, visible_scopes(db, reader), now=now))


def test_it_comes_back_as_it_was_filed(store, open_store):
    filed(store, made(scope=Scope(project="tide")))
    store.close()
    again = open_store()
    assert seen(again) == [made(scope=Scope(project="tide"))]
    assert again.verify().problems == ()


def test_the_same_is_filed_once_whatever_became_of_it(store):
    assert filed(store, made("p1", same="x"), made("p2", same="x"), made("p3", same="y")) == [
        True,
        False,
        True,
    ]
    store.write(lambda db: decide(db, made("p1", same="x"), "rejected", now=NOON))
    assert filed(store, made("p4", same="x")) == [False]
    assert [proposal.id for proposal in seen(store)] == ["p3"]


def test_each_reader_sees_what_is_about_theirs(store):
    filed(
        store,
        made("home", scope=OWNER),
        made("project", scope=Scope(project="tide")),
        made("ann", scope=Scope(user="ann")),
        made("group", scope=Scope(chat="g")),
    )
    assert {proposal.id for proposal in seen(store)} == {"home", "project", "ann", "group"}
    assert {proposal.id for proposal in seen(store, Person("owner"))} == {"home", "project"}
    assert {proposal.id for proposal in seen(store, Scope(user="bob", chat="g"))} == {"group"}
    assert one(store, "ann", Person("owner")) is None


def test_it_expires_by_its_time_alone(store):
    filed(store, made("p1"), made("p2", expires_at=None))
    later = NOON + timedelta(90)
    assert [proposal.id for proposal in seen(store, now=later)] == ["p2"]
    assert one(store, "p1", now=later).state == "expired"
    assert store.read(lambda db: waiting(db, later)).open == 1
    assert store.read(lambda db: waiting(db, NOON)).open == 2


def test_what_expires_soon_and_what_has_expired_since_somebody_looked_is_counted(store):
    filed(store, made("p1"), made("p2", expires_at=NOON + timedelta(10)), made("p3", expires_at=None))
    assert store.read(lambda db: waiting(db, NOON)) == Waiting(3, 0, 0)
    assert store.read(lambda db: waiting(db, NOON + timedelta(3))) == Waiting(3, 1, 0)
    expired = NOON + timedelta(10)
    assert store.read(lambda db: waiting(db, expired)) == Waiting(2, 0, 1)
    store.write(lambda db: looked(db, expired))
    assert store.read(lambda db: waiting(db, expired)) == Waiting(2, 0, 0)
    assert store.read(lambda db: waiting(db, NOON + timedelta(91))) == Waiting(1, 0, 1)
    assert store.read(lambda db: waiting(db, NOON + timedelta(91), frozenset())) == Waiting()


def test_of_two_decisions_one_is_first(store):
    filed(store, made())
    found = one(store, "p1")
    assert store.write(lambda db: decide(db, found, "accepted", now=NOON, change="c1"))
    assert not store.write(lambda db: decide(db, found, "rejected", now=NOON))
    accepted = one(store, "p1")
    assert (accepted.state, accepted.change, accepted.decided_at) == ("accepted", "c1", NOON)
    assert store.write(lambda db: decide(db, accepted, "open", now=NOON))
    assert one(store, "p1") == made()


def test_what_waits_already_or_was_rejected_is_named_and_what_was_accepted_waits_anew(store):
    kept = [store.write(lambda db, name=name: keep(db, made(name, same="x"))) for name in ("p1", "p2")]
    assert kept == [Kept("p1", "open")] * 2
    store.write(lambda db: decide(db, one(store, "p1"), "rejected", now=NOON))
    assert store.write(lambda db: keep(db, made("p3", same="x"))) == Kept("p1", "rejected")
    store.write(lambda db: decide(db, one(store, "p1"), "open", now=NOON))
    store.write(lambda db: decide(db, one(store, "p1"), "accepted", now=NOON, change="c1"))
    assert store.write(lambda db: keep(db, made("p4", same="x"))) == Kept("p4", "open")
    assert store.write(lambda db: keep(db, made("p5", same="x"))) == Kept("p4", "open")
    store.write(lambda db: decide(db, one(store, "p4"), "accepted", now=NOON, change="c2"))
    assert store.write(lambda db: keep(db, made("p6", same="x"))) == Kept("p6", "open")


def test_what_had_expired_waits_anew_where_it_is_asked_for_again(store):
    filed(store, made(expires_at=NOON))
    assert seen(store) == []
    assert store.write(lambda db: keep(db, made("p2", same="p1"))) == Kept("p1", "open")
    assert [proposal.id for proposal in seen(store)] == ["p1"]


def test_the_words_of_a_deleted_conversation_leave_who_asked_too(store):
    session = store.start(SessionStart("cli", scope=OWNER))
    (key,) = store.append(session, [Message.user("ich hasse Tee")])
    source = Quote("ich hasse Tee", key, session)
    write = msgspec.structs.replace(
        made(),
        kind="write",
        evidence=Evidence(asker=Asker("agent", OWNER, session, (source,)), waits="approval"),
    )
    filed(store, write)
    assert one(store, "p1") == write
    conversation = store.read(lambda db: find_session(db, session).conversation)
    store.write(lambda db: delete_sessions(db, members_of(db, conversation)))
    assert one(store, "p1").evidence.asker.sources == ()


def test_the_words_of_a_deleted_conversation_leave_it(store):
    session = store.start(SessionStart("cli", scope=OWNER))
    (key,) = store.append(session, [Message.user("ich hasse Tee")])
    kept = Quote("elsewhere", 7, "other")
    filed(store, made(quotes=[Quote("ich hasse Tee", key, session), kept]))
    conversation = store.read(lambda db: find_session(db, session).conversation)
    store.write(lambda db: delete_sessions(db, members_of(db, conversation)))
    assert one(store, "p1").evidence.quotes == (kept,)


@pytest.mark.parametrize("column", ["operations", "evidence"])
def test_one_that_cannot_be_read_is_named_and_dropped_after_damage(store, column):
    filed(store, made("p1"), made("p2"))
    store.write(lambda db: db.execute(f"UPDATE proposals SET {column} = '[{{' WHERE id = 'p1'"))
    assert store.read(lambda db: list(unreadable(db))) == ["p1"]
    assert "proposal p1 cannot be read" in store.verify().problems
    store.write(drop_unreadable)
    assert [proposal.id for proposal in seen(store)] == ["p2"]


def test_what_is_of_no_scope_or_state_is_named_and_dropped(store):
    filed(store, made("p1"), made("p2"), made("p3"))
    store.write(lambda db: db.execute("UPDATE proposals SET state = 'perhaps' WHERE id = 'p1'"))
    assert "proposal p1 has a state that there is none of" in store.verify().problems
    store.write(drop_unreadable)
    assert [proposal.id for proposal in seen(store)] == ["p2", "p3"]


def test_a_salvage_gives_it_back(store, open_store, tmp_path):
    from tests.damage import spoil

    session = store.start(SessionStart("cli"))
    store.append(session, [Message.user(f"message {n} " + "x" * 300) for n in range(40)])
    filed(store, made())
    store.close()
    spoil(tmp_path / "state.db", 1)
    assert seen(open_store()) == [made()]


def test_a_database_of_the_third_schema_takes_them(tmp_path, open_store):
    import apsw

    path = tmp_path / "state.db"
    db = apsw.Connection(str(path))
    migrate(db, path, program="0.1.0", store_id="third", migrations=MIGRATIONS[:3])
    db.execute("INSERT INTO uses(entry, at, kind) VALUES('e1', 5, 'used')")
    db.close()
    store = open_store()
    assert filed(store, made()) == [True]
    assert store.read(lambda db: db.execute("SELECT entry FROM uses").get) == "e1"
    assert msgspec.json.decode(store.read(lambda db: db.execute("SELECT evidence FROM proposals").get))[
        "entries"
    ]


def test_halves_of_characters_are_replaced_and_nothing_else(store):
    quote = Quote("half \ud800 a character, \u202e and \x00", place="web:\udcff")
    asker = Asker("agent", Scope(project="/srv/\udcff"), None, (quote,))
    write = msgspec.structs.replace(
        made(quotes=[quote]),
        kind="write",
        evidence=Evidence((), (quote,), asker, "quarantine"),
        operations=(ProposedOperation("add", content="用户喜欢茶", target="user"),),
    )
    assert store.write(lambda db: keep(db, write)) == Kept("p1", "open")
    found = one(store, "p1")
    assert found.evidence.quotes[0].text == "half \ufffd a character, \u202e and \x00"
    assert found.evidence.asker.scope == Scope(project="/srv/\ufffd")
    assert found.operations == write.operations


def asked_by(origin, name, *, scope=HOME_SCOPE, text="the port is 6390"):
    add = ProposedOperation("add", content=text, target="memory")
    return msgspec.structs.replace(
        made(name, scope=scope), kind="write", operations=(add,), evidence=Evidence(asker=Asker(origin))
    )


def test_no_more_waits_of_one_origin_in_one_place_than_somebody_would_read(store):
    """Nothing is dropped for it: who asks is told, and so is the owner."""
    filed(store, *(asked_by("agent", f"p{number}") for number in range(MOST_OPEN)))
    with pytest.raises(ReviewFull, match=r"as many writes by agent .*`archivist review list`"):
        store.write(lambda db: keep(db, asked_by("agent", "q")))
    assert len(seen(store)) == MOST_OPEN
    again = store.write(lambda db: keep(db, asked_by("agent", "p0")))
    assert again == Kept("p0", "open")
    for one_more in (
        asked_by("web", "r1"),
        asked_by("agent", "r2", scope=Scope(project="tide")),
        made("r3"),
    ):
        assert store.write(lambda db, one=one_more: keep(db, one)).state == "open"
    found = store.read(lambda db: waiting(db, NOON))
    assert found.full == ("agent",)
    assert "no more writes by agent can wait until you decide" in found.text
    store.write(lambda db: decide(db, asked_by("agent", "p0"), "rejected", now=NOON))
    assert store.write(lambda db: keep(db, asked_by("agent", "q"))).state == "open"


def test_contradictions_are_no_more_than_that_either(store):
    filed(store, *(made(f"p{number}") for number in range(MOST_OPEN)))
    with pytest.raises(ReviewFull, match="as many contradictions"):
        filed(store, made("q"))
    assert store.read(lambda db: waiting(db, NOON)).full == ("",)


def test_what_has_expired_takes_no_room(store):
    early = NOON + timedelta(days=100)
    filed(store, *(asked_by("agent", f"p{number}") for number in range(MOST_OPEN)))
    late = msgspec.structs.replace(
        asked_by("agent", "q"), made_at=early, expires_at=early + timedelta(days=90)
    )
    assert filed(store, late) == [True]


def test_one_long_text_may_wait_and_not_many(store):
    long = "x" * (MOST_BYTES // 2 + 1)
    filed(store, asked_by("agent", "p1", text=long + long))
    with pytest.raises(ReviewFull):
        filed(store, asked_by("agent", "p2", text=long))


def test_what_expires_is_told_also_where_the_clock_was_ahead_when_the_owner_looked(store):
    filed(store, made("p1"))
    store.write(lambda db: looked(db, NOON + timedelta(days=700)))
    assert store.read(lambda db: waiting(db, NOON + timedelta(days=91))) == Waiting(expired=1)
