"""The log of a home: what became of requests to models, for whoever asks later why an agent waited, changed its key or stopped.

It is bounded and its owner's alone. A line has a word for what happened, and facts that the program made itself: names, numbers, times.
What somebody said, a model or its provider, stands in it only where the environment asks for that (`ARCHIVIST_LOG=debug`), masked.
"""

import json
import os
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from archivist.app.findings import Finding
from archivist.config import Home
from archivist.records import Notice

if TYPE_CHECKING:
    from archivist.app.log_files import LogFiles

VARIABLE: Final = "ARCHIVIST_LOG"
FILE: Final = "archivist.log"
FILES, BYTES = 3, 1_000_000
"""How many there are, the older ones included, and how large each may become."""
_LONGEST_FACT, _LONGEST_TEXT = 200, 2_000
LONGEST_LINE: Final = 1_000
"""Bytes that a line has, about, at most."""
_LEVELS: Final[Mapping[str, int]] = {"off": 0, "info": 1, "debug": 2}


class Log:
    """Where it is written down what happens; nothing is opened before there is something.

    Args:
        folder: Of its files.
        now: The time.
        level: "off", "info" or "debug"; anything else is "info".
        tell: Is told once where nothing can be written.
    """

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime],
        level: str = "info",
        *,
        tell: Callable[[Notice], None],
    ) -> None:
        self._path, self._now, self._tell = folder / FILE, now, tell
        self._level = _LEVELS.get(level.strip().casefold(), _LEVELS["info"])
        self._files: LogFiles | None = None
        self._is_told = False

    def __call__(self, what: str, /, *, words: str = "", **facts: object) -> None:
        """Write down that something happened.

        Args:
            what: A word for it.
            words: What somebody said; written only where that is asked for.
            facts: Of the program's own making, never a text of anybody's.
        """
        if self._level >= _LEVELS["info"]:
            told = (f"{name}={_fact(value)}" for name, value in facts.items() if value is not None)
            self._write("INFO", " ".join([what, *told]))
        if words:
            self.detail(what, words)

    def detail(self, what: str, text: str) -> None:
        """Write down what was said, where that is asked for."""
        if self._level >= _LEVELS["debug"]:
            from archivist.guard import mask  # noqa: PLC0415 - seldom asked for

            line = " ".join(mask(text[: 10 * _LONGEST_TEXT]).text.split())[:_LONGEST_TEXT]
            self._write("DEBUG", f"{what}: {line}")

    def beside(self, tell: Callable[[Notice], None], own: Collection[str] = ()) -> Callable[[Notice], None]:
        """Whoever is told something, with the log beside it.

        Args:
            tell: Is told it.
            own: Codes of notices whose words are the program's own, so that they may stand in the log.
        """

        def both(notice: Notice) -> None:
            if notice.code in own:
                self("told", code=notice.code, said=notice.text)
            else:
                self.detail(f"told {notice.code}", notice.text)
            tell(notice)

        return both

    def _write(self, level: str, line: str) -> None:
        from archivist.app.log_files import LogNotWritten, opened, write  # noqa: PLC0415 - most turns write no line

        try:
            self._files = self._files or opened(self._path, FILES, BYTES)
            write(self._files, f"{self._now().isoformat(timespec='milliseconds')} {level} {line}")
        except LogNotWritten as error:
            if not self._is_told:
                self._is_told = True
                self._tell(
                    Notice(
                        "log-not-written",
                        f"{self._path} is not written ({error}): make room, or make its folder writable",
                    )
                )


def open_log(
    home: Home, environ: Mapping[str, str], now: Callable[[], datetime], *, tell: Callable[[Notice], None]
) -> Log:
    """The log of a home.

    Args:
        home: The home.
        environ: The environment, which may ask for more than usual, or for nothing.
        now: The time.
        tell: Is told once where nothing can be written.
    """
    return Log(home.log_folder, now, environ.get(VARIABLE, "info"), tell=tell)


def looked_at_log(home: Home) -> list[Finding]:
    """What `doctor` says of it: where it is."""
    path = home.log_folder / FILE
    try:
        size = sum(file.stat().st_size for file in home.log_folder.glob(f"{FILE}*") if file.suffix != ".lock")
    except OSError as error:
        return [Finding("log", "warning", f"{path} cannot be looked at ({error.strerror})")]
    return [Finding("log", "ok", f"{path}, {size / 1e6:,.1f} MB" if size else f"{path}, nothing written yet")]


def newest_lines(home: Home, most: int) -> list[str]:
    """The last lines of the log, the newest last; none where it cannot be read."""
    try:
        with (home.log_folder / FILE).open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - most * LONGEST_LINE))
            return file.read().decode("utf-8", "replace").splitlines()[-most:]
    except OSError:
        return []


def _fact(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    text = str(value)[:_LONGEST_FACT]
    is_word = text.isascii() and text.isprintable() and not set(text) & {" ", '"', "="}
    return text if is_word and text else json.dumps(text, ensure_ascii=False)


__all__ = ["Log", "looked_at_log", "newest_lines", "open_log"]
