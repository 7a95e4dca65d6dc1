"""Notes: adding beside the same writes and syncs done bare, and what ten thousand archived entries cost."""

import os
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from statistics import median, quantiles

from archivist.app.freezing import present_snapshot
from archivist.notes.digests import digest_of
from archivist.notes.document import joined
from archivist.notes.holding import Holding
from archivist.notes.journal import Change, Done, Journal, Step
from archivist.notes.ledger import Ledger
from archivist.notes.limits import Limits
from archivist.notes.notes import Notes
from archivist.notes.versions import Versions
from archivist.records import OWNER
from benchmarks.bare_notes import Bare
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, best, cpu_seconds

ADDS, ARCHIVED, A_FILE = 120, 10_000, 500
BIG = 1_000_000
START = datetime(2026, 1, 1, tzinfo=UTC)


def figures() -> Iterator[Figure]:
    """All figures of the notes."""
    corpus = Corpus(5)
    texts = [_statement(corpus, number) for number in range(2 * ADDS)]
    with tempfile.TemporaryDirectory() as folder:
        yield from _adding(Path(folder), texts)
        yield from _archived(Path(folder), corpus, texts)
        yield from _by_hand(Path(folder), corpus)


def _adding(folder: Path, texts: list[str]) -> Iterator[Figure]:
    notes, bare = _notes(folder / "home"), Bare(folder / "bare")
    ours, theirs = [], []
    for text in texts[:ADDS]:
        ours.append(_seconds(lambda text=text: notes.add("memory", text)))
        theirs.append(_seconds(lambda text=text: bare.add(text)))
    one, other = median(ours) * 1e3, median(theirs) * 1e3
    yield Figure("memory add", "ms", one, other, "≤ 1.3 × the same calls of the system", one <= 1.3 * other)
    made = best(lambda: cpu_seconds(lambda: present_snapshot(notes, OWNER, START))) * 1e3
    yield Figure("snapshot", "ms CPU", made, None, "≤ 5 ms", made <= 5)


def _archived(folder: Path, corpus: Corpus, texts: list[str]) -> Iterator[Figure]:
    _archive(folder / "full", corpus)
    full, empty = _notes(folder / "full"), _notes(folder / "empty")
    full.add("memory", texts[-1])
    ours, theirs = [], []
    for text in texts[ADDS:-1]:
        ours.append(_seconds(lambda text=text: full.add("memory", text)))
        theirs.append(_seconds(lambda text=text: empty.add("memory", text)))
    one, other = quantiles(ours, n=20)[-1] * 1e3, quantiles(theirs, n=20)[-1] * 1e3
    yield Figure("memory add, p95, 10,000 archived", "ms", one, other, "≤ 2 × with none", one <= 2 * other)
    first = (
        best(lambda: cpu_seconds(lambda: _notes(folder / "full").add("user", secrets.token_hex(4))), 3) * 1e3
    )
    yield Figure("the first add of a process, 10,000 archived", "ms CPU", first, None, "", holds=True)
    shown = best(lambda: cpu_seconds(lambda: _notes(folder / "full").entries(tier="all")), 3) * 1e3
    yield Figure("memory show, all of 10,000", "ms CPU", shown, None, "≤ 100 ms", shown <= 100)
    again = best(lambda: cpu_seconds(lambda: full.entries(tier="all")), 3) * 1e3
    yield Figure("the same again in one process", "ms CPU", again, None, "≤ 100 ms", again <= 100)


def _by_hand(folder: Path, corpus: Corpus) -> Iterator[Figure]:
    path = folder / "big" / "memories" / "MEMORY.md"
    path.parent.mkdir(parents=True)
    many: list[str] = []
    while sum(map(len, many)) < BIG:
        many.append(_statement(corpus, 100_000 + len(many)))
    path.write_text(joined(many))
    notes = _notes(folder / "big")
    notes.entries()
    least = float("inf")
    for turn in range(3):
        at = (turn + 1) * len(many) // 5
        many = [*many[: at - 9], f"{many[at]} and more", *many[at + 1 :], *many[at - 9 : at]]
        path.write_text(joined(many))
        os.utime(path, (time.time() - 5, time.time() - 5))
        least = min(least, cpu_seconds(notes.entries) * 1e3)
    yield Figure("1 MB by hand: read again and aligned", "ms CPU", least, None, "≤ 150 ms", least <= 150)


def _archive(home: Path, corpus: Corpus) -> None:
    """A home with many archived entries, each added by a change of its own."""
    journal = Journal(home / "memories" / "journal.jsonl")
    for part in range(ARCHIVED // A_FILE):
        name = f"archive/2024-{part % 12 + 1:02}{f'-{part // 12 + 1}' if part >= 12 else ''}.md"
        texts = [_statement(corpus, 1_000_000 + part * A_FILE + number) for number in range(A_FILE)]
        raw = joined(texts).encode()
        path = home / "memories" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
        os.utime(path, (1e9, 1e9))
        lines: list[Change | Done] = []
        for number, text in enumerate(texts):
            at = START + timedelta(minutes=part * A_FILE + number)
            key = f"{part:03x}{number:07x}"
            step = Step("add", f"e{key}", name, text=text, origin="agent", kind="fact", observed_at=at)
            lines += [Change(f"c{key}", at, "add", (step,), {name: ("", digest_of(raw))}), Done(f"c{key}")]
        journal.append(lines)


def _notes(home: Path) -> Notes:
    """The notes of a home, in which every look at the clock is three hours later: so that what was added may leave again."""
    hours = count()

    def new_id() -> str:
        return os.urandom(8).hex()

    holding = Holding(
        home / "memories",
        now=lambda: datetime.now(UTC) + timedelta(hours=3 * next(hours)),
        sleep=time.sleep,
        new_id=new_id,
    )
    return Notes(
        Ledger(holding, Versions(home / "history" / "memories"), new_id=new_id),
        limits=Limits(),
        uses_of=lambda _keys: {},
        sessions_since=lambda entries: {entry.id: 9 for entry in entries},
        new_id=new_id,
    )


def _statement(corpus: Corpus, number: int) -> str:
    """About a hundred characters that no other statement has."""
    return f"{' '.join(corpus.text(number).split())[:90]} #{number}"


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
