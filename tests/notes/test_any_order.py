"""Whatever program and hand do in any order, identity, count and history stay as they should."""

import hashlib
import re
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.notes.making import Clock, make_notes, save

from archivist.notes.limits import Limits
from archivist.records.notes import NoteChange

SIGN = "\n§\n"
STATED = re.compile(r"Box\d+ runs System\d+")


class AnyOrder(RuleBasedStateMachine):
    """A plain list beside the real files."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp())
        self.clock, self.opened, self.made = Clock(), 0, 0
        self.texts: list[str] = []
        self.ids: dict[str, str] = {}
        self.saved: list[list[str]] = []
        self.history: list[tuple[str, list[str]]] = []

    def teardown(self) -> None:
        shutil.rmtree(self.home)

    @initialize()
    def open(self) -> None:
        self.reopen()

    @rule()
    def reopen(self) -> None:
        """As another process would."""
        self.opened += 1
        self.notes = make_notes(
            self.home, clock=self.clock, limits=Limits(memory=100_000), prefix=f"{self.opened:02x}"
        )

    @rule()
    def add(self) -> None:
        text = self.new_text()
        before = list(self.texts)
        change = self.notes.add("memory", text)
        assert change.entry is not None
        self.texts.append(text)
        self.ids[text] = change.entry.id
        self.history.append((change.id, before))

    @rule()
    def add_what_may_be_corrected(self) -> None:
        self.made += 1
        self.noted(f"Box{self.made} runs System{self.made}", list(self.texts))

    @precondition(lambda self: any(map(STATED.fullmatch, self.texts)))
    @rule(data=st.data())
    def correct(self, data: st.DataObject) -> None:
        """The entry that the new one names leaves the core."""
        old = data.draw(st.sampled_from([text for text in self.texts if STATED.fullmatch(text)]))
        self.made += 1
        before = list(self.texts)
        self.texts.remove(old)
        change = self.noted(f"{old.split()[0]} runs System{self.made}, not {old.split()[2]}", before)
        assert [(entry.id, entry.text) for entry in change.superseded] == [(self.ids[old], old)]
        assert self.notes.entry(self.ids[old]).superseded_by == self.ids[self.texts[-1]]

    def noted(self, text: str, before: list[str]) -> NoteChange:
        change = self.notes.add("memory", text)
        assert change.entry is not None
        self.texts.append(text)
        self.ids[text] = change.entry.id
        self.history.append((change.id, before))
        return change

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def replace(self, data: st.DataObject) -> None:
        at, text = self.any(data), self.new_text()
        before, old = list(self.texts), self.texts[at]
        change = self.notes.replace("memory", old, text)
        self.texts[at] = text
        self.ids[text] = self.ids[old]
        self.history.append((change.id, before))

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        before = list(self.texts)
        change = self.notes.remove("memory", self.texts.pop(self.any(data)))
        self.history.append((change.id, before))

    @precondition(lambda self: self.history)
    @rule()
    def undo(self) -> None:
        change, before = self.history.pop()
        self.notes.undo(change)
        self.texts = before

    @rule(data=st.data())
    def hand_inserts(self, data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(self.texts)))
        self.by_hand([*self.texts[:at], self.new_text(), *self.texts[at:]])

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def hand_deletes(self, data: st.DataObject) -> None:
        at = self.any(data)
        self.by_hand(self.texts[:at] + self.texts[at + 1 :])

    @precondition(lambda self: len(self.texts) > 1)
    @rule(data=st.data())
    def hand_reorders(self, data: st.DataObject) -> None:
        self.by_hand(data.draw(st.permutations(self.texts)))

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def hand_rewords(self, data: st.DataObject) -> None:
        at = self.any(data)
        self.made += 1
        text = f"{self.texts[at]} mark{self.made}"
        self.ids[text] = self.ids[self.texts[at]]
        self.by_hand([*self.texts[:at], text, *self.texts[at + 1 :]])

    @rule()
    def keep_a_copy(self) -> None:
        self.saved.append(list(self.texts))

    @precondition(lambda self: self.saved)
    @rule()
    def restore_a_copy(self) -> None:
        self.by_hand(self.saved.pop())

    @invariant()
    def files_and_list_agree(self) -> None:
        if not hasattr(self, "notes"):
            return
        entries = self.notes.entries("memory")
        assert [entry.text for entry in entries] == self.texts
        for entry in entries:
            assert self.ids.setdefault(entry.text, entry.id) == entry.id
        assert len({entry.id for entry in entries}) == len(entries)
        path = self.home / "memories/MEMORY.md"
        if path.exists():
            found = [text.strip() for text in path.read_text().split(SIGN) if text.strip()]
            assert found == self.texts
        log = self.notes.log()
        assert [line.at for line in log] == sorted((line.at for line in log), reverse=True)

    def by_hand(self, texts: list[str]) -> None:
        save(self.home / "memories/MEMORY.md", SIGN.join(texts))
        self.texts = list(texts)
        self.history.clear()

    def any(self, data: st.DataObject) -> int:
        return data.draw(st.integers(0, len(self.texts) - 1))

    def new_text(self) -> str:
        """Words that no other text has."""
        self.made += 1
        words = hashlib.sha256(str(self.made).encode()).hexdigest()
        return " ".join(words[at : at + 8] for at in range(0, 32, 8))


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
