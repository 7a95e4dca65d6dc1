"""What every command shares: which home is meant, and in what form to print."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from archivist.records import Notice

if TYPE_CHECKING:
    from archivist.app import Archivist

FAILURE = 1
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Call:
    """What was asked for on the command line, whatever the command."""

    home: str | None
    profile: str | None
    as_json: bool = False

    @contextmanager
    def opened(self) -> Iterator["Archivist"]:
        """The home, opened; what is to be known about it goes to stderr."""
        from archivist.app import Archivist  # noqa: PLC0415 - `--help` opens nothing

        with Archivist.open(self.home, self.profile) as archivist:
            tell(archivist.notices)
            yield archivist


def json_option(command: F) -> F:
    """Give a command `--json`, beside the root's."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def print_json(value: object) -> None:
    """One JSON value on stdout, its characters as they are."""
    import msgspec  # noqa: PLC0415 - only where it is asked for

    click.echo(msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2).decode("utf-8"))


def tell(notices: Sequence[Notice]) -> None:
    """Notices on stderr, a line each."""
    for notice in notices:
        click.echo(click.style(f"note: {notice.text}", dim=True), err=True)
