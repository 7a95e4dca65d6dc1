"""What a change of the notes asks of the system, and nothing of what decides it."""

import fcntl
import os
import secrets
from pathlib import Path

from archivist.files.atomic import begin_to_sync
from archivist.files.exchanging import exchanger
from archivist.notes.document import joined
from archivist.notes.limits import Limits

A_FILE = 25
"""Entries of an archive file."""


class Bare:
    """What one change needs of the system, without anything that decides it: the lock, the line of the journal, the archive where
    something leaves, the core, what they displace, the copy of what was put in place, the line that says done.

    The same calls in the same order, by the shortest way to each: five syncs, and two exchanges.
    """

    def __init__(self, folder: Path) -> None:
        for name in ("archive", "history"):
            (folder / name).mkdir(parents=True)
        self.folder, self.texts, self.left = folder, list[str](), list[str]()
        self.number = 0

    def add(self, text: str) -> None:
        self.texts.append(text)
        leaving = len(joined(self.texts)) > Limits().memory
        while len(joined(self.texts)) > Limits().memory:
            self.left.append(self.texts.pop(0))
        lock = os.open(f"{self.folder}/lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = [("archive/2026-01.md", self.left[-A_FILE:])] if leaving else []
        self._change(f"{secrets.token_hex(200)}{text}\n".encode(), [*wanted, ("MEMORY.md", self.texts)])
        fcntl.flock(lock, fcntl.LOCK_UN)
        os.close(lock)

    def _change(self, line: bytes, wanted: list[tuple[str, list[str]]]) -> None:
        journal = os.open(f"{self.folder}/journal.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(journal, line)
        begin_to_sync(journal)
        files = [self._written(f"{self.folder}/{name}", joined(texts).encode()) for name, texts in wanted]
        os.fsync(journal)
        for path, waiting, handle in files:
            os.fsync(handle)
            os.close(handle)
            os.replace(f"{waiting}.part", waiting)
            if not os.path.exists(path):
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        for path, waiting, _ in files:
            exchanger()(waiting, path)
        for folder in {os.path.dirname(path) for path, _, _ in files}:
            _sync_folder(folder)
        for _, waiting, _ in files:
            self._kept(waiting)
        last = os.open(f"{self.folder}/history/last.md", os.O_WRONLY | os.O_CREAT, 0o600)
        os.ftruncate(last, os.write(last, joined(self.texts).encode()))
        os.close(last)
        os.write(journal, b'{"line":"done","of":"c0123456789abcdef"}\n')
        os.close(journal)

    def _written(self, path: str, content: bytes) -> tuple[str, str, int]:
        self.number += 1
        waiting = f"{path}.{self.number}"
        handle = os.open(f"{waiting}.part", os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(handle, content)
        begin_to_sync(handle)
        return path, waiting, handle

    def _kept(self, waiting: str) -> None:
        kept = f"{self.folder}/history/{self.number}-{os.path.basename(waiting)}"
        os.rename(waiting, kept)
        handle = os.open(kept, os.O_RDONLY)
        os.read(handle, 1 << 20)
        os.close(handle)


def _sync_folder(folder: str) -> None:
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)
