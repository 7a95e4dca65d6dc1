"""Any mapping at all: every node is counted once, and none stops the others."""

import json

from hypothesis import given
from hypothesis import strategies as st

from archivist.transfer.chatgpt import ChatGpt
from archivist.transfer.containers import Assets
from archivist.transfer.json_stream import decode_element

ids = st.sampled_from("abcdefghijkl")
odd = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=3)
    | st.lists(st.none(), max_size=1)
    | st.just({})
)
texts = st.text(max_size=4)
contents = st.one_of(
    odd,
    st.fixed_dictionaries(
        {
            "content_type": st.sampled_from(
                ["text", "code", "thoughts", "reasoning_recap", "multimodal_text"]
            )
            | odd
        },
        optional={
            "parts": odd | st.lists(texts | st.fixed_dictionaries({"asset_pointer": odd | ids}), max_size=2),
            "text": odd | texts,
            "thoughts": odd,
        },
    ),
)
messages = odd | st.fixed_dictionaries(
    {"content": contents},
    optional={
        "author": odd
        | st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool", "system"]) | odd}),
        "create_time": odd | st.floats(),
        "weight": odd | st.sampled_from([0, 1.0]),
        "recipient": odd | st.sampled_from(["all", "python"]),
        "metadata": odd | st.fixed_dictionaries({"attachments": odd | st.lists(odd, max_size=2)}),
    },
)
nodes = odd | st.fixed_dictionaries(
    {},
    optional={"message": messages, "parent": odd | ids, "children": odd | st.lists(odd | ids, max_size=3)},
)
conversations = st.fixed_dictionaries(
    {"mapping": st.dictionaries(ids, nodes, max_size=10)},
    optional={"id": odd | texts, "current_node": odd | ids, "create_time": odd | st.floats(), "title": odd},
)


@given(conversations)
def test_every_node_is_counted_once_whatever_the_nodes_are(conversation):
    told = decode_element(json.dumps(conversation).encode("utf-8", "replace"))
    session = ChatGpt.kind.read(told, NO_ASSETS)
    messages = list(session.messages)
    assert session.read == len(told["mapping"])
    assert session.read == sum(m.records for m in messages) + sum(session.skipped.values())
    counted = [key for m in messages for key in (*m.source_ids, *m.message.metadata.get("reasoning_ids", ()))]
    assert len(counted) == len(set(counted)) == sum(m.records for m in messages)
    assert all(m.message.created_at.tzinfo for m in messages)
    assert [m.message for m in session.messages] == [m.message for m in messages]


class NoAssets(Assets):
    def find(self, asset_id):
        return None


NO_ASSETS = NoAssets(None, [])
