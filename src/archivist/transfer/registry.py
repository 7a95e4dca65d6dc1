"""The formats that can be read. A new one is a codec in a module of its own, and a line here."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from archivist.transfer.archivist import OwnExports
from archivist.transfer.chatgpt import ChatGpt
from archivist.transfer.claude_code import ClaudeCode
from archivist.transfer.claude_export import ClaudeExport
from archivist.transfer.codex import Codex
from archivist.transfer.foreign import Codec, Found, TransferError
from archivist.transfer.hermes import Hermes
from archivist.transfer.letta import Letta
from archivist.transfer.openclaw import OpenClaw

CODECS: Mapping[str, Codec] = {
    codec.name: codec
    for codec in (
        Hermes(),
        ClaudeCode(),
        OpenClaw(),
        ChatGpt(),
        ClaudeExport(),
        Codex(),
        Letta(),
        OwnExports(),
    )
}


class UnknownFormat(TransferError):
    """No codec has that name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(f"no format is called {name!r}: use one of {', '.join(known)}")


class FormatNotRecognised(TransferError):
    """No codec knows what a file or folder is."""

    def __init__(self, path: Path, known: Sequence[str]) -> None:
        self.path, self.known = path, tuple(known)
        super().__init__(
            f"{path} holds no history of a known format ({', '.join(known)}): check the path or name a format"
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
    codec = CODECS.get(name.lower().replace("_", "-"))
    if codec is None:
        raise UnknownFormat(name, sorted(CODECS))
    return codec


def detect_format(path: Path) -> str:
    """The name of the format of a file or folder.

    Raises:
        HistoryNotFound: There is nothing at the path.
        FormatNotRecognised: No codec can read it.
    """
    if not path.exists():
        raise HistoryNotFound(path)
    for name, codec in CODECS.items():
        if codec.recognises(path):
            return name
    raise FormatNotRecognised(path, sorted(CODECS))


def find_histories(home: Path, environ: Mapping[str, str]) -> list[Found]:
    """Histories where their programs keep them.

    Args:
        home: The home folder of the user.
        environ: Environment variables, which may name other places.
    """
    return [found for codec in CODECS.values() for found in codec.find(home, environ)]
