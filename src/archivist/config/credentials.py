"""Keys of providers, in a file of the home that its owner alone may read: where no variable of the environment has them.

A key is kept with the address that it was given for, and is sent to no other.
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
    from collections.abc import Callable

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
    """The key that is kept for a provider at an address; None where there is none.

    Raises:
        CredentialsUnreadable: Others may read the file, or it says nothing that can be followed.
    """
    text = _text(path)
    if not text:
        return None
    found = _parsed(path, text).get(provider)
    if not isinstance(found, dict):
        return None
    key, place = found.get("key"), found.get("base_url")
    if not isinstance(key, str) or not isinstance(place, str):
        raise CredentialsUnreadable(path, f"[{provider}] needs a key and a base_url")
    return key if is_same_place(place, base_url) else None


def write_key(path: Path, provider: str, base_url: str, key: str) -> None:
    """Keep a key for a provider at an address, in place of the one that was kept for the provider.

    Raises:
        CredentialsUnreadable: See `read_key`; nothing was changed.
        FileNotWritten, FileLocked: Nothing was changed.
    """

    def change(document: "TOMLDocument") -> bool:
        document[provider] = {"key": key, "base_url": base_url}
        return True

    _change(path, change)


def remove_key(path: Path, provider: str) -> bool:
    """Keep the key of a provider no longer; whether one was kept.

    Raises:
        CredentialsUnreadable: See `read_key`; nothing was changed.
        FileNotWritten, FileLocked: Nothing was changed.
    """
    return path.exists() and _change(path, lambda document: document.pop(provider, None) is not None)


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


__all__ = ["CredentialsUnreadable", "read_key", "remove_key", "write_key"]
