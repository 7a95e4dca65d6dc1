"""Files that were cut, overwritten or filled with noise: never an exception, and the counts add up."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from archivist.transfer import import_history

CUT = st.tuples(st.integers(0, 10_000), st.integers(0, 60), st.binary(max_size=40))


def written(kit):
    made = kit.Transcript()
    made.person("why is the table flaky?")
    made.answer("r1", "I look.", kit.call("t1", command="pytest -q"))
    made.result("t1", [{"type": "text", "text": "1 failed"}])
    made.answer("r2", {"type": "thinking", "thinking": "hm", "signature": "x"}, "the clock: 写作")
    made.chained("system", subtype="compact_boundary", parent=None, logicalParentUuid=made.last)
    made.person([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}])
    made.line(type="custom-title", customTitle="A title")
    return made


def imported(kit, content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.jsonl"
        path.write_bytes(content)
        memory = kit.Memory()
        report = import_history(path, memory, format="claude-code")
        assert report.read == report.imported + report.skipped
        assert report.read == sum(bool(line.strip()) for line in content.split(b"\n"))
        assert not report.problems
        assert import_history(path, memory, format="claude-code").changed_nothing
        return memory


@settings(max_examples=200, deadline=None)
@given(cuts=st.lists(CUT, min_size=1, max_size=4))
def test_damage_anywhere_is_counted_and_survived(kit, cuts):
    content = written(kit).bytes()
    for place, length, noise in cuts:
        at = place % (len(content) + 1)
        content = content[:at] + noise + content[at + length :]
    imported(kit, content)


@settings(max_examples=100, deadline=None)
@given(content=st.binary(max_size=400))
def test_noise_gives_nothing_and_harms_nothing(kit, content):
    assert not imported(kit, content).messages


@settings(max_examples=100, deadline=None)
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["type", "text", "content", "id", "source", "data", "tool_use_id", "input"]),
                inner,
            )
        ),
        max_leaves=12,
    )
)
def test_content_of_any_shape_is_counted(kit, value):
    made = kit.Transcript()
    made.person(value)
    made.answer("r1", "beside", {"type": "tool_use", "input": value, "id": value})
    made.chained("user", message=value)
    made.person([value, {"type": "tool_result", "content": value, "tool_use_id": value}])
    made.person("words")
    assert "words" in [message.text for _, message in imported(kit, made.bytes()).messages.values()]
