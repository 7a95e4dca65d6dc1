"""Long files written piece by piece: there whole at the end, or not at all.

As `write_atomically`, for what does not fit into memory.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from archivist.files.atomic import FileNotWritten, make_folder, sync_folder


@contextmanager
def written_atomically(path: Path) -> Iterator[BinaryIO]:
    """A file to write to; its bytes are at the path, synced, when the block ends, and nowhere when it fails.

    Raises:
        FileNotWritten: Nothing was changed.
    """
    import tempfile  # noqa: PLC0415 - who only reads does not need it

    temporary: Path | None = None
    try:
        make_folder(path.parent)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:  # mkstemp made it readable by its owner alone
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        temporary = None
        sync_folder(path.parent)
    except OSError as error:
        raise FileNotWritten(path, error) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
