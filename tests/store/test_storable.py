"""A caller's slip is named at the door, and nothing of it is stored."""

import pytest
from msgspec.structs import replace

from archivist.records import Message, Part, SessionStart, ToolCall
from archivist.store import MessageNotStorable

SOUND = Message.user("hello")
CALL = ToolCall("c1", "terminal")


@pytest.mark.parametrize(
    ("slip", "reason"),
    [
        ("hello", "of type str is no Message"),
        (None, "None is no Message"),
        ({"role": "user"}, "of type dict is no Message"),
        (Message.user(None), "its text is None, not str"),
        (Message.user(b"hello"), "its text is of type bytes, not str"),
        (replace(SOUND, speaker=5), "its speaker is of type int, not str or None"),
        (replace(SOUND, client_id=5), "its client_id is of type int, not str or None"),
        (replace(SOUND, reasoning={}), "its reasoning is of type dict, not str or None"),
        (replace(SOUND, created_at="2026-03-20"), "its created_at is of type str, not datetime or None"),
        (replace(SOUND, metadata=[]), "its metadata is of type list, not Mapping"),
        (replace(SOUND, parts=("look",)), "among its parts is of type str, which is no Part"),
        (replace(SOUND, parts=(Part("text", None),)), "its part's text is None, not str"),
        (
            replace(SOUND, parts=(Part("image", data="x"),)),
            "its part's data is of type str, not bytes or None",
        ),
        (
            replace(SOUND, tool_calls=(replace(CALL, arguments={}),)),
            "its tool call's arguments is of type dict",
        ),
        (replace(SOUND, tool_calls=({"id": "c1"},)), "among its tool calls is of type dict"),
        (replace(SOUND, role="robot"), "its role is 'robot'"),
        (replace(SOUND, role=None), "its role is None"),
    ],
)
def test_what_is_no_message_is_refused_with_what_is_wrong(store, slip, reason):
    session = store.start(SessionStart("cli"))
    with pytest.raises(MessageNotStorable) as refused:
        store.append(session, [SOUND, slip])
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert store.counts()["messages"] == 0
