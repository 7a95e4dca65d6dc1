"""What every command shares: which home is meant, and in what form to print."""

import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.config import Home
    from archivist.records import Notice

F = TypeVar("F", bound=Callable[..., Any])


class Call:
    """What was asked for on the command line, whatever the command.

    A plain class: msgspec takes longer to load than a look that finds nothing new.
    """

    __slots__ = ("as_json", "home", "profile")

    def __init__(self, home: str | None, profile: str | None, *, as_json: bool = False) -> None:
        self.home, self.profile, self.as_json = home, profile, as_json

    @property
    def program(self) -> str:
        """How to call the program again for the same home."""
        options = [("--home", self.home), ("--profile", self.profile)]
        return " ".join(["archivist", *(f"{name} {shlex.quote(value)}" for name, value in options if value)])

    @property
    def place(self) -> "Home":
        """The home that is meant, which is not opened."""
        from archivist.config import find_home  # noqa: PLC0415 - `--help` looks for none

        return find_home(self.home, self.profile, environ=os.environ)

    @contextmanager
    def opened(self) -> Iterator["Archivist"]:
        """The home, opened; what is to be known about it goes to stderr."""
        from archivist.app import Archivist  # noqa: PLC0415 - `--help` opens nothing

        is_new = self.profile is not None and self._is_new()
        with Archivist.open(self.home, self.profile) as archivist:
            tell(archivist.notices)
            if is_new:
                click.echo(
                    f"note: the profile {self.profile} is new: its home is {archivist.home.path}", err=True
                )
            try:
                yield archivist
            finally:
                tell(archivist.take_notices())

    def _is_new(self) -> bool:
        """Whether the profile has no home yet: its name may be a slip."""
        return not self.place.path.exists()


def working_folder() -> Path | None:
    """The folder in which the program was called; None where it is gone."""
    try:
        return Path.cwd()
    except OSError:
        return None


def json_option(command: F) -> F:
    """Give a command `--json`, beside the root's: either sets `Call.as_json`."""
    return click.option(
        "--json", is_flag=True, expose_value=False, is_eager=True, callback=_set_json, help="Print JSON."
    )(command)


def command_on(argument: str) -> Callable[[Callable[[Call, str], None]], click.Command]:
    """A command that takes one thing by its name and has `--json`.

    Args:
        argument: What the command calls that thing, such as "entry".
    """

    def make(run: Callable[[Call, str], None]) -> click.Command:
        return click.command()(click.argument(argument)(json_option(click.pass_obj(run))))

    return make


def _set_json(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and context.obj is not None:
        context.obj = Call(context.obj.home, context.obj.profile, as_json=True)


def print_json(value: object) -> None:
    """One JSON value on stdout, its characters as they are; a name of a file that is no text, as near to it as can be."""
    import msgspec  # noqa: PLC0415 - only where it is asked for

    try:
        encoded = msgspec.json.encode(value, enc_hook=_encodable)
    except UnicodeEncodeError:
        encoded = msgspec.json.encode(_as_text(msgspec.to_builtins(value, enc_hook=_encodable)))
    click.echo(msgspec.json.format(encoded, indent=2).decode("utf-8"))


def _encodable(value: object) -> object:
    """What msgspec does not know by itself: paths, and read-only views of mappings."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(type(value).__name__)


def _as_text(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, dict):
        return {_as_text(name): _as_text(one) for name, one in value.items()}
    return [_as_text(one) for one in value] if isinstance(value, list | tuple) else value


def tell(notices: "Sequence[Notice]") -> None:
    """Notices on stderr, a line each."""
    from archivist.records.display import plain  # noqa: PLC0415 - records take their time to load, and most calls tell nothing

    for notice in notices:
        click.echo(click.style(f"note: {plain(notice.text)}", dim=True), err=True)
