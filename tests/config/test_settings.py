"""Settings: strict, with a line that says what is wrong."""

from zoneinfo import ZoneInfo

import pytest

from archivist.config import Settings, SettingsUnreadable, read_settings


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
