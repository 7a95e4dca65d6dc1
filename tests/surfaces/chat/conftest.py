"""What tests of conversations share: the real program with a model's server behind it, by pipes and in a real terminal."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.model_server import ModelServer

from archivist import Archivist
from archivist.surfaces.cli.agents import SIGNS

PROGRAM = str(Path(sys.executable).with_name("archivist"))
DEADLINE = 60.0


@pytest.fixture
def environ(tmp_path):
    """Of a person with a home of their own, whatever the machine's says."""
    foreign = ("ARCHIVIST", "CLAUDE", "HERMES", "OPENAI", "ANTHROPIC", "NO_COLOR", *SIGNS)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return {
        **kept,
        "HOME": str(tmp_path),
        "ARCHIVIST_HOME": str(tmp_path / "home"),
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
    }


@pytest.fixture
def model(environ):
    """Starts a model's server with a script, and lets the program ask it."""
    opened = []

    def start(*script):
        server = ModelServer(script[0] if callable(script[0]) else script)
        opened.append(server.__enter__())
        environ.update(
            ARCHIVIST_MODEL="openai/test-model", ARCHIVIST_BASE_URL=f"{server.url}/v1", ARCHIVIST_API_KEY="x"
        )
        return server

    yield start
    for server in opened:
        server.__exit__()


@pytest.fixture
def chat(environ, tmp_path):
    """Runs `archivist chat` between pipes."""

    def run(*arguments, stdin=b"", status=0):
        done = subprocess.run(
            [PROGRAM, "chat", *arguments],
            env=environ,
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            timeout=60,
        )
        done.out, done.err = done.stdout.decode(), done.stderr.decode()
        assert done.returncode == status, done.err
        return done

    return run


@pytest.fixture
def stored(environ):
    """The texts of the newest conversation, whoever said them."""

    def read():
        with Archivist.open(environ["ARCHIVIST_HOME"], environ={}) as archivist:
            session = archivist.sessions.browse(limit=1).sessions[0]
            return [message.text for message in archivist.sessions.get(session.id).messages("context")]

    return read


class Terminal:
    """A real terminal, in which a shell runs the program."""

    def __init__(self, folder, environ):
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        self._environ, self._folder, self._is_open = environ, folder, False

    def open(self):
        """Begin it, with the environment as it is by now."""
        self._is_open = True
        shell = ("env", "PS1=shell: ", "bash", "--norc", "--noprofile")
        self._call("new-session", "-d", "-x", "80", "-y", "40", *shell, cwd=self._folder)
        self.wait_for_shell()

    def _call(self, *arguments, **more):
        done = subprocess.run(
            [*self._tmux, *arguments], env=self._environ, capture_output=True, text=True, check=True, **more
        )
        return done.stdout

    def type(self, text, *, enter=True):
        if not self._is_open:
            self.open()
        self._call("send-keys", "-l", "--", text)
        if enter:
            self.keys("Enter")

    def keys(self, *names):
        self._call("send-keys", *names)

    def paste(self, text):
        self._call("load-buffer", "-", input=text)
        self._call("paste-buffer", "-p")

    @property
    def screen(self):
        """All that was shown, without colours."""
        return self._call("capture-pane", "-p", "-J", "-S", "-300")

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.splitlines() if line.strip()]

    @property
    def raw(self):
        return self._call("capture-pane", "-p", "-e", "-S", "-300")

    def wait(self, found, what="what was waited for"):
        """Until the screen has a text, or what is asked of it holds."""
        holds = (lambda: found in self.screen) if isinstance(found, str) else found
        until = time.monotonic() + DEADLINE
        while not holds():
            assert time.monotonic() < until, f"{found if isinstance(found, str) else what}: {self.screen}"
            time.sleep(0.03)

    def wait_for_prompt(self):
        self.wait(lambda: self.lines and self.lines[-1] == ">", "the prompt")

    def wait_for_shell(self):
        self.wait(lambda: self.lines and self.lines[-1] == "shell:", "the shell")

    def start(self, arguments="chat"):
        self.type(f"{PROGRAM} {arguments}".rstrip())
        self.wait_for_prompt()

    @property
    def program(self):
        """The process id of the program in it."""
        shell = self._call("list-panes", "-F", "#{pane_pid}").split()[0]
        return int(Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0])

    def end(self, number=signal.SIGTERM):
        os.kill(self.program, number)

    def close(self):
        subprocess.run([*self._tmux, "kill-server"], capture_output=True)


@pytest.fixture
def terminal(tmp_path, environ):
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not here")
    opened = Terminal(tmp_path, environ)
    yield opened
    opened.close()
