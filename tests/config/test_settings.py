"""Settings: strict, with a line that says what is wrong."""

import os
from zoneinfo import ZoneInfo

import pytest

from archivist.config import Settings, SettingsUnreadable, read_settings
from archivist.config.agent import AgentSettings
from archivist.config.model import ModelSettings, PriceSettings
from archivist.config.settings import HostSettings


def test_no_file_means_defaults(tmp_path):
    assert read_settings(tmp_path / "config.toml") == Settings()
    assert Settings().zone() is None


def test_settings_are_read(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text('timezone = "Asia/Shanghai"\npatience_seconds = 5\n')
    settings = read_settings(file)
    assert settings == Settings("Asia/Shanghai", 5.0)
    assert settings.zone() == ZoneInfo("Asia/Shanghai")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("timezon = 'x'", "unknown key 'timezon'"),
        ("timezone = 'Mars/Olympus'", "is no zone such as"),
        ("timezone = 3", "is no zone such as"),
        ("patience_seconds = 'long'", "must be a number of seconds"),
        ("patience_seconds = -1", "must be a number of seconds"),
        ("= 3", "correct the line"),
        ("\ud800", "correct the line"),
    ],
)
def test_each_mistake_is_named(tmp_path, text, reason):
    file = tmp_path / "config.toml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(SettingsUnreadable, match=reason):
        read_settings(file)


def test_each_host_has_a_table_of_its_own(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text('[hosts.claude-code]\nread = "owner"\n[hosts.cursor]\n')
    settings = read_settings(file)
    assert settings.host("claude-code").read == "owner"
    assert settings.host("cursor") == settings.host("of which nothing is set") == HostSettings()
    assert HostSettings().read == "scope"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hosts = 3", "hosts must be tables"),
        ("[hosts]\ncursor = 3", "hosts.cursor must be a table"),
        ("[hosts.cursor]\ncolour = 3", r"unknown key 'colour' in \[hosts.cursor\]"),
        ("[hosts.cursor]\nread = 'all'", r"read in \[hosts.cursor\] must be 'scope' or 'owner'"),
        ("[hosts.cursor]\nread = ['owner']", r"read in \[hosts.cursor\] must be"),
        ("[hosts.cursor]\nrecall = {on = 1}", r"recall in \[hosts.cursor\] must be"),
        ("[notes]\non_full = ['demote']", r"on_full in \[notes\] must be"),
    ],
)
def test_each_mistake_in_a_table_is_named(tmp_path, text, reason):
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(SettingsUnreadable, match=reason):
        read_settings(tmp_path / "config.toml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_what_is_no_file_of_settings_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    (tmp_path / "folder").mkdir()
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 40)
    for name in ("pipe", "endless", "folder", "huge"):
        with pytest.raises(SettingsUnreadable, match="put a file of settings in its place"):
            read_settings(tmp_path / name)


def test_approval_is_read(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(
        '[approval]\nmode = "automatic"\nhome = "off"\n[approval.origins]\nimport = false\n[approval.chats]\n"-100" = "everything"\n'
    )
    approval = read_settings(file).approval
    assert (approval.mode, approval.home, approval.origins) == ("automatic", "off", {"import": False})
    assert approval.chats == {"-100": "everything"}
    assert Settings().approval.mode == "off"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("approval = true", "approval must be a table"),
        ("[approval]\nmod = 'off'", r"unknown key 'mod' in \[approval\]"),
        ("[approval]\nmode = 'on'", r"mode in \[approval\] must be 'off', 'automatic' or 'everything'"),
        ("[approval]\nmode = ['off']", r"mode in \[approval\] must be"),
        ("[approval]\nhome = true", r"home in \[approval\] must be"),
        ("[approval]\norigins = 3", "origins in .* must be a table"),
        ("[approval.origins]\nhand = true", "'hand' in .* is none of user, agent"),
        ("[approval.origins]\nagent = 'off'", "agent in .* must be true or false"),
        ("[approval]\nprojects = 'tide'", "projects in .* must be a table"),
        ("[approval.users]\nkim = 'yes'", r"'kim' in \[approval.users\] must be"),
        ("[approval.users]\nowner = 'everything'", "is you: home in"),
        ("[approval.projects]\n'https://GitHub.com/ana/tide.git' = 'off'", "is 'github.com/ana/tide'"),
        ("[approval.projects]\n'git@github.com:ana/tide' = 'off'", "is 'github.com/ana/tide'"),
        ("[approval.projects]\n'~/tide' = 'off'", "give the whole path"),
        ("[approval.projects]\n'.' = 'off'", "give the whole path"),
    ],
)
def test_each_mistake_about_approval_is_named(tmp_path, text, reason):
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(SettingsUnreadable, match=reason):
        read_settings(file)


@pytest.mark.parametrize(
    "key", ["github.com/ana/tide", "/home/ana/tide", "C:/Users/ana/tide", "tide", ".files", "host/Ana/Tide"]
)
def test_the_key_of_a_project_is_taken_as_it_is(tmp_path, key):
    file = tmp_path / "config.toml"
    file.write_text(f"[approval.projects]\n'{key}' = 'everything'\n")
    assert read_settings(file).approval.projects == {key: "everything"}


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may look everywhere")
def test_a_folder_that_may_not_be_looked_into_is_said(tmp_path):
    (tmp_path / "home").mkdir(mode=0)
    try:
        with pytest.raises(SettingsUnreadable, match="let its folder be read"):
            read_settings(tmp_path / "home" / "config.toml")
    finally:
        (tmp_path / "home").chmod(0o700)


def test_the_model_and_the_agent_have_tables_of_their_own(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(
        '[model]\nname = "vllm/Qwen/Qwen3-32B"\nbase_url = "http://box:8000/v1"\nwindow = 32768\npictures = false\n'
        '[model.prices]\ninput = 1\noutput = 2.5\n[agent]\nrecall = "off"\nmax_turn_usd = 2\n'
    )
    settings = read_settings(file)
    assert settings.model == ModelSettings(
        "vllm/Qwen/Qwen3-32B",
        base_url="http://box:8000/v1",
        window=32_768,
        pictures=False,
        prices=PriceSettings(1.0, 2.5),
    )
    assert settings.agent == AgentSettings(recall="off", max_turn_usd=2.0)
    assert Settings().agent == AgentSettings("cue", "ask", 90, 0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("model = 'gpt'", r"model must be a table: \[model\]"),
        ("[model]\nmodel = 'x'", r"unknown key 'model' in \[model\]"),
        ("[model]\nname = ''", "name in .* must be a text on one line"),
        ('[model]\nname = "a\\nb"', "name in .* must be a text on one line"),
        ("[model]\nwire = 'grpc'", "wire in .* must be 'openai' or 'anthropic'"),
        ("[model]\nwire = ['openai']", "wire in .* must be"),
        ("[model]\nbase_url = 'localhost:8000'", "base_url in .* must be an address such as"),
        ("[model]\nbase_url = 'ftp://x/v1'", "base_url in .* must be an address such as"),
        ("[model]\nbase_url = 'http://x:99999/v1'", "base_url in .* must be an address such as"),
        ("[model]\nbase_url = 'https://me:pass@x/v1'", "must have no user and no password"),
        ("[model]\nbase_url = 'https://x/v1?key=1'", "without"),
        ("[model]\nwindow = 10", "window in .* from 1,000"),
        ("[model]\nwindow = true", "window in .* must be a whole number"),
        ("[model]\npictures = 'yes'", "pictures in .* must be true or false"),
        ("[model]\nkey_env = 'sk-proj-abc'", "must be the name of a variable"),
        ("[model]\nfallback = 'x/y'", "fallback in .* must be a list of models"),
        ("[model]\nfallback = [1]", "a model in fallback of .* must be 'provider/name'"),
        ("[model]\nfallback = ['']", "a model in fallback of .* must be 'provider/name'"),
        ("[model]\nfallback = [{ window = 9000 }]", "needs a name"),
        ("[model]\nfallback = [{ name = 'x', fallback = ['y'] }]", "no fallback of its own"),
        ("[model]\nfallback = [{ name = 'x', base_url = 'x' }]", "base_url in .* must be an address"),
        ("[model.prices]\ninput = 1", r"\[model.prices\] needs output"),
        ("[model.prices]\ninput = -1\noutput = 1", "input in .* must be a number of dollars"),
        ("[model.prices]\ninput = nan\noutput = 1", "input in .* must be a number of dollars"),
        ("[agent]\nrecall = 'always'", "recall in .* must be 'off', 'cue' or 'on'"),
        ("[agent]\napproval = 'never'", "approval in .* must be 'ask', 'edits' or 'all'"),
        ("[agent]\nmax_requests = 0", "max_requests in .* from 1"),
        ("[agent]\nmax_turn_usd = '1'", "max_turn_usd in .* must be a number of dollars"),
    ],
)
def test_each_mistake_about_models_and_agents_is_named(tmp_path, text, reason):
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(SettingsUnreadable, match=reason) as raised:
        read_settings(file)
    assert "pass@" not in str(raised.value)
    assert "sk-proj" not in str(raised.value)
