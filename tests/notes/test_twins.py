"""Which entry says a text already: found without reading those that cannot be it, and after every change."""

import pytest
from tests.notes.making import Clock

from archivist.notes.folding import State
from archivist.notes.journal import Change, Line, Step
from archivist.notes.likeness import Likenesses
from archivist.notes.twins import FEW, Twins, digits_in


def state_of(*texts: str) -> State:
    state = State()
    at = Clock()()
    lines: list[Line] = [
        Change(f"h{number}", at, "hand", (Step("add", f"e{number}", "MEMORY.md", text=text),))
        for number, text in enumerate(texts)
    ]
    state.fold(lines)
    return state


def test_who_notes_one_thing_reads_only_what_has_its_digits(monkeypatch) -> None:
    texts = [f"Server {number} listens on port {8000 + number}" for number in range(200)]
    state, read = state_of(*texts), []
    put = Likenesses.put
    monkeypatch.setattr(
        Likenesses, "put", lambda self, key, text: (read.append(key), put(self, key, text))[1]
    )
    twins = Twins()
    assert twins.of(state, "", "memory", "server 7 listens on port 8007") == "e7"
    assert twins.of(state, "", "user", "server 7 listens on port 8007") is None
    assert read == ["e7"]
    assert len(twins._buckets) == 1


def test_however_often_it_is_asked_the_same_entry_is_named() -> None:
    texts = [f"Server {number} listens on port {8000 + number}" for number in range(20)]
    state, twins = state_of(*texts, "Prefers tea", "部署用 ３ 号服务器"), Twins()
    for _ in range(2):
        for number in range(3 * FEW):
            assert twins.of(state, "", "memory", texts[number]) == f"e{number}"
            assert Twins().of(state, "", "memory", texts[number]) == f"e{number}"
        assert twins.of(state, "", "memory", "prefers tea") == "e20"
        assert Twins().of(state, "", "memory", "部署用 3 号服务器") == "e21"
    assert digits_in("a1²b٣c") == "123"


@pytest.mark.parametrize("asked_before", [0, 1, FEW, FEW + 1])
def test_changes_are_followed_whatever_was_asked_before(asked_before: int) -> None:
    state, twins = state_of("port 1", "port 2", "port 3", "port 4"), Twins()
    for number in range(asked_before):
        twins.of(state, "", "memory", f"port {number + 1}")
    at = Clock()()
    steps = (
        Step("text", "e0", "MEMORY.md", text="port 9", was="port 1"),
        Step("gone", "e1", "MEMORY.md", was="port 2"),
        Step("move", "e2", "archive/2026-05.md", text="port 3", source="MEMORY.md"),
        Step("move", "e3", "USER.md", text="port 4", source="MEMORY.md"),
        Step("add", "e4", "MEMORY.md", text="port 1"),
    )
    state.fold([Change("h9", at, "hand", steps)])
    found = {number: twins.of(state, "", "memory", f"port {number}") for number in (1, 2, 3, 4, 9)}
    assert found == {1: "e4", 2: None, 3: "e2", 4: None, 9: "e0"}
    assert twins.of(state, "", "user", "port 4") == "e3"
