"""The one way to change a file: locked, atomic, synced."""

from archivist.files.atomic import FileNotWritten, make_folder, remove_durably, sync_folder, write_atomically
from archivist.files.locks import FileLocked, locked

__all__ = [
    "FileLocked",
    "FileNotWritten",
    "locked",
    "make_folder",
    "remove_durably",
    "sync_folder",
    "write_atomically",
]
