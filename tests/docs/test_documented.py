"""Docs, help and code cannot drift apart: what is named in one is there in the other."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import click
import pytest
from msgspec.structs import fields
from tests.docs.transcript import ROOT, in_readme, make_transcript

import archivist
from archivist import ArchivistError
from archivist.config import Settings
from archivist.surfaces.cli.late import LateGroup, Table
from archivist.surfaces.cli.root import COMMANDS, root

DOCS = {path.name: path.read_text("utf-8") for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]}
ALL_TEXT = "\n".join(DOCS.values())


def commands() -> dict[str, click.Command]:
    """Every command by the words that call it."""
    found: dict[str, click.Command] = {}
    context = click.Context(root)
    for name in COMMANDS:
        command = root.get_command(context, name)
        assert command
        found[name] = command
        if isinstance(command, click.Group):
            found |= {f"{name} {sub}": loaded(command, sub) for sub in command.list_commands(context)}
    return found


def loaded(group: click.Group, name: str) -> click.Command:
    command = group.get_command(click.Context(group), name)
    assert command
    return command


def sessions_commands() -> Table:
    group = root.get_command(click.Context(root), "sessions")
    assert isinstance(group, LateGroup)
    return group.table


def errors() -> set[str]:
    """Every error class that the package defines."""
    for module in pkgutil.walk_packages(archivist.__path__, "archivist."):
        importlib.import_module(module.name)
    found, waiting = set(), [ArchivistError]
    while waiting:
        for child in waiting.pop().__subclasses__():
            if child.__module__.startswith("archivist."):
                waiting.append(child)
                found.add(child.__name__)
    return found


def test_every_command_is_in_the_manual_with_its_options():
    manual = DOCS["cli.md"]
    for name, command in commands().items():
        assert f"archivist {name}" in manual, name
        for option in (p for p in command.params if isinstance(p, click.Option)):
            assert any(re.search(rf"[` ]{opt}\b", manual) for opt in option.opts), (name, option.opts)


def test_every_command_named_in_the_docs_exists():
    known = commands()
    for words in re.findall(r"`archivist ((?:[a-z]+)(?: [a-z]+)?)", ALL_TEXT):
        assert words in known or words.split()[0] in known, words


def test_the_line_in_the_help_is_the_commands_own_first_line():
    tables = {name: line for name, (_, line) in COMMANDS.items()}
    tables |= {f"sessions {name}": line for name, (_, line) in sessions_commands().items()}
    for name, line in tables.items():
        own = inspect.cleandoc(commands()[name].help or "").split("\n")[0]
        assert own.rstrip(".;").startswith(line.rstrip(".").split(";")[0].split(",")[0]), name


def test_every_error_is_in_the_docs_and_every_error_there_exists():
    table = set(re.findall(r"^\| `(\w+)` \|", DOCS["errors.md"], re.MULTILINE))
    assert table == {name for name in errors() if not name.startswith("_")}


def test_the_tree_of_errors_is_drawn_whole():
    drawn = inspect.getdoc(inspect.getmodule(ArchivistError))
    for name in errors():
        assert name.startswith("_") or re.search(rf"\b{name}\b", drawn), name


def test_every_path_named_in_the_map_exists():
    for path in re.findall(
        r"`((?:store|recall|transfer|guard|config|records|surfaces|app)/[\w/]*\.py)`", DOCS["ARCHITECTURE.md"]
    ):
        assert (ROOT / "src" / "archivist" / path).exists(), path


def test_every_notice_of_a_search_is_in_the_docs_and_every_one_there_exists():
    source = "\n".join(
        path.read_text("utf-8") for path in (ROOT / "src" / "archivist" / "recall").rglob("*.py")
    )
    given = set(re.findall(r"Notice\(\s*\"([a-z-]+)\"", source))
    table = DOCS["search.md"].partition("## Notices")[2].partition("## Reading on")[0]
    told = {
        code
        for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for code in re.findall(r"`([a-z-]+)`", row)
    }
    assert told == given


def test_every_error_can_be_imported_from_the_package():
    assert {name for name in errors() if not name.startswith("_")} <= set(archivist.__all__) | {
        "IndexDamaged"
    }


def test_every_setting_is_in_the_docs_and_every_setting_there_exists():
    section = DOCS["configuration.md"].partition("## config.toml")[2]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == {
        field.name for field in fields(Settings)
    }


@pytest.mark.parametrize("name", DOCS)
def test_every_link_between_documents_leads_somewhere(name):
    folder = ROOT if (ROOT / name).exists() else ROOT / "docs"
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", DOCS[name]):
        assert (folder / target).exists(), target


def test_the_readmes_transcript_is_what_the_commands_print():
    readme = DOCS["README.md"]
    assert in_readme(make_transcript(), readme) == readme, "run `make docs`"


def test_the_public_names_are_what_can_be_imported():
    assert archivist.__all__ == sorted(
        archivist.__all__, key=lambda name: (not name.isupper(), name.islower(), name)
    )
    for name in archivist.__all__:
        assert getattr(archivist, name) is not None
    assert (Path(archivist.__file__).parent / "py.typed").exists()
