"""Files of exports: known by how they begin, and brought into the form of JSONL where they are in another."""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, Literal

import msgspec

from archivist.transfer.archivist.markdown import MARKER
from archivist.transfer.archivist.markdown_reading import read_markdown
from archivist.transfer.archivist.shapes import FORMAT, VERSION, Record
from archivist.transfer.foreign import SourceUnreadable
from archivist.transfer.json_stream import TORN, Damaged, read_elements

Kind = Literal["jsonl", "json", "markdown"]

PEEKED_BYTES: Final = 4096
SUFFIXES: Final = frozenset({".json", ".jsonl", ".md", ".markdown"})
BEGINNING: Final = re.compile(rb'\{\s*(?:"type"\s*:\s*"header"\s*,\s*)?"format"\s*:\s*"%s"' % FORMAT.encode())
TOLD_VERSION: Final = re.compile(rb'"version"\s*:\s*(\d+)')
DAMAGED_LINE, TORN_LINE = b"?\n", b"{"
"""What stands for a damaged record in lines."""


def export_paths(path: Path) -> list[Path]:
    """Exports at a path: the file, or those in a folder."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        return []
    return [each for each in sorted(path.iterdir()) if each.suffix.lower() in SUFFIXES and kind_of(each)]


def kind_of(path: Path) -> Kind | None:
    """The form of an export; None for any other file, and for what is no file: a pipe would never end."""
    if not path.is_file():
        return None
    try:
        start = _start(path)
    except OSError:
        return None
    if start.startswith(MARKER.encode()):
        return "markdown" if BEGINNING.search(start.split(b"\n", 1)[0]) else None
    if not BEGINNING.match(start):
        return None
    return "jsonl" if _is_header(start.split(b"\n", 1)[0]) else "json"


def check_version(path: Path) -> None:
    """Refuse what a later version of Archivist wrote.

    Raises:
        SourceUnreadable: It did.
    """
    found = TOLD_VERSION.search(_start(path))
    if found and int(found[1]) > VERSION:
        reason = f"it is an export of version {int(found[1])}, of which this program knows {VERSION}"
        raise SourceUnreadable(path, reason, "update Archivist, then import again")


def opened_lines(path: Path, kind: Kind) -> BinaryIO:
    """The records of an export as lines of JSON; the caller closes the file.

    Raises:
        SourceUnreadable, OSError: It cannot be read.
    """
    if kind == "jsonl":
        return path.open("rb")
    lines = tempfile.TemporaryFile()  # noqa: SIM115 - it is returned open
    try:
        with path.open("rb") as file:
            lines.writelines(_json_lines(file, path) if kind == "json" else _markdown_lines(file))
    except BaseException:
        lines.close()
        raise
    return lines


def _json_lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    has_begun = False
    try:
        for value in read_elements(file, "records.item", path):
            has_begun = True
            yield DAMAGED_LINE if isinstance(value, Damaged) else msgspec.json.encode(value) + b"\n"
    except SourceUnreadable:
        if not has_begun:
            raise
        yield TORN_LINE


def _markdown_lines(file: BinaryIO) -> Iterator[bytes]:
    for record in read_markdown(file):
        yield _line(record)


def _line(record: Record | Damaged) -> bytes:
    if isinstance(record, Damaged):
        return TORN_LINE if record is TORN else DAMAGED_LINE
    return msgspec.json.encode(record) + b"\n"


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(PEEKED_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()


def _is_header(line: bytes) -> bool:
    try:
        return bool(msgspec.json.decode(line, type=dict[str, object]).get("type") == "header")
    except (ValueError, RecursionError):
        return False
