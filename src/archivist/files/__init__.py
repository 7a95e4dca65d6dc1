"""The one way to change a file: locked, atomic, synced."""

from archivist.files.atomic import FileNotWritten, make_folder, remove_durably, sync_folder, write_atomically
from archivist.files.copies import Copied, FileNotCopied, copy_file, digest_of_file
from archivist.files.locks import FileLocked, locked

__all__ = [
    "Copied",
    "FileLocked",
    "FileNotCopied",
    "FileNotWritten",
    "copy_file",
    "digest_of_file",
    "locked",
    "make_folder",
    "remove_durably",
    "sync_folder",
    "write_atomically",
]
