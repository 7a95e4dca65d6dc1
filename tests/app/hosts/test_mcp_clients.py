"""The lines for other clients: each in its own format, whatever the path."""

import json
import tomllib

import pytest
from click.testing import CliRunner

from archivist.app.hosts.mcp_clients import CLIENTS, OTHER
from archivist.surfaces.cli.root import root

WORDS = ['/opt/it\'s "odd" \\ ü/python', "-I", "-m", "archivist.surfaces.cli", "mcp"]


def test_codex_reads_toml():
    told = tomllib.loads(CLIENTS["codex"].lines(WORDS))
    assert told == {"mcp_servers": {"archivist": {"command": WORDS[0], "args": WORDS[1:]}}}


@pytest.mark.parametrize(
    ("client", "path"),
    [
        ("claude-code", ["mcpServers"]),
        ("claude-desktop", ["mcpServers"]),
        ("gemini", ["mcpServers"]),
        ("windsurf", ["mcpServers"]),
        ("zed", ["context_servers"]),
        ("vscode", ["servers"]),
    ],
)
def test_most_read_json_with_a_command_and_its_arguments(client, path):
    told = json.loads(CLIENTS[client].lines(WORDS))
    for name in path:
        told = told[name]
    assert (told["archivist"]["command"], told["archivist"]["args"]) == (WORDS[0], WORDS[1:])
    assert told["archivist"].get("type") == ("stdio" if client == "vscode" else None)


def test_cursor_starts_a_server_anywhere_and_says_which_folder_is_open():
    told = json.loads(CLIENTS["cursor"].lines(WORDS))["mcpServers"]["archivist"]
    assert told == {"command": WORDS[0], "args": [*WORDS[1:], "--project", "${workspaceFolder}"]}


def test_opencode_reads_the_command_as_one_list():
    told = json.loads(CLIENTS["opencode"].lines(WORDS))
    assert told == {"mcp": {"archivist": {"type": "local", "command": WORDS}}}


def test_goose_reads_yaml_whose_quoted_texts_are_json():
    lines = CLIENTS["goose"].lines(WORDS).splitlines()
    assert lines[:2] == ["extensions:", "  archivist:"]
    (command,) = [line for line in lines if line.startswith("    cmd: ")]
    assert json.loads(command.removeprefix("    cmd: ")) == WORDS[0]
    assert [
        json.loads(line.removeprefix("      - ")) for line in lines if line.startswith("      - ")
    ] == WORDS[1:]


def test_any_other_client_is_given_the_form_that_nearly_all_read():
    assert json.loads(OTHER.lines(WORDS))["mcpServers"]["archivist"]["command"] == WORDS[0]


def test_the_command_prints_all_or_one():
    run = CliRunner().invoke
    every = run(root, ["install", "mcp", "--print"])
    assert every.exit_code == 0
    assert all(client.place in every.output for client in CLIENTS.values())
    one = run(root, ["install", "mcp", "--print", "--client", "codex"])
    assert "[mcp_servers.archivist]" in one.output
    assert "Zed" not in one.output
    assert "[hosts.codex] and below it trusted = true into /quay/config.toml" in " ".join(
        run(root, ["--home", "/quay", "install", "mcp", "--print", "--client", "codex"]).output.split()
    )
    told = json.loads(run(root, ["install", "mcp", "--print", "--client", "zed", "--json"]).stdout)
    assert told["clients"][0]["client"] == "zed"
    assert run(root, ["install", "mcp", "--print", "--client", "no"]).exit_code == 2
    assert run(root, ["install", "mcp"]).exit_code == 2
