"""Addresses of the web, as settings give them."""

from urllib.parse import SplitResult, urlsplit

_PORTS = {"http": 80, "https": 443}


def trouble_of(address: str) -> str:
    """What keeps a text from being an address at which something is asked; nothing where it is one."""
    try:
        parts = urlsplit(address)
        is_one = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_one = False
    if not is_one or not address.isascii() or any(mark.isspace() for mark in address):
        return "must be an address such as 'http://localhost:8000/v1'"
    if parts.username or parts.password:
        return "must have no user and no password in it: a key has its own place (`archivist model set`)"
    return "must end with its path, without '?' and '#'" if parts.query or parts.fragment else ""


def is_same_place(first: str, second: str) -> bool:
    """Whether what is sent to two addresses goes to the same server."""
    return _place(urlsplit(first)) == _place(urlsplit(second))


def is_unprotected(address: str) -> bool:
    """Whether what is sent there leaves the net that this machine stands in, as anybody on the way can read it."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    if (
        parts.scheme != "http"
        or "." not in host.strip(".")
        or host.endswith((".local", ".lan", ".internal", ".home"))
    ):
        return False
    from ipaddress import ip_address  # noqa: PLC0415 - nearly all addresses are https

    try:
        return not ip_address(host).is_private
    except ValueError:
        return True


def _place(parts: SplitResult) -> tuple[str, str, int | None]:
    return parts.scheme, parts.hostname or "", parts.port or _PORTS.get(parts.scheme)


__all__ = ["is_same_place", "is_unprotected", "trouble_of"]
