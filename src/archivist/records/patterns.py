"""Regular expressions that are compiled when they are first used.

Compiling one over Unicode ranges takes milliseconds. A command that runs for a tenth of a second cannot pay that for every expression
of every module that it loads, when it uses a handful.
"""

import re

TYPE_CHECKING = False  # `typing` takes longer to load than a prompt at which nothing is to be done may take
if TYPE_CHECKING:
    from typing import Any, AnyStr


class _LatePattern:
    """Stands for a pattern; takes over the pattern's methods when the first of them is asked for."""

    def __init__(self, source: "str | bytes", flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> "Any":  # noqa: ANN401 - whatever a pattern has
        value = getattr(re.compile(self._source, self._flags), name)
        self.__dict__[name] = value  # next time this method is not run
        return value


def late_pattern(source: "AnyStr", flags: int = 0) -> "re.Pattern[AnyStr]":
    """The pattern of an expression, to be used like the result of `re.compile`."""
    pattern: Any = _LatePattern(source, flags)
    return pattern  # type: ignore[no-any-return]  # it stands for one
