"""The ids that a summary cites, changed to others: in a home into which a conversation was imported its messages have new ones.

Only where a summary cites is anything changed: at the beginning of its lines, behind its arrows and marks, and in what a model told. What
is kept word for word stays so, numbers in brackets among it.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from archivist.compress.sections import HEADING

_CITED: Final = re.compile(
    r"(^- (?:\[[ x]\] )?\[|⟵ formerly \[|⟵ said before: \[|⟶ \[|not carried on, read |the same output as )(\d+)(?=[\], ]| further on)",
    re.MULTILINE,
)
_OWN: Final = re.compile(
    r"(\A\[|left out here; read |(?:characters|fields|items) more in |not carried on, read )(\d+)(?=, [\d,]+ characters\] | …\]|\])"
)
_SAME: Final = re.compile(r"(the same output as )(\d+)(?= further on)")
_TOLD: Final = re.compile(r"(\[#?)(\d+)(?=\])")


def recited(text: str, names: Mapping[int, int]) -> str:
    """A summary with other ids in the place of those that it cites.

    Args:
        text: Of the summary.
        names: By the id that it cites, that of the same message here.
    """

    def named(found: re.Match[str]) -> str:
        number = int(found[2])
        return f"{found[1]}{names.get(number, number)}"

    before, heading, account = text.partition(f"\n{HEADING}\n")
    told, next_section, rest = account.partition("\n## ")
    return "".join(
        (
            _sub(before, _CITED, named),
            heading,
            _sub(told, _TOLD, named),
            next_section,
            _sub(rest, _CITED, named),
        )
    )


def names_itself(text: str) -> set[int]:
    """The numbers under which what was shortened says that it is read whole: all of them are its own, wherever it was shortened."""
    return {int(found[2]) for found in _OWN.finditer(text)}


def renamed(text: str, names: Mapping[int, int]) -> str:
    """What was shortened, with other ids in its marks."""

    def named(found: re.Match[str]) -> str:
        number = int(found[2])
        return f"{found[1]}{names.get(number, number)}"

    return _SAME.sub(named, _OWN.sub(named, text))


def _sub(text: str, pattern: re.Pattern[str], named: Callable[[re.Match[str]], str]) -> str:
    return pattern.sub(named, text)


__all__ = ["names_itself", "recited", "renamed"]
