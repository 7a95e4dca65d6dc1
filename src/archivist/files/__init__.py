"""The one way to change a file: locked, atomic, synced."""

from archivist.late import loading_late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from archivist.files.atomic import (
        FileNotWritten,
        make_folder,
        remove_durably,
        sync_folder,
        write_atomically,
    )
    from archivist.files.beneath import FileChangedMeanwhile, read_beneath, write_beneath
    from archivist.files.copies import Copied, FileNotCopied, copy_file, digest_of_file
    from archivist.files.locks import FileLocked, locked
    from archivist.files.moving import free_name, move_durably
    from archivist.files.walking import VANISHED, Entry, files_below, walk

__all__ = [
    "VANISHED",
    "Copied",
    "Entry",
    "FileChangedMeanwhile",
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
    "read_beneath",
    "remove_durably",
    "sync_folder",
    "walk",
    "write_atomically",
    "write_beneath",
]

__getattr__ = loading_late(
    __name__,
    {
        "archivist.files.atomic": (
            "FileNotWritten",
            "make_folder",
            "remove_durably",
            "sync_folder",
            "write_atomically",
        ),
        "archivist.files.beneath": ("FileChangedMeanwhile", "read_beneath", "write_beneath"),
        "archivist.files.copies": ("Copied", "FileNotCopied", "copy_file", "digest_of_file"),
        "archivist.files.locks": ("FileLocked", "locked"),
        "archivist.files.moving": ("free_name", "move_durably"),
        "archivist.files.walking": ("VANISHED", "Entry", "files_below", "walk"),
    },
)
