"""What tests of the command line share: a home of its own, and commands that are run in this process."""

import io
import json
import sys

import pytest

from archivist.surfaces.cli.agents import SIGNS
from archivist.surfaces.cli.root import root, run


class Done:
    """What a command printed, and how it ended."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Where the home will be; nothing is in it yet, and the shell is its owner's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARCHIVIST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TZ", "UTC")
    for name in ("ARCHIVIST_PROFILE", *SIGNS):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture
def call(home, capfd, monkeypatch):
    """Runs a command in this process; a fault of the program is a fault of the test."""

    def run_it(*arguments, stdin=None, status=0):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        ended = run(root, arguments)
        sys.stdout.flush()
        done = Done(ended, *capfd.readouterr())
        assert ended == status, done.err
        return done

    return run_it
