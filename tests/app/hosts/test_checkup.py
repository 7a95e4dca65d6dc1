"""`doctor` says whether Claude Code uses this home, and how its hooks fare."""

import json
import os
import sys
import time
import venv
from pathlib import Path

import pytest

from archivist import Archivist
from archivist.app.hosts import starting
from archivist.app.hosts.claude_code.checkup import NOT_YET
from archivist.app.hosts.claude_code.installing import Places, install, uninstall
from archivist.app.hosts.starting import Starting
from archivist.app.hosts.traces import Traces

HOW = Starting(sys.executable)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "config").mkdir()
    return Places(tmp_path / "config")


@pytest.fixture
def findings(tmp_path: Path, places: Places):
    def look(folder: Path | None = None, profile: str | None = None, **more: str) -> list[tuple[str, str]]:
        environ = {
            "CLAUDE_CONFIG_DIR": str(places.config),
            "HOME": str(tmp_path),
            "ARCHIVIST_HOME": str(tmp_path / "home"),
            **more,
        }
        with Archivist.open(tmp_path / "home", profile, environ=environ) as archivist:
            found = archivist.doctor(folder).findings
        return [(one.verdict, one.text) for one in found if one.subject == "claude-code"]

    return look


@pytest.fixture
def traces(tmp_path: Path) -> Traces:
    (tmp_path / "home").mkdir()
    return Traces(str(tmp_path / "home"), "claude-code")


def test_where_there_is_no_claude_code_nothing_is_said(findings, places):
    places.config.rmdir()
    assert findings() == []


def test_it_says_how_to_install_it(findings):
    ((verdict, text),) = findings()
    assert verdict == "ok"
    assert "archivist install claude-code" in text


def test_it_says_when_hooks_ran_last(findings, places, traces):
    install(places, HOW)
    assert findings() == [("ok", "no hook has run yet; Claude Code runs them from 2.1.157 on")]
    traces.ran("SessionStart")
    traces.ran("Stop")
    ((verdict, text),) = findings()
    assert verdict == "ok"
    assert text.startswith("SessionStart 2")
    assert "; Stop 2" in text


def test_trouble_is_a_warning_until_the_hook_goes_well(findings, places, traces):
    install(places, HOW)
    traces.ran("Stop", "archivist: no room")
    ((verdict, text),) = findings()
    assert verdict == "warning"
    assert "no room" in text
    traces.ran("Stop")
    later = time.time() + 60
    os.utime(Path(traces._path("Stop.json")), (later, later))
    ((verdict, text),) = findings()
    assert verdict == "ok"
    assert "no room" in text


def test_what_is_not_of_this_version_is_named(findings, places):
    install(places, HOW)
    (places.plugin / "hooks" / "hooks.json").write_text(
        (places.plugin / "hooks" / "hooks.json").read_text().replace('"timeout": 12', '"timeout": 11')
    )
    ((verdict, text),) = findings()
    assert verdict == "warning"
    assert "not that of this version" in text


def test_a_python_that_is_gone_is_named(findings, places):
    install(places, Starting("/gone/bin/python"))
    assert "not there" in findings()[0][1]


def test_another_home_is_named(findings, places, tmp_path):
    install(places, Starting(sys.executable, ("--home", str(tmp_path / "home"))))
    assert findings()[0][0] == "ok"
    install(places, Starting(sys.executable, ("--home", "/elsewhere")))
    assert "another home, /elsewhere" in findings()[0][1]


@pytest.mark.parametrize(
    ("options", "profile", "environ", "other"),
    [
        (("--home", "{}"), None, {}, None),
        (("--home", "{}", "--profile", "work"), None, {}, "{}/profiles/work"),
        (("--home", "{}", "--profile", "work"), "work", {}, None),
        (("--home", "{}"), "work", {}, "{}"),
        (("--home", "{}"), "work", {"ARCHIVIST_PROFILE": "work"}, None),
        (("--profile", "work"), None, {}, "{}/profiles/work"),
        (("--profile", "work"), "work", {}, None),
        ((), None, {}, None),
        ((), None, {"ARCHIVIST_HOME": "/elsewhere"}, "/elsewhere"),
    ],
)
def test_hooks_use_the_home_that_their_options_and_the_environment_name(
    findings, places, tmp_path, options, profile, environ, other
):
    home = str(tmp_path / "home")
    install(places, Starting(sys.executable, tuple(option.format(home) for option in options)))
    ((verdict, text),) = findings(profile=profile, **environ)
    assert verdict == ("ok" if other is None else "warning")
    if other is not None:
        assert f"another home, {other.format(home)}:" in text


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"disableAllHooks": True}, "switched off"),
        ({"enabledPlugins": {"archivist@skills-dir": False}}, "switched off"),
    ],
)
def test_what_is_switched_off_is_named(findings, places, settings, told):
    install(places, HOW)
    (places.config / "settings.json").write_text(json.dumps(settings))
    assert [(verdict, told in text) for verdict, text in findings()] == [("warning", True)]
    uninstall(places)
    assert findings()[0][0] == "ok"


def test_a_record_that_says_nothing_is_named(findings, places):
    install(places, HOW)
    (places.plugin / ".archivist.json").write_text("[]")
    assert findings()[0][0] == "warning"


def test_it_says_that_it_is_installed_for_this_project_alone(findings, places, tmp_path):
    places.config.rmdir()
    here = tmp_path / "work"
    here.mkdir()
    install(Places(places.config, here), HOW)
    assert findings() == []
    assert findings(here) == [("ok", f"installed for this project ({here}); {NOT_YET}")]
    (here / ".claude" / "settings.local.json").write_text("{")
    assert findings(here) == []


@pytest.mark.parametrize("file", ["hooks", "server", "skill"])
def test_what_an_older_version_put_into_a_project_is_named(findings, places, tmp_path, file):
    here = tmp_path / "work"
    here.mkdir()
    where = Places(places.config, here)
    install(where, HOW)
    if file == "hooks":
        path = here / ".claude" / "settings.local.json"
        told = json.loads(path.read_text())
        del told["hooks"]["SubagentStop"]
        path.write_text(json.dumps(told))
    elif file == "server":
        (here / ".mcp.json").unlink()
    else:
        (here / ".claude" / "skills" / "archivist-memory" / "SKILL.md").write_text("older")
    ((verdict, text),) = findings(here)
    assert verdict == "warning"
    assert "not of this version" in text
    assert "`archivist install claude-code` again with `--scope project`" in text
    install(where, HOW)
    assert findings(here)[0][0] == "ok"


def test_trouble_of_what_was_taken_out_says_that_it_is_not_installed(findings, traces):
    traces.ran("Stop", "archivist: no room")
    ((verdict, text),) = findings()
    assert verdict == "warning"
    assert text.startswith("not installed for all projects")
    assert "no room" in text


def test_hooks_that_run_twice_are_named(findings, places, tmp_path):
    here = tmp_path / "work"
    here.mkdir()
    install(Places(places.config, here), HOW)
    install(places, HOW)
    ((verdict, text),) = findings(here)
    assert verdict == "warning"
    assert "`archivist uninstall claude-code --scope project`" in text


@pytest.mark.parametrize("is_here", [True, False])
def test_tools_that_cannot_start_are_named_with_what_helps(findings, places, tmp_path, monkeypatch, is_here):
    here = tmp_path / "work"
    here.mkdir()
    install(Places(places.config, here) if is_here else places, HOW)
    monkeypatch.setattr(starting, "find_spec", lambda _: None)
    ((verdict, text),) = findings(here)
    assert verdict == "warning"
    assert f"{sys.executable} -m pip install" in text
    assert "[mcp]" in text


def test_another_interpreter_is_asked_for_its_tools(tmp_path):
    bare = tmp_path / "bare"
    venv.create(bare)
    assert starting.lacks_tools(str(bare / "bin" / "python"))
    assert not starting.lacks_tools(str(tmp_path / "nowhere"))
    assert not starting.lacks_tools(sys.executable)
