"""A line of the journal that says something odd costs what it says, and nothing else."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from tests.notes.making import Clock, make_notes

JOURNAL = "memories/journal.jsonl"
ODD = [
    {"flavour": [None, "x"]},
    {"text": ["a", "b"]},
    {"id": [None, "e2"]},
    {"entry": [1, 2]},
    {"__class__": [1, 2]},
    {"file": ["MEMORY.md", "../../secrets.md"]},
    {"status": ["active", "gone"]},
    {"pinned": [False, "yes"]},
    {"shared": [None, 1]},
    {"kind": ["fact", "frob"]},
    {"kind": ["fact", None]},
]


def write(home: Path, *lines: dict) -> None:
    with (home / JOURNAL).open("a") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in lines)


def marking(key: str, marks: dict, **fields) -> dict:
    step = {"op": "mark", "entry": key, "file": "MEMORY.md", "marks": marks}
    return {
        "line": "change",
        "id": "cx",
        "at": "2026-05-02T00:00:00Z",
        "action": "mark",
        "steps": [step],
        **fields,
    }


@pytest.mark.parametrize("odd", ODD, ids=str)
@pytest.mark.parametrize("is_done", [True, False])
def test_a_mark_that_cannot_be_is_left_out(tmp_path: Path, odd: dict, is_done: bool) -> None:
    notes = make_notes(tmp_path)
    first = notes.add("memory", "thing one").entry
    assert first is not None
    write(tmp_path, marking(first.id, {**odd, "pinned": odd.get("pinned", [False, True])}))
    if is_done:
        write(tmp_path, {"line": "done", "of": "cx"})
    for seen in (notes, make_notes(tmp_path, prefix="b")):
        [entry] = seen.entries()
        assert (entry.text, entry.shared, entry.kind) == ("thing one", False, first.kind)
        assert entry.pinned == ("pinned" not in odd)
        assert {line.change for line in seen.log()} >= {"cx"}
    notes.add("memory", "thing two")
    if "pinned" not in odd:
        notes.undo("cx")
        assert not notes.entry(first.id).pinned
    assert [entry.text for entry in notes.entries()] == ["thing one", "thing two"]


def test_a_time_without_a_zone_is_in_utc(tmp_path: Path) -> None:
    clock = Clock()
    notes = make_notes(tmp_path, clock=clock)
    step = {
        "op": "add",
        "entry": "e1",
        "file": "MEMORY.md",
        "text": "one",
        "observed_at": "2026-05-01T09:00:00",
    }
    (tmp_path / "memories").mkdir()
    (tmp_path / "memories/MEMORY.md").write_text("one")
    write(tmp_path, marking("e1", {}, at="2026-05-01T09:00:00", action="hand", steps=[step]))
    clock.skip(days=1)
    [entry] = notes.entries()
    assert entry.observed_at.tzinfo is not None
    assert notes.as_of(clock.time) == notes.as_of(datetime(2026, 5, 1, 10)) == (entry,)
    assert notes.fading()[0].entry == entry
