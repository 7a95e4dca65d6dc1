"""The formats that can be read. A new one is a codec in a module of its own, and a line here."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from archivist.config.home import STATE
from archivist.store.migrating import APPLICATION_ID
from archivist.transfer.foreign import Codec, Found, SourceUnreadable, TransferError

FORMATS: dict[str, str] = {
    "hermes": "archivist.transfer.hermes:Hermes",
    "claude-code": "archivist.transfer.claude_code.codec:ClaudeCode",
    "openclaw": "archivist.transfer.openclaw:OpenClaw",
    "chatgpt": "archivist.transfer.chatgpt:ChatGpt",
    "claude": "archivist.transfer.claude_export:ClaudeExport",
    "codex": "archivist.transfer.codex:Codex",
    "letta": "archivist.transfer.letta:Letta",
    "archivist": "archivist.transfer.archivist:OwnExports",
}
"""By name: where the codec stands, which is loaded when it is used.

The order decides: a path is asked about from the top, and a folder that several formats know is read in this order. What is known by its
name and its tables at once stands first, what must look into many files behind it, and what anybody may have written last.
"""


class UnknownFormat(TransferError):
    """No codec has that name."""

    def __init__(self, name: str) -> None:
        self.name, self.known = name, tuple(sorted(FORMATS))
        super().__init__(f"no format is called {name!r}: use one of {', '.join(self.known)}")


class FormatNotRecognised(TransferError):
    """No codec knows what a file or folder is; `unseen` says what of it was not looked at."""

    def __init__(self, path: Path, known: Sequence[str], unseen: str = "") -> None:
        self.path, self.known, self.unseen = path, tuple(known), unseen
        passed = f", as far as it was looked at ({unseen})" if unseen else ""
        super().__init__(
            f"{path} holds no history of a known format ({', '.join(known)}){passed}: check the path or name a format"
        )


class HistoryNotFound(TransferError):
    """There is nothing at a path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"there is nothing at {path}: check the path")


def codec_named(name: str) -> Codec:
    """The codec of a format; underscores and capitals do not matter.

    Raises:
        UnknownFormat: There is none.
    """
    place = FORMATS.get(name.lower().replace("_", "-"))
    if place is None:
        raise UnknownFormat(name)
    return _codec_at(place)


def codecs() -> Iterator[Codec]:
    """All of them, one after the other."""
    return map(_codec_at, FORMATS.values())


@cache
def _codec_at(place: str) -> Codec:
    module, _, attribute = place.partition(":")
    codec: Codec = getattr(import_module(module), attribute)()
    return codec


def detect_format(path: Path) -> str:
    """The name of the format of a file or folder; of several in a folder the first.

    Raises:
        HistoryNotFound, FormatNotRecognised: As for `detect_formats`.
    """
    return next(_formats_of(path))


def detect_formats(path: Path) -> list[str]:
    """The names of all formats in a folder; of a file it is one.

    Raises:
        HistoryNotFound: There is nothing at the path.
        FormatNotRecognised: No codec can read it.
    """
    return list(_formats_of(path))[: 1 if path.is_file() else None]


def _formats_of(path: Path) -> Iterator[str]:
    if not path.exists():
        raise HistoryNotFound(path)
    refuse_own_home(path)
    is_known = False
    for codec in codecs():
        if codec.recognises(path):
            is_known = True
            yield codec.name
    if not is_known:
        raise FormatNotRecognised(path, sorted(FORMATS))


def refuse_own_home(path: Path) -> None:
    """Say how an Archivist's own home is brought in, for it is no foreign history.

    Raises:
        SourceUnreadable: It is one.
    """
    if is_own_home(path):
        target = path if path.is_dir() else path.parent
        advice = f"use `archivist --home {target} sessions export --all -o FILE`, then import that file"
        raise SourceUnreadable(path, "it is the home of an Archivist", advice)


def is_own_home(path: Path) -> bool:
    """Whether a folder or a database is an Archivist's own."""
    database = path / STATE if path.is_dir() else path
    try:
        if not database.is_file():
            return False
        with database.open("rb") as file:
            head = file.read(72)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and int.from_bytes(head[68:], "big") == APPLICATION_ID


def find_histories(home: Path, environ: Mapping[str, str]) -> list[Found]:
    """Histories where their programs keep them.

    Args:
        home: The home folder of the user.
        environ: Environment variables, which may name other places.
    """
    return [found for codec in codecs() for found in codec.find(home, environ)]
