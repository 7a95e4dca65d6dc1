"""No acknowledged change of the notes is lost, whatever is killed and whoever saves the files meanwhile."""

import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.promises.notes_victim import MEMORY, one_hand, open_notes, words

from archivist.notes.folding import State
from archivist.notes.journal import MERGE, Change
from archivist.notes.notes import Notes

VICTIM = Path(__file__).with_name("notes_victim.py")
VIM = shutil.which("vim") or shutil.which("vim.tiny")
WRITERS = 8


class Crowd:
    """Processes on one home; those that are killed begin anew, under another seed."""

    def __init__(self, home: Path) -> None:
        self.home, self.seed = home, 0
        self.running: list[tuple[subprocess.Popen[str], threading.Thread]] = []
        self.said: dict[int, list[dict[str, Any]]] = {}

    def start(self, kind: str) -> None:
        self.seed += 1
        said = self.said.setdefault(self.seed, [])
        process = subprocess.Popen(
            [sys.executable, str(VICTIM), kind, str(self.home), str(self.seed)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=VICTIM.parents[2],
        )
        listener = threading.Thread(target=self._listen, args=(process, said))
        listener.start()
        self.running.append((process, listener))

    def kill(self, number: int, *, how: int = signal.SIGKILL) -> None:
        process, listener = self.running.pop(number)
        process.send_signal(how)
        listener.join()
        process.wait()

    def end(self) -> None:
        while len(self.running) > WRITERS:
            self.kill(-1, how=signal.SIGTERM)
        while self.running:
            self.kill(0)

    def lines(self, name: str) -> list[dict[str, Any]]:
        return [line for said in self.said.values() for line in said if name in line]

    @staticmethod
    def _listen(process: subprocess.Popen[str], said: list[dict[str, Any]]) -> None:
        assert process.stdout
        with process.stdout:
            for line in process.stdout:
                if line.endswith("}\n"):
                    said.append(json.loads(line))  # noqa: PERF401 - others read it meanwhile


def wanted_after(crowd: Crowd) -> tuple[dict[str, str | None], set[str]]:
    """By entry: the text that was acknowledged last, None for a removal; and the entries whose last change nobody acknowledged."""
    wanted: dict[str, str | None] = {}
    unsure: set[str] = set()
    for said in crowd.said.values():
        for line in said:
            if "doing" in line:
                unsure.add(line["entry"])
            elif "done" in line:
                if any(code == "hand-won" for code, _ in line["notices"]):  # it was said that it was not done
                    continue
                unsure.discard(line["entry"])
                wanted[line["entry"]] = line["text"]
            elif "failed" in line:
                assert line["failed"] == "NoSuchEntry", line  # a hand took it out
                unsure.discard(line["entry"])
    return wanted, unsure


def state_of(notes: Notes) -> State:
    with notes._ledger.reading() as holding:
        assert holding.drifted() == []
        assert holding.state.open is None
        return holding.state


def taken_back_by(state: State, key: str, text: str | None) -> Change:
    """The change after which an entry did not say any more what was acknowledged."""
    steps = [(change, step) for change in state.changes for step in change.steps if step.entry == key]
    said = [None if step.op == "gone" else step.text for _, step in steps]
    acknowledged = [
        number
        for number, ((change, _), one) in enumerate(zip(steps, said, strict=True))
        if one == text and not change.is_by_hand and change.action != MERGE
    ]
    return steps[acknowledged[-1] + 1 if acknowledged else len(said) - said[::-1].index(text)][0]


def check(crowd: Crowd) -> tuple[Notes, set[str]]:
    """What holds when everything has ended; gives the changes by hand that took something back."""
    notes = open_notes(crowd.home)
    notes.add("user", "later")
    state = state_of(notes)
    wanted, unsure = wanted_after(crowd)
    assert len(wanted) > 20, "hardly anything was written: this test shows nothing"
    told: set[str] = set()
    for key, text in wanted.items():
        known = state.entries[key]
        now = known.text if known.status == "active" else None
        if now != text and key not in unsure:
            change = taken_back_by(state, key, text)
            assert change.is_by_hand or change.action == MERGE, (key, text, now, change)
            assert key in change.stale, (key, text, now, change)
            told.add(change.id)
    counts = Counter(entry.text for entry in notes.entries())
    ours = {text for text in wanted.values() if text is not None}
    assert all(counts[text] <= 1 for text in ours)
    everybody = [open_notes(crowd.home) for _ in range(2)]
    assert [reader.entries() for reader in everybody] == [notes.entries()] * 2
    assert not [path for path in crowd.home.rglob("*") if path.name.endswith(".tmp")]
    stale = {line.change for line in notes.log() if line.is_stale}
    assert told <= stale
    return notes, told


def disturb(crowd: Crowd, seconds: float, chance: random.Random) -> None:
    """Let them work, and kill one of the first eight now and then, once each of them has."""
    latest = time.monotonic() + 60
    while time.monotonic() < latest and not all(crowd.said[number] for number in range(1, WRITERS + 1)):
        time.sleep(0.01)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(chance.uniform(0.1, 0.7))
        crowd.kill(chance.randrange(WRITERS))
        crowd.start("change")
        crowd.running.insert(0, crowd.running.pop())


def vim(home: Path, number: int) -> int:
    """Opens the file, waits, saves its older copy with one more entry, twice; how often it did save."""
    assert VIM
    saved, script = home.with_name("saved"), home.with_name("script.vim")
    saved.unlink(missing_ok=True)
    turns = "".join(
        f"call append('$', ['§', '{words(9_000_000 + number, turn)}'])\nsleep 300m\nw!\n"
        f"if !&modified\n  call writefile(['saved'], '{saved}', 'a')\nendif\n"
        for turn in range(2)
    )
    script.write_text(f"set encoding=utf-8\nedit!\nsleep 400m\n{turns}q!\n")
    terminal, end = os.openpty()
    command = [
        VIM,
        "-N",
        "-T",
        "dumb",
        "-u",
        "NONE",
        "-i",
        "NONE",
        "-n",
        "-S",
        str(script),
        str(home / MEMORY),
    ]
    with subprocess.Popen(command, stdin=end, stdout=end, stderr=end) as process:
        os.close(end)
        latest = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < latest:
            with suppress(OSError):
                os.write(terminal, b"y")  # it asks whether to write a file that has changed since it was read
                if select.select([terminal], [], [], 0.05)[0]:
                    os.read(terminal, 65536)
            time.sleep(0.02)
        process.kill()
    os.close(terminal)
    return saved.read_text().count("saved") if saved.exists() else 0


def work_under_hands(home: Path, seconds: float) -> tuple[Crowd, list[int]]:
    crowd, chance = Crowd(home), random.Random(4)
    open_notes(home).add("memory", "first of all end")
    for _ in range(WRITERS):
        crowd.start("change")
    for kind in ("append", "truncate"):
        crowd.start(kind)
    ended, saves = threading.Event(), list[int]()

    def edit() -> None:
        while not ended.is_set():
            with one_hand(home):
                saves.append(vim(home, len(saves)))
            time.sleep(0.3)

    editor = threading.Thread(target=edit)
    if VIM:
        editor.start()
    try:
        disturb(crowd, seconds, chance)
    finally:
        ended.set()
        if VIM:
            editor.join()
        crowd.end()
    return crowd, saves


def check_under_hands(home: Path, seconds: float) -> None:
    crowd, saves = work_under_hands(home, seconds)
    assert sum(saves) > len(saves), "vim hardly ever saved"
    notes, told = check(crowd)
    notices = [text for line in crowd.lines("done") for _, text in line["notices"]]
    assert not told or any("memory undo" in text for text in notices)
    for change in reversed(state_of(notes).changes):
        entries = state_of(notes).entries
        gone = [step.entry for step in change.steps if step.op == "gone" and step.entry in change.stale]
        if gone and not any(entries[key].status == "active" for key in gone):
            notes.undo(change.id, force=True)
            after = state_of(notes).entries
            assert all(after[key].status == "active" for key in gone)
            break


@pytest.mark.skipif(VIM is None, reason="there is no vim here")
def test_eight_writers_are_killed_while_editors_save(tmp_path):
    check_under_hands(tmp_path / "home", 6)


@pytest.mark.soak
def test_eight_writers_are_killed_for_long_while_editors_save(tmp_path):
    check_under_hands(tmp_path / "home", 120)


def test_readers_see_each_entry_once_and_whole_while_eight_write(tmp_path):
    crowd, home = Crowd(tmp_path / "home"), tmp_path / "home"
    open_notes(home).add("memory", "first of all end")
    for _ in range(WRITERS):
        crowd.start("change")
    crowd.start("read")
    try:
        disturb(crowd, 4, random.Random(5))
    finally:
        crowd.end()
    assert crowd.lines("bad") == []
    assert len(crowd.lines("read")) > 20
    assert not [text for line in crowd.lines("read") for _, text in line["notices"]]
    _, told = check(crowd)
    assert told == set(), "nobody saved by hand"
