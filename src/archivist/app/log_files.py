"""The files of a log: a line is written whole, whichever process writes it, and what is oldest goes.

They are opened for each line and closed behind it, under a lock, so that the next line of another process is in the right file too.
"""

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from logging import INFO, LogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from archivist.files import FileLocked, FileNotWritten, locked, make_folder

LOCK_SECONDS: Final = 2.0
_MODE: Final = 0o600


class LogNotWritten(Exception):
    """A line was not written; the text says why."""


class LogFiles(RotatingFileHandler):
    """The handler of the standard library, for several processes and one owner."""

    def emit(self, record: LogRecord) -> None:
        """Write a line."""
        try:
            super().emit(record)
        finally:
            stream, self.stream = self.stream, None
            if stream is not None:
                with suppress(OSError):  # of a full disk, which is told already
                    stream.close()

    def handleError(self, record: LogRecord) -> None:  # noqa: ARG002, N802 - its name and its parameter
        """Say what keeps a line from being written, in place of a traceback on standard error."""
        raise LogNotWritten(str(sys.exc_info()[1])[:200])

    def _open(self) -> TextIOWrapper:
        flags = (
            os.O_WRONLY
            | os.O_APPEND
            | os.O_CREAT
            | getattr(os, "O_NOFOLLOW", 0)
            | getattr(os, "O_NONBLOCK", 0)
        )
        return os.fdopen(
            os.open(self.baseFilename, flags, _MODE), "a", encoding="utf-8", errors="backslashreplace"
        )


def opened(path: Path, count: int, most: int) -> LogFiles:
    """What writes lines; nothing is opened yet.

    Args:
        path: Of the newest file.
        count: How many there may be.
        most: Bytes that one may have.
    """
    return LogFiles(path, maxBytes=most, backupCount=count - 1, encoding="utf-8", delay=True)


def write(files: LogFiles, line: str) -> None:
    """Write a line.

    Raises:
        LogNotWritten: It was not.
    """
    path = Path(files.baseFilename)
    try:
        make_folder(path.parent)
        with locked(path.with_name(f"{path.name}.lock"), seconds=LOCK_SECONDS):
            files.handle(LogRecord("archivist", INFO, "", 0, line, None, None))
    except (FileLocked, FileNotWritten, OSError) as error:
        raise LogNotWritten(getattr(error, "strerror", None) or str(error)) from error


__all__ = ["LogFiles", "LogNotWritten", "opened", "write"]
