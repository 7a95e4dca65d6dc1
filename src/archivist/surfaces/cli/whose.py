"""Whose notes are meant on the command line: the owner's own, or one project's, user's or chat's."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from archivist.records import EVERYTHING, Reader, Scope
from archivist.records.display import plain
from archivist.records.notes import HOME_SCOPE

F = TypeVar("F", bound=Callable[..., Any])

_FILES = "memory: the environment, conventions, lessons; user: the person."


def whose_options(command: F) -> F:
    """`--project`, `--user` and `--chat`, given to the command as one `scope`: whose notes are meant, so only one of them."""
    return _given_as_scope(command, scope_of, ("Of a project", "Of another person.", "Of a group."))


def reader_options(command: F) -> F:
    """`--project`, `--user` and `--chat`, given to the command as one `scope`: where somebody reads, so any of them together."""
    return _given_as_scope(
        command, place_of, ("As in a project", "As this person; 'owner' is you.", "As in this group.")
    )


def _given_as_scope(
    command: F, read: Callable[[str | None, str | None, str | None], Scope], told: tuple[str, str, str]
) -> F:
    in_project, of_user, of_chat = told

    @click.option(
        "--project", metavar="FOLDER|KEY", help=f"{in_project}: a folder of it, such as '.', or its key."
    )
    @click.option("--user", metavar="KEY", help=of_user)
    @click.option("--chat", metavar="KEY", help=of_chat)
    @wraps(command)
    def called(*args: Any, project: str | None, user: str | None, chat: str | None, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever the command takes
        return command(*args, scope=read(project, user, chat), **kwargs)

    return called  # type: ignore[return-value]  # click's own type of a command


def target_option(command: F) -> F:
    """`--target`: which of the two files; MEMORY.md unless said."""
    return _target("memory", _FILES)(command)


def target_or_words_option(command: F) -> F:
    """`--target`: which of the two files; None unless said, for the words to tell."""
    return _target(None, f"{_FILES} Without it the words decide, and MEMORY.md where they do not.")(command)


def either_target_option(command: F) -> F:
    """`--target`: which of the two files; None unless said, for both to be looked through."""
    return _target(None, f"{_FILES} Without it both are looked through.")(command)


def _target(default: str | None, told: str) -> Callable[[F], F]:
    choice = click.Choice(["memory", "user"])
    return click.option("--target", type=choice, default=default, show_default=default is not None, help=told)


def scope_of(project: str | None, user: str | None, chat: str | None) -> Scope:
    """The scope that the options name.

    Raises:
        click.UsageError: More than one is named, or one is empty.
    """
    if sum(key is not None for key in (project, user, chat)) > 1:
        raise click.UsageError("give one of --project, --user, --chat: notes belong to one of them")
    return place_of(project, user, chat)


def place_of(project: str | None, user: str | None, chat: str | None) -> Scope:
    """The same where several may be named: a person in a project, say.

    Raises:
        click.UsageError: One is empty.
    """
    for name, key in (("project", project), ("user", user), ("chat", chat)):
        if key is not None and not key.strip():
            raise click.UsageError(f"--{name} is empty: say which {name} is meant, or leave it out")
    return Scope(user=user, chat=chat, project=None if project is None else _project(project))


def reader_in(scope: Scope) -> Reader:
    """Who reads from there; on the command line it is the owner, who sees everything unless one is named."""
    return EVERYTHING if scope == HOME_SCOPE else scope


def whose(scope: Scope) -> str:
    """Whose notes a scope's are, on one line of a terminal; empty for the owner's own."""
    return " ".join(plain(scope.project or scope.user or scope.chat or "").split())


def _project(named: str) -> str:
    from archivist.config.projects import project_named  # noqa: PLC0415 - where a project is named

    return project_named(named)


def scope_or_all(scope: Scope) -> Scope | None:
    """The scope that was named; where none was, all that is the owner's."""
    return None if scope == HOME_SCOPE else scope
