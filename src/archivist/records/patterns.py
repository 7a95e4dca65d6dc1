"""Regular expressions that are compiled when they are first used.

Compiling one over Unicode ranges takes milliseconds. A command that runs for a tenth of a second cannot pay that for every expression
of every module that it loads, when it uses a handful.
"""

import re
from typing import Any, cast


class _LatePattern:
    """Stands for a pattern; takes over the pattern's methods when the first of them is asked for."""

    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a pattern has
        value = getattr(re.compile(self._source, self._flags), name)
        self.__dict__[name] = value  # next time this method is not run
        return value


def late_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of an expression, to be used like the result of `re.compile`."""
    return cast("re.Pattern[str]", _LatePattern(source, flags))
