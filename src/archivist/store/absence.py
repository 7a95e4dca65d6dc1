"""Proving that a text is nowhere in a home: in no file, no row, and under no words of the search index.

Three looks, because no single one sees everything: bytes are read as they lie in every file, which finds copies that no program refers to
any more; rows are read as text, since a long one is scattered over pages; and the index is asked for the words, since it stores words in
pieces.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import apsw
import msgspec

from archivist.config.home import INDEX, STATE
from archivist.files import VANISHED, files_below
from archivist.records import ArchivistError
from archivist.store.connection import Connection
from archivist.store.erasing import CHUNK_BYTES, read_raw
from archivist.store.index.search_index import SearchIndex
from archivist.store.index.words import phrase

MOST_PLACES: Final = 100
DATABASES: Final = (STATE, INDEX)
SHARED_MEMORY: Final = "-shm"
"""No text is in it, and closing it would end SQLite's locks."""

_MESSAGE_COLUMNS: Final = (
    "text", "parts", "tool_calls", "tool_call_id", "tool_name", "reasoning", "speaker", "metadata", "client_id",
)  # fmt: skip
_SESSION_COLUMNS: Final = ("id", "external_id", "model", "cwd", "title", "end_reason", "prompt", "metadata")


class NothingToLookFor(ArchivistError):
    """The absence of no text was to be proved."""

    def __init__(self) -> None:
        super().__init__("there is no text to look for: give the words that should be gone")


class Absence(msgspec.Struct, frozen=True):
    """Where a text was looked for, and where it is.

    Attributes:
        places: Where it is, in words, a hundred at most; empty means that it is nowhere.
        files: Files that were read.
        bytes: How large they were.
    """

    places: tuple[str, ...]
    files: int
    bytes: int

    @property
    def is_absent(self) -> bool:
        """Whether it is nowhere."""
        return not self.places


def prove_absence(
    text: str,
    *,
    home: Path,
    state: Connection,
    index: SearchIndex,
    on_progress: Callable[[int], None] | None = None,
) -> Absence:
    """Look for a text everywhere in a home; memory stays flat.

    Args:
        text: What should be gone: best a few words or an identifier that only the deleted conversation had.
        home: The folder.
        state: A reading connection to `state.db`.
        index: Its search index.
        on_progress: Called with the number of bytes read so far.

    Raises:
        NothingToLookFor: The text is empty.
        OSError: A file cannot be read.
    """
    forms = written_forms(text)
    places = [*_rows(state, forms), *_filed(index, text)]
    files = size = 0
    for entry in files_below(home):
        if entry.name.endswith(SHARED_MEMORY):
            continue
        try:
            places += (f"{entry.name} at byte {at:,}" for at in find_in(_chunks(home / entry.name), forms))
        except VANISHED:
            continue
        files += 1
        size += entry.size
        if on_progress:
            on_progress(size)
    return Absence(tuple(places[:MOST_PLACES]), files, size)


def written_forms(text: str) -> tuple[bytes, ...]:
    """The bytes as which a text may stand in a file: plain, in JSON, and in JSON within JSON, as a tool's arguments are stored.

    Raises:
        NothingToLookFor: See there.
    """
    if not text.strip():
        raise NothingToLookFor
    plain = text.encode("utf-8", "replace").decode()
    quoted = _quoted(plain)
    lower = "".join(map(_escaped, quoted))
    upper = re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found[0][2:].upper(), lower)
    once = (quoted, lower, upper)
    return tuple(form.encode() for form in dict.fromkeys((plain, *once, *map(_quoted, once))))


def find_in(chunks: Iterable[bytes], forms: Iterable[bytes]) -> Iterator[int]:
    """Where in a file, given in pieces, one of these forms first stands; nothing if nowhere."""
    wanted = re.compile(b"|".join(re.escape(form) for form in forms))
    overlap = max(map(len, forms)) - 1
    kept, read = b"", 0
    for chunk in chunks:
        window = kept + chunk
        if found := wanted.search(window):
            yield read - len(kept) + found.start()
            return
        read += len(chunk)
        kept = window[-overlap:] if overlap else b""


def _quoted(text: str) -> str:
    """As in JSON, with its characters as they are."""
    return msgspec.json.encode(text).decode()[1:-1]


def _escaped(character: str) -> str:
    if character.isascii() and character != "\x7f":
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _chunks(path: Path) -> Iterator[bytes]:
    if path.name.startswith(DATABASES):
        try:
            yield from read_raw(path)
        except apsw.CantOpenError:
            if path.exists():
                raise
        return
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


def _rows(state: Connection, forms: tuple[bytes, ...]) -> Iterator[str]:
    wanted = [form.decode("utf-8", "replace") for form in forms]
    for table, key, columns, sentence in (
        ("messages", "id", _MESSAGE_COLUMNS, "state.db: message {}"),
        ("sessions", "id", _SESSION_COLUMNS, "state.db: the row of session {}"),
        (
            "context",
            "session",
            ("text_as_sent", "parts_as_sent", "calls_as_sent"),
            "state.db: what the model of session key {} is shown",
        ),
    ):
        holds = " OR ".join(
            f"instr({column}, ?{at})" for column in columns for at in range(1, len(wanted) + 1)
        )
        for (name,) in state.execute(f"SELECT {key} FROM {table} WHERE {holds} LIMIT {MOST_PLACES}", wanted):
            yield sentence.format(name)


def _filed(index: SearchIndex, text: str) -> Iterator[str]:
    words = phrase(text)
    if not words:
        return
    with index.reading() as reader:
        found = reader.newest(words, MOST_PLACES)
    for key in found:
        yield f"index.db: message {key} is filed under these words"
