"""The letters of a terminal, where its locale names none."""

import locale
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Final

_NAMES: Final = ("C.UTF-8", "en_US.UTF-8", "UTF-8")
"""Locales whose letters are those of UTF-8; no system has all of them."""


@contextmanager
def letters_of_the_terminal() -> Iterator[None]:
    """While a line is edited: in the locale “C” Python reads UTF-8, where the editor of lines would see bytes.

    The editor asks the environment anew for each line; commands that an agent runs find it as it was.
    """
    name, before = _other_locale(), os.environ.get("LC_ALL")
    if name is None:
        yield
        return
    os.environ["LC_ALL"] = name
    try:
        yield
    finally:
        os.environ.pop("LC_ALL")
        if before is not None:
            os.environ["LC_ALL"] = before


@cache
def _other_locale() -> str | None:
    """One that has the terminal's letters, set for this process, where the user's has not."""
    if (sys.stdin.encoding or "").casefold() != "utf-8" or locale.getencoding().casefold() == "utf-8":
        return None
    for name in _NAMES:
        with suppress(locale.Error):
            return locale.setlocale(locale.LC_CTYPE, name)
    return None


__all__ = ["letters_of_the_terminal"]
