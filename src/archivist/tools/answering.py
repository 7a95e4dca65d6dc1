"""The boundary of a tool that reads: arguments become what its schema asks for, and what goes wrong becomes a result that says so."""

from collections.abc import Callable, Mapping
from typing import Any

from archivist.records import ArchivistError
from archivist.tools.arguments import Arguments, Refused, as_object, check_whole, read_arguments, renamed
from archivist.tools.context import Context
from archivist.tools.results import failure
from archivist.tools.tool import Result

Call = Callable[[Mapping[str, Any] | str, Context], Result]


def answering(
    answer: Callable[[Arguments, Context], Result],
    schema: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
    *,
    is_exact: bool = False,
) -> Call:
    """A call that never raises what Archivist reports on purpose.

    Args:
        answer: Answers arguments that were read.
        schema: JSON Schema of the arguments.
        names: What models call arguments that have other names here.
        is_exact: What is no text is refused; else whoever answers makes one of it.
    """

    def call(given: Mapping[str, Any] | str, context: Context) -> Result:
        try:
            if names:
                given = renamed(as_object(given), names)
            arguments = read_arguments(given, schema)
            if is_exact:
                check_whole(arguments)
            return answer(arguments, context)
        except (Refused, ArchivistError) as error:
            return failure(error)

    return call
