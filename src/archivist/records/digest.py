"""Content digests: the same message gives the same hash on every machine and in every version.

A digest is BLAKE2b of 16 bytes over a canonical list of fields, each with its length before it, so that no two different messages
run together into the same bytes. The first field is the scheme: another scheme would be another name, never a change of this one.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b, sha256
else:  # the same functions; `hashlib` loads OpenSSL, which is quicker over megabytes: 4 ms that a quick question does not have
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256  # until Python 3.11
        except ImportError:
            from hashlib import sha256

__all__ = ["SCHEME", "blake2b", "content_digest", "sha256", "text_digest"]

SCHEME = b"archivist-message-1"


def content_digest(fields: Iterable[str | bytes | None]) -> bytes:
    """Sixteen bytes over the fields in order; None and the empty string differ."""
    pieces = [SCHEME]
    for value in fields:
        if value is None:
            pieces.append(b"-")
            continue
        raw = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        pieces.append(b"%d:" % len(raw))
        pieces.append(raw)
    return blake2b(b"".join(pieces), digest_size=16).digest()


def text_digest(text: str) -> str:
    """SHA-256 in hex of a text, for prompts and files."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
