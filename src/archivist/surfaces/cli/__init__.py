"""The command line: one module a group of commands, loaded when it is called.

Commands hold no logic: they open a home, call it, and print. An error is one line on stderr that says what to do next; the exit code
is 2 for misuse and 1 for failure.
"""

from archivist.surfaces.cli.root import main

__all__ = ["main"]
