"""Everything can be opened: each find names its source, its words are a part of what is stored, and the rest is one read away."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archivist import Archivist, Message, ToolCall

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
CUT = re.compile(r"\s*…?\s*\[cut[^\]]*\]|…")
WORDS = st.lists(
    st.sampled_from("lantern quay tide 码头 灯塔 oil CI-88213 lib/queue.rs ".split()),
    min_size=1,
    max_size=600,
)


@pytest.fixture(scope="module")
def archivist(tmp_path_factory):
    with Archivist.open(tmp_path_factory.mktemp("home"), clock=lambda: NOW, environ={}) as opened:
        yield opened


def squeezed(text: str) -> str:
    return " ".join(text.split())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=WORDS, query=st.sampled_from(["lantern", "码头", "CI-88213", "lib/queue.rs", "tide oil"]))
def test_a_find_shows_a_verbatim_part_and_says_where_the_rest_is(archivist, words, query):
    session = archivist.sessions.start("test")
    [key] = session.append_many([Message.assistant(" ".join(words))])
    for hit in archivist.sessions.search(query, conversation=session.id, limit=3).hits:
        assert (hit.source.name, hit.source.message_id, hit.conversation_id) == ("test", key, session.id)
        stored = squeezed(" ".join(words))
        for piece in filter(None, map(squeezed, CUT.split(hit.text))):
            assert piece in stored
        if squeezed(hit.text) != stored:
            assert str(key) in hit.text or "…" in hit.text


def test_a_message_of_two_hundred_thousand_characters_is_read_to_its_end_in_pieces(archivist):
    """One tool result of 74,000 characters came back whole: NousResearch/hermes-agent#114344."""
    text = " ".join(f"line{number}" for number in range(25_000))
    session = archivist.sessions.start("test")
    key = session.append(Message.tool(text, call_id="c", name="terminal"))
    read, offset = "", 0
    while offset < len(text):
        [message] = archivist.sessions.read(session.id, around=key, window=0, offset=offset).messages
        assert len(message.text) < 10_000
        piece = re.sub(r"^\[from character [\d,]+\] … ", "", message.text)
        cut = re.search(rf" … \[cut, [\d,]+ more characters: read message {key} from offset (\d+)\]$", piece)
        read += piece[: cut.start()] if cut else piece
        offset = int(cut[1]) if cut else len(text)
    assert read == text


def test_every_message_of_a_find_reads_back_with_its_neighbours(archivist):
    session = archivist.sessions.start("test", title="Neighbours")
    calls = [ToolCall("c1", "terminal", '{"command": "cat 灯塔.txt"}')]
    session.append_many([
        Message.user("where is the beacon file?"),
        Message.assistant("I look.", tool_calls=calls),
        Message.tool("beaconfile found", call_id="c1", name="terminal"),
    ])  # fmt: skip
    [hit] = [hit for hit in archivist.recall("beaconfile").hits if hit.conversation_id == session.id]
    passage = archivist.sessions.read(hit.conversation_id, around=hit.message_id, window=1)
    assert [message.text for message in passage.messages] == ["I look.", "beaconfile found"]
    assert passage.messages[0].tool_calls == tuple(calls)
