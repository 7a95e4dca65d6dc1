"""The prompt of a session beside the bare reading of the same files, and what is looked up for an ordinary turn."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from archivist import Archivist, Message, Scope
from archivist.app.prompting import _masked
from archivist.app.tail import tail_for
from archivist.prompt.excerpts import excerpt_of
from archivist.prompt.layers import _tokens_of
from archivist.prompt.project import room_in
from archivist.records import OWNER
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, best, cpu_seconds

WINDOW = 128_000
ENTRIES = 24
TURNS = 100
ROUNDS = 20
MODEL = "bench/none"


def figures() -> Iterator[Figure]:
    """Snapshot and prompt of a project with as much guidance as has room, and the tail of a turn that has none."""
    corpus = Corpus(11)
    with tempfile.TemporaryDirectory() as name:
        folder = _project(Path(name) / "work", corpus)
        with Archivist.open(Path(name) / "home", environ={}) as archivist:
            _fill(archivist, corpus)
            yield from _prompt(archivist, folder)
            yield _tail(archivist, folder)


def _prompt(archivist: Archivist, folder: Path) -> Iterator[Figure]:
    def ours() -> None:
        archivist.prompt(OWNER, folder=folder, model=MODEL, window=WINDOW)

    def bare() -> None:
        kept = [archivist.home.notes_folder / "MEMORY.md", archivist.home.notes_folder / "USER.md"]
        guidance = [place / "AGENTS.md" for place in (folder.parent, folder)]
        "\n\n".join(path.read_text("utf-8") for path in [archivist.home.identity_file, *kept, *guidance])

    ours()
    warm = best(lambda: cpu_seconds(ours) * 1e3, ROUNDS)
    reference = best(lambda: cpu_seconds(bare) * 1e3, ROUNDS)
    yield Figure("snapshot and prompt", "ms CPU", warm, reference, "≤ 5 ms", warm <= 5)

    def anew() -> None:
        for remembered in (excerpt_of, _masked, _tokens_of):
            remembered.cache_clear()
        ours()

    cold = best(lambda: cpu_seconds(anew) * 1e3, 5)
    yield Figure("the same, its files changed", "ms CPU", cold, reference, "≤ 50 ms", cold <= 50)


def _tail(archivist: Archivist, folder: Path) -> Figure:
    prompt = archivist.prompt(OWNER, folder=folder, model=MODEL, window=WINDOW).text
    session = archivist.sessions.start("chat", prompt=prompt, scope=Scope(user="owner"))
    archivist.snapshot(session=session.id)
    corpus = Corpus(12)
    for number in range(TURNS):
        session.append_many([Message.user(corpus.text(number)), Message.assistant(corpus.text(-number))])
    now = session.record().started_at

    def look() -> None:
        assert not tail_for(archivist, session, "fix the test", recall="cue", now=now)

    took = best(lambda: cpu_seconds(look) * 1e3, ROUNDS)
    bare = best(lambda: cpu_seconds(session.messages) * 1e3, ROUNDS)
    return Figure(
        "beside an ordinary turn, 200 messages", "ms CPU", took, bare, "≤ 5 ms more", took - bare <= 5
    )


def _project(folder: Path, corpus: Corpus) -> Path:
    (folder / ".git").mkdir(parents=True)
    inner = folder / "service"
    inner.mkdir()
    (folder / "CLAUDE.md").write_text("@AGENTS.md\n")
    for place in (folder, inner):
        lines = (f"- {corpus.text(len(place.name) * 1_000 + number)}" for number in range(10_000))
        text = ""
        while len(text) < room_in(WINDOW) // 2 - 500:
            text += f"{' '.join(next(lines).split())[:200]}\n"
        (place / "AGENTS.md").write_text(text)
    return inner


def _fill(archivist: Archivist, corpus: Corpus) -> None:
    archivist.home.identity_file.write_text("You are a careful colleague.\n" * 40)
    for number in range(ENTRIES):
        archivist.notes.add(
            "memory" if number % 2 else "user",
            f"{' '.join(corpus.text(500 + number).split())[:90]} #{number}",
        )
