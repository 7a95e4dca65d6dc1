"""Makes the transcripts of the documents: real commands on a small real history, what they print, and nothing else.

Run it to write the transcripts into the documents (`make docs`); a test runs it to compare.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from archivist.surfaces.cli.agents import SIGNS

ROOT = Path(__file__).parents[2]
BEGIN, END = "<!-- transcript: made by `make docs`, compared by a test -->\n", "<!-- end of transcript -->\n"
FIRST_STEPS = (
    "archivist --yes",
    'archivist recall "which port did we choose for the staging server?" -n 2',
    "archivist recall 评审会 改到 几点 -n 2",
    "archivist recall API_TOKEN -n 2",
    "archivist sessions list",
    'archivist chat -q "remember that Ana works at Birk"',
    'archivist chat -c -q "where does Ana work?"',
    'archivist memory add "Staging listens on port 8443; the health check follows it"',
    "archivist memory add --target user 更喜欢简短的回答",
    r"printf '\n§\nNever restart the worker during office hours' >> .archivist/memories/MEMORY.md",
    "archivist memory show",
    "archivist memory log -n 1",
    "archivist verify",
)
REVIEWING = (
    'archivist memory add "Ana works at Birk"',
    'archivist memory add "Ana works at Kern"',
    'CODEX_SANDBOX=1 archivist memory add "Staging listens on port 6390"',
    "archivist review list",
    "archivist review show {0}",
    'archivist review edit {0} "Staging listens on port 6390, behind the proxy"',
    "archivist review accept {1}",
    "archivist review undo {1}",
)
"""A number stands for the id of what waits, in the order in which it was told of."""
CORRECTING = (
    'archivist memory add "Ana works at Birk"',
    'archivist memory add "Ana works at Kern, not Birk"',
    "archivist memory show --all",
    "archivist memory undo",
)
TRANSCRIPTS = {"README.md": FIRST_STEPS, "docs/notes.md": CORRECTING, "docs/review.md": REVIEWING}
"""By document, the commands of its transcript."""
PROPOSAL = re.compile(r"\bp[0-9a-f]{10}\b")
NOW, LATER = "2026-03-20 09:15", "2026-06-18"
TALKS = {
    "5c1d0a52-7a3e-4f0e-9b61-2f4f6c9e1a01": (
        "/home/mira/src/harbour",
        "Move staging off the old port",
        [
            ("user", "2026-03-17T09:02:11Z", "The proxy took our port. Can staging listen somewhere else?"),
            ("assistant", "2026-03-17T09:02:40Z", "Staging now listens on port 8443; the health check follows it."),
            ("user", "2026-03-17T09:03:05Z", "Good. Never restart the worker during office hours."),
            ("assistant", "2026-03-17T09:03:20Z", "Understood: the worker restarts only after 18:00."),
        ],
    ),
    "8e2b7f10-11c4-4f6d-8a55-90d2f7b3c402": (
        "/home/mira/notes",
        "评审会改期",
        [
            ("user", "2026-03-18T01:30:00Z", "下周三的评审会改到下午四点，地点不变。"),
            ("assistant", "2026-03-18T01:30:08Z", "好的，评审会改为下周三 16:00，地点仍是海风会议室。"),
        ],
    ),
    "b7a90d3c-64c9-4c1e-8d52-5b8d1f0e2203": (
        "/home/mira/src/harbour",
        "Deploy key in the environment",
        [
            ("user", "2026-03-19T16:40:00Z", "I put API_TOKEN=" + "sk-proj-" + "Zk3vQ9tLw2XbN7mR5yHc into .env, use it."),
            ("assistant", "2026-03-19T16:40:09Z", "The deploy script reads API_TOKEN from .env now."),
        ],
    ),
}  # fmt: skip


def write_history(home: Path) -> None:
    """A Claude Code history of three conversations."""
    for session, (cwd, title, turns) in TALKS.items():
        folder = home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", cwd)
        folder.mkdir(parents=True, exist_ok=True)
        lines: list[dict[str, object]] = [
            {"type": "custom-title", "customTitle": title, "sessionId": session}
        ]
        parent = None
        for number, (role, said, text) in enumerate(turns):
            uuid = f"{session[:-3]}{number:03d}"
            content = text if role == "user" else [{"type": "text", "text": text}]
            lines.append({
                "type": role, "uuid": uuid, "parentUuid": parent, "sessionId": session, "timestamp": said, "cwd": cwd,
                "isSidechain": False, "requestId": f"req-{uuid}",
                "message": {"id": f"msg-{uuid}", "role": role, "content": content, "stop_reason": "end_turn"},
            })  # fmt: skip
            parent = uuid
        (folder / f"{session}.jsonl").write_text(
            "".join(json.dumps(x, ensure_ascii=False) + "\n" for x in lines), "utf-8"
        )


def make_transcript(commands: Sequence[str]) -> str:
    """Run commands in a home of their own and return what a person would see."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "mira"
        write_history(home)
        foreign = ("ARCHIVIST", "CLAUDE", "HERMES", *SIGNS)
        environ = {
            **{name: value for name, value in os.environ.items() if not name.startswith(foreign)},
            "HOME": str(home), "TZ": "UTC", "LC_ALL": "C.UTF-8",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }  # fmt: skip
        shown = ""
        for command in commands:
            asked = command.format(*dict.fromkeys(PROPOSAL.findall(shown))) if "{" in command else command
            shown += f"$ {asked}\n{_run(asked, environ, home)}\n"
        return _same_every_time(shown.replace(str(home), "/home/mira"))


def _same_every_time(shown: str) -> str:
    """With ids that are drawn by chance, and the time of the run, written as they are in no other run."""
    for number, name in enumerate(dict.fromkeys(re.findall(r"\b[cehp][0-9a-f]{10,16}\b", shown))):
        digits = sha256(str(number).encode()).hexdigest()
        shown = shown.replace(name, name[0] + digits[: len(name) - 1])
    shown = re.sub(r"… \d+\.\d s$", "… 0.1 s", shown, flags=re.MULTILINE)
    now = datetime.now(UTC)
    for ago in (0, 1):
        day, expires = (f"{now + timedelta(days=days - ago):%Y-%m-%d}" for days in (0, 90))
        shown = re.sub(rf"{day}( \d\d:\d\d)?", lambda found: NOW if found[1] else NOW[:10], shown)
        shown = shown.replace(expires, LATER)
    return shown


def _run(command: str, environ: dict[str, str], folder: Path) -> str:
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} </dev/null 2>&1"],
        env=environ,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def in_document(transcript: str, document: str) -> str:
    """A document with this transcript in its place."""
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}```console\n{transcript.rstrip()}\n```\n{END}{after}"


if __name__ == "__main__":
    for name, commands in TRANSCRIPTS.items():
        document = (ROOT / name).read_text("utf-8")
        (ROOT / name).write_text(in_document(make_transcript(commands), document), "utf-8")
