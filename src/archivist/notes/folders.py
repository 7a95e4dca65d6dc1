"""What stands in the folders of the notes. One that cannot be looked into is not empty: nobody may take its notes for deleted."""

import errno
import os
from pathlib import Path

from archivist.records import ArchivistError


class NotesUnreadable(ArchivistError):
    """A file or folder of the notes is there and cannot be read; nothing was changed."""

    def __init__(self, path: Path, reason: OSError) -> None:
        self.path = path
        super().__init__(
            f"{path} cannot be read ({reason.strerror or reason}): make it readable, or put back what stood there; nothing was changed"
        )


def names_in(folder: str) -> list[str]:
    """The names in a folder; none where there is none.

    Raises:
        NotesUnreadable: It is there and cannot be read, or is a link to where nothing is: on a disk that is away.
    """
    try:
        return os.listdir(folder)  # noqa: PTH208 - a name each, thrice as fast
    except FileNotFoundError:
        refuse_dangling(folder)
        return []
    except OSError as error:
        raise NotesUnreadable(Path(folder), error) from error


def refuse_dangling(folder: str) -> None:
    """Refuse a link to a folder that is not there.

    Raises:
        NotesUnreadable: It is one, or nobody can tell.
    """
    try:
        os.readlink(folder)  # noqa: PTH115 - asked at every look
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        if error.errno == errno.EINVAL:  # it is no link
            return
        raise NotesUnreadable(Path(folder), error) from error
    try:
        os.stat(folder)  # noqa: PTH116 - as above
    except FileNotFoundError:
        gone = OSError(errno.ENXIO, "it is a link to a folder that is not there")
        raise NotesUnreadable(Path(folder), gone) from None
    except OSError as error:
        raise NotesUnreadable(Path(folder), error) from error


def is_there(path: str) -> bool:
    """Whether there is a file of that name, or a link to one that is to be.

    Raises:
        NotesUnreadable: Its folder does not tell.
    """
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise NotesUnreadable(Path(path).parent, error) from error
    return True
