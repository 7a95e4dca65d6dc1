"""Which folder is meant."""

from pathlib import Path

import pytest

from archivist.config import HomeNotUsable, UnknownProfile, find_home


def test_the_argument_comes_before_the_environment_and_that_before_the_default(tmp_path):
    environ = {"ARCHIVIST_HOME": str(tmp_path / "env")}
    assert find_home(tmp_path / "arg", environ=environ).path == tmp_path / "arg"
    assert find_home(environ=environ).path == tmp_path / "env"
    assert find_home(environ={}).path == Path.home() / ".archivist"


def test_a_profile_is_a_home_below_profiles(tmp_path):
    environ = {"ARCHIVIST_HOME": str(tmp_path), "ARCHIVIST_PROFILE": "work"}
    assert find_home(environ=environ).path == tmp_path / "profiles" / "work"
    assert (
        find_home(profile="play", environ=environ).state_file == tmp_path / "profiles" / "play" / "state.db"
    )


@pytest.mark.parametrize("name", ["..", "a/b", ".hidden", "x" * 65, "a b"])
def test_a_profile_that_would_leave_its_folder_is_refused(tmp_path, name):
    with pytest.raises(UnknownProfile, match="cannot name a profile"):
        find_home(tmp_path, name, environ={})


def test_a_file_in_the_homes_place_is_named(tmp_path):
    (tmp_path / "home").write_text("")
    with pytest.raises(HomeNotUsable, match="set ARCHIVIST_HOME"):
        find_home(tmp_path / "home", environ={})
