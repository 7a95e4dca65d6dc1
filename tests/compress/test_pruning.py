"""What is long and old becomes a line with the id that leads back to it; head and tail stay as they are."""

import base64
import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.compress.histories import PICTURE, said, valid

from archivist import check_messages
from archivist.compress.arguments import WHOLE_CHARS, cut_arguments
from archivist.compress.pruning import prune
from archivist.compress.reading import read_all, tokens_of

LONG = "a line of an output that nobody needs in full\n" * 40


def exchange(key, text, *, name="Read", arguments='{"path": "a.py"}'):
    call = {"id": key, "type": "function", "function": {"name": name, "arguments": arguments}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": key, "content": text},
    ]


def pruned(messages, first=0, end=None):
    return prune(read_all(messages), first, len(messages) if end is None else end)


def test_outputs_that_are_equal_are_kept_once_the_newest():
    messages = [*exchange("a", LONG), *exchange("b", "other"), *exchange("c", LONG)]
    found = pruned(messages, end=4)
    assert found.repeated == 1
    assert "the same output as c" in found.messages[1]["content"]
    assert "a, " in found.messages[1]["content"]
    assert found.messages[5] is messages[5]


def test_every_line_carries_the_id_that_reads_the_original_back():
    messages = [{**message, "archivist_id": 40 + at} for at, message in enumerate(exchange("a", LONG))]
    assert pruned(messages).messages[1]["content"].startswith("[41, 1,840 characters] Read: read a.py")


def test_without_an_id_of_its_own_an_output_is_read_by_its_call_or_its_place():
    twice = [*exchange("a", LONG), *exchange("a", f"{LONG}!")]
    assert [one["content"][:3] for one in pruned(exchange("a", LONG)).messages[1:]] == ["[a,"]
    assert [one["content"][:4] for one in pruned(twice).messages[1::2]] == ["[#1,", "[#3,"]


def test_short_outputs_head_and_tail_stay():
    messages = [*exchange("a", LONG), *exchange("b", "short"), *exchange("c", LONG)]
    found = pruned(messages, first=2, end=4)
    assert found.messages == tuple(messages)
    assert (found.repeated, found.outputs) == (0, 0)


def test_long_arguments_are_cut_inside_valid_json():
    arguments = json.dumps({"path": "a.py", "content": "y" * 5_000, "list": list(range(50))})
    cut = cut_arguments(arguments, "m3")
    value = json.loads(cut)
    assert value["path"] == "a.py"
    assert "more in m3" in value["content"]
    assert "more in m3" in value["list"][-1]
    assert len(cut) < 600


@given(
    st.dictionaries(
        st.text(max_size=8),
        st.recursive(
            st.text(max_size=900) | st.integers() | st.none(),
            lambda inner: st.lists(inner, max_size=9),
            max_leaves=9,
        ),
        max_size=6,
    )
)
def test_cut_arguments_are_an_object_with_the_same_keys_and_never_longer(value):
    arguments = json.dumps(value)
    cut = cut_arguments(arguments, "m3")
    assert json.loads(cut).keys() == value.keys()
    assert len(cut) <= len(arguments)
    assert cut == arguments or len(arguments) > WHOLE_CHARS


def test_arguments_that_are_no_json_become_some_that_are():
    assert json.loads(cut_arguments("{'content': '" + "y" * 2_000, "m3"))["unreadable"].endswith(
        "more in m3]"
    )


def test_reasoning_of_a_message_whose_calls_were_cut_is_left_out():
    call, result = exchange("a", "ok", arguments=json.dumps({"content": "y" * 2_000}))
    signed = {
        **call,
        "thinking_blocks": [{"type": "thinking", "thinking": "x", "signature": "s"}],
        "reasoning_content": "x",
    }
    found = pruned([signed, result])
    assert found.arguments == 1
    assert not {"thinking_blocks", "reasoning_content"} & found.messages[0].keys()


def test_a_picture_becomes_a_line_that_describes_it():
    png = base64.b64encode(
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (640).to_bytes(4) + (480).to_bytes(4) + bytes(300)
    ).decode()
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{png}"}}
    message = {"role": "user", "content": [{"type": "text", "text": "Look."}, picture], "id": "m9"}
    (found,) = pruned([message]).messages
    line = found["content"][1]["text"]
    for kept in ("image/png", "640×480", "m9", "sha256"):
        assert kept in line, kept


def test_a_picture_costs_what_providers_count_not_what_its_bytes_would():
    """NousResearch/hermes-agent#76411: base64 was counted as text, and a conversation was compacted for nothing."""
    heavy = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 400_000}}
    assert tokens_of({"role": "user", "content": [heavy]}) < 3_000


def test_a_long_text_is_estimated_by_samples_nearly_as_it_is_counted_whole():
    """NousResearch/hermes-agent#62605: an estimate that was a third too low let the window overflow."""
    text = "".join(f"第{number}章讲的是历史，and some English words {number}.\n" for number in range(2_000))
    parts = [text[at : at + 1_900] for at in range(0, len(text), 1_900)]
    whole = sum(tokens_of(said("user", part)) - 4 for part in parts)
    assert abs(tokens_of(said("user", text)) - whole) < 0.1 * whole


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(valid(), st.integers(0, 10), st.integers(0, 10))
def test_what_is_pruned_is_as_valid_as_before_and_no_longer(messages, first, left):
    found = pruned(messages, first, max(first, len(messages) - left))
    assert check_messages(found.messages) == check_messages(messages)
    assert len(found.messages) == len(messages)
    assert sum(map(tokens_of, found.messages)) <= sum(map(tokens_of, messages))
    again = pruned(list(found.messages), first, max(first, len(messages) - left))
    assert again.messages == found.messages


def test_pictures_of_the_same_shape_are_told_apart_by_their_hash():
    other = {"type": "image_url", "image_url": {"url": PICTURE["image_url"]["url"].replace("A", "B")}}
    lines = [
        pruned([{"role": "user", "content": [one]}]).messages[0]["content"][0]["text"]
        for one in (PICTURE, other)
    ]
    assert lines[0] != lines[1]
