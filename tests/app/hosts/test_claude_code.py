"""Archivist in Claude Code's folders: put there whole, again without a change, and taken out so that nothing is left."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from archivist import Archivist, HostFileUnusable, NotStartable, __version__
from archivist.app.hosts.claude_code.installing import Places, config_folder, install, uninstall
from archivist.app.hosts.claude_code.plugin import WAITS
from archivist.app.hosts.starting import Starting, starting
from archivist.surfaces.cli.root import root
from archivist.surfaces.hooks.running import SECONDS

HOW = Starting(sys.executable)
SETTINGS = (
    '{\n    "permissions": {"allow": ["Bash(ls)"]},\n    '
    '"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}\n}\n'
)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "con fig “x”")


@pytest.fixture
def project(tmp_path: Path) -> Places:
    (tmp_path / "project").mkdir()
    return Places(tmp_path / "config", tmp_path / "project")


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---- for all projects ----


def test_a_plugin_is_whole_and_of_this_version(places):
    install(places, HOW)
    manifest = json.loads((places.plugin / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    assert (manifest["name"], manifest["version"]) == ("archivist", __version__)
    hooks = json.loads((places.plugin / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    assert list(hooks) == list(WAITS) == list(SECONDS)
    servers = json.loads((places.plugin / ".mcp.json").read_text("utf-8"))["mcpServers"]
    assert servers["archivist"]["args"][-3:] == ["mcp", "--host", "claude-code"]


def test_a_hook_gives_up_before_the_host_does():
    assert all(SECONDS[event] < WAITS[event] for event in WAITS)


def test_the_skill_keeps_to_the_rules_of_skills(places):
    install(places, HOW)
    (path,) = places.plugin.glob("skills/*/SKILL.md")
    head, _, body = path.read_text("utf-8").removeprefix("---\n").partition("\n---\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert fields["name"] == path.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"])
    assert len(fields["name"]) <= 64
    assert 0 < len(fields["description"]) <= 1024
    assert len(body.splitlines()) < 500
    assert all(f"`{tool}`" in body for tool in ("memory", "recall", "session_search"))


def test_a_second_time_nothing_is_changed(places):
    first = install(places, HOW)
    before = tree(places.config)
    again = install(places, HOW)
    assert first.is_changed
    assert not again.is_changed
    assert tree(places.config) == before


def test_a_dry_run_changes_nothing(places):
    assert install(places, HOW, dry_run=True).is_changed
    assert not places.config.exists()
    install(places, HOW)
    before = tree(places.config)
    assert uninstall(places, dry_run=True).is_changed
    assert tree(places.config) == before


def test_what_was_put_in_is_taken_out_and_nothing_else(places):
    (places.config / "skills" / "mine").mkdir(parents=True)
    (places.config / "skills" / "mine" / "SKILL.md").write_text("mine")
    (places.config / "settings.json").write_text("// not even JSON")
    before = tree(places.config)
    install(places, HOW)
    uninstall(places)
    assert tree(places.config) == before
    assert not places.plugin.exists()
    assert not uninstall(places).changes


def test_another_plugin_of_the_same_name_is_left_alone(places):
    places.plugin.mkdir(parents=True)
    (places.plugin / "SKILL.md").write_text("theirs")
    with pytest.raises(HostFileUnusable, match="has this name"):
        install(places, HOW)
    assert tree(places.plugin) == {"SKILL.md": b"theirs"}
    assert not uninstall(places).changes


def test_what_somebody_edited_is_kept_and_what_they_added_stays(places):
    install(places, HOW)
    guide = places.plugin / "skills" / "archivist-memory" / "SKILL.md"
    guide.write_text("my own words")
    (places.plugin / "notes.txt").write_text("mine")
    done = install(places, HOW)
    assert guide.read_text() != "my own words"
    assert guide.with_name("SKILL.md.before-archivist").read_text() == "my own words"
    assert any("is kept in" in notice for notice in done.notices)
    told = uninstall(places)
    assert set(tree(places.plugin)) == {"notes.txt", "skills/archivist-memory/SKILL.md.before-archivist"}
    assert any("SKILL.md.before-archivist is what you had written" in notice for notice in told.notices)


def test_every_edit_is_kept(places):
    for words in ("one", "two", "three"):
        install(places, HOW)
        (places.plugin / "README.md").write_text(words)
    install(places, HOW)
    kept = {path.read_text() for path in places.plugin.glob("README.md*.before-archivist")}
    assert kept == {"one", "two", "three"}
    uninstall(places)
    assert len(tree(places.plugin)) == 3
    install(places, HOW)


def test_an_edited_file_stays_when_the_rest_is_taken_out(places):
    install(places, HOW)
    (places.plugin / "README.md").write_text("mine")
    done = uninstall(places)
    assert tree(places.plugin) == {"README.md": b"mine"}
    assert any("edited" in notice for notice in done.notices)


@pytest.mark.parametrize("name", ["hooks/hooks.json", "README.md", ".mcp.json", ".claude-plugin/plugin.json"])
def test_after_an_edited_file_has_stayed_it_can_be_installed_again(places, name):
    install(places, HOW)
    text = (places.plugin / name).read_text()
    (places.plugin / name).write_text(text + "\n")
    uninstall(places)
    assert set(tree(places.plugin)) == {name}
    install(places, HOW)
    assert (places.plugin / name).read_text() == text
    assert (places.plugin / f"{name}.before-archivist").read_text() == text + "\n"
    uninstall(places)
    assert set(tree(places.plugin)) == {f"{name}.before-archivist"}
    install(places, HOW)


@pytest.mark.parametrize(
    "manifest", ['{"name": "archivist"}', '{"author": {"name": "Mira"}}', "[]]", '{"author": "Mira"}']
)
def test_a_whole_plugin_of_somebody_elses_is_left_alone(places, manifest):
    path = places.plugin / ".claude-plugin" / "plugin.json"
    path.parent.mkdir(parents=True)
    path.write_text(manifest)
    with pytest.raises(HostFileUnusable, match="move them elsewhere"):
        install(places, HOW)
    assert tree(places.plugin) == {".claude-plugin/plugin.json": manifest.encode()}


def test_folders_that_were_made_go(places):
    places.config.mkdir()
    install(places, HOW)
    uninstall(places)
    assert not list(places.config.iterdir())


def test_a_file_of_an_older_version_goes_when_the_newer_one_has_it_no_more(places):
    install(places, HOW)
    old = places.plugin / "commands" / "old.md"
    old.parent.mkdir()
    old.write_text("old")
    record = places.plugin / ".archivist.json"
    files = json.loads(record.read_text())["files"]
    record.write_text(json.dumps({"files": {**files, "commands/old.md": "0"}}))
    install(places, HOW)
    assert not old.exists()


def test_a_linked_folder_of_skills_is_followed(places, tmp_path):
    elsewhere = tmp_path / "dotfiles"
    elsewhere.mkdir()
    places.config.mkdir()
    (places.config / "skills").symlink_to(elsewhere)
    install(places, HOW)
    assert (elsewhere / "archivist" / "hooks" / "hooks.json").exists()
    uninstall(places)
    assert (places.config / "skills").is_symlink()
    assert not tree(elsewhere)


# ---- for one project ----


def test_hooks_stand_beside_those_of_others_and_go_to_the_byte(project):
    settings = project.of(Path(".claude/settings.local.json"))
    settings.parent.mkdir()
    settings.write_text(SETTINGS)
    before = tree(project.project)
    install(project, HOW)
    told = json.loads(settings.read_text())
    assert told["permissions"] == {"allow": ["Bash(ls)"]}
    assert told["hooks"]["Stop"][0] == {"hooks": [{"type": "command", "command": "true"}]}
    assert set(told["hooks"]) == set(WAITS)
    assert settings.read_text().startswith(SETTINGS[: SETTINGS.index("]}]}")])
    assert not install(project, HOW).is_changed
    uninstall(project)
    assert tree(project.project) == before


def test_where_nothing_was_nothing_is_left(project):
    install(project, HOW)
    uninstall(project)
    assert not list(project.project.iterdir())


def test_what_was_added_since_stays(project):
    install(project, HOW)
    settings = project.of(Path(".claude/settings.local.json"))
    told = json.loads(settings.read_text())
    told["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "later"}]})
    settings.write_text(json.dumps(told | {"model": "opus"}))
    uninstall(project)
    left = json.loads(settings.read_text())
    assert left == {
        "model": "opus",
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "later"}]}]},
    }


def test_another_interpreter_takes_the_place_of_the_first(project):
    install(project, Starting("/old/python"))
    install(project, HOW)
    text = project.of(Path(".claude/settings.local.json")).read_text()
    assert "/old/python" not in text
    assert text.count("archivist.surfaces.hooks") == len(WAITS)


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "// a comment\n{}",
        "[]",
        '{"hooks": []}x',
        '{"hooks": "none"}',
        '{"hooks": {"Stop": {}}}',
        "[" * 50_000,
    ],
)
def test_settings_that_are_none_are_refused_with_one_line(project, content):
    settings = project.of(Path(".claude/settings.local.json"))
    settings.parent.mkdir()
    settings.write_text(content)
    with pytest.raises(HostFileUnusable) as refused:
        install(project, HOW)
    assert "\n" not in str(refused.value)
    assert str(settings) in str(refused.value)
    assert tree(project.project) == {".claude/settings.local.json": content.encode()}


@pytest.mark.parametrize(
    "content",
    [
        "",
        " \n",
        "\ufeff",
        "\ufeff \r\n",
        "{}",
        "\ufeff{ }",
        '{"hooks":{}}',
        '{"hooks": {"Stop": []}, "a": [1.10, 1e400]}',
        '{"enabledMcpjsonServers":[]}',
        '{"enabledMcpjsonServers":["archivist", "x"]}\n',
        '{"hooks":{"Stop":[]},"hooks":{"Stop":[{"hooks":[]}]}}',
        '{\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}',
        SETTINGS,
    ],
)
@pytest.mark.parametrize("name", [".claude/settings.local.json", ".mcp.json"])
def test_what_was_there_comes_back_to_the_byte(project, name, content):
    project.of(Path(".claude")).mkdir()
    project.of(Path(name)).write_bytes(content.encode())
    install(project, HOW)
    installed = tree(project.project)
    assert not install(project, HOW).is_changed
    assert tree(project.project) == installed
    uninstall(project)
    assert tree(project.project) == {name: content.encode()}


@pytest.mark.parametrize(
    "content",
    [
        '{"mcpServers":{"x":{"command":"y"}}}\n',
        '{"mcpServers":{}}',
        '{ "mcpServers": {"x": {\n         "command": "y"}}}',
        '[{"mcpServers":{}}]'[1:-1],
    ],
)
def test_servers_of_others_stay_as_they_are_however_often_it_is_installed(project, content):
    servers = project.of(Path(".mcp.json"))
    servers.write_text(content)
    install(project, Starting("/old/python"))
    install(project, HOW)
    once = servers.read_text()
    for _ in range(3):
        assert not install(project, HOW).is_changed
    install(project, Starting("/other/python"))
    install(project, HOW)
    assert servers.read_text() == once
    uninstall(project)
    assert tree(project.project) == {".mcp.json": content.encode()}


@pytest.mark.parametrize(
    "mine",
    [
        '{"command":"mine"}',
        '{"url":"https://host.example"}',
        "null",
        '{"args":null}',
        '{"command":"p","args":["-m","archivist.surfaces.cli","mcp"]}',
        '{"command":"p","args":["archivist.surfaces.cli","mcp","--host","claude-code"],"env":{}}',
    ],
)
def test_a_server_of_the_same_name_is_never_replaced(project, mine):
    project.of(Path(".mcp.json")).write_text(f'{{"mcpServers":{{"archivist":{mine}}}}}\n')
    before = tree(project.project)
    with pytest.raises(HostFileUnusable, match="another server with the name archivist"):
        install(project, HOW)
    assert tree(project.project) == before
    assert not uninstall(project).changes
    assert tree(project.project) == before


def test_a_server_that_took_the_place_of_archivists_stays(project):
    install(project, HOW)
    project.of(Path(".mcp.json")).write_text('{"mcpServers":{"archivist":{"command":"mine"}}}')
    uninstall(project)
    assert tree(project.project) == {".mcp.json": b'{"mcpServers":{"archivist":{"command":"mine"}}}'}


def test_approvals_of_ones_own_stay_where_nothing_was_installed(project):
    project.of(Path(".claude")).mkdir()
    project.of(Path(".claude/settings.local.json")).write_text('{"enabledMcpjsonServers": ["archivist"]}')
    assert not uninstall(project).changes


def test_a_kept_file_that_has_archivists_hooks_already_is_not_brought_back(project):
    install(project, HOW)
    settings = project.of(Path(".claude/settings.local.json"))
    kept = settings.with_name("settings.local.json.before-archivist")
    kept.write_bytes(settings.read_bytes())
    done = uninstall(project)
    assert "archivist" not in settings.read_text()
    assert kept.exists()
    assert any("so it stays" in notice for notice in done.notices)


def test_a_skill_that_was_there_before_comes_back(project):
    mine = project.of(Path(".claude/skills/archivist-memory/SKILL.md"))
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    before = tree(project.project)
    install(project, HOW)
    assert mine.read_text() != "mine"
    uninstall(project)
    assert tree(project.project) == before


def test_a_skill_of_a_project_that_was_edited_since_stays(project):
    install(project, HOW)
    skill = project.of(Path(".claude/skills/archivist-memory/SKILL.md"))
    skill.write_text(skill.read_text() + "mine")
    edited = skill.read_bytes()
    done = uninstall(project)
    assert tree(project.project) == {".claude/skills/archivist-memory/SKILL.md": edited}
    assert any("edited" in notice for notice in done.notices)


def test_a_refusal_never_names_a_line_of_what_was_not_in_the_file(project):
    settings = project.of(Path(".claude/settings.local.json"))
    settings.parent.mkdir()
    settings.write_text('{"hooks": {"Stop": {}}}')
    with pytest.raises(HostFileUnusable, match=r"hooks\.Stop is no list") as refused:
        install(project, HOW)
    assert "line" not in str(refused.value)
    settings.write_text('{"hooks": [1]}')
    with pytest.raises(HostFileUnusable, match="hooks is no object"):
        install(project, HOW)


def test_linked_settings_are_followed_and_keep_their_mode(project, tmp_path):
    real = tmp_path / "real.json"
    real.write_text(SETTINGS)
    real.chmod(0o640)
    settings = project.of(Path(".claude/settings.local.json"))
    settings.parent.mkdir()
    settings.symlink_to(real)
    install(project, HOW)
    assert settings.is_symlink()
    assert "archivist.surfaces.hooks" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640
    uninstall(project)
    assert real.read_text() == SETTINGS


def test_hooks_never_run_twice(places, project):
    install(Places(project.config), HOW)
    with pytest.raises(HostFileUnusable, match="twice; `archivist uninstall claude-code` "):
        install(project, HOW)


def test_nor_where_the_project_came_first(project):
    install(project, HOW)
    everywhere = Places(project.config, here=project.project)
    with pytest.raises(HostFileUnusable, match="twice; `archivist uninstall claude-code --scope project`"):
        install(everywhere, HOW)
    assert not project.plugin.exists()
    uninstall(project)
    assert install(everywhere, HOW).is_changed


def test_who_takes_out_from_the_wrong_place_is_told_the_right_one(project):
    everywhere = Places(project.config, here=project.project)
    install(project, HOW)
    told = uninstall(everywhere)
    assert not told.is_changed
    assert "--scope project" in told.notices[0]
    uninstall(project)
    assert not uninstall(everywhere).notices
    install(everywhere, HOW)
    assert "`archivist uninstall claude-code`" in uninstall(project).notices[0]


# ---- the command ----


def test_the_commands_say_what_they_do(tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("ARCHIVIST_HOME", str(tmp_path / "home"))
    run = CliRunner().invoke
    dry = run(root, ["install", "claude-code", "--dry-run"])
    assert "would be written" in dry.output
    done = json.loads(run(root, ["install", "claude-code", "--json"]).stdout)
    assert done["changed"]
    hooks = (tmp_path / "config" / "skills" / "archivist" / "hooks" / "hooks.json").read_text()
    assert str(tmp_path / "home") in hooks
    assert "(removed)" in run(root, ["uninstall", "claude-code"]).output
    assert "nothing of Archivist's" in run(root, ["uninstall", "claude-code"]).output
    assert not (tmp_path / "home").exists()


def test_where_claude_code_has_not_run_yet_it_is_said(places):
    (notice,) = install(places, HOW, dry_run=True).notices
    assert notice.startswith(f"{places.config} was not there")
    assert install(places, HOW).notices == (notice,)
    assert install(places, HOW).notices == ()


def test_who_installs_for_another_home_is_told_where_the_memory_was_until_now(places, project):
    other = Starting(sys.executable, ("--profile", "work"))
    for where in (places, project):
        assert not any("until now" in notice for notice in install(where, HOW).notices)
        (notice,) = [one for one in install(where, other).notices if "until now" in one]
        assert notice.startswith(f"Claude Code used the home {Path.home() / '.archivist'} until now")
        assert not any("until now" in one for one in install(where, other).notices)
        uninstall(where)


def test_who_installs_is_told_of_what_was_said_before_until_there_is_a_home(tmp_path, monkeypatch):
    config = tmp_path / "config"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(config))
    monkeypatch.setenv("ARCHIVIST_HOME", str(tmp_path / "home"))

    def notices() -> list[str]:
        ran = CliRunner().invoke(root, ["install", "claude-code", "--json"])
        return [one for one in json.loads(ran.stdout)["notices"] if "from before" in one]

    assert notices() == []
    (config / "projects" / "-src").mkdir(parents=True)
    (config / "projects" / "-src" / "one.jsonl").write_text("{}\n")
    assert notices() == ["1 transcript is from before: `archivist ingest` stores what was said there"]
    with Archivist.open(tmp_path / "home", environ={}):
        assert notices() == []


def test_the_folder_of_the_host_is_found():
    assert config_folder({"CLAUDE_CONFIG_DIR": "/x"}) == Path("/x")
    assert config_folder({"HOME": "/home/mira"}) == Path("/home/mira/.claude")


def test_a_python_without_archivist_is_refused(tmp_path):
    with pytest.raises(NotStartable, match="pip install"):
        starting([], str(tmp_path / "no python"))


def test_every_command_that_is_written_starts_from_anywhere(places, tmp_path):
    home = tmp_path / "it's “a” home $HOME"
    install(places, Starting(sys.executable, ("--home", str(home))))
    hooks = json.loads((places.plugin / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    for event, groups in hooks.items():
        hook = groups[0]["hooks"][0]
        ran = subprocess.run(
            [hook["command"], *hook["args"]],
            input=json.dumps({"session_id": "s", "hook_event_name": event}).encode(),
            cwd="/",
            env={"PATH": os.defpath},
            capture_output=True,
        )
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert (home / "state.db").exists()
