"""Commands whose arguments are texts, which may begin as an item of a list does."""

import re
from typing import Any, Final

import click

ITEM: Final = re.compile(r"--?\s")
"""A dash and a blank: no option looks so."""
HELD: Final = "\0"
"""Put before such a text while options are told from arguments; no argument of a process can have it."""


class TextCommand(click.Command):
    """A command of which an argument that begins with a dash and a blank is a text; for one without the blank the error names `--`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        valued = {
            name
            for option in self.get_params(ctx)
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        held = [
            HELD + one if ITEM.match(one) and before not in valued else one
            for before, one in zip(["", *args], args, strict=False)
        ]
        try:
            left = super().parse_args(ctx, held)
        except click.NoSuchOption as error:
            told = error.format_message().rstrip(".")
            raise click.UsageError(f"{told}; a text that begins with a dash stands behind --", ctx) from error
        ctx.params = {name: _let_go(value) for name, value in ctx.params.items()}
        return [_let_go(one) for one in left]


def _let_go(value: Any) -> Any:  # noqa: ANN401 - what options and arguments were read as
    if isinstance(value, tuple):
        return tuple(map(_let_go, value))
    return value.removeprefix(HELD) if isinstance(value, str) else value
