"""What a request is to a cache: which lists are a beginning of one another, and what is said of those that are not."""

import json
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.prompt.prefix import (
    Break,
    Lister,
    compared,
    packed,
    prefix_of,
    unpacked,
)
from archivist.records.requests import Request, ToolSpec

KEY = b"k" * 32
TEXTS = st.text(max_size=20)
PARTS = st.lists(
    st.one_of(
        st.builds(lambda text: {"type": "text", "text": text}, TEXTS),
        st.just({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}),
    ),
    max_size=3,
)
MESSAGES = st.builds(
    lambda role, content: {"role": role, "content": content},
    st.sampled_from(["user", "assistant", "tool"]),
    st.one_of(TEXTS, PARTS, st.none()),
)
TOOLS = st.builds(lambda name, text: ToolSpec(name, text, {"type": "object"}), TEXTS, TEXTS)
REQUESTS = st.builds(
    lambda tools, system, messages: Request("m", tuple(messages), system, tuple(tools)),
    st.lists(TOOLS, max_size=3),
    TEXTS,
    st.lists(MESSAGES, max_size=8),
)


def asked(*said, system="be brief", tools=("recall", "terminal"), **more):
    specs = tuple(ToolSpec(name, f"does {name}", {"type": "object"}) for name in tools)
    return Request("m", tuple({"role": "user", "content": text} for text in said), system, specs, **more)


def listed(*said, **more):
    return Lister(KEY).blocks(asked(*said, **more))


@given(REQUESTS, st.lists(MESSAGES, max_size=4))
def test_a_request_that_is_only_longer_shares_all_of_the_one_before(request, more):
    longer = Request("m", (*request.messages, *more), request.system, request.tools)
    lister = Lister(KEY)
    first = lister.blocks(request)
    found = compared(first, lister.blocks(longer))
    assert (found.blocks, found.broke) == (len(first), None)
    assert prefix_of(longer)[: len(first)] == prefix_of(request)


@given(REQUESTS, REQUESTS)
def test_what_two_requests_share_is_what_their_lists_begin_with(one, other):
    mine, theirs = prefix_of(one), prefix_of(other)
    wanted = next((n for n, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]), None)
    lister = Lister(KEY)
    found = compared(lister.blocks(one), lister.blocks(other))
    assert found.blocks == (min(len(mine), len(theirs)) if wanted is None else wanted)
    assert (found.broke is None) == (found.blocks == len(mine))


@given(REQUESTS)
def test_a_list_is_the_same_after_it_was_kept_and_however_it_was_made(request):
    blocks = Lister(KEY).blocks(request)
    assert unpacked(packed(blocks)) == blocks
    again = Lister(KEY)
    again.learn(blocks)
    assert again.blocks(request) == blocks


@given(st.binary(max_size=60))
def test_bytes_of_no_list_are_an_empty_one_or_one_of_known_kinds(kept):
    assert all(block.kind in ("tools", "system", "message") for block in unpacked(kept))


@pytest.mark.parametrize(
    ("now", "broke"),
    [
        (listed("a", "b", "c", tools=("recall", "terminal", "web")), Break("tools", 3, "added")),
        (listed("a", "b", "c", tools=("web", "recall", "terminal")), Break("tools", 1, "added")),
        (listed("a", "b", "c", tools=("recall",)), Break("tools", 2, "removed")),
        (listed("a", "b", "c", tools=("terminal",)), Break("tools", 1, "removed")),
        (listed("a", "b", "c", tools=("terminal", "recall")), Break("tools", 1, "reordered")),
        (listed("a", "b", "c", tools=("recall", "shell")), Break("tools", 2, "changed")),
        (listed("a", "b", "c", system="be long"), Break("system", 1, "changed")),
        (listed("a", "b", "c", system=""), Break("system", 1, "removed")),
        (listed("a", "b"), Break("message", 3, "rewound")),
        (listed("a"), Break("message", 2, "rewound")),
        (listed("a", "x"), Break("message", 2, "rewound")),
        (listed("a", "x", "c", "d"), Break("message", 2, "changed")),
        (listed("a", "b", "x", "d", "e"), Break("message", 3, "changed")),
        (listed("a", "c", "d"), Break("message", 2, "removed")),
        (listed("a", "n", "b", "c"), Break("message", 2, "added")),
        (listed("a", "c", "b"), Break("message", 2, "reordered")),
    ],
)
def test_what_broke_a_list_is_named(now, broke):
    assert compared(listed("a", "b", "c"), now).broke == broke


def test_marks_and_thoughts_of_one_turn_are_no_part_of_it():
    said = {"role": "user", "content": [{"type": "text", "text": "a"}]}
    marked = {
        "role": "user",
        "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}],
        "reasoning_content": "hm",
    }
    assert prefix_of(Request("m", (said,))) == prefix_of(Request("m", (marked,)))


def test_signed_thoughts_are():
    said = {"role": "assistant", "content": "a"}
    signed = said | {"thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "s"}]}
    assert prefix_of(Request("m", (said,))) != prefix_of(Request("m", (signed,)))


def test_names_in_another_order_are_other_bytes():
    one, other = ToolSpec("t", "", {"a": 1, "b": 2}), ToolSpec("t", "", {"b": 2, "a": 1})
    assert prefix_of(Request("m", (), tools=(one,))) != prefix_of(Request("m", (), tools=(other,)))


def test_a_schema_that_cannot_be_changed_and_half_a_character_are_taken():
    tool = ToolSpec("t", "\ud83d", MappingProxyType({"type": "object"}))
    assert json.loads(prefix_of(Request("m", (), tools=(tool,)))[0])[1][2] == {"type": "object"}


def test_a_picture_counts_as_one_whatever_its_bytes():
    def size(data):
        part = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
        return Lister().blocks(Request("m", ({"role": "user", "content": [part]},)))[0].tokens

    assert size("A" * 200_000) == size("A") > 1_000


def test_another_key_gives_other_digests():
    one, other = Lister(b"a").blocks(asked("yes")), Lister(b"b").blocks(asked("yes"))
    assert not {block.digest for block in one} & {block.digest for block in other}
