"""Docs, help and code cannot drift apart: what is named in one is there in the other."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import click
import pytest
from msgspec.structs import fields
from tests.docs.transcript import ROOT, TRANSCRIPTS, in_document, make_transcript

import archivist
from archivist import ArchivistError
from archivist.config import Settings
from archivist.config.agent import AgentSettings
from archivist.config.approval import ApprovalSettings
from archivist.config.model import ModelSettings
from archivist.config.settings import HostSettings, NoteSettings
from archivist.notes.leaving import AHEAD, GRACE, GRACE_SESSIONS
from archivist.notes.limits import NEARLY_FULL, Limits
from archivist.notes.planning import ARCHIVE_BYTES
from archivist.notes.versions import KEPT
from archivist.prompt.snapshot import ALL_LEVELS
from archivist.surfaces.cli.late import LateGroup
from archivist.surfaces.cli.root import COMMANDS, root
from archivist.tools.memory import MEMORY, MOST_FAILURES, Turn, call_memory
from archivist.tools.registry import TOOLS

DOCS = {path.name: path.read_text("utf-8") for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]}
ALL_TEXT = "\n".join(DOCS.values())


def commands() -> dict[str, click.Command]:
    """Every command by the words that call it."""
    found: dict[str, click.Command] = {}
    waiting: list[tuple[str, click.Command]] = [(name, loaded(root, name)) for name in COMMANDS]
    while waiting:
        name, command = waiting.pop(0)
        found[name] = command
        if isinstance(command, click.Group):
            subs = command.list_commands(click.Context(command))
            waiting += [(f"{name} {sub}", loaded(command, sub)) for sub in subs]
    return found


def loaded(group: click.Group, name: str) -> click.Command:
    command = group.get_command(click.Context(group), name)
    assert command
    return command


def tables() -> dict[str, str]:
    """The line in the help of every command by the words that call it."""
    found = {name: line for name, (_, line) in COMMANDS.items()}
    for name, command in commands().items():
        if isinstance(command, LateGroup):
            found |= {f"{name} {sub}": line for sub, (_, line) in command.table.items()}
    return found


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
    for name, line in tables().items():
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
        r"`((?:store|recall|notes|prompt|tools|files|transfer|guard|config|records|surfaces|app|compress)/[\w/]*\.py)`",
        DOCS["ARCHITECTURE.md"],
    ):
        assert (ROOT / "src" / "archivist" / path).exists(), path


@pytest.mark.parametrize(
    ("rooms", "page", "end"),
    [
        (("recall",), "search.md", "## Reading on"),
        (("notes", "prompt", "tools"), "notes.md", "\n## "),
        (("compress",), "compression.md", "\n## "),
    ],
)
def test_every_notice_is_in_the_docs_and_every_one_there_exists(rooms, page, end):
    files = [path for room in rooms for path in (ROOT / "src" / "archivist" / room).rglob("*.py")]
    given = {
        code
        for path in files
        for code in re.findall(r"(?:Notice|_tell)\(\s*\"([a-z-]+)\"", path.read_text("utf-8"))
    }
    table = DOCS[page].partition("## Notices")[2].partition(end)[0]
    told = {
        code
        for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for code in re.findall(r"`([a-z-]+)`", row)
    }
    assert told == given


def test_what_the_manual_shows_of_notes_in_python_runs(tmp_path):
    section = DOCS["python.md"].partition("\n## Note\n")[2].partition("\n## ")[0]
    with archivist.Archivist.open(tmp_path, environ={}) as opened:
        ann = archivist.Scope(user="ann")
        names = {"archivist": opened, "ann": ann, "session": opened.sessions.start("cli", scope=ann)}
        for block in re.findall(r"```python\n(.*?)```", section, re.DOTALL):
            exec(block, names)
        assert names["result"]["success"], names["result"]


def test_the_numbers_in_the_manual_of_notes_are_those_of_the_code():
    said = " ".join(DOCS["notes.md"].split())
    limits = Limits()
    for text in (
        f"MEMORY.md has {limits.memory:,} characters, USER.md {limits.user:,}",
        f"From {NEARLY_FULL} % on",
        f'`on_full = "{limits.on_full}"`: what is remembered least',
        f"until it is {GRACE.days} days old and {GRACE_SESSIONS} sessions have begun since",
        f"remembered least in {AHEAD.days} days leaves first",
        f"at most {ARCHIVE_BYTES >> 10} KB a file",
        f"the newest {KEPT['core']}, of each archive file {KEPT['archive']}",
    ):
        assert text in said, text
    assert MOST_FAILURES == 3, "after three failures"
    assert ALL_LEVELS == 1.5, "one and a half times"


def test_what_a_model_gives_and_gets_of_the_tool_is_in_the_manual(tmp_path):
    section = DOCS["notes.md"].partition("## The tool of a model")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(MEMORY.schema["properties"])
    (tmp_path / "config.toml").write_text("[notes]\nmemory_limit = 100\n")
    calls = (
        {"action": "add", "content": "The port of staging is 8443"},
        {"action": "add", "content": "the port of staging is 8443"},
        {"action": "replace", "old_text": "8443", "content": "Staging is at 9443"},
        {"action": "add", "content": "The host of staging is mole"},
        {"action": "remove", "old_text": "taging"},
        {"action": "replace", "old_text": "walrus", "content": "Staging is at 9443"},
        {"action": "add", "content": "A long text that has no place " * 3},
    )
    with archivist.Archivist.open(tmp_path, environ={}) as opened:
        results = [call_memory(opened.notes, call, Turn(archivist.Scope())) for call in calls]
    assert [result["success"] for result in results] == [True] * 4 + [False] * 3
    for name in {name for result in results for name in result}:
        assert f"`{name}`" in section, name


def test_every_tool_is_in_the_manual_with_its_arguments_and_what_it_gives():
    for tool in TOOLS:
        assert f"| `{tool.name}` |" in DOCS["tools.md"]
        section = DOCS["tools.md"].partition(f"\n## {tool.name}\n")[2].partition("\n## ")[0]
        assert section
        if tool is MEMORY:
            continue  # it is in the manual of notes
        rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
        named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
        assert named == set(tool.schema["properties"])
        for name in tool.output["properties"].keys() - {"success", "error", "message", "notices"}:
            assert f"`{name}`" in section, (tool.name, name)


def test_what_the_server_offers_is_in_the_manual():
    pytest.importorskip("mcp")
    from archivist.surfaces.mcp import offered

    manual = DOCS["mcp.md"]
    known = {one.uri for one in offered.RESOURCE_LIST} | {one.uri_template for one in offered.TEMPLATE_LIST}
    assert set(re.findall(r"`(memory://[^`?]*)`", manual)) == known
    for prompt in offered.PROMPT_LIST:
        assert f"| `{prompt.name}` |" in manual
        assert all(f"`{argument.name}`" in manual for argument in prompt.arguments)
    for tool in offered.TOOL_LIST:
        assert f"| `{tool.name}` |" in manual


def test_every_error_can_be_imported_from_the_package():
    assert {name for name in errors() if not name.startswith("_")} <= set(archivist.__all__) | {
        "IndexDamaged"
    }


def test_every_setting_is_in_the_docs_and_every_setting_there_exists():
    section = DOCS["configuration.md"].partition("## config.toml")[2]
    top, _, table = section.partition("Under `[notes]`:")
    notes, _, table = table.partition("Under `[hosts.NAME]`")
    hosts, _, table = table.partition("Under `[approval]`")
    approval, _, table = table.partition("Under `[model]`")
    model, _, agent = table.partition("Under `[agent]`")
    tables = (
        (top, Settings),
        (notes, NoteSettings),
        (hosts, HostSettings),
        (approval, ApprovalSettings),
        (model, ModelSettings),
        (agent, AgentSettings),
    )
    for text, settings in tables:
        assert set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == {
            field.name for field in fields(settings)
        }


@pytest.mark.parametrize("name", DOCS)
def test_every_link_between_documents_leads_somewhere(name):
    folder = ROOT if (ROOT / name).exists() else ROOT / "docs"
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", DOCS[name]):
        assert (folder / target).exists(), target


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_transcript_is_what_the_commands_print(name):
    document = (ROOT / name).read_text("utf-8")
    assert in_document(make_transcript(TRANSCRIPTS[name]), document) == document, "run `make docs`"


def test_the_public_names_are_what_can_be_imported():
    assert archivist.__all__ == sorted(
        archivist.__all__, key=lambda name: (not name.isupper(), name.islower(), name)
    )
    for name in archivist.__all__:
        assert getattr(archivist, name) is not None
    assert (Path(archivist.__file__).parent / "py.typed").exists()
