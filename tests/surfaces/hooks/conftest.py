"""A host with Archivist in it, and a home."""

from pathlib import Path

import pytest
from tests.surfaces.hooks.host import Host

from archivist import Archivist
from archivist.app.hosts.claude_code.installing import Places, install
from archivist.app.hosts.starting import Starting, starting


@pytest.fixture(scope="session")
def how() -> Starting:
    return starting([])


@pytest.fixture(autouse=True)
def nobodys_own_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests look into the home that hooks were given, whatever is set where they run."""
    for name in ("ARCHIVIST_HOME", "ARCHIVIST_PROFILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "a home of “Mira's”"


@pytest.fixture
def host(tmp_path: Path, home: Path, how: Starting) -> Host:
    config, folder = tmp_path / "con fig" / ".claude", tmp_path / "work"
    folder.mkdir()
    install(Places(config), Starting(how.python, ("--home", str(home))))
    return Host(config, folder, home, {"HOME": str(tmp_path / "user")})


@pytest.fixture
def noted(home: Path) -> str:
    """Something that was noted before any session."""
    with Archivist.open(home) as archivist:
        archivist.notes.add("memory", "The staging server listens on port 8443")
    return "The staging server listens on port 8443"
