"""`archivist hook EVENT`, for whoever calls a hook by hand; what is installed calls the module, which loads less."""

from typing import Any

import click

from archivist.surfaces.hooks.running import SECONDS, run


@click.command()
@click.argument("event", type=click.Choice(list(SECONDS)))
@click.pass_obj
def hook(call: Any, event: str) -> int:  # noqa: ANN401 - the command line's own, which no other surface knows
    """Answer an event of Claude Code, whose JSON stands on standard input."""
    return run(event, call.home, call.profile)
