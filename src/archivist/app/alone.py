"""One at a time: a home is backed up or restored, not both, and not twice at once."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from archivist.config import Home
from archivist.files import FileNotWritten, locked, make_folder
from archivist.notes.ledger import lock_file

LOCK_NAME = "safety.lock"
REVIEW_LOCK = "review.lock"
"""Held by whoever decides on a proposal."""
PATIENCE_SECONDS = 30.0


@contextmanager
def alone(home: Home, *, even_unwritable: bool = False) -> Iterator[None]:
    """Hold a home's lock for copies of it while the block runs; conversations go on meanwhile.

    Args:
        home: Made where it is new.
        even_unwritable: Go on without the lock where it cannot be taken because nothing can be written there.

    Raises:
        FileLocked: Another process is at it.
        FileNotWritten: Nothing can be written there.
    """
    with ExitStack() as held:
        try:
            make_folder(home.path)
            held.enter_context(locked(home.path / LOCK_NAME, seconds=PATIENCE_SECONDS))
        except FileNotWritten:
            if not even_unwritable:
                raise
        except OSError as error:
            if not even_unwritable:
                raise FileNotWritten(home.path / LOCK_NAME, error) from error
        yield


@contextmanager
def notes_still(home: Home) -> Iterator[None]:
    """Let nobody change a home's notes while the block runs: their journal and their files must be of one moment.

    Where the lock cannot be taken because nothing can be written there, nobody else can change them either.

    Raises:
        FileLocked: Another process is at it.
    """
    with ExitStack() as held:
        if home.notes_folder.is_dir():
            with suppress(FileNotWritten):
                held.enter_context(locked(lock_file(home.notes_folder), seconds=PATIENCE_SECONDS))
        yield


@contextmanager
def nobody_decides(home: Home) -> Iterator[None]:
    """Let nobody decide on a proposal while the block runs: what is done and that it was decided on must be of one state.

    Where the lock cannot be taken because nothing can be written there, nobody else can decide either.

    Raises:
        FileLocked: Somebody does.
    """
    with ExitStack() as held:
        with suppress(FileNotWritten):
            held.enter_context(locked(home.path / REVIEW_LOCK, seconds=PATIENCE_SECONDS))
        yield
