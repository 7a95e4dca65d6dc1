"""A conversation that outgrows its window, made shorter: pure functions from messages to messages, a model only where one is given.

`archivist.compress` is this room and the function of the same name. Python puts a package that was imported where its parent keeps a name,
so that the function would be gone as soon as anything of the room is loaded. The package can be called instead, and is then the function.
"""

import sys
from types import ModuleType

TYPE_CHECKING = False  # `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

    from archivist.compress.compressing import Compressed


class _Room(ModuleType):
    """The package, called as `archivist.compress.compressing.compress`."""

    def __call__(self, *args: "Any", **options: "Any") -> "Compressed":  # noqa: ANN401 - those of the function
        from archivist.compress.compressing import compress as function  # noqa: PLC0415 - whoever checks messages compresses none

        return function(*args, **options)


compress = sys.modules[__name__]
compress.__class__ = _Room
