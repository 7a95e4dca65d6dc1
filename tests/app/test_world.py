"""The real world: the machine's zone, and chance."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from archivist.app import world


@pytest.fixture
def linked(tmp_path, monkeypatch):
    """Makes the machine's zone a link to something."""
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(world, "LOCAL_ZONE", tmp_path / "localtime")

    def link(target):
        (tmp_path / "localtime").symlink_to(Path(target))

    return link


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
        ("/var/db/timezone/zoneinfo/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("../usr/share/zoneinfo/Asia/Shanghai", "Asia/Shanghai"),
        ("/usr/share/zoneinfo/Etc/UTC", "UTC"),
    ],
)
def test_the_zone_is_the_one_that_the_system_links_to(linked, target, name):
    linked(target)
    assert str(world.local_zone()) == name


def test_a_linked_zone_has_its_summer_time(linked):
    linked("/usr/share/zoneinfo/Europe/Berlin")
    zone = world.local_zone()
    offsets = [datetime(2026, month, 1, tzinfo=zone).utcoffset() for month in (1, 7)]
    assert offsets[0] != offsets[1]


def test_what_tz_says_comes_before_the_link(linked, monkeypatch):
    linked("/usr/share/zoneinfo/Europe/Berlin")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert str(world.local_zone()) == "Asia/Tokyo"


@pytest.mark.parametrize(
    "target", ["/usr/share/zoneinfo/Nowhere/Atall", "/etc/elsewhere", "/usr/share/zoneinfo/"]
)
def test_a_link_to_no_zone_is_no_failure(linked, target):
    linked(target)
    assert datetime(2026, 1, 1, tzinfo=world.local_zone()).utcoffset() is not None


def test_pauses_are_drawn_between_their_bounds_and_differ():
    draw = world.real_world().draw
    drawn = [draw(0.02, 0.15) for _ in range(50)]
    assert all(0.02 <= one <= 0.15 for one in drawn)
    assert len(set(drawn)) > 40


def test_the_clock_is_aware():
    assert world.utc_now().tzinfo is UTC
