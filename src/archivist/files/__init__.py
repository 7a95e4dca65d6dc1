"""The one way to change a file: locked, atomic, synced."""

from archivist.files.atomic import FileNotWritten, make_folder, remove_durably, sync_folder, write_atomically
from archivist.files.copies import Copied, FileNotCopied, copy_file, digest_of_file
from archivist.files.locks import FileLocked, locked
from archivist.files.moving import free_name, move_durably
from archivist.files.walking import VANISHED, Entry, files_below, walk

__all__ = [
    "VANISHED",
    "Copied",
    "Entry",
    "FileLocked",
    "FileNotCopied",
    "FileNotWritten",
    "copy_file",
    "digest_of_file",
    "files_below",
    "free_name",
    "locked",
    "make_folder",
    "move_durably",
    "remove_durably",
    "sync_folder",
    "walk",
    "write_atomically",
]
