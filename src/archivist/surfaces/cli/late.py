"""Groups of commands that know their commands by name and load each only when it is called."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

Table = Mapping[str, tuple[str, str]]
"""By name: where a command lives, as "module:attribute", and its line in the help, which must not cost an import."""


class LateGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def __init__(self, *args: Any, table: Table, **kwargs: Any) -> None:  # noqa: ANN401 - click's own signature
        super().__init__(*args, **kwargs)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in alphabetical order."""
        return sorted({*self.table, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, loaded."""
        if cmd_name not in self.table:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self.table[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; of a name that is none, those that may be meant are named."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = self._meant(ctx, args[0])
            if not near:
                raise
            told = f"{error.message.rstrip('.')}: did you mean {' or '.join(map(repr, near))}?"
            raise click.UsageError(told, ctx) from error

    def _meant(self, ctx: click.Context, name: str) -> list[str]:
        """The commands of the groups here that have this name; else the command here that is most like it."""
        from difflib import get_close_matches  # noqa: PLC0415 - only after a slip

        groups = ((group, self.get_command(ctx, group)) for group in self.list_commands(ctx))
        inside = [
            f"{group} {name}" for group, one in groups if isinstance(one, LateGroup) and name in one.table
        ]
        return inside or get_close_matches(name, self.list_commands(ctx), n=1)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.table[name][1]) for name in self.list_commands(ctx)])
