"""Short names of what a file holds."""

from typing import Final

from archivist.records.digest import blake2b

DIGEST_BYTES: Final = 12


def digest_of(content: bytes) -> str:
    """The hash of a file's bytes, in hex; empty for an empty file, which is as good as none."""
    if not content:
        return ""
    return blake2b(content, digest_size=DIGEST_BYTES).hexdigest()


def id_of(*parts: str) -> str:
    """An entry's id made of what it is: two readers that see the same hand edit give it the same one."""
    raw = "\0".join(parts).encode("utf-8", "surrogatepass")
    return f"e{blake2b(raw, digest_size=5).hexdigest()}"
