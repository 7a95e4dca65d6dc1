"""Claude Code's own memory: a folder for each project, an index that every prompt carries, and files for its topics.

projects/FOLDER/memory/MEMORY.md        the index
projects/FOLDER/memory/clock.md         a topic, perhaps with lines of `name: value` between `---` at its top
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from archivist.records import Scope
from archivist.records.notes import Target
from archivist.transfer.claude_code.files import is_agent, is_project, peek
from archivist.transfer.curated import Curated, TextFile, curated_file, statements_in
from archivist.transfer.foreign import Reading

MEMORY: Final = "memory"
INDEX: Final = "memory.md"
PATTERNS: Final = (f"{MEMORY}/*.md", f"*/{MEMORY}/*.md", f"projects/*/{MEMORY}/*.md")
HEAD: Final = re.compile(r"---[ \t]*\n(.*?\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
TYPE: Final = re.compile(r"^[ \t]*type[ \t]*:[ \t]*[\"']?(\w+)", re.MULTILINE)
TITLE: Final = re.compile(r"\A\s*#[ \t]+[^\n]*\bmemory\b[^\n]*(?:\n|\Z)", re.IGNORECASE)
"""What an index calls itself tells nothing about what stands in it."""
OF_THE_USER: Final = frozenset({"user", "feedback"})
INSTRUCTIONS: Final = "CLAUDE.md holds instructions, not notes: it stays where it is"
MOST_ASKED: Final = 20
"""Sessions of a folder that are asked which project it is."""


def curated_in(path: Path, reading: Reading) -> Iterator[Curated]:
    """What is noted in the projects at a path."""
    scopes: dict[Path, Scope] = {}
    for file in memory_files(path):
        folder = file.parent.parent
        if folder not in scopes:
            scopes[folder] = Scope(project=_project(folder, reading))
        yield curated_file(
            file, partial(_read, scopes[folder], f"claude-code:{folder.name}/{MEMORY}/{file.name}")
        )
    if (path / "CLAUDE.md").is_file():
        yield Curated(path=path / "CLAUDE.md", notices={INSTRUCTIONS: 1})


def memory_files(path: Path) -> list[Path]:
    """What is noted in the projects at a path, each index before its topics; a folder of that name that is no project's is not."""
    found = {
        file
        for pattern in PATTERNS
        for file in path.absolute().glob(pattern)
        if file.is_file() and not file.is_symlink()
    }
    projects = {folder for folder in {file.parent.parent for file in found} if is_project(folder)}
    own = [file for file in found if file.parent.parent in projects]
    return sorted(own, key=lambda file: (str(file.parent), file.name.lower() != INDEX, file.name))


def _project(folder: Path, reading: Reading) -> str | None:
    """The project of a folder, as its sessions tell it, None where they were held in none; without any, its name stands for it."""
    for session in sorted(folder.glob("*.jsonl"))[:MOST_ASKED]:
        try:
            cwd = None if is_agent(session) else next((line.cwd for line in peek(session) if line.cwd), None)
        except OSError:
            continue
        if cwd:
            return reading.project_of(cwd)
    return f"claude-code:{folder.name}"


def _read(scope: Scope, name: str, file: TextFile) -> Curated:
    head = HEAD.match(file.text)
    is_index = file.path.name.lower() == INDEX
    words = file.text[head.end() :] if head else file.text
    told = statements_in(
        TITLE.sub("", words, count=1) if is_index else words,
        _target(head.group(1) if head else ""),
        name,
        observed_at=file.at,
        scope=scope,
        in_prompt=is_index,
    )
    return Curated(path=file.path, statements=told)


def _target(head: str) -> Target:
    kind = TYPE.search(head)
    return "user" if kind and kind.group(1).lower() in OF_THE_USER else "memory"
