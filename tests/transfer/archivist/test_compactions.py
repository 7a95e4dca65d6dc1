"""A conversation with compactions is the same one in another home: what its model sees, what stands for what, what can be taken back."""

import pytest

from archivist import Message
from archivist.records import Part, ToolCall
from archivist.store.citations import renamed_in
from archivist.store.compacting import Compaction, Sent
from archivist.store.compactions import Compactions

ENGINES = ["jsonl", "json"]


def compactions(home):
    return Compactions(home._store, home._world)


def compact(home, session, *, keep, shortened=(), told="what was said"):
    """Let a summary stand for all but the last messages; those shortened keep their places, with what is sent for them."""
    tip, seen = compactions(home).context(session)
    ids = [one.id for one in seen]
    sent = {one.message: one for one in shortened}
    tail = tuple(sent.get(key, Sent(key)) for key in ids[len(ids) - keep :])
    summary = Message("user", told, client_id=f"summary of {tip}")
    return compactions(home).compact(tip, Compaction(tuple(ids), (), summary, tail, metadata={"after": keep}))


def seen(home, session):
    return [
        (one.client_id, one.text, one.parts, one.tool_calls, one.state)
        for one in home.sessions.get(session).messages("context")
    ]


def said(home, session):
    return [
        (one.client_id, one.text, one.parts, one.state, one.digest)
        for one in home.sessions.get(session).messages("all")
    ]


def named(home, session):
    """What the numbers mean by which a session's summary names messages, where they are not their ids."""
    return home._store.read(lambda db: renamed_in(db, summary(home, session)))


def client_key(home, client_id):
    return next(one.id for one in home.sessions.get("root").messages("all") if one.client_id == client_id)


def client_ids(home, keys):
    db = home._store.reader()
    return [db.execute("SELECT client_id FROM messages WHERE id = ?", (key,)).get for key in keys]


def summary(home, session):
    """The id of the summary that a session's compaction wrote."""
    return next(
        one.id
        for one in home.sessions.get(session).messages("all")
        if one.session_id == session and one.metadata.get("summary")
    )


@pytest.fixture
def long_one(homes, tools):
    """A conversation that was compacted three times and restored once, with a fork; behind another one, so that ids differ elsewhere."""
    home = homes.new()
    home.sessions.start("cli").append(Message.user("another conversation"))
    tools.begin(home, "root", title="Plans")
    picture = Part("image", media_type="image/png", data=b"png")
    call = ToolCall("c1", "write", '{"text":"long long"}')
    home._store.append(
        "root",
        [
            Message.user("the harbour", client_id="u1", parts=[picture]),
            Message.assistant("", client_id="a1", tool_calls=[call]),
            Message.tool("a long output", client_id="r1", call_id="c1", name="write"),
            Message.user("the lantern", client_id="u2"),
            Message.assistant("lit", client_id="a2"),
        ],
    )
    names = {one.client_id: one.id for one in home.sessions.get("root").messages("all")}
    shortened = [
        Sent(names["u1"], parts=(Part("text", "[a picture]"),)),
        Sent(names["a1"], tool_calls=(ToolCall("c1", "write", '{"text":"l…"}'),)),
        Sent(names["r1"], "[written]"),
    ]
    fork = home.sessions.fork("root", title="Other plans").id
    lines = [compact(home, "root", keep=5, shortened=shortened)]
    home.sessions.get("root").append(Message.user("the quay", client_id="u3"))
    lines.append(compact(home, "root", keep=2, told=f"[{names['u1']}] the harbour"))
    home.sessions.get("root").append(Message.user("the tide", client_id="u4"))
    lines.append(compact(home, "root", keep=1, told=f"[{names['u1']}] still the harbour"))
    return home, lines, fork


@pytest.mark.parametrize("kind", ENGINES)
def test_every_session_shows_its_model_the_same(homes, long_one, kind):
    home, lines, fork = long_one
    other, path, report = homes.moved(home, kind)
    assert report.imported == report.read == 11
    for session in ["root", *lines, fork]:
        assert seen(other, session) == seen(home, session)
        assert said(other, session) == said(home, session)
    assert homes.export(other, kind).read_bytes() == path.read_bytes()
    assert other.verify().problems == ()


def test_what_summaries_stand_for_and_how_they_name_it_comes_along(homes, long_one):
    home, lines, _ = long_one
    other, *_ = homes.moved(home)
    first = home.sessions.get("root").messages("all")[0].id
    for session in lines[1:]:
        stood = [compactions(one).stands_for(summary(one, session)) for one in (home, other)]
        assert client_ids(other, stood[1]) == client_ids(home, stood[0])
        assert client_ids(other, [first]) != ["u1"]
        assert client_ids(other, named(other, session).values()) == ["u1"]
        assert list(named(other, session)) == [first]
        assert named(home, session) == {}


def test_numbers_mean_the_same_in_a_third_home_whoever_wrote_them(homes, long_one):
    home, lines, _ = long_one
    first = home.sessions.get("root").messages("all")[0].id
    other, *_ = homes.moved(home)
    here = other.sessions.get("root").messages("all")[0].id
    other.sessions.get("root").append(Message.user("the mole", client_id="u5"))
    newest = compact(other, "root", keep=1, told=f"[{here}] the harbour, once more")
    third = homes.new()
    third.sessions.start("cli").append_many([Message.user(f"filler {number}") for number in range(5)])
    third.import_history(homes.export(other))
    for session, number in ((lines[2], first), (newest, here)):
        assert {number: client_ids(third, [key]) for number, key in named(third, session).items()} == {
            number: ["u1"]
        }


def test_it_is_restored_there_as_here(homes, long_one):
    home, lines, _ = long_one
    other, *_ = homes.moved(home)
    for named in ({}, {}, {"compaction": lines[0]}):
        for one in (home, other):
            compactions(one).restore("root", **named)
        assert seen(other, "root") == seen(home, "root")
    assert [row[1] for row in seen(other, "root")] == [
        "the harbour",
        "",
        "a long output",
        "the lantern",
        "lit",
        "the quay",
        "the tide",
    ]
    assert seen(other, "root")[0][2][0].kind == "image"
    assert other.verify().problems == ()
    third, *_ = homes.moved(other)
    assert seen(third, "root") == seen(other, "root")
    third.sessions.undo("root", to=client_key(third, "u4"))
    other.sessions.undo("root", to=client_key(other, "u4"))
    assert seen(third, "root") == seen(other, "root")
