"""What tells one line from another that has its id: a hash of what it says."""

from zlib import crc32

from archivist.records.digest import blake2b
from archivist.transfer.claude_code.lines import Line

PRINT_BYTES = 8


def own_id(line: Line) -> str:
    """The id of a line whose own id another line had first."""
    return f"{line.uuid}~{crc32(_content(line)):08x}"


def print_of(line: Line, key: bytes) -> bytes:
    """A keyed hash of what a line says, so that it tells nothing by itself."""
    return blake2b(_content(line), digest_size=PRINT_BYTES, key=key).digest()


def _content(line: Line) -> bytes:
    content = line.message.content if line.message else None
    if isinstance(content, str):
        return content.encode("utf-8", "surrogatepass")
    return b"\n".join(map(bytes, content or ()))


__all__ = ["PRINT_BYTES", "own_id", "print_of"]
