"""Reading conversations: bounded, continued, and only what the reader may see."""

import sys
from datetime import UTC, datetime, timedelta

import pytest

from archivist.recall.reading import (
    MESSAGE_CHARS,
    PASSAGE_CHARS,
    AmbiguousSession,
    UnknownMessage,
    browse,
    read,
)
from archivist.records import EVERYTHING, Person, Scope
from archivist.store.messages import set_states
from archivist.store.sessions import UnknownSession

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)


def read_it(archive, name, **asked):
    return read(archive.store.reader(), name, **{"reader": EVERYTHING, **asked})


def test_a_short_conversation_is_read_whole(archive):
    session = archive.begin()
    keys = archive.say("one", "two", "three", session=session)
    passage = read_it(archive, session)
    assert [message.id for message in passage.messages] == keys
    assert (passage.before, passage.after, passage.notices) == (0, 0, ())
    assert passage.messages[0].created_at.tzinfo is not None


def test_a_conversation_is_read_by_its_sources_id_and_by_the_beginning_of_its_id(archive):
    session = archive.begin(name="20260101-aaa", external_id="abc-external")
    archive.begin(name="20260101-bbb")
    archive.say("hello", session=session)
    for name in ("abc-external", "20260101-a", "20260101-aaa"):
        assert read_it(archive, name).session.id == session
    with pytest.raises(AmbiguousSession, match="20260101-bbb"):
        read_it(archive, "20260101")


@pytest.mark.parametrize("name", ["", "nothing", "%", "session-_001"])
def test_an_unknown_conversation_is_named(archive, name):
    archive.begin()
    with pytest.raises(UnknownSession):
        read_it(archive, name)


def test_a_long_conversation_is_read_page_by_page_without_a_hole(archive):
    session = archive.begin()
    keys = archive.say(*(f"message {number} " + "z" * 500 for number in range(100)), session=session)
    seen = []
    while True:
        passage = read_it(archive, session, offset=len(seen))
        assert passage.before == len(seen)
        seen += [message.id for message in passage.messages]
        assert passage.before + len(passage.messages) + passage.after == len(keys)
        if not passage.after:
            break
        (notice,) = passage.notices
        assert notice.code == "truncated"
        assert f"messages {len(seen) + 1} to 100" in notice.text
        assert f"offset {len(seen)}" in notice.text
    assert seen == keys
    assert passage.notices == ()


def test_many_short_messages_fill_a_page_too(archive):
    session = archive.begin()
    archive.say(*("k" for _ in range(600)), session=session)
    passage = read_it(archive, session)
    assert 100 < len(passage.messages) < 300


def test_a_conversation_is_read_whole_where_no_cap_is_set(archive):
    session = archive.begin()
    texts = [f"{number} " + "w" * 9_000 for number in range(120)]
    archive.say(*texts, session=session)
    passage = read_it(archive, session, passage_chars=sys.maxsize, message_chars=sys.maxsize)
    assert [message.text for message in passage.messages] == texts
    assert (passage.before, passage.after, passage.notices) == (0, 0, ())


def test_the_beginning_of_an_id_means_a_conversation_with_all_its_sub_agents(archive):
    root = archive.begin(name="abcd-1")
    for number in range(2):
        archive.begin(name=f"abcd-1/agent-{number}", parent_id=root, link="subagent")
    archive.begin(name="abcx-2")
    assert read_it(archive, "abcd").session.id == root
    assert read_it(archive, "abcd-1/agent-1").session.id == "abcd-1/agent-1"
    with pytest.raises(AmbiguousSession, match=r"2 sessions \(abcx-2, abcd-1\)"):
        read_it(archive, "abc")


def test_numbers_beyond_every_message_are_answered(archive):
    session = archive.begin()
    (key,) = archive.say("only", session=session)
    for around in (10**30, -(10**30), 0):
        with pytest.raises(UnknownMessage):
            read_it(archive, session, around=around)
    assert read_it(archive, session, offset=10**30).before == 1
    assert len(read_it(archive, session, offset=-(10**30)).messages) == 1
    assert len(read_it(archive, session, around=key, window=10**30).messages) == 1
    assert browse(archive.store.reader(), reader=EVERYTHING, limit=10**30, offset=10**30).total == 1


def test_browsing_a_program_that_nobody_used_says_which_there_are(archive):
    archive.begin("cli")
    archive.begin("hidden-one", scope=Scope(chat="kitchen"))
    listed = browse(archive.store.reader(), reader=Person("owner"), source="slack")
    (notice,) = listed.notices
    assert notice.code == "unknown-source"
    assert "cli" in notice.text
    assert "hidden-one" not in notice.text


def test_a_message_of_200_kb_is_read_piece_by_piece(archive):
    """NousResearch/hermes-agent#114344: 74,000 characters of one tool result came back at once."""
    session = archive.begin()
    text = "".join(f"{number:06d} " for number in range(29_000))
    (key,) = archive.say(text, session=session)
    first = read_it(archive, session).messages[0]
    assert len(first.text) < MESSAGE_CHARS + 200
    assert f"read message {key} from offset {MESSAGE_CHARS}" in first.text
    pieces, offset = [], 0
    while offset < len(text):
        (piece,) = read_it(archive, session, around=key, window=0, offset=offset).messages
        body = piece.text.split(" … ", 1)[1] if offset else piece.text
        pieces.append(body.split(" … [cut")[0])
        offset += MESSAGE_CHARS
    assert "".join(pieces) == text


def test_a_passage_is_bounded_however_long_its_messages_are(archive):
    session = archive.begin()
    archive.say(*("x" * 50_000 for _ in range(200)), session=session)
    assert sum(len(message.text) for message in read_it(archive, session).messages) < 1.2 * PASSAGE_CHARS


def test_a_session_that_reads_itself_again_and_again_grows_little(archive):
    """EKKOLearnAI/hermes-studio#2028: a session grew to five million characters by reading itself."""
    session = archive.begin()
    archive.say(*(f"remark {number} " + "y" * 3_000 for number in range(40)), session=session)
    sizes = []
    for _ in range(5):
        text = "\n".join(message.text for message in read_it(archive, session).messages)
        sizes.append(len(text))
        archive.say(text, session=session)
    assert max(sizes) < 1.3 * PASSAGE_CHARS


def test_a_window_around_a_message_says_what_stands_beyond(archive):
    session = archive.begin()
    keys = archive.say(*(f"message {number}" for number in range(30)), session=session)
    passage = read_it(archive, session, around=keys[10], window=3)
    assert [message.id for message in passage.messages] == keys[7:14]
    assert (passage.before, passage.after) == (7, 16)
    edge = read_it(archive, session, around=keys[0], window=3)
    assert (edge.before, len(edge.messages)) == (0, 4)


def test_a_message_of_another_conversation_is_not_shown(archive):
    session = archive.begin()
    archive.say("here", session=session)
    (other,) = archive.say("elsewhere")
    for message in (other, 9_999):
        with pytest.raises(UnknownMessage):
            read_it(archive, session, around=message)


def test_what_is_out_of_scope_is_not_there(archive):
    group = archive.begin(scope=Scope(chat="kitchen"))
    (key,) = archive.say("secret soup", session=group)
    own = archive.begin()
    archive.say("mine", session=own)
    with pytest.raises(UnknownSession):
        read_it(archive, group, reader=Person("owner"))
    with pytest.raises(UnknownMessage):
        read_it(archive, own, around=key, reader=Person("owner"))
    listed = browse(archive.store.reader(), reader=Person("owner"))
    assert ([session.id for session in listed.sessions], listed.total) == ([own], 1)


def test_undone_messages_are_not_read_unless_asked_for_by_id(archive):
    session = archive.begin()
    keys = archive.say("kept", "taken back", session=session)
    archive.store.write(lambda db: set_states(db, [(keys[1], "undone")]))
    assert [message.id for message in read_it(archive, session).messages] == keys[:1]
    assert keys[1] in [message.id for message in read_it(archive, session, around=keys[1]).messages]


def test_terminal_escapes_are_not_shown(archive):
    session = archive.begin()
    archive.say("\x1b[31mred\x1b[0m alert\x07", session=session)
    assert read_it(archive, session).messages[0].text == "red alert"


def test_browsing_lists_roots_by_last_activity_with_a_preview(archive):
    first = archive.begin(title="first")
    second = archive.begin()
    archive.say("how do I prune roses in spring " * 10, session=second, at=NOW - timedelta(days=5))
    archive.say("hello", session=first, at=NOW - timedelta(days=1))
    archive.begin(parent_id=first, link="subagent")
    child = archive.begin(parent_id=second, link="compaction")
    listed = browse(archive.store.reader(), reader=EVERYTHING, limit=1)
    assert listed.total == 2
    rest = browse(archive.store.reader(), reader=EVERYTHING, limit=5, offset=0)
    assert {session.id for session in rest.sessions} == {first, child}
    (tip,) = [session for session in rest.sessions if session.id == child]
    assert tip.conversation_id == second
    assert rest.previews[child].startswith("how do I prune roses")
    assert len(rest.previews[child]) <= 80


def test_a_sources_own_facts_stay_beside_the_preview(archive):
    session = archive.begin(metadata={"preview": "the source's own"})
    archive.say("prune roses", session=session)
    empty = archive.begin()
    listed = browse(archive.store.reader(), reader=EVERYTHING)
    assert dict(listed.previews) == {session: "prune roses", empty: ""}
    (record,) = [each for each in listed.sessions if each.id == session]
    assert record.metadata == {"preview": "the source's own"}


def test_browsing_asks_no_more_queries_for_more_conversations(archive):
    asked = []
    reader = archive.store.reader()
    counts = []
    for _ in range(2):
        for number in range(5):
            archive.say(f"hello {number}")
        asked.clear()
        reader.exec_trace = lambda cursor, statement, bindings: asked.append(statement) or True
        assert len(browse(reader, reader=EVERYTHING).previews) >= 5
        reader.exec_trace = None
        counts.append(len(asked))
    assert counts[0] == counts[1] < 12
