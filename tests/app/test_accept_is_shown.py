"""Whatever happened meanwhile: what is accepted is what was shown, to the letter, or nothing."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.notes.making import Kept, make_notes, save

from archivist.app.accepting import Writes
from archivist.notes.admitting import Waits
from archivist.notes.notes import Notes
from archivist.notes.replaying import NotAsShown
from archivist.records import EVERYTHING, ArchivistError
from archivist.records.proposals import Proposal

WORDS = (
    "the port is 6390",
    "the port is 6391",
    "Ana works at Birk",
    "Ana no longer works at Birk",
    "Ana works at Kern, not Birk",
    "the host is tide.example",
    "I like tea",
    "I no longer like tea",
    "two lines\nof one entry",
)
text = st.sampled_from(WORDS)
target = st.sampled_from(["memory", "user"])
operation = st.one_of(
    st.fixed_dictionaries({"action": st.just("add"), "content": text, "target": target}),
    st.fixed_dictionaries(
        {"action": st.sampled_from(["replace", "edit"]), "old_text": text, "content": text, "target": target}
    ),
    st.fixed_dictionaries({"action": st.just("remove"), "old_text": text, "target": target}),
)
meanwhile = st.one_of(
    operation,
    st.fixed_dictionaries({"action": st.sampled_from(["demote", "promote", "pin"]), "old_text": text}),
    st.fixed_dictionaries({"action": st.just("save"), "texts": st.lists(text, max_size=3, unique=True)}),
)


def do(notes: Notes, folder: Path, what: dict[str, object], origin: str) -> None:
    """Something that somebody does; what cannot be done is not."""
    asked = dict(what)
    try:
        if asked["action"] == "save":
            save(folder / "memories/MEMORY.md", "\n§\n".join(asked["texts"]))  # type: ignore[arg-type]
        elif asked["action"] in {"demote", "promote", "pin"}:
            getattr(notes, str(asked["action"]))(asked["old_text"])
        else:
            notes.apply("memory", [asked], origin=origin)  # type: ignore[arg-type]
    except ArchivistError:
        return


def state(notes: Notes) -> dict[str, str]:
    """What holds, by entry."""
    return {entry.id: entry.text for entry in notes.entries(tier="all")}


def promised(
    writes: Writes, write: Proposal, before: dict[str, str]
) -> tuple[set[tuple[str, str]], list[str]]:
    """By what was shown: the entries that go or change, with the words that go; and the words that come."""
    lines = writes.lines(write)
    goes = {(line.entry, line.text) for line in lines if line.sign == "-"}
    comes = [line.text for line in lines if line.sign == "+" and before.get(line.entry) != line.text]
    return goes, sorted(comes)


@example(
    first=[{"action": "add", "content": "I like tea", "target": "memory"}],
    asked=[
        {"action": "add", "content": "the port is 6390", "target": "memory"},
        {"action": "remove", "old_text": "I like tea", "target": "memory"},
    ],
    then=[
        {"action": "add", "content": "the port is 6390", "target": "memory"},
        {"action": "add", "content": "I no longer like tea", "target": "memory"},
    ],
)
@example(
    first=[{"action": "add", "content": "the port is 6390", "target": "user"}],
    asked=[
        {
            "action": "replace",
            "old_text": "the port is 6390",
            "content": "Ana works at Birk",
            "target": "user",
        },
        {"action": "edit", "old_text": "Ana works at Birk", "content": "the port is 6391", "target": "user"},
    ],
    then=[],
)
@settings(max_examples=150, deadline=None)
@given(
    st.lists(operation, max_size=4),
    st.lists(operation, min_size=1, max_size=4),
    st.lists(meanwhile, max_size=3),
)
def test_what_is_accepted_is_what_was_shown(
    first: list[dict[str, object]], asked: list[dict[str, object]], then: list[dict[str, object]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, kept = Path(name), Kept()
        notes = make_notes(
            folder,
            keep=kept,
            admit=lambda one: Waits("approval", "w") if one.author.origin == "agent" else None,
        )
        for one in first:
            do(notes, folder, one, "user")
        before = state(notes)
        try:
            notes.apply("memory", asked, origin="agent")
        except ArchivistError:
            return
        assert state(notes) == before
        if not kept.waiting:
            return
        for one in then:
            do(notes, folder, one, "user")
        (write,), writes, before = kept.waiting, Writes(notes, EVERYTHING), state(notes)
        standing, was_settled = writes.standing(write), notes.weigh(write).settled
        goes, comes = promised(writes, write, before)
        if standing != "as-shown":
            with pytest.raises(NotAsShown):
                notes.carry_out(write)
            assert state(notes) == before
            return
        change = notes.carry_out(write)
        after = state(notes)
        gone = {(key, words) for key, words in before.items() if after.get(key) != words}
        come = sorted(words for key, words in after.items() if before.get(key) != words)
        assert (gone, come) == (goes, comes)
        assert notes.accepted_by(write.id) == change.id
        # what was so already when it was shown, and is so no more, would be left to do: the journal says that it is done
        assert was_settled or writes.standing(write) != "as-shown"
        notes.undo(change.id)
        assert state(notes) == before
        assert notes.accepted_by(write.id) is None
