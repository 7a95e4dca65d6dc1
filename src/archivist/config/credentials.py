"""Keys of providers, in a file of the home that its owner alone may read: where no variable of the environment has them.

A provider has a table with its key, or a list of tables where it has several. A key is kept with the address that it was given for, and
is sent to no other.
"""

import os
import stat
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from archivist.config.addresses import is_same_place
from archivist.files.regular import read_regular
from archivist.records import ArchivistError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tomlkit import TOMLDocument

HEAD: Final = "# Keys of providers: `archivist model set` writes them. Nobody else should read this file.\n"
LOCK_SECONDS: Final = 10.0
_MOST_BYTES: Final = 1_000_000
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class CredentialsUnreadable(ArchivistError):
    """The file of keys cannot be used; no key of it was."""

    def __init__(
        self, path: Path, reason: str, advice: str = "correct it, or remove it and set the key anew"
    ) -> None:
        self.path = path
        super().__init__(f"{path}: {reason}; {advice}")


def read_key(path: Path, provider: str, base_url: str) -> str | None:
    """The first key that is kept for a provider at an address; None where there is none.

    Raises:
        CredentialsUnreadable: See `read_keys`.
    """
    return next(iter(read_keys(path, provider, base_url)), None)


def read_keys(path: Path, provider: str, base_url: str) -> tuple[str, ...]:
    """The keys that are kept for a provider at an address, the first first.

    Raises:
        CredentialsUnreadable: Others may read the file, or it says nothing that can be followed.
    """
    text = _text(path)
    if not text:
        return ()
    entries = _entries(path, _parsed(path, text), provider)
    return tuple(one["key"] for one in entries if is_same_place(one["base_url"], base_url))


def write_key(path: Path, provider: str, base_url: str, key: str) -> None:
    """Keep a key for a provider at an address, in place of the one that was kept for the provider; of several, of the first.

    Raises:
        CredentialsUnreadable: See `read_keys`; nothing was changed.
        FileNotWritten, FileLocked: Nothing was changed.
    """

    def change(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        new = {"key": key, "base_url": base_url}
        return [new, *(one for one in entries[1:] if one != new)]

    _change_entries(path, provider, change)


def add_key(path: Path, provider: str, base_url: str, key: str) -> bool:
    """Keep another key for a provider at an address, behind those that are kept; whether it was not there yet.

    Raises:
        CredentialsUnreadable: See `read_keys`; nothing was changed.
        FileNotWritten, FileLocked: Nothing was changed.
    """

    def change(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        is_there = any(_is_it(one, base_url, key) for one in entries)
        return entries if is_there else [*entries, {"key": key, "base_url": base_url}]

    return _change_entries(path, provider, change)


def drop_key(path: Path, provider: str, base_url: str, key: str) -> bool:
    """Keep one key of a provider no longer; whether it was kept.

    Raises:
        CredentialsUnreadable: See `read_keys`; nothing was changed.
        FileNotWritten, FileLocked: Nothing was changed.
    """
    return path.exists() and _change_entries(
        path, provider, lambda entries: [one for one in entries if not _is_it(one, base_url, key)]
    )


def remove_key(path: Path, provider: str) -> bool:
    """Keep no key of a provider any longer; whether one was kept.

    Raises:
        CredentialsUnreadable: See `read_keys`; nothing was changed.
        FileNotWritten, FileLocked: Nothing was changed.
    """
    return path.exists() and _change(path, lambda document: document.pop(provider, None) is not None)


def _is_it(entry: "Mapping[str, Any]", base_url: str, key: str) -> bool:
    return bool(entry["key"] == key) and is_same_place(entry["base_url"], base_url)


def _entries(path: Path, document: "Mapping[str, Any]", provider: str) -> list[dict[str, Any]]:
    """What is kept for a provider: a table of one key, or a list of such tables."""
    found = document.get(provider)
    entries = [found] if isinstance(found, dict) else found if isinstance(found, list) else []
    for one in entries:
        if not isinstance(one, dict) or not all(
            isinstance(one.get(name), str) for name in ("key", "base_url")
        ):
            raise CredentialsUnreadable(path, f"[{provider}] needs a key and a base_url")
    return entries


def _change_entries(
    path: Path, provider: str, change: "Callable[[list[dict[str, Any]]], list[dict[str, Any]]]"
) -> bool:
    """Change what is kept for a provider; whether anything changed."""

    def change_document(document: "TOMLDocument") -> bool:
        import tomlkit  # noqa: PLC0415 - who only reads does not need it

        before = _entries(path, document.unwrap(), provider)
        after = change(before)
        if after == before:
            return False
        document.pop(provider, None)
        if len(after) == 1:
            document[provider] = after[0]
        elif after:
            listed = tomlkit.aot()
            for one in after:
                listed.append(tomlkit.item(one))
            document[provider] = listed
        return True

    return _change(path, change_document)


def _change(path: Path, change: "Callable[[TOMLDocument], bool]") -> bool:
    import tomlkit  # noqa: PLC0415 - who only reads does not need it

    from archivist.files.atomic import make_folder, write_atomically  # noqa: PLC0415 - as above
    from archivist.files.locks import locked  # noqa: PLC0415 - as above

    make_folder(path.parent)
    with locked(path.with_name(f"{path.name}.lock"), seconds=LOCK_SECONDS):
        text = _text(path)
        _parsed(path, text)
        document = tomlkit.parse(text or HEAD)
        if changed := change(document):
            write_atomically(Path(os.path.realpath(path)), tomlkit.dumps(document).encode())
        return changed


def _text(path: Path) -> str:
    try:
        content = read_regular(path, _MOST_BYTES)
        mode = path.stat().st_mode
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise CredentialsUnreadable(path, error.strerror or "it cannot be read") from error
    if os.name == "posix" and mode & _OTHERS:
        raise CredentialsUnreadable(
            path, "others may read it", f"`chmod 600 {path}`, and set another key if somebody did"
        )
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise CredentialsUnreadable(path, "it is no text") from error


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError):  # what it says may be a key: no word of it is told
        raise CredentialsUnreadable(path, "it is no valid TOML") from None


__all__ = [
    "CredentialsUnreadable",
    "add_key",
    "drop_key",
    "read_key",
    "read_keys",
    "remove_key",
    "write_key",
]
