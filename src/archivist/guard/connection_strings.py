"""Passwords in addresses and on command lines: `postgres://user:…@host`, `curl -u user:…`.

Only the password is a finding: scheme, user and host stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from archivist.guard.entropy import is_password_like, is_stand_in, is_strong
from archivist.guard.reading import Reading, Secret
from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_SCHEME = 24
_DATABASES = (
    b"postgres", b"mysql", b"mariadb", b"mongodb", b"redis", b"valkey", b"amqp", b"mssql", b"sqlserver",
    b"oracle", b"clickhouse", b"cockroach", b"nats", b"kafka", b"ldap", b"smtp", b"imap", b"snowflake",
    b"redshift", b"neo4j", b"bolt", b"jdbc", b"cassandra", b"ftp", b"sftp", b"mqtt", b"couchbase",
)  # fmt: skip
_SCHEME = late_pattern(rb"[a-z0-9+.:\-]{1,23}[a-z]")
"""A scheme, read backwards from its end."""
_AUTHORITY = late_pattern(rb"[^\s\"'<>`]{1,400}")
_PATH_BEGINS = late_pattern(rb"[/?#]")
_HOST = late_pattern(rb"[\w.\-\[$]")
_HOST_ALONE = late_pattern(rb"[\w.\-\[\]:]{1,260}(?:[/?,;)]|\Z)")
_PORT_FIRST = late_pattern(rb"\d{2,5}[/?]")
_LONGEST_USER = 128
_LONGEST_AUTHORITY = 400
_CURL_USER = late_pattern(
    rb"""(?x)(?<![\w-])(?:-[a-z]{0,3}u|--(?:proxy-)?user)[\ =]{0,2}
    (?: "(?P<double>[^"\n]{3,200})"(?P<more>:"[^"\n]{1,200}")? | '(?P<single>[^'\n]{3,200})'
      | (?P<bare>[^\s"'`:]{0,100}:(?:[^\s"'`]{1,100}|'[^'\n]{1,100}'|"[^"\n]{1,100}")) )"""
)
_LONGEST_COMMAND = 1_000


def find_connection_passwords(reading: Reading) -> Iterator[Secret]:
    """Passwords in the user part of addresses, and of curl and wget calls."""
    lower = reading.lower
    at = lower.find(b"://")
    while at >= 0:
        following = lower.find(b"://", at + 3)
        if lower.find(b"@", at + 3, at + 3 + _LONGEST_AUTHORITY) >= 0:
            yield from _in_address(reading, at, following if following >= 0 else len(lower))
        at = following
    at = lower.find(b"curl ")
    while at >= 0:
        end = lower.find(b"\n", at, at + _LONGEST_COMMAND)
        end = min(len(lower), at + _LONGEST_COMMAND) if end < 0 else end
        yield from _in_command(reading, at, end)
        at = lower.find(b"curl ", end)


def _in_address(reading: Reading, at: int, limit: int) -> Iterator[Secret]:
    """The password between the first colon and the last `@` of the authority that begins after `at`."""
    scheme = _SCHEME.match(reading.lower[max(0, at - _LONGEST_SCHEME) : at][::-1])
    authority = _AUTHORITY.match(reading.codes, at + 3, limit)
    if scheme is None or authority is None:
        return
    database = scheme[0][::-1].rsplit(b":", 1)[-1].startswith(_DATABASES)
    part = authority[0] if database else _PATH_BEGINS.split(authority[0], maxsplit=1)[0]
    colon, sign = part.find(b":"), part.rfind(b"@")
    if not 0 <= colon < sign - 1 or colon > _LONGEST_USER:
        return
    if database and (_PORT_FIRST.match(part, colon + 1) or not _HOST_ALONE.match(part, sign + 1)):
        return
    start, end = at + 3 + colon + 1, at + 3 + sign
    user, value = part[:colon].decode(), reading.text[start:end]
    if (
        _HOST.match(part, sign + 1)
        and not is_stand_in(value)
        and value.lower() != user.lower()
        and len(value) > 2
    ):
        yield Secret("connection-string", start, end)


def _in_command(reading: Reading, start: int, end: int) -> Iterator[Secret]:
    for found in _CURL_USER.finditer(reading.codes, start, end):
        if found["more"]:
            span = (found.start("more") + 2, found.end("more") - 1)
            if _is_password(reading.text[slice(*span)].strip("{}"), ""):
                yield Secret("password", *span)
            continue
        group = next(g for g in ("double", "single", "bare") if found[g] is not None)
        low, high = found.span(group)
        colon = reading.text.find(":", low, high)
        if colon >= 0:
            yield from _login(reading.text, low, colon, high)


def _login(text: str, low: int, colon: int, high: int) -> Iterator[Secret]:
    """The secret half of `user:password`; of `token:` and `:token` the half that is there."""
    start, end = colon + 1, high
    if start == end:
        if is_strong(text[low:colon]) and not is_stand_in(text[low:colon]):
            yield Secret("password", low, colon)
        return
    while start < end and text[start] in "\"'":
        start, end = start + 1, end - (text[end - 1] in "\"'")
    if _is_password(text[start:end], text[low:colon]):
        yield Secret("password", start, end)


def _is_password(value: str, user: str) -> bool:
    return not is_stand_in(value) and value.lower() != user.lower() and is_password_like(value)
