"""A history that grows gives the same in the end, wherever it was cut; nothing is lost or doubled."""

import os
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.transfer.claude_code.author import STEPS, written

from archivist.transfer import import_history


def imported(path, memory, *, now=None):
    if now:
        os.utime(path, (now.timestamp(), now.timestamp()))
    report = import_history(path, memory, format="claude-code", now=now)
    assert report.read == report.imported + report.skipped
    assert not report.problems
    return report


@settings(max_examples=150, deadline=None)
@given(steps=STEPS, data=st.data())
def test_growing_by_any_steps_ends_as_the_whole_file_does(kit, steps, data):
    made = written(kit, steps)
    whole = made.bytes()
    lines = [0]
    for line in made.lines:
        lines.append(lines[-1] + len(line) + 1)
    boundaries = st.lists(st.sampled_from(lines) | st.integers(0, len(whole)), max_size=6)
    now = kit.BEGIN + timedelta(seconds=made.number + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{kit.SESSION}.jsonl"
        grown, once = kit.Memory(), kit.Memory()
        for cut in sorted(data.draw(boundaries)):
            path.write_bytes(whole[:cut])
            imported(path, grown, now=now)
        path.write_bytes(whole)
        imported(path, grown, now=now)
        imported(path, grown)
        imported(path, once)
        assert grown.everything() == once.everything()
        again = imported(path, grown)
        assert again.changed_nothing
        assert again.files_unchanged == 1


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_growing_line_by_line_ends_as_the_whole_file_does(kit, steps):
    made = written(kit, steps)
    now = kit.BEGIN + timedelta(seconds=made.number + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{kit.SESSION}.jsonl"
        grown, once = kit.Memory(), kit.Memory()
        for line in made.lines:
            with path.open("ab") as file:
                file.write(line + b"\n")
            imported(path, grown, now=now)
        imported(path, grown)
        imported(path, once)
        assert grown.everything() == once.everything()


@settings(max_examples=60, deadline=None)
@given(steps=STEPS, hasty=st.lists(st.booleans(), min_size=1))
def test_lines_of_a_response_taken_too_early_are_neither_lost_nor_doubled(kit, steps, hasty):
    """Taken as it stands whenever `hasty` says so, as after a long pause in the middle of a response."""
    made = written(kit, steps)
    now = kit.BEGIN + timedelta(seconds=made.number + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{kit.SESSION}.jsonl"
        grown, once = kit.Memory(), kit.Memory()
        for number, line in enumerate(made.lines):
            with path.open("ab") as file:
                file.write(line + b"\n")
            imported(path, grown, now=None if hasty[number % len(hasty)] else now)
        imported(path, grown)
        imported(path, once)
        assert said(grown) == said(once)
        assert grown.usage == once.usage


def said(memory):
    """Every source line with its state, every text line, every call: however they were put together."""
    counted = Counter()
    for message in (message for _, message in memory.messages.values()):
        counted.update((key, message.role, message.state) for key in message.metadata["source_ids"])
        counted.update(message.text.split("\n") if message.text else [])
        counted.update(message.tool_calls)
    return counted


def test_an_answer_is_imported_as_soon_as_it_has_ended(transcript, tmp_path, memory, kit):
    transcript.person("hello")
    transcript.answer("r1", "hi there", stop="end_turn")
    now = kit.BEGIN + timedelta(seconds=3)
    report = imported(transcript.write(tmp_path), memory, now=now)
    assert [m.text for m in memory.of()] == ["hello", "hi there"]
    assert report.skipped == 0


def test_a_response_under_way_waits_until_it_has_ended_or_the_file_is_quiet(
    transcript, tmp_path, memory, kit
):
    transcript.person("hello")
    transcript.answer("r1", "let me see")
    path = transcript.write(tmp_path)
    soon, later = kit.BEGIN + timedelta(seconds=3), kit.BEGIN + timedelta(hours=1)
    report = imported(path, memory, now=soon)
    assert [m.text for m in memory.of()] == ["hello"]
    assert report.reasons == {"held back: the response is still being written": 1}
    imported(path, memory, now=later)
    assert [m.text for m in memory.of()] == ["hello", "let me see"]


@pytest.mark.parametrize("hours", [-1, 1])
def test_times_far_from_now_are_no_sign_of_a_response_under_way(transcript, tmp_path, memory, kit, hours):
    transcript.answer("r1", "let me see")
    path = transcript.write(tmp_path)
    os.utime(path, (kit.BEGIN.timestamp(), kit.BEGIN.timestamp()))
    import_history(path, memory, now=kit.BEGIN + timedelta(hours=hours))
    assert [m.text for m in memory.of()] == ["let me see"]


def test_what_a_program_adds_to_an_ended_response_becomes_a_further_message(
    transcript, tmp_path, memory, kit
):
    transcript.person("hello")
    transcript.answer("r1", "first part", stop="end_turn")
    now = kit.BEGIN + timedelta(seconds=3)
    imported(transcript.write(tmp_path), memory, now=now)
    transcript.answer("r1", "second part", stop="end_turn")
    imported(transcript.write(tmp_path), memory, now=now)
    imported(transcript.write(tmp_path / "moved"), memory, now=now)
    assert [(m.text, m.metadata.get("request_id")) for m in memory.of()] == [
        ("hello", None),
        ("first part", "r1"),
        ("second part", "r1"),
    ]


def test_an_edit_made_later_moves_the_old_path_to_a_branch(transcript, tmp_path, memory):
    root = transcript.person("root")
    transcript.answer("r1", "left later", stop="end_turn")
    imported(transcript.write(tmp_path), memory)
    transcript.person("edited", parent=root)
    report = imported(transcript.write(tmp_path), memory)
    assert [(m.text, m.state) for m in memory.of()] == [
        ("root", "active"),
        ("left later", "branch"),
        ("edited", "active"),
    ]
    assert (report.messages, report.restated, report.sessions_grown, report.already_known) == (1, 1, 1, 2)


@pytest.mark.parametrize("stop", [None, "end_turn"])
def test_a_moved_folder_is_known_again(transcript, tmp_path, memory, stop):
    transcript.person("hello")
    transcript.answer("r1", "hi", stop=stop)
    imported(transcript.write(tmp_path / "here"), memory)
    report = imported(transcript.write(tmp_path / "there"), memory)
    assert report.changed_nothing
    assert len(memory.messages) == 2


@pytest.mark.parametrize("taken", [1, 2, 3])
def test_a_response_taken_after_any_of_its_lines_goes_on_in_a_further_message(kit, tmp_path, memory, taken):
    made = kit.Transcript()
    made.person("root")
    for piece in range(4):
        made.answer("r1", f"part {piece}")
    whole, path = made.lines, tmp_path / f"{kit.SESSION}.jsonl"
    path.write_bytes(b"\n".join(whole[: taken + 1]) + b"\n")
    imported(path, memory)
    made.person("edited", parent=None)
    made.write(tmp_path)
    for _ in range(2):
        imported(path, memory)
        made.chained("attachment", attachment={})
        made.write(tmp_path)
    told = [f"part {piece}" for piece in range(4)]
    assert [(m.text, m.state) for m in memory.of()] == [
        ("root", "branch"),
        ("\n".join(told[:taken]), "branch"),
        ("\n".join(told[taken:]), "branch"),
        ("edited", "active"),
    ]
    made.answer("r2", "on the old path", parent=f"{made.ids}-0005")
    made.write(tmp_path)
    imported(path, memory)
    assert [m.state for m in memory.of()] == ["active", "active", "active", "branch", "active"]


def test_the_lines_of_new_messages_are_the_ones_counted(transcript, tmp_path, memory):
    transcript.person("root")
    transcript.answer("r1", "short", stop="end_turn")
    imported(transcript.write(tmp_path), memory)
    transcript.answer("r2", "a")
    transcript.answer("r2", "b")
    transcript.answer("r2", "c", stop="end_turn")
    report = imported(transcript.write(tmp_path), memory)
    assert (report.messages, report.imported, report.already_known) == (1, 3, 2)
