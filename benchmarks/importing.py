"""Importing a history in the form of Claude Code, end to end."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from archivist import Archivist
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, cpu_seconds

SESSIONS, TURNS = 20, 500


def figures() -> Iterator[Figure]:
    """The rate, in text and in bytes of the source."""
    with tempfile.TemporaryDirectory() as folder:
        characters = write_history(Path(folder) / "claude")
        with Archivist.open(Path(folder) / "home") as archivist:
            seconds = cpu_seconds(
                lambda: archivist.import_history(Path(folder) / "claude", format="claude-code")
            )
            again = cpu_seconds(
                lambda: archivist.import_history(Path(folder) / "claude", format="claude-code")
            )
    rate = characters / 1e6 / seconds
    yield Figure("JSON import, end to end", "MB/s CPU", rate, None, "≥ 8 MB of text a second", rate >= 8)
    yield Figure("importing it again, unchanged", "ms CPU", again * 1e3, None, "—", holds=True)


def write_history(folder: Path) -> int:
    """Write the history; returns the bytes of text in it."""
    project = folder / "projects" / "-src-bench"
    project.mkdir(parents=True)
    corpus, written = Corpus(4), 0
    for session in range(SESSIONS):
        lines, parent = [], None
        for turn in range(TURNS):
            message = corpus.message(session * TURNS + turn)
            written += len(message.text.encode())
            uuid = f"{session:08d}-0000-4000-8000-{turn:012d}"
            lines.append(json.dumps(_line(message.text, session, turn, uuid, parent), ensure_ascii=False))
            parent = uuid
        (project / f"{session:08d}-0000-4000-8000-000000000000.jsonl").write_text(
            "\n".join(lines) + "\n", "utf-8"
        )
    return written


def _line(text: str, session: int, turn: int, uuid: str, parent: str | None) -> dict[str, object]:
    role = "assistant" if turn % 2 else "user"
    content: object = [{"type": "text", "text": text}] if role == "assistant" else text
    return {
        "parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/src/bench", "type": role, "uuid": uuid,
        "sessionId": f"{session:08d}-0000-4000-8000-000000000000", "version": "2.1.0", "gitBranch": "main",
        "requestId": f"req_{session}_{turn}", "timestamp": f"2026-01-{1 + session:02d}T{turn // 60:02d}:{turn % 60:02d}:00.000Z",
        "message": {
            "role": role, "content": content, "id": f"msg_{session}_{turn}", "stop_reason": "end_turn",
            "usage": {"input_tokens": 4, "output_tokens": 70, "cache_read_input_tokens": 18000, "cache_creation_input_tokens": 9},
        },
    }  # fmt: skip
