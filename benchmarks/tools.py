"""The tools that work on files and commands, beside the programs that a person would use for the same: `cat`, `grep`, a bare subprocess."""

import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Any

from archivist.records import Scope
from archivist.records.approvals import Answer
from archivist.tools.agent_tools import AGENT_TOOLS
from archivist.tools.context import Context, Turn, Workspace
from archivist.tools.registry import call_tool
from benchmarks.figures import Figure, best

ROUNDS = 7
FILES, LINES = 3_000, 200
"""A tree of some 24 MB."""
RARE = "a_name_that_is_rare"
WORDS = "harbour crane quay berth tide vessel cargo pilot anchor mooring dock bollard hatch ballast".split()


def figures() -> Iterator[Figure]:
    """What a model waits for beside what the bare program takes."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        planted(root)
        context = working_in(root)
        yield from _reading(root, context)
        yield from _searching(root, context)
        yield from _running(root, context)
        yield from _changing(root, context)


def _reading(root: Path, context: Context) -> Iterator[Figure]:
    for path, most in (("f0/0.py", 1), ("large.txt", 25)):
        ours = timed(partial(called, context, "read_file", path=path))
        bare = timed(partial(printed, ["cat", str(root / path)]))
        size = f"{(root / path).stat().st_size / 1e6:.2f} MB"
        yield Figure(f"read_file, {size}", "ms", ours, bare, f"≤ {most} ms more", ours - bare <= most)


def _searching(root: Path, context: Context) -> Iterator[Figure]:
    with_git = shutil.which("git") is not None
    for kind in ("no repository", "repository") if with_git else ("no repository",):
        if kind == "repository":
            printed(["git", "init", "-q", str(root)])
        for what, pattern in (("rare", RARE), ("frequent", "harbour")):
            ours = timed(partial(called, context, "search_files", pattern=pattern))
            bare = timed(partial(printed, ["grep", "-rnE", pattern, str(root), "--exclude-dir=.git"]))
            name = f"search_files, {FILES:,} files, {what}, {kind}"
            yield Figure(name, "ms", ours, bare, "≤ 3 × grep + 150 ms", ours <= 3 * bare + 150)
    ours = timed(partial(called, context, "search_files", pattern=RARE, path="f0/7.py"))
    bare = timed(partial(printed, ["grep", "-nE", RARE, str(root / "f0/7.py")]))
    yield Figure("search_files, one file", "ms", ours, bare, "≤ 150 ms more", ours - bare <= 150)


def _running(root: Path, context: Context) -> Iterator[Figure]:
    for what, command, most in (
        ("nothing", "true", 10.0),
        ("50 MB printed", "yes 'a line that goes on' | head -c 50000000", 600.0),
    ):
        ours = timed(partial(called, context, "terminal", command=command))
        bare = timed(partial(printed, ["bash", "-c", command], root))
        yield Figure(f"terminal, {what}", "ms", ours, bare, f"≤ {most:.0f} ms more", ours - bare <= most)


def _changing(root: Path, context: Context) -> Iterator[Figure]:
    path = root / "large.txt"
    turns = iter(range(1_000_000))

    def patched() -> None:
        number = next(turns)
        old = "the one line" if number == 0 else f"line {number - 1} of it"
        called(context, "patch", path="large.txt", old_text=old, new_text=f"line {number} of it")

    def replaced() -> None:
        text = path.read_text()
        (root / "new").write_text(text.replace("the one line", "line"))
        printed(["sync", str(root / "new")])
        (root / "new").replace(root / "other")

    ours, bare = timed(patched), timed(replaced)
    yield Figure("patch, 5 MB", "ms", ours, bare, "≤ 6 × bare", ours <= 6 * bare)


def planted(root: Path) -> None:
    """Files of lines of words, in folders of a hundred; and a large one."""
    chance = random.Random(7)
    for number in range(FILES):
        folder = root / f"f{number // 100}"
        folder.mkdir(exist_ok=True)
        lines = [" ".join(chance.choices(WORDS, k=6)) for _ in range(LINES)]
        if number % 1_000 == 7:
            lines[50] = RARE
        (folder / f"{number}.py").write_text("\n".join(lines))
    middle = "the one line\n"
    half = "".join(f"{number} {' '.join(chance.choices(WORDS, k=8))}\n" for number in range(41_000))
    (root / "large.txt").write_text(f"{half}{middle}{half}")


def working_in(root: Path) -> Context:
    """A workspace in which all is allowed."""
    kept: dict[str, str] = {}

    def keep(text: str) -> str:
        kept["0" * 16] = text
        return "0" * 16

    workspace = Workspace(root, lambda _: Answer("once"), lambda: False, keep, kept.get)
    return Context(Turn(Scope()), UTC, *[None] * 8, workspace=workspace)  # type: ignore[arg-type]  # these tools ask for nothing of it


def called(context: Context, name: str, **arguments: Any) -> None:  # noqa: ANN401 - values of JSON
    """Call a tool, which must succeed."""
    result = call_tool(name, arguments, context, AGENT_TOOLS)
    assert result["success"], result


def printed(command: list[str], cwd: Path | None = None) -> bytes:
    """What a program prints."""
    return subprocess.run(command, cwd=cwd, capture_output=True, check=True).stdout


def timed(work: Callable[[], object]) -> float:
    """Milliseconds, processes and the disk included."""

    def once() -> float:
        began = time.perf_counter()
        work()
        return (time.perf_counter() - began) * 1e3

    return best(once, ROUNDS)
